#!/usr/bin/env node
/*
 * Reload, quit and upgrade under load: nobody who connects is turned away,
 * what is in flight ends well, and old workers go.
 */

'use strict';

const g = require('../lib/guarantee.js');

const ms = 900;             /* what an execution takes */


/* clients that go on until stop() is called, and count how they fared */
function load(prompt) {
    const fresh = g.tally();
    const kept = g.tally();
    const ran = g.tally();
    let over = false;
    const me = '{ me { id } prompts(first: 3) { id name } }';

    const running = [
        g.clients(6, async () => {
            while (!over) {
                fresh.add(await g.post(me, {}, { agent: false }));
            }
        }),
        g.clients(6, async () => {
            const agent = g.agent(1);

            while (!over) {
                let r = await g.post(me, {}, { agent });

                /* the server may close what is idle just as we write to it */
                if (r.broken && r.reused) {
                    r = await g.post(me, {}, { agent: false });
                }

                kept.add(r);
                await g.sleep(Math.random() * 20);
            }
        }),
        g.clients(6, async () => {
            while (!over) {
                ran.add(await g.execute(prompt, {}, { agent: false }));
            }
        })
    ];

    return { fresh, kept, ran, async stop() {
        over = true;
        await Promise.all(running);
    } };
}

function judge(l, what) {
    g.diag(`${what}: new connections: ${l.fresh}; kept: ${l.kept}; `
           + `executions: ${l.ran}`);
    g.is(l.fresh.others('200'), 0, `${what}: new connections are served`);
    g.is(l.kept.others('200'), 0, `${what}: so are kept ones`);
    g.is(l.ran.others('200'), 0, `${what}: executions end well`);
}

async function recorded(count, what) {
    g.is(await g.sql('SELECT status, count(*) FROM executions GROUP BY 1'),
         [['succeeded', String(count)]], `${what}: each execution has its row`);
}


g.main({}, async () => {
    const reloads = Math.round(8 * g.scale);
    const id = await g.prompt('reload', 'x', { model: `fx:delay=${ms}` });
    let total = 0;

    /* reload */
    {
        const l = load(id);

        for (let i = 0; i < reloads; i++) {
            await g.sleep(300 + Math.random() * 300);
            g.hup();
        }

        await g.sleep(500);
        await l.stop();
        judge(l, 'reload');
        total += l.ran.seen['200'] || 0;

        g.ok(await g.until(20, () => g.leaving().length === 0
                                     && g.workers().length === 2),
             'reload: the old workers are gone');
        await recorded(total, 'reload');
    }

    /* quit, with work in flight */
    {
        const ran = g.tally();
        const clients = g.clients(10, async () => {
            ran.add(await g.execute(id, {}, { agent: false }));
        });

        await g.sleep(ms / 3);
        g.ok(await g.quit(20), 'quit: nginx leaves');
        await clients;
        g.diag(`quit: ${ran}`);
        g.is(ran.others('200'), 0, 'quit: what was in flight is answered');
        total += ran.seen['200'] || 0;
        await recorded(total, 'quit');
    }

    /* a new binary */
    if (!process.env.TEST_NGINX_LD_PRELOAD) {
        await g.start({ daemon: true });

        const old = g.master();
        const l = load(id);

        await g.sleep(300);
        g.signal('SIGUSR2', old);
        g.ok(await g.until(20, () => g.master() !== old && g.master() !== 0
                                     && g.workers().length === 2),
             'upgrade: the new master and its workers');
        await g.sleep(300);
        g.signal('SIGWINCH', old);
        await g.sleep(300);
        g.signal('SIGQUIT', old);
        g.ok(await g.until(20, () => !g.alive(old)),
             'upgrade: the old master is gone');
        await g.sleep(300);
        await l.stop();
        judge(l, 'upgrade');
        total += l.ran.seen['200'] || 0;
        await recorded(total, 'upgrade');
        g.ok(await g.quit(20), 'upgrade: the new one leaves');
    }

    /* one process; nginx itself cannot reload it */
    {
        await g.start({ main: 'master_process off;' });

        const pid = g.master();
        const l = load(id);

        await g.sleep(1500);
        await l.stop();
        judge(l, 'one process');
        total += l.ran.seen['200'] || 0;

        const ran = g.tally();
        const clients = g.clients(5, async () => {
            ran.add(await g.execute(id, {}, { agent: false }));
        });

        g.is(g.children(pid), [], 'one process: no children');
        await g.sleep(ms / 3);
        g.ok(await g.quit(20), 'one process: leaves');
        await clients;
        g.is(ran.others('200'), 0, 'one process: with work in flight');
        total += ran.seen['200'] || 0;
        await recorded(total, 'one process');
    }
});
