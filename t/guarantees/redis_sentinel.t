#!/usr/bin/env node
/*
 * Keys in a Redis behind Sentinel: while the master is killed, or hands over
 * to its replica, or the replica stands still, no sound key is refused, and no
 * deleted one is let in.
 */

'use strict';

const g = require('../lib/guarantee.js');
const redis = require('../lib/redis_servers.js');
const { ctlRevokes } = require('../lib/ctl_revoke.js');
const { harm } = require('../lib/keys_harm.js');

const name = 'prompts';
const password = 'sentinel-test-password';


async function main() {
    const ports = await redis.ports(6);
    const [nobody] = ports.splice(5);
    const servers = ports.slice(0, 2);
    const sentinels = ports.slice(2);
    const master = async () => Number((await redis.cli(sentinels[0],
        'SENTINEL', 'get-master-addr-by-name', name)).split('\n').pop());

    await redis.sentinel(name, servers, sentinels, password);

    const named = [nobody, ...sentinels].map((p) => `127.0.0.1:${p}`);

    await g.main({
        redis: `sentinel=${name}@${named.join(',')} ${redis.login} `
               + 'timeout=100ms',
        http: 'prompt_key_cache valid=2s unknown=1s;'
    }, async () => {
        await harm('calm', () => g.sleep(1000));

        g.ok(Number(await redis.cli(await master(), 'DBSIZE')) > 0,
             'entries are in the master');
        await ctlRevokes(`sentinel=${name}@${named.join(',')} `
                         + `${redis.login}`, 3);

        await harm('the replica stands still', async () => {
            const now = await master();
            const pid = redis.pid(servers.find((p) => p !== now));

            process.kill(pid, 'SIGSTOP');
            await g.sleep(800);
            process.kill(pid, 'SIGCONT');
        });

        await harm('the master is killed', async () => {
            const old = await master();

            await redis.kill(old);
            await redis.until('another master', async () =>
                await master() !== old);
            await g.sleep(500);
            await redis.again(old);
            await g.sleep(1000);
        });

        await redis.until('both are there', async () =>
            /connected_slaves:1/.test(
                await redis.cli(await master(), 'INFO', 'replication')));

        await harm('a switch-over by hand', async () => {
            const old = await master();

            await redis.until('it is begun', async () =>
                await redis.cli(sentinels[0], 'SENTINEL', 'FAILOVER', name)
                === 'OK');
            await redis.until('another master', async () =>
                await master() !== old);
            await g.sleep(500);
        });

        g.is(await redis.denied(servers), [], 'no right is wanting');
        g.ok(![password, redis.login.split('=').pop()].some((word) =>
            g.log().includes(word)), 'no password in the log');
    });
}


main().catch((e) => {
    g.ok(false, `threw ${e.stack}`);
    process.exit(1);
});
