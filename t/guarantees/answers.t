#!/usr/bin/env node
/*
 * The sum of answers: clients that do not take theirs, by windows of a byte or
 * by not reading, cost a worker no more than prompt_limits allows, of which
 * one user has a quarter, those that are being made included; others are
 * answered meanwhile, and so is the user by another key.  What is taken, reset
 * or closed is given back.
 */

'use strict';

const net = require('net');

const g = require('../lib/guarantee.js');
const users = require('../lib/users.js');
const { Raw } = require('../lib/http2.js');

const MiB = 1024 * 1024;
const share = 64 * MiB;                      /* a quarter of the default */
const room = /^Too many bytes of answers were not taken/;
const options = {
    workers: 1,
    http: `prompt_limits complexity=1000000000;
        prompt_provider slow /_provider/openai timeout=60s;
        prompt_model slow-fx:* provider=slow;`,
    postgres: '%CONNINFO% timeout=8s',
    allow: /no room for an answer|there was room for answers/
};
let port = 0;


options.before = async () => {
    const server = net.createServer();

    await new Promise((done) => server.listen(0, '127.0.0.1', done));
    port = server.address().port;
    await new Promise((done) => server.close(done));

    options.locations = `listen 127.0.0.1:${port} http2;
        keepalive_timeout 600s;`;

    return null;
};

const message = (r) => r.errors ? r.errors[0].message : '';
const connect = (window) => new Raw({ port }).open({ window });

/* a number of /metrics, which workers add to once a second */
const metric = async (name) => Number(new RegExp(`^${name} (\\d+)$`, 'm')
    .exec((await g.get('/metrics', { agent: false })).text)[1]);
const unsent = () => metric('prompt_answers_unsent_bytes');
const comes = (test) => g.until(20, async () => test(await unsent()));

/* 14 versions of 1 MiB, and a list of 500 descriptions of 1 KB */
async function fill(id) {
    await g.sql(`
INSERT INTO prompts (id, owner_id, name, category, is_public, updated_at,
                     last_version, description)
    SELECT gen_random_uuid(), '${id}', 'p-' || i, 'GENERAL', false, now(), 0,
           repeat('d', 1000) FROM generate_series(1, 500) i;
WITH p AS (INSERT INTO prompts (id, owner_id, name, category, is_public,
                                updated_at, last_version)
           VALUES (gen_random_uuid(), '${id}', 'large', 'ANALYSIS', false,
                   now(), 14) RETURNING id)
INSERT INTO prompt_versions (id, prompt_id, owner_id, version, content, params)
    SELECT gen_random_uuid(), p.id, '${id}', v, repeat(chr(96 + v), ${MiB}),
           '{}' FROM p, generate_series(1, 14) v`);
}

const long = '{ prompts(category: ANALYSIS) { versions { content } } }';
const short = '{ prompts(category: GENERAL, first: 500) { description } }';

const whole = (body) => {
    const { data } = JSON.parse(body);

    return data !== null && data.prompts.length === 1
           && data.prompts[0].versions.length === 14
           && data.prompts[0].versions.every((v, i) => v.content
                  === String.fromCharCode(97 + i).repeat(MiB));
};

/* HTTP/1.1, of which nothing is read */
function deaf(query, key) {
    const socket = g.connect();

    socket.pause();
    socket.on('error', () => {});
    socket.write(g.raw(query, {}, key));

    return socket;
}

/* what a worker has at the most, while act() runs */
async function most(pid, act) {
    let over = false;
    let peak = 0;
    const watch = (async () => {
        while (!over) {
            peak = Math.max(peak, g.memory(pid));
            await g.sleep(20);
        }
    })();

    await act();
    over = true;
    await watch;

    return peak;
}


