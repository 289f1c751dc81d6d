#!/usr/bin/env node
/*
 * Clients that do not read hold their answers in memory, and nothing else of
 * their requests.
 */

'use strict';

const g = require('../lib/guarantee.js');

const rows = 20000;

g.main({
    workers: 1,
    http: 'prompt_limits complexity=1000000000;'
}, async (config) => {
    await g.sql(`INSERT INTO prompts (id, owner_id, name, category, is_public,
        updated_at, last_version, description)
        SELECT gen_random_uuid(), '${config.alice_id}', 'p-' || i, 'GENERAL',
               false, now(), 0, repeat('d', 400) FROM generate_series(1, ${rows}) i`);

    const list = '{ prompts { id description } }';
    const whole = await g.post(list);
    const [pid] = g.workers();

    g.is(whole.data.prompts.length, rows, 'the whole list');

    const one = whole.bytes;
    const sockets = [];

    const wait = async (n) => {
        for (let i = 0; i < n; i++) {
            const socket = g.connect();

            /* its beginning has come: all of it is made, and waits */
            await new Promise((done) => {
                socket.once('readable', done);
                socket.write(g.raw(list));
            });
            sockets.push(socket);
        }

        await g.post('{ me { id } }');
        return g.memory(pid) * 1024;
    };

    /* the first ones use what the worker has anyway */
    const before = await wait(4);
    const each = (await wait(8) - before) / 8;

    g.diag(`an answer of ${one} bytes takes ${Math.round(each)}`);

    if (!g.asan) {
        g.ok(each < 1.2 * one, 'an answer takes what it is long');
    }

    sockets.forEach((socket) => socket.destroy());
    g.ok((await g.post('{ me { id } }')).data, 'it goes on');
});
