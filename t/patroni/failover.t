#!/usr/bin/env node
/*
 * PostgreSQL under Patroni: the primary is killed, hands over, and is cut off
 * by SIGSTOP, under load: of writes that share transactions, and of others.
 * Nothing that was acknowledged is lost, writes go again within 5 s of the new
 * primary, and one that came back as a standby is not written to.
 *
 *     make test-patroni
 */

'use strict';

const { execFileSync } = require('child_process');

const g = require('../lib/guarantee.js');
const patroni = require('./cluster.js');
const redis = require('../lib/redis_servers.js');
const { accounts, writer, maker, executor, since, checks }
    = require('../lib/failover.js');

const database = 'prompts';


async function prepare(config) {
    await patroni.start(`/tmp/prompt-patroni-${process.pid}`);

    const psql = (db, text) => execFileSync(config.psql,
        ['-X', '-q', '-v', 'ON_ERROR_STOP=1',
         '-d', patroni.conninfo('postgres', db), '-c', text]);
    const ctl = (...words) => execFileSync(
        `${config.root}/build/promptctl`, words, {
            env: { ...process.env, PROMPT_DATABASE_URL:
                       patroni.conninfo('postgres', database) },
            stdio: ['ignore', 'pipe', 'ignore']
        }).toString().trim();

    psql('postgres', `CREATE DATABASE ${database}`);
    psql('postgres', 'CREATE ROLE prompt_app LOGIN');
    ctl('migrate', '--grant', 'prompt_app');
    ctl('user', 'add', 'patroni@example.test');
    config.alice_key = ctl('key', 'add', 'patroni@example.test',
                           '--name', 'test');

    /* where all questions to the database go from now on */
    config.db = patroni.conninfo('postgres', database);
    config.conninfo = patroni.conninfo('prompt_app', database);
}


/* act() under load; it answers the node that shall be primary then, or not */
async function over(name, act) {
    const a = accounts();
    const id = await g.prompt(`executed ${name}`, '{{word}}',
                              { model: 'fx:delay=50' });
    let ended = false;
    const isOver = () => ended;
    const clients = [
        g.clients(4, (c) => writer(a, `${name} ${c}`, isOver)),
        g.clients(24, (c) => maker(a, `${name} ${c}`, isOver)),
        g.clients(2, (c) => executor(a, id, c, isOver))
    ];

    await g.sleep(1000);

    const old = await patroni.leader();
    const begun = performance.now();

    await act(old);

    let now = null;

    await redis.until('another primary', async () => {
        now = await patroni.leader();

        return now !== null && now !== old;
    });

    const promoted = performance.now();

    await g.until(20, () => since(promoted, a.writes) < Infinity);
    await g.sleep(1000);
    ended = true;
    await Promise.all(clients);

    const sum = g.tally();

    a.writes.forEach((r) => sum.add(r));

    g.diag(`${name}: ${sum}; executions: ${a.executions}; another primary `
           + `after ${Math.round(promoted - begun)} ms, then a write after `
           + `${Math.round(since(promoted, a.writes))} ms`);
    g.ok(since(promoted, a.writes) < 5000 * g.slow,
         `${name}: writes within five seconds`);
    g.is(sum.others('200', '200 INTERNAL_SERVER_ERROR',
                    '503 INTERNAL_SERVER_ERROR'), 0, `${name}: sound errors`);
    await checks(a);

    return { old, now };
}

/* a node is a standby that streams again */
const back = (node) => redis.until('back as a standby', async () =>
    (await patroni.ask(node)).role === 'replica'
    && await patroni.members('sync_standby') > 0);


g.main({
    postgres: '%CONNINFO% connections=3 timeout=2s connect_timeout=2s',
    http: 'prompt_key_cache valid=60s unknown=5s;',
    before: prepare
}, async () => {
    const first = await over('killed', (node) =>
        patroni.signal(node, 'SIGKILL'));

    patroni.again(first.old);
    await back(first.old);

    const second = await over('switched over', patroni.switchover);

    await back(second.old);

    /* it does not know that it is primary no more, until it may go on */
    const third = await over('cut off', (node) =>
        patroni.signal(node, 'SIGSTOP'));

    patroni.signal(third.old, 'SIGCONT');

    /* all at once to whoever is first on the list, and the others */
    const after = g.tally();

    await g.share(32, 800, async (i) => after.add(await g.post(
        'mutation ($input: CreatePromptInput!) '
        + '{ createPrompt(input: $input) { id } }',
        { input: { name: `after ${i}` } })));

    await back(third.old);
    g.is(after.others('200', '200 INTERNAL_SERVER_ERROR',
                      '503 INTERNAL_SERVER_ERROR'), 0, 'back: sound errors');
    g.is(Number((await g.sql("SELECT count(*) FROM prompts WHERE name LIKE "
                             + "'after%'"))[0][0]), after.seen['200'],
         `back: what was acknowledged is with the primary (${after})`);
});
