# Releases to come: the schema of the next one, while the module of this one
# serves clients and promptctl is killed anywhere; then both modules side by
# side; then a release that takes away what the older one needs.
#
# The migrations are those of t/fixtures/migrations, one of each kind.  The
# module of a release to come is this one, with that release's number of the
# schema.

use strict;
use warnings;

use lib 't/lib';

use PromptTest::Env;
use PromptTest::Server;
use Test::More;
use POSIX qw(_exit);
use Time::HiRes qw(sleep time);

my $build = $PromptTest::Env::build;
my $slow = $ENV{PROMPT_TEST_SLOW} || 1;
my $prompts = 4000;
my $create = 'mutation ($n: String!) { createPrompt(input: {name: $n}) '
             . '{ id name } }';

PromptTest::Env::setup();

my $dir = "$PromptTest::Env::dir/migrate-$$";

mkdir $dir or die "$dir: $!\n";


sub sql { return PromptTest::Env::psql(@_) }

sub slurp
{
    open my $in, '<', $_[0] or return '';
    local $/;
    my $text = <$in>;

    return defined $text ? $text : '';
}

sub within
{
    my ($seconds, $code) = @_;
    my $until = time() + $seconds * $slow;

    while (time() < $until) {
        return 1 if $code->();
        sleep 0.1;
    }

    return $code->();
}

# program(RELEASE): promptctl of a release to come, or of this one
sub program
{
    return defined $_[0] ? "$build/next/$_[0]/promptctl"
                         : $PromptTest::Env::promptctl;
}

