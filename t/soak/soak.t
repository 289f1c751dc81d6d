#!/usr/bin/env node
/*
 * An hour of everything: mixed load over all protocols, while nginx is reloaded
 * each minute, PostgreSQL is restarted or killed every ten, and Redis is flushed
 * every three.  Memory and descriptors stay what they are, old workers go, the
 * error log has no fault and no secret, and in the end the database has what
 * was acknowledged, with sums that are right.
 *
 * By hand, with `make soak`.  SOAK_MINUTES (60) is how long, SOAK_RATE (80) how
 * much is begun in a second at most.  A line a minute says what is going on.
 */

'use strict';

const { execFile, execFileSync } = require('child_process');
const fs = require('fs');

const g = require('../lib/guarantee.js');
const load = require('./load.js');
const sums = require('./sums.js');

const minutes = Number(process.env.SOAK_MINUTES || 60);
const rate = Number(process.env.SOAK_RATE || 80);
const total = minutes * 60;                  /* seconds */

/* without reloads, so that one generation of workers grows where it does */
const quiet = total * 0.8;

const every = {
    reload: Math.min(60, total / 8),
    restart: Math.min(600, total / 3.5),
    flush: Math.min(180, total / 5)
};

const password = 'a password of memory';
const stored = '$argon2id$v=19$m=19456,t=2,p=1$c2FsdCBvZiBhIG1lbW9yeQ'
               + '$lASO3HJ/Q3Q42q+T00efravPat2eYSJejrYQgOodDrw';

const workers = 2;
const connections = 4;
const options = { workers, connections: 4096 };
let awayUntil = -Infinity;


/* what is done to it */

const harms = { reloads: 0, restarts: 0, kills: 0, flushes: 0 };

async function restart(s) {
    const kill = (harms.restarts + harms.kills) % 2 === 1;

    awayUntil = Infinity;

    if (kill) {
        harms.kills++;
        await g.killPostgres();
    } else {
        const pid = g.postmaster();

        harms.restarts++;
        g.signal('SIGINT', pid);
        await g.until(60, () => !g.alive(pid));
    }

    /* shorter than a query may take, then longer: what waits, and fails */
    await g.sleep(kill ? 15000 : 3000);
    await g.startServices();

    /* each worker has its connections again */
    if (!await g.until(60, async () => (await g.clients(8, () => g.get('/health',
        { agent: false }))).every((r) => r.http === 200)))
    {
        load.fault(s, 'PostgreSQL is back, and /health does not say so');
    }

    /* what waited is worked off */
    if (!await g.until(180, () => s.running < rate / 4)) {
        load.fault(s, `PostgreSQL is back, and ${s.running} requests wait`);
    }

    awayUntil = performance.now() + 5000 * g.slow;
}

async function flush() {
    harms.flushes++;
    await g.redis('FLUSHALL');
}


/* generations of workers: when they came and went, and what they had */

const generations = [];

const sum = (pids, of) => pids.reduce((all, pid) => {
    try {
        return all + of(pid);
    } catch {
        return all;                              /* it went just now */
    }
}, 0);

const measure = (pids) => ({ memory: sum(pids, g.memory),
                             descriptors: sum(pids, g.descriptors) });

/* without the 19 MiB of a password that is being hashed */
async function settled(pids) {
    const all = [];

    for (let i = 0; i < 5; i++) {
        all.push(measure(pids));
        await g.sleep(100);
    }

    return all.sort((a, b) => a.memory - b.memory)[0];
}

function begin() {
    generations.push({ pids: g.workers(), since: performance.now(),
                       gone: null, had: null });
}

async function reload(s) {
    const old = generations[generations.length - 1];

    old.had = await settled(old.pids);
    harms.reloads++;
    g.hup();

    if (!await g.until(60, () => g.workers().length === workers
                       && g.workers().every((pid) => !old.pids.includes(pid))))
    {
        load.fault(s, 'a reload does not bring new workers');
    }

    old.gone = performance.now();
    begin();
}

/*
 * The longest call takes seconds; a minute later nobody is left.  Their numbers
 * may be those of other processes by then.
 */
function leaving(s) {
    const still = g.leaving();

    for (const one of generations) {
        if (one.gone !== null && performance.now() - one.gone > 60000 * g.slow
            && one.pids.some((pid) => still.includes(pid)))
        {
            load.fault(s, 'an old worker is there a minute after the reload');
        }
    }
}

/* KiB of shared memory that the master has */
function shared() {
    let size = 0;

    for (const line of fs.readFileSync(`/proc/${g.master()}/maps`, 'utf8')
                         .split('\n'))
    {
        const [, low, high] = /^(\w+)-(\w+) rw-s .*\/dev\/zero/.exec(line) || [];

        size += low ? (parseInt(high, 16) - parseInt(low, 16)) / 1024 : 0;
    }

    return size;
}


