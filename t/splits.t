# Splits of labels: which version who asks by one gets, on each server and by
# each protocol; what changes move whom; guards, and what they leave alone.

use strict;
use warnings;

use lib 't/lib';

use PromptTest::Env;
use PromptTest::Json;
use PromptTest::Server;
use Test::More;
use Time::HiRes qw(sleep time);

PromptTest::Env::setup();

my $places = 'location /openai/v1/ { prompt_openai; }'
             . ' location = /mcp { prompt_mcp; }';
my $s = PromptTest::Server->new(workers => 2, server => $places);
my $other = PromptTest::Server->new;
my $cold = PromptTest::Server->new(http => 'prompt_version_cache off;');
my $alice = PromptTest::Env::var('alice_id');


sub sql
{
    my $text = PromptTest::Env::psql(@_);

    chomp $text;
    return $text;
}

# data, or "CODE field message"
sub ask
{
    my ($at, $query, $variables, $who) = @_;
    my $json = $at->ask($who || 'alice', $query, $variables || {})->{json};
    my $error = $json->{errors} && $json->{errors}[0];

    return $error ? join ' ', $error->{extensions}{code},
                              $error->{extensions}{field} // '-',
                              $error->{message}
                  : $json->{data};
}

sub prompt
{
    my ($name, @more) = @_;
    my $id = ask($s, 'mutation ($n: String!) { createPrompt(input: {name: $n, '
                     . 'isPublic: true}) { id } }',
                 { n => $name })->{createPrompt}{id};

    for my $content (@more) {
        ask($s, 'mutation ($i: CreatePromptVersionInput!) '
                . '{ createPromptVersion(input: $i) { id } }',
            { i => { promptId => $id, content => $content,
                     params => { model => 'fx:echo' } } });
    }

    return $id;
}

# set(ID, [[VERSION, PERMILLE], ...], GUARD, LABEL): what is answered; in the
# order of the shares
sub set
{
    my ($id, $split, $guard, $label) = @_;
    my ($first) = sort { $b->[1] <=> $a->[1] } @$split;
    my $answer = ask($s, 'mutation ($p: ID!, $l: String!, $v: Int!, '
        . '$s: [LabelSplitInput!], $g: LabelGuardInput) { setPromptLabel('
        . 'promptId: $p, label: $l, version: $v, split: $s, guard: $g) '
        . '{ label version split { version permille } guard { minExecutions '
        . 'maxFailurePermille maxLatencyRatio maxCostRatio } setAt } }',
        { p => $id, l => $label || 'live', v => $first->[0], g => $guard,
          s => [ map { { version => $_->[0], permille => $_->[1] } }
                 @$split ] });

    return ref $answer ? $answer->{setPromptLabel} : $answer;
}

# the version that a subject gets
sub version
{
    my ($at, $id, $subject, $label) = @_;
    my $answer = ask($at, 'mutation ($p: ID!, $s: String, $l: String!) '
        . '{ executePrompt(promptId: $p, input: {}, label: $l, subject: $s) '
        . '{ versionUsed } }',
        { p => $id, s => $subject, l => $label || 'live' });

    return ref $answer ? $answer->{executePrompt}{versionUsed} : $answer;
}

# a version for each subject
sub versions
{
    my ($at, $id, @subjects) = @_;

    return { map { $_ => version($at, $id, $_) } @subjects };
}

sub differ
{
    my ($x, $y) = @_;

    return grep { $x->{$_} ne $y->{$_} } keys %$x;
}

# the subjects that the database gives a version, by its salt and slots
sub slots
{
    my ($id) = @_;

    return { map { split /\|/ } split /\n/, sql('SELECT s, l.split -> get_byte('
        . "l.slots, (('x' || left(encode(sha256(uuid_send(l.salt) || s::bytea),"
        . " 'hex'), 8))::bit(32)::bigint % 1000)::int) ->> 'version'"
        . " FROM prompt_labels l, (SELECT 'user-' || n AS s"
        . " FROM generate_series(1, 80) n) s WHERE l.prompt_id = '$id'"
        . " AND l.label = 'live'") };
}


my $id = prompt('split', 'one', 'two', 'three', 'four');
my @subjects = map { "user-$_" } 1 .. 80;


# what may be set

