/*
 * The checker of revocation: keys are used from all sides while they are
 * deleted, and Redis is disturbed meanwhile.
 *
 *     node revocation.js CONFIG.json
 *
 * CONFIG: urls (of all hosts), key (may create and delete keys), owner (the
 * id that "me" gives), redis (path of the socket that the hosts know), dir
 * (for Redis's data), pids (files with the pid of each nginx master), valid
 * (ms that an entry lives), after (ms that a key is used after its deletion),
 * scenarios, and of each at least that many keys and seconds.  Prints a line
 * of JSON for each scenario:
 *
 *     deleted, requests     how many
 *     revived               requests sent after the deletion was answered, and
 *                           let in: the promise is that there are none
 *     refused               requests that ended before the deletion was sent,
 *                           and got 401: none either
 *     stranger              answers that named another user
 *     failed                answers that were neither (5xx, INTERNAL_...)
 *     broken                connections that broke
 *     slowest               ms, of a deletion
 *     p99                   ms, of a request
 *
 * All hosts reach Redis through a proxy in here, which can hold up commands
 * and lose answers.
 */

'use strict';

const { spawn } = require('child_process');
const fs = require('fs');
const http = require('http');
const net = require('net');
const path = require('path');

const config = JSON.parse(fs.readFileSync(process.argv[2]));
const real = path.join(config.dir, 'real.sock');
const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));


/* Redis itself */

let redis = null;

async function startRedis() {
    redis = spawn('redis-server', [
        '--port', '0', '--unixsocket', real, '--dir', config.dir, '--save', '',
        '--appendonly', 'yes', '--appendfsync', 'always', '--daemonize', 'no'
    ], { stdio: 'ignore' });

    for (let i = 0; i < 200; i++) {
        if (await command('PING') === '+PONG\r\n') {
            return;
        }

        await sleep(20);
    }

    throw new Error('Redis does not start');
}

function stopRedis(signal) {
    return new Promise((resolve) => {
        redis.on('exit', resolve);
        redis.kill(signal);
    });
}

/* one command, straight; the raw answer, or null */
function command(...words) {
    return new Promise((resolve) => {
        const socket = net.connect(real);

        socket.on('error', () => resolve(null));
        socket.on('data', (data) => {
            resolve(data.toString());
            socket.destroy();
        });
        socket.write(encode(words));
    });
}

function encode(words) {
    return `*${words.length}\r\n`
           + words.map((w) => `$${Buffer.byteLength(w)}\r\n${w}\r\n`).join('');
}


/* The proxy: mode says what happens to a command, by its name. */

const still = { delay: () => 0, hold: () => 0, lose: () => false };
const mode = { ...still };
const links = new Set();

/* the length of the first whole command in buf, and its name; or null */
function first(buf) {
    let at = buf.indexOf('\r\n');

    if (at < 0) {
        return null;
    }

    let name = null;

    for (let n = Number(buf.toString('latin1', 1, at)); n > 0; n--) {
        const end = buf.indexOf('\r\n', at + 2);

        if (end < 0) {
            return null;
        }

        const len = Number(buf.toString('latin1', at + 3, end));

        if (buf.length < end + 2 + len + 2) {
            return null;
        }

        name = name || buf.toString('latin1', end + 2, end + 2 + len);
        at = end + 2 + len;
    }

    return { length: at + 2, name: name.toUpperCase() };
}

function serve(client) {
    const server = net.connect(real);
    const close = () => { client.destroy(); server.destroy(); links.delete(client); };
    let buf = Buffer.alloc(0);
    let busy = false;
    let deaf = false;
    let held = Promise.resolve();
    let due = 0;

    links.add(client);

    for (const socket of [client, server]) {
        socket.on('error', close);
        socket.on('close', close);
    }

    server.on('data', (data) => {
        const write = () => {
            if (!deaf) {
                client.write(data);
            }
        };

        /* in order, but not one after the other */
        const at = Math.max(due, performance.now() + mode.hold());

        due = at;
        held = held.then(() => sleep(Math.max(0, at - performance.now())))
                   .then(write);
    });

    client.on('data', async (data) => {
        buf = Buffer.concat([buf, data]);

        if (busy) {
            return;
        }

        busy = true;

        for (let one; (one = first(buf)) !== null; ) {
            const piece = buf.subarray(0, one.length);
            const ms = mode.delay(one.name);

            buf = buf.subarray(one.length);

            if (ms > 0) {
                await sleep(ms);
            }

            if (mode.lose(one.name)) {
                deaf = true;
            }

            server.write(piece);

            if (deaf) {
                setTimeout(close, 50);
            }
        }

        busy = false;
    });
}


