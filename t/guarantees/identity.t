#!/usr/bin/env node
/*
 * Two services whose databases are copies of each other, on one Redis with one
 * prefix: no key, no deletion, no mark and no row of an Idempotency-Key of one
 * counts in the other.  And a database that becomes another one while nginx
 * runs: nothing of the old one is let in or shown.
 */

'use strict';

const { execFile, execFileSync, spawn } = require('child_process');
const fs = require('fs');
const g = require('../lib/guarantee.js');
const second = require('../lib/second.js');
const { ports } = require('../lib/redis_servers.js');
const { newKey } = require('../lib/keys_harm.js');

const me = '{ me { id } }';


/* what a shell says; dies where it fails */
const shell = (text, env) => new Promise((done, fail) => {
    execFile('sh', ['-ec', text],
             { env: { ...process.env, ...env }, maxBuffer: 1 << 26 },
             (error, out, err) => (error ? fail(new Error(`${text}: ${err}`))
                                         : done(out.trim())));
});

const ctl = (at, ...words) => new Promise((done) => {
    const { config } = g;

    execFile(g.built('promptctl'), words, {
        env: {
            ...process.env,
            PROMPT_REDIS: `unix:${config.redis} prefix=${config.prefix}`,
            PROMPT_DATABASE_URL: `host=${at.host} user=postgres `
                                 + `dbname=${at.db}`
        }
    }, (error, out, err) => done({ rc: error ? error.code : 0, out, err }));
});

const deleteKey = (id, options) =>
    g.post('mutation ($id: ID!) { deleteApiKey(id: $id) }', { id }, options);

const ending = async (key, port) => g.ending(await g.post(me, {},
                                                          { key, port }));

const keyId = async (key, options) => (await g.post(
    '{ apiKeys { id hint } }', {}, { ...options, key }))
    .data.apiKeys.find((k) => key.endsWith(k.hint.slice(-4))).id;


/* config.db is one, `at` the other: each has all that was in both */
async function apart(what, at, edit) {
    const { config } = g;
    const common = [];

    for (let i = 0; i < 3; i++) {
        common.push(at.common.pop());
    }

    await g.redis('FLUSHALL');

    const other = await second.start(config, edit);

    g.ok(other, `${what}: the other service answers`);

    const { port } = other;

    /* made here, asked for there first: there it stays unknown, here it counts */

    const made = await newKey();

    g.is(await ending(made.key, port), '401 UNAUTHENTICATED',
         `${what}: a key made here is unknown there`);
    g.is(await ending(made.key), '200', `${what}: and let in here`);

    /* known here, from the cache: not there */

    for (let i = 0; i < 3; i++) {
        await ending(made.key);
    }

    g.is(await ending(made.key, port), '401 UNAUTHENTICATED',
         `${what}: also where it is in the cache`);

    /* in both: deleted there, it counts here, and the other way round */

    for (const [name, ends, goes] of [['there', port, undefined],
                                      ['here', undefined, port]]) {
        const { key, id } = common.pop();

        g.is([await ending(key), await ending(key, port)], ['200', '200'],
             `${what}: a key of both is let in`);

        const r = await deleteKey(id, { port: ends });

        g.ok(r.data && r.data.deleteApiKey, `${what}: deleted ${name}`);
        g.is(await ending(key, ends), '401 UNAUTHENTICATED',
             `${what}: refused ${name}`);
        g.is(await ending(key, goes), '200', `${what}: let in elsewhere`);
        g.is([await ending(key, ends), await ending(key, goes)],
             ['401 UNAUTHENTICATED', '200'], `${what}: and so it stays`);
    }

    /* by promptctl, whose names are those of the service */

    const { key, id } = common.pop();

    await ending(key);
    await ending(key, port);

    const said = await ctl(at, 'key', 'delete', id);

    g.is([said.rc, said.err], [0, ''], `${what}: promptctl deletes there`);
    g.is(await ending(key, port), '401 UNAUTHENTICATED',
         `${what}: refused there`);
    g.is(await ending(key), '200', `${what}: not here`);

    /* once only, in each of them */

    const headers = { 'Idempotency-Key': `the-same-${what.replace(/ /g, '-')}` };
    const ids = [];

    for (const where of [undefined, port, undefined, port]) {
        const r = await g.post('mutation ($i: CreatePromptInput!) { '
            + 'createPrompt(input: $i) { id } }', { i: { name: `Once ${what}` } },
            { headers, port: where });

        ids.push(r.data && r.data.createPrompt.id);
    }

    g.ok(ids[0] && ids[1] && ids[0] !== ids[1] && ids[0] === ids[2]
         && ids[1] === ids[3], `${what}: once in each of them`);

    /* each of the two has names of its own, and there are no others */

    const names = (await g.redis('KEYS', `${config.prefix}*`)).split('\n')
        .map((name) => /^([0-9a-f]{16}):(key|lease|position):/
            .exec(name.slice(config.prefix.length)));

    g.ok(names.every(Boolean), `${what}: names in Redis have an identity`);
    g.is(new Set(names.map((name) => name && name[1])).size, 2,
         `${what}: there are two`);

    g.ok(await second.stop(), `${what}: it leaves`);
    g.is(second.faults(config), [], `${what}: a clean log there`);
}


