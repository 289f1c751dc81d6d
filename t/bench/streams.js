#!/usr/bin/env node
/*
 * Streams through an nginx that runs: how long a first piece of text is on its
 * way, and what a worker needs for many streams at once.
 *
 *     node t/bench/streams.js PORT PROVIDER KEY PROMPT first COUNT
 *     node t/bench/streams.js PORT PROVIDER KEY PROMPT growth COUNT PID
 *
 * PORT is nginx's, PROVIDER the port at which this program is the provider of
 * the prompt's model, PID the worker's.  Provider and client are one process,
 * and so have one clock: the provider writes into its text at what time it was
 * sent, and the client reads it there.  Prints one line of JSON.
 *
 *     first   { module: [MS...], plain: [MS...] }: one at a time, in turns
 *             through the module and through /plain, a proxy_pass of the same
 *             provider that buffers nothing
 *     growth  { idle, open, said, again }: KiB that the worker has for itself
 *             before, when all streams have had their first text, when each
 *             has said 64 more, and when as many others have after them
 */

'use strict';

const fs = require('fs');
const http = require('http');

const { subscribe } = require('../lib/events.js');

const [port, provider, key, prompt, what, count, pid] = process.argv.slice(2);
const query = 'subscription ($id: ID!) { executePromptStream(promptId: $id, '
              + 'input: {text: "a", audience: "b"}) { delta result { '
              + 'executionId } } }';
const agent = new http.Agent({ keepAlive: true, maxSockets: 4 });

const sleep = (ms) => new Promise((done) => setTimeout(done, ms));


/* the provider: answers that are open, and those who wait for the next one */

const open = new Set();
const waiting = [];

const chunk = (choices, more) => `data: ${JSON.stringify({
    id: 'chatcmpl-bench', object: 'chat.completion.chunk', created: 1795219200,
    model: 'bench-stream', choices, ...more })}\n\n`;

const say = (response, content) => response.write(chunk(
    [{ index: 0, delta: { content }, finish_reason: null }]));

function end(response) {
    open.delete(response);
    response.write(chunk([{ index: 0, delta: {}, finish_reason: 'stop' }]));
    response.write(chunk([], { usage: { prompt_tokens: 10,
                                        completion_tokens: 10 } }));
    response.end('data: [DONE]\n\n');
}

const server = http.createServer({ keepAliveTimeout: 60000 },
                                 (request, response) => {
    request.resume();
    request.on('end', () => {
        response.setHeader('Content-Type', 'text/event-stream');
        open.add(response);
        response.on('close', () => open.delete(response));

        if (waiting.length > 0) {
            waiting.shift()(response);
        }
    });
});

const asked = () => new Promise((done) => waiting.push(done));


/* text that was sent at a time; how long ago that was */

const sent = (text) => Number(/at=([\d.]+)/.exec(text)[1]);

async function speak(coming, arrived) {
    const response = await coming;

    /* all is quiet, and then it speaks */

    await sleep(2);
    say(response, `at=${performance.now()}`);

    const ms = await arrived;

    end(response);

    return ms;
}

/* { ms, over }: both are promises */

function byModule() {
    let told;
    const ms = new Promise((done) => { told = done; });

    return { ms, over: subscribe(port, key, query, { id: prompt }, {
        agent,
        onEvent: (data, at) => {
            const event = data.data && data.data.executePromptStream;

            if (event && event.delta) {
                told(at - sent(event.delta));
            }
        }
    }) };
}

function byProxy() {
    let told;
    const ms = new Promise((done) => { told = done; });
    const over = new Promise((done, fail) => {
        const request = http.request({
            host: '127.0.0.1', port, path: '/plain', method: 'POST', agent,
            headers: { 'Content-Type': 'application/json' }
        }, (response) => {
            let text = '';

            response.setEncoding('utf8');
            response.on('data', (piece) => {
                const at = performance.now();

                text += piece;

                if (text.includes('at=')) {
                    told(at - sent(text));
                }
            });
            response.on('end', done);
        });

        request.on('error', fail);
        request.end('{}');
    });

    return { ms, over };
}

async function first() {
    const times = { module: [], plain: [] };

    for (let i = 0; i < Number(count); i++) {
        for (const [name, start] of [['module', byModule],
                                     ['plain', byProxy]]) {
            const coming = asked();
            const { ms, over } = start();

            times[name].push(await speak(coming, ms));
            await over;
        }
    }

    return times;
}


/* what a process has that no other has, KiB */
function memory() {
    const text = fs.readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');

    return Number(/^Private_Dirty:\s+(\d+)/m.exec(text)[1]);
}

/* n streams, until each has had its first text; told when all are over */
async function openMany(n) {
    let had = 0;
    const all = [];

    for (let i = 0; i < n; i++) {
        const coming = asked();
        let told;
        const heard = new Promise((done) => { told = done; });

        all.push(subscribe(port, key, query, { id: prompt },
                           { onEvent: () => { had++; told(); } }));
        say(await coming, 'word ');
        await heard;
    }

    return { all, had: () => had };
}

/* as many as are asked for: the worker's memory while they are there */
async function many(n) {
    const words = 64;
    const { all, had } = await openMany(n);
    const opened = memory();

    for (let i = 0; i < words; i++) {
        const want = had() + n;

        open.forEach((response) => say(response, 'a word more '));

        while (had() < want) {
            await sleep(5);
        }
    }

    const said = memory();

    [...open].forEach(end);

    const bad = (await Promise.all(all)).find((r) => !r.result || !r.complete);

    if (bad) {
        throw new Error(`a stream ended so: ${JSON.stringify(bad)}`);
    }

    await sleep(500);

    return { open: opened, said };
}

async function growth() {
    /* what is made once is there already */

    await many(4);

    const idle = memory();
    const result = await many(Number(count));

    return { idle, ...result, again: (await many(Number(count))).said };
}


/* whatever hangs, this does not */
setTimeout(() => {
    process.stderr.write('streams.js: it takes too long\n');
    process.exit(1);
}, 180000).unref();

server.listen(Number(provider), '127.0.0.1', 4096, async () => {
    try {
        const result = what === 'first' ? await first() : await growth();

        process.stdout.write(`${JSON.stringify(result)}\n`);
        process.exit(0);

    } catch (error) {
        process.stderr.write(`streams.js: ${error.stack}\n`);
        process.exit(1);
    }
});
