/*
 * What is checked over HTTP/2, in cleartext and over TLS; t/http2.t has the
 * nginx.
 *
 *     node http2-checks.js CONFIG.json
 *
 * CONFIG: plain and tls (ports; their sockets hold little), http1 (a port of
 * the same nginx), alice and bob (keys), alice_id, bob_id.  Each of the two
 * has a long list of private prompts: the descriptions of alice's are made of
 * "alice-private ", those of bob's of "bob-private ".  provider (a port) is
 * called by prompt (an id), one of bob's; slow: the machine is.  Prints TAP
 * without a plan.
 */

'use strict';

const fs = require('fs');
const http = require('http');
const http2 = require('http2');

const { Raw } = require('./http2.js');

const config = JSON.parse(fs.readFileSync(process.argv[2]));
const list = '{ prompts { description } }';
const me = '{ me { id } }';

let tests = 0;

function ok(cond, name, detail) {
    tests++;
    process.stdout.write(`${cond ? 'ok' : 'not ok'} ${tests} - ${name}\n`);

    if (!cond && detail !== undefined) {
        process.stdout.write(`# ${String(detail).slice(0, 300)}\n`);
    }
}

function is(got, want, name) {
    ok(JSON.stringify(got) === JSON.stringify(want), name,
       `got ${JSON.stringify(got)}, expected ${JSON.stringify(want)}`);
}

const bodyOf = (query) => JSON.stringify({ query });


/* HTTP/1.1, a connection of its own each: { status, body } or { broken } */

function ask(key, query) {
    return new Promise((done) => {
        const body = bodyOf(query);
        const request = http.request({
            host: '127.0.0.1', port: config.http1, path: '/graphql',
            method: 'POST', agent: false,
            headers: { 'Content-Type': 'application/json', 'X-API-Key': key,
                       'Content-Length': body.length }
        }, (response) => {
            const parts = [];

            response.on('data', (data) => parts.push(data));
            response.on('error', (e) => done({ broken: e.message }));
            response.on('end', () => done({
                status: response.statusCode,
                body: Buffer.concat(parts).toString() }));
        });

        request.on('error', (e) => done({ broken: e.message }));
        request.end(body);
    });
}

/* answered by a worker that still lives, and whose number is the same */

async function worker() {
    const r = await new Promise((done) => {
        http.get({ host: '127.0.0.1', port: config.http1, path: '/pid',
                   agent: false }, (response) => {
            let text = '';

            response.on('data', (data) => { text += data; });
            response.on('end', () => done(text));
        }).on('error', (e) => done(e.message));
    });

    return r;
}


/* how many calls the provider has received */

function provider() {
    return new Promise((done, fail) => {
        http.get({ host: '127.0.0.1', port: config.provider, agent: false,
                   path: '/_control/log' }, (response) => {
            let text = '';

            response.on('data', (data) => { text += data; });
            response.on('end', () => done(JSON.parse(text).length));
        }).on('error', fail);
    });
}


/* a request by Node's own client: { status, headers, body } */

function fetch(session, o) {
    return new Promise((done) => {
        const headers = { ':method': o.method || 'POST',
                          ':path': o.path || '/graphql',
                          ...(o.key ? { authorization: `Bearer ${o.key}` }
                                    : {}),
                          ...(o.body !== undefined
                              ? { 'content-type': 'application/json' } : {}),
                          ...(o.headers || {}) };
        const stream = session.request(headers,
                                       { endStream: o.body === undefined });
        const parts = [];
        let head = {};

        stream.on('response', (h) => { head = h; });
        stream.on('data', (data) => parts.push(data));
        stream.on('error', () => { /* 'close' follows */ });
        stream.on('close', () => done({ status: head[':status'],
                                        headers: head,
                                        body: Buffer.concat(parts)
                                                    .toString() }));

        if (o.body !== undefined) {
            stream.end(o.body);
        }
    });
}

function session(mode) {
    return new Promise((done, fail) => {
        const s = http2.connect(mode.url, { rejectUnauthorized: false });

        s.on('error', fail);
        s.on('connect', () => done(s));
    });
}


