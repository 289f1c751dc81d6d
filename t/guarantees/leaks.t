#!/usr/bin/env node
/*
 * No leaks: requests of all kinds, sound and not, leave a worker with the
 * memory and the descriptors that it had.  Under valgrind and sanitizers this
 * is the mixed load that they watch.
 */

'use strict';

const g = require('../lib/guarantee.js');


g.main({
    slowly: true,
    http: 'prompt_key_cache valid=1s unknown=1s; prompt_version_cache 1m;'
}, async (config) => {
    const watched = g.valgrind || g.asan;
    const total = g.valgrind ? 300 : Math.round(5000 * g.scale);
    const ended = g.tally();
    const id = await g.prompt('kept', 'Hi {{name}}', { model: 'fx:ok' });
    const bad = await g.prompt('bad', 'Hi', { model: 'fx:status=500' });
    const cut = await g.prompt('cut', 'Hi', { model: 'fx:cut=20' });
    const slow = await g.prompt('slow', 'Hi', { model: 'fx:delay=30' });
    const all = '{ prompts(first: 20) { id name category createdBy { email } '
                + 'labels { label } labelHistory { label movedBy { id } } '
                + 'latest: version { content executions { label } } '
                + 'versions { version content params executions(first: 3) '
                + '{ status output costUsd } } } }';

    function gone(text, ms) {
        return new Promise((done) => {
            const socket = g.connect();

            socket.on('error', () => {});
            socket.on('data', () => {});
            socket.on('close', () => done({ status: 'left' }));
            socket.write(text);
            setTimeout(() => g.any([() => socket.destroy(),
                                    () => socket.resetAndDestroy()])(), ms);
        });
    }

    async function life(i) {
        const made = await g.post('mutation ($input: CreatePromptInput!) '
            + '{ createPrompt(input: $input) { id name } }',
            { input: { name: `Leak ${i}`, description: 'd'.repeat(i % 500) } });

        if (!made.data) {
            return made;
        }

        const own = made.data.createPrompt.id;

        await g.version(own, 'c {{x}} '.repeat(1 + i % 50));
        await g.post('mutation ($id: ID!) { updatePrompt(id: $id, input: '
                     + '{ description: null }) { id } }', { id: own });
        await g.execute(own, { x: 1 });
        await g.post('mutation ($id: ID!) { setPromptLabel(promptId: $id, '
                     + 'label: "a", version: 1) { setBy { id } } '
                     + 'executePrompt(promptId: $id, input: { x: 2 }, '
                     + 'label: "a") { output } '
                     + 'removePromptLabel(promptId: $id, label: "a") }',
                     { id: own });

        const fork = await g.post('mutation ($id: ID!) { forkPrompt(id: $id) '
                                  + '{ id } }', { id: own });

        if (fork.data) {
            await g.post('mutation ($id: ID!) { deletePrompt(id: $id) }',
                         { id: fork.data.forkPrompt.id });
        }

        return g.post('mutation ($id: ID!) { deletePrompt(id: $id) }',
                      { id: own });
    }

    async function key() {
        const r = await g.post('mutation { createApiKey(input: { name: "t" }) '
                               + '{ key apiKey { id } } }');

        if (!r.data) {
            return r;
        }

        const { key: text, apiKey } = r.data.createApiKey;

        await g.post('{ me { id } }', {}, { key: text });
        await g.post('mutation ($id: ID!) { deleteApiKey(id: $id) }',
                     { id: apiKey.id });

        return g.post('{ me { id } }', {}, { key: text });
    }

    const kinds = [
        () => g.post('{ me { id email name } }'),
        () => g.post(all),
        () => g.post('{ __schema { types { name fields { name type { name '
                     + 'kind ofType { name } } } } } }'),
        () => g.post('{ apiKeys { id name hint scopes } }'),
        () => g.post('query Q($s: String) { prompts(search: $s) { id } }',
                     { s: 'leak' }),
        () => g.post('{ nonsense(a: 1) { b } prompts { nope } }'),
        () => g.post('{ unclosed { '),
        () => g.post('query ($id: ID!) { prompt(id: $id) { id } }',
                     { id: 'no-id' }),
        () => g.post('query ($id: ID!) { prompt(id: $id) { id } }', {}),
        () => g.request('{"query": '),
        () => g.request('['.repeat(1000)),
        () => g.request(JSON.stringify({ query: '{ me { id } }',
                                         variables: { a: 'x'.repeat(200000) }
                                       })),
        () => g.post('{ me { id } }', {}, { key: null }),
        () => g.post('{ me { id } }', {}, { key: 'pmt_garbage' }),
        () => g.post('{ me { id } }', {}, { key: config.bob_key,
                                            agent: false }),
        () => g.execute(id, { name: 'x' }),
        () => g.execute(id, {}),
        () => g.execute(bad, {}),
        () => g.execute(cut, {}),
        (i) => gone(g.raw('mutation ($id: ID!) { executePrompt(promptId: $id, '
                          + 'input: {}) { output } }', { id: slow }), i % 50),
        (i) => gone(g.raw(all), i % 5),
        (i) => gone(g.raw('{ me { id } }').slice(0, -5), i % 20),
        (i) => g.post('{ a: me { id } b: me { name } c: prompts(first: 1) '
                      + '{ id } }', { unused: i }),
        (i) => g.version(id, `v ${i}`, { model: 5 }),
        life,
        key
    ];

    async function run(n) {
        await g.share(12, n, async (i) => {
            ended.add(await kinds[i % kinds.length](i));
        });
        await g.until(5, async () => (await g.sql('SELECT count(*) FROM '
            + "executions WHERE status = 'running'"))[0][0] === '0');
        await g.calls('clear');
        await g.sleep(watched ? 1000 : 300);
    }

    /* what valgrind calls its processes nobody knows */
    const state = () => (g.valgrind ? [] : g.workers()).map((pid) => ({
        memory: g.memory(pid), descriptors: g.descriptors(pid)
    })).reduce((sum, w) => ({ memory: sum.memory + w.memory,
                              descriptors: sum.descriptors + w.descriptors }),
               { memory: 0, descriptors: 0 });

    if (!g.valgrind) {
        /* caches are full, and evict, before anything is measured */
        await g.share(12, 3000, async (i) => {
            ended.add(await g.post(`{ me { a${i}: id } }`));
        });
    }

    await run(Math.ceil(total / 2));

    const before = state();

    await run(total);

    const after = state();
    const grown = after.memory - before.memory;

    g.diag(`${ended}`);
    g.diag(`of ${total} requests: ${before.memory} KiB, then ${after.memory}; `
           + `${before.descriptors} descriptors, then ${after.descriptors}`);
    g.is(Object.keys(ended.seen).filter((name) => /broken|500|502/.test(name)),
         [], 'every request is answered');

    if (watched) {
        g.ok(true, 'memory is watched by others');
    } else {
        /* 1 KiB in 10,000 requests, and what a heap wavers */
        g.ok(grown < 1500 + total / 10000, `memory stays (${grown} KiB)`);
    }

    g.ok(Math.abs(after.descriptors - before.descriptors) <= 24,
         'descriptors stay');
});
