/*
 * What a client of the load does: kinds, each with how many there are of it
 * among all, and the models of the prompts that they execute.
 */

'use strict';

const crypto = require('crypto');
const http2 = require('http2');

const g = require('../lib/guarantee.js');
const load = require('./load.js');
const { subscribe } = require('../lib/events.js');
const { graphql, protocols, mcp } = require('../lib/protocols.js');

const usage = 'usage=20:10:5';

/* sound ones, and those whose provider does harm */
const models = {
    whole: { model: `fx:${usage}` },
    slow: { model: `fx:${usage},delay=150` },
    stream: { model: `fx:${usage},each=1,pause=20` },
    other: { model: `claude-fx:${usage}` },
    fallback: { model: 'fx:status=503', fallbacks: [
        { model: `fx:${usage}` } ] },
    retry: { model: `fx:${usage},pause=5,comments=2` }
};

const harmful = {
    status: { model: 'fx:status=500' },
    limit: { model: 'fx:status=429,retry-after=1' },
    cut: { model: 'fx:cut=20' },
    reset: { model: 'fx:reset' },
    close: { model: 'fx:close' },
    raw: { model: 'fx:raw=nonsense' },
    hang: { model: 'fx:hang' },
    drip: { model: 'fx:drip=500' },
    big: { model: 'fx:big=300000' },
    broken: { model: 'fx:chunk=7,fail=1' }
};

exports.models = { ...models, ...harmful };

const pick = (s, set) => s.runs[g.any(Object.keys(set))];


/* reads: a query, and what its answer has */

const reads = [
    ['{ me { id email name } }', (d) => d.me.id],
    ['{ prompts(first: 10) { id name category createdBy { email } labels '
     + '{ label setBy { id } } labelHistory(first: 3) { label } versions(last: '
     + '2) { version content executions(first: 2) { status output } } } }',
     (d) => d.prompts.length > 0],
    ['{ prompts(first: 5, search: "run") { name } }',
     (d) => d.prompts.length > 0],
    ['{ executions(first: 20) { id status output costUsd prompt { name } } }',
     (d) => d.executions],
    ['{ executions(first: 5, status: ["failed"]) { id error } }',
     (d) => d.executions],
    ['{ executions(first: 5, subject: "s") { id metadata } }',
     (d) => d.executions],
    ['{ statistics(since: "2026-01-01T00:00:00Z", by: ALL, groupBy: MODEL) '
     + '{ group executions costUsd } }', (d) => d.statistics],
    ['{ apiKeys(first: 10) { id name hint scopes } }', (d) => d.apiKeys],
    ['{ project { name usage { prompts keys inFlight } budgets { spentUsd '
     + 'reservedUsd } } auditLog(first: 5) { action } }', (d) => d.project],
    ['{ models { name inputUsd } datasets(first: 2) { name itemCount } }',
     (d) => d.models.length > 0],
    ['{ __schema { types { name fields { name } } } }', (d) => d.__schema]
];

async function read(s) {
    const [query, holds] = g.any(reads);
    const r = await load.ask(s, 'a read', query, {});

    if (r && !holds(r.data)) {
        load.fault(s, `${query} is answered by ${JSON.stringify(r.data)}`);
    }
}

/* what is no sound request is refused, and costs nothing */
async function nonsense(s) {
    const [body, options, status] = g.any([
        ['{"query": ', {}, 400],
        ['['.repeat(1000), {}, 400],
        ['{"query": "{ nonsense }"}', {}, 200],
        ['{"query": "{ me { id } }"}', { key: 'pmt_garbage' }, 401],
        ['{"query": "{ me { id } }"}', { key: null }, 401],
        ['{}', { path: '/openai/v1/chat/completions' }, 400],
        ['{}', { path: '/mcp' }, 400],
        [`{"query": "{ me { id } }", "variables": {"a": "${
            'x'.repeat(100000)}"}}`, {}, 200]
    ]);
    const r = await load.request(s, body, options);

    if (r.http !== status && !s.away(r.start)) {
        load.fault(s, `${body.slice(0, 40)} ${JSON.stringify(options)} is `
                   + `answered by ${g.ending({ ...r, status: r.http })}`);
    }
}

/* at the locations that need no key */
async function watch(s) {
    const r = await g.get(g.any(['/health', '/metrics']),
                          { port: s.port, agent: false });

    if (r.http !== 200 && !s.away(r.start)) {
        load.fault(s, `/health or /metrics: ${g.ending(r)} ${r.text}`);
    }
}

/*
 * Over TLS and HTTP/2, with a session for each.  A worker that leaves says so by
 * GOAWAY; what came after the last stream that it names was not looked at, and
 * goes to another one.
 */
