#!/usr/bin/env node
/*
 * Memory is short: for each operation the first allocation fails, then the
 * second, and so on until none is left to fail; those of nginx, libpq and
 * hiredis, too.  First only the one, then some more from there on.  No worker
 * dies, nothing hangs, an error is one of the server, what is told is true,
 * and the next request is answered as ever.
 */

'use strict';

const crypto = require('crypto');
const fs = require('fs');

const g = require('../lib/guarantee.js');

/* of the allocations of an operation one in so many; all at a scale of 8 */
const step = Math.max(1, Math.round(8 / g.scale));

const state = { file: null };

/* the numbers of lib/failing.c */
function failing(left, row) {
    const text = Buffer.alloc(12);

    text.writeInt32LE(left);
    text.writeInt32LE(row, 4);
    fs.writeSync(state.file, text, 0, 12, 0);
}

const page = { 'Sec-Fetch-Site': 'same-origin' };
const password = 'a password of memory';
const stored = '$argon2id$v=19$m=19456,t=2,p=1$c2FsdCBvZiBhIG1lbW9yeQ'
               + '$lASO3HJ/Q3Q42q+T00efravPat2eYSJejrYQgOodDrw';

const signIn = () => ({
    body: JSON.stringify({ email: 'alice@example.com', password }),
    options: { key: null, path: '/session', headers: page }
});

/* the cookie of a new session, which the cache knows */
async function cookie() {
    const { body, options } = signIn();
    const r = await g.request(body, { agent: false, ...options });
    const text = (r.headers['set-cookie'] || [''])[0].split(';')[0];

    await g.post('{ me { id } }', {}, by(text));

    return text;
}

const by = (text) => ({ key: null, agent: false,
                        headers: { ...page, Cookie: text } });

/* what earlier ones left: each would be revoked, and counted, too */
const forget = () => g.sql("DELETE FROM api_keys WHERE kind = 'session'");

/* whether a session is let in; where that could not be found out, ask again */
const lives = async (text) => await g.until(10, async () => {
    const r = await g.post('{ me { id } }', {}, by(text));

    return r.status === 401 ? 'no' : r.data ? 'yes' : null;
}) !== 'no';

/* whether it came to the one that fails */
function failed() {
    const text = Buffer.alloc(12);

    fs.readSync(state.file, text, 0, 12, 0);

    return text.readInt32LE(8) > 0;
}

/* whether none is left to fail */
function over() {
    const text = Buffer.alloc(12);

    fs.readSync(state.file, text, 0, 12, 0);

    return text.readInt32LE(0) === 0;
}

const soon = (promise, seconds = 20) => Promise.race([
    promise, g.sleep(seconds * 1000 * g.slow).then(() => ({ broken: 'it hangs' }))
]);


/* connections to PostgreSQL that have prepared nothing yet */
async function reconnect() {
    await g.sql('SELECT pg_terminate_backend(pid) FROM pg_stat_activity '
                + "WHERE usename = 'prompt_app'");
    await g.sleep(50);
    await g.until(5, async () => (await g.post('{ me { id } }', {},
                                               { agent: false })).data);
}

/* 4 MiB of versions below the prompt "large", once */
async function enlarge() {
    await g.sql('INSERT INTO prompt_versions (id, prompt_id, owner_id, '
                + 'version, content, params) SELECT gen_random_uuid(), id, '
                + "owner_id, n, repeat(md5(n::text), 900), '{}' "
                + "FROM prompts, generate_series(1, 150) n WHERE name = 'large' "
                + 'AND last_version = 0');
    await g.sql("UPDATE prompts SET last_version = 150 WHERE name = 'large' "
                + 'AND last_version = 0');
}

/* the id of a dataset with as many items, whose words nobody else says */
async function dataset(items) {
    const r = await g.post('mutation ($n: String!) { createDataset(name: $n) '
        + '{ id } }', { n: `m ${crypto.randomUUID()}` }, { agent: false });
    const id = r.data.createDataset.id;

    if (items !== 0) {
        await g.post(addItems, { id, items: words(items) }, { agent: false });
    }

    return id;
}

const words = (n) => Array.from({ length: n }, () =>
    ({ input: { word: crypto.randomUUID() } }));
const addItems = 'mutation ($id: ID!, $items: [DatasetItemInput!]!) { '
    + 'addDatasetItems(datasetId: $id, items: $items) { id } }';
const createRun = 'mutation ($d: ID!, $p: ID!) { createRun(datasetId: $d, '
    + 'promptId: $p, versions: [1]) { id total } }';


