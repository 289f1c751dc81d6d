#!/usr/bin/env node
/*
 * A budget is a wall: what fits starts, never more, on whichever host; nothing
 * is refused while there is room; and what was spent is what the rows say,
 * whoever is killed meanwhile.
 */

'use strict';

const g = require('../lib/guarantee.js');
const second = require('../lib/second.js');

/* output alone costs: a call with max_tokens 100 costs 0.0001 at most */
const worst = 0.0001;

/* each has a socket of its own */
const agent = g.agent(4096);


async function setBudget(limit, key) {
    await g.sql('DELETE FROM budgets');

    const r = await g.post('mutation ($l: String!, $k: ID) { setBudget('
        + 'limitUsd: $l, per: TOTAL, keyId: $k, warnAtPercent: 50) { id } }',
        { l: String(limit), k: key });

    if (!r.data) {
        throw new Error(JSON.stringify(r));
    }
}

const prompt = (name, model, more) => g.prompt(name, 'say {{word}}',
    { model, max_tokens: 100, ...(more || {}) });

/* of the only budget, in units of what a call costs at most */
async function sums() {
    const [spent, reserved, free] = (await g.sql(
        'SELECT sum(spent_usd), sum(reserved_usd), sum(free_usd) '
        + 'FROM budget_slots'))[0].map(Number);

    return { spent: spent / worst, reserved: reserved / worst,
             free: free / worst };
}

const near = (a, b) => Math.abs(a - b) < 1e-6;

/* rows since then, and what they say was spent */
async function rows(since) {
    return (await g.sql('SELECT count(*), coalesce(sum(spent_usd), 0), '
        + 'coalesce(sum(cost_usd), 0), coalesce(sum(spent_usd) FILTER '
        + "(WHERE status = 'lost'), 0), count(*) FILTER (WHERE status = "
        + "'running') FROM executions WHERE reserved_of IS NOT NULL AND "
        + `created_at >= '${since}'`))[0].map(Number);
}

const now = async () => (await g.sql('SELECT now()'))[0][0];


/* 1,000 at once from two hosts: ten calls' worth */
async function burst(hosts, name, key, id) {
    const total = Math.round(1000 * Math.min(g.scale, 1));
    const ended = g.tally();
    const refused = { right: 0 };
    let resets;

    await setBudget(10 * worst, id);

    const prompted = await prompt(`burst-${name}`, 'paid-fx:usage=5:100,delay=300');

    await g.calls('clear');

    const start = Date.now();

    await g.clients(total, async (i) => {
        const r = ended.add(await g.execute(prompted, { word: `b${i}` },
            { port: hosts[i % 2].port, agent, key }));

        if (r.code === 'FORBIDDEN') {
            const said = r.errors[0].extensions;

            refused.right += said.reason === 'BUDGET_EXCEEDED' ? 1 : 0;
            resets = said.resetsAt;
        }
    });

    const { spent, reserved, free } = await sums();

    g.diag(`burst, ${name}: ${ended}, ${Date.now() - start} ms`);
    g.is(ended.seen['200'], 10, `burst, ${name}: ten are answered`);
    g.is(refused.right, total - 10, 'all others are refused, by the budget');
    g.is(resets, null, 'which never begins anew');
    g.is((await g.calls()).filter((c) => c.method === 'POST').length, 10,
         'the provider was asked ten times');
    g.ok(near(spent, 10) && near(reserved, 0) && near(free, 0),
         `all of it is spent: ${spent}, ${reserved}, ${free}`);
}


/* much at once, and room for all: nothing is refused */
async function room(hosts) {
    const total = Math.round(800 * g.scale);
    const since = await now();
    const ended = g.tally();

    /* what is spent in the end, 64 that run, ten more, and a twentieth */

    const limit = (total / 2 + 64 + 10) / 0.95;

    await setBudget((limit * worst).toFixed(9));

    const id = await prompt('room', 'paid-fx:usage=5:50,delay=20');

    await g.share(64, total, async (i) => {
        ended.add(await g.execute(id, { word: `r${i}` },
                                  { port: hosts[i % 2].port, agent }));
    });

    const { spent, reserved } = await sums();
    const [n, counted, cost] = await rows(since);

    g.diag(`room: ${ended}`);
    g.is(ended.seen['200'], total, 'room: none is refused');
    g.is(n, total, 'each has a row');
    g.ok(near(spent, total / 2) && near(reserved, 0)
         && near(counted / worst, spent) && near(cost / worst, spent),
         `what was spent is what they cost: ${spent}, ${reserved}`);
}


