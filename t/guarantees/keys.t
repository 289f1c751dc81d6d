#!/usr/bin/env node
/*
 * Keys under load while Redis is killed, stopped, flushed and started again:
 * no sound key is refused, and no deleted one is let in.  What cannot be a key
 * costs neither Redis nor PostgreSQL anything.  (t/revocation.t has the races
 * of revocation itself.)
 */

'use strict';

const g = require('../lib/guarantee.js');
const { harm } = require('../lib/keys_harm.js');

/*
 * What it has cost: commands that Redis has done for nginx, transactions in
 * the database, and how often the table of keys was asked.
 */
async function costs() {
    const stats = await g.redis('INFO', 'commandstats');
    let redis = 0;

    for (const [, name, calls] of
         stats.matchAll(/^cmdstat_(\S+?):calls=(\d+)/gm)) {
        redis += /^(info|ping|keys|flushall)$/.test(name) ? 0 : Number(calls);
    }

    await g.sleep(1200);                 /* statistics come with a delay */

    const [[keys, transactions]] = await g.sql('SELECT coalesce(sum(idx_scan), '
        + '0), (SELECT xact_commit + xact_rollback FROM pg_stat_database '
        + 'WHERE datname = current_database()) FROM '
        + "pg_stat_user_tables WHERE relname = 'api_keys'");

    return { redis, postgres: Number(keys),
             transactions: Number(transactions) };
}


async function malformed(config) {
    const n = Math.round(2000 * g.scale);
    const own = config.alice_key;
    const forms = [
        '', 'x', 'pmt_', `${own}x`, own.slice(0, -1), own.toUpperCase(),
        ` ${own.slice(0, 10)}`, own.replace('pmt_', 'pmx_'),
        'x'.repeat(4000), `${own}, ${own}`, '%00', "' OR 1=1 --",
        (() => {
            const at = own.length >> 1;

            return own.slice(0, at) + (own[at] === 'a' ? 'b' : 'a')
                   + own.slice(at + 1);
        })()
    ];
    const ended = g.tally();
    const start = performance.now();

    const before = await costs();

    await g.share(16, n, async (i) => {
        const key = forms[i % forms.length];

        ended.add(await g.post('{ me { id } }', {}, i % 2 ? { key }
            : { key: null, headers: { Authorization: `Bearer ${key}` } }));
    });

    const after = await costs();

    g.diag(`malformed: ${ended}; ${JSON.stringify(before)} `
           + JSON.stringify(after));
    g.is(ended.others('401 UNAUTHENTICATED'), 0, 'malformed: all refused');
    g.is(after.redis - before.redis, 0, 'malformed: Redis is not asked');

    /*
     * The sweeper of executions, and what is asked here; what takes long has
     * other sweeps and probes beside it.
     */

    const others = 3 * Math.floor((performance.now() - start) / 5000);

    g.ok(after.postgres - before.postgres <= others,
         'malformed: nor is the table of keys');
    g.ok(after.transactions - before.transactions < 6 + others,
         'malformed: nor PostgreSQL at all');

    /* the same counts see a request that does cost something */
    await g.post('{ me { id } }', {}, { key: config.bob_key });

    const sound = await costs();

    g.ok(sound.redis > after.redis && sound.postgres > after.postgres
         && sound.transactions > after.transactions,
         'malformed: where a sound key is looked up');
}


async function flushed() {
    const before = await costs();
    const ended = g.tally();
    let over = false;
    const clients = g.clients(48, async () => {
        while (!over) {
            ended.add(await g.post('{ __typename }'));
        }
    });
    const flushes = 20;

    for (let i = 0; i < flushes; i++) {
        await g.sleep(40);
        await g.redis('FLUSHALL');
    }

    await g.sleep(100);
    over = true;
    await clients;

    const after = await costs();
    const asked = after.postgres - before.postgres;

    g.diag(`flushed: ${ended}, PostgreSQL was asked ${asked} times`);
    g.is(ended.others('200'), 0, 'flushed: nobody is refused');
    /* two workers, and a look-up may have to be done again */
    g.ok(asked <= flushes * 2 * 3,
         'flushed: one look-up at a time of a key and worker');
}


/* what an entry may hold after somebody wrote to it */
async function poisoned(config) {
    const ended = g.tally();
    const wrong = [];

    await g.post('{ __typename }');
    await g.post('{ __typename }', {}, { key: config.bob_key });

    const names = (await g.redis('KEYS', `${config.prefix}*`)).split('\n')
        .filter((name) => name !== '');

    g.ok(names.length >= 2, 'poisoned: there are entries');

    const values = [];

    for (const name of names) {
        values.push(await g.redis('GET', name));
    }

    const poison = [
        (name) => ['SET', name, ''],
        (name) => ['SET', name, 'garbage'],
        (name) => ['SET', name, values[0].slice(0, -1)],
        (name) => ['SET', name, 'x'.repeat(100000)],
        (name) => ['SETRANGE', name, '10485759', 'x'],          /* 10 MiB */
        (name, i) => ['SET', name, values[(i + 1) % values.length]],
        (name) => ['SETRANGE', name, '3', '\u00ff'],
        (name) => ['APPEND', name, 'x'],
        (name) => ['LPUSH', name, 'a'],
        (name) => ['HSET', name, 'a', 'b']
    ];

    for (const make of poison) {
        for (const [i, name] of names.entries()) {
            const command = make(name, i);

            if (/PUSH|HSET/.test(command[0])) {
                await g.redis('DEL', name);
            }

            await g.redis(...command);
        }

        for (const who of ['alice', 'bob']) {
            const r = ended.add(await g.post('{ me { id } }', {},
                                             { key: config[`${who}_key`] }));

            if (!r.data || r.data.me.id !== config[`${who}_id`]) {
                wrong.push([make.toString(), who, g.ending(r)]);
            }
        }
    }

    g.is(wrong, [], `poisoned: everybody is who they are (${ended})`);
    await g.redis('FLUSHALL');
}


g.main({
    redis: '%REDIS% timeout=50ms',
    http: 'prompt_key_cache valid=2s unknown=1s;'
}, async (config) => {
    await malformed(config);
    await flushed();
    await poisoned(config);

    await harm('calm', () => g.sleep(500));

    await harm('stopped', async () => {
        g.signal('SIGSTOP', g.redisPid());
        await g.sleep(1500);
        g.signal('SIGCONT', g.redisPid());
        await g.sleep(500);
    });

    await harm('killed', async () => {
        g.signal('SIGKILL', g.redisPid());
        await g.sleep(1200);
        await g.startServices();
        await g.sleep(700);
    });
});
