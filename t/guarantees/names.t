#!/usr/bin/env node
/*
 * PostgreSQL and Redis, called by names, move to another address: nobody
 * reloads nginx, no request fails where both addresses serve for a while, and
 * where the old one is gone the new one is found.  By libc, whose names are the
 * test's own (lib/names.c), and by nginx's resolver.
 */

'use strict';

const fs = require('fs');
const net = require('net');

const dns = require('../lib/dns.js');
const g = require('../lib/guarantee.js');

const [a, b] = ['127.0.0.2', '127.0.0.3'];
const db = 'db.names.test';
const redis = 'redis.names.test';
const workers = 2;
const connections = 4;

/* by service: port, and what is connected at each address */
const servers = { [db]: {}, [redis]: {} };
let file = null;

/* both services at that address pass on what comes to where they are */
const listen = (name, at) => new Promise((done, fail) => {
    const server = servers[name];
    const sockets = new Set();
    const listener = net.createServer((socket) => {
        const to = net.connect(server.path);

        for (const [one, other] of [[socket, to], [to, socket]]) {
            one.on('error', () => {});
            one.on('close', () => {
                sockets.delete(socket);
                other.destroy();
            });
        }

        sockets.add(socket);
        socket.pipe(to).pipe(socket);
    });

    listener.on('error', fail);
    listener.listen(server.port || 0, at, () => {
        server.port = listener.address().port;
        server[at] = { listener, sockets };
        done();
    });
});

const serve = (at) => Promise.all([listen(db, at), listen(redis, at)]);

function close(at) {
    for (const server of Object.values(servers)) {
        server[at].listener.close();

        for (const socket of server[at].sockets) {
            socket.destroy();
        }
    }
}

/* what libc finds; "-": nothing.  Never half of it. */
function name(address) {
    fs.writeFileSync(`${file}.new`, `${db} ${address}\n${redis} ${address}\n`);
    fs.renameSync(`${file}.new`, file);
}

const seen = () => [a, b].map((at) => [servers[db], servers[redis]]
    .map((server) => (server[at] ? server[at].sockets.size : 0)));

/* all are there, and none at the other address */
async function at(address, what) {
    const all = [workers * connections, workers];
    const want = JSON.stringify(address === a ? [all, [0, 0]] : [[0, 0], all]);

    g.ok(await g.until(30, () => JSON.stringify(seen()) === want),
         `${what}: at ${address} alone (${JSON.stringify(seen())})`);
}

/* while act() runs */
async function meanwhile(what, act) {
    const ended = g.tally();
    let over = false;
    const clients = g.clients(4, async () => {
        while (!over) {
            ended.add(await g.post('{ me { id } prompts(first: 3) { id } }'));
        }
    });

    await act();
    over = true;
    await clients;
    g.is(ended.others('200'), 0, `${what}: all are answered (${ended})`);
}

const answers = () => g.until(30, async () =>
    g.ending(await g.post('{ me { id } prompts(first: 3) { id } }',
                          {}, { agent: false })) === '200');


/* as somebody else says where they are */
async function moves(how, say) {
    await at(a, `${how}, at first`);

    await meanwhile(`${how}, moved`, async () => {
        say(b);
        await at(b, `${how}, moved`);
    });

    /* gone, and named elsewhere only then */
    close(b);
    await g.sleep(1500);
    say(a);
    g.ok(await answers(), `${how}, gone: it answers again`);
    await at(a, `${how}, gone`);
    g.is(g.log().split('\n').filter((line) =>
        /(recv|send|connect)\(\) failed/.test(line)).slice(0, 3), [],
         `${how}, gone: nginx has no lines of its own for each attempt`);
    await serve(b);

    await meanwhile(`${how}, no such name`, async () => {
        say(null);
        g.ok(await g.until(20, () =>
            /"db\.names\.test" is not found, it stays where it was/
                .test(g.log())), `${how}, no such name: it is told`);
        await at(a, `${how}, no such name`);
    });

    say(a);
}


async function main() {
    const resolver = await dns.server();
    const options = { workers, main: 'env NAMES_FILE;', env: {} };

    options.before = async (config) => {
        const library = `${process.env.PROMPT_BUILD
                           || `${config.root}/build`}/names.so`;

        if (!fs.existsSync(library)) {
            return `there is no ${library}`;
        }

        file = `${config.at}/names`;
        servers[db].path = `${config.pg_host}/.s.PGSQL.5432`;
        servers[redis].path = config.redis;

        try {
            await serve(a);
            await serve(b);
        } catch (e) {
            return `no other address of loopback: ${e.code}`;
        }

        name(a);
        options.env.LD_PRELOAD = library;
        options.env.NAMES_FILE = file;

        const conninfo = config.conninfo.replace(/host=\S+/,
            `host=${db} port=${servers[db].port}`);

        options.postgres = `"${conninfo}" connections=${connections} resolve=1s`;
        options.redis = `${redis}:${servers[redis].port} resolve=1s `
                        + `prefix=${config.prefix}`;

        return null;
    };

    await g.main(options, async () => {
        await moves('libc', (address) => name(address || '-'));

        /* nginx -t asks libc all the same */
        g.ok(await g.quit(20), 'nginx leaves');
        name(a);
        resolver.set(db, [a]);
        resolver.set(redis, [a]);
        await g.start({ ...options, http: 'resolver 127.0.0.1:'
                        + `${resolver.port} valid=1s ipv6=off;` });
        fs.writeFileSync(file, '');

        await moves('resolver', (address) => {
            resolver.set(db, address ? [address] : undefined);
            resolver.set(redis, address ? [address] : undefined);
        });

        g.ok(resolver.asked[db] > 0 && resolver.asked[redis] > 0,
             `resolver: it was asked (${JSON.stringify(resolver.asked)})`);
    });

    resolver.close();
    close(a);
    close(b);
}


main().catch((e) => {
    g.ok(false, `threw ${e.stack}`);
    process.exit(1);
});
