#!/usr/bin/env node
/*
 * Reads from a standby while the Redis behind Sentinel hands over to its
 * replica: two hosts learn of that one after the other, and the old master
 * answers for a while.  Whoever has written reads what they wrote.
 */

'use strict';

const { execFile } = require('child_process');

const g = require('../lib/guarantee.js');
const redis = require('../lib/redis_servers.js');
const second = require('../lib/second.js');

const name = 'prompts';
const password = 'sentinel-test-password';
const UPDATE = 'mutation ($id: ID!, $input: UpdatePromptInput!) '
    + '{ updatePrompt(id: $id, input: $input) { id } }';
const READ = 'query ($id: ID!) { prompt(id: $id) { description } }';


const standbySql = (config, text) => new Promise((done, fail) => {
    execFile(config.psql, ['-X', '-q', '-A', '-t', '-h',
        `${config.place}/sock2`, '-U', 'postgres', '-d', 'postgres', '-c',
        text], { cwd: '/' }, (error, out) =>
        (error ? fail(error) : done(out.trim())));
});

async function main() {
    const ports = await redis.ports(5);
    const servers = ports.slice(0, 2);
    const sentinels = ports.slice(2);
    const hosts = [];
    const master = async () => Number((await redis.cli(sentinels[0],
        'SENTINEL', 'get-master-addr-by-name', name)).split('\n').pop());

    await redis.sentinel(name, servers, sentinels, password);

    const named = sentinels.map((p) => `127.0.0.1:${p}`);

    await g.main({
        workers: 2,
        redis: `sentinel=${name}@${named.join(',')} ${redis.login} `
               + 'timeout=100ms',
        postgres: '%CONNINFO% connections=4',
        allow: /redis|standby|position/,
        before: async (config) => {
            config.place = await g.services('standby');
            config.http = `${config.http}\n    prompt_postgres_read `
                + `"${config.conninfo.replace(/host=\S+/,
                                              `host=${config.place}/sock2`)}" `
                + 'max_lag=300ms connections=2;\n';
        }
    }, async (config) => {
        await g.sql('ALTER SYSTEM RESET synchronous_standby_names');
        await g.sql('SELECT pg_reload_conf()');

        hosts.push({ port: config.port });
        hosts.push(await second.start(config));
        g.ok(hosts[1], 'a second host');

        await standbySql(config, 'ALTER SYSTEM SET recovery_min_apply_delay '
                                 + '= 200');
        await standbySql(config, 'SELECT pg_reload_conf()');

        const quiet = async () => (await g.post('{ prompts(first: 1) { id } }',
            {}, { port: g.any(hosts).port })).headers['prompt-position'];

        g.ok(await g.until(20, quiet), 'a standby is read');

        let over = false;
        let reads = 0;
        const old = [];
        const ids = await g.clients(4, (i) => g.prompt(`behind it ${i}`, 'x'));
        const clients = ids.map(async (id) => {
            for (let i = 0; !over; i++) {
                const description = `d${i}`;
                const r = await g.post(UPDATE, { id, input: { description } },
                                       { port: g.any(hosts).port });

                for (let j = 0; r.data && j < 6; j++) {
                    const seen = await g.post(READ, { id },
                                              { port: g.any(hosts).port });

                    reads++;

                    if (seen.data && seen.data.prompt.description
                                     !== description)
                    {
                        old.push({ description, got: seen.data.prompt });
                    }

                    await g.sleep(30);
                }
            }
        });

        for (let i = 0; i < 2; i++) {
            const now = await master();

            await redis.until('it is begun', async () =>
                await redis.cli(sentinels[0], 'SENTINEL', 'FAILOVER', name)
                === 'OK');
            await redis.until('another master', async () =>
                await master() !== now);
            await g.sleep(1500);
        }

        over = true;
        await Promise.all(clients);

        g.diag(`${reads} reads`);
        g.is(old.slice(0, 5), [], 'no older state of what was written');
        g.ok(await g.until(20, quiet), 'a standby is read again');
        g.ok(await second.stop(), 'the second host leaves');
    });
}


main().catch((e) => {
    g.ok(false, `threw ${e.stack}`);
    process.exit(1);
});
