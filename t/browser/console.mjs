// The console in a real browser, by hand:
//
//     apt-get install chromium; (cd t/browser && npm install)
//     PROMPT_PORT=8097 make demo
//     node t/browser/console.mjs [FOLDER FOR SCREENSHOTS]
//
// Prints TAP.  CHROMIUM names another browser than /usr/bin/chromium.

import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const root = fileURLToPath(new URL('../..', import.meta.url));
const env = fs.readFileSync(`${root}/build/demo/env`, 'utf8');
const key = /PROMPT_API_KEY='([^']*)'/.exec(env)[1];
const endpoint = /PROMPT_URL='([^']*)'/.exec(env)[1];
const page_url = new URL('/console', endpoint).href;
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

async function enter(page) {
    await page.fill('#key', key);
    await page.keyboard.press('Enter');
    await page.waitForSelector('#key-button[data-state=good]');
    await page.waitForFunction(
        () => document.getElementById('key-label').textContent.includes('@'));
}

const editor = 'textarea[aria-label="GraphQL document"]';
const variables = 'textarea[aria-label^="Variables"]';

async function write(page, text, where = editor) {
    await page.focus(where);
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText(text);
}

const result = (page) => page.textContent('#result .layer');

async function run(page) {
    const answer = page.waitForResponse(endpoint);

    await page.focus(editor);
    await page.keyboard.press('Control+Enter');
    await answer;
    await page.waitForSelector('#run-label:text("Run")');
}


