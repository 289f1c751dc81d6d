#!/usr/bin/env node
/*
 * A version that a worker has executed is executed again without being read.
 * What is executed is what it would be if it were read, by those who may, as
 * things are when it starts; and no provider is asked before that is sure.
 *
 * Whether it was read shows where its text was changed by SQL: what a worker
 * keeps has the one of before.
 */

'use strict';

const g = require('../lib/guarantee.js');

const query = 'mutation ($id: ID!, $input: JSON!, $version: Int, $label: '
              + 'String) { executePrompt(promptId: $id, input: $input, '
              + 'version: $version, label: $label) { output versionUsed '
              + 'executionId } }';

const run = (id, more, options) => g.post(
    query, { id, input: { word: 'w' }, ...more }, options);

/* what was executed: [ text, version ], or the code of the error */
const ran = async (id, more, options) => {
    const r = await run(id, more, options);

    return r.data ? [r.data.executePrompt.output,
                     r.data.executePrompt.versionUsed] : r.code;
};

const asked = async () => (await g.calls())
    .filter((c) => c.method === 'POST').length;

const rows = (id) => g.sql('SELECT status, attempts FROM executions WHERE '
                           + `prompt_id = '${id}' ORDER BY id`);

const changed = (id, version, text) => g.sql(
    `UPDATE prompt_versions SET content = '${text}' WHERE prompt_id = '${id}' `
    + `AND version = ${version}`);

const label = (id, version) => g.post(
    'mutation ($id: ID!, $v: Int!) { setPromptLabel(promptId: $id, label: '
    + '"stable", version: $v) { version } }', { id, v: version });


const waiting = () => g.until(20, async () => await g.blocked() === 1);


async function same(config) {
    const { bob_key: key } = config;
    const params = { model: 'fx:echo' };
    const id = await g.prompt('same', 'one {{word}}', params,
                              { isPublic: true });

    g.is(await ran(id), ['one w', 1], 'it is read');
    g.is(await ran(id, { version: 1 }), ['one w', 1], 'by its number, too');
    await changed(id, 1, 'two {{word}}');
    g.is(await ran(id), ['one w', 1], 'it is kept');
    g.is(await ran(id, { version: 1 }), ['one w', 1], 'by its number, too');
    g.is(await ran(id, {}, { key }), ['two w', 1], 'a guest reads it');
    await changed(id, 1, 'three {{word}}');
    g.is(await ran(id, {}, { key }), ['two w', 1], 'once');
    g.is(await ran(id, {}, { headers: { 'Idempotency-Key': 'a' } }),
         ['three w', 1], 'what is done once is read');

    await g.sql('UPDATE prompts SET updated_at = updated_at + interval '
                + `'1 millisecond' WHERE id = '${id}'`);
    g.is(await ran(id), ['three w', 1], 'so is one of a prompt that says so');

    await g.version(id, 'next {{word}}', params);
    g.is(await ran(id), ['next w', 2], 'a new version');
    g.is(await ran(id, {}, { key }), ['next w', 2], "a guest's new version");
    g.is((await ran(id, { version: 1 }))[1], 1, 'the first is still there');
    g.is(await ran(id, { version: 3 }), 'NOT_FOUND', 'a third is not');

    await label(id, 2);
    g.is(await ran(id, { label: 'stable' }), ['next w', 2], 'a label');
    await changed(id, 2, 'other {{word}}');
    g.is(await ran(id, { label: 'stable' }), ['next w', 2], 'it is kept');
    g.is(await ran(id, { label: 'latest' }), ['next w', 2], 'so is the latest');
    await label(id, 1);
    g.is((await ran(id, { label: 'stable' }))[1], 1, 'it moves');
    await g.post('mutation ($id: ID!) { removePromptLabel(promptId: $id, '
                 + 'label: "stable") }', { id });
    g.is(await ran(id, { label: 'stable' }), 'NOT_FOUND', 'it goes');

    /* who may no more */

    g.is((await ran(id, {}, { key }))[1], 2, 'a guest may');
    await g.post('mutation ($id: ID!) { updatePrompt(id: $id, input: '
                 + '{ isPublic: false }) { id } }', { id });
    await g.calls('clear');
    g.is(await ran(id, {}, { key }), 'FORBIDDEN', 'and may no more');
    g.is(await ran(id, { version: 1 }, { key }), 'FORBIDDEN',
         'nor by its number');
    g.is(await asked(), 0, 'no provider is asked');
    g.is((await ran(id))[1], 2, 'its owner may');

    await g.post('mutation ($id: ID!) { deletePrompt(id: $id) }', { id });
    await g.calls('clear');
    g.is([await ran(id), await ran(id, { version: 1 }),
          await ran(id, {}, { key })],
         ['NOT_FOUND', 'NOT_FOUND', 'NOT_FOUND'], 'it is deleted');
    g.is(await asked(), 0, 'no provider is asked');
}