/* { query, variables, check(data): true where the answer is right, options } */
function operations(config, ids) {
    const name = () => `m ${crypto.randomUUID()}`;
    const long = 'x'.repeat(30000);

    const all = {
        me: () => ({ query: '{ me { id email } }',
                     check: (d) => d.me.id === config.alice_id }),
        /* a key that has to be looked up */
        key: () => ({ query: '{ me { id email } }',
                      before: () => g.redis('FLUSHALL'),
                      check: (d) => d.me.id === config.alice_id }),
        /* a document that nobody knows yet */
        document: () => ({ query: `{ me { id a${Date.now()}`
                           + `${Math.floor(Math.random() * 1e6)}: email } }`,
                           check: (d) => d.me.id === config.alice_id }),
        introspection: () => ({ query: '{ __schema { types { name fields '
            + `{ name args { name } } } } a${Date.now()}: __typename }`,
            check: (d) => d.__schema.types.length > 10 }),
        prompts: () => ({ query: '{ prompts(first: 20) { id name versions '
            + '{ version content params executions(first: 3) { status output '
            + '} } } }', check: (d) => d.prompts.length > 0 }),
        search: () => ({ query: 'query ($s: String) { prompts(search: $s) '
            + '{ id } }', variables: { s: 'kept' },
            check: (d) => d.prompts.length === 1 }),
        createPrompt: () => ({ query: 'mutation ($input: CreatePromptInput!) '
            + '{ createPrompt(input: $input) { id description } }',
            variables: { input: { name: name(), description: 'd' } },
            check: (d) => d.createPrompt.description === 'd' }),
        /* statements are prepared on the way: it must not be done twice */
        afresh: () => ({ ...all.createPrompt(), before: reconnect }),
        createPromptVersion: () => ({ query:
            'mutation ($input: CreatePromptVersionInput!) '
            + '{ createPromptVersion(input: $input) { content } }',
            variables: { input: { promptId: ids.versions, content: long,
                                  params: { model: 'fx:ok', stop: [1.50, {}] },
                                  inputSchema: { type: 'object' } } },
            check: (d) => d.createPromptVersion.content === long }),
        updatePrompt: () => ({ query: 'mutation ($id: ID!) { updatePrompt(id: '
            + '$id, input: { description: "e" }) { description } }',
            variables: { id: ids.versions },
            check: (d) => d.updatePrompt.description === 'e' }),
        forkPrompt: () => ({ query: 'mutation ($id: ID!) { forkPrompt(id: $id) '
            + '{ id } }', variables: { id: ids.kept },
            check: (d) => d.forkPrompt.id !== ids.kept }),
        executePrompt: () => {
            const word = crypto.randomUUID();

            return { query: 'mutation ($id: ID!, $input: JSON!) { executePrompt('
                + 'promptId: $id, input: $input) { output } }',
                variables: { id: ids.kept, input: { word } },
                check: (d) => d.executePrompt.output === `say ${word}` };
        },
        labels: () => ({ query: 'query ($id: ID!) { prompt(id: $id) { labels '
            + '{ label setBy { id } } labelHistory { id version } '
            + 'version(label: "latest") { content } } }',
            variables: { id: ids.kept },
            check: (d) => d.prompt.version.content === 'say {{word}}' }),
        setPromptLabel: () => {
            const version = 1 + Math.floor(Math.random() * 150);

            return { query: 'mutation ($id: ID!, $version: Int!) { '
                + 'setPromptLabel(promptId: $id, label: "m", '
                + 'version: $version) { version setBy { id } } }',
                variables: { id: ids.large, version }, before: enlarge,
                check: (d) => d.setPromptLabel.version === version };
        },
        /* a result is told with all of its text, or there is an error */
        stream: () => {
            const word = `${crypto.randomUUID()} and so on`;

            return { query: 'subscription ($id: ID!, $input: JSON!) { '
                + 'executePromptStream(promptId: $id, input: $input) { delta '
                + 'result { output } } }',
                variables: { id: ids.kept, input: { word } },
                options: { headers: { Accept: 'text/event-stream' } },
                told: (text) => told(`say ${word}`, text) };
        },
        addDatasetItems: () => {
            const variables = { items: words(3) };

            return { query: addItems, variables,
                     check: (d) => d.addDatasetItems.length === 3,
                     before: async () => { variables.id = await dataset(0); },
                     after: async (r) => {
                         const n = (await g.sql('SELECT count(*) FROM '
                             + 'dataset_items WHERE dataset_id = '
                             + `'${variables.id}'`))[0][0];

                         return n === '3' || (!r.data && n === '0');
                     } };
        },
        createRun: () => {
            const variables = { p: ids.kept };

            return { query: createRun, variables,
                     check: (d) => d.createRun.total === 2,
                     before: async () => { variables.d = await dataset(2); } };
        },
        /* to its end, or until it is said why not: then by who comes next */
        watchRun: () => {
            const query = 'subscription ($id: ID!) { watchRun(id: $id, '
                + 'concurrency: 2) { cell { execution { status } } '
                + 'run { state done } } }';
            const options = { headers: { Accept: 'text/event-stream' } };
            const variables = {};

            return { query, variables, options, seconds: 50,
                     told: (text) => told(null, text),
                     before: async () => {
                         const d = await dataset(2);
                         const r = await g.post(createRun, { d, p: ids.kept },
                                                { agent: false });

                         variables.id = r.data.createRun.id;
                     },
                     after: () => g.until(100, async () =>
                         /"state":"DONE","done":2/.test((await g.post(query,
                             variables, { agent: false, ...options })).text)) };
        },
        /* the same request comes again, and is not done again */
        once: () => {
            const word = crypto.randomUUID();
            const key = crypto.randomUUID();
            const query = 'mutation ($id: ID!, $input: JSON!) { executePrompt('
                          + 'promptId: $id, input: $input) { output } }';
            const variables = { id: ids.kept, input: { word } };
            const options = { headers: { 'Idempotency-Key': key } };

            return { query, variables, options,
                     check: (d) => d.executePrompt.output === `say ${word}`,
                     /* told that it is being done, until its time is over */
                     after: () => g.until(20, async () => {
                         await g.sql('UPDATE idempotency_keys SET lease = '
                             + "now() - interval '1 s' WHERE status IS NULL");

                         const r = await g.post(query, variables,
                                                { agent: false, ...options });

                         return r.status === 200 || r.status >= 500;
                     }) };
        },
        /* asked again, and then another one */
        attempts: () => {
            const word = `again ${crypto.randomUUID()}`;

            return { query: 'mutation ($id: ID!, $input: JSON!) { executePrompt('
                + 'promptId: $id, input: $input) { output } }',
                variables: { id: ids.attempts, input: { word } },
                check: (d) => d.executePrompt.output === `say ${word}` };
        },
        apiKey: () => ({ query: 'mutation { createApiKey(input: { name: "k" }) '
            + '{ key } }', check: (d) => /^pmt_/.test(d.createApiKey.key) }),
        metrics: () => ({ get: '/metrics' }),
        signIn: () => ({ ...signIn(), status: 204 }),
        /* ended where that is told, and whatever is told, in the end */
        signOut: () => {
            const op = { body: '', status: 204,
                         options: { path: '/session', method: 'DELETE' } };
            let text;

            return { ...op, before: async () => {
                         text = await cookie();
                         Object.assign(op.options, by(text));
                     },
                     after: async (r) => r.status !== 204
                                         || !await lives(text) };
        },
        endSessions: () => {
            const options = {};
            let others;

            return { query: 'mutation { endSessions }', options,
                     check: (d) => d.endSessions >= 2,
                     before: async () => {
                         await forget();
                         others = [await cookie(), await cookie()];
                         Object.assign(options, by(await cookie()));
                     },
                     after: async (r) => !r.data
                         || (!await lives(others[0])
                             && !await lives(others[1])) };
        },
        changePassword: () => {
            const options = {};
            let other;

            return { query: 'mutation ($p: String!) { changePassword(old: $p, '
                + 'new: $p) }', variables: { p: password }, options,
                     check: (d) => d.changePassword === true,
                     before: async () => {
                         await forget();
                         other = await cookie();
                         Object.assign(options, by(await cookie()));
                     },
                     after: async (r) => !r.data || !await lives(other) };
        },
        /* what it made goes with it */
        deleteApiKey: () => {
            const variables = {};

            return { query: 'mutation ($id: ID!) { deleteApiKey(id: $id) }',
                     variables, check: (d) => d.deleteApiKey === true,
                     before: async () => {
                         const r = await g.post('mutation { createApiKey('
                             + 'input: { name: "k" }) { apiKey { id } } }', {},
                             { agent: false });

                         variables.id = r.data.createApiKey.apiKey.id;
                     } };
        },
        deletePrompt: () => {
            const variables = {};

            return { query: 'mutation ($id: ID!) { deletePrompt(id: $id) }',
                     variables, check: (d) => d.deletePrompt === true,
                     before: async () => {
                         variables.id = await g.prompt(name(), 'x');
                     } };
        },
        /* copied in steps; where it fails the copy is given up */
        forkLarge: () => ({ query: 'mutation ($id: ID!) { forkPrompt(id: $id) '
            + '{ id } }', variables: { id: ids.large }, before: enlarge,
            check: (d) => d.forkPrompt.id !== ids.large })
    };

    return all;
}


