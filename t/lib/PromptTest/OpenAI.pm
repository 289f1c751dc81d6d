# OpenAI's API for suites on PromptTest::Server: a location /openai/, prompts,
# requests, and what comes of them.

package PromptTest::OpenAI;

use strict;
use warnings;

use JSON::PP ();
use PromptTest::Env;
use PromptTest::Json;
use PromptTest::Server;
use PromptTest::Stream;

our $location = 'location /openai/ { prompt_openai; }';


# server(...): as PromptTest::Server->new(), with the location
sub server
{
    my (%with) = @_;

    return PromptTest::Server->new(%with, server => join ' ', $location,
                                   $with{server} // ());
}


# prompt($server, $name, $model, version => {...}, key => KEY, public => 1):
# the id of a new prompt, with versions that run on the model: one, or each of
# the list `versions`
sub prompt
{
    my ($s, $name, $model, %with) = @_;
    my $key = $with{key} // 'alice';
    my $id = $s->ask($key, 'mutation ($i: CreatePromptInput!) '
                     . '{ createPrompt(input: $i) { id } }',
                     { i => { name => $name, $with{public}
                              ? (isPublic => JSON::PP::true()) : () } })
        ->{json}{data}{createPrompt}{id} or die "no prompt $name\n";

    for my $version (@{ $with{versions} // [ $with{version} // {} ] }) {
        my $made = $s->ask($key, 'mutation ($i: CreatePromptVersionInput!) '
            . '{ createPromptVersion(input: $i) { id } }',
            { i => { promptId => $id, content => 'say this',
                     params => { model => $model }, %$version } });

        die "no version: $made->{body}\n"
            unless $made->{json}{data}{createPromptVersion};
    }

    return $id;
}


# label($server, $id, $label, $version)
sub label
{
    my ($s, $id, $label, $version) = @_;
    my $got = $s->ask('alice', 'mutation ($id: ID!, $l: String!, $v: Int!) '
        . '{ setPromptLabel(promptId: $id, label: $l, version: $v) { version } }',
        { id => $id, l => $label, v => $version });

    die "no label: $got->{body}\n" unless $got->{json}{data}{setPromptLabel};
}


# request($path, $body, method => POST, key => KEY, headers => [ LINE, ... ]):
# the text of a request; a body that is no reference goes as it is
sub request
{
    my ($path, $body, %with) = @_;
    my $key = $with{key} // 'alice';
    my $text = !defined $body ? ''
               : ref $body ? PromptTest::Json::encode($body) : $body;

    $key = PromptTest::Env::var("${key}_key") // $key;

    return join("\r\n", ($with{method} // (defined $body ? 'POST' : 'GET'))
                . " $path HTTP/1.1", 'Host: localhost',
                $key eq 'none' ? () : "Authorization: Bearer $key",
                'Connection: close',
                defined $body
                ? ('Content-Type: ' . ($with{type} // 'application/json'),
                   'Content-Length: ' . length $text) : (),
                @{ $with{headers} // [] }) . "\r\n\r\n$text";
}


# ask($server, $path, $body, ...): { status, head, headers, body, json, events,
# whole }; events are [ NAME, VALUE ] each, a stream of chat has no names
sub ask
{
    my ($s, $path, $body, @with) = @_;
    my $socket = $s->send(request("/openai/$path", $body, @with)) or return {};

    return parse(PromptTest::Stream::receive($socket));
}


sub parse
{
    my $got = PromptTest::Stream::parse($_[0]);
    my %headers;

    while ($got->{head} =~ /^([\w-]+): *(.*?)\r$/mg) {
        $headers{lc $1} = $2;
    }

    $got->{headers} = \%headers;
    $got->{events} = [];

    if (($headers{'content-type'} // '') =~ /event-stream/) {
        for my $block (split /\n\n/, $got->{body}) {
            my ($name) = $block =~ /^event: (.*)$/m;
            my ($data) = $block =~ /^data: (.*)$/m;

            push @{ $got->{events} },
                 [ $name, eval { PromptTest::Json::decode($data) } // $data ]
                if defined $data;
        }
    }

    return $got;
}


# text($got): what a stream of chat completions has said
sub text
{
    return join '', map { $_->[1]{choices}[0]{delta}{content} // '' }
                    grep { ref $_->[1] && $_->[1]{choices} } @{ $_[0]{events} };
}


# row($columns, $id): of an execution, or of the only one of a prompt
sub row
{
    my ($columns, $id) = @_;
    my $row = PromptTest::Env::psql("SELECT $columns FROM executions WHERE "
                                    . "id = '$id' OR prompt_id = '$id'");

    chomp $row;
    return $row;
}

1;
