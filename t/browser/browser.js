/*
 * What the tests of the dashboard in a real browser (t/browser/*.t) share: the
 * servers of t/lib/guarantee.js, the dashboard that "make dashboard" built,
 * Debian's chromium.
 *
 *     const b = require('./browser.js');
 *
 *     b.main({}, async () => {
 *         await b.block('keys: a key is shown once', async () => {
 *             const page = await b.signIn('alice');
 *             ...
 *             b.is(await b.sql('SELECT ...'), [['1']], 'one row');
 *         });
 *     });
 *
 * A block fails with what it throws, and where a page of it has complained:
 * errors and warnings of the console, exceptions nobody caught, violations of
 * the policy.  What is expected of these is said by b.expect(/.../).  Contexts
 * opened in a block are closed with it.
 *
 * PROMPT_TEST_SHOTS=DIR keeps screenshots there; PROMPT_BROWSER=all runs what
 * "make test-long" has no time for (b.all); PROMPT_BROWSER_ONLY=REGEX some blocks;
 * CHROMIUM names another browser.
 */

'use strict';

const { execFileSync } = require('child_process');
const fs = require('fs');
const net = require('net');
const path = require('path');

const g = require('../lib/guarantee.js');

const root = path.join(__dirname, '..', '..');
const only = process.env.PROMPT_BROWSER_ONLY
             ? new RegExp(process.env.PROMPT_BROWSER_ONLY) : null;
const shots = process.env.PROMPT_TEST_SHOTS;

/* "password", hashed with little; made anew when its user signs in */
const stored = '$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHRzb21lc2FsdA'
               + '$55PWTvddWPUD1GMbKxSff4ASfF85k9ibHJt4HlHQtBM';

/* what each host name means, besides 127.0.0.1 */
const hosts = 'MAP *.test 127.0.0.1';

const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic',
               '--no-first-run', '--disable-background-networking',
               '--disable-component-update', '--disable-sync',
               '--disable-dev-shm-usage', '--no-proxy-server',
               `--host-resolver-rules=${hosts}`];

let chromium = null;
let Axe = null;
let browser = null;
let config = null;
let block = null;             /* { contexts, complaints, expected } */

exports.all = process.env.PROMPT_BROWSER === 'all';
exports.password = 'password';

for (const name of ['ok', 'is', 'diag', 'sql', 'redis', 'post', 'get',
                    'request', 'prompt', 'version', 'execute', 'calls',
                    'sleep', 'until', 'hup', 'log', 'slow', 'quit', 'start',
                    'services', 'clients', 'share'])
{
    exports[name] = g[name];
}

/* the keys of alice and bob, ports and so on: see t/lib/guarantee.js */
exports.config = () => config;


/* what is needed; a reason where it is not there */

function dashboard() {
    return [process.env.PROMPT_BUILD || path.join(root, 'build'),
            path.join(root, 'build')]
        .map((build) => path.join(build, 'dashboard'))
        .find((dir) => fs.existsSync(path.join(dir, 'manifest')));
}

exports.dashboard = dashboard;

function executable() {
    return [process.env.CHROMIUM, '/usr/bin/chromium']
        .find((file) => file && fs.existsSync(file));
}

function missing() {
    if (g.valgrind) {
        return 'too slow under valgrind';
    }

    try {
        ({ chromium } = require('playwright-core'));
        Axe = require('@axe-core/playwright').default;
    } catch {
        return 'playwright-core is not installed in t/browser';
    }

    if (!executable()) {
        return 'there is no chromium';
    }

    return dashboard() ? null : 'the dashboard is not built: make dashboard';
}


/* servers */

/* the standard locations; replaced by those of the same path in `own` */
exports.locations = (own = '') => {
    const standard = {
        '/dashboard/': `location /dashboard/ {
            prompt_dashboard ${dashboard()}; }`,
        '= /session': 'location = /session { prompt_session; }'
    };

    return Object.entries(standard)
        .filter(([where]) => !own.includes(`location ${where} `))
        .map(([, text]) => `        ${text}\n`).join('') + own;
};

/* another server of the same nginx: { listen, name, locations, more } */
exports.server = ({ listen, name, locations, more = '' }) => `
    server {
        listen 127.0.0.1:${listen};
        server_name ${name || '_'};
        ${more}
${locations === undefined ? config.server + exports.locations() : locations}
    }
`;

/* a port that is free, for `server` */
exports.freePort = () => new Promise((done, fail) => {
    const server = net.createServer();

    server.on('error', fail);
    server.listen(0, '127.0.0.1', () => {
        const { port } = server.address();

        server.close(() => done(port));
    });
});

/* a certificate of *.test, for servers with TLS: directives */
exports.certificate = () => {
    execFileSync('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt',
                             'ec_paramgen_curve:P-256', '-nodes', '-days', '2',
                             '-subj', '/CN=app.test',
                             '-addext', 'subjectAltName=DNS:*.test',
                             '-keyout', `${config.at}/tls.key`,
                             '-out', `${config.at}/tls.pem`],
                 { stdio: 'ignore' });

    return `ssl_certificate ${config.at}/tls.pem;
        ssl_certificate_key ${config.at}/tls.key;`;
};

