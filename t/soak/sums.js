/*
 * What the database says against the ledger of a load (load.js): each word has
 * its row, figures add up, nothing is reserved or runs any more.
 */

'use strict';

const g = require('../lib/guarantee.js');
const load = require('./load.js');

const one = async (text) => (await g.sql(text))[0][0];


/* equal ones of those that went with their prompts, with how many there are */
function gone(s) {
    const counts = new Map();

    for (const one of s.gone.map((figures) => JSON.stringify(figures))) {
        counts.set(one, (counts.get(one) || 0) + 1);
    }

    return JSON.stringify([...counts].map(([one, n]) =>
        ({ ...JSON.parse(one), n })));
}

/* executions, with those */
const all = (s) => `(SELECT model, status, token_in, token_cached, token_out,
        cost_usd, spent_usd, reserved_of FROM executions
        WHERE executed_by = '${s.user}'
    UNION ALL SELECT model, status, token_in, token_cached, token_out,
        cost_usd, cost_usd, (SELECT array_agg(id) FROM budgets
            WHERE project_id = '${s.user}' AND key_id IS NULL
                  AND run_id IS NULL)
        FROM json_to_recordset('${gone(s)}') g (model text, status text,
        token_in integer, token_cached integer, token_out integer,
        cost_usd numeric, n integer), generate_series(1, n)) x`;


/* which words the provider was asked; it forgets them */
exports.collect = async (s) => {
    for (const call of await g.calls('take')) {
        const said = call.body.messages && call.body.messages.length > 0
            ? JSON.stringify(call.body.messages) : '';
        const [, word] = /say (w\d+)/.exec(said) || [];

        if (!s.words.has(word)) {
            load.fault(s, `the provider was asked what nobody said: ${said}`);
            continue;
        }

        s.words.get(word).calls++;
    }
};

/* until every execution has ended, or is given up */
exports.ended = async (s) => {
    const left = () => one('SELECT count(*) FROM executions WHERE status = '
                           + `'running' AND executed_by = '${s.user}'`);

    if (!await g.until(150, async () => await left() === '0')) {
        load.fault(s, `${await left()} executions go on running`);
    }
};

/* each word that was answered, or asked of the provider, has one row */
async function words(s) {
    const found = new Map();

    for (const [word, status, attempts, said] of await g.sql(
        "SELECT input->>'word', status, attempts, left(output, 100) "
        + `FROM executions WHERE executed_by = '${s.user}'`))
    {
        found.set(word, [...(found.get(word) || []),
                         { status, attempts: Number(attempts), said }]);
    }

    for (const [word, w] of s.words) {
        const rows = found.get(word) || [];
        const [row] = rows;
        const is = `${word} of ${w.prompt}`;

        if (rows.length > 1) {
            load.fault(s, `${is} has ${rows.length} rows`);
        }

        if (rows.length === 0 && !w.gone
            && (w.said !== undefined || w.calls > 0))
        {
            load.fault(s, `${is} was ${w.said === undefined ? 'asked' : 'said'}`
                       + ' and has no row');
        }

        if (row && w.said !== undefined
            && (row.status !== 'succeeded' || row.said !== w.said))
        {
            load.fault(s, `${is} was answered, and its row is ${row.status}`);
        }

        if (row && row.status === 'succeeded' && row.attempts !== w.calls) {
            load.fault(s, `${is} took ${w.calls} calls, its row has `
                       + `${row.attempts}`);
        }

        found.delete(word);
    }

    if (found.size > 0) {
        load.fault(s, `rows of what nobody said: ${[...found.keys()]}`);
    }
}

/* what a cost is made of, as the schema says */
async function costs(s) {
    const wrong = await one(`SELECT count(*) FROM executions
        WHERE cost_usd <> ((token_in - coalesce(token_cached, 0)
                            - coalesce(token_cache_write, 0)) * price_input
            + coalesce(token_cached, 0) * coalesce(price_cached_input, 0)
            + coalesce(token_cache_write, 0) * coalesce(price_cache_write, 0)
            + token_out * price_output) / 1000000`);

    if (wrong !== '0') {
        load.fault(s, `${wrong} costs are not tokens by prices`);
    }
}

/* statistics are the sums of the rows, in all and by model */
async function statistics(s) {
    const figures = 'executions succeeded failed tokenIn tokenCached tokenOut '
                    + 'costUsd costUnknown';

    for (const [by, group] of [['', "''"], [', groupBy: MODEL',
                                            "coalesce(model, '')"]])
    {
        const r = await load.ask(s, 'statistics', '{ statistics(since: '
            + `"2026-01-01T00:00:00Z", by: ALL${by}) { group ${figures} } }`);
        const want = new Map((await g.sql(`SELECT ${group}, count(*),
            count(*) FILTER (WHERE status = 'succeeded'),
            count(*) FILTER (WHERE status = 'failed'),
            coalesce(sum(token_in), 0), coalesce(sum(token_cached), 0),
            coalesce(sum(token_out), 0),
            trim_scale(coalesce(sum(cost_usd), 0)),
            count(*) FILTER (WHERE cost_usd IS NULL)
            FROM ${all(s)} GROUP BY 1`))
            .map(([name, ...row]) => [name, row.join()]));

        for (const b of r ? r.data.statistics : []) {
            const told = figures.split(' ').map((name) => b[name]).join();

            if (told !== want.get(b.group || '')) {
                load.fault(s, `statistics of "${b.group || 'all'}" are ${told},`
                           + ` the rows ${want.get(b.group || '')}`);
            }

            want.delete(b.group || '');
        }

        if (want.size > 0) {
            load.fault(s, `statistics lack ${[...want.keys()]}`);
        }
    }
}

