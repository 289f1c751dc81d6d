#!/usr/bin/env node
/*
 * A cluster of Redis that answers nonsense: what is no map, redirections in a
 * circle, servers that are none.  Nobody waits for longer than the time of a
 * look-up, and who waits for such a one is answered also by a worker that is
 * told to quit.  Wherever it sends them, workers connect 50 times a second at
 * most.
 */

'use strict';

const { execFile } = require('child_process');
const net = require('net');

const g = require('../lib/guarantee.js');
const redis = require('../lib/redis_servers.js');
const { ctlRevokes } = require('../lib/ctl_revoke.js');

const timeout = 400;                 /* ms, of prompt_redis */
const ports = {};
const asked = [];                    /* CLUSTER SLOTS, when */
const sockets = new Set();

/* what the server answers now; by the first word */
let say = {};

const bulk = (text) => `$${Buffer.byteLength(text)}\r\n${text}\r\n`;
const node = (port, host) => `*3\r\n${bulk(host || '127.0.0.1')}:${port}\r\n`
                             + bulk('0'.repeat(40));
const range = (first, last, ...nodes) =>
    `*${2 + nodes.length}\r\n:${first}\r\n:${last}\r\n${nodes.join('')}`;
const map = (...ranges) => `*${ranges.length}\r\n${ranges.join('')}`;
const whole = () => map(range(0, 16383, node(ports.ours)));

