#!/usr/bin/env node
/*
 * Secrets stay where they are: keys, passwords and what users wrote are in no
 * log (level info, and what the access log can show), in no command to Redis,
 * and in no answer to somebody else.  While all is well, while it is not, and
 * for requests of every kind.
 */

'use strict';

const { spawn } = require('child_process');
const crypto = require('crypto');
const fs = require('fs');

const g = require('../lib/guarantee.js');

const canary = (what) => `canary-${what}-${crypto.randomUUID()}`;

/* what users wrote, and nobody but them may see */
const written = ['content', 'input', 'description', 'parameter', 'schema',
                 'literal', 'key-name', 'search']
    .reduce((all, what) => ({ ...all, [what]: canary(what) }), {});

const keys = [];                  /* those that were created */
const answers = [];


const keep = (r, who) => {
    answers.push({ who, text: r.text || JSON.stringify(r.data || null)
                              + JSON.stringify(r.errors || null)
                              + JSON.stringify(r.extensions || null) });

    return r;
};


/* what redis-cli sees of all clients, until it is asked to stop */
async function monitor(config) {
    const child = spawn('redis-cli', ['-s', config.redis, 'MONITOR']);
    const seen = { text: '' };

    child.stdout.on('data', (data) => { seen.text += data; });
    await g.until(5, () => seen.text !== '');

    seen.stop = async () => {
        await g.sleep(200);
        child.kill();
    };

    return seen;
}


const createVersion = 'mutation ($input: CreatePromptVersionInput!) '
    + '{ createPromptVersion(input: $input) { id content } }';

async function author(config, models) {
    const made = keep(await g.post('mutation ($input: CreatePromptInput!) '
        + '{ createPrompt(input: $input) { id } }',
        { input: { name: `secret ${crypto.randomUUID()}`,
                   description: written.description } }), 'alice');

    if (!made.data) {
        return;
    }

    const id = made.data.createPrompt.id;

    for (const model of models) {
        keep(await g.post(createVersion, { input: { promptId: id,
            content: `${written.content} {{word}}`,
            params: { model, stop: written.parameter },
            inputSchema: { title: written.schema } } }), 'alice');
        keep(await g.execute(id, { word: written.input }), 'alice');
    }

    /* wrong in as many ways */
    keep(await g.post(createVersion, { input: { promptId: id,
        content: `${written.content} {{`, params: {} } }), 'alice');
    keep(await g.post(createVersion, { input: { promptId: id,
        content: written.content, params: { temperature: written.parameter },
        inputSchema: { type: written.schema } } }), 'alice');
    keep(await g.post(createVersion, { input: written.content }), 'alice');
    keep(await g.execute(id, written.input), 'alice');
    keep(await g.execute(id, { word: written.input, [written.input]: 1 },
                         { version: 99 }), 'alice');
    keep(await g.post(`mutation { updatePrompt(id: "${id}", input: `
        + `{description: "${written.literal}"}) { id } }`), 'alice');
    keep(await g.post(`mutation { updatePrompt(id: "${id}", input: `
        + `{description: "${written.literal}\\q"}) { id } }`), 'alice');
    keep(await g.post(`{ me { id } "${written.literal}" }`), 'alice');
    keep(await g.post(`{ prompts(search: "${written.search}", first: -1) `
                      + '{ id } }'), 'alice');
    keep(await g.post('query ($s: String) { prompts(search: $s) { id } }',
                      { s: written.search }), 'alice');
    keep(await g.request(`{"query": "${written.literal}`), 'alice');
    keep(await g.request(`{"query": "{ me { id } }", "variables": `
                         + `"${written.literal}"}`), 'alice');
    keep(await g.request(written.literal,
                         { headers: { 'Content-Type': 'text/plain' } }),
         'alice');

    /* somebody else asks for it in vain */
    const bob = { key: config.bob_key };

    keep(await g.post('query ($id: ID!) { prompt(id: $id) { name description '
        + 'versions { content params executions { input output } } } }',
        { id }, bob), 'bob');
    keep(await g.execute(id, { word: 'x' }, bob), 'bob');
    keep(await g.version(id, 'x', undefined, bob), 'bob');
    keep(await g.post('mutation ($id: ID!) { forkPrompt(id: $id) { id } }',
                      { id }, bob), 'bob');
    keep(await g.post('{ prompts { name description versions { content } } '
                      + 'apiKeys { id name hint } }', {}, bob), 'bob');
}