/* what is wrong with an input is told as it is told of what was read */
async function faults() {
    const schema = { type: 'object', required: ['n'],
                     properties: { n: { type: 'integer', maximum: 9 } } };
    const inputs = [{ n: 'x' }, {}, [], { n: 10, m: 1 }, { n: 1 }];
    const made = await g.post(
        'mutation ($i: CreatePromptInput!) { createPrompt(input: $i) { id } }',
        { i: { name: 'faults' } });
    const id = made.data.createPrompt.id;

    await g.post('mutation ($i: CreatePromptVersionInput!) '
                 + '{ createPromptVersion(input: $i) { id } }',
                 { i: { promptId: id, content: '{{n}} {{m}}',
                        params: { model: 'fx:echo' }, inputSchema: schema } });

    const told = async () => {
        const all = [];

        for (const input of inputs) {
            all.push((await run(id, { input })).errors);
        }

        return all;
    };

    const first = await told();

    g.ok(first.every((e) => e && e[0].extensions.code === 'BAD_USER_INPUT'),
         'each is refused');
    g.is(await ran(id, { input: { n: 1, m: 2 } }), ['1 2', 1], 'one is not');
    await changed(id, 1, 'kept {{n}} {{m}}');
    g.is(await ran(id, { input: { n: 1, m: 2 } }), ['1 2', 1], 'it is kept');
    await changed(id, 1, '{{n}} {{m}}');
    g.is(await told(), first, 'they are refused in the same words');
}


/* whoever asks when a version was acknowledged is not given an older one */
async function race() {
    const params = { model: 'fx:echo' };
    const id = await g.prompt('race', 'v1', params);
    const versions = 30 * g.scale;
    const wrong = [];
    let acknowledged = 1, n = 0, over = false;

    const executor = async () => {
        while (!over) {
            const least = acknowledged;
            const r = await ran(id);

            n++;

            if (!Array.isArray(r) || r[1] < least || r[0] !== `v${r[1]}`) {
                wrong.push([least, r]);
            }
        }
    };

    const all = g.clients(6, executor);

    for (let v = 2; v <= versions; v++) {
        await g.version(id, `v${v}`, params);
        acknowledged = v;
        await g.sleep(5);
    }

    over = true;
    await all;

    g.ok(n > versions, 'executions beside new versions');
    g.is(wrong.slice(0, 3), [], 'none is of an older version');
    g.is((await g.sql("SELECT count(*) FROM executions WHERE status <> "
                      + `'succeeded' AND prompt_id = '${id}'`))[0][0], '0',
         'all are recorded');
}


/* starts that are one statement: each is verified for itself */
async function together(config) {
    const { bob_key: key } = config;
    const id = await g.prompt('together', '{{word}}', { model: 'fx:echo' },
                              { isPublic: true });
    const n = 24;

    await ran(id);
    await ran(id, {}, { key });
    await g.sql(`UPDATE prompts SET is_public = false WHERE id = '${id}'`);
    await g.calls('clear');

    const all = await g.clients(2 * n, (i) => ran(
        id, { input: { word: `w${i}` } }, i % 2 ? { key } : {}));

    g.is(all.filter((r, i) => i % 2 === 1 && r !== 'FORBIDDEN').slice(0, 3), [],
         'whoever may not is refused');
    g.is(all.filter((r, i) => i % 2 === 0 && (r[0] !== `w${i}` || r[1] !== 1))
            .slice(0, 3), [], 'beside those who may, who are given their own');
    g.is([await asked(), (await rows(id)).length], [n, n + 2],
         'and nobody is asked for them');

    const two = await g.post(
        'mutation ($id: ID!) { a: executePrompt(promptId: $id, input: '
        + '{ word: "a" }) { output executionId } b: executePrompt(promptId: '
        + '$id, input: { word: "b" }, version: 1) { output executionId } '
        + 'c: executePrompt(promptId: $id, input: { word: "c" }, version: 2) '
        + '{ output } }', { id });

    g.is([two.partial.a.output, two.partial.b.output, two.partial.c,
          two.errors.length], ['a', 'b', null, 1], 'several in one request');
    g.ok(two.partial.a.executionId !== two.partial.b.executionId,
         'are executions of their own');
}


