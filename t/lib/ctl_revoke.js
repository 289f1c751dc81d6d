/*
 * Keys that promptctl deletes while they are in the cache: refused when it
 * has ended, and without waiting for the cache.
 */

'use strict';

const { execFile } = require('child_process');
const g = require('./guarantee.js');
const { newKey } = require('./keys_harm.js');

/* redis: as PROMPT_REDIS has it; n keys */
exports.ctlRevokes = async (redis, n) => {
    const config = g.config;
    const ended = g.tally();
    const said = [];

    for (let i = 0; i < n; i++) {
        const { key, id } = await newKey();

        await g.post('{ me { id } }', {}, { key });
        await g.post('{ me { id } }', {}, { key });

        said.push(...await new Promise((done) => {
            execFile(g.built('promptctl'), ['key', 'delete', id], {
                env: {
                    ...process.env, PROMPT_REDIS: redis,
                    PROMPT_DATABASE_URL: `host=${config.pg_host} `
                                         + `user=postgres dbname=${config.db}`
                }
            }, (error, out, err) => done(error || err ? [`${error} ${err}`]
                                                      : []));
        }));

        ended.add(await g.post('{ me { id } }', {}, { key }));
    }

    g.is(said, [], 'promptctl: nothing to complain of');
    g.is(ended.others('401 UNAUTHENTICATED'), 0,
         `promptctl: a key that it has deleted is refused (${ended})`);
};
