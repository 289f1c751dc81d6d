#!/usr/bin/env node
/*
 * What is asked for costs PostgreSQL a bounded amount of memory a connection,
 * however many selections there are, and months: somebody who may only read
 * goes through all combinations of columns, of what is below versions and of
 * the log with each combination of its filters.  What others ask for all the
 * while is answered as ever.
 */

'use strict';

const fs = require('fs');

const g = require('../lib/guarantee.js');

/*
 * KiB a connection: what all selections add to one of each kind, and all that
 * a new connection comes to, as docs/operating.md says.  Which of the two gets
 * what is not the test's: one can have nearly all of it.
 */
const more = (n) => n > 12 ? 12 * 1024 : 8 * 1024;
const all = { 5: 13 * 1024, 12: 16 * 1024, 36: 25 * 1024, 60: 34 * 1024 };

const small = ['status', 'latencyMs', 'tokenIn', 'tokenOut', 'costUsd',
               'model', 'label', 'finishedAt'];
const large = ['input', 'output', 'error', 'toolCalls { name }'];

/* the members of a list that the bits of n name */
const some = (list, n) => list.filter((_, i) => n & (1 << i)).join(' ');


/* Executions have so many months behind them, those ahead included. */

const months = (n) => g.sql(`DO $$ DECLARE low uuid; high uuid; BEGIN
    SELECT p.high INTO high FROM prompt_months_parts() p
        WHERE p.low IS NULL;
    DROP TABLE executions_before;
    WHILE (SELECT count(*) FROM prompt_months_parts()) < ${n} + 1 LOOP
        low := prompt_id_month(prompt_id_time(high), -1);
        PERFORM prompt_months_attach(prompt_months_table(
            prompt_months_name(low)), low, high);
        high := low;
    END LOOP;
    PERFORM prompt_months_attach(
        prompt_months_table('executions_before'), NULL, high);
    END $$`);


/* KiB of each connection's own, by its process */
async function memory() {
    const rows = await g.sql('SELECT pid FROM pg_stat_activity '
                             + "WHERE usename = 'prompt_app' ORDER BY pid");

    return new Map(rows.map(([pid]) => {
        const text = fs.readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');

        return [pid, Number(/^Private_Dirty: *(\d+)/m.exec(text)[1])];
    }));
}


/* all that can be asked for, as documents with variables */
function* questions(id, foreign) {
    const below = (columns, args) =>
        `versions${args} { version executions(first: 3) { id ${columns} } }`;

    const roots = [
        [`prompt(id: "${id}")`, ''], [`prompt(id: "${foreign}")`, ''],
        ['promptByName(name: "plans")', ''], ['prompts', ''],
        ['prompts(first: 2)', ''], ['prompts(search: "pl")', '']
    ];

    const filters = [`promptId: "${id}"`, 'label: "a"', 'status: ["failed"]',
                     'model: "x"', 'since: "2020-01-01T00:00:00Z"', 'first: 3'];

    for (let n = 0; n < 256; n++) {
        const columns = `${some(small, n)} ${some(large, n & 15)}`;
        const [root, args] = roots[n % roots.length];

        yield `{ ${root} { id ${below(columns, args)} } }`;
    }

    for (let n = 0; n < 16; n++) {
        for (const [root] of roots) {
            for (const args of ['(first: 1)', '(last: 2)', '']) {
                yield `{ ${root} { id ${below(some(large, n), args)} } }`;
            }

            yield `{ ${root} { id version(number: 1) { executions(first: 2) `
                  + `{ id ${some(large, n)} } } } }`;
        }
    }

    for (let n = 0; n < 1 << filters.length; n++) {
        yield `{ executions(${some(filters, n) || 'first: 2'}) `
              + `{ id ${some(large, n & 15)} prompt { id name ${
                  n & 1 ? 'createdBy { id }' : 'description'} } } }`;
    }

    /* other selections, which are as many: they push each other out */

    const prompt = ['name', 'description', 'category', 'isPublic', 'updatedAt'];
    const version = ['version', 'content', 'params', 'inputSchema'];

    for (let n = 0; n < 512; n++) {
        const [root] = roots[n % roots.length];

        yield `{ ${root} { id ${some(prompt, n)} versions { id `
              + `${some(version, n >> 5)} } } }`;
    }

    yield `{ statistics(since: "${new Date(Date.now() - 864e6).toISOString()}")`
          + ' { executions } }';
}


