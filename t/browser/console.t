#!/usr/bin/env node
/*
 * The console in a browser: alone, with an API key, as prompt_console serves
 * it; and in the dashboard, by the session.
 */

'use strict';

const { execFile } = require('child_process');

const b = require('./browser.js');

const { ok, shot } = b;
const hosts = new Set();

let key;
let pageUrl;

async function open(colorScheme, width = 1360, height = 820) {
    const context = await b.context({ colorScheme,
                                      viewport: { width, height } });

    context.on('request', (request) => {
        if (!request.url().startsWith('data:')) {
            hosts.add(new URL(request.url()).host);
        }
    });

    return b.open(pageUrl, { context });
}

/* the requests that the page makes go here */
const isAnswer = (response) => response.request().method() === 'POST'
                               && response.url().endsWith('/graphql');

const keyField = (page) => page.getByRole('dialog').getByLabel('Key');

async function enter(page) {
    await keyField(page).fill(key);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^API key: .*@/ }).waitFor();
}

const box = (name) => (page) => page.getByRole('textbox',
                                               { name, exact: true });
const editor = box('Query');
const variables = box('Variables');
const answer = box('Answer');
const text = async (locator) => (await locator.locator('.cm-line')
    .allInnerTexts()).map((line) => line.replace(/^\n$/, '')).join('\n');

async function write(page, content, where = editor) {
    await where(page).focus();
    await page.keyboard.press('Control+A');
    await page.keyboard.press('Delete');

    if (content) {
        await page.keyboard.insertText(content);
    }
}

async function run(page) {
    const answered = page.waitForResponse(isAnswer);

    await editor(page).focus();
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+Enter');
    await answered;
    await page.getByRole('button', { name: 'Run', exact: true }).waitFor();
}

const choices = (page) => page.locator('.cm-tooltip-autocomplete li');
const mark = (page) => page.locator('.query .cm-lintRange-error').first();
const docs = (page) => page.getByRole('complementary',
                                      { name: 'Documentation' });
const press = (page, name) => page.getByRole('button', { name, exact: true })
    .click();


