#!/usr/bin/env node
/*
 * All ways in are one: over GraphQL, OpenAI's API and MCP the same call leaves
 * the same row, asks the provider once whatever its client does, is done once
 * under a key, and nobody reads another's bytes.
 */

'use strict';

const fs = require('fs');
const http2 = require('http2');

const g = require('../lib/guarantee.js');
const { protocols, chat, responses, mcp } = require('../lib/protocols.js');

const options = {};
const schema = { type: 'object', properties: { word: { type: 'string' } } };
let port = 0;


/* sends it: { status, text, headers } or { broken } */
async function send(protocol, prompt, word, options) {
    const o = options || {};
    const { path, headers, body } = protocol.request(prompt, word,
                                                     Boolean(o.stream));
    const r = await g.request(JSON.stringify(body), {
        agent: o.agent, key: o.key, path,
        headers: { ...headers, ...(o.headers || {}) }, onRequest: o.onRequest
    });

    /* what JSON has under these names is not the request's */
    return { ...r, status: r.http,
             text: r.text === undefined ? JSON.stringify(r) : r.text };
}

const raw = (protocol, prompt, word, stream) => {
    const { path, headers, body } = protocol.request(prompt, word, stream);
    const text = JSON.stringify(body);
    const lines = Object.entries({
        Host: 'localhost', 'X-API-Key': g.config.alice_key,
        'Content-Type': 'application/json',
        'Content-Length': Buffer.byteLength(text), ...headers
    }).map(([name, value]) => `${name}: ${value}`);

    return `POST ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${text}`;
};

async function make(name, params, options) {
    const id = await g.prompt(name);
    const r = await g.post(
        'mutation ($input: CreatePromptVersionInput!) '
        + '{ createPromptVersion(input: $input) { id } }',
        { input: { promptId: id, content: '{{word}}', params,
                   inputSchema: schema, ...(options || {}) } });

    if (!r.data) {
        throw new Error(`createPromptVersion: ${JSON.stringify(r)}`);
    }

    return { id, name };
}

const asked = async () => (await g.calls())
    .filter((c) => c.method === 'POST')
    .map((c) => c.body.messages[0].content);

const rows = async (prompt) => g.sql(
    "SELECT input->>'word', status, finished_at IS NOT NULL FROM executions "
    + `WHERE prompt_id = '${prompt.id}'`);

const over = (prompt) => g.until(20, async () =>
    (await rows(prompt)).every(([, status]) => status !== 'running'));


/* what log_format has of the last request, when it is written */
async function logged(n) {
    let lines = [];

    await g.until(20, async () => {
        lines = fs.readFileSync(`${g.config.at}/ways.log`, 'utf8')
                  .split('\n').filter((line) => line.includes('executePrompt'));

        return lines.length >= n;
    });

    return lines[n - 1];
}


/* the same call leaves the same row, and the same line */
async function same() {
    const prompt = await make('same-row', { model: 'fx:usage=100:50' });
    const columns = 'prompt_id, version, executed_by, by_owner, status, '
        + 'input::text, output, model, label, attempts, token_in, token_out, '
        + 'cost_usd, finish_reason, subject, metadata::text, '
        + 'appended IS NULL, provider_status';
    const found = [];
    const lines = [];

    for (const stream of [false, true]) {
        for (const protocol of protocols) {
            const r = await send(protocol, prompt, 'same', { stream });

            g.is(r.status, 200, `${protocol.name}: answered`);

            lines.push((await logged(lines.length + 1) || 'none')
                       .replace('PromptStream', 'Prompt'));

            const [row] = await g.sql(`SELECT ${columns} FROM executions `
                + `WHERE prompt_id = '${prompt.id}' ORDER BY id DESC LIMIT 1`);

            /* MCP has no members for whose sake it is, and what is noted */
            found.push(protocol === mcp
                       ? row.map((cell, i) => (i === 14 ? 's' : i === 15
                                               ? found[0][15] : cell))
                       : row);
        }
    }

    g.is(found.map((row) => row.join('|')),
         found.map(() => found[0].join('|')), 'each leaves the same row');
    g.is(Number(found[0][12]), 0.000045, 'with its cost');
    g.is(lines, lines.map(() => lines[0]), 'and the same line in the log');
    g.ok(/^executePrompt \S{36} \S{36} fx:usage=100:50 0\.000045 100 50 -$/
         .test(lines[0]), `which says what it was: ${lines[0]}`);

    /* the label that they mean, where it is set */
    await g.post('mutation ($id: ID!) { setPromptLabel(promptId: $id, '
                 + 'label: "production", version: 1) { label } }',
                 { id: prompt.id });
    await g.version(prompt.id, 'no longer: {{word}}', { model: 'fx:echo' });

    for (const protocol of [chat, responses, mcp]) {
        await send(protocol, prompt, 'labelled');
        g.is(await g.sql('SELECT version, label FROM executions WHERE '
                 + `prompt_id = '${prompt.id}' ORDER BY id DESC LIMIT 1`),
             [['1', 'production']], `${protocol.name}: production`);
    }
}


