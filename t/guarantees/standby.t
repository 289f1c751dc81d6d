#!/usr/bin/env node
/*
 * Reads from a standby: whoever has written reads what they wrote.  Two hosts,
 * clients that change something on one of them and at once read it on any,
 * while replay is paused, delayed and resumed, the standby and Redis are
 * killed and come back.  What a client knows of its own prompts is compared
 * with each answer.
 */

'use strict';

const { execFile } = require('child_process');
const fs = require('fs');
const path = require('path');

const g = require('../lib/guarantee.js');
const second = require('../lib/second.js');

const hosts = [];
const wrong = [];
let harmed = 'nothing';
let over = false;
let reads = 0;
let writes = 0;
let errors = 0;


const run = (...args) => new Promise((done, fail) => {
    execFile(args[0], args.slice(1), { cwd: '/' }, (error, out) =>
        (error ? fail(error) : done(out.trim())));
});

const standbySql = (config, text) => run(config.psql, '-X', '-q', '-A', '-t',
    '-h', `${config.place}/sock2`, '-U', 'postgres', '-d', 'postgres', '-c',
    text);

/* pg_ctl of the standby, as the user that runs it */
function standbyCtl(config, ...args) {
    const command = [path.join(config.pg_bin, 'pg_ctl'), '-s', '-w', '-D',
                     `${config.place}/standby`, '-l',
                     `${config.place}/standby/server.log`, ...args];

    return process.getuid() === 0
           ? run('runuser', '-u', 'postgres', '--', ...command)
           : run(...command);
}

async function counted(name) {
    let sum = 0;

    for (const { port } of hosts) {
        const r = await g.get('/metrics', { port });
        const lines = r.text.split('\n').filter((l) => l.startsWith(name));

        sum += lines.reduce((n, l) => n + Number(l.split(' ').pop()), 0);
    }

    return sum;
}


/* a client: what it has made, and what it then must see */

const READ = 'query ($id: ID!) { prompt(id: $id) { description '
    + 'versions { version } labels { label version } } }';

async function look(client, made) {
    const { port } = g.any(hosts);
    const before = harmed;
    const r = await g.post(READ, { id: made.id }, { key: client.key, port });

    if (!r.data) {
        const gone = r.code === 'NOT_FOUND'
                     || (r.partial && r.partial.prompt === null);

        if (made.gone && gone) {
            reads++;

        } else if (gone || r.code === 'UNAUTHENTICATED') {
            wrong.push({ expected: made, got: r.errors, before, harmed });

        } else {
            errors++;
        }

        return;
    }

    reads++;

    const p = r.data.prompt;
    const seen = p && { description: p.description,
                        versions: p.versions.length,
                        label: p.labels.length
                               ? p.labels[0].version : 0 };
    const known = made.gone ? null
        : { description: made.description, versions: made.versions,
            label: made.label };

    if (JSON.stringify(seen) !== JSON.stringify(known)) {
        wrong.push({ expected: known, got: seen, before, harmed,
                     position: r.headers['prompt-position'] });
    }
}

async function listed(client, made) {
    const { port } = g.any(hosts);
    const r = await g.post('query ($name: String!) { promptByName(name: $name) '
        + '{ id } prompts(first: 1000) { id } }', { name: made.name },
        { key: client.key, port });

    if (!r.data) {
        errors += r.code === 'NOT_FOUND' && made.gone ? 0 : 1;
        return;
    }

    reads++;

    const ids = r.data.prompts.map((p) => p.id);

    if (ids.includes(made.id) === made.gone
        || Boolean(r.data.promptByName) === made.gone)
    {
        wrong.push({ expected: made, got: 'another list', harmed });
    }
}

