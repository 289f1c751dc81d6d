# In which project a request acts: the header Prompt-Project, and what the role
# there allows.

use strict;
use warnings;

use lib 't/lib';

use IO::Select;
use IPC::Open2 qw(open2);
use PromptTest::Env;
use PromptTest::People;
use PromptTest::Server;
use Test::More;
use Time::HiRes qw(sleep time);

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
    return cookie_of($s->receive(signing_in(@_)));
}

sub cookie_of
{
    return $_[0]{head} =~ /^Set-Cookie: ([^;]+)/mi ? $1 : '';
}

sub signing_in
{
    return $s->send(
        "POST /trusted HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        . "X-Who: $_[0]\@example.com\r\nSec-Fetch-Site: same-origin\r\n"
        . "Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}");
}

# ask(WHO, PROJECT, QUERY): in a session, or by a key
sub ask { return $s->receive($s->send(request(@_))) }

sub request
{
    my ($who, $project, $query) = @_;
    my $request = $s->request($cookie{$who} ? 'none' : $who, $query, {});
    my $name = $who eq 'new' ? 'bob' : $who;

    my $signed_in = "Cookie: @{[ $cookie{$who} || '' ]}\r\nX-Who: $name\@example.com\r\n"
                    . "Sec-Fetch-Site: same-origin\r\n";

    $request =~ s/^Authorization: .*\r\n/$signed_in/m
        if $cookie{$who};
    $request =~ s/\r\n/\r\nPrompt-Project: $project\r\n/ if defined $project;

    return $request;
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

# Sessions that are begun while somebody's role changes, and act before that is
# committed: they are looked up as it was, and are not to be let in afterwards.
# Somebody who holds a row that the change wants gives them the time.

# meanwhile(SQL, CHANGE): what bob's new sessions are told behind the change
sub meanwhile
{
    my ($sql, $change) = @_;
    my @acted;
    my $until = time() + 10 * ($ENV{PROMPT_TEST_SLOW} || 1);
    my $psql = open2(my $out, my $in, PromptTest::Env::first_of('psql'), '-X',
                     '-q', '-A', '-t', '-h', PromptTest::Env::var('pg_host'),
                     '-U', 'postgres', '-d', PromptTest::Env::var('database'));

    print $in "BEGIN; $sql; SELECT 'held';\n";
    $in->flush;
    while (defined(my $line = <$out>)) { last if $line =~ /held/ }

    my $changing = $s->send(request('alice', $team, "mutation { $change }"));

    sleep 0.02 until PromptTest::Env::psql("SELECT count(*) FROM"
        . " pg_stat_activity WHERE wait_event_type = 'Lock'") > 0
        || time() > $until;

    # some come to the connection that waits

    my @new = map { signing_in('bob') } 1 .. 8;
    my $ready = IO::Select->new(@new);
    my @first = $ready->can_read(0.2);

    for my $new (@first) {
        $ready->remove($new);
        $cookie{new} = cookie_of($s->receive($new));
        $s->send(request('new', $team, $list));
        push @acted, $cookie{new};
    }

    sleep 0.2 if @first;

    print $in "COMMIT;\n\\q\n";
    $in->flush;
    waitpid $psql, 0;

    my $changed = $s->receive($changing, 10);

    is(code($changed), 'fine', 'changed') or diag $changed->{body};
    push @acted, map { cookie_of($s->receive($_, 10)) } $ready->handles;

    return join ' ', map { $cookie{new} = $_;
                           code(ask('new', $team, $create)) } @acted;
}

# bob's role, and the row of a key of theirs, or an invitation, that is wanted
my $held = PromptTest::People::uuid();

sub bob_is
{
    PromptTest::Env::psql("UPDATE project_members SET role = $_[0] WHERE"
                          . " user_id = '$id{bob}' AND project_id = '$team'");
    PromptTest::Env::redis('FLUSHALL');
}

bob_is(2);
PromptTest::People::key($id{bob}, $team);
is(meanwhile("SELECT FROM api_keys WHERE project_id = '$team'"
                  . " AND kind = 'key' FOR UPDATE",
                  "removeMember(userId: \"$id{bob}\")"),
   join(' ', ('FORBIDDEN') x 8),
   'who was removed is let in by no session');

bob_is(3);
PromptTest::Env::psql("INSERT INTO project_invitations (id, project_id, email,"
    . " role, hash, invited_by, expires_at) VALUES ('$held', '$team', 'x\@y',"
    . " 1, sha256('x'), '$id{bob}', now() + interval '1 day')");
is(meanwhile("SELECT FROM project_invitations FOR UPDATE",
                  "setMemberRole(userId: \"$id{bob}\", role: VIEWER)"
                  . ' { role }'), join(' ', ('FORBIDDEN') x 8),
   'nor has a session the role that was taken');


# nor does what is under way go on: each change of a document is looked up

bob_is(2);

my $held_psql = open2(my $out, my $in, PromptTest::Env::first_of('psql'), '-X',
                      '-q', '-A', '-t', '-h', PromptTest::Env::var('pg_host'),
                      '-U', 'postgres', '-d', PromptTest::Env::var('database'));

print $in "BEGIN; SELECT FROM prompts WHERE owner_id = '$team' FOR UPDATE;"
          . " SELECT 'held';\n";
$in->flush;
while (defined(my $line = <$out>)) { last if $line =~ /held/ }

my $prompt = PromptTest::Env::psql("SELECT id FROM prompts WHERE owner_id ="
                                   . " '$team'") =~ s/\n//r;
my $two = $s->send(request('bob', $team, 'mutation { a: updatePrompt(id: "'
              . $prompt . '", input: {category: CUSTOM}) { id } b: createPrompt('
              . 'input: {name: "b"}) { id } c: createPrompt(input: {name: "c"})'
              . ' { id } }'));

sleep 0.3;
bob_is(0);
print $in "COMMIT;\n\\q\n";
$in->flush;
waitpid $held_psql, 0;

my $done = $s->receive($two, 10)->{json};

ok($done->{data}{a}, 'what had begun is done') or diag explain $done;
is_deeply([ @{ $done->{data} }{qw(b c)} ], [ undef, undef ],
          'and nothing that comes after that was answered');
is_deeply([ map { $_->{extensions}{code} } @{ $done->{errors} } ],
          [ qw(FORBIDDEN FORBIDDEN) ], 'as anybody who is no member');


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
