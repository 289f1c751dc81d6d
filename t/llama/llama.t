#!/usr/bin/env node
/*
 * A real server of a language model: llama.cpp's llama-server behind the
 * module, with a model of random weights (model.js).  What it answers is read
 * directly, by executePrompt and by executePromptStream: the texts are the
 * same, tokens are those of its own usage, rows say so, and their cost is
 * exact.  By hand, with `make test-llama': the server is fetched from Debian.
 */

'use strict';

const { execFileSync, spawn } = require('child_process');
const fs = require('fs');
const http = require('http');
const os = require('os');
const path = require('path');

const g = require('../lib/guarantee.js');
const { subscribe } = require('../lib/events.js');

const root = path.join(__dirname, '..', '..');
const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'llama-'));
const socket = `${dir}/llama.sock`;
const flight = 16;
const total = Math.round(1000 * g.scale);
const kinds = 40;               /* of different inputs */

const fields = 'executionId output model finishReason tokenIn tokenOut '
               + 'costUsd toolCalls { id }';
const run = 'mutation ($id: ID!, $input: JSON!) { executePrompt(promptId: '
            + `$id, input: $input) { ${fields} } }`;
const streamed = 'subscription ($id: ID!, $input: JSON!) { '
                 + 'executePromptStream(promptId: $id, input: $input) '
                 + `{ delta result { ${fields} } } }`;

const options = {};
let server = null;


/* the server */

const ask = (where, body, timeout) => new Promise((done, fail) => {
    const request = http.request({
        socketPath: socket, path: where, agent: false,
        method: body === undefined ? 'GET' : 'POST',
        headers: { 'Content-Type': 'application/json' }, timeout
    }, (response) => {
        let text = '';

        response.setEncoding('utf8');
        response.on('data', (piece) => { text += piece; });
        response.on('error', fail);
        response.on('end', () => done({ status: response.statusCode, text }));
    });

    request.on('error', fail);
    request.on('timeout', () => request.destroy(new Error('timed out')));
    request.end(body === undefined ? undefined : JSON.stringify(body));
});

async function startServer() {
    fs.rmSync(socket, { force: true });

    server = spawn(`${__dirname}/server.sh`, ['run',
        '--model', `${dir}/model.gguf`, '--host', socket, '--offline',
        '--no-ui', '--metrics', '--parallel', String(flight), '--threads', '2',
        '--ctx-size', String(flight * 16384), '--fit', 'off'],
        { stdio: ['ignore', 'ignore',
                  fs.openSync(`${dir}/server.log`, 'a')] });
    server.on('exit', () => { server = null; });

    const up = await g.until(60, async () => {
        try {
            return (await ask('/health', undefined, 1000)).status === 200;
        } catch {
            return server === null;
        }
    });

    if (!up || server === null) {
        throw new Error(`llama-server: ${
            fs.readFileSync(`${dir}/server.log`, 'utf8').slice(-1000)}`);
    }

    /* for workers of another user */
    fs.chmodSync(socket, 0o777);
}

const stopServer = (signal) => new Promise((done) => {
    if (server === null) {
        done();
        return;
    }

    server.on('exit', done);
    server.kill(signal);
});

/* what it counted itself */
async function counted() {
    const { text } = await ask('/metrics');
    const value = (name) =>
        Number(new RegExp(`^llamacpp:${name} (.*)$`, 'm').exec(text)[1]);

    return { read: value('prompt_tokens_total'),
             said: value('tokens_predicted_total') };
}

const busy = async () => JSON.parse((await ask('/slots')).text)
    .filter((slot) => slot.is_processing).length;


/* what the module should send for an input, and the server's own answer */

const params = { model: 'random', temperature: 0, max_tokens: 48 };
const input = (i) => ({ what: `number ${i * 7919}`,
                        history: [{ role: 'user', content: `Is it ${i}?` },
                                  { role: 'assistant', content: 'No.' }] });

const messages = [
    { role: 'SYSTEM', content: 'You know about {{what}}.' },
    { role: 'USER', content: 'Hello' },
    { role: 'ASSISTANT', content: 'ПриветHej, 你好' },
    { placeholder: 'history' }
];

