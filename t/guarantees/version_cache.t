#!/usr/bin/env node
/*
 * Workers keep versions that they have read.  Whoever asks, of two hosts with
 * two workers each, sees no prompt older than anybody was told before, no
 * version of another prompt, nothing that was deleted or made private; while
 * others write, and little fits into what is kept.
 */

'use strict';

const g = require('../lib/guarantee.js');
const second = require('../lib/second.js');

const PROMPTS = 6;                /* of each of two */
const FILLER = 'x'.repeat(3000);

const mutations = {
    create: 'mutation ($n: String!, $p: Boolean!) { createPrompt(input: '
            + '{name: $n, isPublic: $p, description: "0"}) { id } }',
    add: 'mutation ($id: ID!, $c: String!) { createPromptVersion(input: '
         + '{promptId: $id, content: $c, params: {model: "fx:ok"}}) '
         + '{ version } }',
    change: 'mutation ($id: ID!, $d: String!) { updatePrompt(id: $id, '
            + 'input: {description: $d}) { id } }',
    show: 'mutation ($id: ID!, $p: Boolean!) { updatePrompt(id: $id, '
          + 'input: {isPublic: $p}) { id } }',
    fork: 'mutation ($id: ID!) { forkPrompt(id: $id) { id } }',
    remove: 'mutation ($id: ID!) { deletePrompt(id: $id) }'
};

const shown = 'id name description ';
const queries = [
    `{ prompts { ${shown} versions { version content } } }`,
    `{ prompts { ${shown} versions { content version id createdAt } } }`,
    `{ prompts(first: 3) { ${shown} versions { version content } } }`,
    `query ($id: ID!) { prompt(id: $id) { ${shown} `
        + 'versions { version content } } }',
    `query ($id: ID!) { prompt(id: $id) { ${shown} `
        + 'versions { content params version executions { id } } } }',
    `query ($n: String!) { promptByName(name: $n) { ${shown} `
        + 'versions { version content } } }'
];

const ports = [];
const wrong = [];
let numbered = 0;


/* a connection of its own, so that any worker has it */
const ask = (query, variables, key) =>
    g.post(query, variables, { key, port: g.any(ports), agent: false });


/*
 * What was told of a prompt: how many versions there are, which description
 * came last, whether it is public, or gone.  At a moment; a change that is
 * under way may be seen or not.
 */
class Known {
    constructor(id, name, key)
    {
        Object.assign(this, { id, name, key, versions: 0, description: 0,
                              isPublic: false, shown: 0, deleted: false,
                              texts: new Map() });
        this.queue = Promise.resolve();
    }

    /* one change after the other, as one writer of it would */
    change(act)
    {
        this.queue = this.queue.then(async () => {
            if (!this.deleted) {
                await act();
            }
        });

        return this.queue;
    }
}

const all = new Map();            /* by id */
const standing = {};              /* by key: name → the one that stands */


async function created(key, name, ended)
{
    /* a worker may just have begun, and the first answer may be late */

    const r = await g.until(60, async () => {
        const made = ended.add(await ask(mutations.create,
                                         { n: name, p: false }, key));

        if (made.data && made.data.createPrompt) {
            return made;
        }

        const { data } = await ask('query ($n: String!) '
            + '{ promptByName(name: $n) { id } }', { n: name }, key);

        return data && data.promptByName
               && { data: { createPrompt: data.promptByName } };
    });

    if (!r) {
        throw new Error(`${name} could not be created`);
    }

    const known = new Known(r.data.createPrompt.id, name, key);

    all.set(known.id, known);
    standing[key].set(name, known);
    await known.change(() => added(known, ended));
}


async function added(known, ended)
{
    const text = `${known.id} ${++numbered} ${FILLER}`;
    const r = ended.add(await ask(mutations.add, { id: known.id, c: text },
                                  known.key));

    if (r.data) {
        const n = r.data.createPromptVersion.version;

        known.texts.set(n, text);
        known.versions = Math.max(known.versions, n);
    }
}


/* a change of one that stands */
async function write(ended)
{
    const key = g.any(Object.keys(standing));
    const known = g.any([...standing[key].values()]);
    const { id, name } = known;
    const dice = Math.random();

    await known.change(async () => {

        if (dice < 0.55 && known.versions < 12) {
            await added(known, ended);

        } else if (dice < 0.75) {
            const d = ++numbered;
            const r = ended.add(await ask(mutations.change,
                                          { id, d: String(d) }, key));

            if (r.data) {
                known.description = d;
            }

        } else if (dice < 0.85) {
            const isPublic = !known.isPublic;

            known.isPublic = undefined;
            known.shown++;

            if (ended.add(await ask(mutations.show, { id, p: isPublic },
                                    key)).data)
            {
                known.isPublic = isPublic;
            }

        } else if (dice < 0.92) {
            ended.add(await ask(mutations.fork, { id }, key));

        } else {
            standing[key].delete(name);
            known.dying = true;

            if (ended.add(await ask(mutations.remove, { id }, key)).data) {
                known.deleted = true;
            } else {
                standing[key].set(name, known);
            }
        }
    });

    if (known.deleted && standing[key].get(name) === undefined) {
        await created(key, name, ended);
    }
}


