#!/usr/bin/env node
/*
 * Who asks together with others is given their own: rows that are read by one
 * statement for several users go to those whose they are, also where some are
 * there no more, leave, or wait for what PostgreSQL refuses.
 */

'use strict';

const g = require('../lib/guarantee.js');
const { make } = require('../lib/users.js');

const users = 40;
const query = '{ me { id email name } }';

const own = (user, r) => r.data && r.data.me.id === user.id
                         && r.data.me.email === user.email
                         && r.data.me.name === `of ${user.email}`;


g.main({ workers: 1, postgres: '%CONNINFO% connections=2 timeout=20s' },
       async () => {
    const all = await make(users, 'rows');
    const agent = g.agent(users);
    const ask = (user, options) => g.post(query, {},
                                          { key: user.key, agent, ...options });
    const wrong = [];

    g.is((await Promise.all(all.map((user) => ask(user))))
             .filter((r, i) => !own(all[i], r)), [], 'each is known');

    const statements = async () => Number((await g.sql(
        "SELECT count(*) FROM pg_stat_activity WHERE query LIKE '%VALUES%users"
        + " WHERE id = a.p1%'"))[0][0]);
    let together = 0;

    for (let round = 0; round < 20 * g.scale; round++) {
        const answers = await Promise.all(all.map((user) => ask(user)));

        together += await statements();
        answers.forEach((r, i) => {
            if (!own(all[i], r)) {
                wrong.push([all[i].email, r]);
            }
        });
    }

    g.is(wrong.slice(0, 3), [], 'all at once, each is given their own');
    g.ok(together > 0, 'several by one statement');

    /* some leave while they wait, some are there no more */

    const gone = all.filter((_, i) => i % 5 === 4);

    const lock = g.sql('BEGIN; LOCK TABLE users IN ACCESS EXCLUSIVE MODE; '
                       + 'SELECT pg_sleep(1.5); COMMIT');

    await g.until(20, async () => (await g.sql(
        "SELECT 1 FROM pg_locks WHERE mode = 'AccessExclusiveLock' AND granted "
        + "AND relation = 'users'::regclass"))[0]);

    const answers = Promise.all(all.map((user) => ask(user)));
    const leaving = all.slice(0, 20).map((user) => {
        const socket = g.connect();

        socket.on('error', () => {});
        socket.write(g.raw(query, {}, user.key));
        return socket;
    });

    await g.sleep(300);
    leaving.forEach((socket) => socket.destroy());
    await lock;
    (await answers).forEach((r, i) => {
        if (!own(all[i], r)) {
            wrong.push([all[i].email, r]);
        }
    });
    g.is(wrong.slice(0, 3), [], 'so are those who waited beside some who left');

    /* the keys are kept by Redis for a while, the accounts are not there */

    await g.sql(`DELETE FROM users WHERE id IN (${gone.map((user) =>
        `'${user.id}'`).join(', ')})`);

    for (const [i, r] of (await Promise.all(all.map((user) => ask(user))))
                         .entries()) {
        const deleted = gone.includes(all[i]);

        if (deleted ? r.code !== 'NOT_FOUND' && r.status !== 401
                    : !own(all[i], r)) {
            wrong.push([all[i].email, deleted, r]);
        }
    }

    g.is(wrong.slice(0, 3), [], 'and those beside accounts that were deleted');
    g.is((await g.sql("SELECT count(*) FROM users WHERE email LIKE 'rows%'"))
             [0][0], `${users - gone.length}`, 'which are not there');
    agent.destroy();
});
