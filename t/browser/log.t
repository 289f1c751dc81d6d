#!/usr/bin/env node
/*
 * The project's log in a browser: filters, a page for each execution, what is
 * beside it, the same again, scores, datasets; and texts that somebody wrote,
 * shown as they are meant, whatever is in them.
 */

'use strict';

const b = require('./browser.js');

const table = (page) => page.getByRole('table', { name: 'Executions' });
const pick = (page, name) => page.getByRole('combobox', { name, exact: true });
const region = (page, name) => page.getByRole('region', { name, exact: true });
const dialog = (page, name) => page.getByRole('dialog', { name });
const stat = (page, name) => region(page, 'Summary')
    .locator('.stat', { hasText: name }).locator('dd').first();
const number = (text) => Number(text.replace(/[^0-9.]/g, ''));

async function run(id, input, more = '', key) {
    const r = await b.post(`mutation ($id: ID!, $input: JSON!) {
        executePrompt(promptId: $id, input: $input ${more}) { executionId } }`,
                           { id, input }, key ? { key } : undefined);

    return r.data.executePrompt.executionId;
}

/* n executions of a prompt of alice's, a second apart; it has two versions */
const fill = (id, n) => b.version(id, 'Say {{x}} again').then(() => b.sql(`
    WITH s AS (SELECT g, now() - g * interval '1 second' AS t
               FROM generate_series(1, ${n}) g)
    INSERT INTO executions (id, prompt_id, version, executed_by, by_owner,
        status, model, input, output, latency_ms, token_in, token_out,
        cost_usd, created_at, finished_at, label, subject)
    SELECT (lpad(to_hex(floor(extract(epoch FROM t) * 1000)::bigint), 12, '0')
            || '7' || substr(md5(g || '${id}'), 1, 3) || 'a'
            || substr(md5(g || 'x${id}'), 1, 15))::uuid,
           '${id}', 1 + g % 2, '${b.config().alice_id}', true,
           CASE WHEN g % 10 = 3 THEN 'failed' ELSE 'succeeded' END,
           CASE WHEN g % 4 = 0 THEN 'm2' ELSE 'm1' END, '{"x": "in"}', 'said',
           100 + g % 900, 7, 9, 0.000123 * (g % 7),
           date_trunc('milliseconds', t), date_trunc('milliseconds', t),
           CASE WHEN g % 3 = 0 THEN 'live' END,
           CASE WHEN g % 5 = 0 THEN 'customer 5' END
    FROM s ORDER BY t`));

const wanted = async (where) => {
    const [[count, failed, cost]] = await b.sql(`
        SELECT count(*), count(*) FILTER (WHERE status = 'failed'),
               coalesce(sum(cost_usd), 0)
        FROM executions WHERE ${where}`);

    return [Number(count), Number(failed), Number(cost)];
};

const told = async (page) => [
    number(await stat(page, 'Executions').innerText()),
    number(await stat(page, 'Failed').innerText()),
    Number((await stat(page, 'Cost').locator('[title]').getAttribute('title'))
        .replace('$', ''))];