const onto = (db) => (text) => text.replace(/dbname=\w+/, `dbname=${db}`);


/* another host, whose connections go on when those behind a pooler do not */
async function pooled() {
    const { config } = g;

    try {
        execFileSync('pgbouncer', ['--version']);
    } catch {
        return null;
    }

    const [port] = await ports(1);
    const at = fs.mkdtempSync('/tmp/prompt-identity-');
    const command = [...(process.getuid() === 0 ? ['runuser', '-u', 'postgres',
                                                   '--'] : []),
                     'pgbouncer', '-q', `${at}/pgbouncer.ini`];

    fs.writeFileSync(`${at}/pgbouncer.ini`, `[databases]
${config.db} = ${config.conninfo}

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
server_login_retry = 1
logfile = ${at}/log
pidfile = ${at}/pid
`);

    if (process.getuid() === 0) {
        execFileSync('chown', ['-R', 'postgres', at]);
    }

    const child = spawn(command[0], command.slice(1), { stdio: 'ignore' });
    const gone = new Promise((done) => child.on('exit', done));
    const host = await second.start(config, (text) => text
        .replace(/"host=\S+/, `"host=127.0.0.1 port=${port}`)
        .replace(/connections=2/, 'connections=2 prepare=off'));

    g.ok(host, 'behind a pooler: the other host answers');

    return { port: host.port, stop: async () => {
        g.ok(await second.stop(), 'behind a pooler: it leaves');
        g.signal('SIGKILL', g.pidIn(`${at}/pid`));
        await gone;
        fs.rmSync(at, { recursive: true });
    } };
}


/* a standby is read, and another database in its place is not */
async function reader(db) {
    const { config } = g;
    const read = `prompt_postgres_read "${config.conninfo.replace(
        /dbname=\w+/, `dbname=${db}`)}" max_lag=1s;`;
    const other = await second.start(config, (text) =>
        text.replace(/^ *prompt_postgres .*$/m, (line) => `${line}\n${read}`));
    const log = `${config.at}/second/error.log`;

    g.ok(other, 'a reader: the other host answers');

    for (let i = 0; i < 20; i++) {
        await g.post('{ prompts { name } }', {}, { port: other.port });
        await g.sleep(50);
    }

    g.ok(/passed over: it has another database/.test(fs.readFileSync(log,
        'utf8')), 'a reader of another database is passed over');
    g.ok(await second.stop(), 'a reader: it leaves');
    fs.rmSync(log);
}


/* the database is replaced by what it was, while nginx runs */
async function replaced(id) {
    const { config } = g;
    const conn = `-h ${config.pg_host} -U postgres`;
    const gone = await newKey();
    const behind = await pooled();
    let over = false;

    for (let i = 0; i < 4; i++) {
        await ending(gone.key);
    }

    await shell(`pg_dump ${conn} -Fc -f ${config.at}/dump ${config.db}`);

    const late = await newKey();
    const next = await g.version(id, 'a later text');

    g.is(next.data.createPromptVersion.version, 2, 'changed after the dump');
    g.ok((await deleteKey(gone.id)).data, 'a key deleted after it');

    for (let i = 0; i < 8; i++) {
        await ending(late.key);
        await g.execute(id, {}, {});
        await g.post(`{ prompt(id: "${id}") { versions { content } } }`);
    }

    g.is(await ending(late.key), '200', 'a key made after it is let in');

    if (behind) {
        g.is(await ending(late.key, behind.port), '200', 'also behind a pooler');
    }

    /* somebody asks all the time */

    const seen = [];
    const asking = g.clients(4, async () => {
        while (!over) {
            seen.push(await g.post(me, {}, { key: late.key }));
            await g.sleep(5);
        }
    });

    await shell(`
        psql ${conn} -qc 'DROP DATABASE ${config.db} WITH (FORCE)' postgres
        psql ${conn} -qc 'CREATE DATABASE ${config.db}' postgres
        pg_restore ${conn} --dbname=${config.db} --exit-on-error \
            --single-transaction ${config.at}/dump
        psql ${conn} -qc 'ALTER DATABASE ${config.db} SET search_path = public' \
            postgres`);

    const restored = performance.now();

    g.ok(await g.until(20, async () => (await g.post(me)).status === 200),
         'replaced: the service goes on');
    g.diag(`after ${Math.round(performance.now() - restored)} ms`);

    if (behind) {
        const { port } = behind;

        g.ok(await g.until(15, async () => await ending(late.key, port)
                           === '401 UNAUTHENTICATED'),
             'replaced: behind a pooler a key that it never had is refused');
        g.diag(`after ${Math.round(performance.now() - restored)} ms`);

        for (let i = 0; i < 8; i++) {
            g.is(await ending(late.key, port), '401 UNAUTHENTICATED',
                 'and so it stays');
        }

        await behind.stop();
    }

    /*
     * Workers notice within a second of when they could connect, and until then
     * cached keys are let in; a busy machine may take three.
     */

    const noticed = restored + 3000 * g.slow;

    await g.sleep(Math.max(0, noticed - performance.now()) + 300);
    over = true;
    await asking;

    const bad = seen.filter((r) => r.start > restored && r.status === 200);

    g.diag(`let in ${bad.length} times, of ${seen.length}`);
    g.is(bad.filter((r) => r.start > noticed).length, 0,
         'replaced: a key that it never had is not let in');
    g.is(await ending(late.key), '401 UNAUTHENTICATED', 'and is refused');
    g.is(await ending(gone.key), '200', 'one that it has again is let in');

    for (let i = 0; i < 8; i++) {
        const r = await g.post(`{ prompt(id: "${id}") {`
                               + ' versions { version content } } }');

        g.is(r.data && r.data.prompt.versions,
             [{ version: 1, content: 'the first text' }],
             'replaced: versions are its own');
    }

    const again = await g.version(id, 'another second text');

    g.is(again.data && again.data.createPromptVersion.version, 2,
         'replaced: numbers go on from there');
    await g.calls('clear');
    await g.execute(id, {}, {});
    g.ok(JSON.stringify(await g.calls()).includes('another second text'),
         'replaced: what is executed is its own');
    g.ok(/is another one/.test(g.log()), 'replaced: the log says so');
}


