# Answers of providers, recorded and written: t/fixtures/providers/index.json
# says what the service makes of each.

use lib 't/lib';
use PromptTest;

use JSON::PP ();

my $json = JSON::PP->new->utf8->allow_nonref->canonical;
my $index;

{
    open my $in, '<', 't/fixtures/providers/index.json' or die "index: $!\n";
    local $/;
    $index = $json->decode(scalar <$in>);
}

# forms that the service does not speak: refused, and nothing more
my $unknown = qr{\.sse$|^gemini/generate|/responses\.|\.models\.json$|
                 llamacpp\.200\.responses}x;

# the index calls by OpenAI's words what Anthropic says in others
my %word = (stop => '/^(?:end_turn|stop_sequence)$/', length => 'max_tokens',
            tool_calls => 'tool_use');


# calls($file): what the answer wants called, as the service should say it
sub calls
{
    my ($file) = @_;

    open my $in, '<', "t/fixtures/providers/$file" or die "$file: $!\n";
    local $/;
    my $answer = eval { $json->decode(scalar <$in>) };

    return undef if ref $answer ne 'HASH';

    my @calls = ref $answer->{choices} eq 'ARRAY'
        ? map({ { id => $_->{id}, %{ $_->{function} } } }
              @{ $answer->{choices}[0]{message}{tool_calls} || [] })
        : map({ { id => $_->{id}, name => $_->{name},
                  arguments => $json->encode($_->{input}) } }
              grep { ($_->{type} || '') eq 'tool_use' }
              @{ $answer->{content} || [] });

    return @calls ? \@calls : undef;
}


my (%sql, %cases, %cached);
my $n = 0;

for my $entry (@$index) {
    next unless defined $entry->{expect} && $entry->{status};

    my ($vendor) = $entry->{file} =~ m{^(\w+)/};
    my $anthropic = $entry->{file} =~ m{^anthropic/|/llamacpp.*messages};
    my $model = ($anthropic ? 'claude-fx:file=' : 'free-fx:file=')
                . $entry->{file};
    my $expect = $entry->{expect};
    my $want = 'INTERNAL_SERVER_ERROR';

    if ($entry->{file} !~ $unknown && $expect->{class} eq 'ok') {
        $want = '{"executePrompt": ' . $json->encode({
            output => $expect->{output}, tokenIn => $expect->{tokenIn},
            tokenOut => $expect->{tokenOut},
            finishReason => $expect->{refused} ? 'refusal'
                            : $anthropic && defined $expect->{finish}
                            && $word{$expect->{finish}} || $expect->{finish},
            toolCalls => calls($entry->{file})
        }) . '}';

    } elsif ($expect->{class} !~ /^(?:ok|error)$/) {
        $want = '';
    }

    $n++;

    # what the format counts as cached input, and prices so
    push @{ $cached{$vendor} }, "($n, $expect->{cachedIn})"
        if $want =~ /^\{/ && $expect->{cachedIn};

    $sql{$vendor} .= "INSERT INTO prompt_versions (id, prompt_id, owner_id, "
        . "version, content, params) VALUES (gen_random_uuid(), "
        . "'01890000-0000-7000-8000-000000000001', '%{alice_id}', $n, 'ask', "
        . "'{\"model\":\"$model\"}');\n";

    $cases{$vendor} .= "# $entry->{file}\n"
        . "{\"version\": $n} => $want\n";
}

my $data = '';
my $test = 0;

for my $vendor (sort keys %sql) {
    my $prompt = $test ? '' : "INSERT INTO prompts (id, owner_id, name, "
        . "category, is_public, updated_at, last_version) VALUES "
        . "('01890000-0000-7000-8000-000000000001', '%{alice_id}', 'ask', "
        . "'GENERAL', false, now(), 999);\n";

    my $cached = join ', ', @{ $cached{$vendor} || [ '(0, 0)' ] };

    $test++;
    $data .= <<"END";
=== TEST $test: answers of $vendor
--- sql
$prompt$sql{$vendor}
--- graphql
mutation (\$version: Int!) { executePrompt(promptId: "01890000-0000-7000-8000-000000000001", version: \$version, input: {}) { output tokenIn tokenOut finishReason toolCalls { id name arguments } } }
--- cases
$cases{$vendor}
--- sql_check
SELECT count(*) FROM executions WHERE status NOT IN ('succeeded', 'failed') OR finished_at IS NULL OR (status = 'failed') <> (error IS NOT NULL) OR (status = 'failed') <> (output IS NULL) OR attempts <> 1;
SELECT * FROM (VALUES $cached) AS v (n, tokens) WHERE n > 0 AND NOT EXISTS (SELECT FROM executions WHERE version = n AND token_cached = tokens)
--- sql_result: 0

END
}

open DATA, "<", \$data or die;

run_tests();
