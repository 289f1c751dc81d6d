#!/usr/bin/env node
/*
 * Streams of events: many at once and on one connection, cut, slow, left and
 * mixed with other requests: everybody gets their own text, whole; there is
 * one row each, the provider is left where nobody wants more, and a thousand
 * of them are small.
 */

'use strict';

const fs = require('fs');
const http2 = require('http2');
const net = require('net');

const g = require('../lib/guarantee.js');

const options = { workers: 1, connections: 4096 };
const subscription = 'subscription ($id: ID!, $in: JSON!) { '
    + 'executePromptStream(promptId: $id, input: $in) { delta result '
    + '{ output } } }';
let port = 0;


/* what came of a stream: { text, output, complete, errors } */
function parse(body) {
    const got = { text: '', output: null, complete: 0, errors: null };

    for (const block of body.split('\n\n')) {
        const data = /^data: (.*)$/m.exec(block);

        got.complete += /^event: complete$/m.test(block) ? 1 : 0;

        if (!data) {
            continue;
        }

        let value;

        try {
            value = JSON.parse(data[1]);
        } catch {
            continue;
        }

        const event = value.data && value.data.executePromptStream;

        got.errors = value.errors || got.errors;
        got.text += event && event.delta ? event.delta : '';
        got.output = event && event.result ? event.result.output : got.output;
    }

    return got;
}

const body = (id, word) => JSON.stringify({
    query: subscription, variables: { id, in: { word } } });


/* HTTP/2 */

function connect(settings) {
    const session = http2.connect(`http://127.0.0.1:${port}`, settings);

    session.on('error', () => {});
    session.setMaxListeners(1000);

    return session;
}

/* { stream, answer, begun }: begun when the first text came */
function ask2(session, id, word, path) {
    const stream = session.request({
        ':method': 'POST', ':path': path || '/graphql',
        'content-type': 'application/json', accept: 'text/event-stream',
        'x-api-key': g.config.alice_key
    });
    let begin;
    const begun = new Promise((done) => { begin = done; });
    const answer = new Promise((done) => {
        let text = '';

        stream.setEncoding('utf8');
        stream.on('data', (data) => {
            text += data;

            if (text.includes('"delta":"')) {
                begin();
            }
        });
        stream.on('error', () => {});
        stream.on('close', () => {
            begin();
            done(parse(text));
        });
    });

    stream.end(body(id, word));

    return { stream, answer, begun };
}


/* HTTP/1.1, by hand: { socket, text(), closed } */
function ask1(requests) {
    const socket = net.connect({ port: g.config.port, host: '127.0.0.1',
                                 allowHalfOpen: true });
    const got = { socket, text: '' };

    socket.setEncoding('utf8');
    socket.on('data', (data) => { got.text += data; });
    socket.on('error', () => {});
    got.closed = new Promise((done) => {
        socket.on('end', () => done(true));
        socket.on('close', () => done(true));
    });
    socket.write(requests.join(''));

    return got;
}

