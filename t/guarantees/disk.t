#!/usr/bin/env node
/*
 * PostgreSQL's disk is full, and free again: requests get errors and never
 * hang, nothing is half done, what can be read is read, and nginx goes on by
 * itself.  First the data's disk, then that of the write-ahead log, without
 * which PostgreSQL goes down.
 */

'use strict';

const { execFileSync } = require('child_process');
const crypto = require('crypto');
const fs = require('fs');

const g = require('../lib/guarantee.js');

const limit = 1000;                             /* timeout=1s, below */

/* what pages of tables have no room for */
const content = () => crypto.randomBytes(9000).toString('base64');
const sum = (text) => crypto.createHash('md5').update(text).digest('hex');


/* fills a disk up to the last block */
function fill(disk) {
    const file = fs.openSync(`${disk}/filler`, 'a');

    for (const size of [1 << 20, 1 << 12]) {
        const block = Buffer.alloc(size);

        try {
            for ( ;; ) {
                if (fs.writeSync(file, block) < size) {
                    break;
                }
            }
        } catch (error) {
            if (error.code !== 'ENOSPC') {
                throw error;
            }
        }
    }

    fs.closeSync(file);
}

const free = (disk) => fs.rmSync(`${disk}/filler`, { force: true });


function load(prompts, run) {
    const l = { told: new Map(), writes: [], reads: [], quick: [], made: [],
                executions: [], over: false };
    const versionOf = (r) => r.data.createPromptVersion.version;

    async function writer(c) {
        for (let n = 0; !l.over; n++) {
            const id = prompts[(c + n) % prompts.length];
            const text = content();
            const r = await g.version(id, text);

            l.writes.push(r);

            if (r.data) {
                l.told.set(`${id} ${versionOf(r)}`, sum(text));
            }

            await g.sleep(r.data ? 20 : 5);
        }
    }

    async function reader(list, query) {
        while (!l.over) {
            list.push(await g.post(query));
            await g.sleep(2);
        }
    }

    l.clients = [
        g.clients(4, writer),
        g.clients(3, () => reader(l.reads, '{ prompts(first: 5) { id } }')),
        reader(l.quick, '{ __typename }'),
        g.clients(2, async (c) => {
            for (let n = 0; !l.over; n++) {
                l.executions.push(await g.execute(run,
                                           { word: `${c} ${n} ${content()}` }));
            }
        })
    ];

    l.stop = async () => {
        l.over = true;
        await Promise.all(l.clients);
    };

    return l;
}

/* those that were sent between two moments */
const between = (answers, from, to) =>
    answers.filter((r) => r.start >= from && r.start < to);

function tally(answers) {
    const t = g.tally();

    answers.forEach((r) => t.add(r));

    return t;
}


async function check(what, l, run) {
    const rows = new Map((await g.sql('SELECT prompt_id, version, md5(content) '
        + 'FROM prompt_versions')).map(([id, n, md5]) => [`${id} ${n}`, md5]));

    g.is([...l.told].filter(([name, md5]) => rows.get(name) !== md5), [],
         `${what}: what was acknowledged is there`);
    g.is(await g.sql(
        'SELECT p.id FROM prompts p LEFT JOIN prompt_versions v '
        + 'ON v.prompt_id = p.id GROUP BY p.id HAVING count(v.id) '
        + '<> p.last_version OR coalesce(max(v.version), 0) '
        + '<> p.last_version'), [], `${what}: nothing is half done`);

    /* results that had to wait are written now */
    const calls = (await g.calls()).filter((c) => c.method === 'POST').length;

    g.ok(await g.until(20, async () => (await g.sql('SELECT count(*) FROM '
        + `executions WHERE prompt_id = '${run}' AND status = 'succeeded'`)
        )[0][0] === String(calls)), `${what}: each execution is recorded`);
}


function sound(what, l, longest) {
    const all = [...l.writes, ...l.reads, ...l.quick, ...l.executions];
    const ended = tally(all);
    const most = Math.max(...all.map((r) => r.ms));

    g.diag(`${what}: ${ended}, the longest ${Math.round(most)} ms`);
    g.is(ended.others('200', '200 INTERNAL_SERVER_ERROR',
                      '503 INTERNAL_SERVER_ERROR'), 0,
         `${what}: sound errors`);
    g.ok(most < longest, `${what}: nothing hangs`);
    g.is(tally(l.quick).others('200'), 0,
         `${what}: what needs no data is answered`);
}


