#!/usr/bin/env node
/*
 * A worker that has read whose a prompt is asks for the owner's executions in
 * a shorter way.  Owner and guest are shown the same as before, theirs and
 * nobody else's; also where a prompt changed hands, by SQL, behind its back.
 */

'use strict';

const g = require('../lib/guarantee.js');

const query = 'query ($id: ID!) { prompt(id: $id) { name versions { version '
              + 'executions { id output } } some: versions(last: 1) '
              + '{ executions { id } } version(number: 1) '
              + '{ executions { id } } } }';

const change = 'mutation ($id: ID!, $d: String!) { updatePrompt(id: $id, '
               + 'input: {description: $d}) { versions { version executions '
               + '{ id output } } } }';


/* as [ id, output ], of each version */
const said = (versions) => versions.map(
    (v) => v.executions.map((e) => [e.id, e.output]));


/* what is said, and that all three agree */
async function shown(id, key)
{
    const r = await g.post(query, { id }, { key });

    if (!r.data) {
        return r.code;
    }

    const { versions, some, version } = r.data.prompt;
    const ids = (list) => list.map((e) => e.id);

    g.is(ids(some[0].executions), ids(versions[1].executions),
         'the latest version has the same');
    g.is(ids(version.executions), ids(versions[0].executions),
         'the first one, too');

    return said(versions);
}


/* whether the last question for executions was the owner's */
const short = async () => Number((await g.sql(
    'SELECT count(*) FROM pg_stat_activity WHERE query LIKE '
    + "'SELECT e.prompt_id%AS id) p%' AND datname = current_database() AND "
    + 'state_change = (SELECT max(state_change) FROM pg_stat_activity WHERE '
    + "query LIKE 'SELECT e.prompt_id%' AND datname = current_database())"))[0][0]);


/* one of nobody's call */
const add = async (prompt, version, user, owner) => (await g.sql(
    'INSERT INTO executions (id, prompt_id, version, executed_by, by_owner, '
    + 'status, output) VALUES (prompt_id_of(now() - '
    + `interval '${add.n += 1} seconds'), '${prompt}', ${version}, '${user}', `
    + `${owner}, 'succeeded', 'said') RETURNING id`))[0][0];

add.n = 0;


g.main({ workers: 1 }, async (config) => {
    const { alice_id: alice, bob_id: bob, alice_key, bob_key } = config;
    const id = await g.prompt('owners', 'one', { model: 'fx:ok' },
                              { isPublic: true });
    const all = `query ($id: ID!) { prompt(id: $id) { versions `
                + '{ executions { id output } } } }';

    await g.version(id, 'two');

    const mine = await add(id, 1, alice, true);
    const his = await add(id, 1, bob, false);
    const latest = await add(id, 2, alice, true);

    const hers = [[[mine, 'said'], [his, null]], [[latest, 'said']]];
    const guests = [[[his, 'said']], []];

    for (const what of ['at first', 'and when it is known whose it is']) {
        g.is(await shown(id, alice_key), hers, `the owner's, ${what}`);
        g.is(await shown(id, bob_key), guests, `the guest's, ${what}`);
    }

    const list = (r) => said(r.data.prompt.versions);

    g.is(list(await g.post(all, { id }, { key: alice_key })), hers,
         'alone, too');
    g.is(await short(), 1, 'in the shorter way');
    g.is(list(await g.post(all, { id }, { key: bob_key })), guests,
         'a guest after the owner');
    g.is(await short(), 0, 'in the other one');

    const changed = await g.post(change, { id, d: 'x' }, { key: alice_key });

    g.is(said(changed.data.updatePrompt.versions), hers,
         'what a change answers');
    g.is((await g.post(change, { id, d: 'y' }, { key: bob_key })).code,
         'FORBIDDEN', "who changes another's is shown nothing");

    /* another's of the same id */

    await g.sql(`BEGIN; DELETE FROM prompts WHERE id = '${id}'; `
        + 'INSERT INTO prompts (id, owner_id, name, category, is_public, '
        + `last_version, updated_at) VALUES ('${id}', '${bob}', 'bobs', `
        + "'GENERAL', true, 2, now()); INSERT INTO prompt_versions (id, "
        + 'prompt_id, owner_id, version, content, params) SELECT '
        + `gen_random_uuid(), '${id}', '${bob}', v, 'x', '{}' FROM `
        + 'generate_series(1, 2) v; COMMIT');

    const guest = await add(id, 1, alice, false);
    const own = await add(id, 2, bob, true);

    g.is(await shown(id, alice_key), [[[guest, 'said']], []],
         'who owned it once is shown what a guest is');
    g.is(await shown(id, bob_key), [[[guest, null]], [[own, 'said']]],
         'who owns it now all of it');

    await g.sql(`UPDATE prompts SET is_public = false WHERE id = '${id}'`);

    g.is(await shown(id, alice_key), 'FORBIDDEN', 'nothing where it is private');
    g.is((await shown(id, bob_key)).length, 2, 'but for its owner');
});