/* GraphQL: { ms, status, code, data } or { broken } */
function post(url, key, query, variables) {
    return new Promise((resolve) => {
        const start = performance.now();
        const body = JSON.stringify({ query, variables });
        const request = http.request(url, {
            method: 'POST', agent,
            headers: {
                'Content-Type': 'application/json', 'X-API-Key': key,
                'Content-Length': Buffer.byteLength(body)
            }
        }, (response) => {
            let text = '';

            response.on('data', (data) => { text += data; });
            response.on('error', () => resolve({ broken: true, start }));
            response.on('end', () => {
                const end = performance.now();
                let json;

                try {
                    json = JSON.parse(text);
                } catch {
                    resolve({ broken: true, start, end });
                    return;
                }

                resolve({
                    start, end, status: response.statusCode, data: json.data,
                    code: json.errors && json.errors[0].extensions.code
                });
            });
        });

        request.on('error', () => resolve({ broken: true, start }));
        request.end(body);
    });
}

const any = (list) => list[Math.floor(Math.random() * list.length)];

async function create() {
    for (let i = 0; i < 100; i++) {
        const r = await post(any(config.urls), config.key,
            'mutation { createApiKey(input: { name: "t" }) '
            + '{ key apiKey { id } } }');

        if (r.data && r.data.createApiKey) {
            return { key: r.data.createApiKey.key,
                     id: r.data.createApiKey.apiKey.id };
        }

        await sleep(50);
    }

    throw new Error('no key can be created');
}

/* the life of a key: used from all sides, deleted, and still used */
async function life(total, times) {
    const { key, id } = await create();
    const seen = [];
    let sent = Infinity;
    let answered = Infinity;
    let over = false;

    async function use() {
        while (!over) {
            seen.push(await post(any(config.urls), key, '{ me { id } }'));
            await sleep(Math.random() * 4);
        }
    }

    const users = Array.from({ length: 4 }, use);

    await sleep(Math.random() * 60);

    for (let i = 0; i < 100 && answered === Infinity; i++) {
        const start = performance.now();
        const r = await post(any(config.urls), config.key,
            'mutation ($id: ID!) { deleteApiKey(id: $id) }', { id });

        if (sent === Infinity) {
            sent = start;
        }

        if (r.data && r.data.deleteApiKey === true) {
            answered = r.end;
            total.slowest = Math.max(total.slowest, r.end - r.start);
        } else {
            await sleep(20);
        }
    }

    if (answered === Infinity) {
        throw new Error('a key cannot be deleted');
    }

    await sleep(config.after);
    over = true;
    await Promise.all(users);

    total.deleted++;

    for (const r of seen) {
        total.requests++;

        if (r.broken) {
            total.broken++;
            continue;
        }

        times.push(r.end - r.start);

        if (r.data && r.data.me) {
            if (r.data.me.id !== config.owner) {
                total.stranger++;
            }

            if (r.start > answered) {
                total.revived++;
            }

        } else if (r.status === 401) {
            if (r.end < sent) {
                total.refused++;
            }

        } else {
            total.failed++;
        }
    }
}


/* What disturbs: begun, and ended by the function that it returns. */

function every(ms, act) {
    let on = true;
    const done = (async () => {
        while (on) {
            await sleep(ms());
            if (on) {
                await act();
            }
        }
    })();

    return async () => { on = false; await done; };
}