async function change(client, made, serial) {
    const options = { key: client.key, port: g.any(hosts).port };
    const what = made === null ? 0 : g.any([1, 1, 2, 2, 3, 4, 5]);

    writes++;

    if (what === 0) {
        const name = `own-${client.number}-${serial}`;
        const r = await g.post('mutation ($input: CreatePromptInput!) '
            + '{ createPrompt(input: $input) { id } }',
            { input: { name, description: `d${serial}` } }, options);

        return r.data ? { id: r.data.createPrompt.id, name, versions: 0,
                          description: `d${serial}`, label: 0, gone: false }
                      : undefined;
    }

    if (what === 1) {
        const r = await g.post('mutation ($id: ID!, $input: '
            + 'UpdatePromptInput!) { updatePrompt(id: $id, input: $input) '
            + '{ id } }',
            { id: made.id, input: { description: `d${serial}` } }, options);

        made.description = r.data ? `d${serial}` : undefined;
        return r.data ? made : undefined;
    }

    if (what === 2) {
        const r = await g.version(made.id, `v${serial}`, { model: 'fx:ok' },
                                  options);

        made.versions += 1;
        return r.data ? made : undefined;
    }

    if (made.versions === 0) {
        return made;
    }

    if (what === 3) {
        const r = await g.post('mutation ($id: ID!, $v: Int!) '
            + '{ setPromptLabel(promptId: $id, label: "live", version: $v) '
            + '{ label } }', { id: made.id, v: made.versions }, options);

        made.label = made.versions;
        return r.data ? made : undefined;
    }

    if (what === 4) {
        const r = await g.execute(made.id, {}, options);

        if (!r.data) {
            return undefined;
        }

        const seen = await g.post('query ($id: ID!) { execution(id: $id) '
            + '{ status } }', { id: r.data.executePrompt.executionId },
            { key: client.key, port: g.any(hosts).port });

        if (seen.data ? !seen.data.execution
                        || seen.data.execution.status !== 'succeeded'
                      : seen.code === 'NOT_FOUND')
        {
            wrong.push({ expected: 'an execution', got: seen.data, harmed });
        }

        return made;
    }

    const r = await g.post('mutation ($id: ID!) { deletePrompt(id: $id) }',
                           { id: made.id }, options);

    made.gone = true;
    return r.data ? made : undefined;
}

async function live(client) {
    let made = null;

    for (let serial = 0; !over; serial++) {
        made = await change(client, made, serial);

        /* where it is not known what is there, another one is begun */
        if (made === undefined) {
            errors++;
            made = null;
            continue;
        }

        const times = g.any([1, 1, 2, 6]);

        for (let i = 0; i < times && !over; i++) {
            await (i % 3 === 1 ? listed(client, made) : look(client, made));

            if (i > 0) {
                await g.sleep(Math.random() * 80);
            }
        }

        if (made.gone) {
            made = null;
        }
    }
}


/* each root field that a standby may answer: it does */

async function everything() {
    const id = await g.prompt('all of it', 'x');
    const run = await g.execute(id, {});
    const { executionId } = run.data.executePrompt;
    const fields = [
        'prompts { id versions { version } }', 'prompts(search: "all") { id }',
        `prompt(id: "${id}") { createdBy { email } labels { label } versions `
        + '{ content executions(first: 5) { id } } }',
        'promptByName(name: "all-of-it") { id }',
        'executions(first: 5) { id prompt { name } }',
        'executions(status: ["succeeded"]) { id }',
        `execution(id: "${executionId}") { status }`,
        'statistics(since: "2020-01-01T00:00:00Z", by: DAY, until: '
        + '"2021-01-01T00:00:00Z") { executions }'
    ];

    for (const field of fields) {
        let last = null;
        const read = await g.until(10, async () => {
            last = await g.post(`{ ${field} }`);

            return last.data && last.headers['prompt-position'];
        });

        g.ok(read, `a standby answers: ${field.slice(0, 40)}`);

        if (!read) {
            g.diag(JSON.stringify(last));
        }
    }
}


/* tokens: what one client has written, another one sees */