async function log() {
    await b.block('the log', async () => {
        const one = await b.prompt('log-one', 'Say {{x}}', { model: 'fx:ok' });
        const two = await b.prompt('log-two', 'Say {{x}}', { model: 'fx:ok' });
        const page = await b.signIn('alice', 'executions');
        const main = page.getByRole('navigation', { name: 'Main' });

        b.is(await main.getByRole('link').allInnerTexts(),
             ['Prompts', 'Executions', 'Datasets', 'Overview', 'Console'],
             'where one can go');
        await page.getByText('Nothing was run in this period').waitFor();
        await b.looks(page, 'log-empty');
        await fill(one, 2500);
        await fill(two, 40);
        await b.press(page, 'Refresh');
        await table(page).getByRole('row').nth(2).waitFor();
        b.is(await table(page).getByRole('columnheader').allInnerTexts(),
             ['When', 'Prompt', 'Status', 'Version', 'Label', 'Model',
              'Latency', 'Tokens', 'Cost'], 'what is told of each');
        await b.becomes(() => told(page), await wanted('true'),
                        'what they were together');
        await b.looks(page, 'log');

        /* each filter, alone and together, in the address and the figures */
        for (const [name, value, where] of [
            ['Prompt', { label: 'log-one' }, `prompt_id = '${one}'`],
            ['Status', 'failed', "status = 'failed'"],
            ['Model', 'm2', "model = 'm2'"],
            ['Version or label', 'live', "label = 'live'"],
            ['Subject', 'customer 5', "subject = 'customer 5'"]
        ]) {
            await page.goto(b.url('executions'));
            await table(page).getByRole('row').nth(1).waitFor();

            if (/label|Subject/.test(name)) {
                await b.field(page, name).fill(value);
            } else {
                await pick(page, name).selectOption(value);
            }

            await page.waitForURL(/\?.+=/);
            await b.becomes(() => told(page), await wanted(where),
                            `${name}: the summary follows`);
        }

        await page.goto(b.url(`executions?prompt=${one}`));
        await b.field(page, 'Version or label').fill('2');
        await page.waitForURL(/version=2/);
        await b.becomes(() => told(page), await wanted(
            `prompt_id = '${one}' AND version = 2`), 'a number is a version');
        await pick(page, 'Status').selectOption('succeeded');
        await b.becomes(() => told(page), await wanted(
            `prompt_id = '${one}' AND version = 2 AND status = 'succeeded'`),
                        'filters count together');
        await page.reload();
        await table(page).getByRole('row').nth(1).waitFor();
        b.is([await pick(page, 'Status').inputValue(),
              await b.field(page, 'Version or label').inputValue()],
             ['succeeded', '2'], 'filters outlive a reload');
        await page.goto(b.url('executions?version=2'));
        await page.getByText('Choose the prompt whose version that is.')
            .waitFor();

        /* one of them, and those beside it within the filters */
        await page.goto(b.url(`executions?prompt=${two}&status=failed`));
        await table(page).getByRole('row').nth(1).waitFor();

        const ids = (await b.sql(`SELECT id FROM executions
            WHERE prompt_id = '${two}' AND status = 'failed'
            ORDER BY id DESC`)).map(([id]) => id);
        const at = async () => page.url().replace(/.*executions\/|\?.*/g, '');

        await table(page).getByRole('row').nth(2).getByRole('rowheader')
            .getByRole('link').click();
        await page.getByRole('heading', { name: 'Execution', exact: true })
            .waitFor();
        b.is(await at(), ids[1], 'a row leads to its page');
        await page.getByRole('link', { name: 'Older' }).click();
        await b.becomes(at, ids[2], 'older');
        await page.getByRole('link', { name: 'Newer' }).click();
        await b.becomes(at, ids[1], 'newer');
        await page.getByRole('link', { name: 'Newer' }).click();
        await b.becomes(at, ids[0], 'the newest');
        await page.getByRole('link', { name: 'Older' }).waitFor();
        await page.waitForLoadState('networkidle');
        b.is(await page.getByRole('link', { name: 'Newer' }).count(), 0,
             'has nothing newer');
        await page.getByRole('link', { name: 'All executions' }).click();
        await b.becomes(() => pick(page, 'Status').inputValue(), 'failed',
                        'and back to the filters');

        const middle = (await b.sql(`SELECT id FROM executions
            WHERE prompt_id = '${one}' ORDER BY id DESC OFFSET 2000 LIMIT 3`))
            .map(([id]) => id);

        await page.goto(b.url(`executions/${middle[1]}?prompt=${one}`));
        await page.getByRole('link', { name: 'Newer' }).click();
        await b.becomes(at, middle[0], 'newer, of thousands');
        await page.goto(b.url(
            'executions/019e5a3c-7f10-7c65-8a21-1d5be4a8f0ff'));
        await page.getByRole('heading', { name: 'Execution not found' })
            .waitFor();
        b.expectStatus(404);
    });
}


