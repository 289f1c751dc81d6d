#!/usr/bin/env node
/*
 * The way back: a database is dumped, then things are deleted, renamed, added,
 * and the schema goes on; restored by the words of docs/operating.md it is what
 * it was when it was dumped, what was ended or hidden since is so again, and
 * the service runs on it.  Restored over the newer one it is not, nor without its
 * rights or with more of them, and promptctl restore-check says so.
 */

'use strict';

const { execFile } = require('child_process');
const fs = require('fs');
const g = require('../lib/guarantee.js');
const { newKey } = require('../lib/keys_harm.js');

const run = (command, args, env) => new Promise((done) => {
    execFile(command, args, { env: { ...process.env, ...env },
                              cwd: g.config.at, maxBuffer: 1 << 26 },
             (error, out, err) => done({ rc: error ? error.code : 0, out,
                                         err }));
});

/* all roles have the same password */
const url = (db, user) => g.config.conninfo
    .replace(/user=\w+/, `user=${user || 'postgres'}`)
    .replace(/dbname=\w+/, `dbname=${db}`);

const ctl = (db, user, ...words) => run(g.built('promptctl'),
    [...words, '--database', url(db, user)]);
const check = (db, ...words) => ctl(db, 'postgres', 'restore-check', ...words);

/* the superuser's, who sets what the role's connections want */
const grant = (db) => ctl(db, 'postgres', 'migrate', '--grant', 'prompt_app');

/* what stands behind the faults, where all of them have a statement */
const mends = (said, words) => said.out.trim().split('\n').map((line) =>
    (words.exec(line) || [line, `-- ${line}`])[1]).join(';\n');


