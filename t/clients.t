# Client libraries as they are: t/conformance/clients/run.mjs, against an
# endpoint that keeps persisted queries and one that does not; and streams.mjs,
# those that subscribe.

use lib 't/lib';

BEGIN {
    if (!-d 't/conformance/clients/node_modules/graphql-sse') {
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

    my @command = ('node', 't/conformance/clients/run.mjs',
                   "http://127.0.0.1:$ENV{TEST_NGINX_PORT}/graphql");

    if ($name =~ /subscribe/) {
        $command[1] = 't/conformance/clients/streams.mjs';
        push @command, 'fx:text=one%20two%20three,pause=20';
    }

    open my $out, '-|', @command or die "node: $!\n";

    while (my $line = <$out>) {
        if ($line =~ /^(not )?ok (.*)/) {
            $count++;
            Test::More::ok(!$1, "$name - $2");
        }
    }

    Test::More::ok(close $out, "$name - all clients come to their end");
    Test::More::cmp_ok($count, '>=', $name =~ /subscribe/ ? 6 : 13,
                       "$name - all clients were tried");
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

=== TEST 3: clients subscribe
--- graphql
{ __typename }
--- data
{"__typename": "Query"}
