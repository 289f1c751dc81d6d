#!/usr/bin/env node
/*
 * Sessions under load and harm: who has ended one is told when it is refused
 * everywhere, also while Redis is stopped or killed, and no other is refused;
 * none that was begun with an old password outlives a new one.  Whoever signs
 * in waits for others at most, and nobody else waits for them.
 */

'use strict';

const g = require('../lib/guarantee.js');

/* "password", hashed with little; made anew when its user signs in */
const stored = '$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHRzb21lc2FsdA'
               + '$55PWTvddWPUD1GMbKxSff4ASfF85k9ibHJt4HlHQtBM';

const same = { 'Sec-Fetch-Site': 'same-origin' };

async function signIn(email, password, from, options) {
    const r = await g.request(JSON.stringify({ email, password }), {
        key: null, path: '/session', ...options,
        headers: { ...same, 'X-Forwarded-For': from }
    });
    const [cookie] = (r.headers && r.headers['set-cookie']) || [''];

    r.cookie = cookie.split(';')[0];

    return r;
}

const post = (cookie, query, variables) => g.post(query, variables, {
    key: null, headers: { ...same, Cookie: cookie,
                          'X-Forwarded-For': '10.1.0.1' }
});

const signOut = (cookie) => g.request('', {
    key: null, path: '/session', method: 'DELETE',
    headers: { ...same, Cookie: cookie }
});


async function crowd() {
    const n = Math.round(100 * Math.min(g.scale, 3));
    const ended = g.tally();
    const keys = g.tally();
    const times = [];
    let over = false;

    const others = g.clients(4, async () => {
        while (!over) {
            const r = await g.post('{ me { id } }');

            times.push(r.ms);
            keys.add(r);
            await g.sleep(100);
        }
    });

    /* a machine that is too busy says 503, and who comes again signs in */
    await g.share(n, n, async (i) => {
        let r;

        for (let n = 0; n < 100; n++) {
            r = await signIn('alice@example.com', 'password',
                             `10.1.${i >> 8}.${i & 255}`);

            if (r.status !== 503) {
                break;
            }

            await g.sleep(1000);
        }

        ended.add(r);
    });

    over = true;
    await others;

    g.diag(`crowd: ${ended}; others p99 ${g.quantile(times, 0.99)} ms`);
    g.is(ended.others('204'), 0, 'crowd: all have signed in');
    g.is(keys.others('200'), 0, 'crowd: keys are answered');
    g.ok(g.quantile(times, 0.5) < 1000 * g.slow, 'crowd: others do not wait');
}


async function flood() {
    const ended = g.tally();
    let without = 0;

    await g.share(400, 400, async (i) => {
        const r = ended.add(await signIn(`n${i}@example.com`, 'wrong',
                                         `10.2.${i >> 8}.${i & 255}`,
                                         { agent: false }));

        without += r.status === 503 && !r.headers['retry-after'] ? 1 : 0;
    });

    g.diag(`flood: ${ended}`);
    g.is(ended.others('401 UNAUTHENTICATED', '503 INTERNAL_SERVER_ERROR'), 0,
         'flood: refused, or told to come later');
    g.is(without, 0, 'flood: and when');

    const r = await signIn('alice@example.com', 'password', '10.1.0.1');

    g.is(r.status, 204, 'flood: then one may sign in');
}


async function harm(name, act) {
    const kept = (await signIn('alice@example.com', 'password',
                               '10.1.0.1')).cookie;
    const ended = g.tally();
    const revived = [];
    let over = false;
    let out = 0;

    const clients = [
        g.clients(4, async () => {
            while (!over) {
                ended.add(await post(kept, '{ me { id } }'));
            }
        }),
        g.clients(2, async () => {
            while (!over) {
                const { cookie } = await signIn('alice@example.com',
                                                'password', '10.1.0.1');

                if (!cookie) {
                    continue;
                }

                await post(cookie, '{ me { id } }');
                await post(cookie, '{ me { id } }');

                if ((await signOut(cookie)).status !== 204) {
                    continue;
                }

                out++;

                for (let i = 0; i < 5; i++) {
                    const r = await post(cookie, '{ me { id } }');

                    if (r.status !== 401) {
                        revived.push(g.ending(r));
                    }
                }
            }
        })
    ];

    await g.sleep(200);
    await act();
    over = true;
    await Promise.all(clients);
    g.diag(`${name}: ${ended}; ${out} signed out`);
    g.is(ended.others('200'), 0, `${name}: no session is refused`);
    g.is(revived, [], `${name}: no ended one is let in`);
    g.ok(out > 0, `${name}: somebody has signed out`);
}


/* who signs in with the old password while it is changed */
async function changes() {
    const own = (await signIn('alice@example.com', 'password',
                              '10.1.0.1')).cookie;
    const left = [];
    let password = 'password';

    for (let i = 0; i < 4; i++) {
        const next = `a password of round ${i}`;
        const racing = [0, 1, 2, 3].map(async (n) => {
            await g.sleep(n * 15);

            return signIn('alice@example.com', password, `10.1.0.${n + 2}`);
        });
        const r = await post(own, 'mutation ($old: String!, $new: String!) '
                             + '{ changePassword(old: $old, new: $new) }',
                             { old: password, new: next });

        g.is(r.data, { changePassword: true }, `changes: round ${i}`);

        for (const { cookie } of await Promise.all(racing)) {
            if (cookie && (await post(cookie, '{ me { id } }')).status !== 401)
            {
                left.push(cookie.slice(0, 20));
            }
        }

        password = next;
    }

    g.is(left, [], 'changes: none outlives the old password');
    g.is((await post(own, '{ me { id } }')).status, 200,
         'changes: the own one does');
}


/* clients leave, and workers die, while threads are at it */
async function left() {
    for (let i = 0; i < 40; i++) {
        signIn(`l${i}@example.com`, 'wrong', `10.4.0.${i}`, {
            agent: false,
            onRequest: (request) => {
                setTimeout(() => request.destroy(), i * 3);
            }
        });
    }

    await g.sleep(60);
    g.hup();
    await g.sleep(300);

    for (let i = 0; i < 20; i++) {
        signIn(`m${i}@example.com`, 'wrong', `10.5.0.${i}`, { agent: false });
    }

    await g.sleep(40);
    g.signal('SIGKILL', g.workers()[0]);

    const up = await g.until(20, async () => {
        const r = await signIn('bob@example.com', 'password', '10.6.0.1',
                               { agent: false });

        return r.status === 204;
    });

    g.ok(up, 'left: one may sign in afterwards');
}


g.main({
    redis: '%REDIS% timeout=50ms',
    http: `prompt_key_cache valid=2s unknown=1s;
           set_real_ip_from 127.0.0.1;
           real_ip_header X-Forwarded-For;`,
    locations: 'location = /session { prompt_session insecure; }',
    allow: /exited on signal 9/
}, async () => {
    await g.sql(`UPDATE users SET password = '${stored}'`);

    await crowd();
    await flood();

    await harm('calm', () => g.sleep(500));

    await harm('stopped', async () => {
        g.signal('SIGSTOP', g.redisPid());
        await g.sleep(1500);
        g.signal('SIGCONT', g.redisPid());
        await g.sleep(1000);
    });

    await harm('killed', async () => {
        g.signal('SIGKILL', g.redisPid());
        await g.sleep(1200);
        await g.startServices();
        await g.sleep(1000);
    });

    await changes();
    await left();
});
