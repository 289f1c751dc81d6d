#!/usr/bin/env node
/*
 * Standbys with prepare=off: what takes two transactions is read from the
 * primary, as a pooler may have another server for each.  Who was told of it
 * has a position that says so, and sees nothing older afterwards.
 */

'use strict';

const { execFile } = require('child_process');

const g = require('../lib/guarantee.js');

const flat = 'query ($id: ID!) { prompt(id: $id) { name } }';
const tree = 'query ($id: ID!) { prompt(id: $id) { name versions { version } } }';
const both = 'query ($id: ID!) { prompt(id: $id) { name versions { version } } '
             + 'statistics(since: "2020-01-01T00:00:00Z", by: DAY, '
             + 'until: "2021-01-01T00:00:00Z") { executions } }';

let at = null;


const standby = (config, text) => new Promise((done, fail) => {
    execFile(config.psql, ['-X', '-q', '-h', `${at}/sock2`, '-U', 'postgres',
                           '-d', 'postgres', '-c', text],
             (error) => (error ? fail(error) : done()));
});

g.main({
    workers: 1,
    postgres: '%CONNINFO% connections=4 prepare=off',
    allow: /redis|standby/,
    before: async (config) => {
        at = await g.services('standby');
        config.http += '\n    prompt_postgres_read "'
            + config.conninfo.replace(/host=\S+/, `host=${at}/sock2`)
            + '" max_lag=20s connections=2;\n';
    }
}, async (config) => {
    await g.sql('ALTER SYSTEM RESET synchronous_standby_names');
    await g.sql('SELECT pg_reload_conf()');

    const id = await g.prompt('told', undefined, undefined,
                              { isPublic: true });
    const bob = async (query, token) => {
        const r = await g.post(query, { id }, {
            key: config.bob_key,
            headers: token ? { 'Prompt-Position': token } : {}
        });

        return { ...r, position: r.headers['prompt-position'] };
    };

    const first = await g.until(60, async () => {
        const r = await bob(flat);

        return r.position ? r : null;
    });

    g.ok(first, 'a standby is read');

    const whole = await bob(tree, first.position);

    g.is(whole.data && whole.data.prompt.name, 'told', 'a tree is read');
    g.ok(whole.position, 'and has a position');

    await standby(config, 'SELECT pg_wal_replay_pause()');
    await g.post('mutation ($id: ID!) { updatePrompt(id: $id, '
                 + 'input: { name: "told-again" }) { id } }', { id });

    const newer = await bob(both, first.position);
    const then = await bob(flat, newer.position);

    g.is(newer.data && newer.data.prompt.name, 'told-again',
         'the primary is read');
    g.is(then.data && then.data.prompt.name, 'told-again',
         'what was read never becomes older');
    await standby(config, 'SELECT pg_wal_replay_resume()');
});