g.main(options, async (config) => {
    const [worker] = g.workers();
    const alice = { key: config.alice_key };
    const others = await users.make(5, 'reader');
    const body = (query) => JSON.stringify({ query });
    const ask = (c, query, key) => c.request({ body: body(query), key });
    const key = async (name) => (await g.post(
        `mutation { createApiKey(input: {name: "${name}"}) { key apiKey { id } } }`,
        {}, alice)).data.createApiKey;
    const mine = await key('mine');
    const lost = await key('lost');

    await fill(config.alice_id);

    for (const other of others) {
        await fill(other.id);
    }

    const large = (await g.sql("SELECT id FROM prompts WHERE name = 'large' AND "
                               + `owner_id = '${config.alice_id}'`))[0][0];

    g.ok((await g.post(long, {}, others[0])).data, 'one that is read');
    await g.sleep(1100);

    const idle = g.memory(worker);

    /* the promise, by one who does not read, on both protocols */
    {
        const c = await connect(1);
        const sockets = [];
        const streams = [];
        let times = [];
        let lists = [];

        const peak = await most(worker, async () => {
            for (let i = 0; i < 100; i++) {
                streams.push(ask(c, long, alice.key));
            }

            for (let i = 0; i < 30; i++) {
                sockets.push(deaf(long, alice.key));
            }

            await comes((n) => n > share / 2);

            const refused = g.post(long, {}, alice);
            const thrice = g.post(`query ($id: ID!) {
                ${['a', 'b', 'c'].map((f) =>
                    `${f}: prompt(id: $id) { versions { content } }`)} }`,
                { id: large }, mine);
            const drop = await g.post(`mutation { deleteApiKey(id: "${
                lost.apiKey.id}") }`, {}, mine);

            g.ok(drop.data && drop.data.deleteApiKey && drop.ms < 5000 * g.slow,
                 'by another key, which has nothing, a key is deleted at once');
            g.ok((await g.post('{ me { id } }', {}, mine)).data,
                 'and what is short is answered');

            for (let i = 0; i < 40; i++) {
                const me = await g.post('{ me { id } }', {}, others[0]);

                times.push(me.data ? me.ms : Infinity);
                await g.sleep(20);
            }

            lists = await Promise.all(others.slice(1).map((other) =>
                g.post(long, {}, other)));

            const r = await refused;

            /* 503: while others were being made, before it was begun itself */
            g.ok([200, 503].includes(r.status)
                 && r.code === 'INTERNAL_SERVER_ERROR',
                 'over the share: refused when its time is over');
            g.ok(room.test(message(r)), 'and it says why');

            const three = await thrice;

            g.is(three.errors.map((e) => room.test(e.message)),
                 [true, true, true], 'so are three fields of one request');
            g.ok(three.ms < 14000 * g.slow, 'which wait together as long');

            const me = await g.post('{ me { id } }', {}, alice);

            g.ok(me.data || room.test(message(me)),
                 'and what is short has an answer at once');
        });

        const bytes = await unsent();

        g.diag(`idle ${idle} KiB, at most ${peak - idle} KiB more; `
               + `${bytes} bytes unsent; p99 of others' me `
               + `${g.quantile(times, 0.99).toFixed(1)} ms`);
        g.ok(bytes > 0 && bytes <= share, 'no more unsent than the share');
        g.ok(g.asan || g.valgrind || peak - idle < 256 * 1024,
             'less than 256 MiB above idle');
        g.ok(times.every((ms) => ms < 5000 * g.slow),
             "another's me is answered");
        g.is(lists.map((r) => r.data ? r.data.prompts[0].versions.length
                                     : r.errors),
             [14, 14, 14, 14], "others' long lists are answered");
        g.ok(await metric('prompt_answers_refused_total') >= 100,
             'those that were refused are counted');

        /* who wants one reads another one, and it is whole */

        const held = streams.filter((id) => c.streams.get(id).body.length);
        const waited = await metric('prompt_answers_waited_total');
        const next = g.post(long, {}, alice);

        await g.sleep(100);
        sockets.forEach((socket) => socket.destroy());
        held.forEach((id) => c.update(id, 0x7ffffff0));

        const all = await Promise.all(held.map((id) => c.ended(id)));

        g.is(all.filter((r) => room.test(message(JSON.parse(r.body)))
                               || whole(r.body)).length,
             held.length, 'what is taken later is whole, or says why not');
        g.ok(all.some((r) => r.body.length > 14 * MiB), 'some of it is long');
        g.is((await next).data && (await next).data.prompts[0].versions.length,
             14, 'who waited has an answer');
        g.ok(await metric('prompt_answers_waited_total') > waited
             || held.length === 0, 'and is counted');
        c.close();
        g.ok(await comes((n) => n === 0), 'nothing is left');
    }

    /* each way to be gone */
    for (const [what, leave] of [
        ['RST_STREAM', (c, ids) => ids.forEach((id) => c.reset(id))],
        ['the connection', (c) => c.close()]
    ]) {
        const c = await connect(1);
        const ids = Array.from({ length: 10 }, () => ask(c, long, alice.key));

        g.ok(await comes((n) => n > share / 2), `${what}: the share is used`);

        const next = g.post(long, {}, alice);

        await g.sleep(100);
        leave(c, ids);
        g.ok((await next).data, `${what}: gives room to who waits`);
        g.ok(await comes((n) => n === 0), `${what}: nothing is left`);
        c.close();
    }

    /* pieces are given back one by one */
    {
        const c = await connect(1);
        const id = ask(c, long, alice.key);

        g.ok(await comes((n) => n > 13 * MiB && n < 16 * MiB),
             'HTTP/2: all is there');
        c.update(id, 7 * MiB);
        g.ok(await comes((n) => n > 5 * MiB && n < 10 * MiB),
             'HTTP/2: half of it is taken');
        c.update(id, 20 * MiB);
        g.ok(whole((await c.ended(id)).body), 'HTTP/2: it is whole');
        c.close();

        const socket = deaf(long, alice.key);
        let length = 0;
        const chunks = [];

        g.ok(await comes((n) => n > 7 * MiB), 'HTTP/1.1: most is there');

        const reads = (test) => new Promise((done) => {
            const read = (data) => {
                chunks.push(data);
                length += data.length;

                if (test()) {
                    socket.pause();
                    socket.off('data', read);
                    done();
                }
            };

            socket.on('data', read);
            socket.on('close', done);
            socket.resume();
        });

        await reads(() => length > 10 * MiB);
        g.ok(await comes((n) => n < 5 * MiB), 'HTTP/1.1: some of it is taken');
        await reads(() => Buffer.concat(chunks.slice(-2)).toString()
                                .endsWith('"}]}]}}'));

        const text = Buffer.concat(chunks).toString();

        g.ok(whole(text.slice(text.indexOf('\r\n\r\n') + 4)),
             'HTTP/1.1: it is whole');
        socket.destroy();
        g.ok(await comes((n) => n === 0), 'nothing is left of both');
    }

    /* many that are short */
    {
        const many = [];
        const id = await g.prompt('late', '{{x}}', { model: 'slow-fx:delay=7000' },
                                  alice);
        const peak = await most(worker, async () => {
            const slow = g.execute(id, { x: 'y'.repeat(700000) }, alice);
            const two = g.post(`mutation ($id: ID!, $x: JSON!) {
                a: executePrompt(promptId: $id, input: $x) { output }
                b: executePrompt(promptId: $id, input: $x) { output } }`,
                { id, x: { x: 'y'.repeat(700000) } }, alice);

            await g.sleep(300);

            /* their plans fall out of the cache meanwhile */

            let plans = 0;

            await g.clients(1100, () => g.post(
                `{ me { id } } # ${plans++}`, {}, others[0]));

            for (let i = 0; i < 8; i++) {
                const c = await connect(1);

                many.push(c);

                for (let n = 0; n < 100; n++) {
                    ask(c, short, alice.key);
                }
            }

            await comes((n) => n > share - 2 * MiB);

            const r = await slow;

            g.is(r.code, 'INTERNAL_SERVER_ERROR', 'short: one that was under '
                 + 'way is not sent');
            g.ok(/^What was asked for was done, but its answer was not sent/
                 .test(message(r)), 'short: it says so');
            const named = (e) => e.extensions.executionIds
                                 || [e.extensions.executionId];
            const status = (ids) => g.sql('SELECT status FROM executions WHERE '
                                          + `id = ANY ('{${ids}}')`);

            g.is(await status(named(r.errors[0])), [['succeeded']],
                 'short: what it did is there, and named');

            /* the second is not asked for, or its end is where it is named */

            const both = await two;
            const ids = both.errors.flatMap(named).filter((n) => n);

            g.ok(ids.length >= 1 && (await status(ids)).length === ids.length
                 && Number((await g.sql('SELECT count(*) FROM executions WHERE '
                                        + `prompt_id = '${id}'`))[0][0])
                    === ids.length + 1,
                 'short: of two each that was paid for is named');
            g.ok((await g.post('{ me { id } }', {}, others[0])).data,
                 "short: another's me is answered");
            g.ok((await g.post(short, {}, others[0])).data,
                 "short: and another's list");
        });

        g.ok(await unsent() <= share, 'short: no more than the share');
        g.ok(g.asan || g.valgrind || peak - idle < 256 * 1024,
             'short: less than 256 MiB above idle');
        g.diag(`short: at most ${peak - idle} KiB more`);
        many.forEach((c) => c.close());
        g.ok(await comes((n) => n === 0), 'short: nothing is left');
    }

    /* those that are being made, while other fields of theirs are waited for */
    for (const [what, query] of [
        ['two long fields',
         `{ a: prompts(category: ANALYSIS) { versions(first: 7) { content } }
            b: prompts(category: ANALYSIS) { versions(first: 7) { content } } }`],
        ['a change that shows much, then a slow call',
         `mutation ($l: ID!, $s: ID!) {
            a: updatePrompt(id: $l, input: {description: "x"}) {
                versions(first: 13) { content } }
            b: executePrompt(promptId: $s, input: {x: 1}) { output } }`],
        ['an output many times, then a slow call',
         `mutation ($b: ID!, $s: ID!) {
            a: executePrompt(promptId: $b, input: {x: 1}) {
                ${Array.from({ length: 27 }, (_, i) => `o${i}: output`)} }
            b: executePrompt(promptId: $s, input: {x: 1}) { output } }`]
    ]) {
        const c = await connect(1);
        const variables = {
            l: large,
            s: await g.prompt(`slow ${what}`, '{{x}}',
                              { model: 'slow-fx:delay=4000' }, alice),
            b: await g.prompt(`big ${what}`, '{{x}}',
                              { model: 'slow-fx:big=550000' }, alice)
        };
        let said = 0;
        const peak = await most(worker, async () => {
            for (let i = 0; i < 40; i++) {
                c.request({ body: JSON.stringify({ query, variables }),
                            key: alice.key });
            }

            for (let i = 0; i < 15; i++) {
                await g.sleep(200);
                said = Math.max(said, await unsent());
            }
        });

        g.diag(`${what}: at most ${peak - idle} KiB more, ${said} bytes said`);
        g.ok(g.asan || g.valgrind || peak - idle < 256 * 1024,
             `${what}: less than 256 MiB above idle`);
        g.ok(said > 7 * MiB, `${what}: it is counted`);
        c.close();
        g.ok(await comes((n) => n === 0), `${what}: nothing is left`);
    }

    /* ends of streams that there is no room for are not counted */
    {
        const c = await connect(1);
        const id = await g.prompt('ends', '{{x}}',
                                  { model: 'slow-fx:big=3000000,plain' }, alice);
        const query = `subscription ($id: ID!) {
            executePromptStream(promptId: $id, input: {x: 1}) {
                result { a: output b: output c: output d: output } } }`;
        const ids = Array.from({ length: 12 }, () => c.request({
            body: JSON.stringify({ query, variables: { id } }), key: alice.key,
            headers: { accept: 'text/event-stream' }
        }));

        g.ok(await comes((n) => n > share / 2), 'ends: the share is used');
        g.ok(await g.until(20, async () =>
            (await g.sql('SELECT count(*) FROM executions WHERE status = '
                         + `'succeeded' AND prompt_id = '${id}'`))[0][0]
            === '12' || await unsent() > share), 'ends: all are there');
        ids.forEach((n) => c.update(n, 10));
        await g.sleep(1500);

        const n = await unsent();

        g.ok(n > 0 && n <= share, 'ends: no more than the share');
        g.ok((await g.post(long, {}, others[0])).data,
             "ends: another's long list is answered");
        c.close();
        g.ok(await comes((n) => n === 0), 'ends: nothing is left');
    }

    /* who has nothing is answered whoever has all of it */
    {
        const held = [];

        for (const other of others.slice(0, 4)) {
            const c = await connect(1);

            held.push(c);

            for (let i = 0; i < 3; i++) {
                ask(c, long, other.key);
            }

            for (let i = 0; i < 100; i++) {
                ask(c, short, other.key);
            }
        }

        await comes((n) => n > 3 * share);

        g.ok((await g.post('{ me { id } }', {}, others[4])).data,
             'all of it: what is short is answered');

        const wanted = g.post(long, {}, others[4]);

        await g.sleep(200);
        held[0].close();
        g.ok((await wanted).data, 'all of it: what is long comes when one of '
             + 'them is gone');
        held.forEach((c) => c.close());
        g.ok(await comes((n) => n === 0), 'all of it: nothing is left');
    }

    /* who waits when the worker is told to quit has an answer */
    {
        const c = await connect(1);

        for (let i = 0; i < 10; i++) {
            ask(c, long, alice.key);
        }

        await comes((n) => n > share / 2);

        const waits = g.post(long, {}, { ...alice, agent: false });

        await g.sleep(100);
        g.hup();

        const r = await waits;

        g.ok(r.data || room.test(message(r)),
             'quit: who waits has an answer');
        c.close();
        g.ok(await g.until(30, () => g.leaving().length === 0),
             'quit: and the worker leaves');
    }
});