try {
    const page = await open('light');

    // the key

    ok(await page.isVisible('#key-dialog'), 'the key is asked for');
    await shot(page, 'key-light');
    await page.fill('#key', 'pmt_wrong');
    await page.keyboard.press('Enter');
    await page.waitForSelector('#key-note:has-text("does not know")');
    ok(true, 'a wrong key is refused');
    await enter(page);
    ok(!(await page.isVisible('#key-dialog')), 'the right key is taken');
    ok(await page.textContent('#key-label') === 'demo@example.com',
       'the account is shown');
    ok(await page.evaluate(() => localStorage.length) === 0
       && await page.evaluate(() => document.cookie) === ''
       && !page.url().includes(key),
       'the key is in no address, cookie or lasting storage');

    // running by keyboard

    await run(page);
    ok((await result(page)).includes('demo@example.com'),
       'Ctrl-Enter runs the query');
    ok(await page.textContent('.chip') === '200', 'the status is shown');
    await shot(page, 'run-light');

    // completion

    await write(page, '');
    await page.keyboard.type('{ prom');
    await page.waitForSelector('.completion:visible');
    ok((await page.textContent('.completion:visible .choices'))
        .includes('promptByName'), 'fields are completed');
    await shot(page, 'complete-light');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    ok(/promptByName\(|prompt\(/.test(await page.inputValue(editor))
       || (await page.inputValue(editor)).includes('prompts'),
       'the choice is inserted');
    await write(page, '');
    await page.keyboard.type('{ promptByName(');
    await page.keyboard.press('Control+Space');
    await page.waitForSelector('.completion:visible');
    await page.keyboard.press('Enter');
    ok((await page.inputValue(editor)).includes('promptByName(name: '),
       'arguments are completed');
    await write(page, '');
    await page.keyboard.type('{ prompts(category: SUM');
    await page.waitForSelector('.completion:visible');
    await page.keyboard.press('Tab');
    ok((await page.inputValue(editor)).includes('category: SUMMARIZATION'),
       'enumerations are completed');
    await write(page, 'query($input: JSON!) { x: me { id } }');
    await write(page, '', variables);
    await page.keyboard.type('{ "in');
    await page.waitForSelector('.completion:visible');
    await page.keyboard.press('Enter');
    ok((await page.inputValue(variables)).startsWith('{ "input": '),
       'variables are completed');
    await write(page, '', variables);

    // undo

    await write(page, '{ me { id } }');
    await page.keyboard.press('Shift+Alt+KeyF');
    ok(await page.inputValue(editor) === '{\n  me {\n    id\n  }\n}\n',
       'the document is laid out anew');
    await page.keyboard.press('Control+Z');
    ok(await page.inputValue(editor) === '{ me { id } }',
       'and undo takes it back');

    // what is wrong

    await write(page, '{\n  me {\n    emial\n  }\n}\n');
    await page.waitForSelector('#query-editor .mark');
    ok(await page.textContent('#query-editor .mark') === 'emial',
       'an unknown field is marked while typing');
    await run(page);
    ok(await page.isVisible('#errors li'), 'the error is listed');
    ok((await page.textContent('#errors')).includes('line 3, column 5'),
       'with its place');
    ok(await page.textContent('#query-editor .mark') === 'emial',
       'and marked in the document');
    await page.click('#errors .link');
    ok(await page.evaluate(() => document.activeElement.value.slice(
        document.activeElement.selectionStart,
        document.activeElement.selectionEnd)) === 'emial',
       'and selected from the list');
    await shot(page, 'error-light');
    await write(page, '{ me { ');
    await page.waitForSelector('#query-status:has-text("ends where")');
    ok(true, 'a document that is not closed is explained');
    await write(page, '{ me { id } }');
    await write(page, '{ "a": }', variables);
    await page.waitForSelector('#variables-status:has-text("value")');
    ok(true, 'so are variables that are no JSON');
    await write(page, '', variables);

    // documentation

    await page.click('#docs-toggle');
    await page.waitForSelector('.docs .entry');
    await shot(page, 'docs-light');
    await page.click('.docs .t-field:text-is("executePrompt")');
    ok((await page.textContent('.docs')).includes('Runs a prompt'),
       'the documentation of a field is shown');
    await shot(page, 'docs-field-light');
    await page.click('text=Use in the editor');
    ok((await page.inputValue(editor)).includes(
        'mutation ExecutePrompt($promptId: ID!, $input: JSON!)'),
       'and the field is put into the editor');
    ok(JSON.parse(await page.inputValue(variables)).promptId === '',
       'with its variables');

    // the operation under the caret

    ok(await page.isVisible('#operation') === false, 'one name, no choice');
    await write(page, 'query A { me { id } }\n\nquery B { me { email } }');
    await write(page, '', variables);
    await page.waitForSelector('#operation:visible');
    await run(page);
    ok((await result(page)).includes('email'),
       'the operation under the caret runs');

    // hovering

    await write(page, '{ me { email } }');
    await page.keyboard.press('Escape');
    const area = await page.locator('#query-editor .layer').last()
        .boundingBox();
    await page.mouse.move(area.x + 12 + 3 * 7.8, area.y + 18);
    await page.waitForSelector('.hover:visible');
    ok((await page.textContent('.hover:visible')).includes('Query.me: User!'),
       'a word is explained under the pointer');
    await shot(page, 'hover-light');
    await page.mouse.move(5, 5);

    // history

    await page.click('#history-toggle');
    ok(await page.locator('.history li').count() >= 3, 'there is a history');
    await shot(page, 'history-light');
    await page.locator('.history li button').last().click();
    ok((await page.inputValue(editor)).includes('Welcome'),
       'an entry comes back');

    // a reload keeps the tab's memory; another tab has its own

    await page.reload();
    await page.waitForFunction(
        () => document.getElementById('key-label').textContent.includes('@'));
    ok((await page.inputValue(editor)).includes('Welcome'),
       'a reload keeps document and key');

    const dark = await open('dark');

    ok(await dark.isVisible('#key-dialog'), 'another tab has no key');
    await shot(dark, 'key-dark');
    await enter(dark);
    await run(dark);
    await dark.click('#docs-toggle');
    await dark.waitForSelector('.docs .entry');
    await shot(dark, 'docs-dark');
    await dark.click('#docs-toggle');
    await write(dark, 'query Bad($n: Int) {\n  prompts(first: $n) {\n    id\n'
                      + '    title\n    versions { version content }\n  }\n'
                      + '  nothing\n}\n');
    await run(dark);
    await shot(dark, 'error-dark');

    const narrow = await open('light', 390, 844);

    await enter(narrow);
    await run(narrow);
    await shot(narrow, 'narrow-light');
    ok(await narrow.evaluate(() => document.documentElement.scrollWidth
                                   <= innerWidth),
       'nothing sticks out of a narrow window');
    await narrow.click('#docs-toggle');
    await narrow.waitForSelector('.docs .entry');
    await shot(narrow, 'narrow-docs');
    await narrow.click('#docs-toggle');
    await narrow.evaluate(() => scrollTo(0, 900));
    await shot(narrow, 'narrow-result');

    ok([...hosts].join() === new URL(endpoint).host,
       `no other host is spoken to: ${[...hosts]}`);

    // a refused key and a refused document are answered with 4xx
    const real = complaints.filter(
        (text) => !/status of 4\d\d/.test(text));

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
