#!/usr/bin/env node
/*
 * Roles under load, while members come, change and go, and Redis is flushed,
 * delayed, stopped and killed: from the answer of a change on nobody is let in
 * who is not any more, and nobody refused who is.  Keys go with their makers,
 * also those that are made at that very moment.
 */

'use strict';

const g = require('../lib/guarantee.js');
const people = require('../lib/people.js');

/* what takes an EDITOR */
const probe = '{ apiKeys { id } }';

/* how a request ends, by what its user is: by session, by key */
const ends = {
    EDITOR: ['200', '200'],
    VIEWER: ['200 FORBIDDEN', '200 FORBIDDEN'],
    none: ['403 FORBIDDEN', '401 UNAUTHENTICATED']
};


/* a change, done again where it failed: when it was sent and answered */
async function change(total, query, variables, options) {
    const sent = performance.now();

    for (let i = 0; i < 200; i++) {
        const start = performance.now();
        const r = await g.post(query, variables, options);
        const value = r.data && Object.values(r.data)[0];

        if (value) {
            total.changes++;
            total.slowest = Math.max(total.slowest, performance.now() - start);
            return { sent, answered: performance.now(), value };
        }

        total.again.add(r);
        await g.sleep(20);
    }

    throw new Error(`not done: ${query}`);
}


/* a member who comes, is changed, and goes */
async function life(total, team, who) {
    const by = { key: team.key };
    const session = people.as(who.session, team.id);
    const states = [];
    const seen = [];
    let keys = [];
    let over = false;

    /* what counts from a change on; until the next one is sent */
    const state = (name, { sent, answered }) => {
        if (states.length !== 0) {
            states[states.length - 1].until = sent;
        }

        states.push({ name, from: answered, until: Infinity, keys });
    };

    const use = async (by_key) => {
        while (!over) {
            const key = by_key && g.any(keys);

            if (by_key && !key) {
                await g.sleep(2);
                continue;
            }

            const start = performance.now();
            const r = await g.post(probe, {}, by_key ? { key } : session);

            seen.push({ start, end: performance.now(), by_key, key, r });
            await g.sleep(Math.random() * 4);
        }
    };

    const create = () => g.post('mutation { createApiKey(input: {name: "k"}) '
                                + '{ key } }', {}, session);
    const clients = [use(false), use(false), use(true), use(true)];

    const invited = await change(total, 'mutation ($e: String!) { inviteMember('
        + 'email: $e, role: EDITOR) { token } }', { e: who.email }, by);

    state('EDITOR', await change(total, 'mutation ($t: String!) { '
        + 'acceptInvitation(token: $t) { id } }', { t: invited.value.token },
        people.as(who.session)));

    const first = await create();

    if (first.data && first.data.createApiKey) {
        keys = [first.data.createApiKey.key];
        states[states.length - 1].keys = keys;
    }

    for (const role of ['VIEWER', 'EDITOR', 'VIEWER', 'EDITOR']) {
        await g.sleep(Math.random() * 120);
        state(role, await change(total, 'mutation ($u: ID!, $r: ProjectRole!) '
            + '{ setMemberRole(userId: $u, role: $r) { role } }',
            { u: who.id, r: role }, by));
    }

    await g.sleep(Math.random() * 120);

    /* keys that are made while their maker is taken out */
    const late = Array.from({ length: 4 }, async () => {
        await g.sleep(Math.random() * 8);
        return create();
    });

    state('none', await change(total, 'mutation ($u: ID!) { removeMember('
        + 'userId: $u) }', { u: who.id }, by));

    for (const r of await Promise.all(late)) {
        if (r.data && r.data.createApiKey) {
            const end = await g.post(probe, {},
                                     { key: r.data.createApiKey.key });

            total.late++;

            if (end.status !== 401) {
                total.wrong.push(`a key that came late: ${g.ending(end)}`);
            }
        }
    }

    await g.sleep(60);
    over = true;
    await Promise.all(clients);

    for (const { start, end, by_key, key, r } of seen) {
        const at = states.find((s) => start > s.from && end < s.until);
        const got = g.ending(r);

        total.requests++;

        if (at === undefined || (by_key && !at.keys.includes(key))) {
            continue;
        }

        total.certain++;

        if (got !== ends[at.name][by_key ? 1 : 0]) {
            total.wrong.push(`${at.name}, ${by_key ? 'key' : 'session'}: `
                             + got);
        }
    }
}


async function harm(name, team, members, act) {
    const total = { changes: 0, slowest: 0, late: 0, requests: 0, certain: 0,
                    wrong: [], again: g.tally() };
    let over = false;
    const lives = Promise.all(members.map(async (who) => {
        do {
            await life(total, team, who);
        } while (!over);
    }));

    await g.sleep(200);
    await act();
    over = true;
    await lives;

    g.diag(`${name}: ${total.requests} requests, of ${total.certain} it is `
           + `certain what they must be told; ${total.changes} changes, the `
           + `slowest in ${total.slowest.toFixed(0)} ms; ${total.late} keys came `
           + `late; again: ${total.again}`);
    g.is(total.wrong.slice(0, 10), [], `${name}: everybody is told what counts`);
    g.ok(total.certain > 50 && total.changes >= 7 * members.length,
         `${name}: enough was asked for`);
}


g.main({
    workers: 2,
    redis: '%REDIS% timeout=50ms',
    http: 'prompt_key_cache valid=2s unknown=1s;'
}, async (config) => {
    const team = { id: await people.project(config.alice_id) };
    const members = [];

    team.key = await people.key(config.alice_id, team.id);

    for (let i = 0; i < 6; i++) {
        const id = await people.user(`m${i}`);

        members.push({ id, email: `m${i}@example.com`,
                       session: await people.session(id) });
    }

    await harm('calm', team, members, () => g.sleep(3000 * g.scale));

    await harm('flushed', team, members, async () => {
        for (let i = 0; i < 40 * g.scale; i++) {
            await g.redis('FLUSHALL');
            await g.sleep(Math.random() * 50);
        }
    });

    await harm('delayed', team, members, async () => {
        for (let i = 0; i < 20 * g.scale; i++) {
            await g.redis('CLIENT', 'PAUSE', String(20 + 5 * (i % 10)));
            await g.sleep(100);
        }
    });

    await harm('stopped', team, members, async () => {
        g.signal('SIGSTOP', g.redisPid());
        await g.sleep(1500);
        g.signal('SIGCONT', g.redisPid());
        await g.sleep(500);
    });

    await harm('killed', team, members, async () => {
        g.signal('SIGKILL', g.redisPid());
        await g.sleep(1200);
        await g.startServices();
        await g.sleep(700);
    });

    g.is(await g.sql('SELECT count(*) FROM api_keys k JOIN project_members m '
        + 'ON m.project_id = k.project_id AND m.user_id = k.user_id WHERE '
        + "m.role = 0 AND k.kind = 'key' AND k.deleted_at IS NULL"), [['0']],
         'nobody who left has a key');
});