/* a budget has spent what its rows have, and nothing is reserved */
async function budgets(s) {
    for (const [id, what, spent, reserved, free, limit, rows] of await g.sql(
        `SELECT b.id, coalesce('key ' || b.key_id, 'run ' || b.run_id,
                               'project'),
            trim_scale(sum(l.spent_usd)), trim_scale(sum(l.reserved_usd)),
            trim_scale(sum(l.free_usd)), trim_scale(b.limit_usd),
            trim_scale((SELECT coalesce(sum(spent_usd), 0) FROM ${all(s)}
                        WHERE b.id = ANY (reserved_of)))
            FROM budgets b JOIN budget_slots l ON l.budget_id = b.id
            WHERE b.project_id = '${s.user}' GROUP BY b.id`))
    {
        if (spent !== rows || reserved !== '0'
            || Math.abs(Number(spent) + Number(free) - Number(limit)) > 1e-6)
        {
            load.fault(s, `budget ${id} of ${what} has spent ${spent} and `
                       + `reserved ${reserved} with ${free} of ${limit} left, `
                       + `its rows have spent ${rows}`);
        }
    }
}

/* what quotas count is what there is */
async function quotas(s) {
    const [[prompts, bytes]] = await g.sql('SELECT sum(prompts), sum(bytes) '
        + `FROM project_room WHERE project_id = '${s.user}'`);
    const [[counted, sized, keys]] = await g.sql(`SELECT
        (SELECT count(*) FROM prompts WHERE owner_id = '${s.user}'
            AND state <> 1),
        (SELECT sum(bytes) FROM prompts WHERE owner_id = '${s.user}'
            AND state <> 1)
        + (SELECT coalesce(sum(bytes), 0) FROM datasets
            WHERE project_id = '${s.user}' AND state = 0),
        (SELECT count(*) FROM api_keys WHERE project_id = '${s.user}'
            AND deleted_at IS NULL)`);
    const r = await load.ask(s, 'usage', '{ project { usage { prompts keys '
                                         + 'bytes inFlight } } }');
    const told = r && Object.values(r.data.project.usage).join();
    const want = `${counted},${keys},${sized},0`;

    if (prompts !== counted || bytes !== sized) {
        load.fault(s, `quotas count ${prompts} prompts with ${bytes} bytes, `
                   + `there are ${counted} with ${sized}`);
    }

    if (told !== want) {
        load.fault(s, `usage is ${told} instead of ${want}`);
    }
}

/* each change that was acknowledged left one trace */
async function traces(s) {
    const found = new Map(await g.sql('SELECT action, count(*) FROM audit '
        + `WHERE project_id = '${s.user}' GROUP BY 1`));

    for (const [what, n] of s.acknowledged) {
        const traced = Number(found.get(what) || 0);

        if (traced < n || traced > n + (s.unknown.get(what) || 0)) {
            load.fault(s, `${n} of ${what} were acknowledged, ${
                s.unknown.get(what) || 0} not, and ${traced} left a trace`);
        }
    }
}

async function tables(s) {
    for (const [what, text] of [
        ['prompts lack versions', 'SELECT count(*) FROM (SELECT 1 FROM prompts '
         + 'p LEFT JOIN prompt_versions v ON v.prompt_id = p.id WHERE p.state '
         + '= 0 GROUP BY p.id HAVING count(v.id) <> p.last_version) x'],
        ['prompts are half deleted', 'SELECT count(*) FROM prompts WHERE '
         + 'state <> 0'],
        ['versions have no prompt', 'SELECT count(*) FROM prompt_versions v '
         + 'WHERE NOT EXISTS (SELECT FROM prompts p WHERE p.id = '
         + 'v.prompt_id)'],
        ['runs are not done, beside those that nobody knows of',
         `SELECT greatest(count(DISTINCT r.id) - ${
             s.unknown.get('createRun') || 0}, 0) FROM run_cells c JOIN runs r `
         + 'ON r.id = c.run_id JOIN datasets d ON d.id = r.dataset_id '
         + `WHERE c.state <> 2 AND d.project_id = '${s.user}'`],
        ['Idempotency-Keys are not done', 'SELECT count(*) FROM '
         + 'idempotency_keys WHERE status IS NULL AND lease < now()'],
        ['reservations are orphans', 'SELECT count(*) FROM budget_orphans']
    ]) {
        if (!await g.until(30, async () => await one(text) === '0')) {
            load.fault(s, `${await one(text)} ${what}`);
        }
    }

    for (const { id } of s.keys) {
        if (await one('SELECT count(*) FROM api_keys WHERE id = '
                      + `'${id}' AND deleted_at IS NULL`) !== '1')
        {
            load.fault(s, `key ${id} was acknowledged and is not there`);
        }
    }
}

exports.check = async (s) => {
    await exports.collect(s);
    await words(s);
    await costs(s);
    await statistics(s);
    await budgets(s);
    await quotas(s);
    await traces(s);
    await tables(s);
};
