#!/usr/bin/env node
/*
 * Writes of several requests share transactions.  Where a provider answers at
 * once, the starts of executions and their ends meet in PostgreSQL: they wait
 * for each other, and never in a circle.
 */

'use strict';

const g = require('../lib/guarantee.js');

async function deadlocks() {
    const [[n]] = await g.sql('SELECT deadlocks FROM pg_stat_database '
                              + 'WHERE datname = current_database()');
    return n;
}


g.main({
    postgres: '%CONNINFO% connections=8',
    http: 'prompt_provider at_once /_provider/at_once; '
          + 'prompt_model at-once provider=at_once;',
    locations: 'location = /_provider/at_once { internal; prompt_echo; }'
}, async () => {
    const id = await g.prompt('at once', '{{word}}', { model: 'at-once' });
    const total = Math.round(3000 * g.scale);
    const before = await deadlocks();
    let told = 0;

    await g.share(64, total, async (i) => {
        const { data } = await g.execute(id, { word: `w${i}` });

        told += data && data.executePrompt ? 1 : 0;
    });

    g.is(told, total, 'all were executed');
    g.is(await g.sql('SELECT status, count(*) FROM executions '
                     + `WHERE prompt_id = '${id}' GROUP BY 1`),
         [['succeeded', `${total}`]], 'each has its row');

    /* PostgreSQL counts a second late */
    await g.sleep(2000);
    g.is(await deadlocks(), before, 'none waited in a circle');
});
