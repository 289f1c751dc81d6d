#!/usr/bin/env node
/*
 * The start of an execution and its end never wait for each other in
 * PostgreSQL.  While a start is under way its end is not sent; and a start
 * that still waits for a connection when the end is known is not sent at all:
 * the end says everything.
 */

'use strict';

const g = require('../lib/guarantee.js');


/* the version of a prompt is held by somebody else, who is let go by end() */
async function hold(id) {
    const held = g.sql('BEGIN; SELECT 1 FROM prompt_versions WHERE prompt_id = '
                       + `'${id}' FOR UPDATE; SELECT pg_sleep(600)`)
                  .catch(() => null);
    const holder = () => g.sql('SELECT pid FROM pg_stat_activity WHERE '
                               + "query LIKE '%FOR UPDATE%' AND query LIKE "
                               + `'%${id}%' AND wait_event = 'PgSleep'`);

    await g.until(20, async () => (await holder()).length === 1);

    return { end: async () => {
        await g.sql(`SELECT pg_terminate_backend(${(await holder())[0][0]})`);
        await held;
    } };
}

const waiting = async () => Number((await g.sql(
    "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' "
    + "AND query LIKE 'INSERT INTO executions%'"))[0][0]);

const calls = async (n) => g.until(20, async () =>
    (await g.calls()).filter((c) => c.method === 'POST').length === n);

/* whether the row was there before its end, and how it ended */
const rows = (id) => g.sql('SELECT deadline IS NOT NULL, status, output '
                           + `FROM executions WHERE prompt_id = '${id}'`);


g.main({ workers: 1, postgres: '%CONNINFO% connections=3 timeout=20s' }, async () => {
    const one = await g.prompt('one', '{{word}}', { model: 'fx:echo' });
    const two = await g.prompt('two', '{{word}}', { model: 'fx:echo' });
    const free = await g.prompt('free', '{{word}}', { model: 'fx:echo' });
    const locks = [await hold(one), await hold(two)];

    await g.calls('clear');

    const first = g.execute(one, { word: 'first' });

    g.ok(await calls(1), 'a provider is asked while the start waits');
    await g.sleep(300);
    g.is(await waiting(), 1, 'its end does not wait beside the start');

    const second = g.execute(two, { word: 'second' });

    g.ok(await calls(2) && await g.until(20, async () => await waiting() === 2),
         'the second start has the second connection');

    /* the third connection is left to reads */

    const third = g.execute(free, { word: 'third' });

    g.ok(await calls(3), 'a third one is asked for');
    await g.sleep(300);

    for (const lock of locks) {
        await lock.end();
    }

    g.is((await Promise.all([first, second, third]))
             .map((r) => Boolean(r.data && r.data.executePrompt)),
         [true, true, true], 'all three are answered');

    const ended = (await rows(free))[0].slice(1);

    g.is([await rows(one), await rows(two)].map((r) => r.map((c) => c.slice(0,
                                                                          2))),
         [[['t', 'succeeded']], [['t', 'succeeded']]],
         'what was started was ended');
    g.is(await rows(free), [['f', 'succeeded', ended[1]]],
         'what had no connection was written once, whole');
});
