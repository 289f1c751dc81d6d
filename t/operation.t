# A protocol beside GraphQL: a small module that stands on the operations of
# the one under test (t/operation).  What it answers, what it refuses, and what
# is true of whatever runs as an operation: limits, metrics, variables, log.

use strict;
use warnings;

use lib 't/lib';

use PromptTest::Env;
use PromptTest::Server;
use Test::More;

my $root = $PromptTest::Env::root;
my $build = "$PromptTest::Env::build/operation-test";
my @sanitize = $ENV{PROMPT_BUILD} && $ENV{PROMPT_BUILD} =~ /asan/
               ? '-fsanitize=address,undefined' : ();

{
    local $ENV{PROMPT_TEST_MODULE} = 'operation';

    system("$root/t/io/build.sh", $build, @sanitize) == 0
        or die "the test module cannot be built\n";
}

my $s = PromptTest::Server->new(
    main   => "load_module $build/ngx_http_prompt_operation_test_module.so;",
    http   => 'log_format op \'$status $prompt_operation $prompt_error_code\';',
    server => <<'END');
        location = /names {
            prompt_names;
            access_log op.log op;
            client_max_body_size 10;
        }
        location = /metrics { prompt_metrics; }
END


# names($key, $query [, $method, $body]): status and body of GET /names
sub names
{
    my ($key, $query, $method, $body) = @_;
    my $known = defined $key ? PromptTest::Env::var("${key}_key") : undef;
    my $answer = $s->receive($s->send(($method || 'GET')
        . " /names$query HTTP/1.1\r\nHost: localhost\r\n"
        . "Connection: close\r\n"
        . (defined $known ? "Authorization: Bearer $known\r\n" : '')
        . (defined $body ? 'Content-Length: ' . length($body) . "\r\n" : '')
        . "\r\n" . (defined $body ? $body : '')));

    return $answer ? "$answer->{status} $answer->{body}" : 'no answer';
}


for my $n (1 .. 3) {
    $s->ask('alice', 'mutation ($i: CreatePromptInput!) '
                     . '{ createPrompt(input: $i) { id } }',
            { i => { name => "operation-$n" } });
}

is(names('alice', '?first=2'), "200 operation-3\noperation-2\n",
   'a compiled document with a variable is answered as a value');
like(names('alice', ''), qr/\A200 operation-3\noperation-2\noperation-1\n/,
     'a variable that is not there has none');
is(names('bob', ''), "200 none\n", "others' are not shown");

like(names(undef, ''), qr/\A401 UNAUTHENTICATED: a key is required\n/,
     'nobody is told nothing, in the words of the protocol');
like(names('alice', '', 'POST', 'x'), qr/\A405 BAD_USER_INPUT: GET only\n/,
     'what the protocol refuses itself');
like(names('alice', '?first=many'), qr/\A400 BAD_USER_INPUT: Variable .*Int/s,
     'a variable that does not fit is an error with its place');
like(names('alice', '?first=0'), qr/\A400 BAD_USER_INPUT: "first" must be/,
     'so is an argument, whose field is executed');
like(names('alice', '', 'POST', 'x' x 20), qr/\A413 status 413\n/,
     'an error of nginx has its form, too');

# a line is written after its answer
my %lines;

for (1 .. 100) {
    open my $in, '<', "$s->{dir}/op.log" or die "op.log: $!\n";
    my @lines = <$in>;

    %lines = ();
    $lines{$_}++ for @lines;
    last if @lines == 8;
    select undef, undef, undef, 0.05;
}

is($lines{"200 prompts -\n"}, 3, '$prompt_operation is the root field');
is($lines{"400 prompts BAD_USER_INPUT\n"}, 1, '$prompt_error_code');

like($s->receive($s->send("GET /metrics HTTP/1.1\r\nHost: localhost\r\n"
                          . "Connection: close\r\n\r\n"))->{body},
     qr/^prompt_operations_total\{operation="prompts",protocol="graphql"\} 4$/m,
     'it is counted');

$s->stop;
is_deeply([ $s->faults ], [], 'clean error log');

done_testing();
