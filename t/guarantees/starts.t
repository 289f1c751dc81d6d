#!/usr/bin/env node
/*
 * The start of an execution and its end never wait for each other in
 * PostgreSQL.  While a start is under way its end is not sent; and a start
 * that still waits for a connection when the end is known is not sent at all:
 * the end says everything.
 */

'use strict';

const g = require('../lib/guarantee.js');


const calls = async (n) => g.until(20, async () =>
    (await g.calls()).filter((c) => c.method === 'POST').length === n);

/* whether the row was there before its end, and how it ended */
const rows = (id) => g.sql('SELECT deadline IS NOT NULL, status, output '
                           + `FROM executions WHERE prompt_id = '${id}'`);


g.main({ workers: 1, postgres: '%CONNINFO% connections=3 timeout=60s' }, async () => {
    const one = await g.prompt('one', '{{word}}', { model: 'fx:echo' });
    const two = await g.prompt('two', '{{word}}', { model: 'fx:echo' });
    const free = await g.prompt('free', '{{word}}', { model: 'fx:echo' });
    const locks = [await g.hold(one), await g.hold(two)];

    await g.calls('clear');

    const first = g.execute(one, { word: 'first' });

    g.ok(await calls(1), 'a provider is asked while the start waits');
    await g.sleep(300);
    g.is(await g.blocked(), 1, 'its end does not wait beside the start');

    const second = g.execute(two, { word: 'second' });

    g.ok(await calls(2) && await g.until(20, async () => await g.blocked() === 2),
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
