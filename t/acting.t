# In which project a request acts: the header Prompt-Project, and what the role
# there allows.

use strict;
use warnings;

use lib 't/lib';

use PromptTest::Env;
use PromptTest::Server;
use Test::More;

PromptTest::Env::setup();

my $team = '01890000-0000-7000-8000-00000000aaaa';
my %id = map { $_ => PromptTest::Env::var("${_}_id") } qw(alice bob);

PromptTest::Env::psql(<<"END");
INSERT INTO projects (id, name) VALUES ('$team', 'Team');
INSERT INTO project_members (project_id, user_id, role)
    VALUES ('$team', '$id{alice}', 4), ('$team', '$id{bob}', 1);
END

my $s = PromptTest::Server->new(workers => 2, server => <<'END');
    set $who $http_x_who;
    location = /trusted { prompt_session trusted=$who; }
END

my %cookie = map { $_ => cookie($_) } qw(alice bob);


# cookie(NAME): of a new session
sub cookie
{
    my $answer = $s->receive($s->send(
        "POST /trusted HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        . "X-Who: $_[0]\@example.com\r\nSec-Fetch-Site: same-origin\r\n"
        . "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"));

    return $answer->{head} =~ /^Set-Cookie: ([^;]+)/mi ? $1 : '';
}

# ask(WHO, PROJECT, QUERY): in a session, or by a key
sub ask
{
    my ($who, $project, $query) = @_;
    my $request = $s->request($cookie{$who} ? 'none' : $who, $query, {});

    my $signed_in = "Cookie: @{[ $cookie{$who} || '' ]}\r\nX-Who: $who\@example.com\r\n"
                    . "Sec-Fetch-Site: same-origin\r\n";

    $request =~ s/^Authorization: .*\r\n/$signed_in/m
        if $cookie{$who};
    $request =~ s/\r\n/\r\nPrompt-Project: $project\r\n/ if defined $project;

    return $s->receive($s->send($request));
}

sub code
{
    my ($answer) = @_;

    return $answer->{json}{errors}
           ? $answer->{json}{errors}[0]{extensions}{code} : 'fine';
}

sub status
{
    return $_[0]{status};
}

my $create = 'mutation { createPrompt(input: {name: "of-all"}) { id name } }';
my $list = '{ prompts { name } }';

my $answer = ask('alice', $team, $create);
is(code($answer), 'fine', 'an OWNER creates a prompt in the project')
    or diag $answer->{body};

is_deeply(ask('alice', $team, $list)->{json}{data}{prompts},
          [{ name => 'of-all' }], 'it is there');
is_deeply(ask('alice', undef, $list)->{json}{data}{prompts}, [],
          'and not in the personal one');
is_deeply(ask('alice', $id{alice}, $list)->{json}{data}{prompts}, [],
          'which can be named');

is_deeply(ask('bob', $team, $list)->{json}{data}{prompts},
          [{ name => 'of-all' }], 'a VIEWER reads it');
is(code(ask('bob', $team, $create)), 'FORBIDDEN', 'and creates none');
is(code(ask('bob', undef, $create)), 'fine', 'but in the personal one');

$answer = ask('bob', $id{alice}, $list);
is(status($answer), 403, 'no member');
is(code($answer), 'FORBIDDEN', 'says why');

for my $wrong ('x', '', "$team, $team") {
    is(status(ask('alice', $wrong, $list)), 400, "no id: \"$wrong\"");
}

# by a key, which has its project

my $key = PromptTest::Env::var('alice_key');

is(code(ask($key, $id{alice}, $list)), 'fine', "a key names its own project");
is(status(ask($key, $team, $list)), 403, 'and no other');

# the role counts from the look-up on: it ends with the member

PromptTest::Env::psql("UPDATE project_members SET role = 0"
                      . " WHERE user_id = '$id{bob}'"
                      . " AND project_id = '$team'");
PromptTest::Env::redis('FLUSHALL');
is(status(ask('bob', $team, $list)), 403, 'who was a member is none');

PromptTest::Env::psql("DELETE FROM users WHERE id = '$id{bob}'");
is(PromptTest::Env::psql("SELECT count(*) FROM projects"
                         . " WHERE id = '$id{bob}'"), "0\n",
   'the personal project goes with its user');

$s->stop;
done_testing();
