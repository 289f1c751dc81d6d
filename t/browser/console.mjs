// The console in a real browser, by hand:
//
//     apt-get install chromium; (cd t/browser && npm install)
//     PROMPT_PORT=8097 make demo
//     node t/browser/console.mjs [FOLDER FOR SCREENSHOTS]
//
// Prints TAP.  CHROMIUM names another browser than /usr/bin/chromium,
// CONSOLE_URL another page than /console of the demo.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const root = fileURLToPath(new URL('../..', import.meta.url));
const env = fs.readFileSync(`${root}/build/demo/env`, 'utf8');
const key = /PROMPT_API_KEY='([^']*)'/.exec(env)[1];
const page_url = process.env.CONSOLE_URL
                 || new URL('/console', /PROMPT_URL='([^']*)'/.exec(env)[1])
                     .href;
const shots = process.argv[2];

let tests = 0;
let failed = 0;

function ok(cond, name) {
    tests++;
    failed += cond ? 0 : 1;
    console.log(`${cond ? 'ok' : 'not ok'} ${tests} - ${name}`);
}

const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'prompt-console-'));
const browser = await chromium.launchPersistentContext(profile, {
    executablePath: process.env.CHROMIUM || '/usr/bin/chromium',
    headless: true,
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic',
           '--no-first-run', '--disable-background-networking',
           '--disable-component-update', '--disable-sync'],
    viewport: { width: 1360, height: 820 },
    colorScheme: 'light',
    reducedMotion: 'reduce',
});

const complaints = [];
const hosts = new Set();

