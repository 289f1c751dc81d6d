#!/usr/bin/env node
/*
 * The frame of the pages in a browser: what is seen before a script comes, files
 * that do not come, signing out in one of two tabs, a list that is searched and
 * filtered in a hurry, templates to begin with, the font.
 */

'use strict';

const b = require('./browser.js');

const heading = (page, name) => page.getByRole('heading', { name, exact: true });


async function slow() {
    await b.block('before the first script', async () => {
        const page = await b.signIn('alice', 'prompts');
        let free;
        const held = new Promise((done) => { free = done; });

        await page.route('**/*.js', async (route) => {
            await held;
            await route.continue();
        });
        await page.goto(b.url('overview'), { waitUntil: 'commit' });

        const status = page.getByRole('status', { name: 'Loading' });

        await status.waitFor();
        b.is(await page.locator('[aria-busy=true]').count(), 1,
             'the page itself says that it is busy');
        b.ok((await status.boundingBox()).height > 40, 'with a skeleton');
        await b.shot(page, 'frame-skeleton');
        free();
        await heading(page, 'Overview').waitFor();
        b.is(await page.locator('[aria-busy=true], .takes-long').count(), 0,
             'which goes');
    });

    await b.block('a file that does not come', async () => {
        b.expect(/ERR_FAILED/);

        const page = await b.signIn('alice', 'prompts');
        let broken = true;

        await page.route('**/*.js', (route) =>
            broken ? route.abort('failed') : route.continue());

        for (const [link, name] of [['Overview', 'Overview'],
                                    ['Datasets', 'Datasets']])
        {
            broken = true;
            await page.getByRole('navigation', { name: 'Main' })
                .getByRole('link', { name: link }).click();

            const alert = page.getByRole('alert');

            await alert.getByText('This page could not be loaded').waitFor();
            await b.shot(page, 'frame-not-loaded');
            await page.getByRole('link', { name: 'Prompts' }).click();
            await heading(page, 'Prompts').waitFor();
            b.ok(true, `${link}: the bar at the top works`);
            await page.getByRole('link', { name: link }).click();
            await alert.waitFor();
            broken = false;
            await b.press(page, 'Reload');
            await heading(page, name).waitFor();
            b.ok(true, `${link}: another attempt brings it`);
        }

        /* a tab of a prompt */
        const id = await b.prompt('tabs', 'x');

        broken = false;
        await page.goto(b.url(`prompts/${id}/settings`));
        await b.field(page, 'Name').waitFor();
        broken = true;
        await page.getByRole('tab', { name: 'Use it' }).click();
        await page.getByText('This page could not be loaded').waitFor();
        await page.getByRole('tab', { name: 'Settings' }).click();
        await b.field(page, 'Name').waitFor();
        b.ok(true, 'the other tabs of a prompt work');
        await b.sql("DELETE FROM prompts WHERE name = 'tabs'");
    });
}


async function out() {
    await b.block('signing out in one of two tabs', async () => {
        const id = await b.prompt('left', 'Say {{x}}');
        const page = await b.signIn('alice', `prompts/${id}/edit`);
        const other = await b.open(`prompts/${id}/run`,
                                   { context: page.context() });

        await b.field(page, 'Content').fill('a draft');
        await other.getByRole('textbox').first().fill('an input');
        await page.getByRole('button', { name: 'alice@example.com' }).click();
        await page.getByRole('menuitem', { name: 'Theme' }).click();
        await page.evaluate(() => {
            sessionStorage.setItem('prompt-anything', 'of the account');
            localStorage.setItem('prompt-input.x', 'an input');
        });
        await b.sleep(500);
        await page.getByRole('menuitem', { name: 'Sign out' }).click();

        const since = Date.now();

        await b.field(other, 'Email').waitFor();
        b.ok(Date.now() - since < 2000 * b.slow, 'the other tab shows the form');
        await b.field(page, 'Email').waitFor();

        for (const tab of [page, other]) {
            b.is(await tab.evaluate(async () => [
                Object.keys(localStorage), Object.keys(sessionStorage),
                (await indexedDB.databases()).map((one) => one.name),
                window.caches ? await caches.keys() : []]),
                 [['prompt-theme'], [], [], []], 'nothing is left but the theme');
        }

        await b.sql("DELETE FROM prompts WHERE name = 'left'");
    });
}


async function list() {
    await b.block('search and category at once', async () => {
        for (const [name, category] of [['one-mail', 'ROUTING'],
                                        ['two-mail', 'GENERAL'],
                                        ['one-else', 'ROUTING']])
        {
            await b.post(`mutation { createPrompt(input: { name: "${name}",
                          category: ${category} }) { id } }`);
        }

        const page = await b.signIn('alice', 'prompts');
        const search = page.getByRole('searchbox', { name: 'Search prompts' });
        const category = page.getByRole('combobox', { name: 'Category' });
        const names = () => page.getByRole('rowheader').getByRole('link')
            .allInnerTexts();

        await page.getByRole('link', { name: 'one-mail' }).waitFor();
        await search.fill('mail');
        await category.selectOption('ROUTING');
        await b.becomes(names, ['one-mail'], 'typed, then chosen');
        b.ok(/search=mail/.test(page.url()) && /category=ROUTING/.test(
            page.url()), 'both are in the address');
        await page.goto(b.url('prompts'));
        await page.getByRole('link', { name: 'two-mail' }).waitFor();
        await category.selectOption('ROUTING');
        await search.fill('mail');
        await b.becomes(names, ['one-mail'], 'chosen, then typed');
        await b.sql('DELETE FROM prompts');
    });

    await b.block('templates', async () => {
        const page = await b.signIn('alice', 'prompts');
        const buttons = page.getByRole('button', { name: /^Use template: / });

        await heading(page, 'Begin with a template').waitFor();
        b.is(await buttons.count(), 3, 'three of them');
        await b.looks(page, 'frame-templates');

        for (const at of [0, 1, 2]) {
            await page.goto(b.url('prompts'));
            await buttons.nth(at).click();
            await page.waitForURL(/prompts\/[0-9a-f-]{36}\/edit/);
            await b.field(page, 'Content').waitFor();
            b.is(await b.sql(`SELECT count(*), bool_or(p.is_public),
                                     bool_and(v.input_schema IS NOT NULL)
                              FROM prompts p JOIN prompt_versions v
                              ON v.prompt_id = p.id`), [['1', 'f', 't']],
                 'a private prompt, a version, a schema');
            await b.sql('DELETE FROM prompts');
        }

        await b.shot(page, 'frame-template-used');
    });
}


async function font() {
    await b.block('the font', async () => {
        const page = await b.signIn('alice', 'prompts');
        const loaded = await page.evaluate(async () => {
            await document.fonts.ready;

            return [...document.fonts].map((one) => [one.family, one.status,
                                                     one.display]);
        });

        b.is(loaded, [['Inter', 'loaded', 'swap']], 'one, which comes');

        const size = await page.evaluate(async () => {
            const [font] = performance.getEntriesByType('resource')
                .filter(({ name }) => name.endsWith('.woff2'));

            return (await (await fetch(font.name)).arrayBuffer()).byteLength;
        });

        b.ok(size <= 60 * 1024, `of ${size} bytes`);
    });
}


b.main({}, async () => {
    await slow();
    await out();
    await list();
    await font();
});