/* keys are looked up in Redis again: nothing that it needs is gone for good */
async function redis() {
    const hits = async () =>
        Number(/^prompt_key_lookups_total\{source="redis"\} (\d+)$/m
               .exec((await g.get('/metrics')).text)[1]);
    const before = await hits();

    return g.until(10, async () => {
        await g.post('{ me { id } }', {}, { agent: false });
        return await hits() > before;
    });
}


/*
 * One attempt.  answer: the promise of { r, settled }.  A revocation that Redis
 * did not confirm waits until entries have run out: where nothing is left to
 * fail, who asked for it is waited for later, beside others.
 */
async function one(op, n, row) {
    if (op.before) {
        await op.before();
    }

    failing(n, row);

    const options = { agent: false, ...op.options };
    const request = soon(op.get ? g.get(op.get, options)
                         : op.status ? g.request(op.body, options)
                         : g.post(op.query, op.variables, options), op.seconds);
    let there = false;

    request.then(() => { there = true; });

    const end = performance.now() + 1500 * g.slow;

    while (!there && !(over() && performance.now() > end)) {
        await Promise.race([request, g.sleep(50)]);
    }

    const reached = failed();

    failing(0, 0);

    return { reached, answer: request.then(async (r) =>
        ({ r, settled: !op.after || await op.after(r) })) };
}


