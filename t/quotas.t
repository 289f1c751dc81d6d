# prompt_quota: what a project may have, exactly, whoever asks at the same time
# and of whichever host.

use strict;
use warnings;

use lib 't/lib';
use PromptTest::Server;
use Test::More;

my $quota = 'prompts=40 versions=3 keys=6 bytes=40k';
my $s = PromptTest::Server->new(workers => 2,
                                http => "prompt_quota $quota;\n");
my $other = PromptTest::Server->new(workers => 2,
                                    http => "prompt_quota $quota;\n");

my $create = 'mutation ($n: String!, $d: String) { createPrompt(input: '
             . '{name: $n, description: $d}) { id name } }';
my $version = 'mutation ($i: CreatePromptVersionInput!) '
              . '{ createPromptVersion(input: $i) { version } }';
my $delete = 'mutation ($id: ID!) { deletePrompt(id: $id) }';

sub sql
{
    my $n = PromptTest::Env::psql($_[0]);

    chomp $n;
    return $n;
}

# what became of it: the data, or reason and message of its error
sub ask
{
    my ($server, $query, $variables, $who) = @_;
    my $json = $server->ask($who || 'alice', $query, $variables)->{json};

    return $json->{data} if !$json->{errors};

    my $error = $json->{errors}[0];

    return join ' ', $error->{extensions}{code},
                $error->{extensions}{reason} || '', $error->{message};
}

# of the new configuration alone
sub anew
{
    my @old = $s->workers;

    $s->configure(http => "prompt_quota $_[0];\n");
    $s->reload;
    PromptTest::Server::gone($_, 15) for @old;
}

sub named { return ask($_[0], $create, { n => $_[1] }) }

sub refused { return !ref $_[0] && $_[0] =~ /^FORBIDDEN QUOTA_EXCEEDED / }

sub holds
{
    return sql('SELECT bool_and(used + room <= greatest(quota, used)) FROM '
               . '(SELECT sum(prompts) AS used, sum(prompts_room) AS room, '
               . 'max(prompts_quota) AS quota FROM project_room '
               . 'GROUP BY project_id) r') eq 't';
}

my $alice = sql("SELECT id FROM users WHERE email LIKE 'alice%'");
my $count = "SELECT count(*) FROM prompts WHERE owner_id = '$alice' "
            . 'AND state <> 1';
my $counted = "SELECT sum(prompts) FROM project_room "
              . "WHERE project_id = '$alice'";


# 64 clients of two hosts, each of which wants two

my @results = PromptTest::Server::side_by_side(64, sub {
    my ($i) = @_;
    my %did = (done => 0, refused => 0, other => '');

    for my $n (0, 1) {
        my $did = named($i % 2 ? $s : $other, "p-$i-$n");

        ref $did ? $did{done}++
        : refused($did) ? $did{refused}++ : ($did{other} = $did);
    }

    return \%did;
});

my ($done, $refused) = (0, 0);

for (@results) {
    $done += $_->{done};
    $refused += $_->{refused};
}

is(join('', map { $_->{other} } @results), '', 'none fails in another way');
is($done, 40, 'as many prompts as the quota are made');
is($refused, 88, 'all others are refused');
is(sql($count), 40, 'and so many are there');
is(sql($counted), 40, 'which is what is counted');
ok(holds(), 'room and use together are within the quota');
is(named($s, 'more'), 'FORBIDDEN QUOTA_EXCEEDED The quota "prompts" of the '
   . 'project is used up: it is 40.', 'the error names quota and number');
like(named($s, sql("SELECT name FROM prompts WHERE owner_id = '$alice' "
                   . 'LIMIT 1')), qr/^BAD_USER_INPUT/,
     'of a name that is taken that is said');


# a deletion makes room at once, on any host

my $id = sql("SELECT id FROM prompts WHERE owner_id = '$alice' "
             . 'AND state = 0 LIMIT 1');

ok(ref ask($s, $delete, { id => $id }), 'one is deleted');
ok(ref named($other, 'instead'), 'another one takes its place');
ok(refused(named($s, 'too-many')), 'and no other');
is(sql($counted), sql($count), 'what is counted is there');


# names that are taken cost nothing

ok(ref ask($s, $delete, { id => sql("SELECT id FROM prompts WHERE owner_id = "
   . "'$alice' AND name = 'instead'") }), 'there is room for one');

@results = PromptTest::Server::side_by_side(8, sub {
    my $did = named($_[0] % 2 ? $s : $other, 'the-same');

    return ref $did ? 1 : 0;
});

is(eval { my $n = 0; $n += $_ for @results; $n }, 1, 'one of them is made');
is(sql($counted), 40, 'and counted once');


# forks count, and imports as a whole

my $public = ask($s, 'mutation { createPrompt(input: {name: "public", '
                     . 'isPublic: true}) { id } }', {}, 'bob')
    ->{createPrompt}{id};

ok(refused(ask($s, 'mutation ($id: ID!) { forkPrompt(id: $id) { id } }',
               { id => $public })), 'a fork counts');

my $import = 'mutation ($p: [ImportPromptInput!]!, $d: Boolean) { '
             . 'importPrompts(prompts: $p, delete: $d) { created deleted } }';

ok(refused(ask($s, $import, { p => [ { name => 'imported', versions => [] } ] })),
   'so does an import');
is_deeply(ask($s, $import, { d => \1, p => [ map { { name => "i-$_",
              versions => [] } } 1 .. 40 ] }),
          { importPrompts => { created => 40, deleted => 40 } },
          'one that deletes as many has their room');
