# What a hostile reader tried: names of models as paths, words about
# credentials, and what maps make of a call's model.

use strict;
use warnings;

use lib 't/lib';
use JSON::PP ();
use PromptTest::Calls ();
use PromptTest::Server;
use PromptTest::Stream;
use Test::More;

my $port = PromptTest::Env::free_port();
my $told = '{"choices": [{"finish_reason": "stop", "message": {"role": '
           . '"assistant", "content": "$request_uri"}}], "usage": '
           . '{"prompt_tokens": 1, "completion_tokens": 1}}';
my $s = PromptTest::Server->new(workers => 1,
    http => 'map $prompt_call_model $deployment { volatile; default other; '
            . 'd-a first; d-b second; } '
            . 'prompt_provider path /_provider/path; '
            . 'prompt_model d-* provider=path; prompt_model .* provider=path; '
            . "server { listen 127.0.0.1:$port; location / { "
            . "return 200 '$told'; } }",
    server => 'location = /_provider/path { internal; proxy_pass '
              . "http://127.0.0.1:$port/\$deployment/\$prompt_call_model/x; }");

sub ask { return $s->ask(@_)->{json} }

my $run = 'mutation ($id: ID!, $o: JSON) { executePrompt(promptId: $id, '
          . 'input: {a: 1}, overrides: $o) { output } }';
my $id = PromptTest::Calls::version($s, { model => 'd-a' });


# a model is one segment of a path

for my $case ([ 'd-a', '/first/d-a/x' ],
              [ 'd-/../..', '/other/d-%2F..%2F../x' ],
              [ "d-\r\nX: y", '/other/d-%0D%0AX%3A%20y/x' ],
              [ '...', '/other/.../x' ])
{
    is(ask('alice', $run, { id => $id, o => { model => $case->[0] } })
           ->{data}{executePrompt}{output}, $case->[1], $case->[1]);
}

for my $dots ('.', '..') {
    for my $over ({ model => $dots },
                  { fallbacks => [ { model => $dots } ] })
    {
        like(ask('alice', $run, { id => $id, o => $over })
                 ->{errors}[0]{message}, qr/must not be "\." or "\.\."/,
             "no model \"$dots\"");
    }
}


# of two calls in a request each has its own

is_deeply(ask('alice', 'mutation ($id: ID!) { a: executePrompt(promptId: $id, '
              . 'input: {a: 1}) { output } b: executePrompt(promptId: $id, '
              . 'input: {a: 1}, overrides: {model: "d-b"}) { output } }',
              { id => $id })->{data},
          { a => { output => '/first/d-a/x' },
            b => { output => '/second/d-b/x' } }, 'a map that is volatile');


# what is said of credentials is not told, whatever the status

sub words
{
    my ($status, $error) = @_;
    my $raw = JSON::PP->new->canonical->encode({ error => {
        message => 'Incorrect API key: sk-secret', %$error } });

    $raw =~ s/([^A-Za-z0-9])/sprintf '%%%02X', ord $1/ge;

    my $of = PromptTest::Calls::version($s, {
        model => "fx:status=$status,raw=$raw" });
    my $failed = ask('alice', $run, { id => $of })->{errors}[0]{extensions};

    return ask('alice', 'query ($id: ID!) { execution(id: $id) { '
               . 'providerMessage } }', { id => $failed->{executionId} })
        ->{data}{execution}{providerMessage};
}

is(words(@$_), undef, "of $_->[0] " . join ' ', %{ $_->[1] })
    for [ 401, {} ], [ 400, { code => 'invalid_api_key' } ],
        [ 200, { code => 401 } ], [ 200, { code => 403 } ],
        [ 200, { type => 'authentication_error' } ],
        [ 500, { type => 'permission_error' } ];
is(words(400, { code => 402 }), 'Incorrect API key: sk-secret', 'others are');

my $event = 'data: {"error": {"message": "sk-secret", "code": "%s"}}' . "\n\n";

for my $case ([ 'invalid_api_key', undef ], [ 'other', 'sk-secret' ]) {
    my $events = sprintf $event, $case->[0];

    $events =~ s/([^A-Za-z0-9])/sprintf '%%%02X', ord $1/ge;
    PromptTest::Stream::parse(PromptTest::Stream::receive($s->send(
        PromptTest::Stream::request($s, PromptTest::Stream::prompt($s,
            "fx:events=$events")))));
    is(PromptTest::Calls::row("coalesce(provider_message, 'NULL')"),
       $case->[1] // 'NULL', "of a stream: $case->[0]");
}

is_deeply([ $s->faults ], [], 'clean error log');

done_testing();
