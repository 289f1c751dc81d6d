# Client libraries as they are: t/conformance/clients/run.mjs, against an
# endpoint that keeps persisted queries and one that does not.

use lib 't/lib';

BEGIN {
    if (!-d 't/conformance/clients/node_modules/@apollo') {
        require Test::More;
        Test::More::plan(skip_all => 't/conformance/clients/node_modules is '
                                     . 'not there: npm ci needs the network');
    }
}

use PromptTest;

Test::Nginx::Socket::add_response_body_check(sub {
    my ($block) = @_;
    my $name = $block->name;
    my $count = 0;

    local $ENV{PROMPT_API_KEY} = PromptTest::Env::var('alice_key');
    local $ENV{PERSISTED} = $name =~ /kept$/ ? 'on' : 'off';

    open my $out, '-|', 'node', 't/conformance/clients/run.mjs',
         "http://127.0.0.1:$ENV{TEST_NGINX_PORT}/graphql"
        or die "node: $!\n";

    while (my $line = <$out>) {
        if ($line =~ /^(not )?ok (.*)/) {
            $count++;
            Test::More::ok(!$1, "$name - $2");
        }
    }

    Test::More::ok(close $out, "$name - all clients come to their end");
    Test::More::cmp_ok($count, '>=', 13, "$name - all clients were tried");
});

run_tests();

__DATA__

=== TEST 1: persisted queries are kept
--- http_config
prompt_persisted_queries 1m;
--- graphql
{ __typename }
--- data
{"__typename": "Query"}

=== TEST 2: persisted queries are off
--- graphql
{ __typename }
--- data
{"__typename": "Query"}