/* many at once in one document, which is one transaction */
function* together(id, foreign) {
    const lists = [0, 4].map((from) => Array.from({ length: 12 }, (_, i) =>
        `e${i}: executions(first: 3) { id ${some(large, from + i)} }`)
        .join(' '));

    for (const root of [`prompt(id: "${id}")`, `prompt(id: "${foreign}")`,
                        'promptByName(name: "plans")', 'prompts',
                        'prompts(first: 2)', 'prompts(search: "pl")']) {
        for (const list of lists) {
            for (const args of ['(first: 1)', '', '(last: 2)']) {
                yield `{ ${root} { id versions${args} { version ${list} } } }`;
            }

            yield `{ ${root} { id version(number: 1) { id ${list} } } }`;
        }
    }
}


/* one selection of each kind */
const one = (id, foreign) => [
    ...['prompts', `prompt(id: "${id}")`, `prompt(id: "${foreign}")`].map(
        (root) => `{ ${root} { name versions { content executions { output } } `
                  + '} }'),
    '{ executions { output prompt { name createdBy { id } } } }',
    '{ executions(status: ["failed"]) { id } }',
    `{ executions(promptId: "${foreign}") { id } }`
];

/* Waits until both connections are there and have answered something. */

async function begin() {
    await g.sql('SELECT pg_terminate_backend(pid) FROM pg_stat_activity '
                + "WHERE usename = 'prompt_app'");
    await g.until(20, async () => {
        await g.share(8, 64, () => g.post('{ me { id } prompts { id } }'));

        return (await memory()).size === 2;
    });
}


async function ask(n, id, foreign, key) {
    const asked = [...questions(id, foreign)];
    const crowd = [...together(id, foreign)];
    const wrong = new Map();
    let over = false;
    let others = 0;

    await begin();

    const fresh = await memory();
    const kinds = one(id, foreign);

    await g.share(32, 64 * kinds.length,
                  (i) => g.post(kinds[i % kinds.length], {}, { key }));

    const before = await memory();

    const other = (async () => {
        while (!over) {
            const r = await g.post(`{ me { id } prompt(id: "${id}") { name `
                + 'versions { content executions { output } } } }');

            others++;

            if (!r.data || r.data.prompt.versions[0].executions.length !== 12) {
                wrong.set('another', JSON.stringify(r));
            }
        }
    })();

    const read = async (question) => {
        const r = await g.post(question, {}, { key });

        if (!r.data || r.errors) {
            wrong.set(question, JSON.stringify(r).slice(0, 300));
        }
    };

    await g.share(8, asked.length, (i) => read(asked[i]));
    await g.share(32, 3 * crowd.length, (i) => read(crowd[i % crowd.length]));

    over = true;
    await other;

    const after = await memory();
    const grown = [...after].map(([pid, kib]) => kib - before.get(pid));
    const whole = [...after].map(([pid, kib]) => kib - fresh.get(pid));

    g.diag(`${n} months: ${asked.length} selections, ${others} of another's, `
           + `KiB more: ${grown.join(', ')} of ${whole.join(', ')}`);
    g.is([...wrong].slice(0, 3), [], `${n} months: each selection is answered`);
    g.ok(grown.length === 2 && grown.every((kib) => kib <= more(n)),
         `${n} months: at most ${more(n) / 1024} MiB a connection for all `
         + 'selections');
    g.ok(whole.every((kib) => kib <= all[n]),
         `${n} months: at most ${all[n] / 1024} MiB in all`);
}


/* room for all that is asked at once, which is not what this is about */
const http = 'prompt_limits answers=4095m;';

g.main({ workers: 1, http, postgres: '%CONNINFO% connections=2 timeout=20s' },
       async (config) => {
    const read = await g.post('mutation { createApiKey(input: { name: "r", '
                              + 'scopes: ["read"] }) { key } }');

    g.ok(read.data, 'a key that only reads');

    const key = read.data.createApiKey.key;
    const id = await g.prompt('plans', 'x', { model: 'fx:ok' });
    const foreign = await g.prompt('foreign', 'x', { model: 'fx:ok' },
                                   { key: config.bob_key,
                                     isPublic: true });

    for (let i = 0; i < 12; i++) {
        await g.execute(id, {});
    }

    for (const n of [5, 12, 36, 60]) {
        await months(n);
        await ask(n, id, foreign, key);
    }
});
