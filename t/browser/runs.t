#!/usr/bin/env node
/*
 * Runs in a browser: started on a dataset, watched, paused, gone on with,
 * compared, cancelled, stopped by their cost; in two tabs, over the end of a
 * session, and with a thousand cells.
 */

'use strict';

const b = require('./browser.js');

const table = (page, name) => page.getByRole('table', { name, exact: true });
const button = (page, name) => page.getByRole('button', { name, exact: true });
const field = (page, name) => page.getByRole('textbox', { name, exact: true });

async function dataset(name, inputs) {
    const { data } = await b.post(
        'mutation ($name: String!) { createDataset(name: $name) { id } }',
        { name });
    const { id } = data.createDataset;

    await b.post(`mutation ($id: ID!, $checks: JSON) {
        updateDataset(id: $id, checks: $checks) { id } }`, { id, checks: [
            { name: 'said', type: 'contains', value: 'one' }] });
    await b.post(`mutation ($id: ID!, $items: [DatasetItemInput!]!) {
        addDatasetItems(datasetId: $id, items: $items) { id } }`, {
            id, items: inputs.map((input, i) => ({
                input, expected: `answer ${i}` })) });

    return id;
}

const numbered = (count) =>
    Array.from({ length: count }, (_, i) => ({ x: `item ${i}` }));

/* a prompt with a version for each of these models */
async function prompt(name, ...models) {
    const params = (model) => ({ model, max_tokens: 1000 });
    const id = await b.prompt(name, 'Say {{x}}', params(models[0]));

    for (const model of models.slice(1)) {
        await b.version(id, 'Say {{x}}', params(model));
    }

    return id;
}

/* what is done of the run that a page shows, as the database says */
const cellsOf = async (page, where = 'true') => Number((await b.sql(`
    SELECT count(*) FROM run_cells c LEFT JOIN executions e
    ON e.id = c.execution_id WHERE c.run_id = '${page.url().slice(-36)}'
    AND ${where}`))[0][0]);

const links = (page) => table(page, 'Results')
    .getByRole('link', { name: 'execution', exact: true });

async function start(page, id, prompt, { versions, repetitions, cap } = {}) {
    await page.goto(b.url(`datasets/${id}?tab=runs`));
    await button(page, 'New run').click();

    const dialog = page.getByRole('dialog', { name: 'New run' });

    await dialog.getByRole('combobox', { name: 'Prompt' })
        .selectOption({ label: prompt });

    for (const version of versions || [1, 2]) {
        await dialog.getByRole('checkbox', { name: `Version ${version}` })
            .check();
    }

    if (repetitions) {
        await dialog.getByRole('spinbutton', { name: 'Repetitions' })
            .fill(String(repetitions));
    }

    if (cap) {
        await field(dialog, 'Cost cap (USD)').fill(cap);
    }

    return dialog;
}


