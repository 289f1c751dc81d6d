#!/usr/bin/env node
/*
 * API keys, the password, sessions: made, copied, used, taken back in a
 * browser, and what the database and the endpoint say of it then.
 */

'use strict';

const b = require('./browser.js');

const heading = (page, name) =>
    page.getByRole('heading', { name, exact: true }).first().waitFor();
const dialog = (page, name) => page.getByRole('dialog', { name });
const row = (page, name) => page.getByRole('row').filter(
    { has: page.getByRole('rowheader', { name, exact: true }) });
const email = async (key) => {
    const r = await b.post('{ me { email } }', {}, { key });

    return r.data ? r.data.me.email : r.status;
};
const keysOf = (who) => b.sql(`
    SELECT k.name, k.scopes, k.hint FROM api_keys k
    JOIN users u ON u.id = k.user_id
    WHERE k.kind = 'key' AND k.deleted_at IS NULL
          AND u.email = '${who}@example.com' ORDER BY k.id`);
const copied = (page) => page.evaluate(() => navigator.clipboard.readText());
const kept = (page) => page.evaluate(() => document.documentElement.innerHTML
    + JSON.stringify([{ ...localStorage }, { ...sessionStorage },
                      history.state, location.href]));


async function keys() {
    await b.block('no keys', async () => {
        await b.sql(`DELETE FROM api_keys WHERE kind = 'key'
                     AND user_id = '${b.config().bob_id}'`);

        const page = await b.signIn('bob', 'settings/keys');

        await page.getByText('No keys yet').waitFor();
        await b.looks(page, 'keys-empty');
    });

    await b.block('a key', async () => {
        const page = await b.signIn('bob', 'settings/keys', {
            permissions: ['clipboard-read', 'clipboard-write']
        });
        const tab = await b.open('settings/keys', { context: page.context() });

        await page.bringToFront();
        await page.getByText('No keys yet').waitFor();
        await tab.getByText('No keys yet').waitFor();
        await b.press(page, 'Create New Key');

        const form = dialog(page, 'Create New Key');

        await b.becomes(() => b.focused(page), 'input Name',
                        'the dialog begins with the name');
        await page.keyboard.press('Enter');
        await form.getByText('Enter what the key is for.').waitFor();
        await b.becomes(() => b.focused(page), 'input Name',
                        'a name is wanted');
        await b.field(form, 'Name').fill('Billing, production');

        for (const scope of ['write', 'execute', 'keys', 'read']) {
            await form.getByRole('checkbox', { name: scope }).uncheck();
        }

        await b.press(form, 'Create');
        await form.getByText('Choose at least one.').waitFor();
        await b.looks(page, 'keys-create');
        await form.getByRole('checkbox', { name: 'read' }).check();
        await form.getByRole('combobox', { name: 'Expires' })
            .selectOption({ label: 'In 30 days' });
        await b.press(form, 'Create');

        const made = dialog(page, 'Your new key');

        await made.waitFor();
        await b.looks(page, 'keys-made');
        await page.keyboard.press('Escape');
        await page.keyboard.press('Escape');
        b.ok(await made.isVisible(), 'Escape does not take it away');
        await b.press(made, 'Copy');
        await page.getByText('Copied to the clipboard.').waitFor();
        await b.shot(page, 'keys-copied');

        const key = await copied(page);

        b.ok((await made.innerText()).includes(key) && key.length > 20,
             'what is shown is copied');
        await b.press(made, 'Done');
        await row(page, 'Billing, production').waitFor();
        await b.becomes(() => b.focused(page), 'button Create New Key',
                        'the focus is back at the button');
        b.ok(!(await kept(page)).includes(key), 'then the page has it no more');

        const [[name, scopes, hint]] = await keysOf('bob');

        b.is([name, scopes], ['Billing, production', '1'], 'it is stored so');
        b.ok(!hint.includes(key), 'but for the key itself');
        b.is(await b.sql(`SELECT count(*) FROM api_keys
                          WHERE name = 'Billing, production'
                          AND expires_at BETWEEN now() + interval '29 days'
                                         AND now() + interval '31 days'`),
             [['1']], 'and for 30 days');
        b.is(await email(key), 'bob@example.com', 'a program gets in by it');
        b.is((await b.post('mutation { createPrompt(input: {name: "x"}) { id } '
                           + '}', {}, { key })).code, 'UNAUTHENTICATED',
             'and may do no more than was chosen');
        await row(tab, 'Billing, production').waitFor();
        b.ok(true, 'another tab shows it');
        await b.becomes(async () => {
            await page.reload();
            await row(page, 'Billing, production').waitFor();
            return /never/.test(await row(page, 'Billing, production')
                .getByRole('cell').nth(3).innerText());
        }, false, 'when it was used is shown');
        await b.looks(page, 'keys');

        await row(page, 'Billing, production')
            .getByRole('button', { name: 'Delete' }).click();

        const sure = dialog(page, 'Delete this key?');

        await sure.getByText('Billing, production').waitFor();
        await b.looks(page, 'keys-delete');
        await page.keyboard.press('Escape');
        b.is(await email(key), 'bob@example.com', 'Escape deletes nothing');
        await row(page, 'Billing, production')
            .getByRole('button', { name: 'Delete' }).click();
        await b.press(sure, 'Delete key');
        await sure.waitFor({ state: 'detached' });
        b.is(await email(key), 401, 'deleted: it is refused at once');
        b.is(await keysOf('bob'), [], 'in the database, too');
        await page.getByText('No keys yet').waitFor();
        await tab.getByText('No keys yet').waitFor();
        b.ok(true, 'both tabs show it');
        await b.becomes(async () => (await b.focused(page)) !== '', true,
                        'the focus is not lost with its row');
    });

    await b.block('an answer gets lost', async () => {
        b.expect(/ERR_FAILED/);

        const page = await b.signIn('bob', 'settings/keys');
        let lost = 0;

        await page.route('**/graphql', async (route) => {
            if (/mutation CreateApiKey/.test(route.request().postData() || '')
                && lost++ === 0)
            {
                await route.fetch();
                await route.abort('failed');
            } else {
                await route.continue();
            }
        });
        await b.press(page, 'Create New Key');
        await b.field(dialog(page, 'Create New Key'), 'Name').fill('Once');
        await b.press(page, 'Create');
        await dialog(page, 'Your new key').waitFor();

        const key = await page.locator('.secret').innerText();

        b.is(await keysOf('bob').then((rows) => rows.map((r) => r[0])),
             ['Once'], 'the key was made once');
        b.is(await email(key), 'bob@example.com', 'and is the one shown');
    });

    await b.block('the server fails', async () => {
        b.expectStatus(500, 502);
        b.expect(/ERR_FAILED/);

        const page = await b.signIn('bob', 'settings/keys');
        let answer = (route) => route.fulfill({
            status: 500, contentType: 'text/html', body: '<h1>Oh</h1>' });

        await row(page, 'Once').waitFor();
        await page.route('**/graphql', (route) => answer(route));
        await row(page, 'Once').getByRole('button', { name: 'Delete' }).click();
        await b.press(page, 'Delete key');
        await dialog(page, 'Delete this key?').getByRole('alert').waitFor();
        await b.shot(page, 'keys-delete-failed');
        b.is((await keysOf('bob')).length, 1, 'not deleted is not said to be');
        answer = (route) => route.continue();
        await b.press(page, 'Delete key');
        await page.getByText('No keys yet').waitFor();

        answer = (route) => route.abort('failed');
        await page.reload();
        await page.getByRole('alert').waitFor();
        await b.shot(page, 'keys-failed');
        answer = (route) => route.continue();
        await page.getByRole('alert').getByRole('button').click();
        await page.getByText('No keys yet').waitFor();
        b.ok(true, 'and comes by the button in the error');
    });
}