# begin(RELEASE, WORDS...): promptctl that runs, as [process, what it says]
sub begin
{
    my ($release, @words) = @_;
    my $said = "$dir/said." . ($release // 'this') . time();
    my $pid = fork;

    if ($pid == 0) {
        $ENV{PROMPT_DATABASE_URL} = PromptTest::Env::conninfo('prompt_owner');
        open STDOUT, '>', $said or _exit(1);
        open STDERR, '>&', \*STDOUT or _exit(1);
        exec { program($release) } 'promptctl', @words or _exit(127);
    }

    return [ $pid, $said ];
}

# ctl(RELEASE, WORDS...): exit status, and what it says
sub ctl
{
    my $run = begin(@_);

    waitpid $run->[0], 0;

    return ($? >> 8, slurp($run->[1]));
}

# server(RELEASE): nginx with the module of a release to come, or of this one
sub server
{
    my ($release) = @_;

    local $ENV{TEST_NGINX_LD_PRELOAD}
        = join ' ', grep { defined } $ENV{TEST_NGINX_LD_PRELOAD},
                    defined $release ? "$build/next/$release/schema.so"
                                     : undef;
    delete $ENV{TEST_NGINX_LD_PRELOAD} if $ENV{TEST_NGINX_LD_PRELOAD} eq '';

    return PromptTest::Server->new(
        workers => 1, server => 'location = /health { prompt_health; }');
}

sub health
{
    my ($server) = @_;
    my $answer = $server->receive($server->send(
        "GET /health HTTP/1.1\r\nHost: l\r\nConnection: close\r\n\r\n"));

    return defined $answer ? "$answer->{status} $answer->{body}" : 'none';
}

# clients(SERVER, N): one that creates and renames prompts, until a file is
# there; each that was acknowledged, and whatever else was said, is a line
sub clients
{
    my ($server, $n) = @_;
    my $pid = fork;

    return $pid if $pid;

    open my $out, '>', "$dir/done.$n" or _exit(1);
    $out->autoflush(1);

    for (my $i = 0; !-e "$dir/stop"; $i++) {
        my $answer = $server->ask('alice', $create, { n => "of-$n-$i" });
        my $id = $answer->{json}{data}{createPrompt}{id};

        print {$out} defined $id ? "$id\n"
            : 'error ' . ($answer->{body} // 'nothing') . "\n";

        $answer = $server->ask('alice', 'mutation ($i: ID!, $n: String!) '
            . '{ updatePrompt(id: $i, input: {name: $n}) { id } }',
            { i => $id, n => "renamed-$n-$i" });
        print {$out} 'error ' . ($answer->{body} // 'nothing') . "\n"
            unless defined $answer->{json}{data}{updatePrompt}{id};
        sleep 0.01;
    }

    _exit(0);
}

my $alice = PromptTest::Env::var('alice_id');

sql(<<"END");
INSERT INTO prompts (id, owner_id, name, category, updated_at)
    SELECT gen_random_uuid(), '$alice', 'before-' || n, 'GENERAL', now()
    FROM generate_series(1, $prompts) n
END


# the older schema, which the newer module finds

my $next = server('expand');
my $answer = $next->ask('alice', '{ me { id } }');

is($answer->{status}, 503, 'a newer module does not use an older schema');
is($answer->{json}{errors}[0]{extensions}{code}, 'INTERNAL_SERVER_ERROR',
   'and says so by a code');
ok(within(10, sub { $next->log_text =~
                    /has version 1, this module needs 4: run "promptctl migrate"/
                  }), 'the log says which it wants, and what to do');
ok(within(10, sub { health($next) =~ /\A503\ unavailable\n.*\nschema:\ version\ 1
                    ,\ this\ module\ needs\ 4:\ run\ "promptctl\ migrate"\n/xs
                  }), 'and so does the page of its health') or diag(health($next));


# expand, with promptctl killed a little later each time, then when it says that
# it takes a step

my $old = server();

is($old->ask('alice', $create, { n => 'first' })->{status}, 200,
   'the module of the schema does');

my @clients = map { clients($old, $_) } 1 .. 2;

within(20, sub { -s "$dir/done.1" && -s "$dir/done.2" });

my $ended = 0;

for my $try (1 .. 14) {
    my $run = begin('expand', 'migrate');

    if ($try <= 7) {
        sleep 0.02 * $try * $slow;
    } else {
        my $until = time() + 2 * $slow;

        sleep 0.005 until -s $run->[1] || time() > $until;
    }

    kill 'KILL', $run->[0];
    waitpid $run->[0], 0;
    $ended++ if $? == 0;
}

diag("$ended of 14 came to their end before they were killed");

my ($rc, $out) = ctl('expand', 'migrate');

is($rc, 0, 'killed again and again, then done') or diag($out);

($rc, $out) = ctl('expand', 'migrate');
is($out, "the database schema is at version 4\n", 'nothing is left to do');

is(sql("SELECT count(*) FROM prompts WHERE next_key IS DISTINCT FROM"
       . ' upper(name)'), "0\n",
   'each prompt has its key, what an older module wrote meanwhile, too');
is(sql("SELECT count(*) FROM pg_constraint WHERE conname ="
       . " 'prompts_next_check' AND convalidated"), "1\n", 'the last step was taken');
is(sql("SELECT count(*) FROM pg_index WHERE indexrelid IN ("
       . "to_regclass('prompts_next_idx'), to_regclass('api_keys_next_idx'))"
       . ' AND indisvalid'), "2\n", 'the indexes are there');


# both modules

ok(within(20, sub { $next->ask('alice', '{ me { id } }')->{status} == 200 }),
   'the newer module finds it by itself');
push @clients, clients($next, 3);
within(20, sub { -s "$dir/done.3" });
sleep 0.5 * $slow;

like(health($old), qr/^schema: version \d, fits$/m, 'the older one goes on');
like(health($next), qr/^schema: version 4, fits$/m, 'beside the newer one');

my $late = server();

is($late->ask('alice', $create, { n => 'late' })->{status}, 200,
   'also where it is started then');

open my $stop, '>', "$dir/stop" or die;
close $stop;
waitpid $_, 0 for @clients;

my @said = map { split /\n/, slurp("$dir/done.$_") } 1 .. 3;
my %there = map { $_ => 1 } split /\n/, sql('SELECT id FROM prompts');
my @acknowledged = grep { !/^error/ } @said;
my @errors = grep { /^error/ } @said;

ok(@acknowledged > 20, 'clients did something meanwhile');
is(scalar @errors, 0, 'and saw no error') or diag($errors[0]);
is(scalar(grep { !$there{$_} } @acknowledged), 0,
   'what they were told is there');

($rc, $out) = ctl('expand', 'restore-check');
is($rc, 0, 'the database is as the migrations make it') or diag($out);

($rc, $out) = ctl(undef, 'migrate');
is("$rc $out", "0 the database schema is at version 4\n",
   'promptctl of before bears it');
($rc, $out) = ctl(undef, 'user', 'list');
is($rc, 0, 'and works with it') or diag($out);


# contract

($rc, $out) = ctl('contract', 'migrate');
is("$rc $out", "0 applied 0005_contract.sql\n"
               . "the database schema is at version 5\n",
   'what served older modules goes');

ok(within(20, sub { health($old) =~ /\A503\ unavailable\n.*\nschema:\ version\ 5
                    ,\ this\ module\ needs\ 1:\ install\ the\ module\ that/xs }),
   'a module that runs finds it by itself') or diag(health($old));

my $older = server();

is($older->ask('alice', '{ me { id } }')->{status}, 503,
   'and one that is started then');
ok(within(10, sub { $older->log_text =~
                    /has version 5, this module needs 1: install the module that/
                  }), 'the log says so');
is($next->ask('alice', $create, { n => 'go-on' })->{status}, 200,
   'the module of the release between goes on');
like(health($next), qr/^schema: version 5, fits$/m, 'it fits');

my $last = server('contract');

is($last->ask('alice', $create, { n => 'last' })->{status}, 200,
   'as does the newest one');

for my $words ([ 'migrate' ], [ 'user', 'list' ]) {
    ($rc, $out) = ctl(undef, @$words);
    is("$rc $out", '1 promptctl: the database schema (version 5) is newer than '
                   . "this promptctl (version 1)\n", "promptctl @$words of before");
}

($rc, $out) = ctl('expand', 'migrate');
is("$rc $out", "0 the database schema is at version 5\n",
   'promptctl of the release between');
($rc, $out) = ctl('contract', 'restore-check');
is($rc, 0, 'all is as it has to be') or diag($out);

for my $server ($old, $next, $late, $older, $last) {
    $server->stop;
    is_deeply([ $server->faults ], [], 'a clean error log');
}

unlink glob "$dir/*";
rmdir $dir;

done_testing();