for my $case (
    [ [ [ 1, 900 ], [ 2, 99 ] ], qr/^BAD_USER_INPUT split .*not 999/ ],
    [ [ [ 1, 500 ], [ 1, 500 ] ], qr/^BAD_USER_INPUT split\.version / ],
    [ [ [ 1, 1001 ], [ 2, -1 ] ], qr/^BAD_USER_INPUT split\.permille / ],
    [ [ map { [ $_, 125 ] } 1 .. 9 ], qr/^BAD_USER_INPUT split .*at most 8/ ],
    [ [ [ 1, 900 ], [ 7, 100 ] ], qr/^NOT_FOUND - Version 7 / ],
    [ [ [ 1, 900 ], [ 0, 100 ] ], qr/^NOT_FOUND - Version 0 / ],
    [ [ [ 1, 900 ], [ 2, 100 ] ], qr/^BAD_USER_INPUT guard\.minExecutions /,
      { minExecutions => 0, maxCostRatio => 2 } ],
    [ [ [ 1, 900 ], [ 2, 100 ] ], qr/^BAD_USER_INPUT guard .*one bound/,
      { minExecutions => 10 } ],
    [ [ [ 1, 900 ], [ 2, 100 ] ], qr/^BAD_USER_INPUT guard\.maxFailurePermi/,
      { minExecutions => 10, maxFailurePermille => 1000 } ],
    [ [ [ 1, 1000 ] ], qr/^BAD_USER_INPUT guard .*goes with a split/,
      { minExecutions => 10, maxCostRatio => 2 } ],
) {
    my ($split, $like, $guard) = @$case;

    like(set($id, $split, $guard), $like, "refused: $like");
}

like(ask($s, 'mutation ($p: ID!) { setPromptLabel(promptId: $p, label: "live", '
             . 'version: 2, split: [{version: 1, permille: 500}, '
             . '{version: 2, permille: 500}]) { version } }', { p => $id }),
     qr/^BAD_USER_INPUT version .*: 1\.$/, 'another version than the first');
is(sql('SELECT count(*) FROM prompt_labels'), 0, 'nothing is set');

my $set = set($id, [ [ 1, 900 ], [ 2, 100 ] ],
              { minExecutions => 100, maxLatencyRatio => 1.5,
                maxFailurePermille => 50 });

is_deeply($set, { label => 'live', version => 1, setAt => $set->{setAt},
    split => [ { version => 1, permille => 900 },
               { version => 2, permille => 100 } ],
    guard => { minExecutions => 100, maxFailurePermille => 50,
               maxLatencyRatio => 1.5, maxCostRatio => undef } },
    'a split with a guard');
is_deeply(set($id, [ [ 1, 900 ], [ 2, 100 ] ],
              { minExecutions => 100, maxFailurePermille => 50,
                maxLatencyRatio => 1.5 }), $set, 'the same again is no move');

my $shown = ask($s, 'query ($p: ID!) { prompt(id: $p) { version(label: "live") '
    . '{ version } labels { version split { permille } guard { minExecutions } }'
    . ' labelHistory { version split { version permille } reason '
    . 'movedBy { id } } } }', { p => $id })->{prompt};

is($shown->{version}{version}, 1, 'its version is the one with most');
is_deeply([ map { $_->{permille} } @{ $shown->{labels}[0]{split} } ],
          [ 900, 100 ], 'shares are shown');
is_deeply($shown->{labelHistory},
          [ { version => 1, reason => undef, movedBy => { id => $alice },
              split => [ { version => 1, permille => 900 },
                         { version => 2, permille => 100 } ] } ],
          'and in the history');


# who has which

set($id, [ [ 1, 700 ], [ 2, 300 ] ]);

my $first = versions($s, $id, @subjects);

is_deeply($first, slots($id), 'each subject has the version of its slot');
is_deeply([ sort { $a <=> $b } keys %{ { reverse %$first } } ], [ 1, 2 ],
          'there are both');
is_deeply(versions($s, $id, @subjects), $first, 'once more the same');
is_deeply(versions($other, $id, @subjects), $first, 'by another server');
is_deeply(versions($other, $id, @subjects), $first, 'which has read them');
is_deeply(versions($cold, $id, @subjects), $first, 'and by one that keeps none');
is(sql('SELECT count(*) FROM executions WHERE label IS DISTINCT FROM'
       . " 'live'"), 0, 'the label is in the log');
