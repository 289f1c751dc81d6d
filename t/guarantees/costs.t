#!/usr/bin/env node
/*
 * What executions cost, to the last digit: random prices and token counts, in
 * both formats, whole and as streams, against a computation of our own.
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
    input: price(), output: price(), cached: i % 3 ? price() : null
}));

/* a decimal as an integer of trillionths */
function scaled(text) {
    const [whole, part] = text.split('.');

    return BigInt(whole + (part || '').padEnd(12, '0'));
}

/* what it costs: "0.000165", from millionths of trillionths */
function cost(model, input, output, cached) {
    const own = cached <= input ? cached : 0;
    const sum = BigInt(input - own) * scaled(model.input)
        + BigInt(own) * scaled(model.cached === null ? model.input
                                                     : model.cached)
        + BigInt(output) * scaled(model.output);
    const text = String(sum).padStart(19, '0');
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
        provider=${m.anthropic ? 'two' : 'one'} input=${m.input}
        output=${m.output}${m.cached === null ? ''
                                              : ` cached_input=${m.cached}`};`)
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
        const id = await g.prompt(`cost ${i}`, 'x', { model:
            `${model.name}usage=${input}:${output}:${cached},text=a%20b` });
        const expected = cost(model, input, output, cached);

        for (const streamed of [false, true]) {
            const r = await run(id, streamed);

            if (!r || r.costUsd !== expected || r.tokenIn !== input
                || r.tokenOut !== output)
            {
                wrong.push([model, input, output, cached, streamed, expected,
                            r]);
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
        !== want.get(id)).slice(0, 3), [], 'and it says so');

    const all = [...want.values()].reduce((sum, text) => {
        const [whole, part] = text.split('.');

        return sum + BigInt(whole + (part || '').padEnd(18, '0'));
    }, 0n);

    g.is((await g.sql('SELECT sum(cost_usd) * 1000000000000000000 '
                      + 'FROM executions'))[0][0].replace(/\.0*$/, ''),
         String(all), 'and the sum of all');
});
