#!/usr/bin/env node
/*
 * Signing in and out in a browser: the form, where it leads, the cookie, the
 * menu, a session that ends while somebody types, other tabs.
 */

'use strict';

const b = require('./browser.js');

const ports = {};

const alert = (page) => page.getByRole('alert');
const menu = (page) => page.getByRole('button', { name: /@example\.com$/ });
const dialog = (page, name) => page.getByRole('dialog', { name });
const place = (page) => new URL(page.url()).pathname
                        + new URL(page.url()).search;

const heading = (page, name) =>
    page.getByRole('heading', { name, exact: true }).waitFor();

async function choose(page, item) {
    await menu(page).click();
    await page.getByRole('menuitem', { name: item }).click();
}


async function form() {
    await b.block('sign in', async () => {
        b.expectStatus(401);

        const page = await b.open();

        await heading(page, 'Sign in');
        b.is(place(page), '/dashboard/login', 'who is nobody comes to /login');
        await b.becomes(() => b.focused(page), 'input Email',
                        'the focus is on the first field');
        await b.looks(page, 'login');

        await b.press(page, 'Sign in');
        await page.getByText('Enter your e-mail.').waitFor();
        await b.becomes(() => b.focused(page), 'input Email',
                        'an empty form: said at the fields, and the focus is there');
        await b.shot(page, 'login-empty');

        await b.enter(page, 'alice@example.com', 'wrong');
        await alert(page).waitFor();
        b.ok(/wrong/.test(await alert(page).innerText()),
             'a wrong password is said in an alert');
        await b.becomes(() => b.focused(page), 'button Sign in',
                        'the focus stays');
        b.is(await b.field(page, 'Email').inputValue(), 'alice@example.com',
             'what was typed stays');
        b.is(await b.sessionsOf('alice'), 0, 'there is no session');
        await b.looks(page, 'login-wrong');

        await b.field(page, 'Password').fill(b.password);
        await b.field(page, 'Password').press('Enter');
        await heading(page, 'Prompts');
        b.is(await b.sessionsOf('alice'), 1, 'there is one');
        b.is(place(page), '/dashboard/prompts', 'and the prompts');

        await page.goBack();
        b.ok(!/login/.test(page.url()), 'going back is not to the form');
        await page.goto(b.url('login'));
        await heading(page, 'Prompts');
        b.ok(true, 'who is signed in needs no form');
    });

    await b.block('where it leads', async () => {
        b.expectStatus(401);

        const page = await b.open('settings/keys?a=b');

        await heading(page, 'Sign in');
        await b.enter(page, 'alice@example.com');
        await heading(page, 'API Keys');
        b.is(place(page), '/dashboard/settings/keys?a=b', 'back to where');

        for (const next of ['//evil.test/', 'https://evil.test/x',
                            '/\\evil.test', 'javascript:alert(1)',
                            '/graphql', '/dashboard/login',
                            '/dashboard/../graphql',
                            '/dashboard/%2e%2e/graphql'])
        {
            const other = await b.open(
                `login?next=${encodeURIComponent(next)}`);

            await b.enter(other, 'bob@example.com');
            await heading(other, 'Prompts');
            b.is(place(other), '/dashboard/prompts', `not to ${next}`);
        }
    });

    await b.block('too many', async () => {
        b.expectStatus(401, 429);

        const page = await b.open();

        await b.field(page, 'Email').fill('nobody@example.com');

        for (let i = 0; i < 6; i++) {
            const answered = page.waitForResponse(/\/session$/);

            await b.enter(page, 'nobody@example.com', `wrong ${i}`);
            await answered;
        }

        await page.getByText('Too many attempts').waitFor();
        b.ok(/Try again in 1?\d min/.test(await alert(page).innerText()),
             'and when to come again');
        await b.shot(page, 'login-too-many');
    });
}


async function trusted() {
    await b.block('trusted', async () => {
        b.expectStatus(401, 403);

        b.expect(/Cross-Origin-Opener-Policy header has been ignored/);

        const before = await b.sessionsOf('alice');
        const at = (who) => `http://${who}.test:${ports.trusted}/dashboard/`;
        const page = await b.open(`${at('alice')}settings/account`);

        await heading(page, 'Account');
        b.ok(await menu(page).isVisible(), 'let in without a form');
        b.is(await page.getByRole('textbox', { name: 'New password' }).count(),
             0, 'there is no password to change');

        const other = await b.open(at('nobody'));

        await alert(other).waitFor();
        b.is(await other.getByRole('textbox').count(), 0, 'no form either');
        await b.looks(other, 'login-trusted-refused');

        b.ok(!/belongs/.test(await alert(other).innerText()),
             'who has no account is told so');

        /* signing out does not sign in again at once */
        await choose(page, 'Sign out');
        await page.waitForURL(/login/);
        await page.getByText('You have signed out.').waitFor();
        await page.waitForTimeout(300);
        b.is(await b.sessionsOf('alice'), before,
             'who signs out is not signed in at once');
        await b.looks(page, 'login-trusted-out');
        await b.press(page, 'Sign in');
        await heading(page, 'Account').catch(() => heading(page, 'Prompts'));
        b.is(await b.sessionsOf('alice'), before + 1, 'until they want to');
    });
}


