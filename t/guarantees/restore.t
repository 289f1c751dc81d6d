#!/usr/bin/env node
/*
 * The way back: a database is dumped, then things are deleted, renamed, added,
 * and the schema goes on; restored by the words of docs/operating.md it is what
 * it was when it was dumped, and the service runs on it.  Restored over the
 * newer one it is not, and promptctl restore-check says so.
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

const url = (db) => `host=${g.config.pg_host} user=postgres dbname=${db}`;

const check = (db, ...words) => run(`${g.config.root}/build/promptctl`,
    ['restore-check', '--database', url(db), ...words]);

const faults = async (db, change) => {
    await g.sql(change, db);

    const said = await check(db);

    g.is([said.rc, said.err], [1, ''], `a fault is found: ${change}`);

    return said.out.trim().split('\n');
};


/* the commands of "The way back" in their order, with names of this test's */
function commands() {
    const { config } = g;
    const text = fs.readFileSync(`${config.root}/docs/operating.md`, 'utf8');
    const section = /^## Backups$(.*?)^## /ms.exec(text)[1];

    return [...section.matchAll(/^ *```sh\n(.*?)^ *```/gms)].map(([, block]) =>
        block.replace(/^ {3}/gm, '')
             .replace(/sudo -u postgres psql/g,
                      `psql -qX -h ${config.pg_host} -U postgres`)
             .replace(/OWNER prompt_owner/, 'OWNER postgres')
             .replace(/DATABASE prompt\b/g, `DATABASE ${config.db}`)
             .replace(/\bprompt_(back|old)\b/g, `${config.db}_$1`)
             .replace(/(TO |')prompt\b/g, `$1${config.db}`));
}

const byWords = (block) => run('bash', ['-euo', 'pipefail', '-c', block], {
    PATH: `${g.config.root}/build:${process.env.PATH}`,
    PROMPT_DATABASE_URL: url(g.config.db), BACK: url(`${g.config.db}_back`),
    PROMPT_REDIS: `unix:${g.config.redis} prefix=${g.config.prefix}`
});

/* all rows of all tables, and what there is beside them */
async function content(db) {
    const tables = (await g.sql("SELECT relname FROM pg_class WHERE relkind IN "
        + "('r', 'p') AND relnamespace = 'public'::regnamespace ORDER BY 1",
        db)).flat();
    const all = {};

    for (const table of tables) {
        all[table] = (await g.sql('SELECT count(*), md5(string_agg(t::text, '
            + `chr(10) ORDER BY t::text)) FROM ONLY ${table} t`, db))[0].join();
    }

    all.functions = (await g.sql('SELECT count(*), md5(string_agg(prosrc, '
        + "'' ORDER BY proname, proargtypes)) FROM pg_proc WHERE pronamespace = "
        + "'public'::regnamespace", db))[0].join();
    all.indexes = (await g.sql('SELECT count(*), md5(string_agg(indexdef, '
        + "'' ORDER BY indexdef)) FROM pg_indexes WHERE schemaname = 'public'",
        db))[0].join();

    return all;
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

        await g.version(id, `second text ${i}`);
        await g.execute(id, { word: 'x' }, {});
        ids.push(id);
    }

    await g.post('mutation ($id: ID!) { setPromptLabel(promptId: $id, label: '
                 + '"live", version: 1) { version } }', { id: ids[0] });

    const deleted = await newKey();
    const kept = await newKey();

    let said = await check(config.db);

    g.is([said.rc, said.err], [0, ''], 'what is whole is found so');
    g.ok(/^the database is whole: schema version \d+, identity [0-9a-f]{16}$/m
         .test(said.out), 'in words');

    const [backup, create, restore, hold, end, change] = commands();

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
                 + '{ name: "another name" }) { name } }', { id: ids[2] });
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

    /* as it was documented once: over the newer one */

    await run('bash', ['-ec', `
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

    for (const [name, block] of [['made', create], ['restored', restore]]) {
        said = await byWords(block);
        g.is([said.rc, said.err], [0, ''], `${name}: exit status 0`);
    }

    g.is(await content(`${config.db}_back`), before,
         'restored it is what was dumped');

    said = await byWords(hold);
    g.is([said.rc, said.err], [0, ''], 'the old one takes no more');
    said = await byWords(end);
    g.is([said.rc, said.err], [0, ''], 'what was deleted since is deleted');
    said = await byWords(change);
    g.is([said.rc, said.err], [0, ''], 'they change their names');

    g.ok(await g.until(20, async () => (await g.post('{ me { id } }')).status
                                       === 200), 'the service runs on it');

    const r = await g.post('{ prompts { name versions { version } } }');

    g.is(r.data && r.data.prompts.map((p) => [p.name, p.versions.length])
                         .sort(),
         [0, 1, 2, 3, 4].map((i) => [`prompt-${i}`, 2]), 'with what it had');

    for (const [key, status, name] of [[deleted.key, 401, 'deleted since'],
                                       [late.key, 401, 'made since'],
                                       [kept.key, 200, 'there all the time']]) {
        g.is((await g.post('{ me { id } }', {}, { key })).status, status,
             `a key that was ${name}`);
    }

    g.is((await g.execute(ids[1], { word: 'x' }, {})).data !== undefined, true,
         'it executes');
    g.is((await g.version(ids[4], 'third')).data.createPromptVersion.version, 3,
         'it changes');

    said = await check(config.db);
    g.is([said.rc, said.err], [0, ''], 'and is whole');

    /* one fault after the other, in a database that is nobody's any more */

    const db = `${config.db}_mend`;

    await run('bash', ['-ec', `
        createdb -h ${config.pg_host} -U postgres ${db}
        pg_dump -h ${config.pg_host} -U postgres ${config.db} |
            psql -qX -h ${config.pg_host} -U postgres -d ${db} > /dev/null`]);

    const identity = async () => JSON.parse((await check(db, '--json')).out)
        .identity;
    const one = await identity();

    g.ok(one !== JSON.parse((await check(config.db, '--json')).out).identity,
         'a copy is another database');
    g.is((await check(db, '--new-identity')).rc, 0, '--new-identity');
    g.ok(await identity() !== one, 'makes it another one');

    const [[month]] = await g.sql("SELECT part FROM prompt_executions_parts() "
        + "WHERE high IS NOT NULL ORDER BY high DESC LIMIT 1", db);

    for (const [harm, words, mend] of [
        ['DROP INDEX executions_version_idx',
         /^index executions_version_idx is missing: (CREATE INDEX .*)/],
        ['ALTER TABLE executions DISABLE TRIGGER ALL',
         /^trigger executions\.\w+ is not as it has to be/,
         'ALTER TABLE executions ENABLE TRIGGER ALL'],
        ['REVOKE EXECUTE ON FUNCTION prompt_log_sweep(integer) FROM prompt_app',
         /^the role prompt_app has not the right EXECUTE on prompt_log_sweep/,
         'GRANT EXECUTE ON FUNCTION prompt_log_sweep(integer) TO prompt_app'],
        ['ALTER TABLE prompt_labels OWNER TO prompt_owner',
         /^prompt_labels belongs to prompt_owner, not to postgres: (ALTER .*)/],
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
         "UPDATE prompts SET last_version = 2 WHERE name = 'prompt-0'"],
        ['ALTER TABLE users ALTER email DROP NOT NULL',
         /^column users\.email is not as it has to be/,
         'ALTER TABLE users ALTER email SET NOT NULL'],
        [null, null],
        [`DROP TABLE ${month}`,
         /^executions have no table from .* on: restore/]
    ]) {
        if (words === null) {
            g.is((await check(db)).rc, 0, 'all of it is mended by that');
            continue;
        }

        const found = await faults(db, harm);
        const match = found.map((line) => words.exec(line)).find(Boolean);

        if (!g.ok(match, `said: ${found[0]}`)) {
            continue;
        }

        if (mend || match[1]) {
            await g.sql(mend || match[1], db);
        }
    }

    said = await check('postgres');
    g.is([said.rc, /has no schema of the service/.test(said.out)], [1, true],
         'a database that is none of the service');
});
