# prompt_mcp, revision 2026-07-28: transport, messages, prompts, completion.
# Tools are in mcp_tools.t, the revisions before in mcp_legacy.t.

use strict;
use warnings;

use lib 't/lib';
use PromptTest::Calls ();
use PromptTest::Mcp;
use PromptTest::Server;
use Test::More;
use Time::HiRes qw(time);

my $meta = 'io.modelcontextprotocol';
my $location = <<'END';
    location = /mcp { prompt_mcp "instructions=Be \"kind\"."; }
    location = /plain { prompt_mcp; }
    location = /if { prompt_mcp instructions=If.;
                     if ($request_method = POST) { set $posted 1; } }
    location = /small { prompt_mcp; client_max_body_size 100; }
    location = /limited { prompt_mcp; limit_req zone=few; }
END
my $http = 'limit_req_zone $binary_remote_addr zone=few:1m rate=1r/m;';
my $s = PromptTest::Server->new(server => $location,
    http => $http . PromptTest::Calls::http2_listen($location));

sub ask { return PromptTest::Mcp::ask($s, @_) }
sub raw { return PromptTest::Mcp::raw($s, @_) }
sub post { return PromptTest::Mcp::post($s, @_) }
sub prompt { return PromptTest::Mcp::prompt($s, @_) }

# is_error(WHAT, GOT, STATUS, CODE, MESSAGE)
sub is_error
{
    my ($what, $got, $status, $code, $message) = @_;

    is($got->{status}, $status, "$what: HTTP $status");
    is($got->{error}{code}, $code, "$what: $code");
    like($got->{error}{message}, $message || qr/./, "$what: why");
    unlike($got->{head}, qr/^Mcp-Session-Id/mi, "$what: no session");
}


# who answers

{
    my $got = ask('server/discover');

    is($got->{status}, 200, 'server/discover');
    like($got->{head}, qr{^Content-Type: application/json\r?$}m, 'as JSON');
    like($got->{head}, qr{^Cache-Control: no-store\r?$}m, 'kept by nobody');
    is_deeply($got->{result}, {
        supportedVersions => ['2026-07-28'],
        capabilities => { prompts => {}, tools => {}, completions => {} },
        instructions => 'Be "kind".', resultType => 'complete', ttlMs => 0,
        cacheScope => 'private',
        _meta => { "$meta/serverInfo" => { name => 'ngx_http_prompt_module',
                                           version => PromptTest::Env::version() } } },
        'what there is');
    ok(!exists ask('server/discover', undef, path => '/plain')
                   ->{result}{instructions}, 'no instructions where none are');
    is(ask('server/discover', undef, path => '/if')->{result}{instructions},
       'If.', 'those of the location in a block of if');
}

# ids come back as they are

for my $id ('1', '-7', '0', '9007199254740993', '123456789012345678901234567890',
            '"a"', '""', '"Gr\u00fc\u00dfe \"x\""', '"' . 'x' x 1000 . '"')
{
    my $body = '{"jsonrpc":"2.0","id":' . $id . ',"method":"nothing"}';
    my $got = raw($body);

    is_deeply($got->{json}{id}, PromptTest::Json::decode("[$id]")->[0],
              substr("the id $id", 0, 40));
    like($got->{body}, qr/"id":\Q$id\E,/, 'as it was')
        unless $id =~ /u00/;
}

# messages that are none