async function alone() {
    await b.block('the console alone', async () => {
        /* a refused key and a refused document, an endpoint that is away */
        b.expectStatus(400, 401);
        b.expect(/net::ERR_FAILED/);

        const page = await open('light');

        /* the key */

        await page.getByRole('dialog', { name: 'API key' }).waitFor();
        ok(true, 'the key is asked for');
        await shot(page, 'console-key-light');
        await keyField(page).fill('pmt_wrong');
        await page.keyboard.press('Enter');
        await page.getByText('does not know').waitFor();
        ok(true, 'a wrong key is refused');
        await enter(page);
        ok(await page.getByRole('dialog').count() === 0,
           'the right key is taken');
        ok(await page.getByRole('button', { name: 'API key: alice@example.com' })
               .isVisible(), 'the account is shown');
        ok(await page.evaluate((secret) => !JSON.stringify(localStorage)
                                               .includes(secret), key)
           && await page.evaluate(() => document.cookie) === ''
           && !page.url().includes(key),
           'the key is in no address, cookie or lasting storage');

        /* running by keyboard */

        await run(page);
        ok((await text(answer(page))).includes('alice@example.com'),
           'Ctrl-Enter runs the query');
        ok(await page.locator('.answer .badge').first().innerText() === '200',
           'the status is shown');
        await shot(page, 'console-run-light');

        /* completion */

        await write(page, '');
        await page.keyboard.type('{ prom');
        await choices(page).first().waitFor();
        ok((await choices(page).allInnerTexts()).join(' ')
            .includes('promptByName'), 'fields are completed');
        await shot(page, 'console-complete-light');
        /* keys that come too soon are taken for text */
        await page.waitForTimeout(150);
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('Enter');
        ok(/prompt(?:ByName)?\(|prompts/.test(await text(editor(page))),
           'and taken by keyboard');
        await write(page, '');
        await page.keyboard.type('{ prompts(cat');
        await choices(page).first().waitFor();
        await page.waitForTimeout(150);
        await page.keyboard.press('Enter');
        ok((await text(editor(page))).includes('category: '),
           'arguments are completed');
        await write(page, '');
        await page.keyboard.type('{ prompts(category: SUM');
        await choices(page).first().waitFor();
        await page.waitForTimeout(150);
        await page.keyboard.press('Enter');
        ok((await text(editor(page))).includes('category: SUMMARIZATION'),
           'enumerations are completed');
        await write(page, 'query($input: JSON!) { x: me { id } }');
        await write(page, '', variables);
        await page.keyboard.type('{ "in');
        await choices(page).first().waitFor();
        await page.waitForTimeout(150);
        await page.keyboard.press('Enter');
        ok((await text(variables(page))).startsWith('{ "input": '),
           'variables are completed');
        await write(page, '', variables);

        /* undo */

        await write(page, '{ me { id } }');
        await page.keyboard.press('Shift+Alt+KeyF');
        ok(await text(editor(page)) === '{\n  me {\n    id\n  }\n}\n',
           'the document is laid out anew');
        await page.keyboard.press('Control+Z');
        ok(await text(editor(page)) === '{ me { id } }',
           'and undo takes it back');

        /* what is wrong */

        await write(page, '{\n  me {\n    emial\n  }\n}\n');
        await mark(page).waitFor();
        ok(await mark(page).innerText() === 'emial',
           'an unknown field is marked while typing');
        await run(page);

        const errors = page.getByRole('list', { name: 'Errors' });

        ok(await errors.getByRole('listitem').first().isVisible(),
           'the error is listed');
        ok((await errors.innerText()).includes('line 3, column 5'),
           'with its place');
        ok(await mark(page).innerText() === 'emial',
           'and marked in the document');
        await errors.getByRole('button').first().click();
        ok(await page.evaluate(() => String(getSelection())) === 'emial'
           || await page.evaluate(() => {
               const root = document.querySelector('.query .code-box').shadowRoot;

               return String(root.getSelection ? root.getSelection() : '');
           }) === 'emial', 'and selected from the list');
        await shot(page, 'console-error-light');
        await write(page, '{ me { ');
        await page.locator('.query [role=status]', { hasText: '<EOF>' }).waitFor();
        ok(true, 'a document that is not closed is explained');
        await write(page, '{ me { id } }');
        await write(page, '{ "a": }', variables);
        await page.locator('.variables [role=status]', { hasText: 'value' })
            .waitFor();
        ok(true, 'so are variables that are no JSON');
        await write(page, '', variables);

        /* documentation */

        await press(page, 'Documentation');
        await docs(page).getByText('Queries').waitFor();
        await shot(page, 'console-docs-light');
        await docs(page).getByRole('button', { name: 'executePrompt', exact: true })
            .click();
        ok((await docs(page).innerText()).includes('Runs a prompt'),
           'the documentation of a field is shown');
        await shot(page, 'console-docs-field-light');
        await press(page, 'Use in the editor');
        ok((await text(editor(page))).includes(
            'mutation ExecutePrompt($promptId: ID!, $input: JSON!)'),
           'and the field is put into the editor');
        ok(JSON.parse(await text(variables(page))).promptId === '',
           'with its variables');

        /* the operation under the caret */

        ok(await page.getByRole('combobox', { name: 'Operation' }).count() === 0,
           'one name, no choice');
        await write(page, 'query A { me { id } }\n\nquery B { me { email } }');
        await write(page, '', variables);
        await page.getByRole('combobox', { name: 'Operation' }).waitFor();
        await editor(page).focus();
        await page.keyboard.press('Control+End');
        await run(page);
        ok((await text(answer(page))).includes('email'),
           'the operation under the caret runs');
        await write(page, '{ me { id } }');
        await page.getByRole('combobox', { name: 'Operation' })
            .waitFor({ state: 'detached' });
        ok(true, 'one operation, no choice');

        /* explaining */

        await write(page, '{ me { email } }');
        await page.keyboard.press('Escape');

        const word = editor(page).getByText('me', { exact: true }).first();

        await word.hover();
        await page.locator('.cm-tooltip-hover').waitFor();
        ok((await page.locator('.cm-tooltip-hover').innerText())
               .includes('Query.me: User!'),
           'a word is explained under the pointer');
        await shot(page, 'console-hover-light');
        await page.mouse.move(5, 5);
        await page.keyboard.press('Control+Home');
        await page.keyboard.press('ArrowRight');
        await page.keyboard.press('ArrowRight');
        await page.keyboard.press('ArrowRight');
        await page.keyboard.press('F1');
        await docs(page).getByRole('heading', { name: 'me', exact: true })
            .waitFor();
        ok(true, 'and by F1');

        /* history */

        await press(page, 'History');

        const history = page.getByRole('complementary', { name: 'History' });

        ok(await history.getByRole('listitem').count() >= 3,
           'there is a history');
        await shot(page, 'console-history-light');
        await history.getByRole('listitem').last().getByRole('button').click();
        ok((await text(editor(page))).includes('Welcome'),
           'an entry comes back');

        /* a reload keeps the tab's memory; another tab has no key */

        await page.waitForTimeout(400);
        await page.reload();
        await page.getByRole('button', { name: /^API key: .*@/ }).waitFor();
        ok((await text(editor(page))).includes('Welcome'),
           'a reload keeps document and key');

        const dark = await open('dark');

        await dark.getByRole('dialog', { name: 'API key' }).waitFor();
        ok(true, 'another tab has no key');
        await shot(dark, 'console-key-dark');
        await enter(dark);
        await run(dark);
        await press(dark, 'Documentation');
        await docs(dark).getByText('Queries').waitFor();
        await shot(dark, 'console-docs-dark');
        await press(dark, 'Documentation');
        await write(dark, 'query Bad($n: Int) {\n  prompts(first: $n) {\n    id\n'
                          + '    title\n    versions { version content }\n  }\n'
                          + '  nothing\n}\n');
        await run(dark);
        await shot(dark, 'console-error-dark');

        /* introspection that is off */

        await dark.route('**', async (route) => {
            if ((route.request().postData() || '').includes('ConsoleSchema')) {
                await route.fulfill({
                    status: 400, contentType: 'application/json',
                    body: '{"errors":[{"message":"Introspection is disabled."}]}',
                });
            } else {
                await route.continue();
            }
        });
        await dark.reload();
        await press(dark, 'Documentation');
        await docs(dark).getByText('Introspection is off').waitFor();
        await write(dark, '{ me { email } }');
        await run(dark);
        ok((await text(answer(dark))).includes('alice@example.com'),
           'without introspection operations run all the same');
        await shot(dark, 'console-no-introspection-dark');

        /* no answer at all */

        await dark.route('**', (route) => (route.request().method() === 'POST'
                                           ? route.abort() : route.continue()));
        await editor(dark).focus();
        await dark.keyboard.press('Control+Enter');
        await dark.getByRole('list', { name: 'Errors' })
            .getByText('cannot be reached').waitFor();
        ok(true, 'an endpoint that is away is told');
        await dark.unrouteAll();

        /* the key is forgotten */

        await dark.getByRole('button', { name: /^API key/ }).click();
        await press(dark, 'Forget the key');
        ok(await dark.evaluate((secret) => !JSON.stringify(sessionStorage)
                                               .includes(secret), key),
           'a forgotten key is nowhere');

        const narrow = await open('light', 320, 844);

        await enter(narrow);
        await shot(narrow, 'console-narrow-light');
        await run(narrow);
        await shot(narrow, 'console-narrow-result');
        ok(await narrow.evaluate(() => document.documentElement.scrollWidth
                                       <= innerWidth),
           'nothing sticks out of a narrow window');
        await press(narrow, 'Documentation');
        await docs(narrow).getByText('Queries').waitFor();
        await shot(narrow, 'console-narrow-docs');
        await press(narrow, 'Close documentation');

        b.is([...hosts], [new URL(pageUrl).host],
             'no other host is spoken to');
    });
}


async function inside() {
    await b.block('the console of the dashboard', async () => {
        const page = await b.signIn('alice', 'console', {
            permissions: ['clipboard-read', 'clipboard-write'] });

        await page.getByRole('button', { name: /^Session: alice/ }).waitFor();
        await b.looks(page, 'console');
        b.is(await page.locator('.console-pane .code-box').evaluateAll(
            (all) => new Set(all.slice(1).map((one) => Math.round(
                one.getBoundingClientRect().bottom))).size), 1,
             'its editors end at one height');

        await write(page, 'query ($n: Int) { prompts(first: $n) { name } }');
        await write(page, '{"n": 1}', variables);
        await run(page);
        ok((await text(answer(page))).includes('"prompts"'),
           'it asks by the session');

        await press(page, 'Copy as curl');
        await b.until(10, () => page.evaluate(async () =>
            (await navigator.clipboard.readText()).includes('curl')));

        const curl = await page.evaluate(() =>
            navigator.clipboard.readText());
        const out = await new Promise((done) => {
            execFile('sh', ['-c', curl], { env: { ...process.env,
                PROMPT_API_KEY: key, no_proxy: '127.0.0.1' } },
                     (_, stdout) => done(stdout));
        });

        ok(out.includes('"prompts"'), 'the copied command works in sh');
        ok(!curl.includes(key), 'there is no key in it');
        await b.looks(page, 'console-answer');
    });
}


b.main({
    locations: `        location = /console {
            prompt_console path=${b.dashboard()}; }`
}, async (config) => {
    key = config.alice_key;
    pageUrl = new URL('/console', b.url()).href;
    await alone();
    await inside();
});