/* the commands of "The way back" in their order, with names of this test's */
function commands() {
    const { config } = g;
    const text = fs.readFileSync(`${config.root}/docs/operating.md`, 'utf8');
    const section = /^## Backups$(.*?)^## /ms.exec(text)[1];

    return [...section.matchAll(/^ *```sh\n(.*?)^ *```/gms)].map(([, block]) =>
        block.replace(/^ {3}/gm, '')
             .replace(/sudo -u postgres psql/g,
                      `psql -qX -h ${config.pg_host} -U postgres`)
             .replace(/DATABASE prompt\b/g, `DATABASE ${config.db}`)
             .replace(/\bprompt_(back|old)\b/g, `${config.db}_$1`)
             .replace(/(TO |')prompt\b/g, `$1${config.db}`));
}

const byWords = (block) => run('bash', ['--norc', '-euo', 'pipefail', '-c',
                                             block], {
    PATH: `${g.built('')}:${process.env.PATH}`,
    PROMPT_DATABASE_URL: url(g.config.db, 'prompt_owner'),
    BACK: url(`${g.config.db}_back`, 'prompt_owner'),
    PROMPT_REDIS: `unix:${g.config.redis} prefix=${g.config.prefix}`
});

/*
 * All rows of all tables, and what there is beside them; but what promptctl did,
 * since it does more when a database is restored.
 */
async function content(db) {
    const tables = (await g.sql("SELECT relname FROM pg_class WHERE relkind IN "
        + "('r', 'p') AND relnamespace = 'public'::regnamespace ORDER BY 1",
        db)).flat();
    const all = {};

    for (const table of tables) {
        all[table] = (await g.sql('SELECT count(*), md5(string_agg(t::text, '
            + `chr(10) ORDER BY t::text)) FROM ONLY ${table} t`
            + (/^audit/.test(table) ? " WHERE action !~ '^promptctl '" : ''),
            db))[0].join();
    }

    all.functions = (await g.sql('SELECT count(*), md5(string_agg(prosrc, '
        + "'' ORDER BY proname, proargtypes)) FROM pg_proc WHERE pronamespace = "
        + "'public'::regnamespace", db))[0].join();
    all.indexes = (await g.sql('SELECT count(*), md5(string_agg(indexdef, '
        + "'' ORDER BY indexdef)) FROM pg_indexes WHERE schemaname = 'public'",
        db))[0].join();

    return all;
}


/* whose dump ended before the rights, or had none */
async function withoutRights() {
    const db = `${g.config.db}_acl`;

    await g.sql(`CREATE DATABASE ${db} OWNER prompt_owner`, 'postgres');
    await run('pg_restore', ['--no-owner', '--no-acl', '--exit-on-error',
        `--dbname=${url(db, 'prompt_owner')}`, 'prompt.dump']);
    await grant(db);

    let said = await check(db);

    g.is(said.rc, 1, 'what was restored without rights is found so');
    g.ok(/^everybody has the right EXECUTE on prompt_remove\(/m.test(said.out),
         'functions with the rights of the owner are everybody\'s');
    await g.sql(mends(said, /: (REVOKE EXECUTE ON FUNCTION .* FROM PUBLIC)$/),
                db);
    said = await check(db);
    g.is([said.rc, said.err], [0, ''], 'and are not, by what it says');
}


/* by a superuser, in a database that is not theirs */
async function ofSuperuser() {
    const { config } = g;
    const db = `${config.db}_super`;
    const owner = (...words) => ctl(db, 'prompt_owner', 'restore-check',
                                    ...words);

    await g.sql(`CREATE DATABASE ${db} OWNER prompt_owner`, 'postgres');
    await run('pg_restore', ['--no-owner', '--exit-on-error',
                             `--dbname=${url(db)}`, 'prompt.dump']);
    await grant(db);

    let said = await check(db);

    g.is(said.rc, 1, 'tables that are a superuser\'s are found so');
    g.ok(/^users belongs to postgres, not to prompt_owner: /m.test(said.out),
         'they are to be the owner\'s of the database');
    await g.sql(mends(said, /: (ALTER .* OWNER TO prompt_owner)$/), db);
    said = await owner();
    g.is([said.rc, said.err], [0, ''], 'and are, by what it says');

    /* who has the tables and not the database */

    await g.sql(`ALTER DATABASE ${db} OWNER TO postgres`, db);
    said = await owner();
    g.is(said.rc, 1, 'no schema can be made');

    const needs = /needs a right: (GRANT CREATE ON DATABASE \w+ TO \w+)$/m
        .exec(said.err);

    if (g.ok(needs, `said: ${said.err.trim()}`)) {
        await g.sql(needs[1], db);
        g.is((await owner()).rc, 0, 'that is all that it needs');
    }
}


g.main({
    http: 'prompt_key_cache valid=60s unknown=60s;',
    postgres: '%CONNINFO% connections=2 timeout=2s connect_timeout=1s',
    allow: /terminat|is another one|not currently accepting|permission denied/
}, async (config) => {
    const ids = [];

    for (let i = 0; i < 5; i++) {
        const id = await g.prompt(`prompt ${i}`, `text ${i} of {{word}}`,
                                  { model: 'fx:ok' });

        await g.post('mutation ($id: ID!) { updatePrompt(id: $id, input: '
                     + '{ isPublic: true }) { id } }', { id });
        await g.version(id, `second text ${i}`);
        await g.execute(id, { word: 'x' }, {});
        ids.push(id);
    }

    await g.post('mutation ($id: ID!) { setPromptLabel(promptId: $id, label: '
                 + '"live", version: 1) { version } }', { id: ids[0] });

    const deleted = await newKey();
    const kept = await newKey();

    let said = await grant(config.db);

    g.is([said.rc, said.err], [0, ''], 'a superuser gives rights and settings');
    said = await check(config.db);
    g.is([said.rc, said.err], [0, ''], 'what is whole is found so');
    g.ok(/^the database is whole: schema version \d+, identity [0-9a-f]{16}$/m
         .test(said.out), 'in words');

    said = await check(config.db, '--new-identity');
    g.is(said.rc, 1, 'it is no other one while the service is connected');
    g.ok(/connected to the database \(\d+, of prompt_app\): stop the service/
         .test(said.err), `said: ${said.err.trim()}`);

    const [backup, create, restore, hold, end, gone, change] = commands();

    /* nothing moves while it is dumped and looked at */

    g.signal('SIGSTOP', g.workers());

    const before = await content(config.db);

    said = await byWords(backup);
    g.is([said.rc, said.err], [0, ''], 'dumped');
    g.signal('SIGCONT', g.workers());

    /* then */

    const late = await newKey();

    await g.post('mutation ($id: ID!) { deletePrompt(id: $id) }',
                 { id: ids[1] });
    await g.post('mutation ($id: ID!) { updatePrompt(id: $id, input: '
                 + '{ name: "another name", isPublic: false }) { name } }',
                 { id: ids[2] });
    await g.version(ids[3], 'a third text');
    await g.prompt('a new prompt', 'its text');
    g.ok((await g.post('mutation ($id: ID!) { deleteApiKey(id: $id) }',
                       { id: deleted.id })).data, 'a key is deleted');
    await g.sql(`
        ALTER TABLE prompts ADD COLUMN next text;
        ALTER TABLE users RENAME COLUMN name TO called;
        CREATE TABLE prompt_next (id uuid REFERENCES prompts ON DELETE CASCADE);
        CREATE FUNCTION prompt_next() RETURNS trigger LANGUAGE plpgsql
            AS 'BEGIN RETURN NULL; END';
        CREATE TRIGGER prompts_next AFTER INSERT ON prompts
            FOR EACH ROW EXECUTE FUNCTION prompt_next();
        INSERT INTO prompt_migrations (version, name, checksum, compatible_with)
            SELECT max(version) + 1, 'next.sql', 'x', max(version)
            FROM prompt_migrations`);

    said = await check(config.db);
    g.is([said.rc, said.err], [1, ''], 'what is newer is not compared');
    g.ok(/^the schema has version \d+, this promptctl \d+: use the promptctl of/
         .test(said.out), `said: ${said.out.trim()}`);

    /* as it was documented once: over the newer one */

    await run('bash', ['--norc', '-ec', `
        createdb -h ${config.pg_host} -U postgres ${config.db}_mix
        pg_dump -h ${config.pg_host} -U postgres ${config.db} |
            psql -qX -h ${config.pg_host} -U postgres -d ${config.db}_mix \
                > /dev/null
        pg_restore --clean --if-exists --no-owner --dbname='${url(`${config.db}_mix`)}' \
            prompt.dump 2>/dev/null || true`]);

    said = await check(`${config.db}_mix`);
    g.is(said.rc, 1, 'two schemas mixed are found so');
    g.ok(/prompt_next is of another version: two are mixed/.test(said.out)
         || /newer/.test(said.err), `and said: ${(said.out + said.err)
                                                 .split('\n')[0]}`);

    /* by the documents' words */

    const back = `${config.db}_back`;

    said = await byWords(create);
    g.is([said.rc, said.err], [0, ''], 'made');
    said = await byWords(restore);
    g.ok(/role "prompt_app" has no settings of its own here/.test(said.err),
         'restored, without settings, says migrate');
    g.is([said.rc, said.out.split('\n').filter((line) => /^settings/.test(line))
                           .length], [1, 1], 'and restore-check');
    await grant(back);
    said = await ctl(back, 'prompt_owner', 'restore-check');
    g.is([said.rc, said.err], [0, ''], 'a superuser sets them: it is whole');
    g.is(await content(back), before, 'restored it is what was dumped');

    said = await byWords(hold);
    g.is([said.rc, said.err], [0, ''], 'the old one takes no more');
    said = await byWords(end);
    g.is([said.rc, said.err], [0, ''], 'what was ended since is ended');

    const hidden = async () => (await g.sql('SELECT name, is_public, state '
        + 'FROM prompts ORDER BY id', back)).map((row) => row.join(' '));

    g.is(await hidden(), ['prompt-0 t 0', 'prompt-1 f 0', 'prompt-2 f 0',
                          'prompt-3 t 0', 'prompt-4 t 0'],
         'what was deleted or made private is private');
    said = await byWords(gone);
    g.is([said.rc, said.err], [0, ''], 'what was deleted is deleted');
    g.is((await hidden())[1], `/${ids[1]} f 1`, 'once more');

    /* half of it is nothing, and nobody who is connected is in its way */

    const names = () => g.sql('SELECT datname, datallowconn FROM pg_database '
        + `WHERE datname LIKE '${config.db}%' ORDER BY 1`, 'postgres');

    await g.sql(`CREATE DATABASE ${config.db}_old`, 'postgres');

    const then = await names();

    said = await byWords(change);
    g.ok(said.rc !== 0, 'the old name is taken');
    g.is(await names(), then, 'they keep their names, and take connections');
    await g.sql(`DROP DATABASE ${config.db}_old`, 'postgres');

    const sits = g.sql('SELECT pg_sleep(600)', back).catch(() => null);

    await g.until(20, async () => (await g.sql('SELECT count(*) FROM '
        + `pg_stat_activity WHERE datname = '${back}' AND wait_event = `
        + "'PgSleep'"))[0][0] === '1');
    said = await byWords(change);
    g.is([said.rc, said.err], [0, ''], 'they change their names');
    await sits;

    /* each of its workers, on connections that are there and new ones */

    g.ok(await g.until(20, async () => (await Promise.all(
        Array.from({ length: 16 }, () => g.post('{ prompts { id } }'))))
        .every((r) => r.data)), 'the service runs on it');

    const r = await g.post('{ prompts { name versions { version } } }');

    g.is(r.data && r.data.prompts.map((p) => [p.name, p.versions.length])
                         .sort(),
         [0, 2, 3, 4].map((i) => [`prompt-${i}`, 2]), 'with what it had');

    for (const [key, status, name] of [[deleted.key, 401, 'deleted since'],
                                       [late.key, 401, 'made since'],
                                       [kept.key, 200, 'there all the time']]) {
        g.is((await g.post('{ me { id } }', {}, { key })).status, status,
             `a key that was ${name}`);
    }

    g.is((await g.execute(ids[2], { word: 'x' }, {})).data !== undefined, true,
         'it executes');
    g.is((await g.version(ids[4], 'third')).data.createPromptVersion.version, 3,
         'it changes');

    said = await check(config.db);
    g.is([said.rc, said.err], [0, ''], 'and is whole');

    /* one fault after the other, in a database that is nobody's any more */

    const db = `${config.db}_mend`;

    await run('bash', ['--norc', '-ec', `
        createdb -h ${config.pg_host} -U postgres ${db}
        pg_dump -h ${config.pg_host} -U postgres ${config.db} |
            psql -qX -h ${config.pg_host} -U postgres -d ${db} > /dev/null`]);

    said = await check(db);
    g.ok(/^settings of the role prompt_app for other .*plan_cache_mode/m
         .test(said.out), `settings do not come with it: ${said.out.trim()}`);
    await grant(db);

    const identity = async () => JSON.parse((await check(db, '--json')).out)
        .identity;
    const one = await identity();

    g.ok(one !== JSON.parse((await check(config.db, '--json')).out).identity,
         'a copy is another database');
    g.is((await check(db, '--new-identity')).rc, 0, '--new-identity');
    g.ok(await identity() !== one, 'makes it another one');

    const [[month]] = await g.sql("SELECT part FROM prompt_months_parts() "
        + "WHERE high IS NOT NULL ORDER BY high DESC LIMIT 1", db);

    /* of what is in the tables nothing is said while they are not whole */

    for (const group of [[
        ['DROP INDEX executions_version_idx',
         /^index executions_version_idx is missing: (CREATE INDEX .*)/],
        ['ALTER TABLE executions DISABLE TRIGGER ALL',
         /^trigger executions\.\w+ is not as it has to be/,
         'ALTER TABLE executions ENABLE TRIGGER ALL'],
        ['REVOKE EXECUTE ON FUNCTION prompt_log_sweep FROM prompt_app',
         /^the role prompt_app has not the right EXECUTE on prompt_log_sweep/,
         'GRANT EXECUTE ON FUNCTION prompt_log_sweep TO prompt_app'],
        ['GRANT ALL ON api_keys TO PUBLIC',
         /^everybody has the right .*DELETE.* on api_keys, .*: (REVOKE .*)$/],
        ['GRANT UPDATE ON users TO prompt_app',
         /^the role prompt_app has the right UPDATE on users, .*: REVOKE UPDA/,
         'REVOKE UPDATE ON users FROM prompt_app; GRANT UPDATE (password) ON '
         + 'users TO prompt_app'],
        ['GRANT UPDATE (name, id) ON users TO PUBLIC',
         /(REVOKE UPDATE \(id\), UPDATE \(name\) ON users FROM PUBLIC)$/],
        [`GRANT SELECT ON ${month} TO PUBLIC`,
         /^everybody has the right SELECT on executions_.*: (REVOKE .*)/],
        ['GRANT EXECUTE ON FUNCTION prompt_cluster() TO PUBLIC',
         /(REVOKE EXECUTE ON FUNCTION prompt_cluster\(\) FROM PUBLIC)$/],
        ['ALTER TABLE users ENABLE ROW LEVEL SECURITY',
         /^row security hides what is in users: (ALTER .*)/],
        [`ALTER ROLE prompt_app IN DATABASE ${db} RESET jit`,
         /^settings of the role prompt_app for other databases .* \(jit\)/,
         `ALTER ROLE prompt_app IN DATABASE ${db} SET jit = off`],
        ['ALTER TABLE prompt_labels OWNER TO postgres',
         /^prompt_labels belongs to postgres, not to prompt_owner: (ALTER .*)/],
        ['ALTER TABLE users ALTER email DROP NOT NULL',
         /^column users\.email is not as it has to be/,
         'ALTER TABLE users ALTER email SET NOT NULL']
    ], [
        ['DELETE FROM prompt_database',
         /^the database has no identity: run "promptctl migrate"/,
         'INSERT INTO prompt_database (random) VALUES '
         + "(decode(md5('x'), 'hex'))"],
        ["UPDATE log_mark SET mark = prompt_id_of(now() + interval '3 days')",
         /^the mark of the log is ahead of the clock/,
         'UPDATE log_mark SET mark = prompt_id_of(now() '
         + "- interval '1 hour')"],
        ['UPDATE prompts SET last_version = 7 WHERE name = \'prompt-0\'',
         /^prompt [-0-9a-f]{36} has 2 of its 7 versions/,
         "UPDATE prompts SET last_version = 2 WHERE name = 'prompt-0'"]
    ], [
        [`DROP TABLE ${month}`,
         /^executions have no table from .* on: restore/]
    ]]) {
        for (const [harm] of group) {
            await g.sql(harm, db);
        }

        said = await check(db);
        g.is([said.rc, said.err], [1, ''], 'faults are found');

        for (const [harm, words, mend] of group) {
            const match = said.out.split('\n').map((line) => words.exec(line))
                              .find(Boolean);

            if (g.ok(match, harm) && (mend || match[1])) {
                await g.sql(mend || match[1], db);
            }
        }

        if (group.length > 1) {
            g.is((await check(db)).rc, 0, 'all of it is mended by that');
        }
    }

    await withoutRights();
    await ofSuperuser();

    said = await check('postgres');
    g.is([said.rc, /has no schema of the service/.test(said.out)], [1, true],
         'a database that is none of the service');
});
