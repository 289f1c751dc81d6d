#!/usr/bin/env node
/*
 * Deleting and forking prompts of any size: done or not done, and nothing
 * visible is left of what was not done, when workers are killed, clients
 * leave, and the original is deleted meanwhile.
 */

'use strict';

const g = require('../lib/guarantee.js');

const remove = 'mutation ($id: ID!) { deletePrompt(id: $id) }';
const fork = 'mutation ($id: ID!) { forkPrompt(id: $id) { id name } }';
const update = 'mutation ($id: ID!) { updatePrompt(id: $id, input: '
               + '{isPublic: true}) { id } }';


/* a prompt of alice's with versions of some bytes, and executions */
async function made(config, name, versions, bytes, executions) {
    const id = await g.prompt(name, undefined, undefined, { isPublic: true });

    await g.sql(`INSERT INTO prompt_versions (id, prompt_id, owner_id, version,
            content, params) SELECT gen_random_uuid(), '${id}',
            '${config.alice_id}', v, (SELECT string_agg(md5(v || '-' || i), '')
            FROM generate_series(1, ${bytes / 32}) i), '{}'
            FROM generate_series(1, ${versions}) v;
        UPDATE prompts SET last_version = ${versions} WHERE id = '${id}';
        INSERT INTO executions (id, prompt_id, version, executed_by, by_owner,
            owner_id, status) SELECT (left(prompt_id_of(now())::text, 14)
                || '7' || substr(gen_random_uuid()::text, 16))::uuid,
            '${id}', e % ${versions} + 1,
            '${config.bob_id}', false, '${config.alice_id}', 'succeeded'
            FROM generate_series(1, ${executions}) e`);

    return id;
}

const left = async () => Number((await g.sql(
    'SELECT count(*) FROM prompts WHERE state <> 0'))[0][0]);

const orphans = () => g.sql(
    'SELECT (SELECT count(*) FROM prompt_versions v WHERE NOT EXISTS (SELECT '
    + 'FROM prompts p WHERE p.id = v.prompt_id)), (SELECT count(*) FROM '
    + 'executions e WHERE NOT EXISTS (SELECT FROM prompt_versions v WHERE '
    + 'v.prompt_id = e.prompt_id AND v.version = e.version))');


/* while others change it, and the worker that goes on with it is killed */
async function deletions(config) {
    const total = Math.round(60000 * g.scale);
    const id = await made(config, 'many executions', 3, 32, total);
    const ended = g.tally();

    const all = await Promise.all([
        ...Array.from({ length: 24 }, () => g.post(update, { id })),
        g.post(remove, { id }),
        ...Array.from({ length: 24 }, () => g.post(update, { id }))
    ]);

    for (const r of all) {
        ended.add(r);
    }

    g.diag(`a large deletion and 48 updates of it: ${ended}`);
    g.is(all[24].data, { deletePrompt: true },
         'a large prompt: deleted is deleted');
    g.is(ended.others('200', '200 NOT_FOUND'), 0,
         'who changes it meanwhile is told that it is there, or not');

    const rest = Number((await g.sql('SELECT count(*) FROM executions'))[0][0]);

    g.signal('SIGKILL', g.workers());
    g.diag(`${rest} of ${total} executions were there when workers died`);
    g.ok(rest > 0, 'its rows go by and by');

    const again = await g.until(30, async () => {
        const r = await g.post('{ prompts { name } }');

        return r.data;
    });

    g.is(again, { prompts: [] }, 'nobody sees it');
    g.is((await g.post('mutation { createPrompt(input: {name: "many '
                       + 'executions"}) { name } }')).data,
         { createPrompt: { name: 'many-executions' } }, 'its name is free');
    g.ok(await g.until(900, async () => await left() === 0),
         'another worker goes on with it');
    g.is(await g.sql('SELECT count(*) FROM executions'), [['0']],
         'to the end');
    g.is(await orphans(), [['0', '0']], 'no orphans');
}


/* clients that leave while a copy is made: whole copies, or none */
async function forks(config) {
    const bob = { key: config.bob_key };
    const id = await made(config, 'many versions', 3000, 32, 0);
    const ended = g.tally();

    await g.clients(12, async (i) => {
        if (i % 3 === 0) {
            ended.add(await g.post(fork, { id }, bob));
            return;
        }

        await new Promise((done) => {
            const socket = g.connect();

            socket.on('error', () => {});
            socket.on('close', done);
            socket.write(g.raw(fork, { id }, config.bob_key));
            setTimeout(() => socket.destroy(), Math.random() * 300);
        });
    });

    g.diag(`large forks: ${ended}`);
    g.is(ended.others('200'), 0, 'who stays has a copy');
    g.ok(await g.until(900, async () => await left() === 0),
         'what is left of the others is removed');
    g.is(await g.sql('SELECT p.id FROM prompts p LEFT JOIN prompt_versions v '
                     + 'ON v.prompt_id = p.id GROUP BY p.id HAVING count(v.id) '
                     + '<> p.last_version'), [], 'copies are whole');

    return id;
}