/* clients leave at any moment: what the provider was asked has its one row */
async function leave(protocol, stream) {
    const what = `${protocol.name}${stream ? ', streamed' : ''}, leaving`;
    const prompt = await make(what.replace(/\W+/g, '-'),
                              { model: 'fx:delay=100' });
    const total = Math.round(48 * g.scale);
    let whole = 0;
    let stayed = 0;

    await g.calls('clear');

    await g.share(16, total, (i) => new Promise((done) => {
        const socket = g.connect();
        const way = g.any(['destroy', 'reset', 'end', 'stay']);
        let text = '';

        stayed += way === 'stay' ? 1 : 0;

        socket.on('data', (data) => {
            text += data;

            if (/\r\n\r\n/.test(text) && (/\r\n0\r\n\r\n$/.test(text)
                                          || /\}\s*$/.test(text))) {
                whole++;
                socket.destroy();
            }
        });
        socket.on('error', () => {});
        socket.on('close', done);
        socket.write(raw(protocol, prompt, `w${i}`, stream));

        setTimeout(() => {
            if (way === 'destroy') {
                socket.destroy();
            } else if (way === 'reset') {
                socket.resetAndDestroy();
            } else if (way === 'end') {
                socket.end();
                setTimeout(() => socket.destroy(), 1000);
            }
        }, Math.random() * 200);
    }));

    g.ok(await over(prompt), `${what}: nothing keeps running`);

    const calls = await asked();
    const found = await rows(prompt);
    const of = (word) => found.filter(([w]) => w === word).length;

    g.ok(whole >= stayed, `${what}: who stays is answered`);
    g.is(calls.filter((word) => of(word) !== 1), [],
         `${what}: each call has one row`);
    g.is(calls.length, new Set(calls).size, `${what}: none is made twice`);
    g.is(found.filter(([, status, finished]) => finished !== 't'
             || !(status === 'succeeded'
                  || (protocol.stops && status === 'cancelled'))), [],
         `${what}: all rows are final`);
}


