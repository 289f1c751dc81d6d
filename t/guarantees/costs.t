#!/usr/bin/env node
/*
 * What executions cost, to the last digit: random prices and token counts, in
 * both formats, whole and as streams, against a computation of our own.  What
 * has no price, or contradicts, has no cost.
 */

'use strict';

const crypto = require('crypto');

const g = require('../lib/guarantee.js');

const total = Math.round(200 * g.scale);
const most = 2147483647;

const below = (n) => crypto.randomInt(n);
const digits = (n) => Array.from({ length: n }, () => below(10)).join('');

/* up to 9 digits before the point and 12 behind it, the longest among them */
function price() {
    const whole = g.any(['0', '1', '999999999', digits(1 + below(9))]);
    const part = g.any(['', '000000000001', '999999999999', digits(12),
                        digits(1 + below(11)), '10', '00']);

    return part === '' ? whole : `${whole}.${part}`;
}

function tokens() {
    return g.any([0, 1, most, below(1000), below(1000000), below(most)]);
}

const models = Array.from({ length: 24 }, (_, i) => ({
    name: `${i % 2 ? 'claude-' : ''}m${i}-fx:`, anthropic: i % 2 === 1,
    input: price(), output: price(), cached: i % 3 ? price() : null,
    write: i % 4 ? price() : null, write1h: i % 5 ? price() : null,
    long: i % 3 ? null : { from: 1 + below(1000), input: price(),
                           output: price(), cached: i % 2 ? price() : null }
}));

/* a decimal as an integer of trillionths */
function scaled(text) {
    const [whole, part] = text.split('.');

    return BigInt(whole + (part || '').padEnd(12, '0'));
}

/* as prompt_model has them */
function prices(m) {
    const given = { input: m.input, output: m.output, cached_input: m.cached,
                    cache_write: m.write, cache_write_1h: m.write1h };

    if (m.long) {
        Object.assign(given, { long_from: m.long.from,
                               long_input: m.long.input,
                               long_output: m.long.output,
                               long_cached_input: m.long.cached });
    }

    return Object.keys(given).filter((name) => given[name] !== null)
        .map((name) => `${name}=${given[name]}`).join(' ');
}

/* what it costs: "0.000165", from millionths of trillionths; or null */
function cost(model, input, output, cached, written, hour) {
    const long = model.long && input >= model.long.from;
    const own = long ? model.long : model;
    const parts = [
        [input - cached - written, own.input], [output, own.output],
        [cached, long ? own.cached : own.cached ?? own.input],
        [written - hour, long ? null : own.write],
        [hour, long ? null : own.write1h]
    ];

    if (parts.some(([n, usd]) => n < 0 || (n > 0 && usd === null))) {
        return null;
    }

    const text = String(parts.filter(([n]) => n > 0).reduce((sum, [n, usd]) =>
        sum + BigInt(n) * scaled(usd), 0n)).padStart(19, '0');
    const part = text.slice(-18).replace(/0+$/, '');
    const whole = text.slice(0, -18);

    return part === '' ? whole : `${whole}.${part}`;
}

const asked = '{ executionId costUsd tokenIn tokenOut }';

/* the result of an execution, however it was asked for */
async function run(id, streamed) {
    if (!streamed) {
        const r = await g.post('mutation ($id: ID!) { executePrompt(promptId: '
                               + `$id, input: {}) ${asked} }`, { id });

        return r.data && r.data.executePrompt;
    }

    const r = await g.post('subscription ($id: ID!) { executePromptStream('
        + `promptId: $id, input: {}) { result ${asked} } }`, { id },
        { headers: { Accept: 'text/event-stream' } });

    for (const line of (r.text || '').split('\n')) {
        if (line.startsWith('data: ')) {
            const event = JSON.parse(line.slice(6)).data;

            if (event && event.executePromptStream.result) {
                return event.executePromptStream.result;
            }
        }
    }

    return null;
}


g.main({
    http: `
    prompt_provider one /_provider/openai timeout=20s;
    prompt_provider two /_provider/anthropic timeout=20s format=anthropic;
    ` + models.map((m) => `prompt_model ${m.name}*
        provider=${m.anthropic ? 'two' : 'one'} ${prices(m)};`)
        .join('\n')
}, async () => {
    const wrong = [];
    const want = new Map();

    await g.share(8, total, async (i) => {
        const model = g.any(models);
        const input = tokens();
        const output = tokens();
        const over = !model.anthropic && below(8) === 0;
        const cached = over ? Math.min(most, input + 1) : below(input + 1);
        const written = over || below(2) ? 0 : below(input - cached + 1);
        const hour = model.anthropic && below(2) ? below(written + 1) : 0;
        const id = await g.prompt(`cost ${i}`, 'x', { model:
            `${model.name}usage=${input}:${output}:${cached}:${written}:`
            + `${hour},text=a%20b` });
        const expected = cost(model, input, output, cached, written,
                              hour);

        for (const streamed of [false, true]) {
            const r = await run(id, streamed);

            if (!r || r.costUsd !== expected || r.tokenIn !== input
                || r.tokenOut !== output)
            {
                wrong.push([model, input, output, cached, written, hour,
                            streamed, expected, r]);
            }

            want.set(r && r.executionId, expected);
        }
    });

    g.is(wrong.slice(0, 3), [], 'each costs what it costs');

    const rows = await g.sql('SELECT id, cost_usd FROM executions');

    g.is(rows.length, 2 * total, 'a row each');

    /* the column has all its digits, with zeros or without */

    g.is(rows.filter(([id, text]) =>
        (text.includes('.') ? text.replace(/\.?0+$/, '') : text)
        !== (want.get(id) ?? '')).slice(0, 3), [], 'and it says so');

    const known = [...want.values()].filter((text) => text !== null);

    g.ok(known.length > total && known.length < 2 * total,
         'most have a cost, and some none');

    const all = known.reduce((sum, text) => {
        const [whole, part] = text.split('.');

        return sum + BigInt(whole + (part || '').padEnd(18, '0'));
    }, 0n);

    g.is((await g.sql('SELECT sum(cost_usd) * 1000000000000000000 '
                      + 'FROM executions'))[0][0].replace(/\.0*$/, ''),
         String(all), 'and the sum of all');
});
