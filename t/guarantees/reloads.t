#!/usr/bin/env node
/*
 * Many reloads, while something else holds the old workers for hours: what they
 * have to PostgreSQL, to Redis and to a collector is given back as soon as they
 * do nothing for the service any more, and new workers wait for it.
 */

'use strict';

const fs = require('fs');
const http = require('http');
const net = require('net');

const g = require('../lib/guarantee.js');

const workers = 2;
const connections = 4;
const reloads = Math.round(24 * g.scale);
const sockets = new Set();
const collector = new Set();
let most = 0;

const upgrade = 'GET /upgraded HTTP/1.1\r\nHost: t\r\nUpgrade: websocket\r\n'
                + 'Connection: upgrade\r\n\r\n';

function keep(set, socket) {
    set.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => set.delete(socket));
}

/* says that it speaks another protocol from now on, and then nothing */
const silent = (port) => new Promise((done) => {
    const listener = net.createServer((socket) => {
        keep(sockets, socket);
        socket.once('data', () => socket.write(
            'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n'
            + 'Connection: upgrade\r\n\r\n'));
    });

    listener.listen(port || 0, '127.0.0.1', () => done(listener));
});

/* takes spans, and keeps its connections open */
const collecting = () => new Promise((done) => {
    const server = http.createServer({ keepAliveTimeout: 600000 }, (q, a) => {
        q.resume();
        q.on('end', () => a.end('{}'));
    });

    server.on('connection', (socket) => keep(collector, socket));
    server.listen(0, '127.0.0.1', () => done(server));
});

/* through nginx to that: n of them */
const hold = (n) => g.clients(n, () => new Promise((done) => {
    const socket = g.connect();

    keep(sockets, socket);
    socket.once('data', done);
    socket.write(upgrade);
}));

const postgres = async () => Number((await g.sql(
    "SELECT count(*) FROM pg_stat_activity WHERE usename = 'prompt_app' "
    + `AND datname = '${g.config.db}'`))[0][0]);

/* but redis-cli's own */
const redis = async () =>
    (await g.redis('CLIENT', 'LIST')).split('\n').length - 1;

/* PostgreSQL sees the end of a connection a little later than it is closed */
const within = (limit, count) => g.until(20, async () => {
    const n = await count();

    most = Math.max(most, n);
    return n <= limit;
});

async function succeeded(n, what) {
    g.is(await g.sql('SELECT status, count(*) FROM executions GROUP BY 1'),
         [['succeeded', String(n)]], `${what}: each execution has its row`);
}

const newWorkers = (old) => g.until(20, () =>
    g.workers().filter((pid) => !old.includes(pid)).length === workers);


/* each reload with a call in flight, and a connection that stays */
async function held(id) {
    const ran = g.tally();
    let fits = true;
    let n = 0;

    for (let i = 0; i < reloads && fits; i++) {
        const old = g.workers();

        await hold(4);

        const calls = g.clients(3, async () => {
            ran.add(await g.execute(id, {}, { agent: false }));
        });

        await g.until(10, async () => (await g.calls()).length === 3);
        g.hup();
        fits = await newWorkers(old) && fits;
        fits = await within(workers * connections + workers, postgres) && fits;
        await calls;
        await g.calls('clear');
        n += 3;
    }

    g.ok(fits, 'reloads: while calls end, a connection more for each of them');
    g.is(ran.seen, { 200: n }, 'reloads: calls in flight are answered');
    g.ok(g.leaving().length >= reloads,
         `reloads: ${g.leaving().length} old workers are held`);
    g.ok(await within(workers * connections, postgres),
         `reloads: connections to PostgreSQL: ${await postgres()} `
         + `(up to ${most})`);
    g.ok(await within(workers, redis),
         `reloads: connections to Redis: ${await redis()}`);
    g.ok(await g.until(20, () => collector.size <= workers),
         `reloads: connections to the collector: ${collector.size}`);
    await succeeded(n, 'reloads');
    g.ok(!/\[error\]/.test(g.log()), 'reloads: nothing failed');
}