const rendered = (i) => [
    { role: 'system', content: `You know about ${input(i).what}.` },
    { role: 'user', content: 'Hello' },
    { role: 'assistant', content: 'ПриветHej, 你好' },
    ...input(i).history,
    { role: 'user', content: `Tell me ${input(i).what}` }
];

async function direct(i, more) {
    const { status, text } = await ask('/v1/chat/completions',
        { messages: rendered(i), ...params, ...more });

    if (status !== 200) {
        throw new Error(`llama-server: ${status} ${text}`);
    }

    const { choices: [choice], usage } = JSON.parse(text);

    return { output: choice.message.content, finishReason: choice.finish_reason,
             tokenIn: usage.prompt_tokens, tokenOut: usage.completion_tokens };
}

async function prompt(name, more) {
    const id = await g.prompt(name);
    const made = await g.post('mutation ($i: CreatePromptVersionInput!) '
        + '{ createPromptVersion(input: $i) { id } }',
        { i: { promptId: id, content: 'Tell me {{what}}', messages,
               params: { ...params, ...more } } });

    if (!made.data) {
        throw new Error(`createPromptVersion: ${JSON.stringify(made)}`);
    }

    return id;
}

const told = (r) => r && { output: r.output, finishReason: r.finishReason,
                           tokenIn: r.tokenIn, tokenOut: r.tokenOut };

/* executed, or streamed: the result; a stream's text is that of its deltas */

async function executed(id, i) {
    const r = await g.post(run, { id, input: input(i) });

    return r.data ? r.data.executePrompt : { failed: r };
}

async function stream(id, i, onEvent) {
    const r = await subscribe(g.config.port, g.config.alice_key, streamed,
                              { id, input: input(i) }, { onEvent });

    return r.result && r.complete && r.result.output === r.text
           ? r.result : { failed: r };
}


/* rows */

const spent = '(token_in - coalesce(token_cached, 0)) * price_input '
    + '+ coalesce(token_cached, 0) * price_cached_input '
    + '+ token_out * price_output';

const row = async (id) => (await g.sql('SELECT status, token_in, token_out, '
    + `attempts, error FROM executions WHERE prompt_id = '${id}' `
    + 'ORDER BY id DESC LIMIT 1'))[0];

async function checkRows(what, id, results, before) {
    const rows = await g.sql("SELECT id, status, attempts, model, token_in, "
        + 'token_out, cost_usd, finish_reason FROM executions '
        + `WHERE prompt_id = '${id}' ORDER BY id`);

    g.is(rows, results.map((r) => [r.executionId, 'succeeded', '1', 'random',
                                   String(r.tokenIn), String(r.tokenOut),
                                   r.costUsd, r.finishReason])
                      .sort((a, b) => (a[0] < b[0] ? -1 : 1)),
         `${what}: a row each, that says what the client was told`);

    g.is(await g.sql('SELECT count(*) FROM executions WHERE prompt_id = '
        + `'${id}' AND cost_usd * 1000000 IS DISTINCT FROM ${spent}`), [['0']],
         `${what}: each cost is exact`);

    const after = await counted();

    g.is((await g.sql('SELECT sum(token_in - token_cached), sum(token_out), '
        + `sum(cost_usd) * 1000000 = sum(${spent}) FROM executions `
        + `WHERE prompt_id = '${id}'`))[0],
         [String(after.read - before.read), String(after.said - before.said),
          't'], `${what}: the server counted the same`);
}


/* many at once: each is what the server says when it is asked alone */
async function many(what, act, alone) {
    const id = await prompt(what);
    const before = await counted();
    const results = [];
    const wrong = [];

    await g.share(flight, total, async (n) => {
        const r = await act(id, n % kinds);

        results.push(r);

        if (JSON.stringify(told(r)) !== JSON.stringify(alone[n % kinds])) {
            wrong.push(r.failed || r);
        }
    });

    g.is(results.length, total, `${what}: ${total}, ${flight} in flight`);
    g.is(wrong.slice(0, 2), [], `${what}: texts and tokens are the server's`);
    await checkRows(what, id, results, before);
}


/* one in each way, with params of its own */
async function same(what, more, check) {
    const id = await prompt(what, more);
    const want = await direct(1, more);

    g.ok(check(want), `${what}: ${JSON.stringify(want)}`);
    g.is(told(await executed(id, 1)), want, `${what}: executed`);
    g.is(told(await stream(id, 1)), want, `${what}: streamed`);

    return want;
}