/* who leaves while the copy is begun, and there is none yet */
async function leaving(config, id) {
    const waits = async () => Number((await g.sql('SELECT count(*) FROM '
        + "pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE "
        + "'WITH target AS (SELECT name%'"))[0][0]) !== 0;
    const held = g.sql('BEGIN; LOCK TABLE prompt_versions; SELECT pg_sleep(2);'
                       + ' COMMIT');

    await g.until(20, async () => (await g.sql('SELECT count(*) FROM pg_locks '
        + "WHERE relation = 'prompt_versions'::regclass AND mode = "
        + "'AccessExclusiveLock' AND granted"))[0][0] !== '0');

    const socket = g.connect();

    socket.on('error', () => {});
    socket.write(g.raw(fork, { id }, config.bob_key));
    g.diag(`${await g.until(2, waits) ? 'a' : 'no'} fork waits`);
    socket.destroy();

    await held;
    await g.until(20, async () => !await waits());
    await g.until(1, async () => await left() !== 0);
    g.ok(await g.until(900, async () => await left() === 0),
         'what a client begins who leaves at once is removed');
}


/* its original is deleted, workers are killed */
async function harm(config, id) {
    const bob = { key: config.bob_key };
    const before = (await g.sql("SELECT count(*) FROM prompts WHERE owner_id = "
                                + `'${config.bob_id}'`))[0][0];

    const copies = Array.from({ length: 4 }, () => g.post(fork, { id }, bob));

    await g.until(20, async () => await left() > 0);
    g.signal('SIGKILL', g.workers());

    const got = (await Promise.all(copies)).filter((r) => r.data).length;

    g.ok(await g.until(30, async () => (await g.post('{ me { id } }')).data),
         'workers are there again');

    const shown = (await g.sql('SELECT count(*) FROM prompts WHERE state = 0 '
                               + `AND owner_id = '${config.bob_id}'`))[0][0];

    g.diag(`${await left()} copies were being made when workers died`);
    g.ok(shown - before >= got, 'who was told of a copy has it');

    /* those that nobody makes any more: as if five minutes had passed */
    await g.sql("UPDATE prompts SET updated_at = now() - interval '6 min' "
                + 'WHERE state = 2');
    g.ok(await g.until(900, async () => await left() === 0),
         'copies whose worker died are removed');

    const last = Array.from({ length: 4 }, () => g.post(fork, { id }, bob));

    await g.until(20, async () => await left() > 0);

    const ended = g.tally();

    ended.add(await g.post(remove, { id }));

    for (const r of await Promise.all(last)) {
        ended.add(r);
    }

    g.diag(`forks of what is being deleted: ${ended}`);
    g.is(ended.others('200', '200 NOT_FOUND'), 0,
         'a copy of what is deleted meanwhile is whole, or there is none');
    g.ok(await g.until(900, async () => await left() === 0),
         'and nothing is left');
    g.is(await g.sql('SELECT p.id FROM prompts p LEFT JOIN prompt_versions v '
                     + 'ON v.prompt_id = p.id GROUP BY p.id HAVING count(v.id) '
                     + '<> p.last_version'), [], 'copies are whole');
    g.is(await orphans(), [['0', '0']], 'no orphans');
}


/* one whose removal fails: it is told, and the others go */
async function stuck(config) {
    const first = '00000000-0000-4000-8000-000000000000';
    const id = await made(config, 'stuck', 2, 32, 20000);

    await g.sql(`UPDATE executions SET id = '${first}' WHERE id =
            (SELECT id FROM executions WHERE prompt_id = '${id}'
             AND version = 1 LIMIT 1);
        CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN RAISE 'refused'; END $$;
        CREATE TRIGGER refuse BEFORE DELETE ON executions FOR EACH ROW
            WHEN (OLD.id = '${first}')
            EXECUTE FUNCTION refuse()`);

    g.is((await g.post(remove, { id })).data, { deletePrompt: true },
         'a prompt that cannot be removed to the end is deleted');
    g.ok(await g.until(900, () =>
        /\[warn\].*rows of a deleted prompt were not removed.*P0001/.test(
            g.log())), 'that its rows are there still is logged');

    const other = await made(config, 'behind it', 2, 32, 20000);

    g.is((await g.post(remove, { id: other })).data, { deletePrompt: true },
         'another one is deleted');
    g.ok(await g.until(900, async () => await left() === 1), 'and removed');

    await g.sql('DROP FUNCTION refuse CASCADE');
    await g.post(remove, { id: await made(config, 'third', 2, 32, 20000) });
    g.ok(await g.until(900, async () => await left() === 0),
         'in the end all are');
}


g.main({ workers: 2, allow: /\[alert\].*exited on signal 9$/ },
       async (config) => {
           await deletions(config);

           const id = await forks(config);

           await leaving(config, id);
           await harm(config, id);
           await stuck(config);
       });