exports.url = (where = '') =>
    `http://127.0.0.1:${config.port}/dashboard/${where}`;


/* pages */

/* what a page complains of goes to its block */
function watch(context, of) {
    context.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) {
            of.complaints.push(`${message.text()} (${message.location().url})`);
        }
    });
    context.on('weberror', (error) => {
        of.complaints.push(`uncaught: ${error.error().stack}`);
    });
}

/*
 * A browser of one's own: cookies, storage, clipboard.  options: those of
 * playwright's newContext.
 */
exports.context = async (options = {}) => {
    const context = await browser.newContext({
        viewport: { width: 1280, height: 800 },
        locale: 'en-GB',
        timezoneId: 'Europe/Helsinki',
        colorScheme: 'light',
        reducedMotion: 'reduce',
        ignoreHTTPSErrors: true,
        ...options
    });

    context.setDefaultTimeout(60000 * g.slow);
    watch(context, block);
    await context.addInitScript(() => {
        addEventListener('securitypolicyviolation', (e) => {
            console.error(`policy: ${e.violatedDirective} ${e.blockedURI} `
                          + `${e.sourceFile}:${e.lineNumber} ${e.sample}`);
        });
    });
    block.contexts.push(context);

    return context;
};

/* complaints of this block that are expected */
exports.expect = (pattern) => block.expected.push(pattern);

/* a refused request is a line in chromium's console, too */
exports.expectStatus = (...statuses) => {
    for (const status of statuses) {
        exports.expect(new RegExp(
            `^Failed to load resource: .* status of ${status} `));
    }
};

exports.open = async (where = '', options = {}) => {
    const context = options.context || await exports.context(options);
    const page = await context.newPage();

    await page.goto(/^https?:/.test(where) ? where : exports.url(where));

    return page;
};

/* the form of /login */
exports.enter = async (page, email, password = exports.password) => {
    await page.getByRole('textbox', { name: 'Email' }).fill(email);
    await page.getByRole('textbox', { name: 'Password' }).fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
};

/*
 * A page of alice, bob or whoever has an e-mail, signed in, at an address
 * below the dashboard.  Asks the session's location itself: the form is tested
 * by login.t.
 */
exports.signIn = async (who, where = 'prompts', options = {}) => {
    const context = options.context || await exports.context(options);
    const r = await context.request.post(
        new URL('/session', exports.url()).href,
        { data: { email: who.includes('@') ? who : `${who}@example.com`,
                  password: options.password || exports.password },
          headers: { 'Sec-Fetch-Site': 'same-origin',
                     'User-Agent': options.userAgent || 'Mozilla/5.0 (X11; '
                     + 'Linux x86_64) Chrome/120.0.0.0 Safari/537.36' } });

    if (r.status() !== 204) {
        throw new Error(`signing in ${who}: ${r.status()} ${await r.text()}`);
    }

    const page = await exports.open(where, { context });

    await page.getByRole('button', { name: /@/ }).first().waitFor();

    return page;
};

/* the session's cookie, as a header for b.post(..., { key: null, headers }) */
exports.cookieOf = async (page) => {
    const cookies = await page.context().cookies(exports.url());

    return cookies.map((c) => `${c.name}=${c.value}`).join('; ');
};

/* how many sessions of somebody are alive, as the database says */
exports.sessionsOf = async (who) => Number((await g.sql(`
    SELECT count(*) FROM api_keys k JOIN users u ON u.id = k.user_id
    WHERE k.kind = 'session' AND k.deleted_at IS NULL
          AND k.expires_at > now() AND u.email = '${who}@example.com'`))[0][0]);

/* ends the session of a page behind its back */
exports.endSession = async (page) => {
    const r = await g.request('', {
        key: null, path: '/session', method: 'DELETE',
        headers: { 'Sec-Fetch-Site': 'same-origin',
                   Cookie: await exports.cookieOf(page) }
    });

    exports.is(r.status, 204, 'a session is ended elsewhere');
};

exports.press = (page, name, options = {}) =>
    page.getByRole('button', { name, exact: true, ...options }).click();

exports.field = (page, name) =>
    page.getByRole('textbox', { name, exact: true });

/* what has the focus: role or element, and its name */
exports.focused = (page) => page.evaluate(() => {
    let here = document.activeElement;

    while (here?.shadowRoot?.activeElement) {
        here = here.shadowRoot.activeElement;
    }

    return here === null || here === document.body ? '' : [
        here.getAttribute('role') || here.localName,
        here.getAttribute('aria-label') || here.labels?.[0]?.textContent
        || here.textContent.trim()
    ].join(' ');
});

