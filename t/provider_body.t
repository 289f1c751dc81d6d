# What is sent to a provider: its size is the service's own matter, and not
# that of client_max_body_size, which is a limit of clients.

use strict;
use warnings;

use lib 't/lib';
use PromptTest::Server;
use Test::More;

my $port = PromptTest::Env::provider();
my $closed = 1;

my %locations = (
    plain => "proxy_pass http://127.0.0.1:$port/plain;",
    small => "client_max_body_size 1k; proxy_pass http://127.0.0.1:$port/small;",
    unbuffered => "client_max_body_size 1k; proxy_request_buffering off;
                   proxy_http_version 1.1;
                   proxy_pass http://127.0.0.1:$port/unbuffered;",
    rewritten => 'client_max_body_size 1k; rewrite ^ /_small last;',
    tried => 'client_max_body_size 1k; root /nowhere; try_files $uri /_small;',
    named => 'client_max_body_size 1k; root /nowhere; try_files $uri @named;',
    fallback => "client_max_body_size 1k; error_page 502 = \@named;
                 proxy_pass http://127.0.0.1:$closed;",
);

my $s = PromptTest::Server->new(
    http => join('', map { "prompt_provider $_ /_$_ timeout=20s;\n"
                           . "prompt_model $_-fx:* provider=$_;\n" }
                         sort keys %locations),
    server => join('', map { "location = /_$_ { internal; "
                             . "proxy_set_header Connection ''; "
                             . "$locations{$_} }\n" } sort keys %locations)
              . "location \@named { client_max_body_size 1k;
                     proxy_pass http://127.0.0.1:$port; }\n"
              . "location = /graphql { client_max_body_size 8m;
                     client_body_buffer_size 8m; prompt_graphql; }\n");

my $long = 'x' x 3_900_000;

for my $name (sort keys %locations) {
    my $id = $s->ask('alice', 'mutation ($n: String!) { createPrompt(input: '
                     . '{name: $n}) { id } }', { n => $name })
        ->{json}{data}{createPrompt}{id};

    $s->ask('alice', 'mutation ($i: CreatePromptVersionInput!) '
            . '{ createPromptVersion(input: $i) { id } }',
            { i => { promptId => $id, content => '{{text}}',
                     params => { model => "$name-fx:text=fine" } } });

    PromptTest::Env::provider_control('clear');

    for my $text ('short', $long) {
        my $what = $name . ': ' . length $text;
        my $answer = $s->ask('alice', 'mutation ($id: ID!, $t: JSON!) { '
                             . 'executePrompt(promptId: $id, input: $t) '
                             . '{ output } }',
                             { id => $id, t => { text => $text } });

        is($answer->{json}{data}{executePrompt}{output}, 'fine',
           "$what characters are answered")
            or diag(substr($answer->{body} || '', 0, 300));

        my $call = PromptTest::Env::provider_control('log')->[-1];

        is(length($call->{body}{messages}[0]{content} || ''), length $text,
           "$what came whole");
        is($call->{headers}{'content-length'}, length($call->{text} || ''),
           "$what, with its length");
    }
}

# the limit of clients stays where it was

my $answer = $s->ask('alice', '{ me { id } }', { a => 'x' x 9_000_000 });

is($answer->{status}, 413, 'a client\'s body is limited');

ok($s->stop, 'nginx leaves');
is_deeply([ $s->faults ], [], 'clean error log');

done_testing();