/*
 * Every event but the last, and then that: an error, or all of the text; of a
 * run, whose text is null, that it is done.
 */
function told(whole, answer) {
    const ends = answer.endsWith('event: complete\ndata:\n\n');
    let text = '';

    for (const line of answer.split('\n')) {
        if (!/^data: ./.test(line)) {
            continue;
        }

        const { data, errors } = JSON.parse(line.slice(6));

        if (errors) {
            return errors[0].extensions.code === 'INTERNAL_SERVER_ERROR'
                   && ends && (whole === null || whole.startsWith(text));
        }

        const event = data.executePromptStream || data.watchRun;

        text += event.delta || '';

        if (event.result) {
            return text === whole && event.result.output === text && ends;
        }

        if (event.run && !event.cell) {
            return event.run.state === 'DONE' && ends;
        }
    }

    return false;
}


function right(op, r) {
    if (r.broken) {
        return r.broken !== 'it hangs';
    }

    if (op.told && r.text && r.status === 200) {
        return op.told(r.text);
    }

    if (op.status) {
        return r.status === op.status || r.status >= 500;
    }

    if (op.get) {
        return r.status === 500 || /prompt_requests_total/.test(r.text);
    }

    if (r.errors || !r.data) {
        return r.status >= 500 || r.code === 'INTERNAL_SERVER_ERROR';
    }

    return r.status === 200 && op.check(r.data);
}


/*
 * Those that are waited for.  None of them ends while others' allocations
 * fail: the first to end does so after PROMPT_KEY_CACHE_LEASE.
 */
const late = { since: 0, answers: [] };

async function settle(ms) {
    if (late.answers.length !== 0 && performance.now() - late.since >= ms) {
        await Promise.all(late.answers);
        late.answers = [];
    }
}

/* whether it came within a moment; where not, it is waited for later */
async function soonOver(answer) {
    const there = await Promise.race([answer.then(() => true),
                                      g.sleep(200).then(() => false)]);

    if (!there) {
        if (late.answers.length === 0) {
            late.since = performance.now();
        }

        late.answers.push(answer);
    }

    return there;
}


/* the next request, and whether it is as ever */
async function next(row) {
    const end = performance.now() + (row === 1 ? 0 : 3000 * g.slow);
    let r;

    /* at once; connections that went down with it have to come back */

    do {
        r = await soon(g.post('{ me { id } }', {}, { agent: false }));
    } while (!r.data && performance.now() < end
             && await g.sleep(20) === undefined);

    return r;
}


