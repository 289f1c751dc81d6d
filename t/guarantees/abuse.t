#!/usr/bin/env node
/*
 * Hostile requests are cheap: whatever is known of GraphQL servers that were
 * brought down (lib/abuse), with a sound key and without one, is refused in
 * milliseconds of the worker's processor time, by a message that says why, in
 * an answer of bounded size; and everybody else is answered afterwards.
 *
 * The bounds are ten times what was measured, since a machine may be busy; the
 * dearest are printed (with PROMPT_ABUSE=regex only those are sent, and all
 * of their figures are).
 */

'use strict';

const { spawn } = require('child_process');
const fs = require('fs');
const path = require('path');
const readline = require('readline');

const g = require('../lib/guarantee.js');
const { documents, tokens } = require('../lib/abuse/documents.js');
const { requests } = require('../lib/abuse/requests.js');
const { values } = require('../lib/abuse/values.js');

const MB = 1048576;
const chosen = new RegExp(process.env.PROMPT_ABUSE || '');
const patience = g.slow * (g.asan ? 10 : 1);

/* ms that n bytes may cost; work: as much as the limits of values allow */
const bound = (n, work) => (60 + (work ? 240 : 140 * n / MB)) * patience;

const figures = [];

function figure(name, bytes, cpu) {
    figures.push({ name, bytes, cpu });
}

/* what is dearest, as comments */
function show(title, n) {
    g.diag(`${title}: KB, ms of processor time`);

    figures.sort((a, b) => b.cpu - a.cpu);

    for (const f of process.env.PROMPT_ABUSE ? figures : figures.slice(0, n)) {
        g.diag(`${(f.bytes / 1024).toFixed(0).padStart(6)} `
               + `${f.cpu.toFixed(1).padStart(7)}  ${f.name}`);
    }

    figures.length = 0;
}

/* what is wrong with an answer, or null */
function fault(r, want) {
    const first = r.errors && r.errors[0];

    if (r.broken) {
        return `broken: ${r.broken}`;
    }

    if (r.status !== want.status) {
        return `status ${r.status}`;
    }

    if (want.says === undefined) {
        return r.data && !r.errors ? null : 'not answered';
    }

    if (!first || first.extensions.code !== want.code) {
        return `code ${first && first.extensions.code}`;
    }

    return want.says.test(first.message) ? null : 'another message';
}

/*
 * Sends a payload: text, bytes, or { body, and options of g.request() }.
 * want: status, code, says (absent: it is answered), work.
 */
async function send(name, payload, want) {
    const pid = g.workers()[0];
    const plain = typeof payload === 'string' || Buffer.isBuffer(payload);
    const body = plain ? payload : payload.body;
    const bytes = Buffer.byteLength(body);
    const before = g.cpu(pid);
    const r = await g.request(body, plain ? {} : payload);

    /* it comes behind whatever the worker still does for the first */
    const next = await g.post('{ me { id } }');
    const cpu = g.workers()[0] === pid ? g.cpu(pid) - before : Infinity;
    const faults = [fault(r, { status: 200, code: 'BAD_USER_INPUT', ...want }),
                    next.data && next.status === 200 ? null : 'no answer next',
                    r.bytes > 512 * 1024 ? `${r.bytes} bytes` : null,
                    cpu > bound(bytes, want.work) ? `${cpu} ms` : null]
        .filter((text) => text !== null);

    figure(name, bytes, cpu);

    if (!g.ok(faults.length === 0, name)) {
        g.diag(`${faults.join(', ')}: ${JSON.stringify(r).slice(0, 400)}`);
    }

    return r;
}


async function askDocuments() {
    for (const d of documents) {
        for (const [size, [n, says, code]] of [['', d.few],
                                               [', large', d.many]]) {
            if (chosen.test(d.name)) {
                await send(`${d.name}${size}`,
                           JSON.stringify({ query: d.make(n) }),
                           { says: says === undefined ? tokens
                                                      : says || undefined,
                             code: code || 'BAD_USER_INPUT' });
            }
        }
    }

    show('documents', 12);
}


async function askRequests(config) {
    for (const q of requests.filter(({ name }) => chosen.test(name))) {
        const { data, says, status, code } = q;

        await send(q.name, q.send(config),
                   data ? {} : { says, status: status || 400,
                                 code: code || 'BAD_USER_INPUT' });
    }

    show('requests', 12);
}


