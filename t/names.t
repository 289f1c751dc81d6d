# The conversion of names into kebab-case.

use lib 't/lib';
use PromptTest;

# pairs of what is sent and what is kept, 15 a request
our @names = (
    'myPrompt'            => 'my-prompt',
    'HTTPServer'          => 'http-server',
    'gpt4Prompt'          => 'gpt4-prompt',
    'already-kebab-case'  => 'already-kebab-case',
    'snake_case_name'     => 'snake-case-name',
    '  Spaces   inside  ' => 'spaces-inside',
    'UPPER'               => 'upper',
    'a.b/c\\\\d'          => 'a-b-c-d',
    '--x--y--'            => 'x-y',
    'parseJSONFile2Text'  => 'parse-json-file2-text',
    'ABc'                 => 'a-bc',
    'aB'                  => 'a-b',
    'v2Final'             => 'v2-final',
    '2ndTry'              => '2nd-try',
    'ÜberPrüfung'         => 'über-prüfung',

    'élanVITAL'           => 'élan-vital',
    'ΑΒΓδ'                => 'αβ-γδ',
    'プロンプト 名'        => 'プロンプト-名',
    'emoji 😀 inside'      => 'emoji-inside',
    'tab\\there'          => 'tab-here',
    'don\'t'              => 'don-t',
    'x'                   => 'x',
    '7'                   => '7',
    'A1B2'                => 'a1-b2',
    'ХВост'               => 'х-вост',
    'ǅungla'              => 'ǆungla',
    'İstanbul1'           => 'istanbul1',
);

sub document
{
    my ($n) = @_;
    my $text = "mutation {\n";

    for my $i ($n * 15 .. $n * 15 + 14) {
        last if 2 * $i > $#main::names;
        $text .= "  n$i: createPrompt(input: {name: \"$main::names[2 * $i]\"})"
                 . " { name }\n";
    }

    return "$text}";
}

sub answer
{
    my ($n) = @_;
    my @parts;

    for my $i ($n * 15 .. $n * 15 + 14) {
        last if 2 * $i > $#main::names;
        push @parts, "\"n$i\": {\"name\": \"$main::names[2 * $i + 1]\"}";
    }

    return '{' . join(', ', @parts) . '}';
}

run_tests();

__DATA__

=== TEST 1: the first fifteen
--- http_config
prompt_limits mutation_fields=15;
--- graphql eval
main::document(0)
--- data eval
main::answer(0)

=== TEST 2: and the others
--- http_config
prompt_limits mutation_fields=15;
--- graphql eval
main::document(1)
--- data eval
main::answer(1)
