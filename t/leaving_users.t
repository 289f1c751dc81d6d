# Users who leave: promptctl user disable, enable and delete.  When it has
# ended nothing of theirs is let in, and nobody tells them from strangers; keys
# of projects go on where that is wanted, with no more than they might; what is
# theirs goes to another one or goes, and figures stay.

use strict;
use warnings;

use lib 't/lib';

use File::Temp qw(tempdir);
use JSON::PP ();
use POSIX ();
use PromptTest::Env;
use PromptTest::Json;
use PromptTest::Server;
use Test::More;
use Time::HiRes qw(sleep time);

PromptTest::Env::setup();

my $dir = tempdir(CLEANUP => 1);
my $password = 'canary correct horse battery';
my %id = map { $_ => PromptTest::Env::var("${_}_id") } qw(alice bob);
my %same = ('Content-Type' => 'application/json',
            'Sec-Fetch-Site' => 'same-origin');
my $team = '01890000-0000-7000-8000-00000000aaaa';
my $lone = '01890000-0000-7000-8000-00000000bbbb';

my $s = PromptTest::Server->new(workers => 2, server => <<'END');
    set_real_ip_from 127.0.0.1;
    real_ip_header X-Forwarded-For;
    location = /session { prompt_session insecure; }
    location = /named {
        set $who $http_x_who;
        prompt_session trusted=$who;
    }
END


# ctl(ARGS...): exit status, standard output, standard error
sub ctl
{
    local $ENV{PROMPT_DATABASE_URL} = PromptTest::Env::conninfo('prompt_owner');
    local $ENV{PROMPT_REDIS} = 'unix:'
        . PromptTest::Env::services()->{SERVICES_REDIS}
        . ' prefix=' . PromptTest::Env::redis_prefix();

    my $line = join ' ', map { "'$_'" } $PromptTest::Env::promptctl, @_;
    my $input = $_[1] eq 'password' ? "echo '$password' |" : '';
    my $rc = system("$input $line >$dir/out 2>$dir/err") >> 8;

    return ($rc, map { slurp("$dir/$_") } qw(out err));
}

sub slurp
{
    open my $in, '<', $_[0] or return '';
    local $/;
    return scalar <$in>;
}

sub done
{
    my ($rc, $out, $err) = ctl('--json', @_);

    is($rc, 0, "@_") or diag($err);

    return $rc == 0 && $out ne '' ? JSON::PP::decode_json($out) : {};
}

sub sql
{
    chomp(my $out = PromptTest::Env::psql($_[0]));

    return $out;
}

# a new user with a password; the id
sub user
{
    my ($name) = @_;

    $id{$name} = done('user', 'add', "$name\@example.com", '--name', $name)
                 ->{id};
    ctl('user', 'password', "$name\@example.com");

    return $id{$name};
}

# a key of a user's in a project: its text and its id
sub key
{
    my ($name, $project, @scopes) = @_;
    my $made = done('key', 'add', "$name\@example.com", '--name', 'k',
                    map { ('--scope', $_) } @scopes);

    sql("UPDATE api_keys SET project_id = '$project' WHERE id = "
        . "'$made->{apiKey}{id}'") if defined $project;

    return ($made->{key}, $made->{apiKey}{id});
}

sub http
{
    my ($method, $path, $headers, $body) = @_;
    my %headers = (Host => 'localhost', Connection => 'close', %$headers,
                   length $body ? ('Content-Length' => length $body) : ());
    my $socket = $s->send("$method $path HTTP/1.1\r\n"
                          . join('', map { "$_: $headers{$_}\r\n" }
                                     sort keys %headers) . "\r\n$body");

    return $s->receive($socket, 60) || { status => 0 };
}

sub sign_in
{
    my ($name, $text, $from) = @_;
    my $answer = http('POST', '/session',
                      { %same, 'X-Forwarded-For' => $from || '10.0.0.1' },
                      PromptTest::Json::encode(
                          { email => "$name\@example.com",
                            password => $text || $password }));
    my ($cookie) = ($answer->{head} || '')
                   =~ /^Set-Cookie: (prompt_session=[^;]+)/m;

    return wantarray ? ($answer->{status}, $cookie, $answer->{body})
                     : $answer->{status};
}

# with => a key or a cookie: the answer
sub ask
{
    my ($with, $query, %headers) = @_;

    return http('POST', '/graphql',
                { %same, $with =~ /^pmt_/ ? ('X-API-Key' => $with)
                                          : (Cookie => $with), %headers },
                PromptTest::Json::encode({ query => $query }));
}

