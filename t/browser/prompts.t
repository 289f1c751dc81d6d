#!/usr/bin/env node
/*
 * The list of prompts and a new one, in a browser: searched, by keyboard, with
 * 10,000 of them, from two tabs, while requests fail.
 */

'use strict';

const b = require('./browser.js');

const heading = (page, name) =>
    page.getByRole('heading', { name, exact: true }).first().waitFor();
const names = (page) => page.getByRole('rowheader').getByRole('link')
    .allInnerTexts();
const search = (page) => page.getByRole('searchbox',
                                        { name: 'Search prompts' });
const category = (page) => page.getByRole('combobox', { name: 'Category' });
const place = (page) => new URL(page.url()).pathname
                        + new URL(page.url()).search;


async function few() {
    await b.block('none', async () => {
        const page = await b.signIn('bob');

        await page.getByText('No prompts yet').waitFor();
        await b.looks(page, 'prompts-empty');
        await page.getByRole('link', { name: 'Write the first one' }).click();
        await heading(page, 'New prompt');
        b.ok(true, 'and what to do next');
    });

    await b.block('a new one', async () => {
        const page = await b.signIn('alice');
        const tab = await b.open('prompts', { context: page.context() });

        await tab.getByText('No prompts yet').waitFor();
        await page.getByRole('link', { name: 'New prompt' }).click();
        await heading(page, 'New prompt');
        await b.looks(page, 'new');
        await b.press(page, 'Create prompt');
        await page.getByText('Enter a name').waitFor();
        await b.becomes(() => b.focused(page), 'input Name',
                        'a name is wanted');
        await b.field(page, 'Name').fill('Reply to äMail, in 2 Lines');
        await page.getByText('reply-to-ä-mail-in-2-lines').waitFor();
        await b.field(page, 'Description').fill('d'.repeat(10001));
        await b.press(page, 'Create prompt');
        await page.getByText('this has 10001').waitFor();
        await b.becomes(() => b.focused(page), 'textarea Description',
                        'what is too long is said at its field');
        await b.looks(page, 'new-wrong');
        await b.field(page, 'Description').fill('Short, and polite.');
        await category(page).selectOption({ label: 'Generation' });
        await page.getByRole('checkbox', { name: 'Public' }).check();
        await b.press(page, 'Create prompt');
        await page.waitForURL(/prompts\/[0-9a-f-]{36}/);
        await page.getByRole('tab', { name: 'Edit' }).waitFor();
        b.is(await b.sql(`SELECT name, description, category, is_public
                          FROM prompts`),
             [['reply-to-ä-mail-in-2-lines', 'Short, and polite.',
               'GENERATION', 't']], 'it is stored, and the editor opens');
        await tab.getByRole('link', { name: 'reply-to-ä-mail-in-2-lines' })
            .waitFor();
        b.ok(/public/i.test(await tab.getByRole('row').nth(1).innerText()),
             'the other tab shows it, marked as public');
        await page.goBack();
        await page.goBack();
        await heading(page, 'Prompts');
        await b.becomes(() => names(page), ['reply-to-ä-mail-in-2-lines'],
                        'so does the list');
    });

    await b.block('answers that are lost', async () => {
        const page = await b.signIn('alice', 'prompts/new');
        let lost = 0;

        b.expect(/status of 504/);
        await page.route('**/graphql', async (route) => {
            if (lost === 4
                || !/createPrompt/.test(route.request().postData() ?? ''))
            {
                return route.continue();
            }

            lost++;
            await route.fetch();
            return route.fulfill({ status: 504, body: 'no answer' });
        });
        await b.field(page, 'Name').fill('asked-for-twice');
        await b.press(page, 'Create prompt');
        await page.getByRole('alert').waitFor();
        await b.press(page, 'Create prompt');
        await page.waitForURL(/prompts\/[0-9a-f-]{36}/);
        b.is([lost, await b.sql(`SELECT count(*) FROM prompts
                                 WHERE name = 'asked-for-twice'`)],
             [4, [['1']]], 'what is tried again is made once, and opens');
        await b.sql(`DELETE FROM prompts WHERE name = 'asked-for-twice'`);
    });

    await b.block('a template', async () => {
        const page = await b.signIn('bob');

        await page.getByRole('heading', { name: 'Begin with a template' })
            .waitFor();
        b.is(await page.getByRole('button', { name: /^Use template: / })
            .count(), 3, 'three of them');
        await b.looks(page, 'templates');
        await b.press(page, 'Use template: Classify a message');
        await b.field(page, 'Content').waitFor();
        b.ok(/edit$/.test(page.url()), 'it is there to be edited');

        const [[isPublic, version, schema]] = await b.sql(`
            SELECT p.is_public, v.version, v.input_schema FROM prompts p
            JOIN prompt_versions v ON v.prompt_id = p.id
            WHERE p.name = 'classify-message'`);

        b.is([isPublic, version, JSON.parse(schema).required],
             ['f', '1', ['message']], 'private, with a version and its schema');
        await b.sql(`DELETE FROM prompts WHERE name = 'classify-message'`);
    });

    await b.block('search and category at once', async () => {
        const page = await b.signIn('alice');

        await search(page).fill('reply');
        await category(page).selectOption({ label: 'Generation' });
        await page.waitForURL(/search=reply/);
        b.ok(/category=GENERATION/.test(page.url()), 'both count');
        await b.becomes(() => names(page), ['reply-to-ä-mail-in-2-lines'],
                        'together');
    });

    await b.block('a name that is taken', async () => {
        const page = await b.signIn('alice', 'prompts/new');

        await b.field(page, 'Name').fill('REPLY to  Ä mail in 2 lines');
        await b.field(page, 'Description').fill('Another one');
        await b.press(page, 'Create prompt');
        await page.getByText('already have a prompt').waitFor();
        await b.becomes(() => b.focused(page), 'input Name',
                        'it is said at the name');
        b.is(await b.field(page, 'Name').getAttribute('aria-invalid'), 'true',
             'which is marked');
        b.is(await b.field(page, 'Description').inputValue(), 'Another one',
             'the rest stays');
        await b.shot(page, 'new-taken');
        await b.field(page, 'Name').fill('Another');
        await page.keyboard.press('Enter');
        await page.waitForURL(/prompts\/[0-9a-f-]{36}/);
        b.is(await b.sql('SELECT name FROM prompts ORDER BY id DESC'),
             [['another'], ['reply-to-ä-mail-in-2-lines']],
             'another name goes on');
    });

    await b.block('numbers', async () => {
        for (let i = 0; i < 9; i++) {
            const id = await b.prompt(`numbered ${i}`, 'text',
                                      undefined, { key: b.config().bob_key });

            if (i === 3) {
                await b.execute(id, {}, { key: b.config().bob_key });
            }
        }

        const page = await b.signIn('bob');
        const cells = async (name) => (await page.getByRole('row').filter(
            { has: page.getByRole('link', { name }) }).getByRole('cell')
            .allInnerTexts()).slice(-2);

        await b.becomes(() => cells('numbered-8'), ['never', '$0'],
                        'what never ran says so');
        await b.becomes(() => cells('numbered-0'), ['never', '$0'],
                        'so does the last of them');
        await b.becomes(async () => (await cells('numbered-3')).map((text) =>
            /just now|ago|\$0\.\d+/.test(text)), [true, true],
                        'what ran says when, and what it cost');
        await b.looks(page, 'prompts-numbers');
        await b.sql("DELETE FROM executions");
        await b.sql("DELETE FROM prompts WHERE name LIKE 'numbered-%'");
    });

    await b.block('by keyboard', async () => {
        const page = await b.signIn('alice');

        await page.getByRole('link', { name: 'another' }).waitFor();

        const go = async (want) => {
            for (let i = 0; i < 20; i++) {
                if (await b.focused(page) === want) {
                    return true;
                }

                await page.keyboard.press('Tab');
            }

            return false;
        };

        b.ok(await go('input Search prompts'), 'to the search');
        await page.keyboard.type('mail');
        await page.waitForURL(/search=mail/);
        await b.becomes(() => names(page), ['reply-to-ä-mail-in-2-lines'],
                        'which searches while one types');
        await b.becomes(() => b.focused(page), 'input Search prompts',
                        'and keeps the focus');
        b.ok(await go('a reply-to-ä-mail-in-2-lines'), 'to the row');
        await page.keyboard.press('Enter');
        await page.getByRole('tab', { name: 'Edit' }).waitFor();
        await page.goBack();
        await b.becomes(() => search(page).inputValue(), 'mail',
                        'back to what was searched');
    });
}


