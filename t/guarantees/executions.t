#!/usr/bin/env node
/*
 * Whatever reached the provider is paid for, so it has exactly one row in a
 * final state: when clients leave, workers are killed, or PostgreSQL is away
 * at the end of the call.
 */

'use strict';

const g = require('../lib/guarantee.js');


/* rows of this test's prompts by what they were asked */
async function compare(what, prompt, allowed) {
    const calls = (await g.calls()).filter((c) => c.method === 'POST');
    const rows = new Map();
    const wrong = [];
    const count = {};

    for (const [word, status, finished] of await g.sql(
        "SELECT input->>'word', status, finished_at IS NOT NULL "
        + `FROM executions WHERE prompt_id = '${prompt}'`)) {
        rows.set(word, (rows.get(word) || []).concat(status));
        count[status] = (count[status] || 0) + 1;

        if (!allowed.includes(status) || finished !== 't') {
            wrong.push([word, status, finished]);
        }
    }

    g.diag(`${what}: ${calls.length} calls, rows: ${JSON.stringify(count)}`);
    g.is(wrong, [], `${what}: all rows are final`);
    g.is(calls.map((c) => c.body.messages[0].content)
              .filter((word) => (rows.get(word) || []).length !== 1), [],
         `${what}: each call has one row`);
    g.is(calls.length, new Set(calls.map((c) => c.body.messages[0].content))
                           .size, `${what}: nothing was called twice`);

    return { calls, rows };
}

const none = (prompt) => g.sql('SELECT count(*) FROM executions WHERE status '
                               + `= 'running' AND prompt_id = '${prompt}'`)
                          .then((rows) => rows[0][0] === '0');