/* of a key with a hash tag */
function slot(key) {
    let crc = 0;

    for (const byte of Buffer.from(/{(.*)}/.exec(key)[1])) {
        crc ^= byte << 8;

        for (let i = 0; i < 8; i++) {
            crc = (crc << 1 ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff;
        }
    }

    return crc % 16384;
}

/* commands are arrays of words, and come whole or not yet */
function words(text) {
    const lines = text.split('\r\n');
    const n = Number(lines[0].slice(1));

    if (lines.length < 2 * n + 2) {
        return null;
    }

    return { list: Array.from({ length: n }, (_, i) => lines[2 * i + 2]),
             rest: lines.slice(2 * n + 1).join('\r\n') };
}

function answer(list) {
    const name = list[0].toUpperCase();

    if (name === 'CLUSTER') {
        asked.push(Date.now());
    }

    if (say[name] !== undefined) {
        return typeof say[name] === 'function' ? say[name](list) : say[name];
    }

    return { PING: '+PONG\r\n', CLUSTER: whole(), GETRANGE: '$0\r\n\r\n',
             SET: '+OK\r\n', EVAL: ':1\r\n', DEL: ':1\r\n',
             ASKING: '+OK\r\n', ROLE: `*3\r\n${bulk('master')}:1\r\n*0\r\n`,
             WAIT: ':0\r\n' }[name] || '-ERR what\r\n';
}

const server = (port, act, host) => new Promise((done, fail) => {
    const listener = net.createServer((socket) => {
        let text = '';

        sockets.add(socket);
        socket.setEncoding('latin1');
        socket.on('error', () => {});
        socket.on('close', () => sockets.delete(socket));
        socket.on('data', (data) => {
            text += data;

            for (let command; act && text && (command = words(text));) {
                text = command.rest;
                socket.write(answer(command.list), 'latin1');
            }
        });
    });

    listener.on('error', fail);
    listener.listen(port, host || '127.0.0.1', () => done(listener));
});


/* n look-ups with that: all are answered, in time */
async function lookups(name, answers, n) {
    const ended = g.tally();
    let slowest = 0;

    say = answers;

    for (const socket of sockets) {
        socket.destroy();
    }

    await g.sleep(250);

    await g.clients(4, async () => {
        for (let i = 0; i < (n || 8); i++) {
            const r = ended.add(await g.post('{ me { id } }'));

            slowest = Math.max(slowest, r.ms);
        }
    });

    say = {};

    g.is(ended.others('200'), 0, `${name}: no key is refused (${ended})`);
    g.ok(slowest < (2 * timeout + 300) * g.slow,
         `${name}: in time (${slowest.toFixed(0)} ms)`);
}


async function maps() {
    const good = node(ports.ours);
    const cases = {
        'an error': '-ERR no cluster\r\n',
        nil: '*-1\r\n',
        'nothing in it': '*0\r\n',
        'a number': ':1\r\n',
        'nil in it': '*2\r\n*-1\r\n$-1\r\n',
        'nil in a range': '*1\r\n*3\r\n:0\r\n:16383\r\n*-1\r\n',
        'an empty server': map(range(0, 16383, '*0\r\n')),
        'nil as a server': map(range(0, 16383, '*2\r\n$-1\r\n$-1\r\n')),
        'numbers out of range': map(range('-9223372036854775808',
                                          '9223372036854775807', good)),
        'numbers above': map(range(16384, '9223372036854775807', good)),
        'from the end': map(range(16383, 0, good)),
        'port 0': map(range(0, 16383, node(0))),
        'port 65536': map(range(0, 16383, node(65536))),
        'a name': map(range(0, 16383, node(1, 'redis.example'))),
        'an empty name': map(range(0, 16383, node(1, ''))),
        'a long name': map(range(0, 16383, node(1, 'a'.repeat(100000)))),
        'a byte of zero': map(range(0, 16383, node(1, '127.0.0.1\0x'))),
        'an address of IPv6': map(range(0, 16383, node(1, '::1'))),
        'more that is odd': map(range(0, 16383, `*4\r\n$-1\r\n:${ports.ours}`
            + `\r\n${bulk('x')}*3\r\n${bulk('ip')}$-1\r\n:1\r\n`)),
        '2000 servers': map(...Array.from({ length: 2000 }, (_, i) =>
            range(8 * i, 8 * i + 7, node(9, `127.1.${i >> 8}.${i & 255}`)))),
        'a great number of them': '*1000000000\r\n',
        'a number too great': '*9223372036854775807\r\n',
        deep: `${'*1\r\n'.repeat(100)}:1\r\n`,
        'no protocol': 'HTTP/1.1 200 OK\r\n\r\n'
    };

    for (const [name, text] of Object.entries(cases)) {
        await lookups(`map, ${name}`, { CLUSTER: text });
    }
}


async function moves() {
    let n = 0;
    const to = (kind, where) => (list) =>
        `-${kind} ${slot(list.find((word) => word.includes('{')))} `
        + `${typeof where === 'function' ? where() : where}\r\n`;
    const cases = {
        'to itself': to('MOVED', `127.0.0.1:${ports.ours}`),
        'to where it is': to('MOVED', `:${ports.ours}`),
        'in a circle': to('MOVED', () =>
            `127.0.0.1:${[ports.ours, ports.other][n++ % 2]}`),
        'to nobody': to('MOVED', `127.0.0.1:${ports.nobody}`),
        'to a server that is silent': to('MOVED', `127.0.0.1:${ports.silent}`),
        'ever elsewhere': to('MOVED', () => `127.2.${n++ % 250}.${n % 250}:9`),
        'to a name': to('MOVED', 'redis.example:6379'),
        'to port 0': to('MOVED', '127.0.0.1:0'),
        'to ask itself': to('ASK', `127.0.0.1:${ports.ours}`),
        'to ask nobody': to('ASK', `127.0.0.1:${ports.nobody}`),
        'to ask a server that is silent':
            to('ASK', `127.0.0.1:${ports.silent}`),
        'to ask ever elsewhere': to('ASK', () =>
            `127.2.${n++ % 250}.${n % 250}:9`),
        'again and again': () => '-TRYAGAIN later\r\n'
    };

    for (const [name, act] of Object.entries(cases)) {
        await lookups(`moved ${name}`,
                      { GETRANGE: act, SET: act, EVAL: act }, 4);
    }
}


async function newKey() {
    const r = await g.post('mutation { createApiKey(input: { name: "t" }) '
                           + '{ apiKey { id } } }');

    return r.data.createApiKey.apiKey.id;
}

/* a deletion is answered all the same, when copies have expired at the latest */
async function deletions() {
    const cases = {
        'ROLE is nil': { ROLE: '*-1\r\n' },
        'ROLE has nil': { ROLE: '*3\r\n$-1\r\n$-1\r\n$-1\r\n' },
        'ROLE has nil replicas': { ROLE: `*3\r\n${bulk('master')}:1\r\n`
                                         + '*-1\r\n' },
        'WAIT is an error': { ROLE: `*3\r\n${bulk('master')}:1\r\n*1\r\n*0\r\n`,
                              WAIT: '-NOPERM no\r\n' },
        'DEL is moved to silence': { DEL: (list) =>
            `-MOVED ${slot(list[1])} 127.0.0.1:${ports.silent}\r\n` },
        'DEL is nil': { DEL: '$-1\r\n' }
    };

    for (const [name, answers] of Object.entries(cases)) {
        const id = await newKey();

        say = answers;

        const r = await g.post(
            'mutation ($id: ID!) { deleteApiKey(id: $id) }', { id });

        say = {};

        g.ok(r.data && r.data.deleteApiKey && r.ms < 4500 * g.slow,
             `${name}: deleted in time (${g.ending(r)}, `
             + `${r.ms.toFixed(0)} ms)`);
    }
}


/*
 * A slot that stays half-way: what is deleted there is deleted key by key, the
 * lease first, by promptctl as well, and confirmed.
 */
async function halfway() {
    const deleted = [];
    const names = () => deleted.map((key) => key.replace(/^.*?(\w+):{.*/, '$1'));

    say = { DEL: (list) => {
        if (list.length > 2) {
            return '-TRYAGAIN Multiple keys request during rehashing of slot'
                   + '\r\n';
        }

        deleted.push(list[1]);
        return ':1\r\n';
    } };

    const id = await newKey();
    const r = await g.post('mutation ($id: ID!) { deleteApiKey(id: $id) }',
                           { id });

    g.ok(r.data && r.data.deleteApiKey, 'half-way: deleted');
    g.is(names(), ['lease', 'key'],
         'half-way: the lease, then the entry');
    g.ok(!/did not confirm that a deleted key/.test(g.log()),
         'half-way: confirmed');

    deleted.length = 0;
    await ctlRevokes(`cluster=127.0.0.1:${ports.ours}`, 1);
    g.is(names(), ['lease', 'key'], 'half-way: promptctl likewise');
    say = {};
}


/* that a slot moves to a node which is silent is found out once, not always */
async function shut() {
    let gone = 0;

    await lookups('moves to a node that is silent', {
        GETRANGE: (list) =>
            `-ASK ${slot(list[1])} 127.0.0.1:${ports.silent}\r\n`,
        SET: (list) => {
            gone++;
            return `-ASK ${slot(list[1])} 127.0.0.1:${ports.silent}\r\n`;
        }
    }, 6);

    /* only who is not kept waiting for the entry asks for a lease */
    g.ok(gone > 0, 'moves to a node that is silent: some do not wait for it');
}


/* many sessions, and the first server that is named hangs */
async function hanging() {
    await g.sql('INSERT INTO api_keys (id, user_id, hash, name, hint, scopes, '
                + 'kind, last_used_at, expires_at, idle) '
                + `SELECT gen_random_uuid(), '${g.config.alice_id}', `
                + "sha256(n::text::bytea), 'session', '', 31, 'session', "
                + "now(), now() + interval '1 hour', "
                + "interval '1 hour' FROM generate_series(1, 12) n");

    const start = Date.now();
    const said = await new Promise((done) => {
        const child = execFile(g.built('promptctl'), [
            'user', 'password', 'alice@example.com', '--valid', '1s'
        ], { env: {
            ...process.env,
            PROMPT_REDIS: `cluster=127.0.0.1:${ports.silent},`
                          + `127.0.0.1:${ports.ours} timeout=1s`,
            PROMPT_DATABASE_URL: `host=${g.config.pg_host} user=postgres `
                                 + `dbname=${g.config.db}`
        } }, (error, out, err) => done(`${error || ''}${err}`));

        child.stdin.end('a password of a test\n');
    });
    const took = Date.now() - start;

    g.is(said, '', 'promptctl: nothing to complain of');
    g.ok(took < 7000 * g.slow, `promptctl: in time (${took} ms)`);
}


/* not oftener than 20 times a second and worker, whoever looks for a key */
async function questions() {
    say = { CLUSTER: () => map(range(0, 16383, node(ports.silent))) };
    await g.sleep(5500);
    asked.length = 0;

    let over = false;
    const clients = g.clients(8, async () => {
        while (!over) {
            await g.post('{ me { id } }');
        }
    });

    await g.sleep(2000);
    over = true;
    await clients;
    say = {};

    g.ok(asked.length <= 2 * 2 * 25,
         `who has nobody to ask does not ask all the time (${asked.length})`);
}


/* ever new servers, which are there, and know of another one each */
async function misled() {
    const hosts = Array.from({ length: 200 }, (_, i) => `127.2.0.${i + 1}`);
    let made = 0;
    let n = 0;
    let listeners;

    try {
        listeners = await Promise.all(hosts.map((host) =>
            server(ports.nobody, true, host)));
    } catch (e) {
        g.diag(`misled: no such addresses of loopback: ${e.code}`);
        return;
    }

    for (const listener of listeners) {
        listener.on('connection', () => { made++; });
    }

    const act = (list) =>
        `-MOVED ${slot(list.find((word) => word.includes('{')))} `
        + `${hosts[n++ % hosts.length]}:${ports.nobody}\r\n`;
    const start = performance.now();
    const ended = g.tally();

    say = { GETRANGE: act, SET: act, EVAL: act };

    await g.clients(8, async () => {
        while (performance.now() - start < 4000) {
            ended.add(await g.post('{ me { id } }'));
        }
    });

    say = {};

    const seconds = (performance.now() - start) / 1000;

    g.ok(made > 0 && made <= 50 * (seconds + 1),
         `misled: ${made} connections in ${seconds.toFixed(1)} s`);
    g.is(ended.others('200'), 0, `misled: no key is refused (${ended})`);

    for (const listener of listeners) {
        listener.close();
    }
}


/* a look-up is parked; its worker goes when it has been answered */
async function quitting() {
    const ended = g.tally();

    for (let i = 0; i < 6; i++) {
        await g.sleep(300);
        say = { GETRANGE: (list) =>
            `-ASK ${slot(list[1])} 127.0.0.1:${ports.silent}\r\n` };

        const requests = g.clients(4, async () => ended.add(
            await g.post('{ me { id } }', {}, { agent: false })));

        await g.sleep(50);
        g.hup();
        await requests;
        say = {};
    }

    g.is(ended.others('200'), 0,
         `a worker that quits answers those that wait (${ended})`);
}


async function main() {
    [ports.ours, ports.other, ports.nobody, ports.silent] =
        await redis.ports(4);

    const listeners = [await server(ports.ours, true),
                       await server(ports.other, true),
                       await server(ports.silent, false)];

    await g.main({
        redis: `cluster=127.0.0.1:${ports.ours} timeout=${timeout}ms`,
        http: 'prompt_key_cache valid=1s unknown=1s;'
    }, async () => {
        await lookups('all is well', {});
        await halfway();
        await shut();
        await quitting();
        await questions();
        await misled();
        await maps();
        await moves();
        await deletions();
        await hanging();
    });

    for (const listener of listeners) {
        listener.close();
    }

    for (const socket of sockets) {
        socket.destroy();
    }
}


main().catch((e) => {
    g.ok(false, `threw ${e.stack}`);
    process.exit(1);
});
