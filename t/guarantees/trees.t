#!/usr/bin/env node
/*
 * Prompts that are read beside others in one transaction: each who asks is
 * given their own and what everybody may see, nothing of others', and all of
 * it as it was at one moment; also where some leave, wait for a lock, or what
 * they wait for is ended.
 */

'use strict';

const g = require('../lib/guarantee.js');
const { make } = require('../lib/users.js');

const users = 16;
const executions = 5;
const tree = 'id description versions { version '
             + `executions(first: ${executions}) { latencyMs output } }`;
const query = `query ($id: ID!) { prompt(id: $id) { ${tree} } }`;
const byName = 'query ($name: String!) { promptByName(name: $name) '
               + `{ ${tree} } }`;

const wrong = [];


/* a prompt of each user, with executions that tell whose they are */
async function prompts(all) {
    for (const user of all) {
        user.name = user.email.replace(/@.*/, '');
        user.prompt = await g.prompt(user.name, 'Hello', undefined,
                                     { key: user.key });

        for (let i = 0; i < executions; i++) {
            const r = await g.execute(user.prompt, {}, { key: user.key });

            if (!r.data) {
                throw new Error(JSON.stringify(r));
            }
        }
    }

    await g.sql('UPDATE executions e SET output = p.name FROM prompts p '
                + 'WHERE p.id = e.prompt_id');
    await move(1);
}

/* all rows of all of them in one transaction, again and again */
const move = (times) => g.sql(
    `DO $$ BEGIN FOR i IN 1 .. ${times} LOOP `
    + 'UPDATE executions SET latency_ms = i; '
    + 'UPDATE prompts SET description = i; COMMIT; END LOOP; END $$');

/* what is right for a prompt of that user: theirs, of one moment */
function right(user, r) {
    const prompt = r.data && (r.data.prompt || r.data.promptByName);

    return Boolean(prompt) && prompt.id === user.prompt
           && prompt.versions.length === 1
           && prompt.versions[0].executions.length === executions
           && prompt.versions[0].executions.every(
                  (e) => e.output === user.name
                         && String(e.latencyMs) === prompt.description);
}

function check(what, user, r) {
    if (!right(user, r)) {
        wrong.push([what, user.email, r.status, r.errors || r.data || r]);
    }
}

function checked(name) {
    g.is(wrong.slice(0, 3), [], name);
    wrong.length = 0;
}


g.main({ workers: 1, postgres: '%CONNINFO% connections=2 timeout=20s' },
       async () => {
    const all = await make(users, 'trees');
    const agent = g.agent(4 * users);

    await prompts(all);

    const ask = (user, by) => by === 'name'
        ? g.post(byName, { name: user.name }, { key: user.key, agent })
        : g.post(query, { id: user.prompt }, { key: user.key, agent });

    /* everyone asks for theirs in both ways, and for a neighbour's */

    const round = async (what) => {
        const own = all.map((user, i) => ask(user, i % 3 ? 'id' : 'name'));
        const others = all.map((user, i) =>
            g.post(query, { id: all[(i + 1) % users].prompt },
                   { key: user.key, agent }));

        const told = await Promise.all(own);

        told.forEach((r, i) => check(what, all[i], r));
        (await Promise.all(others)).forEach((r, i) => {
            if (r.code !== 'FORBIDDEN' || !r.partial
                || r.partial.prompt !== null)
            {
                wrong.push([what, 'others', all[i].email, r]);
            }
        });

        return told.map((r) => r.data && (r.data.prompt || r.data.promptByName)
                                             .description);
    };

    /* sessions tell with the first thing that they do a second later */

    const committed = async () => {
        await g.sleep(1200);
        await round('a second later');

        return Number((await g.sql('SELECT xact_commit FROM pg_stat_database '
            + 'WHERE datname = current_database()'))[0][0]);
    };

    await round('at first');
    checked('each is given their own, and nobody a neighbour\'s');

    /* one moment, while somebody changes everything */

    const moves = 400 * g.scale;
    let over = false;
    const seen = new Set();
    const writer = move(moves).finally(() => { over = true; });

    for (let i = 0; !over; i++) {
        (await round(`while it moves, ${i}`)).forEach((d) => seen.add(d));
    }

    await writer;
    g.diag(`moved ${moves} times, seen ${seen.size}`);
    g.ok(seen.size > 3, 'it moves');
    checked('of one moment each, while all moves');

    /* the same, with nobody else at work: fewer transactions than requests */

    const before = await committed();
    const rounds = 20;

    for (let i = 0; i < rounds; i++) {
        await round('all at once');
    }

    checked('all at once');

    const asked = (rounds + 1) * users * 2;
    const took = await committed() - before;

    g.diag(`${asked} requests, ${took} transactions`);
    g.ok(took < 0.8 * asked, 'several in one transaction');

    /* public ones are everybody's, and theirs alone again at once */

    await g.sql(`UPDATE prompts SET is_public = true WHERE id = '${
                    all[0].prompt}'`);
    (await Promise.all(all.map((user) => g.post(
        'query ($id: ID!) { prompt(id: $id) { id versions { version } } }',
        { id: all[0].prompt }, { key: user.key, agent }))))
        .forEach((r, i) => {
            if (!r.data || r.data.prompt.id !== all[0].prompt) {
                wrong.push([all[i].email, r]);
            }
        });
    await g.sql(`UPDATE prompts SET is_public = false WHERE id = '${
                    all[0].prompt}'`);
    await round('private again');
    checked('what is public is everybody\'s, what is private is not');

    /* some leave while all wait for a lock, and sessions are ended */

    const lock = async (act) => {
        const held = g.sql('BEGIN; LOCK TABLE executions IN ACCESS EXCLUSIVE '
                           + 'MODE; SELECT pg_sleep(1.5); COMMIT');

        await g.until(20, async () => (await g.sql(
            "SELECT 1 FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND "
            + "granted AND relation = 'executions'::regclass"))[0]);

        const answers = round('behind a lock');
        const leaving = all.map((user) => {
            const socket = g.connect();

            socket.on('error', () => {});
            socket.write(g.raw(query, { id: user.prompt }, user.key));
            return socket;
        });

        await g.until(20, async () => (await g.sql(
            "SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' "
            + "AND query LIKE '%executions%'"))[0]);
        leaving.forEach((socket, i) => i % 2 && socket.destroy());
        await act();
        await answers;
        await held;
        leaving.forEach((socket) => socket.destroy());
    };

    await lock(() => {});
    checked('behind a lock, beside some who left');

    const waiting = "FROM pg_stat_activity WHERE wait_event_type = 'Lock'";

    await lock(() => g.sql(`SELECT pg_terminate_backend(pid) ${waiting}`));
    checked('sessions that are ended: answered over others');
    await round('afterwards');
    checked('and afterwards');
    agent.destroy();
});
