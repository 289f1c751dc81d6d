#!/usr/bin/env node
/*
 * Keys in a Redis Cluster: while slots move, masters are killed and come back
 * as replicas, and replicas stand still, no sound key is refused, and no
 * deleted one is let in.
 */

'use strict';

const g = require('../lib/guarantee.js');
const redis = require('../lib/redis_servers.js');
const { ctlRevokes } = require('../lib/ctl_revoke.js');
const { harm, newKey } = require('../lib/keys_harm.js');


/*
 * Entries are where the cluster looks for them, on each of the masters: of
 * keys enough for all three, soon enough, as an entry lives for two seconds.
 */
async function spread(ports) {
    const masters = await redis.masters(ports[0]);
    let sizes = [];

    g.is(masters.length, 3, 'spread: three masters');
    g.ok(await g.until(20, async () => {
        await g.share(4, 12, async () => {
            const { key } = await newKey();

            await g.post('{ me { id } }', {}, { key });
        });

        sizes = [];

        for (const master of masters) {
            sizes.push(Number(await redis.cli(master.port, 'DBSIZE')));
        }

        return sizes.every((n) => n > 0);
    }), `spread: entries on each (${sizes})`);
}


async function main() {
    const ports = await redis.ports(6);

    await redis.cluster(ports);

    /* the first is not there, the second is a replica perhaps */
    const [nobody] = await redis.ports(1);
    const named = [nobody, ports[5], ports[0]].map((p) => `127.0.0.1:${p}`);

    await g.main({
        redis: `cluster=${named.join(',')} ${redis.login} timeout=100ms`,
        http: 'prompt_key_cache valid=2s unknown=1s;'
    }, async () => {
        await harm('calm', () => g.sleep(1500));
        await spread(ports);
        await ctlRevokes(`cluster=${named.join(',')} ${redis.login}`, 6);

        await harm('resharded', async () => {
            const [a, b] = await redis.masters(ports[0]);

            await redis.reshard(ports[0], a.id, b.id, 300);
            await redis.reshard(ports[0], b.id, a.id, 300);
        });

        await harm('a replica stands still', async () => {
            const [a] = await redis.masters(ports[0]);

            process.kill(redis.pid(a.replicas[0]), 'SIGSTOP');
            await g.sleep(1200);
            process.kill(redis.pid(a.replicas[0]), 'SIGCONT');
        });

        await redis.settled(ports);

        for (const how of ['SIGKILL', 'SIGSTOP']) {
            await harm(`a master gets ${how}`, async () => {
                const masters = await redis.masters(ports[0]);
                const port = masters[masters.length - 1].port;
                const other = ports.find((p) => p !== port);

                process.kill(redis.pid(port), how);
                await redis.until('another master', async () =>
                    !(await redis.masters(other)).some((m) => m.port === port)
                    && /cluster_state:ok/.test(
                        await redis.cli(other, 'CLUSTER', 'INFO')));
                await g.sleep(300);
                await (how === 'SIGSTOP'
                       ? process.kill(redis.pid(port), 'SIGCONT')
                       : redis.again(port));
                await g.sleep(500);
            });

            await redis.settled(ports);
        }

        await harm('afterwards', () => g.sleep(700));
        g.is(await redis.denied(ports), [], 'no right is wanting');
    });
}


main().catch((e) => {
    g.ok(false, `threw ${e.stack}`);
    process.exit(1);
});
