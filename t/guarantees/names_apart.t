#!/usr/bin/env node
/*
 * The name of Redis moves to another server while the one before still answers,
 * and two hosts learn of it one after the other, or by a reload, or find both of
 * them: no key that was deleted through one host is let in by the other.  Names are the test's own
 * (lib/names.c), a file for each host.
 */

'use strict';

const { spawn } = require('child_process');
const fs = require('fs');
const net = require('net');

const g = require('../lib/guarantee.js');
const second = require('../lib/second.js');
const { newKey } = require('../lib/keys_harm.js');
const { ports } = require('../lib/redis_servers.js');

const name = 'redis.names.test';
const [a, b] = ['127.0.0.2', '127.0.0.3'];
const workers = 2;
const servers = [];
const files = {};                    /* by host */


const connects = (at, port) => new Promise((done) => {
    const socket = net.connect(port, at);

    socket.on('connect', () => { socket.destroy(); done(true); });
    socket.on('error', () => done(false));
});

async function server(config, at, port) {
    const dir = `${config.at}/redis-${at}`;

    fs.mkdirSync(dir);
    servers.push(spawn('redis-server', ['--bind', at, '--port', String(port),
        '--dir', dir, '--save', '', '--appendonly', 'no'],
                       { stdio: 'ignore' }));

    return g.until(10, () => connects(at, port));
}

/* what a host finds; never half of it */
function says(host, ...addresses) {
    fs.writeFileSync(`${files[host]}.new`,
                     addresses.map((at) => `${name} ${at}\n`).join(''));
    fs.renameSync(`${files[host]}.new`, files[host]);
}

/* as any worker answers */
async function ending(key, port) {
    const seen = new Set();

    await g.share(16, 64 * workers, async () => {
        seen.add(g.ending(await g.post('{ me { id } }', {},
                                       { key, port, agent: false })));
    });

    return [...seen].join(', ');
}

const remove = (id, port) => g.post(
    'mutation ($id: ID!) { deleteApiKey(id: $id) }', { id }, { port });

/* what a server answers to one command */
const ask = (at, port, command) => new Promise((done) => {
    const socket = net.connect(port, at, () =>
        socket.end(`${command}\r\nQUIT\r\n`));
    let text = '';

    socket.on('data', (data) => { text += data; });
    socket.on('close', () => done(text));
    socket.on('error', () => done(text));
});

/* deleted through one host each, and refused by the other */
async function apart(keys, port, what, size) {
    for (const { key } of keys) {
        g.is(await ending(key), '200', `${what}: a sound one is let in`);
    }

    g.is(await size(), ':0', `${what}: and kept nowhere`);

    for (const [{ key, id }, asked, other] of [[keys.pop(), port, undefined],
                                               [keys.pop(), undefined, port]]) {
        const r = await remove(id, asked);

        g.ok(r.data && r.data.deleteApiKey, `${what}: deleted`);
        g.is(await ending(key, other), '401 UNAUTHENTICATED',
             `${what}: and refused by the other`);
    }
}

/* who is connected, but for who asks */
const clients = async (at, port) => (await ask(at, port, 'CLIENT LIST'))
    .split('\n').filter((line) => /^id=/.test(line)).length - 1;


async function main() {
    const options = { workers, main: 'env NAMES_FILE;', env: {},
                      allow: /exited on signal 9/,
                      http: 'prompt_key_cache valid=2s unknown=1s;' };
    let port;

    options.before = async (config) => {
        const library = `${process.env.PROMPT_BUILD
                           || `${config.root}/build`}/names.so`;

        [port] = await ports(1);

        if (!fs.existsSync(library)) {
            return `there is no ${library}`;
        }

        if (!await server(config, a, port) || !await server(config, b, port)) {
            return 'no other address of loopback';
        }

        files.here = `${config.at}/names-here`;
        files.there = `${config.at}/names-there`;
        says('here', a);
        says('there', a);

        options.env.NAMES_FILE = process.env.NAMES_FILE = files.here;
        options.env.LD_PRELOAD = library;
        process.env.TEST_NGINX_LD_PRELOAD =
            [process.env.TEST_NGINX_LD_PRELOAD, library].join(' ').trim();
        options.redis = `${name}:${port} resolve=4s prefix=${config.prefix}`;

        return null;
    };

    await g.main(options, async (config) => {
        const other = await second.start(config, (text) => text.replace(
            'env NAMES_FILE;', `env NAMES_FILE=${files.there};`));

        g.ok(other, 'two hosts');

        const keys = [];
        const known = async () => {
            while (keys.length < 2) {
                keys.push(await newKey());
            }

            for (const { key } of keys) {
                g.is([await ending(key), await ending(key, other.port)],
                     ['200', '200'], 'a key is known to both');
            }
        };
        const at = (n, m, what) => g.until(20 * g.slow, async () =>
            await clients(a, port) === n * workers
            && await clients(b, port) === m * workers)
            .then((ok) => g.ok(ok, what));

        const size = async (address) =>
            (await ask(address, port, 'DBSIZE')).split('\r\n')[0];

        /* until then a worker that begins asks Redis nothing */

        g.ok(await g.until(20 * g.slow, async () => {
            await g.post('{ me { id } }');

            return await size(a) !== ':0';
        }), 'keys are cached');

        await known();
        says('here', b);
        await at(1, 1, 'one of them has moved');
        await apart(keys, other.port, 'moved', () => size(b));

        says('there', b);
        await at(0, 2, 'both have moved');
        g.ok(await g.until(30 * g.slow, async () => {
            await g.post('{ me { id } }');

            return await size(b) !== ':0';
        }), 'keys are cached again, in time');

        await known();
        await ask(a, port, 'FLUSHALL');
        says('here', a);
        g.hup();
        await at(1, 1, 'one of them has moved by a reload');

        /* a worker that takes another's place meanwhile is as careful */

        const [gone] = g.workers();

        process.kill(gone, 'SIGKILL');
        g.ok(await g.until(20, () => g.workers().length === workers
                                     && !g.workers().includes(gone)),
             'a worker has died, and another one begun');
        await at(1, 1, 'it has its connection');
        await apart(keys, other.port, 'reloaded', () => size(a));

        says('here', b, a);
        says('there', a, b);
        await at(2, 0, 'of two addresses both take the same');
        g.is(second.faults(config), [], 'the other host: no [alert], no [crit]');
        g.ok(await second.stop(), 'it leaves');
    });

    for (const child of servers) {
        child.kill();
    }
}


main().catch((e) => {
    g.ok(false, `threw ${e.stack}`);

    for (const child of servers) {
        child.kill();
    }

    process.exit(1);
});