async function tokens(config) {
    const r = await g.post('mutation { createPrompt(input: {name: "told", '
                           + 'isPublic: true}) { id } }');
    const token = r.headers['prompt-position'];
    const { id } = r.data.createPrompt;
    const ask = (value) => g.post('query ($id: ID!) { prompt(id: $id) '
        + '{ name } }', { id }, { key: config.bob_key, port: g.any(hosts).port,
                                  headers: { 'Prompt-Position': value } });

    g.ok(/^[0-9a-f]{32}$/.test(token), 'a change has a token');

    await standbySql(config, 'SELECT pg_wal_replay_pause()');

    const more = await g.post('mutation ($id: ID!) { updatePrompt(id: $id, '
                              + 'input: {name: "told-again"}) { id } }', { id });
    const seen = await ask(more.headers['prompt-position']);

    g.is(seen.data.prompt.name, 'told-again', 'with it another sees the same');
    g.ok(/^[0-9a-f]{32}$/.test(seen.headers['prompt-position']),
         'and has a token of what the primary has shown');

    const without = await g.post('query ($id: ID!) { prompt(id: $id) '
        + '{ name } }', { id }, { port: g.any(hosts).port });

    g.is([without.data.prompt.name, without.headers['prompt-position']],
         ['told-again', undefined], 'who has none is given none by it');

    await standbySql(config, 'SELECT pg_wal_replay_resume()');

    const odd = await g.clients(4, (i) =>
        ask(['x', '', `${token}0`, `${token.slice(1)}g`][i]));

    g.is(odd.map((o) => o.status + o.code),
         Array(4).fill('400BAD_USER_INPUT'), 'what is no token is refused');

    const other = await ask(token.replace(/./g, '7'));

    g.is(other.data.prompt.name, 'told-again',
         'one that nobody gave is as good as none');
}


/*
 * A standby that is promoted while its primary goes on: its log grows by
 * itself, under connections that were made before.
 */

async function promoted(config) {
    const id = await g.prompt('before it', 'x');
    const said = async () => (await standbySql(config,
        'SELECT pg_is_in_recovery()')) === 'f';

    await standbyCtl(config, 'promote');
    g.ok(await g.until(20, said), 'the standby is promoted');

    for (let i = 0; i < 3; i++) {
        await standbySql(config, 'CREATE TABLE promoted (); DROP TABLE '
                                 + 'promoted; SELECT pg_switch_wal()');
    }

    const old = [];

    for (let i = 0; i < 40; i++) {
        const description = `after it ${i}`;

        await g.post('mutation ($id: ID!, $input: UpdatePromptInput!) '
            + '{ updatePrompt(id: $id, input: $input) { id } }',
            { id, input: { description } }, { port: g.any(hosts).port });

        const r = await g.post(READ, { id }, { port: g.any(hosts).port });

        if (!r.data || r.data.prompt.description !== description) {
            old.push(r.data || r.errors);
        }

        await g.sleep(20);
    }

    g.is(old.slice(0, 3), [], 'one that was promoted beside is not read');
}


/* harm: each undoes itself */

const harms = {
    pause: async (config) => {
        await standbySql(config, 'SELECT pg_wal_replay_pause()');
        await g.sleep(200 + Math.random() * 1200);
        await standbySql(config, 'SELECT pg_wal_replay_resume()');
    },
    delay: async (config) => {
        await standbySql(config, 'ALTER SYSTEM SET recovery_min_apply_delay '
                                 + `= ${g.any([20, 100, 300])}`);
        await standbySql(config, 'SELECT pg_reload_conf()');
        await g.sleep(800 + Math.random() * 400);
        await standbySql(config,
                         'ALTER SYSTEM RESET recovery_min_apply_delay');
        await standbySql(config, 'SELECT pg_reload_conf()');
    },
    standby: async (config) => {
        const pid = g.pidIn(`${config.place}/standby/postmaster.pid`);
        const all = [pid, ...g.children(pid)];

        g.signal('SIGKILL', pid);
        await g.until(10, () => !all.some(g.alive));
        await g.sleep(200);

        /* where nobody reaps it, its number would be taken for a running one */
        fs.rmSync(`${config.place}/standby/postmaster.pid`, { force: true });
        fs.rmSync(`${config.place}/sock2/.s.PGSQL.5432.lock`, { force: true });
        await standbyCtl(config, 'start');
    },
    redis: async () => {
        g.signal('SIGKILL', g.redisPid());
        await g.sleep(100 + Math.random() * 300);
        await g.startServices();
    },
    flush: async () => {
        await g.redis('FLUSHALL');
        await g.sleep(300);
    },
    slow: async () => {
        for (let i = 0; i < 3; i++) {
            const pid = g.redisPid();

            g.signal('SIGSTOP', pid);
            await g.sleep(20 + Math.random() * 180);
            g.signal('SIGCONT', pid);
            await g.sleep(Math.random() * 100);
        }
    },
    reload: async () => {
        for (const host of hosts) {
            g.signal('SIGHUP', host.master());
            await g.sleep(Math.random() * 300);
        }
    },
    killed: async () => {
        for (const host of hosts) {
            g.signal('SIGKILL', g.any(g.children(host.master())));
            await g.sleep(100 + Math.random() * 300);
        }
    }
};