async function requests(mode) {
    const s = await session(mode);
    const key = config.alice;
    const name = (text) => `${mode.name}: ${text}`;
    const code = (r) => JSON.parse(r.body).errors[0].extensions.code;
    const mine = JSON.stringify({ data: { me: { id: config.alice_id } } });

    if (mode.tls) {
        is(s.alpnProtocol, 'h2', name('ALPN chooses h2'));
    }

    let r = await fetch(s, { key, body: bodyOf(me) });

    is([r.status, r.body, r.headers['content-type']],
       [200, mine, 'application/json; charset=utf-8'], name('POST'));

    r = await fetch(s, { key, method: 'GET', path: '/graphql?query='
                                                   + encodeURIComponent(me) });
    is([r.status, r.body], [200, mine], name('GET'));

    r = await fetch(s, { key, body: bodyOf('{ prompt(id: 1) { id } }') });
    is([r.status, code(r)], [200, 'NOT_FOUND'], name('an error of a field'));

    r = await fetch(s, { key, body: bodyOf('{ nothing }') });
    is([r.status, code(r)], [200, 'BAD_USER_INPUT'], name('a bad document'));

    r = await fetch(s, { key, body: '{' });
    is([r.status, code(r)], [400, 'BAD_USER_INPUT'], name('no JSON'));

    r = await fetch(s, { body: bodyOf(me) });
    is([r.status, code(r), r.headers['www-authenticate']],
       [401, 'UNAUTHENTICATED', 'Bearer'], name('no key'));

    r = await fetch(s, { key, body: ' '.repeat(3 << 20) });
    is([r.status, code(r)], [413, 'BAD_USER_INPUT'],
       name('a body that is too large'));

    r = await fetch(s, { key, body: '{}',
                         headers: { 'content-length': 3 << 20 } });
    is([r.status, code(r)], [413, 'BAD_USER_INPUT'],
       name('a length that is too large'));

    r = await fetch(s, { key, method: 'PUT', body: '{}' });
    is([r.status, code(r), r.headers.allow],
       [405, 'BAD_USER_INPUT', 'GET, POST'], name('PUT'));

    r = await fetch(s, { key, method: 'HEAD' });
    is([r.status, r.body], [405, ''], name('HEAD'));

    r = await fetch(s, { key, body: 'x',
                         headers: { 'content-type': 'text/plain' } });
    is([r.status, code(r)], [415, 'BAD_USER_INPUT'], name('not JSON'));

    const long = await ask(key, list);
    const many = await Promise.all(Array.from({ length: 16 }, (_, i) =>
        fetch(s, { key: i % 2 ? config.bob : key, body: bodyOf(list) })));

    is(many.filter((m, i) => i % 2 === 0 && m.body !== long.body).length, 0,
       name('a long list is the same as over HTTP/1.1'));
    is(many.filter((m, i) => m.body.includes(i % 2 ? 'alice-private'
                                                   : 'bob-private')
                             || m.status !== 200).length, 0,
       name('streams side by side have their own answers'));

    s.close();
}


/* frames that no client sends, answered all the same */

async function frames(mode) {
    const name = (text) => `${mode.name}: ${text}`;
    const key = config.alice;
    const mine = JSON.stringify({ data: { me: { id: config.alice_id } } });
    const raw = (o, settings) => new Raw({ ...mode, ...o }).open(settings);

    let c = await raw();
    let r = await c.ended(c.request({ key, body: bodyOf(me), cut: 7 }));

    is([r.status, r.body], [200, mine], name('CONTINUATION'));

    r = await c.ended(c.request({ body: bodyOf(me) }));
    is(r.status, 401, name('no key, in CONTINUATION'));
    c.close();

    /* the window opens by 1, 2, 3 bytes */
    let step = 0;

    c = await raw({ onData: (id) => c.update(id, ++step) }, { window: 0 });

    let id = c.request({ key, body: bodyOf(me) });

    await c.ping();
    c.update(id, 1);
    r = await c.ended(id);
    is([r.status, r.body], [200, mine], name('a window of some bytes'));
    ok(step > 5, name('which took many frames'), step);
    c.close();

    /* a window of nothing: an error of the stream, or of the connection */
    c = await raw({}, { window: 10 });
    id = c.request({ key, body: bodyOf(list) });
    c.update(id, 0);
    r = await c.ended(id);
    ok(r.reset !== null || r.closed, name('WINDOW_UPDATE 0 ends a stream'));
    c.close();

    c = await raw();
    id = c.request({ key, body: bodyOf(list) });
    c.update(0, 0);
    await c.until(() => c.goaway !== null);
    ok(c.goaway || c.closed, name('WINDOW_UPDATE 0 ends a connection'));
    c.close();

    /* the second one is too much, however much was sent after the first */
    c = await raw({}, { window: 0 });
    id = c.request({ key, body: bodyOf(list) });
    c.socket.cork();
    c.update(id, 0x7fffffff);
    c.update(id, 0x7fffffff);
    c.socket.uncork();
    r = await c.ended(id);
    ok(r.reset === 3 || r.closed, name('a window that is too large'));
    c.close();

    /* the client wants no more: what it asked for is answered */
    c = await raw({}, { window: 100 });
    id = c.request({ key, body: bodyOf(list) });
    await c.until(() => c.streams.get(id).body.length > 0);
    c.leave();
    c.update(id, 0x7fff0000);
    r = await c.ended(id);
    is([r.status, r.closed, r.body.length > 300000], [200, false, true],
       name('GOAWAY in the middle of an answer'));
    c.close();
}


/*
 * Others' answers are made while one hangs half-way in a full socket and its
 * stream is reset: what then comes of it is its own, and the worker lives.
 */