is(sql($counted), 40, 'and is counted');
is(sql($count), 40, 'as it is');


# versions of a prompt, and bytes of all

$id = sql("SELECT id FROM prompts WHERE owner_id = '$alice' AND name = 'i-1'");

sub add
{
    my ($server, $prompt, $size) = @_;

    return ask($server, $version,
               { i => { promptId => $prompt, content => 'x' x $size,
                        params => { model => 'fx:ok' } } });
}

@results = PromptTest::Server::side_by_side(8, sub {
    my $did = add($_[0] % 2 ? $s : $other, $id, 10);

    return ref $did ? 1 : refused($did) ? 0 : $did;
});

is(join(' ', sort @results), '0 0 0 0 0 1 1 1', 'a prompt gets three versions');
is(add($s, $id, 1), 'FORBIDDEN QUOTA_EXCEEDED The quota "versions" of the '
   . 'prompt is used up: it is 3.', 'it says so');

my @ids = split /\n/, sql("SELECT id FROM prompts WHERE owner_id = '$alice' "
                          . "AND name <> 'i-1' AND state = 0 LIMIT 32");

@results = PromptTest::Server::side_by_side(32, sub {
    my $did = add($_[0] % 2 ? $s : $other, $ids[$_[0]], 1985);

    return ref $did ? 1 : refused($did) ? 0 : $did;
});

# 3 versions of 10 + 17 bytes; 15 is what params have

my $bytes = sql("SELECT sum(octet_length(content) + octet_length(params::text)) "
                . "FROM prompt_versions WHERE owner_id = '$alice'");

is(sql("SELECT sum(bytes) FROM project_room WHERE project_id = '$alice'"),
   $bytes, 'bytes are counted as they are');
cmp_ok($bytes, '<=', 40960, 'no more than the quota');
cmp_ok($bytes, '>', 40960 - 2002, 'and all of it');
is(scalar(grep { $_ !~ /^[01]$/ } @results), 0, 'none fails in another way');

$id = sql("SELECT prompt_id FROM prompt_versions WHERE owner_id = '$alice' "
          . 'ORDER BY octet_length(content) DESC LIMIT 1');
like(add($s, sql("SELECT id FROM prompts WHERE owner_id = '$alice' "
                 . "AND last_version = 0 AND state = 0 LIMIT 1"), 1985),
     qr/quota "bytes" of the project is used up: it is 40960/, 'it says so');
ok(ref ask($other, $delete, { id => $id }), 'a prompt goes, with its bytes');
ok(ref add($s, sql("SELECT id FROM prompts WHERE owner_id = '$alice' "
                   . "AND last_version = 0 AND state = 0 LIMIT 1"), 1985), 'there is room');


# keys

my $key = 'mutation { createApiKey(input: {name: "k"}) { apiKey { id } } }';
my $had = sql("SELECT count(*) FROM api_keys WHERE project_id = '$alice' "
              . "AND kind = 'key' AND deleted_at IS NULL");

@results = PromptTest::Server::side_by_side(12, sub {
    my $did = ask($_[0] % 2 ? $s : $other, $key, {});

    return ref $did ? 1 : refused($did) ? 0 : $did;
});

is(join(' ', sort @results),
   join(' ', (0) x (6 + $had), (1) x (6 - $had)), 'keys are as many as may be');


# a lower quota is obeyed at once, and a higher one, too

anew('prompts=30');
ok(refused(named($s, 'lower')), 'a quota below what is there refuses');
ok(ref ask($s, $delete, { id => $_ }), 'one less')
    for split /\n/, sql("SELECT id FROM prompts WHERE owner_id = '$alice' "
                        . 'AND state = 0 LIMIT 2');
ok(refused(named($s, 'lower')), 'as long as it is');
ok(ref named($other, 'higher'), 'the other host has its own');

anew('prompts=0 bytes=0 versions=0');
ok(ref named($s, "many-$_"), 'no bound') for 1 .. 3;
is(sql($counted), sql($count), 'it is counted all the same');


# what runs at once, in each nginx

anew('in_flight=2');

my $slow = ask($s, $create, { n => 'slow' })->{createPrompt}{id};
ask($s, $version, { i => { promptId => $slow, content => 'x',
                           params => { model => 'fx:text=fine,delay=1500' } } });
my $run = 'mutation ($id: ID!) { executePrompt(promptId: $id, input: {})'
          . ' { output } }';

sub together
{
    return join ' ', sort(PromptTest::Server::side_by_side($_[0], sub {
        my $did = ask($s, $run, { id => $slow });

        return ref $did ? 'runs' : refused($did) ? 'full' : $did;
    }));
}

is(together(5), 'full full full runs runs', 'as many run as may');
is(together(2), 'runs runs', 'when these have ended, others do');
like(ask($other, $run, { id => $slow }), qr/^HASH/, 'another nginx has its own');

under_way();
kill KILL => $s->workers;
is(together(2), 'runs runs', 'what a killed worker had is free');


# two calls, for which nobody waits
sub under_way
{
    my @clients = map { $s->send($s->request('alice', $run, { id => $slow })) }
                  1 .. 2;
    my $until = time() + 10;

    select undef, undef, undef, 0.05
        until sql("SELECT count(*) FROM executions WHERE status = 'running'"
                  . " AND prompt_id = '$slow'") >= 2 || time() > $until;

    is(together(1), 'full', 'none beside two');
}

done_testing();