/* lines of the error log that no operator should see; from where it was read */
const read = { at: 0, rest: '' };

function newLines() {
    const file = fs.openSync(`${g.config.at}/error.log`, 'r');
    const text = Buffer.alloc(fs.fstatSync(file).size - read.at);

    fs.readSync(file, text, 0, text.length, read.at);
    fs.closeSync(file);
    read.at += text.length;

    const lines = (read.rest + text.toString()).split('\n');

    read.rest = lines.pop();

    return lines;
}

const secret = new RegExp(`${password}|pm[tsi]_\\w{30}|say w\\d`);

function logged(s, seen) {
    for (const line of newLines()) {
        const [, level] = / \[(\w+)\] /.exec(line) || [];

        seen[level] = (seen[level] || 0) + 1;

        if (/^(?:alert|crit|emerg)$/.test(level)
            || /open socket|exited on signal/.test(line))
        {
            load.fault(s, `the log has: ${line}`);
        }

        if (secret.test(line)
            || g.config.secrets.some((one) => line.includes(one)))
        {
            load.fault(s, `a secret is in the log: ${line}`);
        }
    }
}


/* s that a process has had, with children that have ended */
function worked(pid) {
    try {
        const text = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');

        return text.slice(text.lastIndexOf(')') + 2).split(' ').slice(11, 15)
                   .reduce((all, ticks) => all + Number(ticks) / 100, 0);
    } catch {
        return 0;
    }
}

const tree = (pid) => [pid, ...g.children(pid).flatMap(tree)];

const workedIn = (pids) => pids.filter((pid) => pid > 0).flatMap(tree)
    .reduce((all, pid) => all + worked(pid), 0);

/* s of processors: of the whole machine, and of what is tested with its load */
const busy = () => {
    const [, ...n] = fs.readFileSync('/proc/stat', 'utf8').split('\n')[0]
                       .split(/\s+/).map(Number);
    const postmaster = g.postmaster();

    return { all: (n[0] + n[1] + n[2] + n[5] + n[6]) / 100,
             own: workedIn([process.pid, g.redisPid()]),
             postmaster, postgres: workedIn([postmaster]) };
};

/* cores, between two of these: PostgreSQL may be another one since */
const cores = (now, last, seconds) => [
    now.all - last.all,
    now.own - last.own + now.postgres
    - (now.postmaster === last.postmaster ? last.postgres : 0)
].map((s) => (s / seconds).toFixed(2));

/* NaN while PostgreSQL is away */
const backends = async () => Number(((await g.sql('SELECT count(*) FROM '
    + "pg_stat_activity WHERE usename = 'prompt_app'").catch(() => []))[0]
    || [NaN])[0]);

const seen = {};
const samples = [];

async function minute(s, last) {
    const now = { ...measure(g.workers()), master: g.memory(g.master()),
                  files: g.descriptors(g.master()), shared: shared(),
                  done: s.done, at: performance.now(), busy: busy() };

    logged(s, seen);
    leaving(s);
    await sums.collect(s);
    samples.push(now);

    const [all, own] = cores(now.busy, last.busy, (now.at - last.at) / 1000);

    g.diag(`${Math.round((now.at - s.start) / 60000)} min: ${now.done} done, ${
        s.running} running, ${s.late} late, ${s.faults.size} faults; `
        + `workers ${now.memory} KiB and ${now.descriptors} descriptors, master ${now.master} KiB and ${
            now.files}, shared ${now.shared} KiB, ${await backends()} `
        + `connections, ${g.leaving().length} leaving; ${own} cores, ${all} `
        + 'with all else');

    return now;
}


/* the load, and what is done meanwhile */
async function go(s) {
    const stop = load.run(s, rate);
    const next = { ...every, minute: Math.min(60, total / 8) };
    const doing = new Set();
    let last = { at: performance.now(), busy: busy(), done: 0 };

    const due = (name, act) => {
        const at = (performance.now() - s.start) / 1000;

        if (at >= next[name] && !doing.has(name)) {
            next[name] += every[name] || 60;
            doing.add(name);
            act().catch((e) => load.fault(s, `${name}: ${e.stack}`))
                 .finally(() => doing.delete(name));
        }
    };

    const lastly = [];

    while ((performance.now() - s.start) / 1000 < total) {
        const at = (performance.now() - s.start) / 1000;

        if (at < quiet) {
            due('reload', () => reload(s));
            due('restart', () => restart(s));
        } else if (at > quiet + (total - quiet) / 4) {
            lastly.push(measure(g.workers()).memory);
        }

        due('flush', flush);
        due('minute', async () => { last = await minute(s, last); });
        await g.sleep(1000);
    }

    await g.until(120, () => doing.size === 0);
    await stop();
    await minute(s, last);

    return lastly;
}