async function account() {
    await b.block('the password', async () => {
        const page = await b.signIn('alice', 'settings/account');
        const other = await b.signIn('alice', 'prompts');
        const next = 'a long new password of alice';
        const old = await b.sql("SELECT password FROM users WHERE name = "
                                + "'Alice'");

        await heading(page, 'Account');
        await page.getByText('this one').waitFor();
        await b.looks(page, 'account');
        await b.press(page, 'Change password');
        await page.getByText('Enter a new password.').waitFor();
        await b.becomes(() => b.focused(page), 'input Current password',
                        'empty fields are said, the first has the focus');
        await b.field(page, 'Current password').fill('not this');
        await b.field(page, 'New password').fill('short');
        await b.press(page, 'Change password');
        await page.getByText('At least 12 characters').waitFor();
        await b.field(page, 'New password').fill(next);
        await b.press(page, 'Change password');
        await page.getByText('This is not your password.').waitFor();
        await b.becomes(() => b.focused(page), 'input Current password',
                        'a wrong one is said at its field');
        b.is(await b.field(page, 'New password').inputValue(), next,
             'and what was typed stays');
        await b.looks(page, 'account-wrong');
        b.is(await b.sql("SELECT password FROM users WHERE name = 'Alice'"),
             old, 'nothing was changed');

        await b.field(page, 'Current password').fill(b.password);
        await b.press(page, 'Change password');
        await page.getByText('Your password is changed.').waitFor();
        b.is(await b.field(page, 'New password').inputValue(), '',
             'the fields are empty');

        const [[hash]] = await b.sql("SELECT password FROM users WHERE name = "
                                     + "'Alice'");

        b.ok(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/.test(hash),
             'a new hash, as strong as documented');
        b.is(await b.sessionsOf('alice'), 1, 'only this session is left');
        b.expectStatus(401);
        await other.reload();
        await heading(other, 'Sign in');
        await b.enter(other, 'alice@example.com');
        await other.getByRole('alert').waitFor();
        await b.enter(other, 'alice@example.com', next);
        await heading(other, 'Prompts');
        b.ok(true, 'the new one is taken, the old one not');
        await page.reload();
        await heading(page, 'Account');
        b.ok(!b.log().includes(next), 'the log has none of it');
    });

    await b.block('sessions', async () => {
        b.expectStatus(401);

        const odd = '"><img src=x onerror=alert(1)>';
        const page = await b.signIn('bob', 'settings/account');
        const phone = await b.signIn('bob', 'prompts', {
            userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_0 like Mac OS X) '
                       + 'AppleWebKit/605 Version/17.0 Mobile Safari/604.1' });

        await b.signIn('bob', 'prompts', { userAgent: odd });
        await page.reload();
        await page.getByText('Safari on iOS').waitFor();
        await page.getByText(odd).waitFor();

        const mine = page.getByRole('row').filter({ hasText: 'this one' });

        b.is(await mine.count(), 1, 'one of them is this one');
        b.ok(/Chrome on Linux/.test(await mine.innerText()),
             'by names that people know');
        await b.looks(page, 'sessions');
        await b.press(page, 'Sign out everywhere else');
        await page.getByText(/other sessions have ended/).waitFor();
        b.is(await b.sessionsOf('bob'), 1, 'one is left');
        await page.getByText('Safari on iOS').waitFor({ state: 'detached' });
        b.ok(await page.getByRole('button', { name: 'Sign out everywhere else' })
                 .isDisabled(), 'nothing more to sign out');
        await phone.reload();
        await heading(phone, 'Sign in');
        await page.reload();
        await heading(page, 'Account');
        b.ok(true, 'this one goes on');
    });
}


b.main({}, async () => {
    await keys();
    await account();
});
