#!/usr/bin/env node
/*
 * HTTP/2: a call goes on when its stream ends, or the connection with all of
 * them, and is recorded once; with proxy_ignore_client_abort off it is
 * cancelled.
 */

'use strict';

const http2 = require('http2');

const g = require('../lib/guarantee.js');

const options = {};
const run = 'mutation ($id: ID!, $input: JSON!) { executePrompt(promptId: $id, '
            + 'input: $input) { output executionId } }';
let port = 0;


function connect(settings) {
    const session = http2.connect(`http://127.0.0.1:${port}`, settings);

    session.on('error', () => {});

    return session;
}

/* a call on a stream of its own: { stream, answer } */
function call(session, id, word) {
    const body = JSON.stringify({ query: run,
                                  variables: { id, input: { word } } });
    const stream = session.request({
        ':method': 'POST', ':path': '/graphql',
        'content-type': 'application/json', 'x-api-key': g.config.alice_key
    });
    const answer = new Promise((done) => {
        let text = '';

        stream.setEncoding('utf8');
        stream.on('data', (data) => { text += data; });
        stream.on('error', () => done(null));
        stream.on('close', () => {
            try {
                done(JSON.parse(text));
            } catch {
                done(null);
            }
        });
    });

    stream.end(body);

    return { stream, answer };
}

const rows = async (id, where) => (await g.sql(
    "SELECT input->>'word', status FROM executions WHERE prompt_id = "
    + `'${id}' ${where || ''} ORDER BY 1, 2`)).map((row) => row.join(' '));

/*
 * What was asked of the provider, and how it stands in the database; failed:
 * a word that failed without having been asked.
 */
async function compare(what, id, words, status, failed) {
    g.ok(await g.until(20, async () =>
             (await rows(id, "AND status <> 'running'")).length
             >= words.length + (failed ? 1 : 0)), `${what}: all have ended`);
    g.is(await rows(id), words.map((word) => `${word} ${status}`)
                              .concat(failed ? `${failed} failed` : []).sort(),
         `${what}: each call has one row`);
    g.is((await g.calls()).filter((c) => c.method === 'POST')
             .map((c) => c.body.messages[0].content).sort(),
         [...words].sort(), `${what}: nothing was called twice`);
}

const called = (n) => g.until(20, async () =>
    (await g.calls()).filter((c) => c.method === 'POST').length === n);


/* ends(session, streams) while all of them wait for the provider */
async function end(what, model, status, ends) {
    const id = await g.prompt(what, '{{word}}', { model });
    const words = Array.from({ length: 5 }, (_, i) => `${what} ${i}`);
    const session = connect();

    await g.calls('clear');

    const calls = words.map((word) => call(session, id, word));

    g.ok(await called(words.length), `${what}: the provider is asked`);
    await ends(session, calls);
    await compare(what, id, words, status);
    session.destroy();
}


/* a stream ends at any moment; those that stay are answered */
async function leave() {
    const total = Math.round(60 * g.scale);
    const id = await g.prompt('any moment', '{{word}}',
                              { model: 'fx:delay=100' });
    const sessions = Array.from({ length: 4 }, () => connect());
    let lost = 0;

    await g.calls('clear');

    await g.share(16, total, async (i) => {
        const session = sessions[i % sessions.length];
        const { stream, answer } = call(session, id, `any ${i}`);
        const stays = i % 3 === 0;

        if (!stays) {
            setTimeout(() => stream.close(http2.constants.NGHTTP2_CANCEL),
                       Math.random() * 200);
        }

        const r = await answer;

        lost += stays && !(r && r.data && r.data.executePrompt) ? 1 : 0;
    });

    g.is(lost, 0, 'any moment: who stays is answered');
    g.ok(await g.until(20, async () =>
             (await rows(id, "AND status = 'running'")).length === 0),
         'any moment: nothing keeps running');

    const made = (await g.calls()).filter((c) => c.method === 'POST')
        .map((c) => c.body.messages[0].content);

    g.is(await rows(id), made.map((word) => `${word} succeeded`).sort(),
         'any moment: each call has one row');
    sessions.forEach((session) => session.destroy());
}


