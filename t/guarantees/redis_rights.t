#!/usr/bin/env node
/*
 * Keys in a Redis with a user that has the rights of docs/operating.md and no
 * more: the cache is filled and read, and a revocation is confirmed.
 */

'use strict';

const g = require('../lib/guarantee.js');
const redis = require('../lib/redis_servers.js');
const { ctlRevokes } = require('../lib/ctl_revoke.js');
const { harm } = require('../lib/keys_harm.js');


async function main() {
    const ports = await redis.ports(1);
    const at = `127.0.0.1:${ports[0]} ${redis.login}`;

    await redis.start(ports[0], '--save', '', ...redis.user());

    await g.main({ redis: `${at} timeout=100ms` }, async () => {
        await harm('with rights', () => g.sleep(500));
        await ctlRevokes(at, 2);
        g.ok(Number(await redis.cli(ports[0], 'DBSIZE')) > 0,
             'entries are there');
        g.is(await redis.denied(ports), [], 'no right is wanting');
        g.ok(!/did not confirm|refused/.test(g.log()), 'nor missed');
    });
}


main().catch((e) => {
    g.ok(false, `threw ${e.stack}`);
    process.exit(1);
});