async function keyHolder() {
    const r = await g.post('mutation ($input: CreateApiKeyInput!) '
        + '{ createApiKey(input: $input) { key apiKey { id } } }',
        { input: { name: written['key-name'] } });

    if (!r.data) {
        keep(r, 'alice');
        return;
    }

    /* this one answer has the key, and no other one */
    const { key, apiKey: { id } } = r.data.createApiKey;

    keys.push(key);
    keep(await g.post('{ me { id } apiKeys { id name hint } }', {}, { key }),
         'alice');
    keep(await g.post('{ me { id } }', {}, { key: null,
        headers: { Authorization: `Bearer ${key}` } }), 'alice');
    keep(await g.post('{ me { id } }', {}, { key,
        headers: { Authorization: `Bearer ${key}x` } }), 'alice');
    keep(await g.post('{ me { id } }', {}, { key: `${key}x` }), 'nobody');
    keep(await g.post('mutation ($id: ID!) { deleteApiKey(id: $id) }', { id }),
         'alice');
    keep(await g.post('{ me { id } }', {}, { key }), 'nobody');
    keep(await g.post('mutation ($id: ID!) { deleteApiKey(id: $id) }',
                      { id: key }), 'alice');
}


async function round(config) {
    const failing = ['fx:status=401', 'fx:status=500', 'fx:cut=20',
                     'fx:raw=%7B', 'fx:close', 'unknown-model'];

    /* a sound provider says what it was told */
    await g.clients(2, () => author(config, ['fx:ok', g.any(failing),
                                             g.any(failing)]));
    await g.clients(2, keyHolder);
    keep(await g.get('/metrics'), 'nobody');
}


/* names of those that stand in a text */
function found(text, secrets) {
    return Object.entries(secrets).filter(([, value]) => text.includes(value))
                 .map(([name]) => name);
}


function checks(config, commands) {
    const hashes = keys.concat(config.alice_key, config.bob_key).map((key) =>
        crypto.createHash('sha256').update(key).digest());
    const own = { ...config.secrets, ...keys.map((key) => key.slice(4)) };
    const sums = { ...hashes.map((hash) => hash.toString('hex')),
                   ...hashes.map((hash) => hash.toString('base64')) };
    const errors = g.log();
    const access = fs.readFileSync(`${config.at}/access.log`, 'utf8');
    const told = answers.map((a) => a.text).join('\n');
    const others = answers.filter((a) => a.who !== 'alice')
                          .map((a) => a.text).join('\n');

    g.diag(`${answers.length} answers, ${keys.length} keys, `
           + `${errors.split('\n').length} errors, `
           + `${access.split('\n').length} lines of access, `
           + `${commands.length} bytes of commands`);
    g.ok(answers.length > 50 && keys.length > 1 && access.length > 1000
         && /"SET"|"set"|"EVAL/i.test(commands),
         'there was something to look at');
    g.ok(told.includes(`${written.content} ${written.input}`),
         'who wrote it sees it');

    g.is(found(errors, { ...own, ...written, ...sums }), [],
         'nothing of it is in the error log');
    g.is(found(access, { ...own, ...written, ...sums }), [],
         'nor in the access log');
    /* the names of entries are the keys' hashes */
    g.is(found(commands, { ...own, ...written }), [], 'nor in Redis');
    g.is(found(told, { ...own, ...sums, sockets: config.pg_host }), [],
         'nor do answers hold keys');
    g.is(found(others, written), [], 'or what another one wrote');
    g.is(told.match(/SELECT |INSERT |SQLSTATE|relation "/g), null,
         'or statements');
}


const log = ['user_id', 'key_id', 'operation', 'error_code', 'model',
             'cost_usd', 'tokens_in', 'tokens_out', 'provider_ms']
    .map((name) => `$prompt_${name}`).join(' ');

g.main({
    postgres: '%CONNINFO% connections=2 timeout=1s connect_timeout=1s',
    redis: '%REDIS% timeout=50ms',
    http: `log_format all '$request $status ${log}';`
          + 'prompt_key_cache valid=2s unknown=1s;',
    locations: 'access_log %AT%/access.log all;'
}, async (config) => {
    let commands = '';

    for (let n = 0; n < g.scale; n++) {
        const seen = await monitor(config);

        await round(config);
        await round(config);

        /* no PostgreSQL, then no Redis, then neither, then both again */
        await g.killPostgres();
        await round(config);
        await g.startServices();
        await g.until(15, async () =>
            g.ending(await g.post('{ prompts { id } }')) === '200');
        await seen.stop();
        commands += seen.text;

        g.signal('SIGKILL', g.redisPid());
        await round(config);
        await g.startServices();
        await round(config);
    }

    await g.sleep(300);
    checks(config, commands);
});