/* whose stream ends while the start is waited for has its call made, too */
async function start() {
    const id = await g.prompt('start', '{{word}}', { model: 'fx:echo' });
    const session = connect();

    await call(session, id, 'kept').answer;
    await g.calls('clear');

    const lock = await g.hold(id);
    const reset = call(session, id, 'reset');

    g.ok(await g.until(20, () => g.blocked()), 'start: it waits');

    const stays = call(session, id, 'stays');

    await g.sleep(200);
    reset.stream.close(http2.constants.NGHTTP2_CANCEL);
    await g.sleep(200);
    await lock.end();

    const { data } = await stays.answer;

    g.is(data && data.executePrompt.output, 'stays', 'start: the other goes on');
    g.ok(await g.until(20, async () => (await rows(id, "AND status = "
                                                   + "'running'")).length
                                       === 0), 'start: no row is left running');
    g.is((await rows(id, "AND status = 'succeeded'")), ['kept succeeded',
         'reset succeeded', 'stays succeeded'], 'start: all are executed');
    g.is((await g.calls()).filter((c) => c.method === 'POST').length, 2,
         'start: once each');
    session.destroy();
}


/* a large answer that the client does not take is no reason to lose it */
async function window() {
    const id = await g.prompt('window', '{{word}}', { model: 'fx:big=3000000' });
    const session = connect({ settings: { initialWindowSize: 1000 } });
    const { stream } = call(session, id, 'window');

    await g.calls('clear');
    stream.pause();
    g.ok(await g.until(20, async () => (await rows(id, "AND status = "
                                                   + "'succeeded'")).length
                                       === 1), 'window: recorded');
    stream.close(http2.constants.NGHTTP2_CANCEL);
    g.ok(await g.until(20, () => stream.closed), 'window: and given up');
    session.destroy();
}


/* what limit_req holds up beyond the call's time is answered at its end */
async function limited() {
    const id = await g.prompt('limited', '{{word}}', { model: 'limited-fx:ok' });
    const session = connect();

    await g.calls('clear');

    const first = await call(session, id, 'limited 0').answer;
    const second = await Promise.race([
        call(session, id, 'limited 1').answer,
        g.sleep(20000 * g.slow)
    ]);

    g.ok(first && first.data.executePrompt, 'limited: one goes through');
    g.ok(second && second.errors
         && /timed out/.test(second.errors[0].message),
         'limited: the other is answered when its time is over');
    await compare('limited', id, ['limited 0'], 'succeeded', 'limited 1');
    session.destroy();
}


options.before = async (config) => {
    port = await g.freePort();
    options.locations = `
        listen 127.0.0.1:${port} http2;
        location = /_provider/off {
            internal;
            proxy_pass http://127.0.0.1:%PROVIDER%/v1/chat/completions;
        }
        location = /_provider/limited {
            internal;
            limit_req zone=slow burst=10;
            proxy_pass http://127.0.0.1:${config.provider}/limited;
        }
    `;

    return null;
};

options.http = `
    limit_req_zone $server_port zone=slow:1m rate=1r/m;
    prompt_provider limited /_provider/limited timeout=500ms;
    prompt_model limited-fx:* provider=limited;
    prompt_provider off /_provider/off timeout=20s;
    prompt_provider slow /_provider/openai timeout=20s;
    prompt_model off-fx:* provider=off;
    prompt_model slow-fx:* provider=slow;
`;


g.main(options, async () => {
    const cancel = http2.constants.NGHTTP2_CANCEL;
    const slow = 'slow-fx:delay=1500';

    await end('RST_STREAM', slow, 'succeeded', (session, calls) =>
        calls.forEach((c) => c.stream.close(cancel)));
    await end('the connection', slow, 'succeeded', (session) =>
        session.destroy());
    await end('half of it', slow, 'succeeded', (session) =>
        session.socket && session.destroy(null, cancel));
    await end('GOAWAY', slow, 'succeeded', async (session, calls) => {
        session.close();

        const answers = await Promise.all(calls.map((c) => c.answer));

        g.is(answers.filter((r) => r && r.data && r.data.executePrompt).length,
             calls.length, 'GOAWAY: streams that are open are answered');
    });
    await end('GOAWAY, cut', slow, 'succeeded', (session) => {
        session.goaway();
        setTimeout(() => session.destroy(), 100);
    });
    await end('a reload', slow, 'succeeded', async (session, calls) => {
        g.hup();

        const answers = await Promise.all(calls.map((c) => c.answer));

        g.is(answers.filter((r) => r && r.data && r.data.executePrompt).length,
             calls.length, 'a reload: streams that are open are answered');
    });

    await end('off, RST_STREAM', 'off-fx:hang', 'cancelled', (session, calls) =>
        calls.forEach((c) => c.stream.close(cancel)));
    await end('off, the connection', 'off-fx:hang', 'cancelled', (session) =>
        session.destroy());

    await limited();
    await leave();
    await start();
    await window();
});