/* nobody is asked before the start is written */
async function locked() {
    const id = await g.prompt('locked', '{{word}}', { model: 'fx:echo' });
    let lock;

    await ran(id);
    await g.calls('clear');
    lock = await g.hold(id);

    const waits = ran(id);

    g.ok(await waiting(), 'a start waits');
    g.is(await asked(), 0, 'and no provider is asked');
    await lock.end();
    g.is(await waits, ['w', 1], 'then it is executed');
    g.is(await asked(), 1, 'once');

    /* for longer than anybody waits */

    lock = await g.hold(id);
    const r = await run(id);

    g.is([r.code, /try again. Nothing was changed.$/.test(r.errors[0].message)],
         ['INTERNAL_SERVER_ERROR', true], 'it is refused');
    g.is([await asked(), (await rows(id)).length], [1, 2],
         'nobody was asked, and there is no row');

    /* a client that leaves */

    const client = g.connect();

    client.on('error', () => {});
    client.write(g.raw(query, { id, input: { word: 'gone' } }));
    g.ok(await waiting(), 'another one waits');
    client.destroy();
    await g.sleep(100);
    await lock.end();
    g.ok(await g.until(20, async () => (await rows(id)).length === 3
                       && (await rows(id))[2][0] !== 'running'),
         'its client leaves: the row ends');

    g.is([(await rows(id))[2], await asked()], [['succeeded', '1'], 2],
         'what was begun is done without it');
}


/*
 * It is not known whether the row is there, and the guest may not be shown the
 * prompt any more: nothing is written but how what is there has ended.
 */
async function unknown(config) {
    const { bob_key: key } = config;
    const id = await g.prompt('unknown', '{{word}}', { model: 'fx:echo' },
                              { isPublic: true });

    await ran(id, {}, { key });
    await g.calls('clear');

    const lock = await g.hold(id);
    const waits = run(id, {}, { key });

    g.ok(await waiting(), 'a start waits');
    await g.sql(`UPDATE prompts SET is_public = false WHERE id = '${id}'`);

    const pid = Number((await g.sql("SELECT pid FROM pg_stat_activity WHERE "
        + "wait_event_type = 'Lock' AND query LIKE 'INSERT INTO executions%'"
    ))[0][0]);

    g.signal('SIGSTOP', pid);
    g.is((await waits).code, 'INTERNAL_SERVER_ERROR', 'PostgreSQL is silent');
    await g.sleep(300);
    g.signal('SIGCONT', pid);
    await lock.end();
    g.is(await ran(id, {}, { key }), 'FORBIDDEN', 'it is private now');
    await g.sleep(300);
    g.is([(await rows(id)).length, await asked()], [1, 0],
         'nothing was executed, and nothing is written');
}


/* PostgreSQL goes, and it is not known whether the row is there */
async function killed() {
    const id = await g.prompt('killed', '{{word}}', { model: 'fx:echo' });

    await ran(id);
    await g.calls('clear');

    const lock = await g.hold(id);
    const waits = run(id);

    g.ok(await waiting(), 'a start waits');
    await g.killPostgres();

    const r = await waits;

    await lock.end().catch(() => null);
    g.is([r.code, / Nothing was changed.$/.test(r.errors[0].message)],
         ['INTERNAL_SERVER_ERROR', true], 'it is refused');
    g.is(await asked(), 0, 'no provider is asked');
    await g.startServices();
    g.ok(await g.until(60, async () => Array.isArray(await ran(id))),
         'it goes on');
    g.ok(await g.until(60, async () => (await rows(id))
                       .every((row) => row[0] !== 'running')),
         'no row is left running');
}


g.main({ workers: 1, allow: /PostgreSQL/,
         postgres: '%CONNINFO% connections=4 timeout=4s' }, async (config) => {
    await same(config);
    await faults();
    await race();
    await together(config);
    await locked();
    await unknown(config);
    await killed();
});
