#!/usr/bin/env node
/*
 * PostgreSQL's clock is set, by minutes and by half a minute, while calls with
 * an Idempotency-Key run: none is taken over, and each of them is answered, to
 * who asked first and to who asks again.
 */

'use strict';

const g = require('../lib/guarantee.js');

const now = async () => Number((await g.sql(
    'SELECT extract(epoch FROM now())'))[0][0]) - Date.now() / 1000;

/* it says so, in every process of PostgreSQL */
const set = async (away, seconds) => {
    g.clock(away);
    await g.until(10, async () => Math.abs(await now() - seconds) < 2);
};


g.main({
    workers: 2,
    clock: true,
    before: async (config) => {
        config.http = config.http.replace(/timeout=2s/g, 'timeout=30s');
    }
}, async () => {
    const id = await g.prompt('slow', '{{n}}', { model: 'fx:delay=3500' });
    const once = (key) => g.execute(id, { n: key },
                                    { headers: { 'Idempotency-Key': key } });

    for (const [away, seconds] of [['+10m', 600], ['+30s', 30]]) {
        const key = `set-by-${seconds}`;
        const first = once(key);

        g.ok(await g.until(10, async () => (await g.calls()).some((call) =>
            JSON.stringify(call.body).includes(key))), `${away}: it runs`);

        await set(away, seconds);

        const meanwhile = [];

        for (let i = 0; i < 16; i++) {
            meanwhile.push(await once(key));
        }

        await set('+0', 0);
        meanwhile.push(await once(key));

        const { data, errors } = await first;

        g.ok(data, `${away}: who asked first is answered`)
            || g.diag(JSON.stringify(errors));
        g.is((await once(key)).data, data, `${away}: and who asks again`);

        /* the last of them may have come late */

        const ended = new Set(meanwhile.map((r) => (
            r.data && JSON.stringify(r.data) === JSON.stringify(data)
            ? 'the same answer' : g.ending(r))));

        ended.delete('the same answer');
        g.is([...ended], ['409 BAD_USER_INPUT'],
             `${away}: who asks meanwhile is told that it runs`);
    }

    g.is((await g.calls()).length, 2, 'each was made once');
});
