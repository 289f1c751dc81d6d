/*
 * A mixed load on a service, and the ledger of what it was told.
 *
 *     const load = require('./load.js');
 *
 *     const s = await load.make({ port, tls, key, away });
 *     const stop = load.run(s, 50);            50 a second
 *     ...
 *     await stop();
 *     await load.check(s);
 *     s.faults                                 sentences, with how often
 *
 * tls: a port with HTTP/2 over TLS, where there is one; away(since): whether
 * PostgreSQL was away since then (performance.now()), so that errors are no
 * faults.  What a client does is in kinds.js.
 *
 * The ledger: prompts by name, as they are or null where they are deleted;
 * words, one for each execution, with what was said; keys; requests that carry
 * an Idempotency-Key; executions that went with their prompts; how many changes
 * of a kind were acknowledged, and how many may have been made.
 */

'use strict';

const g = require('../lib/guarantee.js');


exports.fault = (s, text) => {
    s.faults.set(text, (s.faults.get(text) || 0) + 1);

    if (s.faults.get(text) === 1) {
        g.diag(`FAULT after ${Math.round((performance.now() - s.start) / 1000)}`
               + ` s: ${text}`);
    }
};

/* whether a change was acknowledged, by its answer */
exports.counted = (s, what, r) => {
    const map = r ? s.acknowledged : s.unknown;

    map.set(what, (map.get(what) || 0) + 1);

    return Boolean(r);
};


/* requests */

exports.request = (s, body, options) =>
    g.request(body, { port: s.port, key: s.key, agent: false, ...options });

const words = (r) => (r.errors ? `: ${r.errors[0].message}` : '');

/*
 * Of what has to be answered: the answer, or null where nobody knows what
 * became of it, because PostgreSQL was away.
 */
exports.sound = (s, what, r) => {
    s.ended.add({ broken: r.broken, status: r.http, code: r.code });

    if (!r.broken && r.http === 200 && !r.errors && !r.error) {
        return r;
    }

    /* of a machine that has too much to do nothing can be said */
    if (/ in time[.;]/.test(words(r))) {
        s.late++;

    } else if (!s.away(r.start)) {
        exports.fault(s, `${what} ended as ${g.ending({ ...r,
            status: r.http })}${words(r)}`);
    }

    return null;
};

exports.ask = async (s, what, query, variables, options) =>
    exports.sound(s, what, await exports.request(
        s, JSON.stringify({ query, variables }), options));


/* prompts: { id, description, versions, labels } */

const fields = 'id description versions { version content } '
               + 'labels { label version }';

const stateOf = (p) => p && {
    id: p.id, description: p.description,
    versions: p.versions.map((v) => v.content),
    labels: Object.fromEntries(p.labels.map((l) => [l.label, l.version]))
};

const same = (a, b) => {
    const text = (p) => JSON.stringify(p && { ...p, id: undefined });

    return text(a) === text(b);
};

const brief = (p) => (p ? JSON.stringify({ ...p,
    description: (p.description || '').slice(0, 10),
    versions: p.versions.map((text) => text.slice(0, 10)) }) : 'not there');

/* a prompt as the service has it now; undefined where nobody can say */
async function look(s, name) {
    const r = await exports.request(s, JSON.stringify({
        query: `query ($n: String!) { promptByName(name: $n) { ${fields} } }`,
        variables: { n: name } }));

    if (r.code === 'NOT_FOUND') {
        return null;
    }

    return r.data ? stateOf(r.data.promptByName) : undefined;
}

/* a prompt is what p says, null: not there */
exports.there = async (s, name, p) => {
    const now = await look(s, name);

    if (!same(now, p)) {
        exports.fault(s, `prompt ${name} is ${brief(now)} instead of ${
            brief(p)}`);
    }
};

function put(s, name, p) {
    s.prompts.set(name, p);

    if (p !== null) {
        s.alive.add(name);
        return;
    }

    s.alive.delete(name);

    /* its execution goes with it, and its figures stay */
    if (s.briefs.has(name)) {
        const { word, figures } = s.briefs.get(name);

        s.words.get(word).gone = true;
        s.gone.push(figures);
    }
}

/* what was not answered was done as a whole, or not at all */
async function settle(s, name, what, before, after) {
    let now;

    await g.until(120, async () => (now = await look(s, name)) !== undefined);

    if (!same(now, before) && !same(now, after)) {
        exports.fault(s, `${what} was neither done nor not done`);
    }

    put(s, name, now || null);
}

/*
 * A change of a prompt, by one client at a time; after(data): what it is then.
 */
exports.change = async (s, name, what, query, variables, after) => {
    const before = s.prompts.get(name) || null;

    s.busy.add(name);

    const r = await exports.ask(s, what, query, variables);

    if (exports.counted(s, what, r)) {
        put(s, name, after(r.data[what]));
    } else {
        await settle(s, name, what, before, after({}));
    }

    s.busy.delete(name);
};

/* of those that are there and that nobody changes now, if any */
exports.free = (s) => g.any([...s.alive].filter((name) => !s.busy.has(name)));


/* words: { prompt, said, calls, gone } */

exports.word = (s, prompt) => {
    const word = `w${s.serial++}`;

    s.words.set(word, { prompt, calls: 0 });

    return word;
};

