#!/usr/bin/env node
/*
 * PostgreSQL fails over: the first of two servers is killed under load, its
 * synchronous standby is promoted.  nginx goes over to it by itself, and
 * nothing that was acknowledged is lost.
 */

'use strict';

const g = require('../lib/guarantee.js');
const { accounts, writer, executor, since, checks }
    = require('../lib/failover.js');

const limit = 1000;                             /* timeout=1s, below */


g.main({
    postgres: '%CONNINFO% connections=2 timeout=1s connect_timeout=1s',
    http: 'prompt_key_cache valid=60s unknown=5s;',
    before: async (config) => {
        config.place = await g.services('standby');
        config.conninfo = config.conninfo.replace(/host=(\S+)/,
            `host=$1,${config.place}/sock2 target_session_attrs=read-write`);
    }
}, async (config) => {
    const a = accounts();
    const id = await g.prompt('executed', '{{word}}', { model: 'fx:delay=50' });
    const workers = g.workers().sort().join();
    let over = false;
    const isOver = () => over;

    await g.calls('clear');

    const clients = [
        g.clients(8, (c) => writer(a, c, isOver)),
        g.clients(2, (c) => executor(a, id, c, isOver)),
        g.clients(4, async () => {
            while (!over) {
                const r = await g.post('{ prompts(first: 2) { id name } }');

                a.reads.push(r);

                if (!r.data) {
                    await g.sleep(10);
                }
            }
        })
    ];

    await g.sleep(1000 * g.scale);

    const pids = [g.postmaster(), ...g.children(g.postmaster())];
    const killed = performance.now();

    g.signal('SIGKILL', pids);
    await g.sleep(1200);
    await g.services('promote');

    const promoted = performance.now();

    config.pg_host = `${config.place}/sock2`;
    config.pg_data = `${config.place}/standby`;

    g.ok(await g.until(20, () => since(promoted, a.writes) < Infinity),
         'writes succeed again');
    await g.sleep(1000);
    over = true;
    await Promise.all(clients);

    const wrote = since(promoted, a.writes);
    const read = since(promoted, a.reads);
    const ended = g.tally();
    const all = [...a.writes, ...a.reads];
    const longest = Math.max(...all.map((r) => r.ms));

    all.forEach((r) => ended.add(r));

    g.diag(`${ended}; executions: ${a.executions}; ${a.there.size} prompts, `
           + `${a.gone.size} deleted`);
    g.diag(`promoted after ${Math.round(promoted - killed)} ms; then a write `
           + `after ${Math.round(wrote)} ms, a read after ${Math.round(read)} `
           + `ms; the longest took ${Math.round(longest)} ms`);
    g.ok(wrote < 5000 * g.slow, 'within five seconds');
    g.ok(read < 5000 * g.slow, 'reads, too');
    g.ok(longest < limit * 1.1 + 700 * g.slow, 'errors within the limit');
    g.is(ended.others('200', '200 INTERNAL_SERVER_ERROR',
                      '503 INTERNAL_SERVER_ERROR'), 0, 'sound errors');
    g.is(g.workers().sort().join(), workers, 'the workers live');
    g.is((await g.sql('SELECT pg_is_in_recovery()')).flat(), ['f'],
         'all this is asked of the new server');
    await checks(a);

    /* what waited for PostgreSQL is written to the new one */
    g.ok(await g.until(15, async () => (await g.sql('SELECT count(*) FROM '
        + "executions WHERE status = 'succeeded'"))[0][0]
        === String((await g.calls()).filter((c) => c.method === 'POST')
                                    .length)),
         'each execution is recorded');

    /* and it goes on as if nothing had been */
    const after = g.tally();

    await g.share(8, 200, async (i) => {
        after.add(i % 2 ? await g.post('{ prompts(first: 1) { id } }')
                        : await g.version(id, `after ${i}`));
    });

    g.is(after.others('200'), 0, 'no error afterwards');
});
