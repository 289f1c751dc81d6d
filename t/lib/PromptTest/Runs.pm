# Runs of datasets, for suites on PromptTest::Server: how they are made and
# watched, by alice unless it is said.

package PromptTest::Runs;

use strict;
use warnings;

use Exporter qw(import);
use JSON::PP ();
use PromptTest::Server;
use PromptTest::Stream;
use Test::More;
use Time::HiRes qw(sleep time);

our @EXPORT = qw(sql asked prompt version dataset run watch watched started
                 cells state until_true);

our $s;                                          # the server that is asked
our $fields = 'id state repetitions costCapUsd costUsd done total finishedAt '
    . 'arms { version model done failed costUsd latencyP50Ms scores { name '
    . 'count mean min max } }';

my $json = JSON::PP->new->canonical->allow_nonref;
my $count = 0;

sub sql { my $text = PromptTest::Env::psql($_[0]); chomp $text; return $text }

# asked(DOCUMENT [, VARIABLES, USER]): data of the only root field; what is
# wrong, instead: "CODE field"
sub asked
{
    my ($document, $variables, $user) = @_;
    my $answer = $s->ask($user || 'alice', $document, $variables)->{json};
    my $error = $answer->{errors} && $answer->{errors}[0]{extensions};

    return $error ? join ' ', $error->{code}, $error->{field} // ()
                  : (values %{ $answer->{data} })[0];
}

# prompt(MODEL [, VERSION...]): the id of one whose versions say back `a`
sub prompt
{
    my ($model, @more) = @_;
    my $id = asked('mutation ($n: String!) { createPrompt(input: {name: $n}) '
                   . '{ id } }', { n => "run-$$-" . ++$count })->{id};

    version($id, $_) for $model, @more;

    return $id;
}

# version(PROMPT, MODEL or VERSION): its number
sub version
{
    my ($id, $version) = @_;

    $version = { params => { model => $version } } unless ref $version;

    return asked('mutation ($i: CreatePromptVersionInput!) { '
                 . 'createPromptVersion(input: $i) { version } }',
                 { i => { promptId => $id, content => '{{a}}', %$version } })
        ->{version};
}

# dataset(N or ITEMS [, CHECKS]): the id of one
sub dataset
{
    my ($items, $checks) = @_;
    my $id = asked('mutation ($n: String!, $c: JSON) { createDataset(name: $n, '
                   . 'checks: $c) { id } }',
                   { n => "set-$$-" . ++$count, c => $checks })->{id};

    $items = [ map { { input => { a => "item $_" } } } 1 .. $items ]
        unless ref $items;

    while (my @some = splice @$items, 0, 50) {
        asked('mutation ($d: ID!, $i: [DatasetItemInput!]!) { addDatasetItems('
              . 'datasetId: $d, items: $i) { id } }',
              { d => $id, i => \@some });
    }

    return $id;
}

# run(DATASET, PROMPT [, MORE]): what createRun says
sub run
{
    my ($dataset, $prompt, %more) = @_;

    return asked('mutation ($d: ID!, $p: ID!, $v: [Int!]!, $r: Int, '
                 . '$c: String) { createRun(datasetId: $d, promptId: $p, '
                 . "versions: \$v, repetitions: \$r, costCapUsd: \$c) "
                 . "{ $fields } }",
                 { d => $dataset, p => $prompt, v => $more{versions} || [1],
                   r => $more{repetitions} || 1, c => $more{cap} },
                 $more{user});
}

our $watch = 'subscription ($id: ID!, $c: Int) { watchRun(id: $id, '
    . "concurrency: \$c) { cell { id version repetition error item { id input } "
    . 'execution { id status output costUsd runId scores { name value source '
    . 'comment } } scores { name value } } run { state done total costUsd } } }';

# started(RUN [, MORE]): a socket on which it is watched
sub started
{
    my ($id, %more) = @_;
    my $on = $more{on} || $s;

    return $on->send(PromptTest::Stream::request($on, $id,
        key => $more{user} || 'alice', query => $more{query} || $watch,
        variables => { id => $id, c => $more{concurrency} }));
}

# watched(SOCKET [, UNTIL]): what came: { cells, last, errors, status, whole }
sub watched
{
    my ($socket, $until, $seconds) = @_;
    my $got = PromptTest::Stream::parse(
        PromptTest::Stream::receive($socket, $until, $seconds || 60));
    my %come = (cells => [], status => $got->{status},
                complete => $got->{complete}, body => $got->{body});

    for my $event (@{ $got->{events} }) {
        my $value = $event->[1];

        next unless ref $value;

        $come{errors} = $value->{errors} if $value->{errors};

        my $told = $value->{data} && $value->{data}{watchRun} or next;

        if ($told->{cell}) {
            push @{ $come{cells} }, $told->{cell};
        } else {
            $come{last} = $told->{run};
        }

        $come{run} = $told->{run};
    }

    return \%come;
}

# watch(RUN [, MORE]): likewise, from its beginning to its end
sub watch { my ($id, %more) = @_; return watched(started($id, %more)) }

# state(RUN): what run says of it
sub state
{
    return asked("query (\$id: ID!) { run(id: \$id) { $fields } }",
                 { id => $_[0] });
}

# cells(RUN [, FIELDS]): all of them
sub cells
{
    my ($id, $of) = @_;

    $of ||= 'id version repetition error item { id input } execution { id '
            . 'status output runId } scores { name value }';

    return asked("query (\$id: ID!) { run(id: \$id) { cells(first: 1000) { $of }"
                 . ' } }', { id => $id })->{cells};
}

# until_true(sub, SECONDS): whether it was
sub until_true
{
    my ($code, $seconds) = @_;
    my $end = time() + ($seconds || 20);

    while (time() < $end) {
        return 1 if $code->();
        sleep 0.05;
    }

    return 0;
}

1;