/* what the model said of a word: back what it was told */
exports.told = (s, word, said) => {
    s.words.get(word).said = said;

    if (said !== `say ${word}`) {
        exports.fault(s, `a word was answered by something else: ${said}`);
    }
};


/* a version with the content of the rest, which says a word */
const schema = { type: 'object', properties: { word: { type: 'string' } },
                 required: ['word'] };

/* prompts to be executed: kind → { id, name } */
async function makePrompts(s, models) {
    for (const [kind, params] of Object.entries(models)) {
        const name = `run-${kind}`;
        const id = await g.prompt(name, undefined, null,
                                  { port: s.port, key: s.key });
        const r = await exports.ask(s, 'createPromptVersion',
            'mutation ($i: CreatePromptVersionInput!) '
            + '{ createPromptVersion(input: $i) { id } }',
            { i: { promptId: id, content: 'say {{word}}',
                   params: { max_tokens: 100, ...params },
                   inputSchema: schema } });

        if (!r) {
            throw new Error(`no prompt ${name}`);
        }

        exports.counted(s, 'createPrompt', r);
        exports.counted(s, 'createPromptVersion', r);
        s.runs[kind] = { id, name };
    }
}

exports.make = async (host) => {
    const s = {
        away: () => false, ...host,
        start: performance.now(), serial: 0, running: 0, done: 0,
        ended: g.tally(), faults: new Map(), late: 0,
        prompts: new Map(), alive: new Set(), busy: new Set(),
        words: new Map(), runs: {},
        keys: [], deleted: [], once: [],
        briefs: new Map(), gone: [],
        acknowledged: new Map(), unknown: new Map()
    };

    await makePrompts(s, require('./kinds.js').models);

    return s;
};


/*
 * Begins so many a second, fewer where the machine is busy with something else:
 * half a second's worth runs at once.  What it returns stops it.
 */
exports.run = (s, rate) => {
    const { kinds } = require('./kinds.js');
    const bag = kinds.flatMap(([n, act]) => Array(n).fill(act));
    const begin = Date.now();
    let begun = 0;

    const one = async () => {
        s.running++;

        try {
            await g.any(bag)(s);
        } catch (error) {
            exports.fault(s, `the load itself: ${error.stack}`);
        }

        s.running--;
        s.done++;
    };

    const timer = setInterval(() => {
        const due = (Date.now() - begin) * rate / 1000;

        /* what it did not get to is not made up for */
        begun = Math.max(begun, due - rate);

        for (; begun < due && s.running < rate / 2; begun++) {
            one();
        }
    }, 20);

    return async () => {
        clearInterval(timer);

        if (!await g.until(180, () => s.running === 0)) {
            exports.fault(s, `${s.running} requests do not end`);
        }
    };
};


/* what the service has now is what the ledger says */
exports.check = async (s) => {
    const there = new Map();
    let after = null;

    for (;;) {
        const r = await exports.ask(s, 'prompts', 'query ($a: ID) { prompts('
            + `first: 100, after: $a) { name ${fields} } }`, { a: after });

        if (!r || r.data.prompts.length === 0) {
            break;
        }

        r.data.prompts.forEach((p) => there.set(p.name, stateOf(p)));
        after = r.data.prompts[r.data.prompts.length - 1].id;
    }

    for (const [name, p] of s.prompts) {
        const now = there.get(name) || null;

        if (!same(now, p) || (p && now.id !== p.id)) {
            exports.fault(s, `prompt ${name} is ${brief(now)} instead of ${
                brief(p)}`);
        }

        there.delete(name);
    }

    for (const name of there.keys()) {
        if (!name.startsWith('run-')) {
            exports.fault(s, `there is a prompt that nobody made: ${name}`);
        }
    }

    for (const { id, key } of s.keys) {
        const r = await exports.ask(s, 'a key that is there', '{ me { id } }',
                                    {}, { key });

        if (!r) {
            exports.fault(s, `key ${id} is not accepted`);
        }
    }

    for (const key of s.deleted.slice(-500)) {
        await exports.refused(s, key, 'at the end');
    }

    for (const one of s.once.slice(-200)) {
        await exports.again(s, one);
    }
};

/* a key, or session, that was deleted: never let in */
exports.refused = async (s, options, when) => {
    const r = await exports.request(s, '{"query": "{ me { id } }"}', options);

    if (r.http === 200 || r.data) {
        exports.fault(s, `a deleted credential is accepted ${when}`);

    } else if (r.http !== 401 && !s.away(r.start)) {
        exports.fault(s, `a deleted credential is answered ${when} by ${
            g.ending({ ...r, status: r.http })}${words(r)}`);
    }
};

/* what carries a key that was used: the same answer again, not done again */
exports.again = async (s, one) => {
    const r = exports.sound(s, 'the same Idempotency-Key', await exports.request(
        s, one.body, { headers: { 'Idempotency-Key': one.key } }));

    if (r && (JSON.stringify(r.data) !== one.answer
              || r.headers['idempotency-replayed'] !== 'true'))
    {
        exports.fault(s, 'an Idempotency-Key was answered twice, by '
                      + `${one.answer} and ${JSON.stringify(r.data)}`);
    }
};