async function operation(what, make, config, row) {
    const ended = g.tally();
    const seen = { wrong: [], harmed: [] };
    let n = 1 + Math.floor(Math.random() * step);

    for (let quiet = 0; quiet < 3; n += step) {
        const op = make();
        const nth = n;

        await settle(6000);

        const { reached, answer } = await one(op, n, row);

        quiet = reached ? 0 : quiet + 1;

        const judged = answer.then(({ r, settled }) => {
            ended.add(r);

            if (!right(op, r) || !settled) {
                seen.wrong.push([nth, g.ending(r),
                                 r.text || r.errors || r.data]);
            }
        });

        await soonOver(judged);

        const r = await next(row);

        if (!r.data || r.data.me.id !== config.alice_id) {
            seen.harmed.push([n, g.ending(r), r.errors]);
        }
    }

    const asked = await redis();

    return () => {
        g.diag(`${what}: ${n} allocations: ${ended}`);
        g.is(seen.wrong.slice(0, 3), [], `${what}: sound answers`);
        g.is(seen.harmed.slice(0, 3), [],
             `${what}: the next request is answered`);
        g.ok(asked, `${what}: Redis is asked as ever`);
    };
}


const failures = {};

g.main({
    workers: 1,
    /* what libpq loses for want of memory ends by time */
    postgres: '%CONNINFO% connections=2 timeout=500ms connect_timeout=500ms',
    env: failures,
    allow: /\[emerg\].* (malloc|posix_memalign)\(.*\) failed/,
    locations: 'location = /session { prompt_session; }',
    http: `
    prompt_key_cache valid=2s;
    prompt_provider often /_provider/openai timeout=20s retries=1;
    prompt_model often-fx:* provider=often;`,
    before: (config) => {
        if (g.asan) {
            return 'sanitizers have a malloc of their own';
        }

        const library = `${process.env.PROMPT_BUILD
                           || `${config.root}/build`}/failing.so`;

        if (!fs.existsSync(library)) {
            return `there is no ${library}`;
        }

        const name = `${config.at}/failing`;

        fs.writeFileSync(name, Buffer.alloc(12));
        fs.chmodSync(name, 0o666);
        state.file = fs.openSync(name, 'r+');
        failures.LD_PRELOAD = library;
        failures.FAILING_FILE = name;

        return null;
    }
}, async (config) => {
    const ids = {
        kept: await g.prompt('kept', 'say {{word}}', { model: 'fx:ok' }),
        attempts: await g.prompt('attempts', 'say {{word}}', {
            model: 'often-fx:status=503,retry-after=0',
            fallbacks: [{ model: 'fx:ok' }]
        }),
        versions: await g.prompt('versions'),
        large: await g.prompt('large')
    };
    const workers = g.workers().join();
    const verdicts = [];

    await g.sql('UPDATE users SET password = '
                + `'${stored}'`);

    for (const [what, make] of Object.entries(operations(config, ids))) {
        if (new RegExp(process.env.PROMPT_MEMORY || '').test(what)) {
            verdicts.push(await operation(what, make, config, 1),
                          await operation(`${what}, many`, make, config, 20));
        }
    }

    await settle(0);
    verdicts.forEach((verdict) => verdict());

    g.is(g.workers().join(), workers, 'the worker lives');
    g.is(await g.sql(
        'SELECT p.id FROM prompts p LEFT JOIN prompt_versions v '
        + 'ON v.prompt_id = p.id WHERE p.state = 0 GROUP BY p.id '
        + 'HAVING count(v.id) <> p.last_version'), [],
        'nothing that is shown is half done');

    /* what reached the provider is recorded, once */
    g.ok(await g.until(20, async () => (await g.sql('SELECT count(*) FROM '
        + "executions WHERE status = 'running'"))[0][0] === '0'),
         'no execution is left');

    /*
     * What says that nobody was asked, at once, is no call: a request with an
     * Idempotency-Key gets that back, and another row when it comes again.
     */
    const rows = (await g.sql("SELECT 'say ' || (input->>'word') FROM "
        + "executions WHERE (attempts > 1 OR error IS NULL OR error NOT LIKE "
        + "'The model provider was not asked:%') AND attempts > 0")).flat();
    const called = (await g.calls()).filter((c) => c.method === 'POST')
        .map((c) => c.body.messages[0].content);

    g.is(called.filter((text) => rows.filter((row) => row === text).length
                                 !== 1), [], 'each call is recorded');
    const once = called.filter((text) => !text.startsWith('say again '));

    g.is(once.length, new Set(once).size, 'nothing is called twice');
});