/* waits until get() is what is wanted, then says so; b.is that has patience */
exports.becomes = async (get, want, name) => {
    let got;

    await g.until(30, async () => {
        got = await get();
        return JSON.stringify(got) === JSON.stringify(want);
    });

    exports.is(got, want, name);
};


/* how it looks */

const looks = [['light', 1280], ['dark', 1280], ['light', 320], ['dark', 320]];

async function look(page, scheme, width) {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height: width < 500 ? 640 : 800 });
    await page.evaluate(() => new Promise((done) => {
        requestAnimationFrame(() => requestAnimationFrame(done));
    }));

    /* colours of buttons are on their way for a moment */

    await page.evaluate(() => Promise.allSettled(document.getAnimations()
        .filter((one) => one instanceof CSSTransition)
        .map((one) => one.finished)));
}

/* a picture as it is */
exports.shot = async (page, name) => {
    if (shots) {
        fs.mkdirSync(shots, { recursive: true });
        await page.screenshot({ path: path.join(shots, `${name}.png`) });
    }
};

/*
 * Both themes, wide and narrow: pictures, axe, and nothing that sticks out.
 * The page is wide and light afterwards.
 */
exports.looks = async (page, name) => {
    for (const [scheme, width] of looks) {
        await look(page, scheme, width);
        await exports.shot(page, `${name}-${scheme}-${width}`);

        if (width < 500) {
            const wide = await page.evaluate(() =>
                document.documentElement.scrollWidth - innerWidth);

            exports.ok(wide <= 0, `${name}: no sideways scrolling, ${scheme}`);
            exports.is(await page.evaluate(() => [...document
                .querySelectorAll('button, [role=tab], a.button > span, '
                                  + 'button > span')]
                .filter((one) => one.checkVisibility()
                        && getComputedStyle(one).overflow === 'hidden'
                        && one.scrollWidth > one.clientWidth + 1)
                .map((one) => one.textContent)), [],
                       `${name}: no button is cut off, ${scheme}`);
        }

        const { violations } = await new Axe({ page }).setLegacyMode(true)
            .analyze();

        exports.is(violations.map((v) => [v.id, v.nodes.map((n) =>
            n.target.join(' '))]), [], `${name}: axe, ${scheme}, ${width}`);
    }

    await look(page, 'light', 1280);
};


/* what a page tells its reader, where something has gone wrong */
async function said(page) {
    const alerts = await page.getByRole('alert').allInnerTexts()
        .catch(() => []);

    return alerts.length === 0 ? 'no alert'
           : `says ${JSON.stringify(alerts.join('; '))}`;
}


/* what was waited for in vain, in a line: of which test, and where */
function why(error) {
    const text = error.message.replace(/\x1b\[\d+m/g, '').split('\n');
    const wait = text.slice(1).find((line) => /waiting for/.test(line));
    const [, where] = /(\w+\.t:\d+):\d+/.exec(error.stack) || [];

    return `${text[0]}${wait ? ` ${wait.replace(/^[\s-]+/, '')}` : ''}`
           + `${where ? `, at ${where}` : ''}`;
}


/* tests */

exports.block = async (name, test) => {
    if (only && !only.test(name)) {
        return;
    }

    block = { contexts: [], complaints: [], expected: [] };

    try {
        await test();

        const real = block.complaints.filter((complaint) =>
            !block.expected.some((pattern) => pattern.test(complaint)));

        exports.is(real, [], `${name}: no complaint of the browser`);

    } catch (error) {
        const pages = block.contexts.flatMap((c) => c.pages());
        const shown = [];

        exports.diag(error.stack);

        for (const [i, page] of pages.entries()) {
            const file = path.join(
                shots || config.at,
                `failed-${name.replace(/\W+/g, '-')}-${i}.png`);

            await page.screenshot({ path: file }).catch(() => {});
            shown.push(`${page.url()} ${await said(page)}`);
            exports.diag(`${page.url()}: ${file}`);
        }

        exports.ok(false, [`${name}: ${why(error)}`, ...shown,
                           ...block.complaints].join('; '));
    }

    for (const context of block.contexts) {
        await context.close().catch(() => {});
    }
};

/*
 * Runs a test.  options: those of t/lib/guarantee.js; locations (beside the
 * standard ones); servers(config), more servers; setup(config), before nginx is
 * started.
 */
exports.main = (options, test) => {
    const why = missing();

    if (why) {
        process.stdout.write(`1..0 # SKIP ${why}\n`);
        return;
    }

    const all = {
        ...options,
        locations: exports.locations(options.locations),
        before: async (made) => {
            config = made;

            if (options.before) {
                const reason = await options.before(config);

                if (reason) {
                    return reason;
                }
            }

            all.http = (options.http || '')
                       + (options.servers ? await options.servers(config) : '');
            await g.sql(`UPDATE users SET password = '${stored}'`);

            return null;
        }
    };

    g.main(all, async () => {
        browser = await chromium.launch({ executablePath: executable(),
                                          headless: true, args: flags });

        try {
            await test(config);
        } finally {
            await browser.close();
        }
    });
};
