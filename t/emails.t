# E-mails are one where they are the same after ASCII is folded, whatever the
# database's locale makes of other letters.

use strict;
use warnings;
use utf8;

use lib 't/lib';

use PromptTest::Env;
use PromptTest::Json;
use PromptTest::Server;
use Test::More;

binmode Test::More->builder->$_, ':utf8'
    for qw(output failure_output todo_output);

PromptTest::Env::setup();

my $password = 'canary correct horse battery';

# locales whose lower() differs: Turkish has two letters i; C.UTF-8 makes
# ASCII of İ and of K, the sign of Kelvin

my %locales = (
    'ICU tr-TR' => "LOCALE_PROVIDER icu ICU_LOCALE 'tr-TR'",
    'C.UTF-8'   => "LOCALE 'C.UTF-8'",
    'C'         => "LOCALE 'C'",
);

my %pairs = (
    'admin@example.com' => "adm\x{130}n\@example.com",
    'kim@example.com'   => "\x{212a}im\@example.com",
    'info@example.com'  => "\x{131}nfo\@example.com",
);


sub bytes
{
    my ($text) = @_;

    utf8::encode($text);

    return $text;
}


# ctl($db, $input, ARGS...): status and output of promptctl
sub ctl
{
    my ($db, $input, @args) = @_;

    local $ENV{PROMPT_DATABASE_URL}
        = PromptTest::Env::conninfo('prompt_owner', $db);

    my $file = "$PromptTest::Env::dir/$db.in";

    open my $in, '>', $file or die "$file: $!\n";
    print $in "$input\n";
    close $in;

    my $text = join ' ', map { "'" . bytes($_) . "'" } @args;
    my $out = `$PromptTest::Env::promptctl $text < $file 2>&1`;
    my $status = $? >> 8;

    unlink $file;

    return ($status, $out);
}


for my $name (sort keys %locales) {
    my $db = 'prompt_emails_' . $$ . '_' . lc($name =~ s/\W//gr);

    SKIP: {
        skip "PostgreSQL has no $name", 1 unless eval {
            PromptTest::Env::psql("CREATE DATABASE $db OWNER prompt_owner "
                                  . "TEMPLATE template0 ENCODING UTF8 "
                                  . $locales{$name}, 'postgres');
            1;
        };

        try($name, $db);
        PromptTest::Env::psql("DROP DATABASE $db WITH (FORCE)", 'postgres');
    }
}

done_testing();


sub try
{
    my ($name, $db) = @_;
    my ($status, $out) = ctl($db, '', 'migrate', '--grant', 'prompt_app');

    is($status, 0, "$name: the schema") or diag($out);

    my $s = PromptTest::Server->new(
        postgres => '"' . PromptTest::Env::conninfo('prompt_app', $db)
                    . '" connections=2 timeout=20s',
        server   => <<'END');
    location = /session { prompt_session; }
    location = /trusted {
        set $who $http_x_who;
        prompt_session trusted=$who;
    }
END

    for my $email (sort keys %pairs) {
        my $other = $pairs{$email};

        is((ctl($db, '', 'user', 'add', uc $email))[0], 0, "$name: $email");
        isnt((ctl($db, '', 'user', 'add', $email))[0], 0, 'once');
        is((ctl($db, $password, 'user', 'password', $email))[0], 0,
           'is found by promptctl');
        is(sign_in($s, $email), 204, 'signs in');
        is(sign_in($s, ucfirst $email), 204, 'in any case');
        is(trusted($s, lcfirst uc $email), 204, 'also where a proxy says it');

        is(sign_in($s, $other), 401, "$other is not $email");
        is(trusted($s, $other), 403, 'nor where a proxy says it');
        isnt((ctl($db, $password, 'user', 'password', $other))[0], 0,
             'nor to promptctl');
        is((ctl($db, '', 'user', 'add', $other))[0], 0,
           'and may have an account');
        is(trusted($s, $other), 204, 'of their own');
    }

    ok($s->stop, 'nginx ends');
    is_deeply([ $s->faults ], [], 'a clean error log');
}


sub ask
{
    my ($s, $path, $body, @headers) = @_;
    my $socket = $s->send(join("\r\n", "POST $path HTTP/1.1",
        'Host: localhost', 'Connection: close', 'Sec-Fetch-Site: same-origin',
        'Content-Type: application/json', map({ bytes($_) } @headers),
        'Content-Length: ' . length $body) . "\r\n\r\n$body");

    return ($s->receive($socket) || { status => 0 })->{status};
}


sub sign_in
{
    my ($s, $email) = @_;

    return ask($s, '/session',
               bytes(qq({"email":"$email","password":"$password"})));
}


sub trusted
{
    my ($s, $email) = @_;

    return ask($s, '/trusted', '{}', "X-Who: $email");
}