async function data(disk, prompts, run) {
    const workers = g.workers().sort().join();
    const l = load(prompts, run);

    await g.sleep(300);
    fill(disk);
    g.ok(await g.until(10, () => l.writes.some((r) => r.code)),
         'data: writes are refused');

    const full = performance.now();

    fill(disk);
    await g.sleep(1500 * g.scale);

    const freed = performance.now();

    free(disk);
    await g.sleep(100);

    const back = performance.now();

    await g.sleep(500);
    await l.stop();

    const refused = between(l.writes, full, freed);

    g.diag(`data: full: writes: ${tally(refused)}; reads: `
           + `${tally(between(l.reads, full, freed))}; free: `
           + `${tally(between(l.writes, back, Infinity))}`);
    sound('data', l, limit * 1.1 + 700 * g.slow);
    g.ok(refused.filter((r) => r.code).length > 10,
         'data: as long as it is full');
    g.is(tally(l.reads).others('200'), 0, 'data: reads go on');
    g.ok(between(l.writes, back, Infinity).length > 0
         && tally(between(l.writes, back, Infinity)).others('200') === 0,
         'data: writes, too, as soon as it is free');
    g.is(g.workers().sort().join(), workers, 'data: the workers live');
    await check('data', l, run);
}


async function wal(disk, prompts, run) {
    const workers = g.workers().sort().join();
    const l = load(prompts, run);
    const server = g.postmaster();

    await g.sleep(300);
    fill(disk);

    /* until there is no segment left that could be used again */
    for (let i = 0; i < 50 && g.alive(server); i++) {
        await g.sql('SELECT pg_switch_wal()', 'postgres').catch(() => {});
        await g.sleep(50);
    }

    g.ok(await g.until(10, () => l.writes.some((r) => r.code)),
         'wal: writes are refused');
    await g.sleep(1500);
    g.diag(`wal: PostgreSQL ${g.alive(server) ? 'is there' : 'went down'}`);

    const freed = performance.now();

    free(disk);

    /* it may have come back, or have gone for good */
    await g.until(10, async () => {
        await g.startServices().catch(() => {});
        return g.ending(await g.version(prompts[0], 'x')) === '200';
    });

    const back = performance.now();

    /* the other worker tries to connect at least every second */
    const pause = 1200 * g.slow;

    await g.sleep(pause + 500);
    await l.stop();
    g.diag(`wal: writes again after ${Math.round(back - freed)} ms`);
    sound('wal', l, limit * 1.1 + 700 * g.slow);

    const after = between([...l.writes, ...l.reads], back + pause,
                          Infinity);

    g.ok(after.length > 0 && tally(after).others('200') === 0,
         'wal: free again, no error is left');
    g.is(g.workers().sort().join(), workers, 'wal: the workers live');
    await check('wal', l, run);
}


const disks = {};

g.main({
    postgres: '%CONNINFO% connections=2 timeout=1s connect_timeout=1s',
    http: 'prompt_key_cache valid=60s unknown=5s;',
    before: async (config) => {
        try {
            disks.data = await g.services('disk', 'data', '40m');
            disks.wal = await g.services('disk', 'wal', '112m');
        } catch {
            return 'a disk in memory cannot be mounted here';
        }

        /* PostgreSQL wants an empty folder for each */
        await g.sql(`CREATE TABLESPACE small LOCATION '${disks.data}'`,
                    'postgres');
        await g.sql(`ALTER DATABASE ${config.db} SET TABLESPACE small`,
                    'postgres');

        /* four segments at most, which the log soon wants all */
        for (const name of ['min_wal_size', 'max_wal_size']) {
            await g.sql(`ALTER SYSTEM SET ${name} = '48MB'`, 'postgres');
        }

        const server = g.postmaster();
        const old = `${config.pg_data}/pg_wal`;

        g.signal('SIGINT', server);
        await g.until(20, () => !g.alive(server));
        execFileSync('cp', ['-a', old, disks.wal]);
        fs.rmSync(old, { recursive: true });
        fs.symlinkSync(`${disks.wal}/pg_wal`, old);
        await g.startServices();

        return null;
    }
}, async () => {
    const prompts = [];

    for (let i = 0; i < 4; i++) {
        prompts.push(await g.prompt(`disk ${i}`, 'x'));
    }

    const run = await g.prompt('run', '{{word}}', { model: 'fx:delay=50' });

    await g.calls('clear');
    await data(disks.data, prompts, run);
    await wal(disks.wal, prompts, run);
});