/* of all kinds, near the limit, while somebody kills */
async function harm(hosts) {
    const total = Math.round(600 * g.scale);
    const since = await now();
    const ended = g.tally();
    const limit = 200;
    let going = true;
    let over = 0;
    let looked = 0;

    await setBudget((limit * worst).toFixed(9));

    const ids = [
        await prompt('harm-cheap', 'paid-fx:usage=5:20,delay=100'),
        await prompt('harm-dear', 'paid-fx:usage=5:100,delay=200'),
        await prompt('harm-fails', 'paid-fx:status=500'),
        await prompt('harm-other', 'paid-fx:status=503', { fallbacks: [
            { model: 'paid-fx:usage=5:40,delay=50' } ] }),
        await prompt('harm-unknown', 'paid-fx:usage=none')
    ];

    await g.calls('clear');

    const looks = (async () => {
        while (going) {
            try {
                const { spent, reserved, free } = await sums();

                looked++;
                over += spent + reserved > limit + 1e-6
                        || !near(spent + reserved + free, limit) ? 1 : 0;
            } catch {
                /* PostgreSQL is away */
            }

            await g.sleep(100);
        }
    })();

    const harms = (async () => {
        for (let i = 0; going; i++) {
            await g.sleep(700);

            if (i % 4 === 3) {
                await g.killPostgres();
                await g.sleep(300);
                await g.startServices();
            } else if (i % 4 === 1) {
                g.stopPostgres();
                await g.sleep(1500);
                g.continuePostgres();
            } else {
                g.signal('SIGKILL', g.any(g.children(
                    i % 8 === 0 ? g.master() : hosts[1].master())));
            }
        }
    })();

    const deadline = Date.now() + 20000 * g.slow;

    await g.share(48, total, async (i) => {
        const options = { port: hosts[i % 2].port, agent: false };

        if (Date.now() > deadline) {
            return;
        }

        if (i % 6 === 5) {
            ended.add(await g.post('subscription ($id: ID!, $in: JSON!) { '
                + 'executePromptStream(promptId: $id, input: $in) '
                + '{ delta result { costUsd } } }',
                { id: ids[i % 2], in: { word: `h${i}` } },
                { ...options, headers: { Accept: 'text/event-stream' } }));
        } else {
            ended.add(await g.execute(ids[i % 6], { word: `h${i}` }, options));
        }
    });

    going = false;
    await Promise.all([looks, harms]);
    await g.startServices();

    /* what workers keep is written; what was killed is given up */

    await g.until(30, async () => {
        const [[n]] = await g.sql("SELECT count(*) FROM executions WHERE "
            + "status = 'running' AND reserved_of IS NOT NULL AND created_at "
            + "> now() - interval '8 seconds'");

        return n === '0';
    });
    await g.sql("INSERT INTO executions_running SELECT id, now() - interval "
                + "'1 hour' FROM executions WHERE status = 'running' "
                + 'ON CONFLICT (id) DO UPDATE SET deadline = excluded.deadline');
    await g.until(20, async () => {
        await g.sql('SELECT prompt_executions_sweep(10000)');
        return (await rows(since))[4] === 0;
    });

    const { spent, reserved, free } = await sums();
    const [n, counted, cost, lost] = await rows(since);
    const called = new Set((await g.calls()).filter((c) => c.method === 'POST')
        .map((c) => c.body.messages[0].content.slice(4)));
    const known = new Set((await g.sql("SELECT input->>'word' FROM executions "
        + `WHERE created_at >= '${since}'`)).map(([word]) => word));

    g.diag(`harm: ${ended}; ${n} rows, ${counted / worst} spent, `
           + `${lost / worst} of it lost, cost ${cost / worst}, ${looked} `
           + 'looks');
    g.ok(looked > 10, 'harm: it was looked at');
    g.is(over, 0, 'never more than the limit, never other than it in all');
    g.ok(near(reserved, 0), `nothing is reserved: ${reserved}`);
    g.ok(near(spent, counted / worst), `spent is what the rows say: ${spent}`);
    g.ok(near(spent + free, limit), 'the rest is free');
    g.ok(spent <= limit + 1e-6 && spent >= cost / worst - 1e-6,
         'not over the limit, nor less than what they cost');
    g.is([...called].filter((word) => !known.has(word)), [],
         'whoever was asked has a row');
}


g.main({ workers: 2, connections: 4096,
         postgres: '%CONNINFO% connections=4 timeout=20s',
         http: 'prompt_provider paid /_provider/openai timeout=5s; '
               + 'prompt_model paid-fx:* provider=paid input=0 output=1;',
         allow: /exited on signal 9|open socket/ },
       async (config) => {
    const other = await second.start(config);

    g.ok(other, 'there is a second host');

    const hosts = [{ port: config.port }, other];
    const key = (await g.post('mutation { createApiKey(input: {name: "k"}) '
        + '{ key apiKey { id } } }')).data.createApiKey;

    await burst(hosts, 'project');
    await burst(hosts, 'key', key.key, key.apiKey.id);
    await room(hosts);
    await harm(hosts);
    await second.stop();
});
