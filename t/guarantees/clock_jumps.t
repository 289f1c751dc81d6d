#!/usr/bin/env node
/*
 * PostgreSQL's clock is a day ahead for a while, and back: all executions are
 * in statistics and in filtered pages, once, at any moment that a sweep is
 * over; no key of Idempotency-Key is forgotten, no call done twice, nothing
 * that runs given up.  A host whose clock is behind is counted, too.
 */

'use strict';

const g = require('../lib/guarantee.js');

const hour = 3600000;
let id = null;
let made = 0;

const execute = async (n) => {
    for (let i = 0; i < n; i++) {
        const r = await g.execute(id, { n: 'x' });

        if (!r.data) {
            throw new Error(JSON.stringify(r));
        }

        made++;
    }
};

const once = (key) => g.execute(id, { n: 'once' },
                                { headers: { 'Idempotency-Key': key } });

/* an execution as a host makes it whose clock is away by so much */
const away = async (by) => {
    await g.sql(
        'INSERT INTO executions (id, prompt_id, version, executed_by, '
        + 'by_owner, created_at, status, deadline, model) SELECT prompt_id_of('
        + `now() + interval '${by}'), id, 1, owner_id, true, `
        + `now() + interval '${by}', 'running', now() + interval '5 minutes', `
        + `'fx:ok' FROM prompts WHERE id = '${id}'`);
    await g.sql("UPDATE executions SET status = 'succeeded' WHERE status = "
                + "'running' AND model = 'fx:ok' AND created_at < now() - "
                + "interval '10 minutes'");
    made++;
};

/* what statistics and pages by a filter say there is */
const seen = async () => {
    const r = await g.post(
        'query ($since: DateTime!, $until: DateTime!) { statistics('
        + 'since: $since, until: $until, by: ALL) { executions succeeded } '
        + 'executions(first: 100, status: ["succeeded"]) { id } }',
        { since: new Date(Date.now() - 48 * hour).toISOString(),
          until: new Date(Date.now() + 48 * hour).toISOString() });

    return r.data ? [r.data.statistics[0].executions,
                     r.data.statistics[0].succeeded,
                     new Set(r.data.executions.map((e) => e.id)).size,
                     r.data.executions.length] : r;
};

const counted = async (name) => {
    let last = null;
    const good = await g.until(60, async () => {
        last = await seen();

        return JSON.stringify(last)
               === JSON.stringify([made, made, made, made]);
    });

    if (!g.ok(good, name)) {
        g.diag(`${JSON.stringify(last)} of ${made}`);
    }
};

/* sweeps of each kind that were done */
const sweeps = async () => Object.fromEntries(
    [...(await g.get('/metrics')).text.matchAll(
        /^prompt_sweeps_total\{sweep="(\w+)"\} (\d+)/gm)]
        .map(([, kind, n]) => [kind, Number(n)]));

/* all of them came by, and the log's as far as it comes */
const swept = async () => {
    const before = await sweeps();

    return g.until(120, async () => {
        const now = await sweeps();

        return Object.keys(before).every((kind) => now[kind]
                                                   >= before[kind] + 2);
    });
};

/* how far the mark is ahead of five minutes ago, by our clock, in minutes */
const mark = async () => {
    const [[text]] = await g.sql('SELECT mark FROM log_mark');

    return (parseInt(text.replaceAll('-', '').slice(0, 12), 16)
            - (Date.now() - 300000)) / 60000;
};

const kept = async () => Number((await g.sql(
    'SELECT count(*) FROM idempotency_keys'))[0][0]);


g.main({ workers: 2, clock: true }, async () => {
    id = await g.prompt('jumps', '{{n}}', { model: 'fx:ok' });

    await execute(3);

    const first = await once('before');

    made++;
    g.ok(first.data, 'a call with a key');

    await counted('all count');
    g.ok(await swept(), 'sweeps come by');

    /* of a host whose clock is behind: it comes below what was swept */

    await away('-2 hours');
    await counted('so does one that comes late');

    /* it runs, for an hour at most */

    await g.sql(
        'INSERT INTO executions (id, prompt_id, version, executed_by, '
        + 'by_owner, created_at, status, deadline, model) SELECT prompt_id_of('
        + "now()), id, 1, owner_id, true, now(), 'running', "
        + "now() + interval '1 hour', 'runs' FROM prompts "
        + `WHERE id = '${id}'`);

    const runs = async () => (await g.sql(
        "SELECT status FROM executions WHERE model = 'runs'"))[0][0];

    /* a day ahead: the log goes with it, and nothing else is done */

    g.clock('+25h');
    await execute(2);
    g.is((await once('before')).data, first.data,
         'a call is answered, and not done again');
    g.ok(await g.until(60, async () => await mark() > 24 * 60),
         'the mark goes with the clock');
    await away('-20 hours');
    g.ok(await swept(), 'sweeps come by');
    g.is([await kept(), await runs()], [1, 'running'],
         'no key goes, and what runs runs');
    g.is((await once('before')).data, first.data, 'nor is it done again');

    /* back: what comes now is behind the mark, in time */

    g.clock('+0');
    await execute(4);
    g.ok(await g.until(60, async () => await mark() < 1),
         'the mark goes back');
    await execute(2);

    await g.sql("UPDATE executions SET status = 'succeeded' "
                + "WHERE model = 'runs'");
    made++;
    await counted('all count that came before, while and after');

    const calls = (await g.calls()).length;

    g.is((await once('before')).data, first.data, 'a call with its key');
    g.is((await g.calls()).length, calls, 'is not made');

    /* ahead by as much as there is, so that all of it is summed up; twice */

    for (const turn of [1, 2]) {
        g.clock('+10m');
        g.ok(await g.until(60, async () => await mark() > 9),
             `summed up, ${turn}`);
        await counted('all count that is in sums');

        const [[sum]] = await g.sql(
            'SELECT sum(executions) + (SELECT count(*) FROM log_waiting) '
            + '+ (SELECT count(*) FROM executions WHERE id > (SELECT mark '
            + 'FROM log_mark)) FROM statistics JOIN log_kinds USING (kind) '
            + `WHERE prompt_id = '${id}' AND hour < 0`);

        g.is(Number(sum), made, 'each of them once');

        g.clock('+0');
        await execute(1);
        g.ok(await g.until(60, async () => await mark() < 1),
             'the mark goes back again');
        await counted('all count that is in rows');
    }

    g.ok(/clock is (89|90)\d{3} s from where it should be/.test(g.log()),
         'the log tells of it');
});