async function failures() {
    await b.block('the list fails', async () => {
        b.expectStatus(500);
        b.expect(/ERR_FAILED/);

        const page = await b.signIn('alice', 'settings/keys');
        let answer = (route) => route.abort('failed');

        await page.route('**/graphql', (route) => answer(route));
        await page.getByRole('link', { name: 'Prompts' }).click();
        await page.getByRole('alert').waitFor();
        await b.looks(page, 'prompts-failed');
        answer = (route) => route.fulfill({
            status: 500, contentType: 'text/html', body: '<b>no</b>' });
        await page.getByRole('alert').getByRole('button').click();
        await page.getByText('answered 500').waitFor();
        answer = (route) => route.continue();
        await page.getByRole('alert').getByRole('button').click();
        await page.getByRole('link', { name: 'another' }).waitFor();
        b.ok(true, 'and comes when it can');
    });

    await b.block('the answer to a new one gets lost', async () => {
        b.expect(/ERR_FAILED|ERR_CONNECTION/);
        b.expectStatus(502);

        const page = await b.signIn('alice', 'prompts/new');
        let tries = 0;

        await page.route('**/graphql', async (route) => {
            if (!/mutation CreatePrompt\b/.test(route.request().postData()
                                                || ''))
            {
                await route.continue();
            } else if (++tries === 1) {
                await route.fetch();
                await route.abort('failed');
            } else if (tries === 2) {
                await route.fulfill({ status: 502, body: 'bad gateway',
                                      contentType: 'text/plain' });
            } else {
                await route.continue();
            }
        });
        await b.field(page, 'Name').fill('Made once');
        await b.press(page, 'Create prompt');
        await page.waitForURL(/prompts\/[0-9a-f-]{36}/);
        b.is(await b.sql("SELECT count(*) FROM prompts WHERE name = "
                         + "'made-once'"), [['1']], 'it is made once');
        b.ok(tries >= 3, 'and asked for until it was answered');
    });

    await b.block('no connection while somebody types', async () => {
        b.expect(/ERR_INTERNET_DISCONNECTED/);

        const page = await b.signIn('alice', 'prompts/new');

        await b.field(page, 'Name').fill('Offline for now');
        await b.field(page, 'Description').fill('Typed in a train');
        await page.context().setOffline(true);
        await b.press(page, 'Create prompt');
        await page.getByRole('alert').waitFor({ timeout: 40000 * b.slow });
        b.is([await b.field(page, 'Name').inputValue(),
              await b.field(page, 'Description').inputValue()],
             ['Offline for now', 'Typed in a train'], 'nothing is lost');
        await b.looks(page, 'new-offline');
        await page.context().setOffline(false);
        await b.press(page, 'Create prompt');
        await page.waitForURL(/prompts\/[0-9a-f-]{36}/);
        b.is(await b.sql(`SELECT description FROM prompts
                          WHERE name = 'offline-for-now'`),
             [['Typed in a train']], 'and it goes on');
    });
}