async function cookie() {
    await b.block('the cookie', async () => {
        b.expectStatus(401);

        const page = await b.open();

        await b.enter(page, 'alice@example.com');
        await heading(page, 'Prompts');

        const [plain, ...more] = await page.context().cookies();

        b.is([plain.name, plain.httpOnly, plain.sameSite, plain.path,
              plain.secure, plain.domain, more.length],
             ['prompt_session', true, 'Strict', '/', false, '127.0.0.1', 0],
             'over plain HTTP of this machine');
        b.is(await page.evaluate(() => document.cookie), '',
             'scripts do not see it');

        const kept = await page.evaluate(() =>
            JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));

        b.ok(!kept.includes(plain.value) && !kept.includes(b.password),
             'it is kept nowhere else');

        const safe = await b.open(`https://app.test:${ports.tls}/dashboard/`);

        await b.enter(safe, 'alice@example.com');
        await heading(safe, 'Prompts');

        const [secure] = await safe.context().cookies();

        b.is([secure.name, secure.httpOnly, secure.sameSite, secure.path,
              secure.secure, secure.domain],
             ['__Host-prompt_session', true, 'Strict', '/', true, 'app.test'],
             'over TLS');
        b.ok(!b.log().includes(secure.value) && !b.log().includes(plain.value),
             'neither is in the log');
    });
}


async function signOut() {
    await b.block('the menu', async () => {
        const page = await b.signIn('alice');

        b.ok(await page.getByRole('button', { name: 'alice@example.com' })
                 .isVisible(), 'the button has the e-mail');
        await menu(page).focus();
        await page.keyboard.press('Enter');
        b.is(await page.getByRole('menuitem').allInnerTexts()
                 .then((texts) => texts.map((t) => t.split('\n')[0])),
             ['API Keys', 'Account', 'Theme', 'Sign out'], 'and four items');
        await b.becomes(() => b.focused(page), 'menuitem API Keys',
                        'by keyboard the first has the focus');
        await b.looks(page, 'menu');
        await page.keyboard.press('Escape');
        await b.becomes(() => b.focused(page), 'button alice@example.com',
                        'Escape goes back to the button');

        await menu(page).click();

        const theme = page.getByRole('menuitem', { name: /^Theme/ });
        const ground = () => page.evaluate(() =>
            getComputedStyle(document.body).backgroundColor);
        const light = await ground();

        await theme.click();
        await theme.click();
        b.ok(await ground() !== light, 'dark on a light system');
        await page.reload();
        await heading(page, 'Prompts');
        b.ok(await ground() !== light, 'and a reload keeps it');
    });

    await b.block('sign out', async () => {
        b.expectStatus(401);

        const before = await b.sessionsOf('alice');
        const page = await b.signIn('alice');
        const tab = await b.open('settings/keys', { context: page.context() });
        const headers = { 'Sec-Fetch-Site': 'same-origin',
                          Cookie: await b.cookieOf(page) };
        const ask = async () => (await b.post('{ me { email } }', {},
                                              { key: null, headers })).status;

        await heading(tab, 'API Keys');
        b.is(await ask(), 200, 'the cookie is taken');
        await choose(page, 'Sign out');
        await heading(page, 'Sign in');
        b.is(await ask(), 401, 'it is refused by the server, not forgotten');
        b.is(await b.sessionsOf('alice'), before, 'the session has ended');
        b.is(await page.context().cookies(), [], 'the browser has none');
        await heading(tab, 'Sign in');
        b.ok(true, 'the other tab is signed out, too');

        await page.goto(b.url('prompts'));
        await heading(page, 'Sign in');
        b.is(await page.getByRole('heading', { name: 'Prompts' }).count(), 0,
             'asking for a page again shows nothing of it');

        await b.enter(tab, 'alice@example.com');
        await heading(tab, 'API Keys');
        await heading(page, 'Prompts');
        b.ok(true, 'signed in in one tab is signed in in the other');
    });

    await b.block('signing out fails', async () => {
        b.expect(/ERR_FAILED/);

        const page = await b.signIn('alice');

        await page.route(/\/session$/, (route) => route.abort('failed'));
        await choose(page, 'Sign out');
        await page.getByText('could not be reached').waitFor();
        b.ok(await menu(page).isVisible(), 'who is not signed out is told');
        await b.shot(page, 'sign-out-failed');
    });
}


