#!/usr/bin/env node
/*
 * PostgreSQL hangs: errors come in time, what does not need it goes on.
 * PostgreSQL is killed: what was acknowledged is there afterwards, nothing is
 * half done, and nginx finds it again by itself.
 */

'use strict';

const g = require('../lib/guarantee.js');

const limit = 1000;                             /* timeout=1s, below */


async function hang() {
    const slow = g.tally();
    const quick = g.tally();
    const slowTimes = [];
    const quickTimes = [];
    let stopped = false;
    let over = false;

    const clients = [
        g.clients(12, async () => {
            while (!over) {
                const r = await g.post('{ prompts(first: 2) { id } }');

                if (stopped) {
                    slow.add(r);
                    slowTimes.push(r.ms);
                }
            }
        }),
        g.clients(3, async () => {
            while (!over) {
                const r = await g.post('{ __typename }');

                if (stopped) {
                    quick.add(r);
                    quickTimes.push(r.ms);
                }

                await g.sleep(5);
            }
        })
    ];

    await g.sleep(300);
    g.stopPostgres();
    stopped = true;
    await g.sleep(3500);
    stopped = false;
    g.continuePostgres();

    const back = Date.now();

    g.ok(await g.until(10, async () =>
        g.ending(await g.post('{ me { id } }')) === '200'),
         'stopped: works again when PostgreSQL does');
    g.diag(`back after ${Date.now() - back} ms`);

    over = true;
    await Promise.all(clients);

    const longest = Math.max(...slowTimes);

    g.diag(`stopped: ${slow}, longest ${Math.round(longest)} ms; `
           + `__typename: ${quick}, p99 `
           + `${g.quantile(quickTimes, 0.99).toFixed(1)} ms`);
    g.ok(longest < limit * 1.1 + 700 * g.slow,
         'stopped: errors within the limit');
    g.is(slow.others('200', '200 INTERNAL_SERVER_ERROR',
                     '503 INTERNAL_SERVER_ERROR'), 0,
         'stopped: sound errors');
    g.is(quick.others('200'), 0, 'stopped: what needs no data is answered');
    g.ok(g.quantile(quickTimes, 0.99) < limit * 0.6 * g.slow,
         'stopped: and at once');
    g.is((await g.sql('SELECT count(*) <= 4 FROM pg_stat_activity WHERE '
                      + "usename = 'prompt_app' AND application_name <> ''"))
             .join(), 't', 'stopped: not more connections than there were');
}


async function crash() {
    const kills = Math.round(3 * g.scale);
    const versions = 5;
    const source = await g.prompt('source', '1');

    for (let n = 2; n <= versions; n++) {
        await g.version(source, String(n));
    }

    const there = new Map();         /* id of a prompt: versions told */
    const gone = new Set();
    const forks = new Set();
    const ended = g.tally();
    const workers = g.workers().sort().join();
    let over = false;
    let serial = 0;

    async function client(c) {
        while (!over) {
            const made = ended.add(await g.post(
                'mutation ($input: CreatePromptInput!) '
                + '{ createPrompt(input: $input) { id } }',
                { input: { name: `crash ${c} ${serial++}` } }));

            if (!made.data) {
                await g.sleep(20);
                continue;
            }

            const id = made.data.createPrompt.id;
            let told = 0;

            there.set(id, 0);

            for (let i = 0; i < 3; i++) {
                const r = ended.add(await g.version(id, 'x'));

                if (r.data) {
                    told = r.data.createPromptVersion.version;
                    there.set(id, told);
                }
            }

            const fork = ended.add(await g.post(
                'mutation ($id: ID!) { forkPrompt(id: $id) { id } }',
                { id: source }));

            if (fork.data) {
                forks.add(fork.data.forkPrompt.id);
            }

            if (Math.random() < 0.4) {
                /* whatever the answer: it may be gone from now on */
                there.delete(id);

                const r = ended.add(await g.post(
                    'mutation ($id: ID!) { deletePrompt(id: $id) }', { id }));

                if (r.data && r.data.deletePrompt) {
                    gone.add(id);
                }
            }
        }
    }

    const clients = g.clients(16, client);

    for (let i = 0; i < kills; i++) {
        await g.sleep(400 + Math.random() * 500);
        await g.killPostgres();
        await g.sleep(Math.random() * 300);
        await g.startServices();
    }

    g.ok(await g.until(15, async () =>
        g.ending(await g.post('{ me { id } }')) === '200'),
         'killed: found again');
    await g.sleep(300);
    over = true;
    await clients;

    g.diag(`killed: ${ended}; ${there.size} prompts, ${gone.size} deleted, `
           + `${forks.size} forks`);
    g.is(ended.others('200', '200 INTERNAL_SERVER_ERROR',
                      '503 INTERNAL_SERVER_ERROR', '200 CONFLICT'), 0,
         'killed: sound errors');
    g.is(g.workers().sort().join(), workers, 'killed: the workers live');

    const rows = new Map((await g.sql('SELECT id, last_version FROM prompts'))
        .map(([id, last]) => [id, Number(last)]));

    g.is([...there].filter(([id, told]) => !(rows.get(id) >= told)), [],
         'killed: what was acknowledged is there');
    g.is([...gone].filter((id) => rows.has(id)), [],
         'killed: what was deleted is not');
    g.is([...forks].filter((id) => rows.get(id) !== versions), [],
         'killed: forks are whole');
    g.is(await g.sql(
        'SELECT p.id FROM prompts p LEFT JOIN prompt_versions v '
        + 'ON v.prompt_id = p.id GROUP BY p.id HAVING count(v.id) '
        + '<> p.last_version OR coalesce(max(v.version), 0) '
        + '<> p.last_version'), [], 'killed: no prompt is half there');
    g.is(await g.sql(
        "SELECT id FROM prompts WHERE name LIKE 'source-%' "
        + `AND last_version <> ${versions}`), [],
         'killed: nor those that nobody was told of');
}


g.main({
    postgres: '%CONNINFO% connections=2 timeout=1s connect_timeout=1s',
    /* the key stays known while PostgreSQL is away */
    http: 'prompt_key_cache valid=60s unknown=5s;'
}, async () => {
    await hang();
    await crash();
});
