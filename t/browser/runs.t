#!/usr/bin/env node
/*
 * Runs in a browser: started on a dataset, watched, paused, gone on with,
 * compared, cancelled, and stopped by their cost.
 */

'use strict';

const b = require('./browser.js');

const table = (page, name) => page.getByRole('table', { name, exact: true });
const button = (page, name) => page.getByRole('button', { name, exact: true });
const field = (page, name) => page.getByRole('textbox', { name, exact: true });

async function dataset(name, count) {
    const { data } = await b.post(
        'mutation ($name: String!) { createDataset(name: $name) { id } }',
        { name });
    const { id } = data.createDataset;

    await b.post(`mutation ($id: ID!, $checks: JSON) {
        updateDataset(id: $id, checks: $checks) { id } }`, { id, checks: [
            { name: 'said', type: 'contains', value: 'one' }] });
    await b.post(`mutation ($id: ID!, $items: [DatasetItemInput!]!) {
        addDatasetItems(datasetId: $id, items: $items) { id } }`, {
            id, items: Array.from({ length: count }, (_, i) => ({
                input: { x: `item ${i}` }, expected: `answer ${i}` })) });

    return id;
}

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
        const prompt = await b.prompt('ran', 'Say {{x}}',
                                      { model: 'fx:delay=100,text=one' });

        await b.version(prompt, 'Say {{x}}', { model: 'fx:delay=100,text=two' });

        const id = await dataset('runs', 12);
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

        await button(page, 'Pause').click();
        await button(page, 'Go on').waitFor();
        b.ok(Number(await done.getAttribute('value')) < 48, 'it is paused');
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
                          WHERE prompt_id = '${prompt}'`), [['48', '48']],
             'each cell once');
        await b.looks(page, 'run');

        /* two beside each other */
        await results.getByRole('checkbox', { name: 'Compare' }).nth(0).check();
        await results.getByRole('checkbox', { name: 'Compare' }).nth(2).check();
        await button(page, 'Compare').click();

        const compare = page.getByRole('dialog', { name: 'Compare results' });

        await compare.getByText('item ').first().waitFor();
        await compare.getByText('answer ').first().waitFor();
        await compare.locator('.diff-host').waitFor();
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
        const page = await b.signIn('alice');

        b.expectStatus(401);

        const dialog = await start(page, id, 'ran');

        await button(dialog, 'Start run').click();
        await button(page, 'Pause').click();
        await b.endSession(page);
        await button(page, 'Go on').click();
        await page.getByRole('dialog', { name: 'Sign in again' })
            .getByRole('textbox', { name: 'Password' }).fill(b.password);
        await page.keyboard.press('Enter');
        await page.getByText('24 of 24').waitFor();
        b.ok(true, 'it goes on after signing in again');
    });
}


b.main({}, async () => {
    await runs();
});