async function expired() {
    await b.block('a session ends while somebody types', async () => {
        b.expectStatus(401);

        const page = await b.signIn('alice', 'prompts/new');
        const about = 'Typed for a long while,\nin two lines';

        await b.field(page, 'Name').fill('Kept Through It');
        await b.field(page, 'Description').fill(about);
        await page.getByRole('combobox', { name: 'Category' })
            .selectOption({ label: 'Extraction' });
        await page.getByRole('checkbox', { name: 'Public' }).check();
        await b.endSession(page);
        await b.press(page, 'Create prompt');

        const asked = dialog(page, 'Sign in again');

        await asked.waitFor();
        await b.becomes(() => b.focused(page), 'input Password',
                        'the dialog asks for the password');
        b.is(await b.field(asked, 'Email').inputValue(), 'alice@example.com',
             'of who it was');
        await b.looks(page, 'sign-in-again');

        await b.field(asked, 'Password').fill('wrong');
        await b.press(asked, 'Sign in');
        await alert(asked).waitFor();
        b.ok(!/what you typed is kept/i.test(await alert(asked).innerText()),
             'a wrong one is said so in words of signing in');
        await b.shot(page, 'sign-in-again-wrong');

        await asked.getByRole('button', { name: 'Not now' }).click();
        await asked.waitFor({ state: 'detached' });
        await alert(page).waitFor();
        b.is(await b.field(page, 'Description').inputValue(), about,
             'not now: what was typed is there');
        b.is(await b.sql("SELECT 1 FROM prompts WHERE name LIKE 'kept-%'"), [],
             'and nothing was made');
        await b.shot(page, 'sign-in-again-not-now');

        await b.press(page, 'Create prompt');
        await asked.waitFor();
        await b.field(asked, 'Password').fill(b.password);
        await page.keyboard.press('Enter');
        await page.waitForURL(/prompts\/[0-9a-f-]{36}/);
        b.is(await b.sql(`SELECT name, is_public,
                                 replace(description, chr(10), '~')
                          FROM prompts WHERE name LIKE 'kept-%'`),
             [['kept-through-it', 't', about.replace('\n', '~')]],
             'signed in: it goes on, once, with all that was typed');
    });

    await b.block('it ends, and another tab signs in', async () => {
        b.expectStatus(401);

        const page = await b.signIn('alice', 'prompts/new');
        const tab = await b.open('prompts', { context: page.context() });

        await heading(tab, 'Prompts');
        await b.field(page, 'Name').fill('By the other tab');
        await b.endSession(page);
        await b.press(page, 'Create prompt');
        await dialog(page, 'Sign in again').waitFor();
        await tab.reload();
        await b.enter(tab, 'alice@example.com');
        await page.waitForURL(/prompts\/[0-9a-f-]{36}/);
        b.is(await b.sql("SELECT name FROM prompts WHERE name LIKE 'by-the-%'"),
             [['by-the-other-tab']], 'the first tab goes on by itself');
    });

    await b.block('it ends, and somebody else signs in', async () => {
        b.expectStatus(401);

        const page = await b.signIn('alice', 'prompts/new');
        const tab = await b.open('prompts', { context: page.context() });

        await heading(tab, 'Prompts');
        await b.field(page, 'Name').fill('Of Alice');
        await b.endSession(page);
        await b.press(page, 'Create prompt');
        await dialog(page, 'Sign in again').waitFor();
        await tab.reload();
        await b.enter(tab, 'bob@example.com');
        await page.getByRole('button', { name: 'bob@example.com' }).waitFor();
        b.is(await b.sql("SELECT 1 FROM prompts WHERE name = 'of-alice'"), [],
             'what one typed is not saved as the other');
    });
}


b.main({
    servers: async (config) => {
        ports.tls = await b.freePort();
        ports.trusted = await b.freePort();

        return b.server({
            listen: `${ports.tls} ssl`, name: 'app.test',
            more: b.certificate()
        }) + `
    map $host $person {
        alice.test  alice@example.com;
        nobody.test nobody@example.com;
    }
` + b.server({
            listen: ports.trusted,
            locations: `${config.server}${b.locations(
                'location = /session { prompt_session trusted=$person insecure;'
                + ' }')}`
        });
    }
}, async () => {
    await form();
    await cookie();
    await signOut();
    await expired();
    await trusted();
});