async function canaries(mode) {
    const name = (text) => `${mode.name}: ${text}`;
    const before = await worker();
    const all = (await ask(config.bob, list)).body;
    let foreign = null;
    let broken = 0;
    let stuck = 0;
    let wrong = 0;

    for (let i = 0; i < 12; i++) {
        const c = await new Raw(mode).open({ window: 0x7fffffff });

        c.forbid('alice-private');

        const id = c.request({ key: config.bob, body: bodyOf(list) });

        await c.until(() => c.streams.get(id).body.length > 0);
        c.hold();

        /* as much as the server can write is written by then */
        await ask(config.alice, me);
        await ask(config.alice, me);

        c.reset(id);
        await ask(config.alice, me);
        await ask(config.alice, me);

        const answers = await Promise.all(Array.from({ length: 6 }, () =>
            ask(config.alice, list)));

        broken += answers.filter((r) => r.status !== 200).length;
        stuck += c.streams.get(id).ended ? 0 : 1;

        c.go();
        broken += await c.ping() ? 0 : 1;

        const r = await c.ended(c.request({ key: config.bob,
                                            body: bodyOf(me) }));

        const own = Buffer.concat(c.streams.get(id).body).toString();

        broken += r.status === 200 ? 0 : 1;
        foreign = foreign || c.foreign;
        wrong += all.startsWith(own) ? 0 : 1;
        c.close();
    }

    is(foreign, null, name('nobody reads what is another\'s'));
    is(wrong, 0, name('what was sent of a stream is its own answer'));
    is(broken, 0, name('streams beside one that was reset are answered'));
    is(stuck, 12, name('and it was reset in the middle'));
    is(await worker(), before, name('the worker lives'));
}


/* streams and connections that end at any moment of a request */

async function departures(mode) {
    const name = (text) => `${mode.name}: ${text}`;
    const before = await worker();
    let foreign = null;
    let wrong = 0;

    const leave = async (i) => {
        const c = await new Raw(mode).open({ window: [0, 1, 5000, 0x7fffffff]
                                                     [i % 4] });

        c.forbid('alice-private');

        const ids = Array.from({ length: 8 }, (_, n) => c.request({
            key: config.bob, body: bodyOf(n % 2 ? me : list),
            half: n === 7 }));

        /* before, while and after the key is looked up and rows come */
        if (i % 3 === 1) {
            await c.ping();
        } else if (i % 3 === 2) {
            await c.until(() => c.bytes > 100);
        }

        if (i % 2) {
            ids.forEach((id) => c.reset(id));
            wrong += await c.ping() ? 0 : 1;
        }

        foreign = foreign || c.foreign;
        c.close();
    };

    for (let round = 0; round < 4; round++) {
        const [answers] = await Promise.all([
            Promise.all(Array.from({ length: 4 },
                                   () => ask(config.alice, list))),
            ...Array.from({ length: 12 }, (_, i) => leave(i))
        ]);

        wrong += answers.filter((r) => r.status !== 200
                                       || r.body.includes('bob-private'))
                        .length;
    }

    is(foreign, null, name('no byte of another\'s for who leaves'));
    is(wrong, 0, name('who stays is answered'));
    is(await worker(), before, name('the worker lives'));
}


/* a provider was asked, and is to be paid: the call is recorded, whoever left */

async function paid(mode) {
    const name = (text) => `${mode.name}: ${text}`;
    const before = await worker();
    const run = (output) => JSON.stringify({
        query: 'mutation ($id: ID!, $input: JSON!) { executePrompt(promptId: '
               + '$id, input: $input) { output } }',
        variables: { id: config.prompt, input: { text: output } } });
    const outputs = [];

    for (const way of ['resets its stream', 'closes its connection',
                       'sends GOAWAY and closes']) {
        const c = await new Raw(mode).open();
        const text = `${mode.name} ${way}`;
        const calls = await provider();
        const id = c.request({ key: config.bob, body: run(text) });

        while (await provider() === calls) {
            await ask(config.alice, me);
        }

        if (way === 'resets its stream') {
            c.reset(id);
            await c.ping();
        } else if (way === 'sends GOAWAY and closes') {
            c.leave();
        }

        c.close();
        outputs.push(text);
    }

    /* fx: answers with what it was asked, after a while */
    const wanted = '{ executions: prompt(id: "' + config.prompt + '") { '
                   + 'versions { executions { status output } } } }';
    let found = [];

    for (let i = 0; i < 500 * config.slow; i++) {
        const r = JSON.parse((await ask(config.bob, wanted)).body);

        found = r.data.executions.versions[0].executions
                 .filter((e) => e.output && e.output.includes(mode.name));

        if (found.length === outputs.length) {
            break;
        }

        await new Promise((done) => setTimeout(done, 20));
    }

    is(found.map((e) => e.status), outputs.map(() => 'succeeded'),
       name('calls of those who left are recorded with their output'));
    is(await worker(), before, name('the worker lives'));
}


/* an answer that never comes must not hold up all suites */

setTimeout(() => {
    ok(false, 'an answer did not come');
    process.exit(1);
}, 120000 * config.slow).unref();


(async () => {
    for (const mode of [
        { name: 'cleartext', port: config.plain,
          url: `http://127.0.0.1:${config.plain}` },
        { name: 'TLS', port: config.tls, tls: true,
          url: `https://127.0.0.1:${config.tls}` }
    ]) {
        await requests(mode);
        await frames(mode);
        await canaries(mode);
        await departures(mode);
        await paid(mode);
    }
})().catch((e) => ok(false, `the checks themselves: ${e.stack}`));
