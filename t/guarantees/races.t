#!/usr/bin/env node
/*
 * Forking, versioning, executing and deleting the same prompts at once: each
 * ends as if it were alone, and nothing is left behind.
 */

'use strict';

const g = require('../lib/guarantee.js');


g.main({ slowly: true }, async (config) => {
    const rounds = g.valgrind ? 5 : Math.round(60 * g.scale);
    const ended = g.tally();
    const half = [];
    const revived = [];
    const bob = { key: config.bob_key };
    const fork = 'mutation ($id: ID!) { forkPrompt(id: $id) '
                 + '{ id versions { version } } }';

    await g.share(6, rounds, async (i) => {
        const id = await g.prompt(`race ${i}`, '1 {{w}}', { model: 'fx:ok' },
                                  { isPublic: true });

        await g.version(id, '2 {{w}}');

        const acts = [
            () => g.post(fork, { id }, bob),
            () => g.post(fork, { id }, bob),
            () => g.post(fork, { id }),
            () => g.version(id, '3 {{w}}'),
            () => g.execute(id, { w: 'x' }, bob),
            () => g.execute(id, { w: 'x' }),
            () => g.post('{ prompts(first: 5) { id versions { version '
                         + 'executions { id } } } }'),
            async () => {
                await g.sleep(Math.random() * 8);

                const r = await g.post(
                    'mutation ($id: ID!) { deletePrompt(id: $id) }', { id });
                const after = await g.post(
                    'query ($id: ID!) { prompt(id: $id) { id } }', { id });

                if (after.data && after.data.prompt) {
                    revived.push(id);
                }

                return r;
            }
        ];

        for (const r of await Promise.all(acts.map((act) => act()))) {
            ended.add(r);

            const copy = r.data && r.data.forkPrompt;

            /* the two or three that there were, one after the other */
            if (copy && !/^1,2(,3)?$/.test(copy.versions
                                               .map((v) => v.version).join()))
            {
                half.push(copy);
            }
        }
    });

    g.diag(`races: ${ended}`);
    g.is(ended.others('200', '200 NOT_FOUND', '200 CONFLICT'), 0,
         'each ends as if it were alone');
    g.is(half, [], 'forks are whole');
    g.is(revived, [], 'what was deleted is gone');

    /* what was deleted while it ran goes when its calls have ended */
    for (let i = 0; i < 300; i++) {
        if ((await g.sql('SELECT count(*) FROM prompts WHERE state = 1'))[0][0]
            === '0')
        {
            break;
        }

        await g.sleep(200);
    }

    g.is(await g.sql("SELECT count(*) FROM prompts WHERE name ~ '^race-[0-9]+$'"
                     + ` AND owner_id = '${config.alice_id}' AND id NOT IN `
                     + '(SELECT prompt_id FROM prompt_versions)'),
         [['0']], 'no prompt lost its versions');
    g.is(await g.sql('SELECT count(*) FROM prompt_versions v LEFT JOIN '
                     + 'prompts p ON p.id = v.prompt_id AND p.owner_id = '
                     + 'v.owner_id WHERE p.id IS NULL'),
         [['0']], 'no version without its prompt');
    g.is(await g.sql('SELECT count(*) FROM executions e LEFT JOIN '
                     + 'prompt_versions v USING (prompt_id, version) '
                     + 'WHERE v.id IS NULL'),
         [['0']], 'no execution without its version');
    g.is(await g.sql('SELECT p.id FROM prompts p LEFT JOIN prompt_versions v '
                     + 'ON v.prompt_id = p.id GROUP BY p.id HAVING count(v.id) '
                     + '<> p.last_version'),
         [], 'the versions are as many as the counter says');
    g.is(await g.sql('SELECT count(*) FROM executions '
                     + "WHERE status = 'running'"),
         [['0']], 'and nothing keeps running');
});