function request(id, word, more) {
    const o = more || {};
    const text = o.body === undefined ? body(id, word) : o.body;

    return `${o.method || 'POST'} ${o.path || '/graphql'} `
        + `HTTP/${o.version || '1.1'}\r\nHost: x\r\n`
        + `X-API-Key: ${g.config.alice_key}\r\n`
        + 'Content-Type: application/json\r\n'
        + `Accept: ${o.accept || 'text/event-stream'}\r\n`
        + (o.headers || '') + (o.close ? 'Connection: close\r\n' : '')
        + `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}

/* the answers of a connection, one after the other: { head, body } */
function answers(text) {
    const all = [];
    let rest = text;

    for ( ;; ) {
        const at = rest.indexOf('\r\n\r\n');

        if (at < 0) {
            return all;
        }

        const head = rest.slice(0, at);
        let content = '';

        rest = rest.slice(at + 4);

        if (/^transfer-encoding: chunked/mi.test(head)) {
            for ( ;; ) {
                const line = /^([0-9a-f]+)\r\n/i.exec(rest);

                if (!line) {
                    break;
                }

                const n = parseInt(line[1], 16);

                content += rest.slice(line[0].length, line[0].length + n);
                rest = rest.slice(line[0].length + n + 2);

                if (n === 0) {
                    break;
                }
            }

        } else {
            const length = /^content-length: (\d+)/mi.exec(head);
            const n = length ? Number(length[1]) : rest.length;

            content = rest.slice(0, n);
            rest = rest.slice(n);
        }

        all.push({ head, body: content });
    }
}


const rows = (id) => g.sql("SELECT status FROM executions WHERE prompt_id = "
                           + `'${id}' ORDER BY 1`)
    .then((all) => all.map((row) => row[0]));

async function ended(id, n, status, what) {
    g.ok(await g.until(30, async () => {
        const all = await rows(id);

        return all.length === n && !all.includes('running');
    }), `${what}: all have ended`);
    g.is([...new Set(await rows(id))], [].concat(status), `${what}: their rows`);
}

const posts = async () => (await g.calls()).filter((c) => c.method === 'POST');

const text = (word) => Array(20).fill(word).join(' ');


/* a hundred on one connection, each with words of its own */
async function hundred() {
    const id = await g.prompt('hundred', '{{word}}',
                              { model: 'slow-fx:pause=10' });
    const session = connect();
    const got = await Promise.all(Array.from({ length: 100 }, (_, i) =>
        ask2(session, id, text(`canary-${i}-`)).answer));

    g.is(got.filter((r, i) => r.text === text(`canary-${i}-`)
                              && r.output === r.text && r.complete === 1)
            .length, 100, 'a hundred on one connection: each gets its own');
    await ended(id, 100, 'succeeded', 'a hundred on one connection');
    session.destroy();
}


/* leave(session, calls) in the middle; a third stays unless all is said */
async function leaves(what, path, status, model, leave, stay) {
    const id = await g.prompt(what, '{{word}}', { model });
    const session = connect();

    await g.calls('clear');

    const calls = Array.from({ length: 30 }, (_, i) =>
        ask2(session, id, text(`w${i}`), path));

    await Promise.all(calls.map((c) => c.begun));
    await leave(session, calls);

    const got = await Promise.all(calls.map((c) => c.answer));

    if (stay) {
        g.is(got.filter((r, i) => stay(i) && r.output === text(`w${i}`)
                                  && r.text === r.output).length,
             got.filter((_, i) => stay(i)).length,
             `${what}: who stays gets all`);
    }

    await ended(id, 30, status, what);
    session.destroy();

    if (status === 'cancelled') {
        g.ok(await g.until(10, async () =>
                 (await posts()).every((c) => c.left)),
             `${what}: the provider is left`);
    }
}


/* no window for a while: nothing is lost, and little is kept */
async function window() {
    const id = await g.prompt('window', '{{word}}',
                              { model: 'slow-fx:words=30000' });
    const session = connect({ settings: { initialWindowSize: 0 } });
    const calls = [];

    await g.calls('clear');

    for (let i = 0; i < 3; i++) {
        calls.push(ask2(session, id, 'x'));
    }

    /* until the provider is held up */

    let sent = -1;
    let same = 0;

    await g.until(20, async () => {
        const all = await posts();
        const now = all.reduce((sum, c) => sum + (c.sent || 0), 0);

        same = now === sent && all.length === 3 && now > 0 ? same + 1 : 0;
        sent = now;

        return same >= 10;
    });

    g.ok((await posts()).every((c) => !c.finished),
         'window: the provider waits');
    session.settings({ initialWindowSize: 65535 });

    const got = await Promise.all(calls.map((c) => c.answer));

    g.is(got.filter((r) => r.text === 'word '.repeat(30000)
                           && r.output === r.text && r.complete === 1).length,
         3, 'window: opened, all of it comes');
    session.destroy();
}


/* what else a connection of HTTP/1.1 can do */
async function one() {
    const id = await g.prompt('one', '{{word}}', { model: 'slow-fx:pause=50' });
    const me = { body: '{"query":"{ me { email } }"}',
                 accept: 'application/json' };

    /* requests behind a stream, sent with it, and after it */

    let c = ask1([request(id, 'a b c'), request(id, 'd e'),
                  request(id, '', { ...me, close: true })]);

    await c.closed;

    let all = answers(c.text);

    g.is(all.map((a) => parse(a.body).text), ['a b c', 'd e', ''],
         'pipelined: one after the other');
    g.ok(all.length === 3 && /"email":/.test(all[2].body),
         'pipelined: and what is no stream');
    c.socket.destroy();

    c = ask1([request(id, 'a b')]);
    g.ok(await g.until(10, () => c.text.endsWith('0\r\n\r\n')),
         'kept alive: the end of a stream');
    c.socket.write(request(id, 'c d', { close: true }));
    await c.closed;
    g.is(answers(c.text).map((a) => parse(a.body).text), ['a b', 'c d'],
         'kept alive: another one');
    c.socket.destroy();

    /* for nginx a client that says that it will not say more has left */

    const half = await g.prompt('half', '{{word}}', { model: 'slow-fx:pause=50' });

    c = ask1([request(half, 'a b c d')]);
    await g.until(10, () => c.text.includes('"a "'));
    c.socket.end();
    g.ok(await Promise.race([c.closed, g.sleep(20000 * g.slow)]),
         'half closed: the connection ends');
    c.socket.destroy();
    await ended(half, 1, 'succeeded', 'half closed');

    /* parts of it are not to be had, nor its head; and HTTP/1.0 */

    c = ask1([request(id, 'a b', { headers: 'Range: bytes=0-3\r\n'
                                            + 'If-Range: "x"\r\n',
                                   close: true })]);
    await c.closed;
    g.ok(/^HTTP\/1\.1 200 /.test(c.text), 'Range: the whole');
    g.is(answers(c.text).map((a) => parse(a.body).text), ['a b'],
         'Range: all of it');

    c = ask1([request(id, 'a b', { method: 'HEAD', close: true })]);
    await c.closed;
    g.ok(/^HTTP\/1\.1 405 /.test(c.text), 'HEAD: 405');

    c = ask1([request(id, 'a b', { version: '1.0' })]);
    await c.closed;
    g.ok(!/chunked/i.test(c.text)
         && parse(c.text.split('\r\n\r\n').slice(1).join('')).text === 'a b',
         'HTTP/1.0: without chunks');
}


/* filters that hold back what they may */
async function filters() {
    const id = await g.prompt('filters', '{{word}}',
                              { model: 'slow-fx:pause=300' });

    for (const path of ['/sub', '/both']) {
        const c = ask1([request(id, 'one two three four',
                                { path, close: true })]);

        g.ok(await g.until(10, () => /"one |"ONE /.test(c.text)),
             `${path}: the first event comes`);
        g.ok((await posts()).some((call) => !call.finished),
             `${path}: before the last one is made`);
        await c.closed;
        g.is(parse(answers(c.text)[0].body).text, 'ONE two three four',
             `${path}: all of it`);
    }
}


/* who left, and whom nobody reads: at once, though the provider is silent */
async function silent() {
    const slow = 'slow-fx:text=one%20two,no-done,hang-on';
    const left = async (what, act) => {
        const id = await g.prompt(what, '{{word}}', { model: slow });

        await g.calls('clear');
        await act(id);
        await ended(id, 1, 'cancelled', what);
        g.ok(await g.until(10, async () =>
                 (await posts()).every((c) => c.left)),
             `${what}: the provider is left`);
    };

    for (const end of ['end', 'destroy', 'resetAndDestroy']) {
        await left(`HTTP/1.1, ${end}`, async (id) => {
            const c = ask1([request(id, 'x', { path: '/stop' })]);

            await g.until(10, () => c.text.includes('"one "'));
            c.socket[end]();
        });
    }

    await left('a request behind it', async (id) => {
        const c = ask1([request(id, 'x', { path: '/stop' }),
                        request(id, 'y')]);

        await g.until(10, () => c.text.includes('"one "'));
        c.socket.destroy();
    });

    /* a client that is there and does not read */

    const id = await g.prompt('unread', '{{word}}', { model:
        'slow-fx:text=x,repeat=7900000,each=7900000,no-done,hang-on' });

    await g.calls('clear');

    const c = ask1([]);

    c.socket.pause();
    c.socket.write(request(id, 'x', { path: '/stop' }));
    await ended(id, 1, 'cancelled', 'unread');
    g.ok(await g.until(10, async () => (await posts()).every((p) => p.left)),
         'unread: the provider is left');
    c.socket.destroy();
}


const peak = (pid) => Number(/^VmHWM:\s+(\d+)/m.exec(
    fs.readFileSync(`/proc/${pid}/status`, 'utf8'))[1]);

/* a thousand at once take 64 MiB at most; then all of them leave */
async function thousand() {
    const n = 1000;
    const id = await g.prompt('thousand', '{{word}}', { model:
        'slow-fx:text=a%20b%20c,no-done,hang-on' });
    const [worker] = g.workers();

    await g.calls('clear');
    fs.writeFileSync(`/proc/${worker}/clear_refs`, '5');

    const before = peak(worker);
    const list = Array.from({ length: n }, () =>
        ask1([request(id, 'x', { path: '/stop' })]));

    g.ok(await g.until(30, () => list.every((c) => c.text.includes('"c"'))),
         'a thousand: each gets its text');

    const grown = peak(worker) - before;

    g.diag(`a thousand streams: ${grown} KiB above idle`);
    g.ok(grown <= 64 * 1024 || g.asan || g.valgrind,
         'a thousand: 64 MiB at most');
    list.forEach((c) => c.socket.destroy());
    await ended(id, n, 'cancelled', 'a thousand');
}


options.before = async (config) => {
    port = await g.freePort();
    options.locations = `
        listen 127.0.0.1:${port} http2;
        location = /stop {
            prompt_graphql;
            prompt_abandoned stop;
            send_timeout 2s;
        }
        location = /sub {
            prompt_graphql;
            sub_filter_types text/event-stream;
            sub_filter '"one ' '"ONE ';
            sub_filter_once off;
        }
        location = /both {
            prompt_graphql;
            sub_filter_types text/event-stream;
            sub_filter '"one ' '"ONE ';
            gzip on;
            gzip_types text/event-stream;
            postpone_output 1460;
            sendfile on;
            tcp_nopush on;
            limit_rate 1m;
        }
    `;

    return null;
};

options.http = `
    http2_max_concurrent_streams 200;
    prompt_provider slow /_provider/openai timeout=300s;
    prompt_model slow-fx:* provider=slow;
`;


g.main(options, async () => {
    const cancel = http2.constants.NGHTTP2_CANCEL;
    const slow = 'slow-fx:pause=100';

    await hundred();
    await leaves('RST_STREAM', '/graphql', 'succeeded', slow, (s, calls) =>
        calls.forEach((c, i) => i % 3 !== 0 && c.stream.close(cancel)),
        (i) => i % 3 === 0);
    await leaves('GOAWAY', '/graphql', 'succeeded', slow, (s) => s.close(),
                 () => true);
    await leaves('the connection', '/graphql', 'succeeded', slow, (s) =>
        s.destroy());
    await leaves('stop, RST_STREAM', '/stop', 'cancelled', slow, (s, calls) =>
        calls.forEach((c) => c.stream.close(cancel)));
    await leaves('stop, the connection', '/stop', 'cancelled', slow, (s) =>
        s.destroy());
    await leaves('stop, in silence', '/stop', 'cancelled',
                 'slow-fx:no-done,hang-on', (s, calls) =>
        calls.forEach((c) => c.stream.close(cancel)));
    await window();
    await one();
    await filters();
    await silent();
    await thousand();
});
