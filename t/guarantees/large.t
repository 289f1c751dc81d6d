#!/usr/bin/env node
/*
 * Large data: an answer in the making takes 16 MiB at most, whatever
 * PostgreSQL holds; a long one does not stop others; who reads slowly, and
 * who is told to leave, harms nobody.
 */

'use strict';

const fs = require('fs');

const g = require('../lib/guarantee.js');

const prompts = 100000;
const MiB = 1024 * 1024;

/* the peak of a worker's memory, KiB */
const peak = (pid) => Number(/^VmHWM:\s+(\d+)/m.exec(
    fs.readFileSync(`/proc/${pid}/status`, 'utf8'))[1]);

const prompt = (n) => `01890000-0000-7000-8000-${String(n).padStart(12, '0')}`;

async function fill(config) {
    const users = await g.sql('SELECT id FROM users ORDER BY email');
    const [alice, bob] = users.map((row) => row[0]);

    config.bob = bob;

    /* of a content of 1 MiB: one that does not compress and one that does */
    await g.sql(`
INSERT INTO prompts (id, owner_id, name, category, is_public, updated_at,
                     last_version)
    SELECT ('01890000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid,
           '${alice}', name, 'GENERAL', false, now(), last
    FROM (VALUES (1, 'noise', 70), (2, 'even', 600), (3, 'many', 10000),
                 (4, 'runs', 1)) AS p (n, name, last);
INSERT INTO prompt_versions (id, prompt_id, owner_id, version, content, params)
    SELECT gen_random_uuid(), '${prompt(1)}', '${alice}', v, c, '{}'
    FROM generate_series(1, 70) v, (SELECT string_agg(md5(i::text), '') c
                                    FROM generate_series(1, 32768) i) t;
INSERT INTO prompt_versions (id, prompt_id, owner_id, version, content, params)
    SELECT gen_random_uuid(), '${prompt(2)}', '${alice}', v,
           repeat('x', ${MiB}), '{}' FROM generate_series(1, 600) v;
INSERT INTO prompt_versions (id, prompt_id, owner_id, version, content, params)
    SELECT gen_random_uuid(), '${prompt(3)}', '${alice}', v, 'v' || v, '{}'
    FROM generate_series(1, 10000) v;
INSERT INTO prompt_versions (id, prompt_id, owner_id, version, content, params)
    VALUES (gen_random_uuid(), '${prompt(4)}', '${alice}', 1, 'x', '{}');
INSERT INTO executions (id, prompt_id, version, executed_by, by_owner, status)
    SELECT ('01890000-0000-7000-8000-' || lpad(e::text, 12, '0'))::uuid,
           '${prompt(4)}', 1, '${alice}', true, 'failed'
    FROM generate_series(1, 200000) e;
INSERT INTO prompts (id, owner_id, name, category, is_public, updated_at,
                     last_version)
    SELECT ('01890000-0000-7000-9000-' || lpad(n::text, 12, '0'))::uuid,
           '${bob}', 'p-' || n, 'GENERAL', false, now(), 1
    FROM generate_series(1, ${prompts}) n;
INSERT INTO prompt_versions (id, prompt_id, owner_id, version, content, params)
    SELECT gen_random_uuid(), id, owner_id, 1, name, '{}'
    FROM prompts WHERE owner_id = '${bob}';
ANALYZE`);
}