async function harm(config, name) {
    harmed = name;
    await harms[name](config);
    harmed = `${name} is over`;
}


g.main({
    workers: 2,
    postgres: '%CONNINFO% connections=4',
    allow: /redis|standby|exited on signal 9/,
    before: async (config) => {
        config.place = await g.services('standby');
        config.pg_bin = path.dirname(config.psql) === '/usr/bin'
                        ? (await run('pg_config', '--bindir'))
                        : path.dirname(config.psql);
        config.http = `${config.http}\n    prompt_postgres_read `
            + `"${config.conninfo.replace(/host=\S+/,
                                          `host=${config.place}/sock2`)}" `
            + 'max_lag=500ms connections=2;\n';
    }
}, async (config) => {
    /* commits are not to wait for a standby that is away */
    await g.sql('ALTER SYSTEM RESET synchronous_standby_names');
    await g.sql('SELECT pg_reload_conf()');

    hosts.push({ port: config.port, master: g.master });
    hosts.push(await second.start(config));
    g.ok(hosts[1], 'a second host');

    const quiet = async () => {
        const r = await g.post('{ prompts(first: 1) { id } }', {},
                               { port: g.any(hosts).port });

        return r.headers['prompt-position'];
    };

    g.ok(await g.until(20, quiet), 'a standby is read');

    await everything();
    await tokens(config);

    const clients = [0, 1, 2, 3, 4, 5].map((number) => live({ number,
        key: number % 2 ? config.bob_key : config.alice_key }));

    await g.sleep(1000 * g.scale);

    const order = ['pause', 'delay', 'standby', 'redis', 'pause', 'flush',
                   'slow', 'reload'];

    for (let i = 0; i < order.length * g.scale; i++) {
        await harm(config, i < order.length ? order[i]
                                            : g.any(Object.keys(harms)));
        await g.sleep(200);
    }

    await g.sleep(1000);
    over = true;
    await Promise.all(clients);

    const by = {};

    for (const result of ['standby', 'behind', 'lag', 'unavailable',
                          'no_mark']) {
        by[result] = await counted('prompt_standby_reads_total'
                                   + `{result="${result}"}`);
    }

    g.diag(`${writes} changes, ${reads} reads, ${errors} errors; queries: `
           + JSON.stringify(by));
    g.diag(`changes held: ${await counted('prompt_changes_held_total')}`);
    g.is(wrong.slice(0, 5), [], 'no older state of what was written');
    g.ok(reads > 50 && writes > 50, 'there were some');
    g.ok(by.standby > 0, 'standbys were read');
    g.ok(by.behind + by.lag > 0, 'and passed over');
    g.ok(errors <= writes / 10 + 20, 'few errors');
    g.ok(await g.until(20, quiet), 'a standby is read again');

    await g.sql('SELECT pg_switch_wal()');
    g.ok(await g.until(20, quiet), 'and where a segment of the log begins');

    await promoted(config);
    g.ok(await second.stop(), 'the second host leaves');
    g.is(second.faults(config).filter((line) => !/signal 9/.test(line))
        .slice(0, 5), [], 'its log is clean');
});