async function runs() {
    await b.block('a run', async () => {
        const prompted = await prompt('ran', 'fx:delay=300,text=one',
                                      'fx:delay=300,text=two');
        const id = await dataset('runs', numbered(12));
        const page = await b.signIn('alice', `datasets/${id}?tab=runs`);

        await page.getByText('No runs yet').waitFor();
        await b.looks(page, 'runs-empty');

        const dialog = await start(page, id, 'ran', { versions: [] });

        await button(dialog, 'Start run').click();
        await dialog.getByText('Choose one version or more.').waitFor();
        await dialog.getByRole('checkbox', { name: 'Version 1' }).check();
        await dialog.getByRole('checkbox', { name: 'Version 2' }).check();
        await dialog.getByRole('spinbutton', { name: 'Repetitions' }).fill('2');
        await dialog.getByText('48 executions').waitFor();
        await b.looks(page, 'runs-new');
        await button(dialog, 'Start run').click();
        await page.waitForURL(/runs\/[0-9a-f-]{36}/);

        const done = page.getByRole('progressbar', { name: 'Done' });

        await links(page).first().waitFor();
        b.ok(Number(await done.getAttribute('value')) < 48,
             'cells come as they are done');
        await button(page, 'Pause').click();
        await button(page, 'Go on').waitFor();
        await page.getByText('paused', { exact: true }).waitFor();

        /* what ran is answered yet */
        await b.sleep(1000);

        const paused = await cellsOf(page, "e.status = 'succeeded'");

        b.ok(paused > 0 && paused < 48, 'it is paused');
        await b.becomes(() => links(page).count(), paused,
                        'what was done meanwhile is shown');
        await b.looks(page, 'run-paused');
        b.is(await cellsOf(page, "e.status = 'succeeded'"), paused,
             'and nothing is done');
        b.is(await page.getByRole('navigation', { name: 'Main' })
            .locator('[aria-current=page]').allInnerTexts(), ['Datasets'],
             'its place is told');
        await button(page, 'Go on').click();
        await page.getByText('48 of 48').waitFor();
        await page.getByText('done', { exact: true }).waitFor();
        b.is([await button(page, 'Pause').count(),
              await button(page, 'Cancel run').count()], [0, 0],
             'it is over');

        const summary = table(page, 'Summary');

        b.is(await summary.getByRole('columnheader').allInnerTexts(),
             ['Version', 'Done', 'Failed', 'Cost', 'Latency', 'said'],
             'a column for each score');
        b.is((await summary.getByRole('row').evaluateAll((rows) =>
            rows.slice(1).map((row) => [row.cells[1].innerText,
                                        row.cells[5].innerText]))),
             [['24', '1'], ['24', '0']], 'what each version scored');

        const results = table(page, 'Results');

        await b.becomes(() => results.locator('[data-row]').count(), 12,
                        'a row for each item');
        b.is(await b.sql(`SELECT count(*), count(DISTINCT id) FROM executions
                          WHERE prompt_id = '${prompted}'`), [['48', '48']],
             'each cell once');
        await b.becomes(() => links(page).count(), 48, 'and each is shown');
        await b.looks(page, 'run');

        const order = () => results.locator('[data-row] th').allInnerTexts();
        const before = await order();

        await page.reload();
        await page.getByText('48 of 48').waitFor();
        await b.becomes(order, before, 'it is there by its address, as it was');
        b.is(before.map((text) => Number(/item (\d+)/.exec(text)[1])),
             numbered(12).map((_, i) => i), 'in the order of the items');

        /* two beside each other */
        await results.getByRole('checkbox', { name: 'Compare' }).nth(0).check();
        await results.getByRole('checkbox', { name: 'Compare' }).nth(2).check();
        await button(page, 'Compare').click();

        const compare = page.getByRole('dialog', { name: 'Compare results' });

        await compare.getByText('item ').first().waitFor();
        await compare.getByText('answer ').first().waitFor();

        const changes = compare.getByRole('group', { name: 'Changes: output' });

        b.is([await changes.getByRole('deletion').innerText(),
              await changes.getByRole('insertion').innerText()],
             ['one', 'two'], 'what is different');
        await b.looks(page, 'run-compare');
        await page.keyboard.press('Escape');
        await results.getByRole('link', { name: 'execution' }).first().click();
        await page.getByRole('heading', { name: 'Execution', exact: true })
            .waitFor();
    });

    await b.block('a run is cancelled', async () => {
        const [[id]] = await b.sql("SELECT id FROM datasets"
                                   + " WHERE name = 'runs'");
        const page = await b.signIn('alice');
        const dialog = await start(page, id, 'ran');

        await button(dialog, 'Start run').click();
        await button(page, 'Cancel run').click();
        await page.getByText('cancelled', { exact: true }).waitFor();
        b.is(await button(page, 'Go on').count(), 0, 'for good');
        await page.goto(b.url(`datasets/${id}?tab=runs`));
        await b.becomes(() => table(page, 'Runs').locator('[data-row]')
            .count(), 2, 'both are listed');
    });

    await b.block('a run in two tabs', async () => {
        const [[id]] = await b.sql("SELECT id FROM datasets"
                                   + " WHERE name = 'runs'");
        const page = await b.signIn('alice');
        const dialog = await start(page, id, 'ran');

        await button(dialog, 'Start run').click();
        await page.waitForURL(/runs\/[0-9a-f-]{36}/);

        const other = await b.open(page.url(), { context: page.context() });

        await page.getByText('24 of 24').waitFor();
        await other.getByText('24 of 24').waitFor();
        b.is(await b.sql(`SELECT count(*) FROM run_cells c JOIN runs r
                          ON r.id = c.run_id WHERE r.dataset_id = '${id}'
                          GROUP BY c.item_id, c.version, c.repetition, r.id
                          HAVING count(*) > 1`), [], 'each cell once');
    });

    await b.block('a session ends while a run is watched', async () => {
        const [[id]] = await b.sql("SELECT id FROM datasets"
                                   + " WHERE name = 'runs'");

        await prompt('slow', 'fx:delay=1000,text=one');

        const page = await b.signIn('alice');

        b.expectStatus(401);

        const dialog = await start(page, id, 'slow', { versions: [1] });

        await button(dialog, 'Start run').click();
        await links(page).first().waitFor();
        await b.endSession(page);
        await page.getByRole('dialog', { name: 'Sign in again' })
            .getByRole('textbox', { name: 'Password' }).fill(b.password);
        b.ok(await cellsOf(page, "e.status = 'succeeded'") < 12,
             'without a session it does not go on');
        await page.keyboard.press('Enter');
        await page.getByText('12 of 12').waitFor();
        await b.becomes(() => links(page).count(), 12,
                        'it goes on after signing in again, and misses nothing');
        b.is(await cellsOf(page, "e.status = 'succeeded'"), 12,
             'each cell was done');
    });

    await b.block('a run may cost so much', async () => {
        const [[id]] = await b.sql("SELECT id FROM datasets"
                                   + " WHERE name = 'runs'");
        const page = await b.signIn('alice');
        const dialog = await start(page, id, 'ran', { cap: 'much' });

        await button(dialog, 'Start run').click();
        await dialog.getByText('Enter an amount such as 0.50.').waitFor();
        await field(dialog, 'Cost cap (USD)').fill('0.00062');
        await button(dialog, 'Start run').click();
        await page.getByText('over cost', { exact: true }).waitFor();
        await page.getByText('raise it to go on, or cancel the run').waitFor();
        b.is([await button(page, 'Pause').count(),
              await button(page, 'Cancel run').count()], [0, 1],
             'it can be cancelled');
        b.ok(await cellsOf(page, "e.status = 'succeeded'") < 24,
             'not all was done');
        await b.looks(page, 'run-over-cost');
        await field(page, 'Cost cap (USD)').fill('a lot');
        await button(page, 'Go on').click();
        await page.getByText('Enter an amount such as 0.50.').waitFor();
        await field(page, 'Cost cap (USD)').fill('0.5');
        await button(page, 'Go on').click();
        await page.getByText('24 of 24').waitFor();
        await page.getByText('done', { exact: true }).waitFor();
        await b.becomes(() => links(page).count(), 24, 'with more it goes on');
    });

    await b.block('cells that failed', async () => {
        await prompt('failing', 'fx:status=400', 'fx:text=one');

        const id = await dataset('wrong', [{ x: 'right' }, { y: 'wrong' }]);
        const page = await b.signIn('alice');
        const dialog = await start(page, id, 'failing');

        await button(dialog, 'Start run').click();
        await page.getByText('4 of 4').waitFor();

        const cell = (row, column) => table(page, 'Results')
            .locator('[data-row]').nth(row).getByRole('cell').nth(column);

        await cell(0, 0).getByText('failed', { exact: true }).waitFor();
        b.ok(/400/.test(await cell(0, 0).innerText()), 'why the provider failed');
        await cell(0, 1).getByText('one', { exact: true }).waitFor();
        await cell(1, 0).getByText('refused', { exact: true }).waitFor();
        b.ok(/\bx\b/.test(await cell(1, 1).innerText()), 'why it was not asked');
        b.is(await table(page, 'Summary').getByRole('row').evaluateAll((rows) =>
            rows.slice(1).map((row) => row.cells[2].innerText)), ['2', '1'],
             'they are counted');
        await b.looks(page, 'run-failed');

        /* what was compared may be gone */
        await b.post(`mutation ($id: ID!) { deletePrompt(id: $id) }`, {
            id: (await b.sql("SELECT id FROM prompts"
                             + " WHERE name = 'failing'"))[0][0] });
        await b.post(`mutation ($ids: [ID!]!) { removeDatasetItems(ids: $ids) }`,
                     { ids: (await b.sql(`SELECT id FROM dataset_items
                             WHERE dataset_id = '${id}'`)).map(([one]) => one) });
        await page.reload();
        await page.getByText('A prompt that is gone').waitFor();
        await table(page, 'Results').getByText('removed').first().waitFor();
        await page.goto(b.url(`datasets/${id}?tab=runs`));
        await b.becomes(() => table(page, 'Runs').locator('[data-row]')
            .count(), 1, 'its run is listed');
    });

    await b.block('a thousand cells', async () => {
        await prompt('quick', 'fx:text=one', 'fx:text=two');

        const id = await dataset('many', numbered(500));
        const page = await b.signIn('alice');
        const dialog = await start(page, id, 'quick');

        await dialog.getByText('1,000 executions').waitFor();
        await button(dialog, 'Start run').click();
        await page.getByText('1,000 of 1,000').waitFor();

        const results = table(page, 'Results');
        const last = results.getByText('item 499"');

        await b.until(60, async () => {
            await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
            return await last.count() > 0;
        });
        await last.waitFor();
        b.ok(await results.locator('[data-row]').count() < 200,
             'those near the window are in the document');
        await b.becomes(() => results.locator('[data-row]').last()
            .getByRole('link', { name: 'execution' }).count(), 2,
                        'the last is done, too');
        b.is(await cellsOf(page, "e.status = 'succeeded'"), 1000,
             'all are done');
        await b.looks(page, 'run-many');
    });

    await b.block('a run that is nowhere', async () => {
        const page = await b.signIn('alice',
            'runs/00000000-0000-7000-8000-000000000000');

        await page.getByRole('heading', { name: 'Run not found' }).waitFor();
        await b.looks(page, 'run-nowhere');
    });
}


b.main({}, async () => {
    await runs();
});
