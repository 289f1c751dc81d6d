#!/usr/bin/env node
/*
 * Users are disabled while they sign in, make keys and ask with all of these,
 * and while Redis is stopped, killed and flushed: from the moment on that
 * promptctl has ended none of it is let in, whenever it was begun, and until
 * promptctl was called none is refused.
 */

'use strict';

const { execFile } = require('child_process');
const g = require('../lib/guarantee.js');

const same = { 'Sec-Fetch-Site': 'same-origin' };
const named = (who) => ({ ...same, 'X-Who': who });

/* a session, whose account is made where there is none */
async function signIn(user) {
    const r = await g.request('{}', { key: null, path: '/session',
                                      headers: named(user.email) });
    const [cookie] = (r.headers && r.headers['set-cookie']) || [''];

    return { status: r.status,
             credential: cookie && { headers: { ...same,
                                                Cookie: cookie.split(';')[0] },
                                     key: null } };
}

async function makeKey(user, credential) {
    const r = await g.post('mutation { createApiKey(input: {name: "k"}) '
                           + '{ key } }', {}, credential);
    const made = r.data && r.data.createApiKey;

    return { status: r.status,
             credential: made && { key: made.key } };
}

const ctl = (redis, ...words) => new Promise((done) => {
    execFile(g.built('promptctl'), words, {
        env: {
            ...process.env, PROMPT_REDIS: redis,
            PROMPT_DATABASE_URL: `host=${g.config.pg_host} user=postgres `
                                 + `dbname=${g.config.db}`
        }
    }, (error, out, err) => done({ rc: error ? error.code : 0, err }));
});

const pick = (list) => list[Math.floor(Math.random() * list.length)];


/* as long as its user does anything */
async function use(user, told) {
    const credential = pick(user.credentials);
    const { begun, ended } = user;
    const dice = Math.random();
    let r;

    if (dice < 0.15) {
        r = await signIn(user);
    } else if (dice < 0.3) {
        r = await makeKey(user, credential);
    } else {
        r = await g.post('{ me { id } }', {}, credential);
    }

    told.count++;

    if (r.credential) {
        user.credentials.push(r.credential);

        if (ended) {
            told.revived.push(`made: ${g.ending(r)}`);
        }
    }

    if (ended && r.status !== 401 && r.status !== 403) {
        told.revived.push(`${r.status} of ${user.email}`);
    }

    if (!begun && !user.begun && r.status !== 200 && r.status !== 204) {
        told.refused.push(`${r.status} of ${user.email}`);
    }
}


async function leave(name, act) {
    const n = Math.max(3, Math.round(6 * Math.min(g.scale, 3)));
    const told = { count: 0, revived: [], refused: [] };
    const said = [];
    const users = [];
    let over = false;

    for (let i = 0; i < n; i++) {
        const user = { email: `${name}${i}@example.com`, credentials: [] };

        user.credentials.push((await signIn(user)).credential);
        users.push(user);
    }

    const stays = { email: 'alice@example.com', credentials: [] };

    stays.credentials.push((await signIn(stays)).credential);

    const clients = [...users, stays].map((user) => g.clients(2, async () => {
        while (!over) {
            await use(user, told);
            await g.sleep(5);
        }
    }));

    await g.sleep(300);

    const harm = act();

    for (const user of users) {
        user.begun = true;

        const { rc, err } = await ctl(`unix:${g.config.redis} `
                                      + `prefix=${g.config.prefix}`,
                                      'user', 'disable', user.email,
                                      '--valid', '2s');

        user.ended = rc === 0;

        if (rc !== 0) {
            said.push(err);
        }
    }

    await harm;
    await g.sleep(300);
    over = true;
    await Promise.all(clients);

    /* what was begun before and came back later, too */

    const last = g.tally();
    let all = 0;

    for (const user of users) {
        all += user.credentials.length;

        await g.share(4, user.credentials.length, async (i) => {
            last.add(await g.post('{ me { id } }', {}, user.credentials[i]));
        });
    }

    g.diag(`${name}: ${told.count} requests, ${all} sessions and keys`);
    g.is(said, [], `${name}: all were disabled`);
    g.is(told.revived.slice(0, 5), [], `${name}: none is let in afterwards`);
    g.is(last.others('401 UNAUTHENTICATED'), 0, `${name}: nor at the end`);
    g.is(told.refused.slice(0, 5), [], `${name}: none was refused before`);
    g.ok(all > 2 * n, `${name}: there were some`);
}


g.main({
    redis: '%REDIS% timeout=50ms',
    http: 'prompt_key_cache valid=2s unknown=1s;',
    locations: `location = /session {
                    set $who $http_x_who;
                    prompt_session trusted=$who create=on insecure;
                }`,
    allow: /exited on signal 9/
}, async () => {
    await leave('calm', async () => {});

    await leave('stopped', async () => {
        g.signal('SIGSTOP', g.redisPid());
        await g.sleep(1500);
        g.signal('SIGCONT', g.redisPid());
    });

    await leave('killed', async () => {
        g.signal('SIGKILL', g.redisPid());
        await g.sleep(1200);
        await g.startServices();
    });

    await leave('flushed', async () => {
        for (let i = 0; i < 20; i++) {
            await g.redis('FLUSHALL');
            await g.sleep(50);
        }
    });
});