/* FIN, half a FIN, RST, at any moment */
async function leave() {
    const total = Math.round(120 * g.scale);
    const id = await g.prompt('leaving', '{{word}}',
                              { model: 'fx:delay=150' });
    let stayed = 0;
    let told = 0;

    await g.calls('clear');

    await g.share(24, total, (i) => new Promise((done) => {
        const socket = g.connect();
        const way = g.any(['destroy', 'reset', 'end', 'stay']);
        let text = '';

        stayed += way === 'stay' ? 1 : 0;

        socket.on('data', (data) => {
            text += data;

            if (/"executePrompt":\{/.test(text)) {
                told++;
                socket.destroy();
            }
        });
        socket.on('error', () => {});
        socket.on('close', done);
        socket.write(g.raw('mutation ($id: ID!, $input: JSON!) '
            + '{ executePrompt(promptId: $id, input: $input) '
            + '{ output executionId } }', { id, input: { word: `l${i}` } }));

        setTimeout(() => {
            if (way === 'destroy') {
                socket.destroy();
            } else if (way === 'reset') {
                socket.resetAndDestroy();
            } else if (way === 'end') {
                socket.end();
                setTimeout(() => socket.destroy(), 1000);
            }
        }, Math.random() * 250);
    }));

    g.ok(await g.until(10, () => none(id)), 'leaving: nothing keeps running');

    /* what was begun is done, also for who left while its start was written */

    const { calls } = await compare('leaving', id, ['succeeded']);

    g.ok(told >= stayed, 'leaving: who stays is answered');
    g.ok(calls.length >= stayed, 'leaving: and calls were made');
}


/* the location does not ignore that its client left: the call is cancelled */
async function cancel() {
    const id = await g.prompt('cancelled', '{{word}}',
                              { model: 'off-fx:delay=700' });

    await g.calls('clear');

    await g.clients(6, (i) => new Promise((done) => {
        const socket = g.connect();

        socket.on('error', () => {});
        socket.on('close', done);
        socket.write(g.raw('mutation ($id: ID!, $input: JSON!) '
            + '{ executePrompt(promptId: $id, input: $input) '
            + '{ executionId } }', { id, input: { word: `c${i}` } }));
        setTimeout(() => (i % 2 ? socket.destroy()
                                : socket.resetAndDestroy()), 300);
    }));

    g.ok(await g.until(10, () => none(id)), 'cancelled: nothing keeps running');
    await compare('cancelled', id, ['cancelled']);
}


/* PostgreSQL is away when the provider answers */
async function away() {
    const id = await g.prompt('away', '{{word}}',
                              { model: 'long-fx:delay=3000' });
    const ended = g.tally();
    const ids = [];

    await g.calls('clear');

    const clients = g.clients(10, async (i) => {
        const r = ended.add(await g.execute(id, { word: `a${i}` }));

        if (r.errors && r.errors[0].extensions.executionId) {
            ids.push(r.errors[0].extensions.executionId);
        }
    });

    await g.until(5, async () => (await g.calls()).length === 10);
    await g.sleep(100);
    await g.killPostgres();
    await clients;
    g.diag(`away: ${ended}`);
    g.is(ended.seen, { '200 INTERNAL_SERVER_ERROR': 10 },
         'away: no success is told');
    g.is(new Set(ids).size, 10, 'away: but where it will be found');
    await g.startServices();
    g.ok(await g.until(15, async () => (await g.sql(
        'SELECT count(*) FROM executions WHERE status = '
        + `'succeeded' AND prompt_id = '${id}'`))[0][0] === '10'),
         'away: written later');

    const { rows } = await compare('away', id, ['succeeded']);

    g.is(rows.size, 10, 'away: all of them');
    g.is((await g.sql(`SELECT id FROM executions WHERE prompt_id = '${id}' `
                      + 'ORDER BY 1')).flat(), ids.sort(),
         'away: under the ids that were told');
}


/* reload and quit while results are kept: the old worker writes them first */
async function awayAndReload() {
    const id = await g.prompt('linger', '{{word}}',
                              { model: 'long-fx:delay=2500' });

    await g.calls('clear');

    const clients = g.clients(6, (i) => g.execute(id, { word: `r${i}` }));

    await g.until(5, async () => (await g.calls()).length === 6);
    await g.killPostgres();
    await clients;
    g.hup();
    await g.sleep(1000);
    await g.startServices();
    g.ok(await g.until(20, async () => (await g.sql(
        'SELECT count(*) FROM executions WHERE status = '
        + `'succeeded' AND prompt_id = '${id}'`))[0][0] === '6'),
         'away and reload: written by the workers that leave');
    await compare('away and reload', id, ['succeeded']);
    g.ok(await g.until(20, () => g.leaving().length === 0),
         'away and reload: which then leave');
}


/* a worker is killed while it waits for the provider */
async function killed() {
    const id = await g.prompt('killed', '{{word}}', { model: 'fx:delay=1500' });
    const ended = g.tally();

    await g.calls('clear');

    const clients = g.clients(12, async (i) => {
        ended.add(await g.execute(id, { word: `k${i}` }, { agent: false }));
    });

    await g.until(5, async () => (await g.calls()).length === 12);
    await g.until(5, async () => (await g.sql(
        'SELECT count(*) FROM executions WHERE status = '
        + `'running' AND prompt_id = '${id}'`))[0][0] === '12');
    g.signal('SIGKILL', g.workers());
    await clients;
    g.diag(`killed: ${ended}`);
    g.ok(await g.until(10, async () =>
        g.ending(await g.post('{ me { id } }', {}, { agent: false }))
            === '200'), 'killed: new workers answer');

    const rows = await g.sql('SELECT status, deadline > now(), deadline < '
        + "now() + interval '1 minute', count(*) FROM executions "
        + `WHERE prompt_id = '${id}' GROUP BY 1, 2, 3`);

    g.is(rows, [['running', 't', 't', '12']],
         'killed: the rows say until when at most');

    /*
     * as if that were long ago: the sweeper comes within 15 s, and looks at
     * what is older than 30 s
     */
    await g.sql("UPDATE executions SET deadline = now() - interval '1 minute' "
                + "WHERE status = 'running'");
    g.ok(await g.until(90, () => none(id)), 'killed: swept');
    g.is(await g.sql('SELECT status, count(*), bool_and(error IS NOT NULL) '
                     + `FROM executions WHERE prompt_id = '${id}' GROUP BY 1`),
         [['lost', '12', 't']], 'killed: what was running is lost');

    const { data } = await g.post('query ($id: ID!) { prompt(id: $id) '
        + '{ versions { executions { status error finishedAt } } } }', { id });

    g.is(data.prompt.versions[0].executions.length, 12,
         'killed: and can be read');
}


g.main({
    postgres: '%CONNINFO% connections=2 timeout=1s connect_timeout=1s',
    http: 'prompt_key_cache valid=60s unknown=5s;'
          + 'prompt_provider off /_provider/off timeout=2s;'
          + 'prompt_model off-fx:* provider=off;'
          + 'prompt_provider long /_provider/off timeout=30s;'
          + 'prompt_model long-fx:* provider=long;',
    locations: 'location = /_provider/off { internal; '
               + 'proxy_pass http://127.0.0.1:%PROVIDER%; }',
    allow: /\[alert\].*exited on signal 9$/
}, async () => {
    await leave();
    await cancel();
    await away();
    await awayAndReload();
    await killed();
});
