/*
 * Keys that are made, used and deleted from several sides while something is
 * done to Redis: no sound one is refused, no deleted one is let in.
 */

'use strict';

const g = require('./guarantee.js');

async function newKey() {
    const r = await g.post('mutation { createApiKey(input: { name: "t" }) '
                           + '{ key apiKey { id } } }');

    return { key: r.data.createApiKey.key, id: r.data.createApiKey.apiKey.id };
}

exports.newKey = newKey;

/* act() under load; name stands before each assertion */
exports.harm = async (name, act) => {
    const ended = g.tally();
    const times = [];
    const revived = [];
    let over = false;
    let deleted = 0;
    let slowest = 0;
    const clients = [
        g.clients(8, async () => {
            while (!over) {
                const r = ended.add(await g.post('{ me { id } }'));

                times.push(r.ms);
            }
        }),
        g.clients(2, async () => {
            while (!over) {
                const { key, id } = await newKey();

                for (let i = 0; i < 5; i++) {
                    ended.add(await g.post('{ me { id } }', {}, { key }));
                }

                const r = await g.post(
                    'mutation ($id: ID!) { deleteApiKey(id: $id) }', { id });

                if (r.data && r.data.deleteApiKey) {
                    deleted++;
                    slowest = Math.max(slowest, r.ms);

                    for (let i = 0; i < 5; i++) {
                        const late = await g.post('{ me { id } }', {},
                                                  { key });

                        if (late.status !== 401) {
                            revived.push(g.ending(late));
                        }
                    }
                }
            }
        })
    ];

    await g.sleep(200);
    await act();
    over = true;
    await Promise.all(clients);
    g.diag(`${name}: ${ended}, p99 ${g.quantile(times, 0.99).toFixed(1)} ms; `
           + `${deleted} keys deleted, the slowest in `
           + `${slowest.toFixed(0)} ms`);
    g.is(ended.others('200'), 0, `${name}: no sound key is refused`);
    g.is(revived, [], `${name}: no deleted key is let in`);
    g.ok(deleted > 0, `${name}: keys were deleted`);
    g.ok(g.quantile(times, 0.99) < 1000 * g.slow, `${name}: at once`);
};