const middle = (list) => g.quantile(list, 0.5);

/* the least of each five: without passwords that are being hashed */
const lows = (list) => Array.from({ length: Math.floor(list.length / 5) },
    (_, i) => Math.min(...list.slice(5 * i, 5 * i + 5)));

/* the last third of them has in its middle what the first one has, and room */
function flat(s, what, list, room) {
    const n = Math.floor(list.length / 3);

    if (n < 3) {
        g.diag(`${what}: ${list}, too few to say more`);
        return;
    }

    const from = middle(list.slice(0, n));
    const to = middle(list.slice(-n));

    g.diag(`${what}: ${from}, later ${to}`);

    if (to > from * 1.1 + room) {
        load.fault(s, `${what}: ${from} grows to ${to} (${list})`);
    }
}

function flats(s, lastly) {
    const warm = generations.filter((one) => one.had !== null).slice(1);

    flat(s, 'KiB of a generation of workers at its end',
         warm.map((one) => one.had.memory), 8000);
    flat(s, 'descriptors of a generation of workers',
         warm.map((one) => one.had.descriptors), 40);

    /* heaps have their highest state the sooner the longer it takes */
    flat(s, 'KiB of the last generation', lows(lastly), 3000 + 60000 / minutes);
    flat(s, 'KiB of the master', samples.slice(1).map((one) => one.master), 500);
    flat(s, 'descriptors of the master',
         samples.slice(1).map((one) => one.files), 2);
    flat(s, 'KiB of shared memory', samples.map((one) => one.shared), 0);
}

/* when nobody asks any more, workers have what they began with */
async function idle(s, first) {
    const now = () => measure(g.workers()).descriptors;

    if (!await g.until(60, () => now() <= first + 2 * connections)) {
        load.fault(s, `without load workers have ${now()} descriptors, and had `
                   + `${first}`);
    }

    if (!await g.until(60, async () => await backends()
                                       <= workers * connections
                                       && g.leaving().length === 0))
    {
        load.fault(s, `without load there are ${await backends()} connections `
                   + `to PostgreSQL, and ${g.leaving().length} old workers`);
    }
}

/* as an operator would look */
const restoreCheck = (s) => new Promise((done) => {
    const url = g.config.conninfo.replace(/user=\w+/, 'user=postgres');

    execFile(g.built('promptctl'), ['restore-check', '--database', url],
             (error, out) => {
        if (error) {
            load.fault(s, `promptctl restore-check: ${out}`);
        }

        done();
    });
});


options.before = async (config) => {
    options.tls = await g.freePort();
    execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt',
        'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2', '-subj',
        '/CN=localhost', '-keyout', `${config.at}/tls.key`,
        '-out', `${config.at}/tls.crt`], { stdio: 'ignore' });

    options.postgres = `%CONNINFO% connections=${connections} timeout=10s`;
    options.http = `
        prompt_quota prompts=500 keys=500 bytes=100m in_flight=500;
        prompt_persisted_queries 1m;
        prompt_limits answers=4095m;
        prompt_version_cache 2m;
        ssl_session_cache shared:tls:1m;`;
    options.locations = `
        listen 127.0.0.1:${options.tls} ssl http2;
        ssl_certificate ${config.at}/tls.crt;
        ssl_certificate_key ${config.at}/tls.key;
        location /openai/v1/ { prompt_openai; }
        location = /mcp { prompt_mcp; }
        location = /session { prompt_session; }
        location = /health { prompt_health; }`;

    return null;
};

g.main(options, async (config) => {
    await g.sql(`UPDATE users SET password = '${stored}' `
                + "WHERE email = 'bob@example.com'");

    const first = measure(g.workers()).descriptors;
    const s = await load.make({
        port: config.port, tls: options.tls, key: config.alice_key,
        user: config.alice_id, person: { email: 'bob@example.com', password },
        away: (since) => awayUntil >= since
    });

    await g.post('mutation { setBudget(limitUsd: "1000", per: TOTAL) { id } }');
    begin();

    const lastly = await go(s);

    await sums.ended(s);
    await load.check(s);
    await sums.check(s);
    await restoreCheck(s);
    await idle(s, first);
    flats(s, lastly);
    logged(s, seen);

    g.diag(`${s.done} done in ${minutes} minutes: ${s.ended}`);
    g.diag(`harms: ${JSON.stringify(harms)}; log: ${JSON.stringify(seen)}; `
           + `acknowledged: ${JSON.stringify([...s.acknowledged])}, unknown: ${
               JSON.stringify([...s.unknown])}; ${s.words.size} words, ${
               s.whole} runs, ${s.deleted.length} credentials deleted, ${
               s.once.length} Idempotency-Keys`);
    g.is([...s.faults].slice(0, 10).map(([text, n]) => `${n} x ${text}`), [],
         'nothing is wrong');
});