/* old ones that are stopped give nothing back: the new ones wait for it */
async function stopped() {
    const old = g.workers();
    const seen = [];

    await g.until(20, async () => await postgres() === workers * connections);
    g.signal('SIGSTOP', old);
    g.hup();
    g.ok(await newWorkers(old), 'stopped: new workers');

    for (let i = 0; i < 20; i++) {
        await g.sleep(100);
        seen.push(await postgres());
    }

    const r = await g.post('{ me { id } }', {}, { agent: false });

    g.signal('SIGCONT', old);
    const over = (n) => n > workers * connections + workers;

    /* one that goes while another comes is seen twice */
    g.ok(!seen.some((n, i) => over(n) && (i === 0 || over(seen[i - 1]))),
         `stopped: at most one more for each of them (${seen})`);
    g.is(g.ending(r), '200', 'stopped: new workers answer');
    g.ok(await g.until(20, async () =>
        await postgres() === workers * connections),
         'stopped: later all of them are there');

    /* a killed one takes nothing along */
    g.signal('SIGKILL', g.workers()[0]);
    g.ok(await g.until(20, async () => g.workers().length === workers
                       && await postgres() === workers * connections),
         'killed: its successor has as many');
}


/* what an old worker was sent before, it answers, and connects again for it */
async function late() {
    const old = g.workers();
    const body = g.raw('{ me { id } }', {}).split('\r\n\r\n');
    const clients = await g.clients(8, () => new Promise((done) => {
        const socket = g.connect();

        keep(sockets, socket);
        socket.setEncoding('utf8');
        socket.on('connect', () => {
            socket.write(`${body[0]}\r\n`);
            done(socket);
        });
    }));

    await hold(4);
    await g.sleep(200);
    g.hup();
    await newWorkers(old);
    await g.sleep(1500);

    const said = await Promise.all(clients.map((socket) =>
        new Promise((done) => {
            let text = '';

            socket.on('data', (data) => {
                text += data;

                if (/"id":/.test(text)) {
                    done('data');
                }
            });
            socket.on('close', () => done(text));
            socket.write(`\r\n${body[1]}`);
        })));

    g.is(said, said.map(() => 'data'), 'late: a request is answered');
    g.ok(await within(workers * connections, postgres),
         `late: connections to PostgreSQL: ${await postgres()}`);
}


/* other settings, and another password say, are no other database */
async function settings() {
    const conf = `${g.config.at}/nginx.conf`;
    const text = fs.readFileSync(conf, 'utf8');
    const seen = g.tally();
    let over = false;

    const asking = g.clients(8, async () => {
        while (!over) {
            seen.add(await g.post('{ me { id } }', {}, { agent: false }));
        }
    });

    for (let i = 0; i < 4; i++) {
        const old = g.workers();

        fs.writeFileSync(conf, text.replace(/dbname=/,
                                   `application_name=n${i} dbname=`));
        g.hup();
        await newWorkers(old);
        await g.sleep(300);
    }

    over = true;
    await asking;
    fs.writeFileSync(conf, text);

    g.is(seen.others('200'), 0, `settings: all are answered (${seen})`);
    g.ok(!/is another one than before/.test(g.log()),
         'settings: it is the same database');
}


async function main() {
    const listener = await silent();
    const server = await collecting();

    await g.main({
        workers,
        allow: /exited on signal 9/,
        postgres: `%CONNINFO% connections=${connections}`,
        http: `prompt_otlp http://127.0.0.1:${server.address().port}/v1/traces `
              + 'interval=100ms;',
        locations: `location = /upgraded {
            proxy_pass http://127.0.0.1:${listener.address().port};
            proxy_http_version 1.1;
            proxy_set_header Upgrade $http_upgrade;
            proxy_set_header Connection upgrade;
            proxy_read_timeout 1h;
        }`
    }, async () => {
        const id = await g.prompt('reloads', 'x', { model: 'fx:delay=900' });

        await held(id);
        await late();
        await stopped();
        await settings();

        for (const socket of sockets) {
            socket.destroy();
        }

        g.ok(await g.until(20, () => g.leaving().length === 0),
             'the old workers go');
    });

    listener.close();
    server.close();
}


main().catch((e) => {
    g.ok(false, `threw ${e.stack}`);
    process.exit(1);
});