/* reloads while calls are made */
async function reloads() {
    const prompt = await make('reloads', { model: 'fx:delay=300' });
    const tallies = protocols.map(() => g.tally());
    let ended = false;

    await g.calls('clear');

    const load = g.clients(2 * protocols.length, async (i) => {
        const n = i % protocols.length;
        const stream = i >= protocols.length;

        while (!ended) {
            const r = await send(protocols[n], prompt, `${i}`,
                                 { stream, agent: false });

            tallies[n].add(r.broken || r.status !== 200
                           || /"errors?":[{[]/.test(r.text)
                           ? { ...r, status: r.status || 0,
                               code: 'failed' } : { status: 200 });
        }
    });

    for (let i = 0; i < Math.round(5 * g.scale); i++) {
        await g.sleep(400);
        g.hup();
    }

    await g.sleep(500);
    ended = true;
    await load;

    protocols.forEach((protocol, n) => {
        g.diag(`${protocol.name}: ${tallies[n]}`);
        g.is(tallies[n].others('200'), 0, `${protocol.name}: reloads harm none`);
    });

    g.is((await asked()).length, (await rows(prompt)).length,
         'reloads: a row for each call');
}


/* a key is done once, whole and streamed, and by one protocol at a time */
async function once() {
    const prompt = await make('once', { model: 'fx:delay=200' });

    for (const protocol of protocols) {
        for (const stream of [false, true]) {
            const what = `${protocol.name}${stream ? ', streamed' : ''}`;
            const headers = { 'Idempotency-Key': `once-${protocol.name}-${stream}` };
            const word = `once ${what}`;

            await g.calls('clear');

            const first = await g.clients(8, () =>
                send(protocol, prompt, word, { stream, headers }));
            const again = await send(protocol, prompt, word,
                                     { stream, headers });

            g.ok(first.every((r) => r.status === 200 || r.status === 409),
                 `${what}, once: told, or told to wait`);
            g.ok(first.some((r) => r.status === 200),
                 `${what}, once: it is done`);
            g.is(again.status, 200, `${what}, once: told again`);
            g.is(again.headers['idempotency-replayed'], 'true',
                 `${what}, once: and says so`);
            g.is((await asked()).length, 1, `${what}, once: one call`);
            g.is((await rows(prompt)).filter(([w]) => w === word).length, 1,
                 `${what}, once: one row`);

            const other = await send(protocol, prompt, `${word} other`,
                                     { stream, headers });

            g.is(other.status, 422, `${what}, once: not for something else`);
        }
    }
}


/* streams are reset in the middle while others' answers are on their way */
async function bytes() {
    const session = http2.connect(`http://127.0.0.1:${port}`,
                                  { settings: { initialWindowSize: 700 } });
    const wrong = [];
    const whole = {};

    session.on('error', () => {});

    const prompt = await make('bytes', { model: 'fx:echo' });

    const ask = (protocol, i, stream) => new Promise((done) => {
        const word = `canary-${i}-`.repeat(200);
        const { path, headers, body } = protocol.request(prompt, word, stream);
        const request = session.request({
            ':method': 'POST', ':path': path,
            'content-type': 'application/json',
            'x-api-key': g.config.alice_key, ...headers
        });
        let text = '';

        request.setEncoding('utf8');
        request.on('data', (data) => {
            text += data;

            if (i % 3 === 0 && text.length > 500) {
                request.close(http2.constants.NGHTTP2_CANCEL);
            }
        });
        request.on('error', () => {});
        request.on('close', () => {
            for (const [, n] of text.matchAll(/canary-(\d+)-/g)) {
                if (Number(n) !== i) {
                    wrong.push([protocol.name, i, n]);
                    break;
                }
            }

            whole[protocol.name] = (whole[protocol.name] || 0)
                                   + (text.includes(word) ? 1 : 0);
            done();
        });
        request.end(JSON.stringify(body));
    });

    const total = Math.round(96 * g.scale);

    await g.share(24, total, (i) =>
        ask(protocols[i % protocols.length], i, i % 8 > 3));
    session.destroy();

    g.is(wrong, [], 'bytes: nobody reads another\'s');
    g.ok(protocols.every(({ name }) => whole[name] > 0),
         'bytes: of each protocol some came whole');
    g.diag(JSON.stringify(whole));
}


options.http = 'log_format ways "$prompt_operation $prompt_user_id '
    + '$prompt_key_id $prompt_model $prompt_cost_usd $prompt_tokens_in '
    + '$prompt_tokens_out $prompt_error_code";';

options.before = async (config) => {
    port = await g.freePort();
    options.locations = `
        access_log ${config.at}/ways.log ways;
        listen 127.0.0.1:${port} http2;
        location /openai/v1/ { prompt_openai; }
        location = /mcp { prompt_mcp; }
    `;

    return null;
};

g.main(options, async () => {
    await same();

    for (const protocol of [chat, responses, mcp]) {
        await leave(protocol, false);
        await leave(protocol, true);
    }

    await reloads();
    await once();
    await bytes();
});