for my $case (
    [ '', -32700 ], [ '{', -32700 ], [ '{"a":1,"a":2}', -32700 ],
    [ "{\"jsonrpc\":\"2.0\",\"id\":\"\xff\"}", -32700 ],
    [ '{"jsonrpc":"2.0","id":"\ud800"}', -32700 ],
    [ '[' x 1000 . ']' x 1000, -32700 ],
    [ '[' . join(',', (1) x 300000) . ']', -32700 ],
    [ 'null', -32600 ], [ '1', -32600 ], [ '"x"', -32600 ], [ '[]', -32600 ],
    [ '[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600, qr/no batches/ ],
    [ '{}', -32600, qr/jsonrpc/ ],
    [ '{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600, qr/jsonrpc/, 1 ],
    [ '{"jsonrpc":2,"id":1,"method":"ping"}', -32600, qr/jsonrpc/, 1 ],
    [ '{"jsonrpc":"2.0","id":1}', -32600, qr/method/, 1 ],
    [ '{"jsonrpc":"2.0","id":1,"result":{}}', -32600, qr/method/, 1 ],
    [ '{"jsonrpc":"2.0","id":1,"method":7}', -32600, qr/method/, 1 ],
    [ '{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', -32600,
      qr/params/, 1 ],
    [ '{"jsonrpc":"2.0","id":1,"method":"ping","params":null}', -32600,
      qr/params/, 1 ],
    map { [ "{\"jsonrpc\":\"2.0\",\"id\":$_,\"method\":\"ping\"}", -32600,
            qr/"id"/ ] }
        'null', 'true', '1.5', '1e3', '{}', '[]', '1' x 2000,
        '"' . 'x' x 2000 . '"'
) {
    my ($body, $code, $message, $id) = @$case;
    my $what = substr $body, 0, 60;
    my $got = raw($body);

    is_error($what, $got, 400, $code, $message);
    ok(exists $got->{json}{id}, "$what: an id");
    is($got->{json}{id}, $id, "$what: which");
}

for my $token ('null', '1.5', '{}', '[1]', 'true', '"' . 'x' x 2000 . '"') {
    is_error("progressToken $token", raw('{"jsonrpc":"2.0","id":1,"method":'
        . "\"ping\",\"params\":{\"_meta\":{\"progressToken\":$token}}}"),
        400, -32600, qr/progressToken/);
}

# notifications

for my $body ('{"jsonrpc":"2.0","method":"notifications/cancelled"}',
              '{"jsonrpc":"2.0","method":"tools/call","params":{"name":"x"}}')
{
    my $got = raw($body);

    is($got->{status}, 202, 'a notification is taken');
    is($got->{body}, '', 'and has no answer');
}

is(raw('{"jsonrpc":"2.0","method":"notifications/x"}', key => undef)->{status},
   401, 'but of nobody');

# methods of HTTP, where from, who, what

for my $method (qw(GET DELETE PUT HEAD OPTIONS)) {
    for my $keep (0, 1) {
        my $socket = $s->send(post('', method => $method, keep => $keep)
            . ($keep ? post('', method => 'GET') : ''));
        my $got = $s->receive($socket);

        is($got->{status}, 405, "$method: 405");
        like($got->{head} . $got->{body}, qr/^Allow: POST\r?$/m,
             "$method: what instead");
    }
}

for my $case ([ 200, undef ], [ 200, 'http://localhost' ],
              [ 403, 'https://localhost' ], [ 403, 'http://evil.example' ],
              [ 403, 'null' ], [ 403, '' ], [ 403, 'http://localhost:81' ],
              [ 403, [ 'http://localhost', 'http://localhost' ] ],
              [ 403, 'http://localhost.evil.example' ])
{
    my ($status, $origin) = @$case;
    my $got = ask('server/discover', undef, headers => { Origin => $origin });
    my $name = ref $origin ? 'two origins' : 'origin ' . ($origin // 'absent');

    is($got->{status}, $status, "$name: $status");
    is($got->{error}{code}, -32600, "$name: an error") if $status == 403;
}

{
    my $got = ask('prompts/list', undef, key => undef);

    is_error('nobody', $got, 401, -32600, qr/Unauthorized/);
    like($got->{head}, qr/^WWW-Authenticate: Bearer\r?$/m, 'by a key');
    is(ask('prompts/list', undef, key => 'pmt_none')->{status}, 401, 'a key');
    is_error('a form', ask('prompts/list', undef,
        headers => { 'Content-Type' => 'text/plain' }), 415, -32600);
    is_error('a large body', ask('prompts/list', undef, path => '/small'), 413,
             -32600, qr/larger/);

    ask('server/discover', undef, path => '/limited');
    is_error('a limit', ask('server/discover', undef, path => '/limited'),
             503, -32603);
}

for my $case ([ 'alice_execute', 'prompts/list', 'read' ],
              [ 'alice_execute', 'prompts/get', 'read' ],
              [ 'alice_execute', 'tools/list', 'read' ],
              [ 'alice_execute', 'completion/complete', 'read' ],
              [ 'alice_read', 'tools/call', 'execute' ])
{
    my ($key, $method, $scope) = @$case;
    my $got = ask($method, { name => 'x', ref => { type => 'ref/prompt',
        name => 'x' }, argument => { name => 'x', value => 'x' } },
        key => $key);

    is_error("$method with another scope", $got, 403, -32600, qr/"$scope"/);
    my ($challenge) = $got->{head} =~ /^WWW-Authenticate: (.*?)\r?$/m;

    is($challenge, qq(Bearer error="insufficient_scope", scope="$scope"),
       "$method: which");
}

# headers and _meta

for my $case (
    [ 'no version', { 'MCP-Protocol-Version' => undef }, {}, -32020 ],
    [ 'two versions', { 'MCP-Protocol-Version' => [ ('2026-07-28') x 2 ] }, {},
      -32020 ],
    [ 'another version', { 'MCP-Protocol-Version' => '2025-11-25' }, {},
      -32020 ],
    [ 'no method', { 'Mcp-Method' => undef }, {}, -32020 ],
    [ 'two methods', { 'Mcp-Method' => [ ('prompts/get') x 2 ] }, {}, -32020 ],
    [ 'another method', { 'Mcp-Method' => 'tools/list' }, {}, -32020 ],
    [ 'its case', { 'Mcp-Method' => 'Prompts/Get' }, {}, -32020 ],
    [ 'no name', { 'Mcp-Name' => undef }, {}, -32020 ],
    [ 'two names', { 'Mcp-Name' => [ ('header-name') x 2 ] }, {}, -32020 ],
    [ 'another name', { 'Mcp-Name' => 'header-name2' }, {}, -32020 ],
    [ 'a name that is no Base64', { 'Mcp-Name' => '=?base64?*?=' }, {},
      -32020 ],
    [ 'half a mark', { 'Mcp-Name' => '=?base64?=' }, {}, -32020 ],
    [ 'bytes', { 'Mcp-Name' => "\xff" }, {}, -32020 ],
    [ 'no version in _meta', {}, { "$meta/protocolVersion" => undef }, -32602 ],
    [ 'a number', {}, { "$meta/protocolVersion" => 1 }, -32602 ],
    [ 'no capabilities', {}, { "$meta/clientCapabilities" => undef }, -32602 ],
    [ 'a text', {}, { "$meta/clientCapabilities" => 'x' }, -32602 ],
    [ 'an unknown version', { 'MCP-Protocol-Version' => '1900-01-01' },
      { "$meta/protocolVersion" => '1900-01-01' }, -32022 ],
    [ 'one that is before', { 'MCP-Protocol-Version' => '2025-11-25' },
      { "$meta/protocolVersion" => '2025-11-25' }, -32022 ],
) {
    my ($what, $headers, $changes, $code) = @$case;
    my ($params, $have) = PromptTest::Mcp::modern('prompts/get',
                                                  { name => 'header-name' });

    for my $name (keys %$changes) {
        $params->{_meta}{$name} = $changes->{$name};
        delete $params->{_meta}{$name} unless defined $changes->{$name};
    }

    my $got = raw(PromptTest::Mcp::message('prompts/get', $params),
                  headers => { %$have, %$headers });

    is_error($what, $got, 400, $code);
    is_deeply($got->{error}{data},
              { supported => ['2026-07-28'],
                requested => $headers->{'MCP-Protocol-Version'} },
              "$what: which there are") if $code == -32022;
}

is_error('a header that is no text', raw(PromptTest::Mcp::message('ping', {}),
    headers => { 'MCP-Protocol-Version' => "\xff\"" }), 400, -32022);

for my $name (qw(initialize ping logging/setLevel resources/list nothing
                subscriptions/listen))
{
    is_error("method $name", ask($name), 404, -32601);
}

# prompts

my %one = (content => '{{greeting}} {{name}}, {{n}} times',
    inputSchema => { required => ['name'], properties => {
        greeting => { enum => ['Hello', 'Hi', 'Hey', 'Moin'],
                      default => 'Hello' },
        name => { type => 'string', description => 'Who "it" is' },
        n => { type => 'integer', enum => [1, 12, 3], default => 1 },
        loud => { type => 'boolean' } } });

my $id = prompt('mcp-greet', { description => "Greets\n\"you\"" }, \%one,
                { content => 'Second {{x}}' });

prompt('mcp-nothing', {});
prompt('mcp-plain', {}, {});
prompt('01234567-89ab-7def-8123-456789abcdef', {}, {});
my $bobs = prompt('mcp-bobs', { user => 'bob', public => 1 }, {});

sub listed
{
    my ($method) = @_;
    my (@all, $cursor);

    for (1 .. 10) {
        my $got = ask($method, defined $cursor ? { cursor => $cursor } : {});

        push @all, @{ $got->{result}{(split m{/}, $method)[0]} };
        $cursor = $got->{result}{nextCursor};
        last unless defined $cursor;
    }

    return @all;
}

{
    my %all = map { $_->{name} => $_ } listed('prompts/list');

    is_deeply([ sort keys %all ], ['mcp-greet', 'mcp-plain'],
              'what can be asked for, of the account alone');
    is_deeply($all{'mcp-greet'}, { name => 'mcp-greet', arguments => [],
                                   description => "Greets\n\"you\"" },
              'the latest version');
    is($all{'mcp-plain'}{description}, 'The stored prompt "mcp-plain".',
       'a description, in any case');

    PromptTest::Mcp::label($s, $id, 'production', 1);
    %all = map { $_->{name} => $_ } listed('prompts/list');

    is_deeply([ sort { $a->{name} cmp $b->{name} }
                     @{ $all{'mcp-greet'}{arguments} } ],
              [ { name => 'greeting', required => JSON::PP::false() },
                { name => 'loud', required => JSON::PP::false() },
                { name => 'n', required => JSON::PP::false() },
                { name => 'name', required => JSON::PP::true(),
                  description => 'Who "it" is' } ],
              'or the one of production, with its arguments');

    is_deeply([ map { $_->{name} } @{ ask('prompts/list', undef, key => 'bob')
                                          ->{result}{prompts} } ],
              ['mcp-bobs'], "others have theirs");
}

sub got
{
    my ($name, $arguments, @more) = @_;
    my $got = ask('prompts/get', { name => $name,
        (defined $arguments ? (arguments => $arguments) : ()) }, @more);

    return $got->{result} ? join '|', map { "$_->{role}:$_->{content}{text}" }
                                          @{ $got->{result}{messages} }
                          : $got;
}

is(got('mcp-greet', { name => 'you' }), 'user:Hello you, 1 times', 'rendered');
is(got('mcp_greet', { name => 'you', n => '12' }), 'user:Hello you, 12 times',
   'a name as it is made, strings as the schema wants them');
is(got('mcp-greet@2', { x => '"' }), 'user:Second "', 'a number');
is(got('mcp-greet@latest', { x => 'y' }), 'user:Second y', 'the latest');
is(got('mcp-greet@production', { name => 'a' }), 'user:Hello a, 1 times',
   'a label');
is(got('mcp-plain'), 'user:say this', 'without arguments');

for my $case (
    [ 'no such prompt', 'mcp-not', {} ], [ 'no such number', 'mcp-greet@9', {} ],
    [ 'no such label', 'mcp-greet@x', {} ], [ 'no version', 'mcp-nothing', {} ],
    [ "another's", 'mcp-bobs', {} ], [ "another's id", $bobs, {} ],
    [ 'an id', $id, {} ], [ 'no name', '', {} ], [ 'none at all', '@', {} ],
    [ 'an argument that is missing', 'mcp-greet', {} ],
    [ 'no arguments', 'mcp-greet', undef ],
    [ 'not of the enum', 'mcp-greet', { name => 'x', n => '2' } ],
    [ 'no integer', 'mcp-greet', { name => 'x', n => 'two' } ],
    [ 'a template that lacks one', 'mcp-greet@2', {} ],
    [ 'no strings', 'mcp-greet', { name => 1 } ],
    [ 'a list', 'mcp-greet', ['name'] ], [ 'a text', 'mcp-greet', 'name' ],
    [ 'a null', 'mcp-greet', { name => undef } ],
) {
    my ($what, $name, $arguments) = @$case;

    is_error($what, got($name, $arguments), 200, -32602);
}

is_error('a name that is none', raw(PromptTest::Mcp::message('prompts/get',
    (PromptTest::Mcp::modern('prompts/get', { name => 'x' }))[0])
        =~ s/"name":"x"/"name":1/r,
    headers => (PromptTest::Mcp::modern('prompts/get', { name => '1' }))[1]),
    400, -32020);

# what stands in a message

prompt('mcp-long', {}, { content => 'last',
    messages => [ { role => 'SYSTEM', content => 'be' },
                  { role => 'USER', content => 'see', images =>
                    ['https://x.example/a.png', '{{picture}}'] },
                  { role => 'ASSISTANT', toolCalls =>
                    [ { id => 'c1', name => 'f', arguments => '{"a":1}' } ] },
                  { role => 'TOOL', toolCallId => 'c1', content => 'done' } ],
    inputSchema => { type => 'object', properties => { picture => {} } } });

is_deeply(ask('prompts/get', { name => 'mcp-long', arguments =>
              { picture => 'data:image/png;base64,iVBORw0KGgo=' } })
              ->{result}{messages},
    [ { role => 'user', content => { type => 'text', text => 'be' } },
      { role => 'user', content => { type => 'text', text => 'see' } },
      { role => 'user', content => { type => 'resource_link', name => 'image',
                                     uri => 'https://x.example/a.png' } },
      { role => 'user', content => { type => 'image', mimeType => 'image/png',
                                     data => 'iVBORw0KGgo=' } },
      { role => 'assistant', content => { type => 'text', text =>
            '{"id":"c1","name":"f","arguments":"{\\"a\\":1}"}' } },
      { role => 'user', content => { type => 'text', text => 'done' } },
      { role => 'user', content => { type => 'text', text => 'last' } } ],
    'roles, pictures, calls');

# names that a header cannot have

prompt("gr\x{fc}n", {}, {});

{
    my $text = "\"gr\\u00fcn\"";
    my ($params, $headers) = PromptTest::Mcp::modern('prompts/get', {});
    my $body = PromptTest::Mcp::message('prompts/get', $params);

    $body =~ s/"_meta"/"name":$text,"_meta"/;
    is(raw($body, headers => { %$headers, 'Mcp-Name' => '=?base64?Z3LDvG4=?=' })
           ->{result}{messages}[0]{content}{text}, 'say this', 'in Base64');
    is_error('as it is', raw($body, headers => { %$headers,
                                                 'Mcp-Name' => 'grun' }),
             400, -32020);
    is(got('mcp-plain', {}, headers => { 'Mcp-Name' =>
        '=?base64?bWNwLXBsYWlu?=' }), 'user:say this', 'also where it need not');
}

# pages

prompt("mcp-page-$_", {}, {}) for 1 .. 60;

{
    my @all = listed('prompts/list');
    my $got = ask('prompts/list');

    is(scalar @{ $got->{result}{prompts} }, 50, 'a page');
    is(scalar @all, 64, 'all pages');
    is(scalar(keys %{ { map { $_->{name} => 1 } @all } }), 64, 'each once');

    for my $cursor ('', 'x', '0', 1, [], {}, undef) {
        is_error('cursor ' . PromptTest::Json::encode([$cursor]),
                 ask('prompts/list', { cursor => $cursor }), 200, -32602);
        is_error('of tools', ask('tools/list', { cursor => $cursor }), 200,
                 -32602);
    }
}

# large schemas are walked through once, not once for each property

{
    my $text = PromptTest::Json::encode({ type => 'object',
        a => [ ('x' x 100) x 1500 ],
        required => [ map { "n$_" . 'y' x 40 } 1 .. 1000 ],
        properties => { map { ("p$_" => {}) } 1 .. 256 } });
    my %took;

    prompt("mcp-large-$_", { user => 'bob' },
           { inputSchema => PromptTest::Json::decode($text) }) for 1 .. 20;

    for my $method ('tools/list', 'prompts/list') {
        my $begun = time;

        is(ask($method, undef, key => 'bob')->{status}, 200,
           "$method of large schemas");
        $took{$method} = time - $begun;
    }

    cmp_ok($took{'prompts/list'}, '<', 4 * $took{'tools/list'} + 0.2,
           'takes as long as reading them');
}

# completion

sub completed
{
    my ($name, $argument, $value) = @_;

    return ask('completion/complete', { ref => { type => 'ref/prompt',
        name => $name }, argument => { name => $argument, value => $value } });
}

sub values_of { return join ' ', @{ completed(@_)->{result}{completion}{values} } }

is_deeply(completed('mcp-greet', 'greeting', 'H')->{result}{completion},
          { values => ['Hello', 'Hi', 'Hey'], total => 3,
            hasMore => JSON::PP::false() }, 'what begins so');
is(values_of('mcp-greet', 'n', '1'), '1 12', 'numbers');
is(values_of('mcp-greet', 'loud', 't'), 'true', 'booleans');
is(values_of('mcp-greet', 'name', ''), '', 'no enum');
is(values_of('mcp-greet', 'no', ''), '', 'no such argument');
is(values_of('mcp-greet@1', 'greeting', 'M'), 'Moin', 'of a number');
is(values_of('mcp-greet@2', 'greeting', 'M'), '', 'which has none');
is(values_of('mcp_plain', 'greeting', ''), '', 'no schema');

prompt('mcp-many', {}, { inputSchema => { type => 'object', properties =>
    { x => { enum => [ map { "v\"$_" } 1 .. 150 ] } } } });
is_deeply([ @{ completed('mcp-many', 'x', 'v"')->{result}{completion} }
              {qw(total hasMore)} ], [150, JSON::PP::true()], 'many');
is(scalar(split / /, values_of('mcp-many', 'x', 'v')), 100, 'a hundred of them');

is_error('no such prompt', completed('mcp-not', 'x', ''), 200, -32602);
is_error("another's", completed('mcp-bobs', 'x', ''), 200, -32602);
is_error('no name', completed('--', 'x', ''), 200, -32602);

for my $params ({}, { ref => 1 }, { ref => { type => 'ref/resource',
    uri => 'x' }, argument => { name => 'x', value => '' } },
    { ref => { type => 'ref/prompt', name => 1 }, argument =>
      { name => 'x', value => '' } },
    { ref => { type => 'ref/prompt', name => 'mcp-greet' }, argument => 'x' },
    { ref => { type => 'ref/prompt', name => 'mcp-greet' }, argument =>
      { name => 'x' } },
    { ref => { type => 'ref/prompt', name => 'mcp-greet' }, argument =>
      { name => 1, value => 2 } })
{
    is_error('completion of ' . PromptTest::Json::encode($params),
             ask('completion/complete', $params), 200, -32602);
}

# HTTP/2

SKIP: {
    skip('this nginx has no HTTP/2', 1) unless PromptTest::Calls::http2_listen();

    my $socket = PromptTest::Calls::http2_send($id, '/mcp');
    my $got = PromptTest::Stream::receive($socket, qr/jsonrpc.*\}\}/s, 10);

    like($got, qr/"code":-32600,"message":"\\"jsonrpc\\" must/,
         'HTTP/2 is answered, too');
}

$s->stop;
is_deeply([ $s->faults(qr/limiting requests|client intended to send/) ], [],
          'clean error log');

done_testing();
