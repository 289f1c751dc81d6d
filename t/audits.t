# The audits of graphql-http against the endpoint: all of them, also what the
# specification only recommends.

use lib 't/lib';

BEGIN {
    if (!-d 't/conformance/node_modules/graphql-http') {
        require Test::More;
        Test::More::plan(skip_all => 't/conformance/node_modules is not '
                                     . 'there: npm ci needs the network');
    }
}

use PromptTest;

Test::Nginx::Socket::add_response_body_check(sub {
    my ($block) = @_;
    my $count = 0;

    local $ENV{PROMPT_API_KEY} = PromptTest::Env::var('alice_key');

    open my $out, '-|', 'node', 't/conformance/audits.mjs',
         "http://127.0.0.1:$ENV{TEST_NGINX_PORT}/graphql"
        or die "node: $!\n";

    while (my $line = <$out>) {
        if ($line =~ /^(not )?ok (.*)/) {
            $count++;
            Test::More::ok(!$1, $2);
        }
    }

    Test::More::ok(close $out, 'the audits come to their end');
    Test::More::is($count, 61, 'as many audits as are known');
});

run_tests();

__DATA__

=== TEST 1: all audits
--- graphql
{ __typename }
--- data
{"__typename": "Query"}