/* what is told of each before somebody asks */
const before = () => new Map([...all].map(([id, k]) =>
    [id, { versions: k.versions, description: k.description,
           deleted: k.deleted, isPublic: k.isPublic, shown: k.shown }]));


function check(prompt, told, key, query)
{
    const known = all.get(prompt.id);
    const was = told.get(prompt.id);
    const bad = (what) => wrong.push([what, prompt.name, query,
                                      prompt.versions.length, was]);

    if (prompt.versions.some((v, i) => v.version !== i + 1)) {
        bad('a gap');
    }

    /* a fork has its original's */

    const of = new Set(prompt.versions.map((v) => v.content.split(' ')[0]));

    if (of.size > 1 || (known && prompt.versions.length
                        && !of.has(prompt.id)))
    {
        bad('a version of another prompt');
    }

    if (prompt.versions.some((v) => v.executions && v.executions.length)) {
        bad('an execution');
    }

    if (!known || !was) {
        return;
    }

    if (was.deleted) {
        bad('deleted');
    }

    if (prompt.versions.length < was.versions) {
        bad('older versions');
    }

    if (Number(prompt.description) < was.description) {
        bad('an older description');
    }

    if (key !== known.key && was.isPublic === false
        && was.shown === known.shown)
    {
        bad('private');
    }

    for (const v of prompt.versions) {
        const text = known.texts.get(v.version);

        if (text === undefined) {
            known.texts.set(v.version, v.content);

        } else if (text !== v.content) {
            bad('another text');
        }
    }

    /* whoever asks from now on was told so much */

    known.versions = Math.max(known.versions, prompt.versions.length);
    known.description = Math.max(known.description,
                                 Number(prompt.description));
}


async function read(ended)
{
    const key = g.any(Object.keys(standing));
    const query = g.any(queries);
    const owner = Math.random() < 0.8 ? key : g.any(Object.keys(standing));
    const known = g.any([...all.values()].filter((k) => k.key === owner));
    const stands = g.any([...standing[key].values()]);
    const told = before();
    const mine = [...standing[key].values()].filter((k) => !k.dying);
    const r = ended.add(await ask(query, { id: known.id, n: known.name },
                                  key));

    if (!r.data) {
        if (r.code === 'NOT_FOUND' && query.includes('prompt(id')
            && !known.dying)
        {
            wrong.push(['not there', known.name]);
        }

        return;
    }

    const found = r.data.prompts || [r.data.prompt || r.data.promptByName];

    found.forEach((prompt) => check(prompt, told, key, query));

    if (r.data.prompts && found.some((p) => all.has(p.id)
                                     && all.get(p.id).key !== key))
    {
        wrong.push(['a prompt of another', query]);
    }

    if (r.data.prompts && !query.includes('first')
        && mine.some((k) => !k.dying && !found.some((p) => p.id === k.id)))
    {
        wrong.push(['one is missing in a list', stands.name]);
    }
}


g.main({ workers: 2, slowly: true,
         http: 'prompt_version_cache 1m;' }, async (config) => {
    const reads = g.valgrind ? 60 : Math.round(1200 * g.scale);
    const wrote = g.tally();
    const got = g.tally();
    let over = false;

    const other = await second.start(config);

    g.ok(other, 'a second host');
    ports.push(config.port, other.port);

    for (const key of [config.alice_key, config.bob_key]) {
        standing[key] = new Map();

        for (let i = 0; i < PROMPTS; i++) {
            await created(key, `kept-${i}`, wrote);
        }
    }

    const writers = g.clients(3, async () => {
        while (!over) {
            await write(wrote);
            await g.sleep(20);
        }
    });

    await g.share(10, reads, () => read(got));
    over = true;
    await writers;

    g.diag(`changes: ${wrote}; reads: ${got}`);

    /* on a machine that is very busy some are not, which is said */

    for (const [tally, what] of [[wrote, 'changes'], [got, 'reads']]) {
        g.is(tally.others('200', '200 NOT_FOUND', '200 FORBIDDEN',
                          '200 INTERNAL_SERVER_ERROR'), 0,
             `${what} are answered`);
        g.ok((tally.seen['200 INTERNAL_SERVER_ERROR'] || 0) * 10
             < tally.seen['200'], 'nearly all of them as they should be');
    }

    g.is(wrong.slice(0, 5), [], 'by nothing older than what was told, and '
         + "nothing of others'");

    const hits = await g.until(20, async () => {
        const found = /lookups_total\{cache="hit"\} (\d+)/.exec(
            (await g.get('/metrics')).text);

        return g.valgrind || (found && Number(found[1]));
    });

    /* under valgrind hardly anything is asked for twice */

    g.ok(hits > 0 || g.valgrind, `some of it was kept (${hits})`);

    g.ok(await second.stop(), 'the second host leaves, too');
    g.is(second.faults(config), [],
         'with a clean log');
});
