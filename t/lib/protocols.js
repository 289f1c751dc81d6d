/*
 * The same call over GraphQL, OpenAI's two APIs and MCP.  Of each protocol:
 *
 *     request(prompt, word, stream)   { path, headers, body } of a call of
 *                                     { id, name }; a stream where that is
 *                                     asked for
 *     said(r), streamed(text)         what the model said, of a whole answer
 *                                     and of a whole stream; undefined, or an
 *                                     exception, where it is none of these
 *     stops                           whether a client that leaves ends the call
 */

'use strict';

const version = '2026-07-28';
const execute = 'executePrompt(promptId: $id, input: $input, subject: "s", '
    + 'metadata: { from: "test" })';

/* what the events of a stream have as JSON */
const events = (text) => text.split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice(6)));

const lastOf = (list) => list[list.length - 1];

const graphql = {
    name: 'graphql',
    request: (prompt, word, stream) => ({
        path: '/graphql',
        headers: stream ? { accept: 'text/event-stream' } : {},
        body: { query: stream
                    ? `subscription ($id: ID!, $input: JSON!) { ${
                        execute.replace('Prompt(', 'PromptStream(')
                      } { delta result { output } } }`
                    : `mutation ($id: ID!, $input: JSON!) { ${execute} `
                      + '{ output } }',
                variables: { id: prompt.id, input: { word } } }
    }),
    said: (r) => r.data.executePrompt.output,
    streamed: (text) => (/\nevent: complete\n/.test(text)
        ? lastOf(events(text)).data.executePromptStream.result.output
        : undefined)
};

const chat = {
    name: 'chat',
    request: (prompt, word, stream) => ({
        path: '/openai/v1/chat/completions', headers: {},
        body: { model: prompt.name, prompt_variables: { word }, stream,
                user: 's', metadata: { from: 'test' } }
    }),
    said: (r) => r.choices[0].message.content,
    streamed: (text) => (/\ndata: \[DONE\]\n/.test(text)
        ? events(text).map((e) => e.choices[0].delta.content || '').join('')
        : undefined)
};

const textOf = (output) => output.find((item) => item.type === 'message')
                                 .content[0].text;

const responses = {
    name: 'responses',
    request: (prompt, word, stream) => ({
        path: '/openai/v1/responses', headers: {},
        body: { prompt: { id: prompt.name, variables: { word } }, stream,
                user: 's', metadata: { from: 'test' } }
    }),
    said: (r) => textOf(r.output),
    streamed: (text) => textOf(events(text)
        .find((e) => e.type === 'response.completed').response.output)
};

/* a method of MCP on what has a name */
const method = (name, prompt, word, meta) => ({
    path: '/mcp',
    headers: { 'mcp-protocol-version': version, 'mcp-method': name,
               'mcp-name': prompt.name,
               accept: 'application/json, text/event-stream' },
    body: { jsonrpc: '2.0', id: 1, method: name,
            params: { name: prompt.name, arguments: { word },
                      _meta: {
                          'io.modelcontextprotocol/protocolVersion': version,
                          'io.modelcontextprotocol/clientCapabilities': {},
                          ...meta
                      } } }
});

const mcp = {
    name: 'mcp',
    stops: true,
    request: (prompt, word, stream) => method('tools/call', prompt, word,
        stream ? { progressToken: 7 } : {}),
    /* not called, but shown */
    get: (prompt, word) => method('prompts/get', prompt, word),
    shown: (r) => r.result.messages[0].content.text,
    said: (r) => (r.result.isError ? undefined : r.result.content[0].text),
    streamed: (text) => mcp.said(lastOf(events(text)))
};

module.exports = { graphql, chat, responses, mcp,
                   protocols: [graphql, chat, responses, mcp] };