const version = 'mutation ($input: CreatePromptVersionInput!) '
    + '{ createPromptVersion(input: $input) { id } }';
const execution = 'mutation ($id: ID!, $input: JSON!) '
    + '{ executePrompt(promptId: $id, input: $input) { executionId } }';

/* the version is made unless it is refused; then the input is */
async function askValues() {
    const id = await g.prompt('abuse');

    for (const v of values.filter(({ name }) => chosen.test(name))) {
        const want = { says: v.says, work: true };
        const input = { promptId: id, content: v.content ? v.content() : 'x',
                        params: v.params ? v.params() : { model: 'fx:ok' },
                        inputSchema: v.inputSchema ? v.inputSchema()
                                                   : undefined };

        await send(v.input ? `${v.name}, made` : v.name,
                   JSON.stringify({ query: version, variables: { input } }),
                   v.input ? {} : want);

        if (v.input) {
            await send(v.name, JSON.stringify({ query: execution, variables:
                           { id, input: v.input() } }), want);
        }
    }

    show('values', 12);
}


/* what anybody can do who has no key */
async function askWithoutKey(config) {
    const refused = { status: 401, code: 'UNAUTHENTICATED',
                      says: /a valid API key is required/ };

    /* no document is looked at, so a few of them are enough */

    for (const d of documents.filter((_, i) => i % 20 === 0)) {
        await send(`${d.name}, unknown key`,
                   { body: JSON.stringify({ query: d.make(d.many[0]) }),
                     key: config.unknown_key }, refused);
    }

    for (const q of requests.filter(({ name }) => chosen.test(name))) {
        const made = q.send(config);
        const given = made.body === undefined ? { body: made } : made;

        await send(`${q.name}, no key`, { ...given, key: null },
                   q.early ? { says: q.says, status: q.status,
                               code: q.code || 'BAD_USER_INPUT' } : refused);
    }

    show('without a key', 6);
}


/* the engine alone, as the conformance driver has it: no limits at all */
async function askDriver(config) {
    const driver = spawn(path.join(process.env.PROMPT_BUILD
                                   || `${config.root}/build`, 'gql-driver'),
                         { stdio: ['pipe', 'pipe', 'inherit'] });
    const schema = fs.readFileSync(`${config.root}/schema.graphql`, 'utf8');
    const waiting = [];

    readline.createInterface({ input: driver.stdout })
            .on('line', (line) => waiting.shift()(line));
    driver.on('exit', () => waiting.forEach((done) => done(null)));

    const ask = (question) => new Promise((done) => {
        waiting.push(done);
        driver.stdin.write(`${JSON.stringify({ id: 1, ...question })}\n`);
    });

    const measure = async (name, question, text) => {
        const before = g.cpu(driver.pid);
        const answer = await ask(question);
        const cpu = answer === null ? Infinity
                                    : g.cpu(driver.pid) - before;

        figure(name, text.length, cpu);

        if (!g.ok(cpu < 10 * bound(text.length), name)) {
            g.diag(`${cpu} ms: ${String(answer).slice(0, 400)}`);
        }
    };

    await ask({ op: 'validate', schema, document: '{ me { id } }' });

    for (const d of documents.filter(({ name }) => chosen.test(name))) {
        const text = d.make(d.many[0]);

        await measure(`${d.name}, driver`,
                      { op: 'validate', schema, document: text }, text);
    }

    driver.stdin.end();
    show('driver', 12);
}


g.main({ workers: 1, http: 'prompt_persisted_queries 4m;' },
       async (config) => {
    config.unknown_key = config.bob_read_key;
    await g.sql('DELETE FROM api_keys WHERE user_id = '
                + `'${config.bob_id}'`);

    const pid = g.workers()[0];

    await askDocuments();
    await askRequests(config);
    await askValues();
    await askWithoutKey(config);
    g.is(g.workers(), [pid], 'the worker is the same');
    await askDriver(config);

    const odd = g.log().split('\n').filter((line) =>
        /\[(warn|error|crit|alert|emerg)\]/.test(line)
        && !/\[warn\].*a client request body is buffered/.test(line)
        && !/client intended to send too large/.test(line));

    g.is(odd.slice(0, 5), [], 'nothing in the log but what is expected');
});
