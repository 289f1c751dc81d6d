#!/usr/bin/perl
#
# OpenAI's API by the clients that people have: OpenAI's libraries, the AI SDK,
# and what the dashboard shows of how to use a prompt.  t/clients has them.

use strict;
use warnings;

use lib 't/lib';
use Test::More;
use PromptTest::Env;
use PromptTest::Server;

my $python = 'build/clients-python/python3';

if (!-d 't/clients/node_modules/openai') {
    my $why = 't/clients/node_modules is not there: npm ci needs the network';

    plan skip_all => $why if !$ENV{CI};
    fail($why);
    done_testing();
    exit;
}

my $s = PromptTest::Server->new(workers => 2, server => '
    location /openai/v1/ { prompt_openai; }
    location = /mcp { prompt_mcp; }');

local $ENV{PROMPT_API_KEY} = PromptTest::Env::var('alice_key');
local $ENV{PYTHON} = -x $python ? $python : '';

my @address = ("http://127.0.0.1:$s->{port}",
               'http://127.0.0.1:' . PromptTest::Env::provider());

# its lines are tests, and there are at least so many
sub run
{
    my ($least, @command) = @_;
    my $count = 0;

    open my $out, '-|', @command or die "$command[0]: $!\n";

    while (my $line = <$out>) {
        if ($line =~ /^ok (.*) # skip (.*)/) {
            SKIP: { skip "$1: $2", 1 }
            $count++;
        } elsif ($line =~ /^(not )?ok (.*)/) {
            my ($name, $why) = split / -- /, $2, 2;

            ok(!$1, $name) or diag($why // '');
            $count++;
        }
    }

    ok(close $out, 'comes to its end');
    cmp_ok($count, '>=', $least, 'all were tried');
}

subtest "OpenAI's library" => sub { run(14, 'node', 't/clients/openai.mjs', @address) };
subtest 'AI SDK' => sub { run(15, 'node', 't/clients/ai.mjs', @address) };

subtest 'what the dashboard shows' => sub {
    plan skip_all => 'what builds the dashboard is not there'
        if !-d 'dashboard/node_modules/esbuild';

    run(13, 'node', 't/clients/snippets.mjs', @address);
};

subtest "OpenAI's library for Python" => sub {
    plan skip_all => "there is no Python with OpenAI's library here"
        if !$ENV{PYTHON};

    $s->ask('alice', 'mutation { createPrompt(input: {name: "py"}) { id } }');
    $s->ask('alice', 'mutation ($i: ID!) { createPromptVersion(input: {'
        . 'promptId: $i, content: "Hello {{who}}",'
        . ' params: {model: "fx:ok"}}) { version } }',
        { i => $s->ask('alice', '{ promptByName(name: "py") { id } }')
               ->{json}{data}{promptByName}{id} });
    run(6, $python, 't/clients/python.py', $address[0], 'py');
    is(PromptTest::Env::psql("SELECT count(*) FROM executions"
        . " WHERE status = 'succeeded' AND cost_usd > 0 AND prompt_id ="
        . " (SELECT id FROM prompts WHERE name = 'py')"), "4\n",
       'one execution each');
};

$s->stop;
is_deeply([ $s->faults ], [], 'clean error log');

done_testing();