is(sql("SELECT count(DISTINCT version) FROM executions"), 2,
   'and so is the version');

$s->reload;
is_deeply(versions($s, $id, @subjects), $first, 'after a reload');

# what is read again, by whatever adds a version

ask($s, 'mutation ($i: CreatePromptVersionInput!) { createPromptVersion('
        . 'input: $i) { id } }',
    { i => { promptId => $id, content => 'five',
             params => { model => 'fx:echo' } } });
is_deeply(versions($_, $id, @subjects), $first, 'after another version')
    for $s, $other;


# changes

set($id, [ [ 1, 500 ], [ 2, 500 ] ]);
my $more = versions($other, $id, @subjects);
my @moved = differ($first, $more);

ok(@moved > 0, 'some go to the version that has more');
is_deeply([ grep { $more->{$_} != 2 } @moved ], [], 'and to no other');
is_deeply(versions($s, $id, @subjects), $more, 'by each server');

set($id, [ [ 1, 500 ], [ 2, 300 ], [ 3, 200 ] ]);
my $third = versions($s, $id, @subjects);
@moved = differ($more, $third);
ok(@moved > 0, 'some leave the one that has less');
is_deeply([ grep { $third->{$_} != 3 || $more->{$_} != 2 } @moved ], [],
          'for the one that has more');

my $salt = sql("SELECT salt FROM prompt_labels WHERE prompt_id = '$id'");

set($id, [ [ 3, 1000 ] ]);
is_deeply([ keys %{ { reverse %{ versions($s, $id, @subjects) } } } ], [ 3 ],
          'one version is no split');
is(sql("SELECT salt FROM prompt_labels WHERE prompt_id = '$id'"), $salt,
   'the salt stays');
ask($s, 'mutation ($p: ID!) { removePromptLabel(promptId: $p, label: "live") }',
    { p => $id });
set($id, [ [ 1, 700 ], [ 2, 300 ] ]);
isnt(sql("SELECT salt FROM prompt_labels WHERE prompt_id = '$id'"), $salt,
     'and goes with the label');
my $anew = versions($other, $id, @subjects);
is_deeply($anew, slots($id), 'a new one makes new slots');
is_deeply(versions($s, $id, @subjects), $anew, 'on each server');


# by chance

for my $at ($s, $cold) {
    my %seen;

    $seen{ version($at, $id, undef) }++ for 1 .. 60;
    is_deeply([ sort keys %seen ], [ 1, 2 ], 'without a subject by chance');
}

# in other ways: by a name, once only, as a stream, rendered, by protocols

my ($one) = grep { $anew->{$_} == 1 } @subjects;
my ($two) = grep { $anew->{$_} == 2 } @subjects;

is(version($s, 'split', $two), 2, 'by the name') for 1, 2;

sub post
{
    my ($path, $value, %headers) = @_;
    my $body = PromptTest::Json::encode($value);
    my %all = (Host => 'localhost', Connection => 'close',
               'Content-Type' => 'application/json',
               Authorization => 'Bearer ' . PromptTest::Env::var('alice_key'),
               %headers, 'Content-Length' => length $body);

    return $s->receive($s->send("POST $path HTTP/1.1\r\n"
        . join('', map { "$_: $all{$_}\r\n" } sort keys %all) . "\r\n$body"));
}

my $run = 'executePrompt(promptId: $p, input: {}, label: "live", subject: $s) '
          . '{ versionUsed }';

for my $of ([ $one, 1 ], [ $two, 2 ]) {
    my ($subject, $wanted) = @$of;
    my $once = { query => "mutation (\$p: ID!, \$s: String) { $run }",
                 variables => { p => $id, s => $subject } };

    is(post('/graphql', $once, 'Idempotency-Key' => "k-$subject")
           ->{json}{data}{executePrompt}{versionUsed}, $wanted, 'once only')
        for 1, 2;

    like(post('/graphql', { query => 'subscription ($p: ID!, $s: String) '
              . '{ executePromptStream(promptId: $p, input: {}, label: "live", '
              . 'subject: $s) { result { versionUsed } } }',
              variables => { p => $id, s => $subject } },
              Accept => 'text/event-stream')->{body},
         qr/"versionUsed":\s*$wanted\b/, 'a stream');
}