async function ways(alone) {
    const stop = [...alone[1].output].slice(6, 8).join('');
    const tools = [{ type: 'function', function: { name: 'look_up',
        description: 'Looks a word up.', parameters: { type: 'object',
            properties: { word: { type: 'string' } } } } }];
    const schema = { type: 'object', additionalProperties: false,
                     required: ['n', 'word'],
                     properties: { n: { type: 'integer', maximum: 99,
                                        minimum: 0 },
                                   word: { enum: ['漢字', 'naïve "x"'] } } };

    await same('a limit', { max_tokens: 5 }, (r) =>
        r.finishReason === 'length' && r.tokenOut === 5
        && [...r.output].length === 5);
    await same('a stop', { stop: [stop] }, (r) =>
        r.finishReason === 'stop' && alone[1].output.startsWith(r.output)
        && !r.output.includes(stop) && r.output.length < 12);
    await same('a stop at once', { stop: [[...alone[1].output][0]] }, (r) =>
        r.finishReason === 'stop' && r.output === '');
    await same('dice', { temperature: 1.5, seed: 7 }, (r) =>
        r.output !== alone[1].output);
    await same('a schema', { response_format: { type: 'json_schema',
        json_schema: { name: 'word', schema } } }, (r) => {
        const value = JSON.parse(r.output);

        return r.finishReason === 'stop' && Number.isInteger(value.n)
               && schema.properties.word.enum.includes(value.word);
    });
    await same('tools', { tools, tool_choice: 'auto' }, (r) =>
        r.tokenIn > alone[1].tokenIn);
}


/* an agent's loop goes on: a call of a tool, and what it answered */
async function tool() {
    const what = 'a tool that answered';
    const more = { tools: [{ type: 'function', function: { name: 'look_up',
        parameters: { type: 'object',
                      properties: { word: { type: 'string' } } } } }] };
    const history = [
        { role: 'user', content: 'What is a gnu?' },
        { role: 'assistant', content: null, tool_calls: [{
            id: 'call_1', type: 'function',
            function: { name: 'look_up', arguments: '{"word":"gnu"}' } }] },
        { role: 'tool', tool_call_id: 'call_1', content: 'An antelope.' }
    ];
    const id = await prompt(what, more);
    const given = { what: 'more', history };
    const want = await direct(1, { ...more, messages: [
        { role: 'system', content: 'You know about more.' },
        ...messages.slice(1, 3).map(({ role, content }) =>
            ({ role: role.toLowerCase(), content })),
        ...history, { role: 'user', content: 'Tell me more' }] });
    const r = await g.post(run, { id, input: given });
    const s = await subscribe(g.config.port, g.config.alice_key, streamed,
                              { id, input: given });

    g.is(told(r.data && r.data.executePrompt), want, `${what}: executed`);
    g.is(told(s.result), want, `${what}: streamed`);
}


/* a model that sees nothing is not asked in vain without a word */
async function picture() {
    const what = 'a picture';
    const id = await prompt(what);
    const r = await g.post(run, { id, input: { what, history: [{ role: 'user',
        content: [{ type: 'text', text: 'What is this?' },
                  { type: 'image_url', image_url: { url: 'data:image/png;base64,'
                      + 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR'
                      + '42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==' } }] }] } });
    const error = r.errors && r.errors[0];

    g.ok(error && error.extensions.reason === 'PROVIDER'
         && error.extensions.providerStatus >= 400,
         `${what}: refused: ${error && error.message}`);

    const { data } = await g.post('query ($id: ID!) { execution(id: $id) '
        + '{ status providerStatus providerMessage } }',
        { id: error.extensions.executionId });

    g.is(data.execution.status, 'failed', `${what}: recorded`);
    g.ok(/image/.test(data.execution.providerMessage),
         `${what}: with the server's words: ${
             data.execution.providerMessage}`);
}


/*
 * Who leaves a call that is stopped then: of a stream the server notices, and
 * has its slot back; an answer that it would send as a whole it finishes,
 * whoever asked.
 */
const slowly = { max_tokens: 12000, ignore_eos: true, n_probs: 100 };

