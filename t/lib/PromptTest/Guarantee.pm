# What t/lib/guarantee.js lives on: services of its own, that can be killed
# and stopped, a database, keys, the fixture provider.
#
#     perl -It/lib -MPromptTest::Guarantee -e PromptTest::Guarantee::host
#
# prints one line of JSON, and gives everything back when its standard input
# ends, that is when the test has ended, in whatever way.

package PromptTest::Guarantee;

use strict;
use warnings;

use JSON::PP ();
use PromptTest::Env;


sub host
{
    # the suites' services are shared: nobody may kill those
    delete $ENV{PROMPT_TEST_SERVICES};

    # Ctrl-C goes to the whole group: what was stopped has to go on first
    $SIG{INT} = 'IGNORE';
    $SIG{TERM} = sub { exit 1 };

    my $request = JSON::PP->new->utf8->decode(scalar <STDIN>);

    PromptTest::Env::setup();

    my $s = PromptTest::Env::services();
    my %config = (
        dir       => "$PromptTest::Env::dir/guarantee-$$",
        root      => $PromptTest::Env::root,
        services  => "$PromptTest::Env::dir/services-$$",
        nginx     => $PromptTest::Env::nginx,
        module    => $PromptTest::Env::module,
        psql      => PromptTest::Env::first_of('psql'),
        pg_host   => $s->{SERVICES_PG_HOST},
        pg_data   => $s->{SERVICES_PG_DATA},
        redis     => $s->{SERVICES_REDIS},
        redis_pid => "$s->{SERVICES_PLACE}/redis.pid",
        prefix    => PromptTest::Env::redis_prefix(),
        conninfo  => PromptTest::Env::conninfo('prompt_app'),
        port      => PromptTest::Env::free_port(),
        provider  => PromptTest::Env::provider() + 0,
        user      => PromptTest::Env::worker_user(),
        secrets   => [ PromptTest::Env::secrets() ],
        http      => PromptTest::Env::http_config(%$request),
        server    => PromptTest::Env::server_config(''),
        map { $_ => PromptTest::Env::var($_) }
            qw(alice_id alice_key bob_id bob_key alice_read_key bob_read_key),
    );

    $config{conninfo} =~ /dbname=(\w+)/ and $config{db} = $1;

    $| = 1;
    print JSON::PP->new->utf8->encode(\%config), "\n";

    1 while <STDIN>;
}


END {
    local $?;

    # nothing that is stopped can be ended
    my $s = eval { PromptTest::Env::services() };

    if ($s) {
        for my $file ("$s->{SERVICES_PLACE}/redis.pid",
                      "$s->{SERVICES_PG_DATA}/postmaster.pid")
        {
            open my $in, '<', $file or next;
            my ($pid) = (<$in> || '') =~ /^(\d+)/ or next;

            kill 'CONT', $pid, split ' ', `ps -o pid= --ppid $pid`;
        }
    }
}

1;