const scenarios = {

    /* nothing */
    calm: () => async () => { },

    /* each command takes up to 150 ms: around the time limit of 100 ms */
    slow: () => {
        mode.delay = () => Math.random() * 150;
        return async () => { };
    },

    /* and up to 3 s: far beyond it, and beyond the lease */
    crawling: () => {
        mode.delay = (name) => /^(GETRANGE|EVAL|DEL)$/.test(name)
                               && Math.random() < 0.2 ? Math.random() * 3000
                                                      : 0;
        return async () => { };
    },

    /* done at once, answered late: what is on its way is out of date */
    late: () => {
        mode.hold = () => (Math.random() < 0.3 ? Math.random() * 70 : 0);
        return async () => { };
    },

    flushed: () => every(() => 5 + Math.random() * 30,
                         () => command('FLUSHALL')),

    /* the proxy drops all connections */
    cut: () => every(() => 100 + Math.random() * 200, () => {
        for (const link of links) {
            link.destroy();
        }
    }),

    /* done, but the answer is lost */
    deaf: () => {
        mode.lose = (name) => name === 'DEL' && Math.random() < 0.5
                              || name === 'EVAL' && Math.random() < 0.2;
        return async () => { };
    },

    /* stopped for longer than an entry lives */
    stopped: () => {
        const end = every(() => 200 + Math.random() * 300, async () => {
            redis.kill('SIGSTOP');
            await sleep(config.valid * (0.3 + Math.random()));
            redis.kill('SIGCONT');
        });

        return end;
    },

    /* killed, and started again with what the log holds */
    killed: () => every(() => 300 + Math.random() * 400, async () => {
        await stopRedis('SIGKILL');
        await sleep(Math.random() * 300);
        await startRedis();
    }),

    /* entries that are none, or somebody else's */
    poisoned: () => every(() => 3, async () => {
        const names = ((await command('KEYS', '*key:{*')) || '')
            .split('\r\n').filter((line) => line.includes('key:{'));

        if (names.length === 0) {
            return;
        }

        /* never a key's own entry: that would undo its deletion in Redis */
        const name = any(names);
        const others = names.filter((other) => other !== name);
        const other = others.length > 0 && await command('GET', any(others));
        const value = (other || '').split('\r\n')[1] || '';
        const act = any([
            () => command('SET', name, value, 'PX', '60000'),
            () => command('SET', name, 'garbage', 'PX', '60000'),
            () => command('SET', name, '', 'PX', '60000'),
            () => command('SET', name, 'x'.repeat(10 * 1024 * 1024), 'PX',
                          '60000'),
            () => command('SETRANGE', name, '0', '1u')
        ]);

        await command('DEL', name);
        await act();

        if (Math.random() < 0.3) {
            await command('DEL', name);
            await command('LPUSH', name, 'a');
        }
    }),

    /* configuration read again, workers replaced */
    reloaded: () => every(() => 150 + Math.random() * 150, () => {
        const file = any(config.pids);

        process.kill(Number(fs.readFileSync(file, 'utf8')), 'SIGHUP');
    })
};


async function main() {
    await startRedis();

    const proxy = net.createServer(serve);

    await new Promise((resolve) => proxy.listen(config.redis, resolve));
    fs.chmodSync(config.redis, 0o777);

    process.stdout.write('ready\n');

    for await (const line of process.stdin) {
        if (line.toString().startsWith('go')) {
            break;
        }
    }

    for (const name of config.scenarios) {
        const total = { scenario: name, deleted: 0, requests: 0, revived: 0,
                        refused: 0, stranger: 0, failed: 0, broken: 0,
                        slowest: 0, p99: 0 };
        const times = [];
        const end = scenarios[name]();
        const until = performance.now() + config.seconds * 1000;
        let left = config.keys;

        async function lives() {
            while (left-- > 0 || performance.now() < until) {
                await life(total, times);
            }
        }

        await Promise.all(Array.from({ length: 8 }, lives));
        await end();

        Object.assign(mode, still);

        times.sort((a, b) => a - b);
        total.p99 = Math.round(times[Math.floor(times.length * 0.99)] || 0);
        total.slowest = Math.round(total.slowest);

        process.stdout.write(JSON.stringify(total) + '\n');

        await sleep(1200);
    }

    await stopRedis('SIGKILL');
    process.exit(0);
}

main().catch((error) => {
    process.stderr.write(`${error.stack}\n`);

    if (redis !== null) {
        redis.kill('SIGKILL');
    }

    process.exit(1);
});
