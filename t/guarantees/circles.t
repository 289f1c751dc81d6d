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


/* of those in one statement some are refused: the others are not */
async function refused() {
    const id = await g.prompt('some are refused', '{{word}}',
                              { model: 'at-once' });
    const total = Math.round(1200 * g.scale);
    const bad = (i) => i % 97 === 96;
    let together = false;
    let right = 0;

    await g.sql('CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS '
                + "$$ BEGIN IF new.input->>'word' LIKE 'bad%' THEN RAISE "
                + "'refused'; END IF; RETURN new; END $$; "
                + 'CREATE TRIGGER refuse BEFORE INSERT ON executions '
                + 'FOR EACH ROW EXECUTE FUNCTION refuse()');

    const watch = g.until(60, async () => {
        const [[n]] = await g.sql('SELECT count(*) FROM pg_stat_activity WHERE '
            + "query LIKE 'INSERT INTO executions AS e (id, prompt_id, '"
            + "|| 'version, executed_by, by_owner, model,%'");

        together = together || n !== '0';
        return together;
    });

    await g.share(64, total, async (i) => {
        const word = bad(i) ? `bad${i}` : `good${i}`;
        const { data, errors } = await g.execute(id, { word });

        /* what cannot be recorded is told, with what the provider said */

        right += bad(i) ? (errors || data ? 1 : 0)
                        : (data && data.executePrompt ? 1 : 0);
    });

    await watch;
    await g.sql('DROP TRIGGER refuse ON executions');

    g.ok(together, 'several were in one statement');
    g.is(right, total, 'those that PostgreSQL takes are executed');
    g.is(await g.sql('SELECT status, count(*), count(DISTINCT input->>\'word\')'
                     + ` FROM executions WHERE prompt_id = '${id}' `
                     + "AND input->>'word' LIKE 'good%' GROUP BY 1"),
         [['succeeded', ...Array(2).fill(`${[...Array(total).keys()]
             .filter((i) => !bad(i)).length}`)]],
         'each has its row');
    g.is(await g.sql('SELECT count(*) FROM executions WHERE '
                     + `prompt_id = '${id}' AND output IS DISTINCT FROM `
                     + "input->>'word'"), [['0']], 'with its own output');
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

    await refused();
});