const overTls = (s, body) => new Promise((done) => {
    const start = performance.now();
    const session = http2.connect(`https://127.0.0.1:${s.tls}`,
                                  { rejectUnauthorized: false });
    let r = { start };
    let text = '';
    let left = false;

    session.on('error', (e) => done({ start, broken: e.code || e.message }));

    const request = session.request({
        ':method': 'POST', ':path': '/graphql', 'x-api-key': s.key,
        'content-type': 'application/json' });

    session.on('goaway', (code, last) => {
        left = code === http2.constants.NGHTTP2_NO_ERROR
               && !(last >= request.id);
    });
    request.setEncoding('utf8');
    request.on('response', (headers) => { r.http = headers[':status']; });
    request.on('data', (data) => { text += data; });
    request.on('error', (e) => { r.broken = e.message; });
    request.on('close', () => {
        session.close();

        if (left || request.rstCode
                    === http2.constants.NGHTTP2_REFUSED_STREAM)
        {
            s.refused = (s.refused || 0) + 1;
            done(overTls(s, body));
            return;
        }

        try {
            r = { ...JSON.parse(text), ...r };
        } catch {
            r.broken = r.broken || 'cut';
        }

        r.code = r.errors ? r.errors[0].extensions.code : undefined;
        done(r);
    });
    request.end(body);
});

async function secure(s) {
    if (!s.tls) {
        return;
    }

    const prompt = s.runs.whole;
    const word = load.word(s, prompt.name);
    const r = load.sound(s, 'executePrompt over TLS', await overTls(s,
        JSON.stringify(graphql.request(prompt, word, false).body)));

    if (r) {
        load.told(s, word, graphql.said(r));
    }
}


/* prompts and what happens to them */

const name = (s) => `soak-${s.serial++}`;
const text = () => crypto.randomBytes(g.any([10, 100, 2000])).toString('hex');

async function create(s) {
    const i = { name: name(s), description: text() };

    await load.change(s, i.name, 'createPrompt',
        'mutation ($i: CreatePromptInput!) { createPrompt(input: $i) { id } }',
        { i }, (d) => ({ id: d.id, description: i.description, versions: [],
                         labels: {} }));
}

const changes = {
    createPromptVersion: (p) => {
        const content = text();

        return ['mutation ($i: CreatePromptVersionInput!) '
                + '{ createPromptVersion(input: $i) { version } }',
                { i: { promptId: p.id, content, params: {} } },
                () => ({ ...p, versions: [...p.versions, content] })];
    },
    updatePrompt: (p) => {
        const description = text();

        return ['mutation ($id: ID!, $d: String) { updatePrompt(id: $id, '
                + 'input: { description: $d }) { id } }',
                { id: p.id, d: description }, () => ({ ...p, description })];
    },
    /* to where it is not already: else nothing is changed, nor traced */
    setPromptLabel: (p) => {
        const version = 1 + Math.floor(Math.random() * p.versions.length);
        const label = g.any(['a', 'b']);

        return p.versions.length > 0 && p.labels[label] !== version
            ? ['mutation ($id: ID!, $l: String!, $v: Int!) { setPromptLabel('
               + 'promptId: $id, label: $l, version: $v) { version } }',
               { id: p.id, l: label, v: version },
               () => ({ ...p, labels: Object.fromEntries(Object.entries(
                   { ...p.labels, [label]: version }).sort()) })]
            : changes.createPromptVersion(p);
    },
    deletePrompt: (p) => ['mutation ($id: ID!) { deletePrompt(id: $id) }',
                          { id: p.id }, () => null]
};