sub let_in { return ask($_[0], '{ me { id } }', @_[1 .. $#_])->{status}; }

sub member
{
    my ($project, $name, $role, $since) = @_;

    sql("INSERT INTO project_members VALUES ('$project', '$id{$name}', $role, "
        . "now() + interval '$since s') ON CONFLICT (project_id, user_id) "
        . "DO UPDATE SET role = $role");
}


# disable

user($_) for qw(carol dave erin frank);
sql("INSERT INTO projects (id, name) VALUES ('$team', 'Team'), "
    . "('$lone', 'Lone')");
member($team, 'carol', 2, 0);
member($team, 'dave', 4, 2);
member($team, 'erin', 4, 1);
member($lone, 'carol', 4, 0);

my ($personal) = key('carol');
my ($made, $made_id) = key('carol', $team);
my ($child, $child_id) = key('dave', $team);

sql("UPDATE api_keys SET parent_id = '$made_id' WHERE id = '$child_id'");

my ($status, $cookie) = sign_in('carol');
my (undef, $there) = sign_in('dave');

is($status, 204, 'carol signs in');
is_deeply([ map { let_in($_) } $personal, $made, $child, $cookie, $there ],
          [ (200) x 5 ], 'all are let in');
is(let_in($cookie, 'Prompt-Project' => $team), 200, 'in the team, too');

my $was = done('user', 'disable', 'carol@example.com');

is_deeply($was, { endedSessions => 1, endedKeys => 3 }, 'what has ended');
is_deeply([ map { let_in($_) } $personal, $made, $child, $cookie ],
          [ (401) x 4 ], 'none is let in, what a key has made neither');
is(let_in($cookie, 'Prompt-Project' => $team), 401, 'nor in the team');
is(let_in($there), 200, 'another one is');

# nobody is told from a stranger

my @right = sign_in('carol');
my @wrong = sign_in('carol', 'no such password at all');
my @none = sign_in('nobody', 'no such password at all');

is($right[0], 401, 'no new session');
is_deeply([ map { $_->[2] } \@right, \@wrong ], [ ($none[2]) x 2 ],
          'the same words for a disabled one and none');
@right = map { http('POST', '/named', { %same, 'X-Who' => "$_\@example.com" },
                    '{}') } qw(carol nobody);
is($right[0]{status}, 403, 'no new session by who is trusted');
is($right[0]{body}, $right[1]{body}, 'nor other words');

my ($rc, $out, $err) = ctl('key', 'add', 'carol@example.com', '--name', 'x');

is($rc, 1, 'no new key');
like($err, qr/carol\@example.com is disabled/, 'says why');
like((ctl('user', 'list'))[1], qr/DISABLED\n.*carol\@\S+ +\S+ +\S+ +2\S+Z\n/s,
     'the list says so');

is_deeply(done('user', 'disable', 'carol@example.com'),
          { endedSessions => 0, endedKeys => 0 }, 'once more: nothing to do');

# a key that is made while its user is disabled

my ($maker) = key('frank');
my @pids = map {
    my $pid = fork;

    if ($pid == 0) {
        my $answer = ask($maker, 'mutation { createApiKey(input: {name: "n"}) '
                                 . '{ key } }');

        open my $to, '>', "$dir/made$_";
        print $to $answer->{json}{data}{createApiKey}{key} || '';
        close $to;
        $s->{pid} = 0;
        POSIX::_exit(0);
    }

    $pid;
} 1 .. 8;

done('user', 'disable', 'frank@example.com');
waitpid $_, 0 for @pids;
is_deeply([ grep { $_ ne '' && let_in($_) != 401 }
            map { slurp("$dir/made$_") } 1 .. 8 ], [],
          'none is left of keys that were made meanwhile');

# enable

is((ctl('user', 'enable', 'carol@example.com'))[0], 0, 'enable');
($status, my $new) = sign_in('carol');
is($status, 204, 'she signs in again');
is_deeply([ map { let_in($_) } $personal, $made, $cookie, $new ],
          [ 401, 401, 401, 200 ], 'what has ended stays so');


# keys of projects that are kept

my (%kept, %kept_id);

for ([ all => ], [ some => qw(read keys) ], [ execute => 'execute' ]) {
    my ($name, @scopes) = @$_;

    ($kept{$name}, $kept_id{$name}) = key('carol', $team, @scopes);
}

sql("UPDATE api_keys SET scopes = 64 WHERE id = '$kept_id{execute}'");

my ($alone) = key('carol', $lone);

is_deeply([ map { let_in($_) } @kept{qw(all some)}, $alone ], [ (200) x 3 ],
          'keys of projects');
is_deeply(done('user', 'disable', 'carol@example.com', '--keep-project-keys'),
          { endedSessions => 1, endedKeys => 2, keptKeys => 2 },
          'two are kept; not one that might nothing, nor where nobody is OWNER');
is_deeply([ map { let_in($_) } @kept{qw(all some execute)}, $alone ],
          [ 200, 200, 401, 401 ], 'they go on');
is(ask($kept{all}, '{ me { email } }')->{json}{data}{me}{email},
   'erin@example.com', 'of the first OWNER, at once');
is(sql("SELECT string_agg(scopes::text, ' ' ORDER BY id) FROM api_keys WHERE "
       . "user_id = '$id{erin}'"), '7 1', 'with what they might before');
is(ask($kept{all}, "{ apiKeys { name } }")->{status}, 401,
   'and not with all keys of the project, as OWNER');
is(done('user', 'disable', 'carol@example.com')->{endedKeys}, 0,
   'and stay when it is done again');


# Redis does not answer: it waits, and then none is let in

{
    my ($late) = key('dave');

    is(let_in($late), 200, 'a key in the caches');

    local *PromptTest::Env::redis_prefix = sub { 'another' };
    no warnings 'redefine';
    my $redis = PromptTest::Env::services();
    local $redis->{SERVICES_REDIS} = "$dir/none.sock";
    my $start = time();

    ($rc, $out, $err) = ctl('user', 'disable', 'dave@example.com', '--valid',
                            '1s');
    is($rc, 0, 'without Redis');
    like($err, qr/cannot revoke/, 'it says so');
    cmp_ok(time() - $start, '>=', 3, 'and waits');
}

done('user', 'enable', 'dave@example.com');


# delete: projects that would be without an OWNER

user($_) for qw(gina hugo);
member($lone, 'gina', 4, 0);
sql("UPDATE project_members SET role = 0 WHERE project_id = '$lone' "
    . "AND user_id = '$id{carol}'");
member($team, 'gina', 3, 0);

my ($ginas) = key('gina');
my ($ginas_there) = key('gina', $team);
my ($hugos) = key('hugo');
my $create = sub {
    my ($key, $name, $public) = @_;
    my $answer = ask($key, 'mutation { createPrompt(input: {name: "' . $name
                           . '", isPublic: '
                           . ($public ? 'true' : 'false') . '}) { id } }');
    my $prompt = $answer->{json}{data}{createPrompt}{id};

    diag(JSON::PP->new->encode($answer), join "\n", $s->faults, substr $s->log_text, -1500) unless defined $prompt;

    ask($key, qq<mutation { createPromptVersion(input: {promptId: "$prompt", >
              . qq<content: "say {{word}}", params: {model: "fx:ok"}}) >
              . '{ version } }');
    ask($key, qq<mutation { setPromptLabel(promptId: "$prompt", label: "prod",>
              . ' version: 1) { label } }');

    return $prompt;
};
my $run = sub {
    my ($key, $prompt) = @_;
    my $answer = ask($key, qq<mutation { executePrompt(promptId: "$prompt", >
                           . 'input: {word: "secret-of-gina"}, subject: "su", '
                           . 'metadata: {m: "meta"}) { executionId } }');

    return $answer->{json}{data}{executePrompt}{executionId};
};

my @prompts = map { $create->($ginas, "p$_", 1) } 1 .. 3;
my $taken = $create->($hugos, 'p1', 1);
my $teams = $create->($ginas_there, 't1', 0);
my @runs = ((map { $run->($ginas, $prompts[0]) } 1 .. 30),
            $run->($ginas, $taken), $run->($ginas_there, $teams));
my ($other) = $run->($hugos, $prompts[1]);

is((grep { defined } @runs, $other), 33, 'prompts were run');

# which person it was, as the service notes it in projects of several
sql("UPDATE executions SET user_id = '$id{gina}' WHERE executed_by = '$team'");
sign_in('gina');

# datasets go with the prompts; a comment on a score is hers, the score a figure
ask($ginas, "mutation { createDataset(name: \"$_\") { id } }") for qw(d1 d2);
ask($hugos, 'mutation { createDataset(name: "d1") { id } }');
sql("INSERT INTO dataset_items (id, dataset_id, input, bytes) SELECT"
    . " gen_random_uuid(), id, '{}', 2 FROM datasets WHERE name = 'd2'");
sql("INSERT INTO scores (id, execution_id, project_id, name, value, comment,"
    . " source, created_by) SELECT gen_random_uuid(), id, executed_by, u::text,"
    . " 1, 'a word', 'HUMAN', u FROM executions, unnest(ARRAY['$id{gina}',"
    . " '$id{hugo}']::uuid[]) u WHERE executed_by IN ('$id{gina}', '$team')");
ok(sql("SELECT count(comment) FROM scores WHERE created_by = '$id{gina}'") > 0,
   'scores');

my $contents = 'count(input), count(output), count(subject), count(metadata)';
my $figures = 'count(*), sum(token_in), sum(cost_usd), sum(latency_ms)';
my $sums = sql("SELECT $figures FROM executions WHERE id <> '$other'");

($rc, $out, $err) = ctl('user', 'delete', 'gina@example.com');
is($rc, 1, 'the last OWNER of a project');
like($err, qr/last OWNER of the project "Lone"/, 'says of which');
like($err, qr/nothing was done.*--transfer-to/s, 'and what to do');
is(let_in($ginas), 200, 'nothing was done');

for ([ 'gina', qr/names the user/ ], [ 'nobody', qr/no user nobody/ ],
     [ 'frank', qr/frank\@example.com is disabled/ ])
{
    ($rc, $out, $err) = ctl('user', 'delete', 'gina@example.com',
                            '--transfer-to', "$_->[0]\@example.com");
    ok($rc == 1 && $err =~ $_->[1], "not to $_->[0]") or diag($err);
}

is(let_in($ginas), 200, 'nothing was done');


# killed at any moment, and run again, until it is done

my $kills = 0;
my $delay = 0.004;

for (;;) {
    my $pid = fork;

    if ($pid == 0) {
        $s->{pid} = 0;
        $ENV{PROMPT_DATABASE_URL} = PromptTest::Env::conninfo('prompt_owner');
        $ENV{PROMPT_REDIS} = 'unix:'
            . PromptTest::Env::services()->{SERVICES_REDIS}
            . ' prefix=' . PromptTest::Env::redis_prefix();
        open STDOUT, '>', "$dir/deleted" or die;
        exec $PromptTest::Env::promptctl, 'user', 'delete', '--json',
            'gina@example.com', '--transfer-to', 'hugo@example.com';
    }

    sleep $delay;
    kill 'KILL', $pid if $kills < 12;
    waitpid $pid, 0;

    last if $? == 0;
    last if $kills++ >= 40;
    last if sql("SELECT count(*) FROM users WHERE email = 'gina\@example.com'")
            == 0;
    $delay += 0.004;
}

note("killed $kills times");
is(sql("SELECT email, name, password IS NULL, disabled_at IS NOT NULL FROM "
       . "users WHERE id = '$id{gina}'"),
   "deleted-$id{gina}\@deleted.invalid|Deleted user|t|t", 'a tombstone');
is_deeply([ map { let_in($_) } $ginas, $ginas_there ], [ 401, 401 ],
          'nothing is let in');
is(sql("SELECT count(*) FROM executions WHERE id <> '$other' AND num_nonnulls("
       . 'input, output, error, subject, metadata, appended, tool_calls, '
       . 'output_errors, provider_message) > 0'), 0, 'no content of hers');
is(sql("SELECT $figures FROM executions WHERE id <> '$other'"), $sums,
   'figures stay');
is(sql("SELECT $contents FROM executions WHERE id = '$other'"), '1|1|1|1',
   "what others ran is theirs");
is(sql("SELECT count(*) FROM api_keys WHERE user_id = '$id{gina}' AND "
       . "(kind = 'session' OR deleted_at IS NULL)"), 0, 'no session, no key');
is(sql("SELECT string_agg(role::text, ' ' ORDER BY project_id) FROM "
       . "project_members WHERE user_id = '$id{gina}' AND project_id <> "
       . "user_id"), '0 0', 'she has left her projects');
is(sql("SELECT role FROM project_members WHERE project_id = '$lone' AND "
       . "user_id = '$id{hugo}'"), 4, 'Lone has an OWNER');
is(sql("SELECT count(*) FROM prompts WHERE owner_id = '$id{gina}'"), 0,
   'no prompt is left');

is(sql("SELECT count(*), count(comment) FROM scores WHERE created_by ="
       . " '$id{gina}'"),
   sql("SELECT count(*), 0 FROM scores WHERE created_by = '$id{hugo}'"),
   'scores stay without her words');
ok(sql("SELECT bool_and(comment IS NOT NULL) FROM scores WHERE created_by ="
       . " '$id{hugo}'") eq 't', "others' words stay");
is(join(' ', sort map { "$_->{name}:" . @{ $_->{items} } }
        @{ ask($hugos, '{ datasets { name items { id } } }')
           ->{json}{data}{datasets} }), 'd1-2:0 d1:0 d2:1',
   'datasets are given, too');
is(sql("SELECT count(*) FROM datasets WHERE project_id = '$id{gina}'"), 0,
   'none is left');

my $all = ask($hugos, '{ prompts { name versions { version content } labels '
                      . '{ label version } } }')->{json}{data}{prompts};

is_deeply([ sort map { $_->{name} } @$all ], [ qw(p1 p1-2 p2 p3) ],
          'hugo has them, under names that are free');
is_deeply([ map { "$_->{versions}[0]{content} $_->{labels}[0]{label}" } @$all ],
          [ ('say {{word}} prod') x 4 ], 'with versions and labels');
ok($run->($hugos, $prompts[0]), 'and can run them');
is(sql('SELECT count(DISTINCT owner_id) FROM (SELECT owner_id FROM prompts '
       . "WHERE id = '$prompts[0]' UNION SELECT owner_id FROM prompt_versions "
       . "WHERE prompt_id = '$prompts[0]' UNION SELECT owner_id FROM "
       . "prompt_labels WHERE prompt_id = '$prompts[0]' UNION SELECT owner_id "
       . "FROM prompt_label_moves WHERE prompt_id = '$prompts[0]') o"), 1,
   'all that is said of an owner is the same');

($rc, $out, $err) = ctl('user', 'enable',
                        "deleted-$id{gina}\@deleted.invalid");
ok($rc == 1 && $err =~ /deleted, which is for good/, 'for good');
is((ctl('user', 'delete', 'gina@example.com'))[0], 1, 'nobody of that name');
isnt(done('user', 'add', 'gina@example.com')->{id}, $id{gina},
     'whose address is free again');


# deleted with what is theirs, while it is used

user('ivan');

my ($ivans) = key('ivan');
my ($public) = $create->($ivans, 'loved', 1);
my @users = map { $run->($hugos, $public) } 1 .. 5;

$run->($ivans, $public) for 1 .. 5;

my $pid = fork;

if ($pid == 0) {
    $s->{pid} = 0;
    $run->($hugos, $public) for 1 .. 30;
    POSIX::_exit(0);
}

is_deeply({ %{ done('user', 'delete', 'ivan@example.com') },
            endedKeys => 0 },
          { endedSessions => 0, endedKeys => 0, leftProjects => 0,
            deletedPrompts => 1, emptiedExecutions => 0,
            forgottenSessions => 0 }, 'prompts and their executions go');
waitpid $pid, 0;
is(sql("SELECT count(*) FROM prompts WHERE owner_id = '$id{ivan}'"), 0,
   'none is left');
is(sql("SELECT count(*) FROM executions WHERE prompt_id = '$public'"), 0,
   'nor of their executions');


# a call that is under way is waited for

user('judy');

my ($judys) = key('judy');
my ($slow) = $create->($judys, 'slow', 0);
my $ran = $run->($judys, $slow);

sql("UPDATE executions SET status = 'running', output = NULL, "
    . "deadline = now() + interval '1 minute' WHERE id = '$ran'");

$pid = fork;

if ($pid == 0) {
    $s->{pid} = 0;
    sleep 1;
    sql("UPDATE executions SET status = 'succeeded', output = 'late' "
        . "WHERE id = '$ran'");
    POSIX::_exit(0);
}

is(done('user', 'delete', 'judy@example.com', '--transfer-to',
        'hugo@example.com')->{emptiedExecutions}, 1, 'judy');
waitpid $pid, 0;
is(sql("SELECT status, input, output FROM executions WHERE id = '$ran'"),
   'succeeded||', 'what came late has gone, too');


# nothing of it is wrong by itself

is(sql(q{SELECT count(*) FROM log_entries e WHERE NOT EXISTS (SELECT FROM
         executions x WHERE x.id = e.id)}), 0, 'lists name what is there');
ok($s->stop, 'nginx ends');
is_deeply([ $s->faults ], [], 'a clean error log');
is(index($s->log_text, $password), -1, 'no password in it');

done_testing();