/* PostgreSQL is away, and workers begin */
async function away(key) {
    const workers = g.workers();

    g.is(await ending(key), '200', 'in the cache');
    g.stopPostgres();
    g.hup();
    g.ok(await g.until(20, () => g.workers().length > 0
                       && !g.workers().some((pid) => workers.includes(pid))),
         'away: new workers');

    for (let i = 0; i < 8; i++) {
        const r = await g.post('{ __typename }', {}, { key, agent: false });

        g.is([r.status, r.data], [200, { __typename: 'Query' }],
             'away: a cached key answers what needs no database');
    }

    g.continuePostgres();
    g.ok(await g.until(20, async () => await ending(key) === '200'),
         'away: it is back');
}


g.main({
    http: 'prompt_key_cache valid=60s unknown=60s;',
    postgres: '%CONNINFO% connections=2 timeout=2s connect_timeout=1s',
    allow: /is another one|terminat/,
    before: async (config) => {
        config.common = [];
    }
}, async (config) => {
    const host = config.pg_host;
    const conn = `-h ${host} -U postgres`;
    const common = [];

    for (let i = 0; i < 9; i++) {
        common.push(await newKey());
    }

    const id = await g.prompt('kept', 'the first text', { model: 'fx:ok' });

    /* as a superuser: what its role has elsewhere is not missing here */

    await ctl({ host, db: config.db }, 'migrate', '--grant', 'prompt_app');

    /* by template: nobody may be connected to it meanwhile */

    g.signal('SIGSTOP', g.workers());
    await g.sql(`ALTER DATABASE ${config.db} CONNECTION LIMIT 0`, 'postgres');
    await shell(`
        psql ${conn} -qc "SELECT pg_terminate_backend(pid)
            FROM pg_stat_activity WHERE datname = '${config.db}'" postgres
        psql ${conn} -qc 'CREATE DATABASE ${config.db}_template
            TEMPLATE ${config.db}' postgres`);
    await g.sql(`ALTER DATABASE ${config.db} CONNECTION LIMIT -1`, 'postgres');
    g.signal('SIGCONT', g.workers());
    g.ok(await g.until(20, async () => await ending(config.alice_key) === '200'),
         'it goes on');

    await apart('a template', { host, db: `${config.db}_template`, common },
                onto(`${config.db}_template`));

    await shell(`
        psql ${conn} -qc 'CREATE DATABASE ${config.db}_dump' postgres
        pg_dump ${conn} ${config.db} | psql ${conn} -qX -v ON_ERROR_STOP=1 \
            -d ${config.db}_dump > /dev/null`);
    await apart('a dump', { host, db: `${config.db}_dump`, common },
                onto(`${config.db}_dump`));

    await reader(`${config.db}_dump`);
    await away(config.alice_key);
    await replaced(id);

    /* a physical copy that goes on beside its original */

    common.length = 0;

    for (let i = 0; i < 3; i++) {
        common.push(await newKey());
    }

    const place = await g.services('standby');

    await g.services('promote');
    await shell(`
        psql ${conn} -qc 'ALTER SYSTEM RESET synchronous_standby_names' postgres
        psql ${conn} -qc 'SELECT pg_reload_conf()' postgres`);

    const at = { host: `${place}/sock2`, db: config.db, common };
    const identity = async (where) => JSON.parse((await ctl(where,
        'restore-check', '--json')).out).identity;

    g.is(await identity(at), await identity({ host, db: config.db }),
         'a base backup: one that is promoted is the same database');

    const said = await ctl(at, 'restore-check', '--new-identity');

    g.is([said.rc, said.err], [0, ''], 'a base backup: it is made another one');
    await apart('a base backup', at,
                (text) => text.replace(/"host=\S+/, `"host=${place}/sock2`));
});