async function open(colorScheme, width = 1360, height = 820) {
    const page = await browser.newPage();

    page.on('console', (message) => {
        if (message.type() === 'error' || message.type() === 'warning') {
            complaints.push(message.text());
        }
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('request', (request) => {
        if (!request.url().startsWith('data:')) {
            hosts.add(new URL(request.url()).host);
        }
    });
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.setViewportSize({ width, height });
    await page.goto(page_url);

    return page;
}

async function shot(page, name) {
    if (shots) {
        fs.mkdirSync(shots, { recursive: true });
        await page.screenshot({ path: path.join(shots, `${name}.png`) });
    }
}

/* the requests that the page makes go here */
const isAnswer = (response) => response.request().method() === 'POST'
                               && response.url().startsWith(
                                   new URL(page_url).origin);

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

try {
    const page = await open('light');

    // the key

    await page.getByRole('dialog', { name: 'API key' }).waitFor();
    ok(true, 'the key is asked for');
    await shot(page, 'key-light');
    await keyField(page).fill('pmt_wrong');
    await page.keyboard.press('Enter');
    await page.getByText('does not know').waitFor();
    ok(true, 'a wrong key is refused');
    await enter(page);
    ok(await page.getByRole('dialog').count() === 0,
       'the right key is taken');
    ok(await page.getByRole('button', { name: 'API key: demo@example.com' })
           .isVisible(), 'the account is shown');
    ok(await page.evaluate((secret) => !JSON.stringify(localStorage)
                                           .includes(secret), key)
       && await page.evaluate(() => document.cookie) === ''
       && !page.url().includes(key),
       'the key is in no address, cookie or lasting storage');

    // running by keyboard

    await run(page);
    ok((await text(answer(page))).includes('demo@example.com'),
       'Ctrl-Enter runs the query');
    ok(await page.locator('.answer .badge').first().innerText() === '200',
       'the status is shown');
    await shot(page, 'run-light');

    // completion

    await write(page, '');
    await page.keyboard.type('{ prom');
    await choices(page).first().waitFor();
    ok((await choices(page).allInnerTexts()).join(' ')
        .includes('promptByName'), 'fields are completed');
    await shot(page, 'complete-light');
    await page.keyboard.press('ArrowDown');
    await page.waitForTimeout(150);
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

    // undo

    await write(page, '{ me { id } }');
    await page.keyboard.press('Shift+Alt+KeyF');
    ok(await text(editor(page)) === '{\n  me {\n    id\n  }\n}\n',
       'the document is laid out anew');
    await page.keyboard.press('Control+Z');
    ok(await text(editor(page)) === '{ me { id } }',
       'and undo takes it back');

    // what is wrong

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
    await shot(page, 'error-light');
    await write(page, '{ me { ');
    await page.locator('.query [role=status]', { hasText: '<EOF>' }).waitFor();
    ok(true, 'a document that is not closed is explained');
    await write(page, '{ me { id } }');
    await write(page, '{ "a": }', variables);
    await page.locator('.variables [role=status]', { hasText: 'value' })
        .waitFor();
    ok(true, 'so are variables that are no JSON');
    await write(page, '', variables);

    // documentation

    await press(page, 'Documentation');
    await docs(page).getByText('Queries').waitFor();
    await shot(page, 'docs-light');
    await docs(page).getByRole('button', { name: 'executePrompt', exact: true })
        .click();
    ok((await docs(page).innerText()).includes('Runs a prompt'),
       'the documentation of a field is shown');
    await shot(page, 'docs-field-light');
    await press(page, 'Use in the editor');
    ok((await text(editor(page))).includes(
        'mutation ExecutePrompt($promptId: ID!, $input: JSON!)'),
       'and the field is put into the editor');
    ok(JSON.parse(await text(variables(page))).promptId === '',
       'with its variables');

    // the operation under the caret

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

    // explaining

    await write(page, '{ me { email } }');
    await page.keyboard.press('Escape');

    const word = editor(page).getByText('me', { exact: true }).first();

    await word.hover();
    await page.locator('.cm-tooltip-hover').waitFor();
    ok((await page.locator('.cm-tooltip-hover').innerText())
           .includes('Query.me: User!'),
       'a word is explained under the pointer');
    await shot(page, 'hover-light');
    await page.mouse.move(5, 5);
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('F1');
    await docs(page).getByRole('heading', { name: 'me', exact: true })
        .waitFor();
    ok(true, 'and by F1');

    // history

    await press(page, 'History');

    const history = page.getByRole('complementary', { name: 'History' });

    ok(await history.getByRole('listitem').count() >= 3,
       'there is a history');
    await shot(page, 'history-light');
    await history.getByRole('listitem').last().getByRole('button').click();
    ok((await text(editor(page))).includes('Welcome'),
       'an entry comes back');

    // a reload keeps the tab's memory; another tab has no key

    await page.waitForTimeout(400);
    await page.reload();
    await page.getByRole('button', { name: /^API key: .*@/ }).waitFor();
    ok((await text(editor(page))).includes('Welcome'),
       'a reload keeps document and key');

    const dark = await open('dark');

    await dark.getByRole('dialog', { name: 'API key' }).waitFor();
    ok(true, 'another tab has no key');
    await shot(dark, 'key-dark');
    await enter(dark);
    await run(dark);
    await press(dark, 'Documentation');
    await docs(dark).getByText('Queries').waitFor();
    await shot(dark, 'docs-dark');
    await press(dark, 'Documentation');
    await write(dark, 'query Bad($n: Int) {\n  prompts(first: $n) {\n    id\n'
                      + '    title\n    versions { version content }\n  }\n'
                      + '  nothing\n}\n');
    await run(dark);
    await shot(dark, 'error-dark');

    // introspection that is off

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
    ok((await text(answer(dark))).includes('demo@example.com'),
       'without introspection operations run all the same');
    await shot(dark, 'no-introspection-dark');

    // no answer at all

    await dark.route('**', (route) => (route.request().method() === 'POST'
                                       ? route.abort() : route.continue()));
    await editor(dark).focus();
    await dark.keyboard.press('Control+Enter');
    await dark.getByRole('list', { name: 'Errors' })
        .getByText('cannot be reached').waitFor();
    ok(true, 'an endpoint that is away is told');
    await dark.unrouteAll();

    // the key is forgotten

    await dark.getByRole('button', { name: /^API key/ }).click();
    await press(dark, 'Forget the key');
    ok(await dark.evaluate((secret) => !JSON.stringify(sessionStorage)
                                           .includes(secret), key),
       'a forgotten key is nowhere');

    const narrow = await open('light', 320, 844);

    await enter(narrow);
    await shot(narrow, 'narrow-light');
    await run(narrow);
    await shot(narrow, 'narrow-result');
    ok(await narrow.evaluate(() => document.documentElement.scrollWidth
                                   <= innerWidth),
       'nothing sticks out of a narrow window');
    await press(narrow, 'Documentation');
    await docs(narrow).getByText('Queries').waitFor();
    await shot(narrow, 'narrow-docs');
    await press(narrow, 'Close documentation');

    ok([...hosts].join() === new URL(page_url).host,
       `no other host is spoken to: ${[...hosts]}`);

    // a refused key and a refused document are answered with 4xx
    const real = complaints.filter(
        (complaint) => !/status of 4\d\d|net::ERR_FAILED/.test(complaint));

    ok(real.length === 0, `the browser has no complaint: ${real}`);

} catch (error) {
    ok(false, String(error.stack));
    const last = browser.pages().at(-1);
    await shot(last, 'failed');
}

console.log(`1..${tests}`);
await browser.close();
fs.rmSync(profile, { recursive: true, force: true });
process.exit(failed ? 1 : 0);
