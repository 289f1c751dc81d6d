#!/usr/bin/env node
/*
 * Memory is short while a call is made.  Pools are so small that most of what
 * nginx or the module needs is an allocation of its own, and of several sizes,
 * so that what is not with one of them is with another.  Each connection comes
 * to its end, and what reached the provider is recorded once.
 */

'use strict';

const crypto = require('crypto');
const fs = require('fs');

const g = require('../lib/guarantee.js');

/* of the allocations of a call one in so many; all at a scale of 2 */
const step = Math.max(1, Math.round(2 / g.scale));

const sizes = [112, 128, 144, 160, 176, 192, 208, 224, 240];

const failures = {};
let file = null;

/* the numbers of lib/failing.c */
function failing(left) {
    const text = Buffer.alloc(12);

    text.writeInt32LE(left);
    text.writeInt32LE(1, 4);
    fs.writeSync(file, text, 0, 12, 0);
}

function failed() {
    const text = Buffer.alloc(12);

    fs.readSync(file, text, 0, 12, 0);

    return text.readInt32LE(8) > 0;
}

/* a request whose connection nginx has to close: what came, or null */
const ask = (id, word, streamed) => new Promise((done) => {
    const socket = g.connect();
    const timer = setTimeout(() => {
        done(null);
        socket.destroy();
    }, 10000 * g.slow);
    let text = '';

    socket.on('data', (data) => { text += data; });
    socket.on('error', () => {});
    socket.on('close', () => {
        clearTimeout(timer);
        done(text);
    });
    socket.write(g.raw(streamed
        ? 'subscription ($id: ID!, $input: JSON!) { executePromptStream('
          + 'promptId: $id, input: $input) { delta result { output } } }'
        : 'mutation ($id: ID!, $input: JSON!) { executePrompt('
          + 'promptId: $id, input: $input) { output executionId } }',
        { id, input: { word } }).replace('Host: t',
            `Host: t\r\nConnection: close${streamed
                ? '\r\nAccept: text/event-stream' : ''}`));
});


const options = {
    workers: 1,
    postgres: '%CONNINFO% connections=2 timeout=500ms connect_timeout=500ms',
    http: 'request_pool_size 112;',
    env: failures,
    allow: /\[emerg\].* (malloc|posix_memalign)\(.*\) failed/,
    before: (config) => {
        const library = `${process.env.PROMPT_BUILD
                           || `${config.root}/build`}/failing.so`;

        if (g.asan) {
            return 'sanitizers have a malloc of their own';
        }

        if (!fs.existsSync(library)) {
            return `there is no ${library}`;
        }

        const name = `${config.at}/failing`;

        fs.writeFileSync(name, Buffer.alloc(12));
        fs.chmodSync(name, 0o666);
        file = fs.openSync(name, 'r+');
        failures.LD_PRELOAD = library;
        failures.FAILING_FILE = name;

        return null;
    }
};


/* each allocation of a call in turn; those whose connection did not end */
async function sweep(id, streamed) {
    const stuck = [];
    let n = 1 + Math.floor(Math.random() * step);

    for (let quiet = 0; quiet < 3; n += step) {
        failing(n);

        if (await ask(id, crypto.randomUUID(), streamed) === null) {
            stuck.push(n);
        }

        quiet = failed() ? 0 : quiet + 1;
        failing(0);

        /* connections that went down with it come back */
        await g.until(10, async () => (await g.post('{ me { id } }', {},
                                                    { agent: false })).data);
    }

    return { n, stuck };
}


