#!/usr/bin/env node
/*
 * Whatever a provider does, its call ends in time and is recorded, and who
 * does not wait for it does not notice.
 */

'use strict';

const g = require('../lib/guarantee.js');

/* what it does, and how that is recorded */
const faults = {
    'hang': 'failed', 'headers-only': 'failed', 'drip=900': 'failed',
    'close': 'failed', 'reset': 'failed', 'cut=30': 'failed',
    'reset=30': 'failed', 'stop=30': 'failed', 'long': 'failed',
    'short': 'failed', 'bad-chunk': 'failed', 'deep=1000000': 'failed',
    'big=67108864': 'failed', 'bomb=64': 'failed', 'gzip-lie': 'failed',
    'raw': 'failed', 'raw=null': 'failed', 'raw=%5B%5D': 'failed',
    'redirect=%2Fgraphql': 'failed', 'accel=%2Fgraphql': 'failed',
    'header-size=100000': 'failed', 'status=400': 'failed',
    'status=401': 'failed', 'status=429': 'failed', 'status=500': 'failed',
    'status=529': 'failed', 'headers=200': null, 'early': null,
    'big=4000000': 'succeeded', 'type=text%2Fhtml': null,
    'delay=300': 'succeeded'
};


g.main({}, async () => {
    const names = Object.keys(faults);
    const prompts = {};
    const times = [];
    const quick = g.tally();
    const ended = g.tally();
    const late = [];
    const slow = [];
    let over = false;

    for (const form of ['fx', 'claude-fx']) {
        for (const [i, fault] of names.entries()) {
            prompts[`${form}:${fault}`] = await g.prompt(
                `${form} ${i}`, 'x', { model: `${form}:${fault}`,
                                       max_tokens: 10 });
        }
    }

    await g.calls('clear');

    const parallel = g.clients(2, async () => {
        while (!over) {
            const r = quick.add(await g.post('{ me { id } }'));

            times.push(r.ms);
            await g.sleep(5);
        }
    });

    const todo = Object.entries(prompts);

    await g.share(8, todo.length, async (i) => {
        const r = ended.add(await g.execute(todo[i][1], {}));

        if (r.ms > 2000 + 1500 * g.slow) {
            late.push([todo[i][0], r.ms]);
        }

        slow.push(r.ms);
    });

    over = true;
    await parallel;

    g.diag(`${ended}, longest ${Math.max(...slow).toFixed(0)} ms; beside it: `
           + `${quick}, p99 ${g.quantile(times, 0.99).toFixed(1)} ms, longest `
           + `${Math.max(...times).toFixed(1)} ms`);
    g.is(late, [], 'each call ends in time (2 s)');
    g.is(ended.others('200', '200 INTERNAL_SERVER_ERROR'), 0, 'and soundly');
    g.is(quick.others('200'), 0, 'a parallel query is answered');
    g.ok(g.quantile(times, 0.99) < 300 * g.slow, 'and at once');

    const rows = new Map((await g.sql(
        "SELECT model, string_agg(status, '+'), "
        + "string_agg(coalesce(error, ''), '+') FROM executions GROUP BY 1"))
        .map(([model, status, error]) => [model, [status, error]]));
    const wrong = [];

    for (const [model] of todo) {
        const want = faults[model.replace(/^.*?:/, '')];
        const [status, error] = rows.get(model) || [];

        if (!status || (want !== null && status !== want)
            || (status === 'failed') !== (error !== '')
            || /secret detail/.test(error)) {
            wrong.push([model, status, error]);
        }
    }

    g.is(wrong, [], 'each has one row that says how it ended');

    const calls = await g.calls();
    const twice = todo.map(([model]) => model).filter((model) =>
        calls.filter((c) => c.body && c.body.model === model).length !== 1);

    g.is(twice, [], 'each was called once');

    g.is(g.ending(await g.execute(prompts['fx:delay=300'], {})), '200',
         'and the next call is fine');
});