async function one() {
    await b.block('an execution', async () => {
        const id = await b.prompt('shown', '# About {{x}}',
                                  { model: 'fx:text=**bold**' });

        await b.version(id, 'Second {{x}}', { model: 'fx:text=other' });

        const execution = await run(id, { x: 'cats' },
            'version: 1 subject: "customer 7" metadata: {plan: "pro"}');
        const page = await b.signIn('alice', `executions/${execution}`);
        const output = region(page, 'Output');

        await output.locator('strong', { hasText: 'bold' }).waitFor();
        await region(page, 'Messages').getByRole('heading',
                                                 { name: 'About cats' })
            .waitFor();
        b.ok((await region(page, 'Input').innerText()).includes('"x": "cats"'),
             'the input, as a tree');

        const facts = await page.locator('.execution-facts').innerText();

        b.ok((await region(page, 'Metadata').innerText())
            .includes('"plan": "pro"'), 'its metadata');

        for (const fact of ['customer 7', 'Attempts', 'Trace id',
                            execution])
        {
            b.ok(facts.includes(fact), `its facts: ${fact}`);
        }

        await b.looks(page, 'log-execution');

        /* raw is byte for byte, everywhere, and stays */
        await output.getByRole('radio', { name: 'Raw' }).check();
        b.is(await output.locator('pre').textContent(), '**bold**', 'raw');
        b.is(await region(page, 'Messages').locator('pre').textContent(),
             '# About cats', 'one choice for all');
        await page.reload();
        await output.locator('pre').waitFor();
        b.ok(await output.getByRole('radio', { name: 'Raw' }).isChecked(),
             'the choice is kept');
        await output.getByRole('radio', { name: 'Rendered' }).check();

        /* said of it */
        const button = (name) => page.getByRole('button', { name, exact: true });
        const rating = async () => (await b.sql(`SELECT name, value FROM scores
            WHERE execution_id = '${execution}'`)).map((r) => r.join(' '));

        await button('Good').click();
        await b.becomes(() => button('Good').getAttribute('aria-pressed'),
                        'true', 'good');
        b.is(await rating(), ['rating 1'], 'which is a score');
        await region(page, 'Scores').getByRole('row', { name: 'rating' })
            .waitFor();
        await b.looks(page, 'log-execution-scored');
        await button('Bad').click();
        await b.becomes(() => button('Bad').getAttribute('aria-pressed'),
                        'true', 'bad');
        b.is([await rating(), await button('Good').getAttribute(
            'aria-pressed')], [['rating 0'], 'false'], 'in its place');
        await button('Bad').click();
        await b.becomes(rating, [], 'taken back');

        /* again */
        await button('Run again…').click();
        await pick(dialog(page, 'Run again'), 'Version or label').waitFor();
        b.is(await pick(page, 'Version or label').locator('option').first()
            .innerText(), 'Version 1 (its own)', 'its own version first');
        await b.looks(page, 'log-run-again');
        await pick(page, 'Version or label').selectOption({ label: 'Version 2' });
        await b.press(page, 'Run');

        const again = region(page, 'New output');

        await again.getByText('other').first().waitFor();
        await again.getByText('Show this execution').waitFor();
        await b.looks(page, 'log-again');

        const [[count, subject]] = await b.sql(`SELECT count(*), min(subject)
            FROM executions WHERE prompt_id = '${id}' AND version = 2`);

        b.is([count, subject], ['1', 'customer 7'], 'it ran, for the same');
        await again.getByText('Show this execution').click();
        await b.becomes(async () => page.url().includes(execution), false,
                        'and has a page');

        /* into a dataset, which is new */
        await page.goto(b.url(`executions/${execution}`));
        await b.press(page, 'Add to dataset');

        const add = dialog(page, 'Add to dataset');

        await pick(add, 'Dataset').waitFor();
        b.is(await pick(add, 'Dataset').locator('option').allInnerTexts(),
             ['New dataset…'], 'there is none yet');
        await b.press(add, 'Add');
        await add.getByText('Enter a name.').waitFor();
        await b.field(add, 'Name').fill('from-log');
        await b.field(add, 'Expected').fill('{');
        await b.press(add, 'Add');
        await add.getByText('This is not JSON').waitFor();
        await b.field(add, 'Expected').fill('{"n": 1.10}');
        await b.looks(page, 'log-to-dataset');
        await b.press(add, 'Add');
        await add.waitFor({ state: 'detached' });
        b.is(await b.sql(`SELECT d.name, i.expected, i.execution_id
                          FROM dataset_items i
                          JOIN datasets d ON d.id = i.dataset_id`),
             [['from-log', '{"n":1.10}', execution]], 'it is an item');
        await page.getByRole('link', { name: 'Open it' }).click();
        await page.getByRole('heading', { name: 'from-log' }).waitFor();
    });

    await b.block('an execution that failed', async () => {
        const id = await b.prompt('failing', 'x', { model: 'fx:status=429' });

        await b.execute(id, {});

        const [[execution]] = await b.sql(`SELECT id FROM executions
                                           WHERE prompt_id = '${id}'`);
        const page = await b.signIn('alice', `executions/${execution}`);

        await region(page, "Provider's message").getByText('429').first()
            .waitFor();
        await b.looks(page, 'log-failed');

        /* the address that it had once */
        await page.goto(b.url(`prompts/${id}/executions?execution=${execution}`));
        await page.waitForURL(new RegExp(`executions/${execution}`));
        await region(page, 'Output').waitFor();
        b.ok(true, 'an older address leads there');
    });

    await b.block('an execution of another project', async () => {
        const page = await b.signIn('alice', 'prompts');
        const as = async (project, query, variables) => (await b.post(
            query, variables, { key: null, headers: {
                'Sec-Fetch-Site': 'same-origin',
                Cookie: await b.cookieOf(page),
                ...(project && { 'Prompt-Project': project }) } })).data;
        const { createProject: { id: project } } = await as(null,
            'mutation { createProject(name: "Elsewhere") { id } }');
        const { createPrompt: { id } } = await as(project,
            'mutation { createPrompt(input: { name: "there" }) { id } }');

        await as(project, `mutation ($input: CreatePromptVersionInput!) {
            createPromptVersion(input: $input) { id } }`,
                 { input: { promptId: id, content: 'x',
                            params: { model: 'fx:ok' } } });

        const { executePrompt: { executionId } } = await as(project, `mutation {
            executePrompt(promptId: "${id}", input: {}) { executionId } }`);
        const { createDataset: { id: set } } = await as(project,
            'mutation { createDataset(name: "there") { id } }');

        b.expectStatus(403, 404);

        for (const where of [`executions/${executionId}`, `datasets/${set}`,
                             `prompts/${id}`])
        {
            await page.evaluate(() => sessionStorage.clear());
            await page.goto(b.url(where));
            await page.getByText('you are there now').waitFor();
            await page.getByRole('button', { name: 'Project: Elsewhere' })
                .waitFor();
            b.ok(true, `${where.split('/')[0]}: the project is switched to`);
        }
    });
}