async function change(s) {
    const found = load.free(s);

    if (!found || s.alive.size < 20) {
        await create(s);
        return;
    }

    const what = s.alive.size > 100 ? 'deletePrompt'
                                    : g.any(Object.keys(changes));
    const [query, variables, after] = changes[what](s.prompts.get(found));
    const field = /\{ (\w+)\(/.exec(query)[1];

    await load.change(s, found, field, query, variables, after);
}

/* what is executed and deleted: its sums stay */
async function brief(s) {
    const own = name(s);
    const first = { description: null, versions: [], labels: {} };

    await load.change(s, own, 'createPrompt', 'mutation ($n: String!) { '
        + 'createPrompt(input: { name: $n }) { id } }', { n: own },
        ({ id }) => ({ ...first, id }));

    if (s.prompts.get(own) === null) {
        return;
    }

    s.busy.add(own);

    const { id } = s.prompts.get(own);
    const word = load.word(s, own);

    await load.change(s, own, 'createPromptVersion', 'mutation ($p: ID!, '
        + '$m: JSON!) { createPromptVersion(input: { promptId: $p, content: '
        + '"say {{word}}", params: $m }) { version } }',
        { p: id, m: { max_tokens: 100, ...models.whole } },
        () => ({ ...first, id, versions: ['say {{word}}'] }));

    if (s.prompts.get(own).versions.length === 0) {
        return;
    }

    s.busy.add(own);

    const r = await load.ask(s, 'executePrompt', 'mutation ($id: ID!, '
        + '$i: JSON!) { executePrompt(promptId: $id, input: $i) { output model '
        + 'tokenIn tokenCached tokenOut costUsd } }', { id, i: { word } });

    /* nobody knows what it took: it stays */
    if (!r) {
        return;
    }

    const { output, model, tokenIn, tokenCached, tokenOut, costUsd }
        = r.data.executePrompt;

    load.told(s, word, output);
    s.briefs.set(own, { word, figures: {
        status: 'succeeded', model, token_in: tokenIn,
        token_cached: tokenCached, token_out: tokenOut, cost_usd: costUsd } });
    await load.change(s, own, 'deletePrompt', 'mutation ($id: ID!) { '
        + 'deletePrompt(id: $id) }', { id }, () => null);
}


/* executions */

async function send(s, protocol, prompt, word, stream, options) {
    const { path, headers, body } = protocol.request(prompt, word, stream);

    return load.request(s, JSON.stringify(body), { path, headers, ...options });
}

/* what the model said, whole or streamed */
function saidIn(protocol, r, stream) {
    try {
        return stream ? protocol.streamed(r.text) : protocol.said(r);
    } catch {
        return undefined;
    }
}

async function execute(s) {
    const protocol = g.any(protocols);
    const stream = Math.random() < 0.5;
    const prompt = pick(s, models);
    const word = load.word(s, prompt.name);
    const what = `${protocol.name} ${stream ? 'stream' : 'call'}`;
    const r = load.sound(s, what, await send(s, protocol, prompt, word, stream));

    if (!r) {
        return;
    }

    const said = saidIn(protocol, r, stream);

    if (said !== undefined) {
        load.told(s, word, said);

    } else if (!s.away(r.start)) {
        load.fault(s, `${what} of ${prompt.name} ends with ${
            (r.text || JSON.stringify(r)).slice(-300)}`);
    }
}

/* the provider does harm: a sound error, and a row */
async function suffer(s) {
    const protocol = g.any(protocols);
    const stream = Math.random() < 0.5;
    const prompt = pick(s, harmful);
    const word = load.word(s, prompt.name);
    const r = await send(s, protocol, prompt, word, stream);

    s.ended.add({ broken: r.broken, status: r.http, code: r.code });

    if (r.broken && !s.away(r.start)) {
        load.fault(s, `${protocol.name} of ${prompt.name}: ${r.broken}`);
    }
}

/* readers who leave before it, at its first bytes, or midway */
async function leave(s) {
    const protocol = g.any(protocols);
    const prompt = pick(s, { slow: 1, stream: 1 });
    const word = load.word(s, prompt.name);
    const go = (request) => g.any([() => request.destroy(),
                                   () => request.socket.resetAndDestroy()])();

    await send(s, protocol, prompt, word, Math.random() < 0.8, {
        onRequest: (request) => {
            if (Math.random() < 0.3) {
                request.on('socket', (socket) => setTimeout(
                    () => socket.destroy(), Math.random() * 100));
                return;
            }

            request.on('response', (response) => response.once('data', () =>
                setTimeout(() => go(request), Math.random() * 200)));
        }
    });
}

/* what a prompt would send, by MCP */
async function show(s) {
    const { path, headers, body } = mcp.get(s.runs.whole, 'shown');
    const r = load.sound(s, 'prompts/get', await load.request(
        s, JSON.stringify(body), { path, headers }));

    if (r && mcp.shown(r) !== 'say shown') {
        load.fault(s, `prompts/get shows ${JSON.stringify(r.result)}`);
    }
}

/* with an Idempotency-Key: at once, then again, now or much later */
async function once(s) {
    const word = load.word(s, 'run-whole');
    const one = { key: crypto.randomUUID(), answer: null,
                  body: JSON.stringify(graphql.request(s.runs.whole, word,
                                                       false).body) };
    const both = await g.clients(2, () => load.request(s, one.body, {
        headers: { 'Idempotency-Key': one.key } }));

    for (const r of both) {
        if (r.http === 409 || !load.sound(s, 'an Idempotency-Key', r)) {
            continue;
        }

        const answer = JSON.stringify(r.data);

        if (one.answer !== null && one.answer !== answer) {
            load.fault(s, 'two with the same Idempotency-Key are told '
                       + `${one.answer} and ${answer}`);
        }

        one.answer = answer;
        load.told(s, word, graphql.said(r));
    }

    if (one.answer !== null) {
        s.once.push(one);
        await load.again(s, g.any(s.once));
    }
}


/* keys and sessions */

async function key(s) {
    const made = await load.ask(s, 'createApiKey', 'mutation { createApiKey('
        + 'input: { name: "soak" }) { key apiKey { id } } }', {});

    if (!load.counted(s, 'createApiKey', made)) {
        return;
    }

    const own = { key: made.data.createApiKey.key,
                  id: made.data.createApiKey.apiKey.id };

    await load.ask(s, 'a new key', '{ me { id } }', {}, { key: own.key });

    if (s.keys.length < 20) {
        s.keys.push(own);
        return;
    }

    const r = await load.ask(s, 'deleteApiKey',
        'mutation ($id: ID!) { deleteApiKey(id: $id) }', { id: own.id });

    if (!load.counted(s, 'deleteApiKey', r)) {
        return;
    }

    s.deleted.push({ key: own.key });
    await load.refused(s, { key: own.key }, 'after its answer');
    await load.refused(s, g.any(s.deleted), 'later');
}

/* a sound one is let in, whatever became of Redis */
async function known(s) {
    if (s.keys.length > 0) {
        await load.ask(s, 'a sound key', '{ me { id } }', {},
                       { key: g.any(s.keys).key });
    }
}

const page = { 'Sec-Fetch-Site': 'same-origin' };

/* of somebody who signs in once at a time: more of an account have to wait */
async function session(s) {
    if (!s.person || s.signing) {
        return;
    }

    s.signing = true;

    const r = await load.request(s, JSON.stringify(s.person), {
        key: null, path: '/session', headers: page });

    s.signing = false;

    if (r.http !== 204) {
        if (!s.away(r.start)) {
            load.fault(s, `sign-in: ${g.ending(r)} ${r.text}`);
        }

        return;
    }

    const [cookie] = r.headers['set-cookie'][0].split(';');

    await signOut(s, { key: null, headers: { ...page, Cookie: cookie } });
}

async function signOut(s, by) {
    await load.ask(s, 'a session', '{ me { id } sessions { current } }', {},
                   by);

    const r = await load.request(s, '', { ...by, path: '/session',
                                          method: 'DELETE' });

    if (r.http === 204) {
        s.deleted.push(by);
        await load.refused(s, by, 'after signing out');

    } else if (!s.away(r.start)) {
        load.fault(s, `signing out: ${g.ending(r)}`);
    }
}


/* a run of a dataset, watched by one who leaves and by one who stays */

const cell = 'cell { id error execution { status output } } '
             + 'run { state done total }';

const watchRun = (s, id, onEvent) => subscribe(s.port, s.key,
    `subscription ($id: ID!) { watchRun(id: $id, concurrency: 2) { ${cell} } }`,
    { id }, { onEvent });

/* of a dataset of its own: the run, null where a change was not answered */
async function makeRun(s) {
    const prompt = pick(s, { whole: 1, slow: 1 });
    const make = async (what, parameters, args, variables) => {
        const r = await load.ask(s, what, `mutation (${parameters}) { ${what}(${
            args}) { id } }`, variables);

        return load.counted(s, what, r) ? r.data[what] : null;
    };
    const set = await make('createDataset', '$n: String!', 'name: $n',
                           { n: name(s) });

    if (set === null || !await make('addDatasetItems',
        '$d: ID!, $i: [DatasetItemInput!]!', 'datasetId: $d, items: $i', {
            d: set.id, i: Array.from({ length: 4 }, () => ({
                input: { word: load.word(s, prompt.name) } })) }))
    {
        return null;
    }

    return make('createRun', '$d: ID!, $p: ID!', 'datasetId: $d, promptId: $p, '
        + 'versions: [1], costCapUsd: "1"', { d: set.id, p: prompt.id });
}

async function cells(s) {
    const made = await makeRun(s);

    if (!made) {
        return;
    }

    const { id } = made;
    let state;

    await watchRun(s, id, (data, at, request) => request.destroy());

    const done = await g.until(120, async () => {
        const r = await watchRun(s, id, (data) => {
            const event = data.data && data.data.watchRun;

            state = event ? event.run : state;
        });

        return r.complete && state && state.state === 'DONE';
    });

    if (!done || state.done !== state.total || state.total !== 4) {
        load.fault(s, `a run ends as ${JSON.stringify(state)}`);
    }

    s.whole = (s.whole || 0) + (done ? 1 : 0);
}


exports.kinds = [
    [30, read], [4, nonsense], [2, watch], [6, secure], [18, change],
    [2, brief],
    [24, execute], [3, suffer], [8, leave], [4, show], [4, once], [4, key],
    [4, known], [1, session], [1, cells]
];