sub last_row
{
    return sql("SELECT version || ' ' || coalesce(label, '-') || ' ' ||"
               . " coalesce(subject, '-') FROM executions"
               . ' ORDER BY id DESC LIMIT 1');
}

sub chat
{
    my ($model, %more) = @_;

    my $answer = post('/openai/v1/chat/completions',
                      { model => $model, messages => [], %more });
    is($answer->{status}, 200, 'a chat') or diag $answer->{body};

    return last_row();
}

is(chat('split@live', user => $two), "2 live $two", 'a user is the subject')
    for 1, 2;
is(chat('split@live', user => $one), "1 live $one", 'and so is another');

{
    my %seen;

    $seen{ substr chat('split@live', safety_identifier => $two), 0, 1 }++
        for 1 .. 40;
    is_deeply([ sort keys %seen ], [ 1, 2 ], 'an identifier for the provider '
              . 'does not choose');
    %seen = ();
    $seen{ substr chat('split@live'), 0, 1 }++ for 1 .. 40;
    is_deeply([ sort keys %seen ], [ 1, 2 ], 'nor does nobody');
}

set($id, [ [ 2, 500 ], [ 3, 500 ] ], undef, 'production');

{
    my $slots = { map { $_ => version($s, $id, $_, 'production') } @subjects };
    my ($x) = grep { $slots->{$_} == 3 } @subjects;

    is(chat('split', user => $x), "3 production $x",
       'the label that is meant where there is none');

    my %seen;

    $seen{ ask($s, 'query ($p: ID!) { renderPrompt(promptId: $p, input: {}, '
                   . 'label: "production") { version } }', { p => $id })
               ->{renderPrompt}{version} }++ for 1 .. 40;
    is_deeply([ sort keys %seen ], [ 2, 3 ], 'rendered by chance');
}


# promptctl

{
    local $ENV{PROMPT_URL} = "http://127.0.0.1:$s->{port}/graphql";
    local $ENV{PROMPT_API_KEY} = PromptTest::Env::var('alice_key');
    my $ctl = $PromptTest::Env::promptctl;

    set($id, [ [ 1, 900 ], [ 2, 100 ] ],
        { minExecutions => 10, maxCostRatio => 1.25 });

    is(`$ctl label split live`, "1=900 2=100\n", 'promptctl shows a split');
    is(`$ctl label split live 1=800 2=150 3=50`, "1=800 2=150 3=50\n",
       'and sets one');
    is(sql("SELECT guard FROM prompt_labels WHERE label = 'live'"),
       '{"minExecutions":10,"maxCostRatio":1.25}', 'whose guard stays');
    like(`$ctl label split`, qr/^live +1=800 2=150 3=50 /m, 'in a list');
    is(`$ctl label split live 4 2>&1`, "4\n", 'one version');
    is(sql("SELECT num_nonnulls(split, guard, slots) FROM prompt_labels"
           . " WHERE label = 'live'"), 0, 'ends it');
    like(`$ctl label split live 1=500 4 2>&1`, qr/each is VERSION=/, 'no share');
    is($? >> 8, 2, 'is no usage');
    like(`$ctl label split live 1=x 4=1 2>&1`, qr/PERMILLE must be/, 'a share');

    # what is exported is the version; which, imported, changes no split

    set($id, [ [ 1, 600 ], [ 2, 400 ] ]);

    my $dir = "$PromptTest::Env::dir/splits";
    system("$ctl export $dir --labels >/dev/null") == 0 or diag 'no export';
    system("$ctl import $dir --labels >/dev/null") == 0 or diag 'no import';
    is(`$ctl label split live`, "1=600 2=400\n", 'an import leaves it');

    open my $out, '>', "$dir/split/labels.json" or die "labels.json: $!\n";
    print $out '{"live": 3}';
    close $out;
    system("$ctl import $dir --labels >/dev/null") == 0 or diag 'no import';
    is(`$ctl label split live`, "3\n", 'but for another version');
    is(sql("SELECT num_nonnulls(split, guard, slots) FROM prompt_labels"
           . " WHERE label = 'live'"), 0, 'which is no split');
}


