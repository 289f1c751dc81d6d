#!/usr/bin/env node
/*
 * Executions of hosts whose clocks are ahead, by months: a worker that knows
 * of them shows them, another one does half a minute later, and what is there
 * already is never missed meanwhile.  Where none is ahead, the months that are
 * made ahead are not looked into.
 */

'use strict';

const g = require('../lib/guarantee.js');

const read = 'query ($id: ID!) { prompt(id: $id) { versions '
             + '{ executions(first: 100) { id } } } '
             + 'executions(first: 100) { id } }';

const wrong = [];


/* the ids that are shown, by the prompt and by the log, which agree */
async function shown(id)
{
    const r = await g.post(read, { id });

    if (!r.data) {
        wrong.push(r);
        return [];
    }

    const ids = r.data.prompt.versions[0].executions.map((e) => e.id);
    const log = r.data.executions.map((e) => e.id);

    if (JSON.stringify(ids) !== JSON.stringify(log)) {
        wrong.push([ids, log]);
    }

    return ids;
}


/* an execution as a host makes it whose clock is so many days ahead */
async function ahead(id, days)
{
    const rows = await g.sql(
        'INSERT INTO executions (id, prompt_id, version, executed_by, '
        + "by_owner, status) SELECT prompt_id_of(now() + interval '"
        + `${days} days'), id, 1, owner_id, true, 'succeeded' FROM prompts `
        + `WHERE id = '${id}' RETURNING id`);

    return rows[0][0];
}


/* looks into indexes of months of which no execution can be */
const looks = async () => Number((await g.sql(
    'SELECT coalesce(sum(idx_scan), 0) FROM pg_stat_user_indexes WHERE '
    + "indexrelname LIKE '%version%' AND relname IN ('executions_' || "
    + "to_char(now() AT TIME ZONE 'UTC' + interval '2 months', 'YYYY_MM'), "
    + "'executions_later')"))[0][0]);


/* Reads all the while for so long that PostgreSQL has counted it. */

async function unseen(id)
{
    return g.until(60, async () => {
        const before = await looks();
        const end = Date.now() + 2500;

        while (Date.now() < end) {
            await shown(id);
        }

        return before === await looks();
    });
}


g.main({ workers: 1 }, async () => {
    const id = await g.prompt('clocks', 'x', { model: 'fx:ok' });
    const first = await ahead(id, 0);

    g.is(await shown(id), [first], 'an execution of now');
    g.ok(await unseen(id), 'months ahead are left alone');
    g.is(await shown(id), [first], 'it is shown');

    const second = await ahead(id, 40);

    g.ok(await g.until(60, async () => {
        const ids = await shown(id);

        if (!ids.includes(first)) {
            wrong.push(ids);
        }

        return ids.includes(second);
    }), 'one from 40 days ahead is shown before long');

    /* of the same host, which is ahead by as much */

    const third = await ahead(id, 40.2);

    g.is(await shown(id), [third, second, first], 'the next one at once');

    g.is(wrong.slice(0, 3), [], 'nothing was missing, or failed');
});
