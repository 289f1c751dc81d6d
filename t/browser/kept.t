#!/usr/bin/env node
/*
 * What a browser keeps of an account: drafts, the console's texts, history and
 * key.  Signing out leaves nothing of it, in any tab, nor does another account
 * that signs in find it.
 */

'use strict';

const b = require('./browser.js');

let key;

const kept = (page) => page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));

const names = (page) => page.evaluate(() =>
    [...Object.keys(localStorage), ...Object.keys(sessionStorage)].sort());

const box = (page, name) => page.getByRole('textbox', { name, exact: true });

const account = (page, name) => page.getByRole('button', { name });

async function signOut(page) {
    await account(page, /^\w+@example\.com$/).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL(/login/);
}

/* a draft, and in the console a text, a key and an entry of the history */
async function leaveThings(page, word) {
    const id = await b.prompt(`kept-${word}`, 'one');

    await page.goto(b.url(`prompts/${id}/edit`));
    await box(page, 'Content').fill(`draft of ${word}`);
    await b.becomes(async () => (await kept(page)).includes(`draft of ${word}`),
                    true, 'a draft is kept');
    await writeConsole(page, word);
    await account(page, /^Session: /).click();
    await page.getByRole('dialog').getByLabel('Key').fill(key);
    await page.keyboard.press('Enter');
    await account(page, /^API key: /).waitFor();
    b.ok((await kept(page)).includes(key), 'and a key');
}

async function writeConsole(page, word) {
    await page.goto(b.url('console'));
    await account(page, /^Session: /).waitFor();
    await box(page, 'Query').focus();
    await page.keyboard.press('Control+A');
    await page.keyboard.insertText(`{ me { id } } # ${word}`);
    await page.keyboard.press('Control+Enter');
    await b.becomes(async () => (await kept(page)).split(word).length > 2, true,
                    'a text of the console is kept, and what was run');
}

async function nothingOf(page, word, what) {
    await b.becomes(async () => {
        const all = await kept(page);

        return all.includes(word) || all.includes(key);
    }, false, what);
}


async function out() {
    await b.block('signing out', async () => {
        b.expectStatus(401);

        const page = await b.signIn('alice');

        await leaveThings(page, 'secret-a');

        /* other tabs: a draft in the making, and a console */
        const id = await b.prompt('kept-tab', 'one');
        const tab = await b.open(`prompts/${id}/edit`,
                                 { context: page.context() });
        const other = await b.open('console', { context: page.context() });

        await writeConsole(other, 'secret-a-tab');
        await box(tab, 'Content').fill('draft of secret-a-typing');

        await signOut(page);
        await nothingOf(page, 'secret-a', 'nothing is left of it');
        b.is(await names(page), ['prompt-theme'], 'but the theme');

        for (const one of [tab, other]) {
            await one.waitForURL(/login/);
            await nothingOf(one, 'secret-a', 'in another tab, too');
        }

        /* and nothing comes back: a page that goes away keeps what it has */
        await page.reload();
        await b.field(page, 'Email').waitFor();
        b.is(await names(page), ['prompt-theme'], 'nor after a reload');

        await tab.close({ runBeforeUnload: true });
        b.is(await names(page), ['prompt-theme'], 'nor of a tab that is closed');
    });

    await b.block('the next one, on the same page', async () => {
        b.expectStatus(401);

        const page = await b.signIn('alice');

        await leaveThings(page, 'secret-b');
        await signOut(page);
        await b.enter(page, 'bob@example.com');
        await account(page, 'bob@example.com').first().waitFor();
        await page.getByRole('link', { name: 'Console' }).click();
        await account(page, /^Session: bob/).waitFor();
        b.ok(!(await box(page, 'Query').innerText()).includes('secret-b'),
             'finds no text of theirs');
        b.ok(!(await page.getByRole('main').innerText()).includes('alice@'),
             'and is not asked for as them');
        await nothingOf(page, 'secret-b', 'nothing is kept');
    });
}


/* what a tab waits for ends when nobody is signed in any more */
async function inFlight() {
    await b.block('signing out while the console waits', async () => {
        b.expectStatus(401);

        const page = await b.signIn('alice');
        const id = await b.prompt('kept-flight', 'Say it',
                                  { model: 'fx:words=100,pause=300' });
        const tab = await b.open('console', { context: page.context() });
        const word = 'secret-in-flight';

        await account(tab, /^Session: /).waitFor();
        await box(tab, 'Query').focus();
        await tab.keyboard.press('Control+A');
        await tab.keyboard.insertText(
            `subscription { executePromptStream(promptId: "${id}", input: {})`
            + ` { delta } } # ${word}`);
        await tab.keyboard.press('Control+Enter');
        await tab.getByRole('button', { name: 'Stop' }).waitFor();

        await signOut(page);
        await tab.waitForURL(/login/);
        await nothingOf(page, word, 'nothing is left of it');

        /* it was ended by the page, in a turn of its own */
        await tab.evaluate(() => new Promise((done) => setTimeout(done, 500)));
        b.is(await names(page), ['prompt-theme'], 'and nothing comes back');
        b.is(await names(tab), ['prompt-theme'], 'in the other tab, too');
    });

    await b.block('settings that were typed', async () => {
        b.expectStatus(401);

        const page = await b.signIn('alice');
        const id = await b.prompt('kept-settings', 'one');
        const tab = (name) => page.getByRole('tab', { name });

        await page.goto(b.url(`prompts/${id}/settings`));
        await box(page, 'Description').fill('secret-typed');
        await tab('Versions').click();
        await tab('Settings').click();
        b.is(await box(page, 'Description').inputValue(), 'secret-typed',
             'are there behind another tab');

        /* the page is the same one */
        await signOut(page);
        await b.enter(page, 'alice@example.com');
        await account(page, 'alice@example.com').first().waitFor();
        await page.getByRole('link', { name: 'Prompts' }).first().click();
        await page.getByRole('link', { name: 'kept-settings' }).first().click();
        await tab('Settings').click();
        b.is(await box(page, 'Description').inputValue(), '',
             'and gone with who typed them');
    });
}


async function changed() {
    await b.block('a session that is over, and another account', async () => {
        b.expectStatus(401);

        const page = await b.signIn('alice');

        await leaveThings(page, 'secret-c');
        await b.endSession(page);
        await page.reload();
        await b.field(page, 'Email').waitFor();
        b.ok((await kept(page)).includes('draft of secret-c'),
             'what was typed waits for who has typed it');
        await b.enter(page, 'bob@example.com');
        await account(page, 'bob@example.com').first().waitFor();
        await nothingOf(page, 'secret-c', 'and is nobody else\'s');
    });

    await b.block('a session that is over, and the same account', async () => {
        b.expectStatus(401);

        const page = await b.signIn('alice');

        await leaveThings(page, 'secret-d');
        await b.endSession(page);
        await page.reload();
        await b.enter(page, 'alice@example.com');
        await account(page, /alice@example\.com/).first().waitFor();

        const all = await kept(page);

        b.ok(all.includes('draft of secret-d') && all.includes(key),
             'finds it again');
    });
}


b.main({}, async (config) => {
    key = config.alice_key;
    await out();
    await inFlight();
    await changed();
});