# guards

# executions of a version: so many, with latencies and costs by an expression of
# n, of which so many failed; begun after the split was set
sub runs
{
    my ($of, $version, $count, %with) = @_;

    sql('INSERT INTO executions (id, prompt_id, version, executed_by, by_owner,'
        . ' owner_id, status, label, latency_ms, cost_usd, finished_at)'
        . " SELECT overlay(gen_random_uuid()::text placing left(prompt_id_of("
        . "clock_timestamp())::text, 15) FROM 1 FOR 15)::uuid,"
        . " '$of', $version, '" . ($with{by} || $alice) . "',"
        . ($with{by} ? " false, '$alice'," : ' true, NULL,')
        . ' CASE WHEN n <= ' . ($with{failed} || 0) . " THEN 'failed'"
        . " ELSE 'succeeded' END, '" . ($with{label} || 'guarded') . "', "
        . ($with{ms} || '100 + n % 50') . ', ' . ($with{usd} || '0.001 + n * '
        . '0.000001') . ", now() FROM generate_series(1, $count) n");
}

# shares("guarded"): by version
sub shares
{
    my ($of) = @_;

    return sql("SELECT string_agg((e ->> 'version') || '=' ||"
               . " (e ->> 'permille'), ' ') FROM prompt_labels l,"
               . ' json_array_elements(l.split) e'
               . " WHERE l.prompt_id = '$of' AND l.label = 'guarded'");
}

sub wait_for
{
    my ($of, $wanted) = @_;
    my $begun = time();
    my $until = $begun + 60 * ($ENV{PROMPT_TEST_SLOW} || 1);

    sleep 0.2 until shares($of) eq $wanted || time() > $until;
    diag(sprintf '%.0f s', time() - $begun);

    return shares($of);
}

# rounds of the sweep that began since
sub rounds
{
    my ($n) = @_;
    my $until = time() + 120;
    my $seen = '';

    while ($n >= 0 && time() < $until) {
        my $now = sql('SELECT begun_at FROM label_guards');

        $n-- if $now ne $seen;
        $seen = $now;
        sleep 0.2;
    }
}

my %of = map { $_ => prompt("guard-$_", 'one', 'two', 'three') }
         qw(failures latency cost few noise base);
my %guard = (failures => { maxFailurePermille => 50 },
             latency => { maxLatencyRatio => 1.5 },
             cost => { maxCostRatio => 1.5 },
             few => { maxFailurePermille => 50 },
             noise => { maxFailurePermille => 50, maxLatencyRatio => 1.1,
                        maxCostRatio => 1.1 },
             base => { maxFailurePermille => 50 });

set($of{$_}, [ [ 1, 600 ], [ 2, 300 ], [ 3, 100 ] ],
    { minExecutions => 100, %{ $guard{$_} } }, 'guarded') for keys %of;

# by another label, by strangers: nothing counts

sleep 0.05;
runs($of{few}, 2, 99, failed => 99);
runs($of{few}, 2, 200, failed => 200, label => 'other');
runs($of{few}, 2, 200, failed => 200, by => PromptTest::Env::var('bob_id'));
runs($of{noise}, $_, 300, failed => 10) for 1, 2, 3;
runs($of{base}, 1, 200, failed => 100);

runs($of{$_}, 1, 200) for qw(failures latency cost);
runs($of{failures}, 2, 200, failed => 60);
runs($of{failures}, 3, 200, failed => 5);
runs($of{latency}, 2, 200, ms => '400 + n');
runs($of{latency}, 3, 200, ms => '120 + n % 50');
runs($of{cost}, 2, 200);
runs($of{cost}, 3, 200, usd => '0.01 + n * 0.00001');

is(wait_for($of{failures}, '1=900 2=0 3=100'), '1=900 2=0 3=100',
   'too many failures cost a version its share');
is(wait_for($of{latency}, '1=900 2=0 3=100'), '1=900 2=0 3=100',
   'so does latency');
is(wait_for($of{cost}, '1=700 2=300 3=0'), '1=700 2=300 3=0', 'and cost');

rounds(1);

is(shares($of{few}), '1=600 2=300 3=100', 'fewer than the least move nothing, '
   . 'nor does what others ran, or by another label');

