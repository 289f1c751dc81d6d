# Model Context Protocol: requests of either era, and what comes of them.

package PromptTest::Mcp;

use strict;
use warnings;

use PromptTest::Env;
use PromptTest::Json;
use PromptTest::Stream;

our $latest = '2026-07-28';

my $meta = 'io.modelcontextprotocol';
my $id = 0;


# post($s, BODY, key => USER, path => PATH, headers => { NAME => VALUE or LIST },
# type => MEDIA TYPE): the text of a POST; a header that is undef is left out
sub post
{
    my ($s, $body, %with) = @_;
    my $key = exists $with{key} ? $with{key} : 'alice';
    my %headers = ('Content-Type' => 'application/json',
                   'Accept' => 'application/json, text/event-stream',
                   'Host' => 'localhost', %{ $with{headers} || {} });

    $headers{Authorization} //= 'Bearer '
        . (PromptTest::Env::var("${key}_key") // $key) if defined $key;

    my $head = '';

    for my $name (sort keys %headers) {
        next unless defined $headers{$name};
        $head .= "$name: $_\r\n"
            for ref $headers{$name} ? @{ $headers{$name} } : $headers{$name};
    }

    return ($with{method} || 'POST') . ' ' . ($with{path} || '/mcp')
           . " HTTP/1.1\r\n$head" . ($with{keep} ? '' : "Connection: close\r\n")
           . 'Content-Length: ' . length($body) . "\r\n\r\n$body";
}


# message(METHOD, PARAMS, %members): a request, as JSON
sub message
{
    my ($method, $params, %more) = @_;

    return PromptTest::Json::encode({ jsonrpc => '2.0', id => ++$id,
        method => $method, (defined $params ? (params => $params) : ()),
        %more });
}


# modern(METHOD, PARAMS): params with what the newest revision wants of them,
# and the headers that go with them
sub modern
{
    my ($method, $params) = @_;
    my %meta = ("$meta/protocolVersion" => $latest,
                "$meta/clientCapabilities" => {},
                %{ $params && $params->{_meta} || {} });
    my %headers = ('MCP-Protocol-Version' => $latest, 'Mcp-Method' => $method);

    $headers{'Mcp-Name'} = $params->{name}
        if defined $params->{name} && $method =~ m{^(?:tools/call|prompts/get)$};

    return ({ %{ $params || {} }, _meta => \%meta }, \%headers);
}


# text($s, METHOD, PARAMS, ...): the text of a request of the newest revision
sub text
{
    my ($s, $method, $params, %with) = @_;
    my ($whole, $headers) = modern($method, $params);

    return post($s, message($method, $whole, %{ $with{members} || {} }),
                %with, headers => { %$headers, %{ $with{headers} || {} } });
}


# ask($s, METHOD, PARAMS, ...): the answer to one: { status, head, body, json,
# result, error, events }
sub ask
{
    my ($s, @what) = @_;

    return answer($s->send(text($s, @what)));
}


# legacy($s, METHOD, PARAMS, ...): the same of 2025-11-25
sub legacy
{
    my ($s, $method, $params, %with) = @_;

    return answer($s->send(post($s, message($method, $params), %with,
        headers => { 'MCP-Protocol-Version' => '2025-11-25',
                     %{ $with{headers} || {} } })));
}


# raw($s, BODY, ...): the answer to any body
sub raw
{
    my ($s, $body, %with) = @_;

    return answer($s->send(post($s, $body, %with)));
}


# answer(SOCKET): what comes on it, see ask()
sub answer
{
    my ($socket) = @_;
    my $text = $socket ? PromptTest::Stream::receive($socket) : '';
    my %got = (status => 0, head => '', body => '');

    return \%got unless $text =~ m{^HTTP/1\.1 (\d+) .*?\r\n\r\n}s;

    @got{qw(status head)} = ($1, $&);
    $got{body} = substr $text, length $got{head};
    ($got{body}) = PromptTest::Stream::unchunk($got{body})
        if $got{head} =~ /^transfer-encoding: chunked/mi;

    $got{events} = [ map { /^data: (.*)$/m
                           ? eval { PromptTest::Json::decode($1) } : () }
                     split /\n\n/, $got{body} ]
        if $got{head} =~ m{^Content-Type: text/event-stream}mi;

    my $json = $got{events} ? $got{events}[-1]
                            : eval { PromptTest::Json::decode($got{body}) };

    $got{json} = $json;
    @got{qw(result error)} = @$json{qw(result error)} if ref $json eq 'HASH';

    return \%got;
}


# prompt($s, NAME, { content, model, inputSchema, ... }, user): the id of a
# new prompt, with one version for each description
sub prompt
{
    my ($s, $name, $of, @versions) = @_;
    my $user = $of->{user} || 'alice';

    my $made = $s->ask($user, 'mutation ($i: CreatePromptInput!) '
        . '{ createPrompt(input: $i) { id } }',
        { i => { name => $name,
                 (defined $of->{description}
                  ? (description => $of->{description}) : ()),
                 isPublic => $of->{public} ? PromptTest::Json::decode('true')
                                 : PromptTest::Json::decode('false') } });
    my $prompt = $made->{json}{data}{createPrompt}{id}
        or die "no prompt: $made->{body}\n";

    for my $version (@versions) {
        my %input = (content => 'say this', %$version, promptId => $prompt,
                     params => { model => 'fx:text=fine',
                                 %{ $version->{params} || {} } });

        my $got = $s->ask($user, 'mutation ($i: CreatePromptVersionInput!) '
            . '{ createPromptVersion(input: $i) { id } }', { i => \%input });

        die "no version: $got->{body}\n"
            unless $got->{json}{data}{createPromptVersion};
    }

    return $prompt;
}


# label($s, ID, LABEL, VERSION)
sub label
{
    my ($s, $prompt, $label, $version) = @_;

    $s->ask('alice', 'mutation ($p: ID!, $l: String!, $v: Int!) '
            . '{ setPromptLabel(promptId: $p, label: $l, version: $v) '
            . '{ version } }', { p => $prompt, l => $label, v => $version });
}


# row(ID): "status|output|in|out|cost" of the only execution of a prompt
sub row
{
    my ($prompt) = @_;
    my $row = PromptTest::Env::psql('SELECT status, output, token_in, '
        . "token_out, cost_usd FROM executions WHERE prompt_id = '$prompt' "
        . 'ORDER BY id');

    chomp $row;
    return $row;
}

1;
