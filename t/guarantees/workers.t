#!/usr/bin/env node
/*
 * A worker that is killed harms no other: whoever talks to the others notices
 * nothing, what all workers share (counters, persisted queries) stays usable,
 * and the one that takes its place serves at once.
 */

'use strict';

const crypto = require('crypto');

const g = require('../lib/guarantee.js');

const hash = (text) => crypto.createHash('sha256').update(text).digest('hex');
const documentOf = (n) => `query q${n} { __typename me { id } }`
                          + ` # ${'x'.repeat(n % 3000)}`;

/* by its hash, and where that is not known, with its text */
async function persisted(n, options) {
    const text = documentOf(n);
    const extensions = { persistedQuery: { version: 1,
                                           sha256Hash: hash(text) } };
    const r = await g.request(JSON.stringify({ extensions }), options);

    if (r.code !== 'PERSISTED_QUERY_NOT_FOUND') {
        return r;
    }

    return g.request(JSON.stringify({ query: text, extensions }), options);
}

const kinds = [
    (o) => persisted(Math.floor(Math.random() * 2000), o),
    (o) => g.post('{ me { id } }', {}, o),
    (o) => g.post('{ prompts(first: 3) { id name } }', {}, o),
    (o) => g.post('mutation ($input: CreatePromptInput!) '
        + '{ createPrompt(input: $input) { id } }',
        { input: { name: `w ${crypto.randomUUID()}` } }, o)
];


/* the counters of /metrics by their names; gauges may go back */
async function metrics(options) {
    const r = await g.get('/metrics', { agent: false, ...options });
    const found = new Map();

    for (const line of (r.text || '').split('\n')) {
        const [, name, value] = /^([^#].*) (\S+)$/.exec(line) || [];

        if (name && /_(?:total|bucket|sum|count)(?:\{|$)/.test(name)) {
            found.set(name, Number(value));
        }
    }

    return found;
}

/* counters that went back, or are what no counter of ours can be */
function odd(before, after) {
    const wrong = [];

    for (const [name, value] of after) {
        if (!(value >= (before.get(name) || 0)) || value > 2 ** 40) {
            wrong.push([name, before.get(name), value]);
        }
    }

    return wrong;
}

const requests = (m) => [...m].filter(([name]) =>
    name.startsWith('prompt_requests_total')).reduce((n, [, v]) => n + v, 0);


/*
 * A client keeps to one connection, so to one worker, whose number it asks
 * for.  Where the connection breaks, that worker must have been killed.
 */
async function client(state) {
    while (!state.over) {
        const agent = g.agent(1);
        const hello = await g.get('/pid', { agent });

        if (hello.broken) {
            /* nobody knows whose it was, but one was being killed */
            if (hello.start - state.lastKill > 2000 * g.slow) {
                state.harmed.push(`no kill, but ${hello.broken}`);
            }

            await g.sleep(5);
            continue;
        }

        const worker = Number(/^pid (\d+)/.exec(hello.text)[1]);

        for (let i = 0; i < 50 && !state.over; i++) {
            const r = state.ended.add(await g.any(kinds)({ agent }));

            if (r.broken) {
                if (!state.killed.has(worker)) {
                    state.harmed.push(`${worker}: ${r.broken}`);
                }

                break;
            }

            if (r.status !== 200 || !r.data) {
                state.wrong.push([g.ending(r), r.text || r.errors]);
            }
        }

        agent.destroy();
    }
}


async function kill(state, kills) {
    let last = new Map();

    for (let i = 0; i < kills; i++) {
        await g.sleep(20 + Math.random() * 60);

        const pids = g.workers();

        /* one is always left, and those that have just begun are welcome */
        if (pids.length < 2) {
            i--;
            continue;
        }

        const pid = g.any(pids);

        state.killed.add(pid);
        state.lastKill = performance.now();
        g.signal('SIGKILL', pid);

        if (i % 5 === 0) {
            const now = await metrics();

            /* the page itself may have been of the killed one */
            if (now.size > 0) {
                state.odd.push(...odd(last, now));
                last = now;
            }
        }
    }

    return last;
}


async function afterwards(last) {
    g.ok(await g.until(10, () => g.workers().length === 4),
         'there are as many workers as before');

    /* each of them serves */
    const seen = new Set();

    g.ok(await g.until(10, async () => {
        await g.clients(8, async () => {
            const agent = g.agent(1);
            const hello = await g.get('/pid', { agent });
            const r = await g.post('{ me { id } }', {}, { agent });

            if (r.data) {
                seen.add(hello.text);
            }

            agent.destroy();
        });

        return seen.size === 4;
    }), 'and all of them serve');

    /* the counters count, and exactly */
    const n = 1000;
    const before = await metrics();
    const ended = g.tally();

    await g.share(8, n, async () => {
        ended.add(await g.post('{ me { id } }'));
    });

    const after = await metrics();

    g.is(ended.others('200'), 0, 'no request fails any more');
    g.is(odd(last, before).concat(odd(before, after)), [],
         'no counter goes back');
    g.is(requests(after) - requests(before), n, 'each request is counted');
    g.is(after.get('prompt_request_seconds_count')
         - before.get('prompt_request_seconds_count'), n, 'and its time');

    /* the zone takes in documents, drives old ones out, and finds them */
    const lost = [];

    await g.share(8, 600, async (i) => {
        const text = documentOf(10000 + i);
        const extensions = { persistedQuery: { version: 1,
                                               sha256Hash: hash(text) } };
        const options = { agent: false };

        await g.request(JSON.stringify({ query: text, extensions }), options);

        const r = await g.request(JSON.stringify({ extensions }), options);

        if (!r.data || !r.data.me) {
            lost.push([i, g.ending(r)]);
        }
    });

    g.is(lost, [], 'persisted queries are kept and found');

    /* nothing of the dead is held anywhere */
    g.ok(await g.until(10, async () => Number((await g.sql('SELECT count(*) '
        + "FROM pg_stat_activity WHERE usename = 'prompt_app'"))[0][0]) <= 8),
         'no connection to PostgreSQL is left over');
    g.ok(await g.until(10, async () => (await g.redis('CLIENT', 'LIST'))
        .split('\n').length <= 4 + 1),
         'nor to Redis');
    g.is(await g.sql(
        'SELECT p.id FROM prompts p LEFT JOIN prompt_versions v '
        + 'ON v.prompt_id = p.id GROUP BY p.id HAVING count(v.id) '
        + '<> p.last_version'), [], 'nothing is half done');
}


g.main({
    workers: 4,
    http: 'prompt_persisted_queries 1m;',
    locations: 'location = /pid { return 200 "pid $pid"; }',
    allow: /\[alert\].*exited on signal 9$/
}, async () => {
    const master = g.master();
    const kills = Math.round(60 * g.scale);
    const state = { over: false, killed: new Set(), lastKill: 0,
                    ended: g.tally(), harmed: [], wrong: [], odd: [] };
    const clients = g.clients(16, () => client(state));

    await g.sleep(300);

    const last = await kill(state, kills);

    await g.sleep(300);
    state.over = true;
    await clients;

    g.diag(`${state.killed.size} workers killed: ${state.ended}`);
    g.is(state.killed.size, kills, 'workers were killed');
    g.is(state.harmed.slice(0, 5), [],
         'only connections of killed workers break');
    g.is(state.wrong.slice(0, 5), [], 'all other requests are answered');
    g.is(state.odd.slice(0, 5), [], 'no counter went back meanwhile');
    g.is(g.master(), master, 'the master lives');
    await afterwards(last);
});
