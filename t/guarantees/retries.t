#!/usr/bin/env node
/*
 * Attempts under random faults: whatever providers and clients do, an
 * execution has one row in a final state, the number of calls in it is that of
 * the calls that the provider saw, and its cost is what its own columns say,
 * to the last digit.
 */

'use strict';

const g = require('../lib/guarantee.js');

const total = Math.round(300 * g.scale);

/* each is one call of a model; fx: is followed by several */
const faults = ['status=408', 'status=429', 'status=500', 'status=502',
                'status=503', 'status=504', 'status=529', 'close', 'reset',
                'status=429%2Cretry-after=0', 'status=401', 'status=404',
                'status=400', 'cut=20', 'raw=hello', 'hang', 'headers-only',
                'status=503%2Cretry-after=9999', 'status=503%2Cdelay=50'];

const models = ['one-fx:', 'two-fx:', 'claude-two-fx:'];

function usage() {
    const n = (max) => Math.floor(Math.random() * max);
    const input = n(100000);

    return `usage=${input}:${n(1000)}:${n(input + 1)}`;
}

/* a model that fails a few times, and may then answer */
function model(i) {
    const turns = [];

    while (Math.random() < 0.6 && turns.length < 4) {
        turns.push(decodeURIComponent(g.any(faults)));
    }

    if (Math.random() < 0.7) {
        turns.push(`${usage()},delay=${Math.floor(Math.random() * 30)}`);

    } else {
        turns.push(decodeURIComponent(g.any(faults)));
    }

    /* known by its number, wherever it is called */

    return g.any(models) + turns.map((turn) => `${turn},id=e${i}e`).join('|');
}

function params(i) {
    const fallbacks = [];

    while (Math.random() < 0.5 && fallbacks.length < 4) {
        fallbacks.push({ model: model(i) });
    }

    return fallbacks.length === 0 ? { model: model(i) }
                                  : { model: model(i), fallbacks };
}


g.main({
    http: `
    prompt_provider one /_provider/openai timeout=1500ms retries=2;
    prompt_provider two /_provider/openai timeout=1s retries=3;
    prompt_provider three /_provider/anthropic timeout=1s retries=1
                    format=anthropic;
    prompt_model one-fx:* provider=one input=0.000000000001
                 output=999999999.999999999999 cached_input=0.3;
    prompt_model two-fx:* provider=two input=123.456 output=0.07;
    prompt_model claude-two-fx:* provider=three input=3 output=15
                 cached_input=0.30;`
}, async () => {
    const prompts = [];
    const ended = g.tally();
    const told = new Map();

    for (let i = 0; i < total; i++) {
        prompts.push(await g.prompt(`retries ${i}`, 'x', params(i)));
    }

    await g.calls('clear');

    await g.share(24, total, async (i) => {
        const leaves = Math.random() < 0.2;
        const r = ended.add(await g.post(
            'mutation ($id: ID!) { executePrompt(promptId: $id, input: {}) '
            + '{ executionId model costUsd tokenIn tokenOut } }',
            { id: prompts[i] },
            leaves ? { agent: false, onRequest: (request) => {
                setTimeout(() => request.destroy(), Math.random() * 600);
            } } : {}));

        if (r.data && r.data.executePrompt) {
            told.set(i, r.data.executePrompt);
        }
    });

    g.diag(String(ended));

    /* who has gone leaves calls behind */

    g.ok(await g.until(30, async () => (await g.sql(
        "SELECT count(*) FROM executions WHERE status = 'running'"))[0][0]
        === '0'), 'all end');

    /* columns come separated by | */

    const rows = await g.sql('SELECT p.name, e.status, e.attempts, '
        + "translate(e.model, '|', '/'), e.cost_usd, e.id FROM executions e JOIN prompts p "
        + 'ON p.id = e.prompt_id');
    const seen = new Map();
    const calls = new Map();
    const wrong = [];

    for (const row of rows) {
        const i = Number(row[0].replace(/\D/g, ''));

        seen.set(i, (seen.get(i) || 0) + 1);
    }

    for (const call of await g.calls()) {
        const m = /id=e(\d+)e/.exec(call.body ? call.body.model : '');

        if (m) {
            calls.set(Number(m[1]), (calls.get(Number(m[1])) || 0) + 1);
        }
    }

    for (const [name, status, attempts, , , id] of rows) {
        const i = Number(name.replace(/\D/g, ''));

        if (seen.get(i) !== 1 || Number(attempts) !== (calls.get(i) || 0)
            || (told.has(i) && (status !== 'succeeded'
                                || told.get(i).executionId !== id))) {
            wrong.push([i, status, attempts, calls.get(i)]);
        }
    }

    g.is(wrong, [], 'one row each, and as many attempts as calls');
    g.is([...calls.keys()].filter((i) => !seen.has(i)), [],
         'nobody is called without a row');

    const unlike = rows.filter(([name, , , model, cost]) => {
        const answer = told.get(Number(name.replace(/\D/g, '')));

        return answer && (answer.model.replaceAll('|', '/') !== model
                          || answer.costUsd !== cost);
    });

    g.is(unlike, [], 'clients are told what the rows say');

    /* multiplied, since PostgreSQL may round what it divides */

    const sum = '(token_in - coalesce(token_cached, 0)) * price_input '
                + '+ coalesce(token_cached, 0) * price_cached_input '
                + '+ token_out * price_output';

    g.is(await g.sql("SELECT id, status FROM executions WHERE status <> "
        + "'succeeded' AND cost_usd IS NOT NULL OR status = 'succeeded' "
        + `AND cost_usd * 1000000 IS DISTINCT FROM ${sum}`), [],
         'each cost is what its own columns say');

    g.is(await g.sql(`SELECT sum(cost_usd) * 1000000 = sum(${sum}), `
        + "count(*) > 10 FROM executions WHERE status = 'succeeded'"),
         [['t', 't']], 'so is the sum of all');
});
