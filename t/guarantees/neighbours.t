#!/usr/bin/env node
/*
 * One user does not stop the others: what is heavy, or waits for a lock, runs
 * beside the short reads of somebody else, who is measured from another
 * process.  The ratios are printed; what is asserted is what no busy machine
 * can miss.
 */

'use strict';

const { spawn } = require('child_process');

const g = require('../lib/guarantee.js');


/* the other process: asks for `me`, one after the other, until told to stop */
async function ask(port, key) {
    const http = require('http');
    const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
    const body = JSON.stringify({ query: '{ me { id } }' });
    const times = [];
    const failed = {};
    let over = false;

    process.stdin.on('data', () => { over = true; });
    process.stdin.on('end', () => { over = true; });

    while (!over) {
        const start = performance.now();
        const text = await new Promise((done) => {
            const request = http.request({
                host: '127.0.0.1', port, path: '/graphql', method: 'POST',
                agent, headers: { 'Content-Type': 'application/json',
                                  'Content-Length': body.length,
                                  'X-API-Key': key }
            }, (response) => {
                let all = '';

                response.on('data', (data) => { all += data; });
                response.on('end', () => done(all));
                response.on('error', (e) => done(e.message));
            });

            request.on('error', (e) => done(e.message));
            request.end(body);
        });

        if (!/^{"data":{"me":{"id":"/.test(text)) {
            failed[text] = (failed[text] || 0) + 1;
        }

        times.push(performance.now() - start);
        await g.sleep(2);
    }

    process.stdout.write(JSON.stringify({ times, failed }),
                         () => process.exit(0));
}


/* what `me` took while act() ran */
async function beside(config, act) {
    const child = spawn(process.execPath, [__filename, 'ask', config.port,
                                           config.bob_key],
                        { stdio: ['pipe', 'pipe', 'inherit'] });
    let text = '';

    child.stdout.on('data', (data) => { text += data; });

    const gone = new Promise((done) => { child.on('close', done); });

    await g.sleep(300);
    await act();
    child.stdin.end('.');
    await gone;

    return JSON.parse(text);
}


const ms = (times, q) => Math.round(g.quantile(times, q) * 10) / 10;

function judge(name, alone, found) {
    const own = alone.times;
    const { times, failed } = found;

    g.diag(`${name}: me x ${times.length}: p50 ${ms(times, 0.5)} ms, `
           + `p99 ${ms(times, 0.99)} ms, longest ${ms(times, 1)} ms; alone `
           + `p50 ${ms(own, 0.5)} ms, p99 ${ms(own, 0.99)} ms`);
    g.is(failed, {}, `${name}: the neighbour is always answered`);
    g.ok(g.quantile(times, 0.5) < 250 * g.slow,
         `${name}: and hardly notices`);
}


/* 64 clients and one prompt */
async function versions(config, alone) {
    const ended = g.tally();
    const id = await g.prompt('hot', '1');
    let left = Math.round(2000 * g.scale);

    judge('versions', alone, await beside(config, () =>
        g.clients(64, async () => {
            while (left-- > 0) {
                ended.add(await g.version(id, 'x'));
            }
        })));

    g.diag(`versions: ${ended}`);
    g.is(ended.others('200'), 0, 'versions: all made');
    g.is(await g.sql('SELECT last_version = (SELECT count(*) FROM '
                     + `prompt_versions WHERE prompt_id = '${id}') FROM `
                     + `prompts WHERE id = '${id}'`),
         [['t']], 'versions: without a gap');
}


/* a prompt with many executions is deleted while it is changed */
async function removal(config, alone) {
    const rows = Math.round(100000 * g.scale);
    const ended = g.tally();
    const id = await g.prompt('heavy', '1');
    let over = false;

    await g.sql('INSERT INTO executions (id, prompt_id, version, executed_by, '
                + 'by_owner, status, finished_at) '
                + "SELECT gen_random_uuid(), "
                + `'${id}', 1, '${config.alice_id}', true, 'succeeded', now() `
                + `FROM generate_series(1, ${rows})`);

    judge('removal', alone, await beside(config, async () => {
        const updates = g.clients(24, async (i) => {
            for (let n = 0; !over; n++) {
                ended.add(await g.post(
                    'mutation ($id: ID!, $input: UpdatePromptInput!) '
                    + '{ updatePrompt(id: $id, input: $input) { id } }',
                    { id, input: { description: `${i} ${n}` } }));
            }
        });

        await g.sleep(200);

        const r = await g.post('mutation ($id: ID!) { deletePrompt(id: $id) }',
                               { id });

        g.diag(`removal: ${g.ending(r)} after ${Math.round(r.ms)} ms`);
        over = true;
        await updates;
    }));

    g.diag(`removal: updates ${ended}`);
    g.is(ended.others('200', '200 NOT_FOUND', '200 INTERNAL_SERVER_ERROR'), 0,
         'removal: sound answers');
}


/* searches that look at everything and find nothing */
async function searches(config, alone) {
    const rows = Math.round(3000 * g.scale);
    const ended = g.tally();
    let left = Math.round(60 * g.scale);

    await g.sql('INSERT INTO prompts (id, owner_id, name, description, '
                + 'category, updated_at) SELECT gen_random_uuid(), '
                + `'${config.alice_id}', 'many-' || i, `
                + "repeat('lorem ipsum dolor sit amet ', 360), 'GENERAL', "
                + `now() FROM generate_series(1, ${rows}) i`);

    judge('searches', alone, await beside(config, () =>
        g.clients(24, async () => {
            while (left-- > 0) {
                ended.add(await g.post('{ prompts(search: "no such words") '
                                       + '{ id } }'));
            }
        })));

    g.diag(`searches: ${ended}`);
    g.is(ended.others('200', '200 INTERNAL_SERVER_ERROR'), 0,
         'searches: sound answers');
}


if (process.argv[2] === 'ask') {
    ask(Number(process.argv[3]), process.argv[4]);

} else {
    g.main({
        workers: 1,
        postgres: '%CONNINFO% connections=4'
    }, async (config) => {
        const alone = await beside(config, () => g.sleep(1000));

        judge('alone', alone, alone);
        await versions(config, alone);
        await removal(config, alone);
        await searches(config, alone);
    });
}