async function leaves(what, act) {
    const id = await prompt(what, slowly);
    const before = await counted();

    await act(id);

    g.ok(await g.until(20, async () => (await row(id) || [])[0]
                                       === 'cancelled'),
         `${what}: the row is cancelled`);
    g.is(await g.sql('SELECT attempts, cost_usd FROM executions WHERE '
        + `prompt_id = '${id}'`), [['1', '']],
         `${what}: one call, and its cost is not known`);

    return before;
}

async function leaving(alone) {
    const stopped = 'leaving a stream';
    const before = await leaves(stopped, (id) =>
        stream(id, 1, (data, at, request) => request.destroy()));

    g.ok(await g.until(20, async () => await busy() === 0),
         `${stopped}: the slot is free`);
    g.ok((await counted()).said - before.said < slowly.max_tokens,
         `${stopped}: the server did not say all of it`);

    await leaves('leaving a call', (id) => g.post(run, { id, input: input(1) },
        { agent: false, onRequest: async (request) => {
            await g.until(20, async () => await busy() > 0);
            request.destroy();
        } }));

    const id = await prompt('after leaving');

    g.is(told(await executed(id, 1)), alone[1], 'after leaving: as before');
}


/* what the server refuses, and its end in the middle */
async function faults(alone) {
    const id = await prompt('too much');
    const large = { what: 'x'.repeat(40000) };
    const r = await g.post(run, { id, input: large });
    const s = await subscribe(g.config.port, g.config.alice_key, streamed,
                              { id, input: large });

    g.ok(r.errors && /400/.test(r.errors[0].message),
         `too much: ${r.errors && r.errors[0].message}`);
    g.is(s.errors && s.errors[0].message, r.errors[0].message,
         'too much: a stream says the same');
    g.is((await row(id)).slice(0, 4), ['failed', '', '', '1'],
         'too much: recorded');

    const cut = await prompt('cut', slowly);
    let heard = 0;
    const { failed } = await stream(cut, 1, (data) => {
        if (heard++ === 0 && data.data) {
            stopServer('SIGKILL');
        }
    });

    g.ok(failed && failed.errors && failed.complete && failed.text !== '',
         `cut: ${failed && failed.errors && failed.errors[0].message}`);
    g.ok(await g.until(10, async () => (await row(cut))[0] === 'failed'),
         'cut: recorded');
    g.is(await g.sql('SELECT output FROM executions WHERE prompt_id = '
        + `'${cut}'`), [[failed && failed.text]], 'cut: with the text so far');

    await startServer();

    const again = await prompt('again');

    g.is(told(await executed(again, 1)), alone[1],
         'again: answers come when the server does');
}


options.before = async () => {
    try {
        execFileSync(`${__dirname}/server.sh`, ['fetch'],
                     { stdio: ['ignore', 'ignore', 'pipe'] });
    } catch (e) {
        return `llama-server cannot be had: ${
            String(e.stderr).trim().replace(/\s*\n\s*/g, '; ')}`;
    }

    /* nobody is the worker's user */
    fs.chmodSync(dir, 0o755);
    execFileSync('node', [`${root}/t/llama/model.js`, `${dir}/model.gguf`]);
    await startServer();

    return null;
};

options.http = `
    prompt_abandoned stop;
    prompt_provider llama /_provider/llama timeout=60s
                    allow=ignore_eos,n_probs;
    prompt_model random provider=llama input=0.15 output=0.60
                 cached_input=0.075;`;

options.locations = `
        location = /_provider/llama {
            internal;
            proxy_pass http://unix:${socket}:/v1/chat/completions;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
        }`;

process.on('exit', () => {
    if (server !== null) {
        server.kill('SIGKILL');
    }

    fs.rmSync(dir, { recursive: true, force: true });
});


g.main(options, async () => {
    const alone = [];

    for (let i = 0; i < kinds; i++) {
        alone.push(await direct(i));
    }

    g.ok(new Set(alone.map((r) => r.output)).size > kinds / 2,
         'answers depend on what is asked');
    g.ok(['stop', 'length'].every((why) =>
             alone.some((r) => r.finishReason === why)),
         'some end by themselves, some by their limit');

    await many('executed', executed, alone);
    await many('streamed', stream, alone);
    await ways(alone);
    await tool();
    await picture();
    await leaving(alone);
    await faults(alone);
    await stopServer('SIGTERM');
});