# figures of the label are of what was asked for by it, whoever did

ask($s, 'mutation ($p: ID!) { executePrompt(promptId: $p, input: {}, '
        . 'version: 2) { versionUsed } }', { p => $of{few} });

for my $case ([ guarded => 2, 299, 299 ], [ other => 2, 200, 200 ], [ no => ]) {
    my ($label, $group, $executions, $failed) = @$case;

    is_deeply(ask($s, 'query ($p: ID!, $l: String) { statistics(promptId: $p, '
                  . 'label: $l, since: "2020-01-01T00:00:00Z", by: ALL, '
                  . 'groupBy: VERSION) { group executions failed } }',
                  { p => $of{few}, l => $label })->{statistics},
              [ defined $group ? { group => "$group",
                                   executions => $executions,
                                   failed => $failed } : () ],
              "figures of versions by the label $label");
}

is(shares($of{noise}), '1=600 2=300 3=100', 'nor does noise');
is(shares($of{base}), '1=600 2=300 3=100', 'nor is the label\'s own version');

my $move = ask($s, 'query ($p: ID!) { prompt(id: $p) { labelHistory(first: 1) '
    . '{ version previousVersion split { version permille } reason '
    . 'movedBy { id } } labels { version setBy { id } guard { minExecutions } '
    . '} } }', { p => $of{failures} })->{prompt};

is_deeply($move, { labelHistory => [ { version => 1, previousVersion => 1,
    split => [ { version => 1, permille => 900 },
               { version => 2, permille => 0 },
               { version => 3, permille => 100 } ],
    reason => 'failures: 60 of 200 executions, at most 50 permille',
    movedBy => undef } ],
    labels => [ { version => 1, setBy => { id => $alice },
                  guard => { minExecutions => 100 } } ] },
    'a move by nobody, with its reason');
is_deeply(ask($s, 'query ($p: ID!) { prompt(id: $p) { labelHistory(first: 1) '
              . '{ version reason movedBy { id } } } }',
              { p => $of{failures} }, 'bob')->{prompt}{labelHistory},
          [ { version => 1, reason => undef, movedBy => undef } ],
          'what a public prompt cost and where it failed is not told to others');

my $audit = ask($s, '{ auditLog(action: "guard") { action actor { id } keyId '
                    . 'address subject subjectName detail } }')->{auditLog};

is(scalar @$audit, 3, 'a row in the audit log each');
my ($row) = grep { $_->{subjectName} eq 'guard-failures' } @$audit;
is($row->{actor}, undef, 'by nobody');
is($row->{detail}{reason}, 'failures: 60 of 200 executions, at most 50 permille',
   'with its reason');
is($row->{detail}{label}, 'guarded', 'and the label');

my $moves = 0;

for my $at ($s, $other, $cold) {
    my $text = $at->receive($at->send("GET /metrics HTTP/1.1\r\nHost: t\r\n"
                                      . "Connection: close\r\n\r\n"))->{body};

    $moves += $1 if $text =~ /^prompt_label_guards_total (\d+)$/m;
}

is($moves, 3, 'counted once');

my $log = join '', map { $_->log_text } $s, $other, $cold;

is(scalar(() = $log =~ /a guard took version \d its share of the label "guarded"/g),
   3, 'told once');
like($log, qr/a guard took version 2 its share of the label "guarded" of the prompt "guard-failures": failures: 60 of 200/,
     'which, and why');
like($log, qr/version 1 of the label "guarded" of the prompt "guard-base" passes a bound of its guard, and has the most of its split: failures: 100 of 200/,
     'what has most is told');

# executions end as ever, by those that stay

is_deeply([ sort keys %{ { map { version($s, $of{failures}, "u$_", 'guarded')
                                 => 1 } 1 .. 60 } } ], [ 1, 3 ],
          'nobody has the version that lost its share');

# more of it again, by somebody

set($of{failures}, [ [ 1, 900 ], [ 2, 100 ] ],
    { minExecutions => 100, maxFailurePermille => 50 }, 'guarded');
rounds(1);
is(shares($of{failures}), '1=900 2=100', 'what was before does not count');

is($_->faults, 0, 'no faults') for $s, $other, $cold;

done_testing();
