#!/usr/bin/env node
/*
 * What carries an Idempotency-Key is done once: from two hosts, by a thousand
 * at the same moment, while workers and PostgreSQL are killed and clients
 * leave.  Counted are what was made, what was executed, what the provider was
 * asked, and what clients were told.
 */

'use strict';

const crypto = require('crypto');
const fs = require('fs');

const g = require('../lib/guarantee.js');
const second = require('../lib/second.js');

const hosts = [];                 /* { port, pid() } */

/* another host: a configuration of its own, the same PostgreSQL and Redis */

async function startSecond(config) {
    const host = await second.start(config);

    hosts.push({ port: config.port, master: g.master }, host);

    return host;
}

/* those that take connections */
const workersOf = (host) => g.children(host.master()).filter((pid) => {
    try {
        return /^nginx: worker process(?! is)/.test(
            fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
    } catch {
        return false;
    }
});


/* the work: each has a key, and leaves something that can be counted */

const version = 'mutation ($i: CreatePromptVersionInput!) '
    + '{ createPromptVersion(input: $i) { id version } }';
const create = 'mutation ($i: CreatePromptInput!) '
    + '{ createPrompt(input: $i) { id name } }';
const execute = 'mutation ($id: ID!, $input: JSON!) { executePrompt('
    + 'promptId: $id, input: $input) { executionId output } }';
const several = 'mutation ($a: CreatePromptVersionInput!, '
    + '$b: CreatePromptVersionInput!) { a: createPromptVersion(input: $a) '
    + '{ id } b: createPromptVersion(input: $b) { id } }';

const kinds = {
    version: (s, n) => [version, { i: { promptId: s.bare, content: n,
                                        params: {} } }],
    create: (s, n) => [create, { i: { name: n } }],
    execute: (s, n) => [execute, { id: s.prompt, input: { n } }],
    several: (s, n) => [several, {
        a: { promptId: s.bare, content: `${n}-a`, params: {} },
        b: { promptId: s.bare, content: `${n}-b`, params: {} }
    }]
};

const agents = () => false;

/* one request; leaves: after so many ms its client does */
function ask(work, leaves) {
    return g.post(work.query, work.variables, {
        agent: agents(), port: g.any(hosts).port,
        headers: { 'Idempotency-Key': work.key },
        onRequest: (request) => {
            if (leaves !== undefined) {
                setTimeout(() => request.destroy(), leaves);
            }
        }
    });
}

const replayed = (r) => !r.broken
    && r.headers['idempotency-replayed'] === 'true';
const dataOf = (r) => (r.data ? JSON.stringify(r.data) : null);


/* what one after the other is told, until it is told again */
async function settle(work, state) {
    const until = Date.now() + 150000 * g.slow;

    while (Date.now() < until) {
        const r = state.ended.add(await ask(work, Math.random() < 0.2
            ? Math.random() * 60 : undefined));

        if (!r.broken && r.status === 200) {
            work.answers.push(r);

            if (replayed(r)) {
                work.last = r;
                return;
            }
        }

        if (r.status === 422 || r.status === 400) {
            work.answers.push(r);
            return;
        }

        await g.sleep(r.status === 409 ? 100 + Math.random() * 400
                                       : Math.random() * 50);
    }
}


async function atOnce(state, kind, n) {
    const name = `moment ${kind} ${crypto.randomUUID()}`;
    const [query, variables] = kinds[kind](state, name);
    const work = { key: crypto.randomUUID(), query, variables };
    const ended = g.tally();
    const bodies = new Set();

    const answers = await g.clients(n, async () => {
        const r = await ask(work);

        if (r.data) {
            bodies.add(dataOf(r));
        }

        return ended.add(r);
    });

    await g.until(60, async () => {
        const r = await ask(work);

        if (r.data) {
            bodies.add(dataOf(r));
        }

        return replayed(r);
    });

    g.diag(`${kind}, ${n} at once: ${ended}`);
    g.is(ended.others('200', '409 BAD_USER_INPUT'), 0,
         `${kind}: they are answered, or told to come again`);
    g.is(answers.filter((r) => r.data && !replayed(r)).length, 1,
         `${kind}: one is the first`);
    g.is(bodies.size, 1, `${kind}: there is one answer`);

    return name;
}


async function moment(state) {
    const n = Math.round(1000 * Math.max(1, Math.min(4, g.scale)));
    const executed = await atOnce(state, 'execute', n);
    const made = await atOnce(state, 'version', n);

    g.is(await g.sql('SELECT count(*) FROM executions WHERE input::text LIKE '
                     + `'%${executed}%'`), [['1']], 'one execution');
    g.is((await g.calls()).filter((call) =>
        JSON.stringify(call.body).includes(executed)).length, 1, 'one bill');
    g.is(await g.sql('SELECT count(*) FROM prompt_versions WHERE content = '
                     + `'${made}'`), [['1']], 'one version');
}


/*
 * Two hosts take the same keys in crossing order: many of them stand in one
 * transaction, and no two of those may wait for each other.
 */
async function crossing() {
    const deadlocks = async () => Number((await g.sql(
        'SELECT deadlocks FROM pg_stat_database WHERE datname = '
        + 'current_database()'))[0][0]);
    const before = await deadlocks();
    const ended = g.tally();

    for (let round = 0; round < 3; round++) {
        const works = Array.from({ length: 100 }, () => {
            const name = `cross-${crypto.randomUUID()}`;

            return { key: crypto.randomUUID(), query: create,
                     variables: { i: { name } } };
        });

        /* what waits goes together */

        g.stopPostgres();
        setTimeout(g.continuePostgres, 200);

        await Promise.all(hosts.map((host, n) => Promise.all(
            works.map((_, i) => works[n ? works.length - 1 - i : i])
                 .map((work) => g.post(work.query, work.variables, {
                     agent: false, port: host.port,
                     headers: { 'Idempotency-Key': work.key }
                 }).then((r) => ended.add(r))))));
    }

    /* counts are shown a little later */

    await g.sleep(1500);
    g.diag(`crossing: ${ended}`);
    g.is(await deadlocks() - before, 0, 'crossing: no deadlock');
    g.is(ended.others('200', '409 BAD_USER_INPUT'), 0,
         'crossing: they are answered, or told to come again');
}


async function harm(state) {
    for (let i = 0; i < state.kills; i++) {
        await g.sleep(100 + Math.random() * 250);

        const pids = workersOf(g.any(hosts));

        if (pids.length > 0) {
            g.signal('SIGKILL', g.any(pids));
        }

        if (i % 8 === 4) {
            g.signal('SIGHUP', g.any(hosts).master());
        }

        if (i % 10 === 7) {
            await g.killPostgres();
            await g.sleep(Math.random() * 300);
            await g.startServices();
        }
    }

    state.over = true;
}


/* rows whose worker is dead would be waited for until their time is over */
async function loseTheDead(state) {
    while (!state.settled) {
        if (state.over) {
            await g.sql('UPDATE executions SET deadline = now() '
                        + "- interval '1 hour' WHERE status = 'running' "
                        + "AND created_at < now() - interval '20 seconds'")
                .catch(() => {});
        }

        await g.sleep(1000);
    }
}


async function underHarm(state) {
    const total = Math.round(240 * g.scale);
    const all = [];
    const names = Object.keys(kinds);

    state.kills = Math.round(24 * g.scale);

    const harming = harm(state);
    const losing = loseTheDead(state);

    await g.share(24, total, async (i) => {
        const kind = names[i % names.length];
        const name = `w${i}-${crypto.randomUUID()}`;
        const [query, variables] = kinds[kind](state, name);
        const work = { kind, name, query, variables, answers: [],
                       key: crypto.randomUUID() };

        all.push(work);

        /* a second one asks for the same at the same time */
        await Promise.all([settle(work, state), settle(work, state)]);
    });

    await harming;
    state.settled = true;
    await losing;

    g.diag(`${total} things, ${state.kills} kills: ${state.ended}`);

    return all;
}


const count = async (sql) => new Map((await g.sql(sql)).map(
    ([name, n]) => [name, Number(n)]));


async function check(all) {
    const versions = await count('SELECT content, count(*) FROM '
        + 'prompt_versions GROUP BY 1');
    const executions = await count("SELECT input->>'n', count(*) FROM "
        + 'executions GROUP BY 1');
    const prompts = await count('SELECT name, count(*) FROM prompts '
        + 'GROUP BY 1');
    const calls = new Map();

    for (const call of await g.calls()) {
        const [name] = /w\d+-[0-9a-f-]{36}/.exec(JSON.stringify(call.body))
                       || [];

        calls.set(name, (calls.get(name) || 0) + 1);
    }

    const wrong = { unsettled: [], twice: [], several: [], untrue: [],
                    others: [] };

    for (const work of all) {
        const { name } = work;
        const counts = [versions.get(name), versions.get(`${name}-a`),
                        versions.get(`${name}-b`), executions.get(name),
                        prompts.get(name), calls.get(name)];
        const data = new Set(work.answers.map(dataOf).filter(Boolean));

        if (!work.last) {
            wrong.unsettled.push([work.kind, name, work.answers.slice(-1)]);
        }

        if (counts.some((n) => n > 1)) {
            wrong.twice.push([work.kind, name, counts]);
        }

        if (data.size > 1) {
            wrong.several.push([work.kind, name, ...data]);
        }

        /* who was told that it was done was told the truth */
        if (data.size > 0 && counts.every((n) => n === undefined)) {
            wrong.untrue.push([work.kind, name, ...data]);
        }

        /* a second attempt would have found the name taken */
        for (const r of work.answers) {
            if (r.status !== 200 || /already/.test(JSON.stringify(r.errors)))
            {
                wrong.others.push([work.kind, name, r.status, r.errors]);
            }
        }
    }

    g.diag(`${all.filter((work) => work.last && work.last.data).length} of `
           + `${all.length} were answered as the first was`);

    for (const [what, list] of [
        ['unsettled', 'each is answered in the end'],
        ['twice', 'nothing is done, executed or paid for twice'],
        ['several', 'nobody is told another answer'],
        ['untrue', 'what was told is true'],
        ['others', 'nothing is attempted again']])
    {
        g.is(wrong[what].slice(0, 3), [], list);
    }

    g.ok(all.some((work) => work.last && work.last.data),
         'and most are answered as the first was');
}


g.main({
    workers: 2,
    allow: /\[alert\].*exited on signal 9$/
}, async (config) => {
    g.ok(await startSecond(config), 'two hosts');

    const state = { ended: g.tally(), over: false, settled: false };

    state.bare = await g.prompt('bare');
    state.prompt = await g.prompt('prompt', '{{n}}',
                                  { model: 'fx:text=fine,delay=150' });

    await moment(state);
    await crossing();
    await check(await underHarm(state));

    g.ok(await second.stop(), 'the second host leaves');
    g.is(fs.readFileSync(`${config.at}/second/error.log`, 'utf8').split('\n')
        .filter((line) => /\[alert\]|\[crit\]|\[emerg\]/.test(line)
                          && !/exited on signal 9$/.test(line)), [],
         'with a clean log');
});