/* the same for streams */
async function streams() {
    const id = await g.prompt('streamed', '{{word}}',
                              { model: 'fx:text=one%20two%20three' });

    for (const size of [112, 176, 240]) {
        g.ok(await g.quit(20), 'nginx leaves');
        options.http = `request_pool_size ${size};`;
        await g.start(options);

        const workers = g.workers().join();
        const { n, stuck } = await sweep(id, true);

        g.is(stuck, [], `streams, pools of ${size}, ${n} allocations: each `
                        + 'connection comes to its end');
        g.is(g.workers().join(), workers, 'the worker lives');
    }

    g.ok(await g.until(20, async () => (await g.sql('SELECT count(*) FROM '
        + "executions WHERE status = 'running'"))[0][0] === '0'),
         'no execution is left');
}


/* the same for calls that are tried again, and for others in their place */
async function attempts() {
    const id = await g.prompt('tried', '{{word}}', {
        model: 'again-fx:status=503,retry-after=0',
        fallbacks: [{ model: 'fx:status=429' }, { model: 'claude-fx:ok' }]
    });

    await g.calls('clear');

    for (const size of [112, 208]) {
        g.ok(await g.quit(20), 'nginx leaves');
        options.http = `request_pool_size ${size};
            prompt_provider again /_provider/openai timeout=3s retries=2;
            prompt_model again-fx:* provider=again;`;
        await g.start(options);

        const workers = g.workers().join();
        const { n, stuck } = await sweep(id);

        g.is(stuck, [], `attempts, pools of ${size}, ${n} allocations: each `
                        + 'connection comes to its end');
        g.is(g.workers().join(), workers, 'the worker lives');
    }

    g.ok(await g.until(20, async () => (await g.sql('SELECT count(*) FROM '
        + "executions WHERE status = 'running'"))[0][0] === '0'),
         'no execution is left');

    /* where another could not be asked, what is said is of the one before */
    g.is((await g.sql('SELECT model, error FROM executions '
        + "WHERE (model LIKE 'again-%' AND error LIKE '%status 429%') "
        + "OR (model LIKE 'fx:status=429%' AND error LIKE '%status 503%') "
        + "OR (model LIKE 'claude-%' AND error ~ 'status (429|503)') LIMIT 1")),
         [], 'a failure is of the model that is named');

    const calls = new Map();

    for (const call of await g.calls()) {
        const word = call.body && call.body.messages[0].content;

        calls.set(word, (calls.get(word) || 0) + 1);
    }

    calls.delete(null);

    /* where nginx had no memory the provider was not reached */
    const rows = new Map((await g.sql("SELECT input->>'word', sum(attempts), "
        + 'count(*) FROM executions GROUP BY 1'))
        .map(([word, sum, count]) => [word, [Number(sum), Number(count)]]));

    g.is([...calls].filter(([word, n]) => !rows.has(word)
                           || rows.get(word)[0] < n || rows.get(word)[1] > 1),
         [], 'each call is counted in one row');
}


g.main(options, async () => {
    const id = await g.prompt('kept', '{{word}}', { model: 'fx:ok' });

    for (const size of sizes) {
        g.ok(await g.quit(20), 'nginx leaves');
        options.http = `request_pool_size ${size};`;
        await g.start(options);

        const workers = g.workers().join();
        const { n, stuck } = await sweep(id);

        g.is(stuck, [], `pools of ${size}, ${n} allocations: each connection `
                        + 'comes to its end');
        g.is(g.workers().join(), workers, 'the worker lives');
    }

    g.ok(await g.until(20, async () => (await g.sql('SELECT count(*) FROM '
        + "executions WHERE status = 'running'"))[0][0] === '0'),
         'no execution is left');

    /* nginx without memory leaves out a header, and with it the body */
    const rows = (await g.sql("SELECT input->>'word' FROM executions")).flat();
    const called = (await g.calls()).filter((c) => c.method === 'POST'
                                                   && c.body !== null)
        .map((c) => c.body.messages[0].content);

    g.ok(called.length > 0, 'calls were made');
    g.is(called.filter((word) => rows.filter((row) => row === word).length
                                 !== 1), [], 'each call is recorded');
    g.is(called.length, new Set(called).size, 'nothing is called twice');

    await streams();
    await attempts();
});