/* an account as large as is promised */
async function many() {
    await b.sql(`
        INSERT INTO prompts (id, owner_id, name, description, category,
                             is_public, last_version, updated_at)
        SELECT (lpad(to_hex((extract(epoch FROM now()) * 1000)::bigint - i),
                     12, '0') || '7000a' || lpad(to_hex(i), 15, '0'))::uuid,
               '${b.config().bob_id}', 'prompt-' || lpad(i::text, 5, '0'),
               CASE WHEN i % 10 = 0 THEN 'With a description of some length, '
                    || repeat('and then more of it ', i % 7) END,
               CASE WHEN i % 100 = 0 THEN 'ROUTING' ELSE 'GENERAL' END,
               i % 3 = 0, 0, now()
        FROM generate_series(1, 10000) i;
        ANALYZE prompts`);

    await b.block('10,000 prompts', async () => {
        const page = await b.signIn('bob');
        const rows = () => page.locator('tbody tr[data-row]').count();
        let asked = 0;

        page.on('request', (request) => {
            asked += request.url().endsWith('/graphql') ? 1 : 0;
        });
        await page.getByRole('link', { name: 'prompt-00001' }).waitFor();
        b.ok(await rows() <= 120, 'a page of them is asked for');
        await b.looks(page, 'prompts');

        const start = Date.now();

        await search(page).fill('prompt-09');
        await page.getByRole('link', { name: 'prompt-09000' }).waitFor();
        b.diag(`searched in ${Date.now() - start} ms`);
        await category(page).selectOption({ label: 'Routing' });
        await b.becomes(async () => (await names(page))[0], 'prompt-09000',
                        'searched, and of a category');
        await b.becomes(rows, 10, 'all of them');
        b.ok(/search=prompt-09/.test(place(page))
             && /category=ROUTING/.test(place(page)), 'the address says so');
        await page.reload();
        await b.becomes(rows, 10, 'and is enough to come back');
        await search(page).fill('no such thing');
        await page.getByText('No prompt matches').waitFor();
        await b.looks(page, 'prompts-no-match');
        await b.press(page, 'Show all prompts');
        await page.getByRole('link', { name: 'prompt-00001' }).waitFor();
        b.is([await search(page).inputValue(), await category(page)
                 .inputValue()], ['', ''], 'the filters are empty again');

        /* down, faster than pages come */
        asked = 0;

        const far = b.all ? 'prompt-10000' : 'prompt-00550';

        b.ok(await b.until(b.all ? 600 : 60, async () => {
            await page.mouse.wheel(0, 20000);
            await page.waitForLoadState('networkidle');

            return (await names(page)).at(-1) >= far;
        }), 'one gets there');
        b.ok(await rows() <= 150, 'far down there are no more rows in the page');
        b.diag(`${asked} requests`);
        await b.shot(page, 'prompts-down');

        /* and up again: rows of several heights stay where one looks */
        const middle = () => page.evaluate(() => document.elementFromPoint(
            640, 400)?.closest('tr[data-row]')?.getAttribute('aria-rowindex'));
        const gaps = [];
        const jumps = [];

        for (let i = 0, before = Number(await middle()); i < 12; i++) {
            await page.mouse.wheel(0, -700);
            await b.sleep(150);

            const now = await middle();

            if (!now) {
                gaps.push(i);
            } else if (Number(now) > before || before - Number(now) > 40) {
                jumps.push([before, Number(now)]);
            }

            before = Number(now) || before;
        }

        b.is([gaps, jumps], [[], []], 'going up again shows row after row');

        const link = page.locator(
            `tr[aria-rowindex="${await middle()}"] a.row-name`);
        const name = await link.innerText();

        await link.click();
        /* "Public" is part of it, where the row is one of those */
        await page.getByRole('heading', { name, level: 1 }).waitFor();
        await page.goBack();
        await heading(page, 'Prompts');
        await b.shot(page, 'prompts-back');
    });
}


b.main({}, async () => {
    await few();
    await failures();
    await many();
});
