#!/usr/bin/env node
/*
 * A worker that dies while it holds the lock of the persisted queries leaves
 * nothing behind that others stumble over: nginx unlocks for it, and who
 * comes next finds a store that works.
 *
 * Whoever is seen in the lock, whose first word is the holder's number, is
 * stopped, and killed where it is still there.
 */

'use strict';

const crypto = require('crypto');
const fs = require('fs');
const threads = require('worker_threads');

const g = require('../lib/guarantee.js');

const zone = 1024 * 1024;
const hash = (text) => crypto.createHash('sha256').update(text).digest('hex');

/* from one block to fifty: each drives out others */
const documentOf = (n) => `query q${n} { me { id } } `
                          + `# ${'x'.repeat(n % 4 ? n : 55000)}`;

function extensionsOf(text) {
    return { persistedQuery: { version: 1, sha256Hash: hash(text) } };
}

function keep(n, options) {
    const query = documentOf(n);

    return g.request(JSON.stringify({ query,
                                      extensions: extensionsOf(query) }),
                     options);
}

function find(n, options) {
    return g.request(JSON.stringify({
        extensions: extensionsOf(documentOf(n)) }), options);
}


/* where the zone is in the memory of all workers, and of their master */
function place() {
    for (const line of fs.readFileSync(`/proc/${g.master()}/maps`, 'utf8')
                         .split('\n')) {
        const [, from, to] = /^(\w+)-(\w+) rw-s/.exec(line) || [];

        if (from && parseInt(to, 16) - parseInt(from, 16) === zone) {
            return parseInt(from, 16);
        }
    }

    return 0;
}

/*
 * In a thread of its own: looks who holds the lock, stops that worker, and
 * kills it where it still holds it.  Posts how many died there; -1: the memory
 * of other processes cannot be read.
 */
function hunt({ master, at, deaths, looks }) {
    const word = Buffer.alloc(4);
    let died = 0;
    let fd;

    try {
        fd = fs.openSync(`/proc/${master}/mem`, 'r');
        fs.readSync(fd, word, 0, 4, at);
    } catch {
        threads.parentPort.postMessage(-1);
        return;
    }

    const holder = () => {
        fs.readSync(fd, word, 0, 4, at);
        return word.readInt32LE(0);
    };

    const stopped = (pid) => {
        try {
            return /\) [TZ] /.test(fs.readFileSync(`/proc/${pid}/stat`,
                                                   'utf8'));
        } catch {
            return true;
        }
    };

    for (let i = 0; i < looks && died < deaths; i++) {
        const pid = holder();

        if (pid === 0) {
            continue;
        }

        g.signal('SIGSTOP', pid);

        while (!stopped(pid)) {
            /* it takes an instant */
        }

        const held = holder() === pid;

        g.signal(held ? 'SIGKILL' : 'SIGCONT', pid);
        died += held ? 1 : 0;

        while (held && holder() === pid) {
            /* nginx unlocks for it */
        }
    }

    fs.closeSync(fd);
    threads.parentPort.postMessage(died);
}


async function load(state, i) {
    const options = { agent: g.agent(1) };

    for (let n = i; !state.over; n += 8) {
        const r = await (n % 3 ? keep(n % 500, options)
                               : find(n % 500, options));

        state.ended.add(r);

        if (r.broken) {
            await g.sleep(5);

        } else if (r.status !== 200
                   || (!r.data && r.code !== 'PERSISTED_QUERY_NOT_FOUND')) {
            state.wrong.push(g.ending(r));
        }
    }

    options.agent.destroy();
}


if (!threads.isMainThread) {
    hunt(threads.workerData);

} else {
    g.main({
        workers: 4,
        http: `prompt_persisted_queries ${zone / 1024}k;`,
        allow: /\[alert\].*(exited on signal 9$|was locked by \d+$)/
    }, async () => {
        const at = place();
        const deaths = Math.round(40 * g.scale);
        const state = { over: false, ended: g.tally(), wrong: [] };

        g.ok(at !== 0, 'the zone is found');

        const clients = g.clients(8, (i) => load(state, i));
        const died = await new Promise((done) => {
            const workerData = { master: g.master(), at, deaths,
                                 looks: 4000000 * g.scale };

            new threads.Worker(__filename, { workerData }).on('message', done);
        });

        state.over = true;
        await clients;

        if (died < 0) {
            g.diag('the memory of other processes cannot be read here');
            return;
        }

        g.diag(`${died} died in the lock: ${state.ended}`);
        g.ok(died > 0, 'workers died in the lock');
        g.is(state.wrong.slice(0, 5), [], 'who was answered was answered well');
        g.ok(await g.until(10, () => g.workers().length === 4),
             'there are as many workers as before');

        /* the store takes in as much as it has room for, and gives it out */
        const lost = [];

        for (let n = 1000; n < 1100; n++) {
            const options = { agent: false };
            const kept = await keep(n, options);
            const found = await find(n, options);

            if (!kept.data || !found.data) {
                lost.push([n, g.ending(kept), g.ending(found)]);
            }
        }

        g.is(lost.slice(0, 5), [], 'documents are kept and found');

        let room = 0;

        for (let n = 1099; n >= 1000; n--) {
            room += (await find(n, { agent: false })).data ? 1 : 0;
        }

        g.ok(room >= 50, 'and there is room for as many as ever');
        g.diag(`room for ${room}`);
    });
}