g.main({ workers: 1, http: 'prompt_limits complexity=1000000000;',
         postgres: '%CONNINFO% timeout=60s' }, async (config) => {
    const [worker] = g.workers();
    const bob = { key: config.bob_key };
    let low;

    await fill(config);
    await g.post('{ me { id } }');

    /* asks while another user's `me` goes on beside it */
    async function beside(what, query, options) {
        const times = [];
        let over = false;
        const me = (async () => {
            while (!over) {
                const r = await g.post('{ me { id } }', {},
                                       options === bob ? {} : bob);

                times.push(r.ms);
            }
        })();
        const r = await g.post(query, {}, options);

        over = true;
        await me;
        g.diag(`${what}: ${g.ending(r)}, ${r.bytes} bytes in `
               + `${Math.round(r.ms)} ms; ${times.length} others meanwhile, p99 `
               + `${g.quantile(times, 0.99).toFixed(1)} ms`);

        return { r, others: times.length };
    }

    const one = (n, selection) => `{ prompt(id: "${prompt(n)}") `
                                  + `{ ${selection} } }`;

    function refused(r, what) {
        g.is([r.code, r.errors[0].extensions.field], ['BAD_USER_INPUT',
             'first'], `${what}: too long at once`);
        g.ok(/larger than 16777216 bytes: .*versions\(first: …, after: …\)/
             .test(r.errors[0].message), `${what}: it says what to ask for`);
    }

    /* 70 and 600 MiB in one prompt */
    low = peak(worker);

    for (const [n, name, count] of [[1, 'noise', 70], [2, 'even', 600]]) {
        const { r } = await beside(name, one(n, 'versions { content }'));

        refused(r, name);

        let after = '';
        let seen = 0;

        for (let page = 0; page < 6; page++) {
            const p = await g.post(one(n, `versions(first: 12${after}) `
                                          + '{ id version content }'));
            const list = p.data ? p.data.prompt.versions : [];

            seen += list.filter((v) => v.content.length === MiB).length;
            after = list.length ? `, after: "${list[list.length - 1].id}"`
                                : after;
        }

        g.is(seen, Math.min(count, 72), `${name}: page by page it is there`);

        const last = await g.post(one(n, 'versions(last: 3) { version }'));

        g.is(last.data.prompt.versions.map((v) => v.version),
             [count - 2, count - 1, count], `${name}: the last ones`);
    }

    /* the change is made, what it selects is too long */
    {
        const change = (n, selection) => g.post(
            'mutation ($id: ID!, $d: String) { updatePrompt(id: $id, input: '
            + `{ description: $d }) { description ${selection} } }`,
            { id: prompt(n), d: `changed ${n}` });
        const r = await change(1, 'versions { content }');

        g.is(r.code, 'BAD_USER_INPUT', 'changed: too long');
        g.ok(/^The change was made, but /.test(r.errors[0].message),
             'changed: it says that it was');

        const many = await change(3, 'versions { version content }');

        g.is(many.data && many.data.updatePrompt.versions.length, 10000,
             'changed: a long list');
        g.is(many.data && many.data.updatePrompt.description, 'changed 3',
             'changed: with what was changed');
        g.is(await g.sql('SELECT description FROM prompts WHERE description '
                         + 'IS NOT NULL ORDER BY id'),
             [['changed 1'], ['changed 3']], 'changed: both are stored');
    }

    /* many rows below one prompt */
    {
        const { r, others } = await beside('many',
            one(3, 'versions { version content } name last: '
                   + 'versions(last: 1) { version }'));
        const { versions, name, last } = r.data.prompt;

        g.is(versions.findIndex((v, i) => v.version !== i + 1
                                || v.content !== `v${i + 1}`), -1,
             'many: all versions in their order');
        g.is([versions.length, name, last], [10000, 'many',
             [{ version: 10000 }]], 'many: and what stands behind them');
        g.ok(others > 2, 'many: others were answered meanwhile');

        const runs = await beside('runs', one(4, 'versions { executions(first:'
                                              + ' 1000) { id status } }'));

        g.is(runs.r.data && runs.r.data.prompt.versions[0].executions[999].id,
             '01890000-0000-7000-8000-000000199001', 'runs: the newest 1000');
    }

    /* many prompts */
    {
        const { r, others } = await beside('prompts',
            '{ prompts { name versions { version } } }', bob);

        g.is(r.data && r.data.prompts.length, prompts, 'prompts: all of them');
        g.is(r.data.prompts.findIndex((p, i) => p.name !== `p-${prompts - i}`
                                      || p.versions.length !== 1), -1,
             'prompts: in their order, with what is below them');
        g.ok(others > 20, 'prompts: others were answered meanwhile');

        const found = await beside('search', '{ prompts(search: "P-4999") '
                                   + '{ name versions { content } } }', bob);

        g.is(found.r.data && found.r.data.prompts.map((p) => p.name), [
            ...Array.from({ length: 10 }, (_, i) => `p-${49999 - i}`),
            'p-4999' ], 'search: what is found, wherever it is');
        g.is(found.r.data.prompts[10].versions, [{ content: 'p-4999' }],
             'search: with what is below it');

        const few = await g.post('{ prompts(search: "9", first: 1000) '
                                 + '{ name } }', {}, bob);

        g.is(few.data && few.data.prompts.length, 1000, 'search: the first');
    }

    g.diag(`memory: ${low} KiB before, ${peak(worker)} KiB at the most`);
    g.ok(g.valgrind || g.asan || peak(worker) - low < 32 * 1024,
         'the worker never had 32 MiB more');

    /* readers who do not read hold what they asked for, and nobody else */
    {
        const sockets = Array.from({ length: 4 }, () => g.connect());
        const ended = [];

        for (const [i, socket] of sockets.entries()) {
            socket.pause();
            socket.write(g.raw('{ prompts { name } }', {}, config.bob_key));
            ended[i] = new Promise((done) => {
                let text = '';

                socket.on('data', (data) => {
                    text += data;

                    if (text.endsWith('"p-1"}]}}')) {
                        done(true);
                    }
                });
                socket.on('close', () => done(false));
            });
        }

        const r = await g.post('{ me { id } }');

        g.is(r.status, 200, 'slow readers: others are answered');
        sockets.forEach((socket) => socket.resume());
        g.is(await Promise.all(ended), [true, true, true, true],
             'slow readers: they get all of it');
        sockets.forEach((socket) => socket.destroy());
    }

    /* reload while one answer is written that waits for nothing else */
    {
        const list = 'versions { version content }';
        const lengths = [];

        for (let i = 0; i < 24; i++) {
            const answer = g.post(one(3, `a: ${list} b: ${list} c: ${list}`),
                                  {}, { agent: false });

            await g.sleep(20 + i * 3);
            g.hup();

            const r = await answer;

            lengths.push(r.data ? r.data.prompt.c.length : g.ending(r));
            await g.until(20, () => g.leaving().length === 0);
        }

        g.is(lengths, Array(24).fill(10000), 'reload: one answer is whole');
    }

    /* reload and quit while lists are being written */
    for (const [what, act] of [['reload', () => g.hup()],
                               ['quit', () => g.quit(60)]]) {
        const lists = g.clients(12, () => g.post('{ prompts { name } }', {},
                                                 { ...bob, agent: false }));

        await g.sleep(20);
        await g.post('{ me { id } }', {}, { agent: false });
        await act();

        const answers = await lists;

        g.is(answers.map((r) => r.data ? r.data.prompts.length : g.ending(r)),
             Array(12).fill(prompts), `${what}: lists are whole`);
    }
});
