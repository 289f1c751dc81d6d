#!/usr/bin/env node
/*
 * Workers are killed in the middle of sweeps of the log: statistics stay what
 * they are, at any moment, and the sweep goes on where it was.  A step that
 * PostgreSQL refuses as too large is followed by a smaller one.
 */

'use strict';

const g = require('../lib/guarantee.js');

const rows = 2500 * g.scale;
const kills = 3;

/* of a private prompt, all over three days */
const fill = (id) => `
    INSERT INTO executions (id, prompt_id, version, executed_by, by_owner,
                            status, model, latency_ms, token_in, token_out,
                            cost_usd)
        SELECT (lpad(to_hex(((extract(epoch FROM now()) - 3600 - n * 86400.0
                              * 3 / ${rows}) * 1000)::bigint), 12, '0')
                || '70018000' || lpad(to_hex(n), 12, '0'))::uuid,
               v.prompt_id, v.version, v.owner_id, true,
               CASE WHEN n % 7 = 0 THEN 'failed' ELSE 'succeeded' END, 'fx:ok',
               n % 1000, n, 1, n * 0.000000000001
            FROM prompt_versions v, generate_series(1, ${rows}) n
            WHERE v.prompt_id = '${id}'`;

/* steps of more than 600 fail; each takes a while, and is seen */
const slow = `
    ALTER FUNCTION prompt_log_sweep(integer, boolean)
        RENAME TO prompt_log_swept;
    CREATE TABLE steps (n serial, most integer);
    CREATE FUNCTION prompt_log_sweep(most integer, steady boolean,
                                     OUT more boolean)
        LANGUAGE plpgsql SECURITY DEFINER AS $$
    BEGIN
        IF most > 600 THEN
            RAISE 'too much for a step';
        END IF;

        INSERT INTO steps (most) VALUES (prompt_log_sweep.most);
        more := prompt_log_swept(prompt_log_sweep.most, steady);
        PERFORM pg_sleep(0.3);
    END
    $$;`;

const sums = async () => {
    const r = await g.post(
        'query ($since: DateTime!) { statistics(since: $since, by: ALL) '
        + '{ executions succeeded failed tokenIn tokenOut costUsd } }',
        { since: new Date(Date.now() - 5 * 86400000).toISOString() });

    return r.data && r.data.statistics[0];
};

const sweeping = async () => (await g.sql(
    'SELECT pid FROM pg_stat_activity WHERE state = \'active\' '
    + 'AND query LIKE \'%prompt_log_sweep($1%\' '
    + 'AND datname = current_database() AND pid <> pg_backend_pid()')).length;

/* what is not summed up */
const left = async () => Number((await g.sql(
    'SELECT (SELECT count(*) FROM log_waiting) + (SELECT count(*) '
    + 'FROM executions WHERE id > (SELECT mark FROM log_mark))'))[0][0]);


g.main({ workers: 2, allow: /exited on signal 9/ }, async () => {
    const id = await g.prompt('summed up', 'text');

    await g.sql(`${slow} ${fill(id)}`);

    const all = await sums();

    g.is([all.executions, all.tokenIn], [rows, rows * (rows + 1) / 2],
         'what is not summed up yet counts');

    let killed = 0;
    const wrong = [];

    while (killed < kills) {
        if (!await g.until(60, sweeping)) {
            break;
        }

        g.signal('SIGKILL', g.workers());
        killed++;

        await g.until(10, () => g.workers().length === 2);

        const now = await g.until(10, sums);

        if (JSON.stringify(now) !== JSON.stringify(all)) {
            wrong.push(now);
        }
    }

    g.is(killed, kills, 'workers were killed in the middle of steps');
    g.is(wrong, [], 'statistics stayed as they were');

    g.ok(await g.until(90, async () => await left() === 0),
         'the sweep went on, in steps that are small enough');
    g.is(await sums(), all, 'what was summed up is what was there');

    const [[executions, cost]] = await g.sql(
        'SELECT sum(executions), sum(cost_usd) FROM statistics '
        + `JOIN log_kinds USING (kind) WHERE prompt_id = '${id}' AND hour < 0`);
    const [[rowsThere, costThere]] = await g.sql(
        'SELECT count(*), sum(cost_usd) FROM executions '
        + `WHERE prompt_id = '${id}'`);

    g.is([executions, cost], [rowsThere, costThere],
         'each of them once, to the last digit');
});