/* texts of anybody, as they are meant */
async function rendered() {
    const text = [
        '# Title', 'Some *words* and `code`, a [link](https://x.test/a).', '',
        '- one', '  - two', '', '| a | b |', '|---|--:|', '| 1 | 2 |', '',
        '```js', '<b>not bold</b>', '```', '', '> said', '',
        '<img src=x onerror="document.title = 1">',
        '<script>document.title = 1</script>',
        '[bad](javascript:document.title=1)', '',
        '![seen](https://pictures.test/a.png)', '', '##### Deep'
    ].join('\n');

    await b.block('text as it is meant', async () => {
        const id = await b.prompt('rendered', 'x', { model: 'fx:ok' });

        await fill(id, 5);

        const ids = (await b.sql(`SELECT id FROM executions
            WHERE prompt_id = '${id}' ORDER BY id`)).map(([one]) => one);
        const put = (at, said) => b.sql(`UPDATE executions
            SET output = ${said} WHERE id = '${ids[at]}'`);

        await put(0, `$t$${text}$t$`);
        await put(1, `'{"n": 1.10, "deep": {"a": [1, {"b": "line\\nline"}]}}'`);
        await put(2, `(SELECT string_agg('**word** <i> [a](', '')
                       FROM generate_series(1, 260000))`);
        await put(3, "repeat('[', 2000000) || repeat(']', 2000000)");
        await put(4, `(SELECT '[' || string_agg('{"a": [1, 2, "x"]}', ',')
                       || ']' FROM generate_series(1, 200000))`);

        const page = await b.signIn('alice', `executions/${ids[0]}`);
        const output = region(page, 'Output');
        const asked = [];

        page.on('request', (r) => asked.push(r.url()));
        await output.getByRole('heading', { name: 'Title' }).waitFor();
        b.is([await output.getByRole('listitem').count(),
              await output.getByRole('table').getByRole('cell')
                  .allInnerTexts(),
              await output.locator('em, blockquote').allInnerTexts()],
             [2, ['1', '2'], ['words', 'said']], 'headings, lists, tables');
        b.is(await output.getByRole('link').evaluateAll((all) => all.map(
            (a) => [a.getAttribute('href'), a.rel])),
             ['https://x.test/a', 'https://pictures.test/a.png'].map((href) =>
                 [href, 'noreferrer noopener nofollow']),
             'only http(s) is a link');
        b.is(await output.locator('img, script, b').count(), 0, 'no HTML');
        b.ok((await output.innerText()).includes(
            '<script>document.title = 1</script>'), 'which is text');
        b.is(asked.filter((url) => !url.startsWith(b.url().slice(0, 17))), [],
             'nothing is loaded from elsewhere');
        b.ok(/^Execution/.test(await page.title()), 'nothing has run');
        await b.looks(page, 'rendered');

        /* JSON, by keyboard */
        await page.goto(b.url(`executions/${ids[1]}`));

        const tree = output.getByRole('tree');

        await tree.waitFor();
        b.ok((await tree.innerText()).includes('"n": 1.10'),
             'numbers as they are written');
        await b.looks(page, 'rendered-json');
        await tree.getByRole('treeitem').first().focus();
        await page.keyboard.press('ArrowLeft');
        b.is(await tree.getByRole('treeitem').count(), 1, 'closed');
        await page.keyboard.press('ArrowRight');
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('ArrowDown');
        b.ok(/^treeitem "deep"/.test(await b.focused(page)), 'open, and down');
        await page.keyboard.press('ArrowLeft');
        b.is(await tree.getByRole('treeitem', { expanded: false }).count(), 1,
             'one in it closed');

        /* some MiB, and what is deep */
        for (const at of [2, 3, 4]) {
            const before = Date.now();

            await page.goto(b.url(`executions/${ids[at]}`));
            await output.getByText(at === 4 ? 'Show more' : ' characters.')
                .first().waitFor();

            const longest = await page.evaluate(() => new Promise((done) => {
                let last = performance.now();
                let longest = 0;
                let left = 20;
                const timer = setInterval(() => {
                    longest = Math.max(longest, performance.now() - last);
                    last = performance.now();

                    if (--left === 0) {
                        clearInterval(timer);
                        done(longest);
                    }
                }, 20);
            }));

            b.ok(Date.now() - before < 20000 * b.slow,
                 `${at}: shown (${Date.now() - before} ms)`);
            b.ok(longest < 1000 * b.slow, `${at}: and nothing hangs`);
        }

        await output.getByText('Show more').last().click();
        await b.becomes(async () => await output.getByRole('treeitem').count()
                        > 150, true, 'more is shown when it is asked for');
    });
}


b.main({}, async () => {
    await log();
    await one();
    await rendered();
});
