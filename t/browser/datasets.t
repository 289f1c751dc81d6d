#!/usr/bin/env node
/*
 * Datasets in a browser: made, renamed, deleted; their items, which come and go
 * one by one or as a file of lines; their checks.
 */

'use strict';

const fs = require('fs');

const b = require('./browser.js');

const MANY = b.all ? 100000 : 10000;

const table = (page, name) => page.getByRole('table', { name, exact: true });
const dialog = (page, name) => page.getByRole('dialog', { name });
const field = (page, name, at = 0) => page.getByRole('textbox',
                                                     { name, exact: true })
    .nth(at);

async function lines(page, name, all) {
    const file = `${b.config().at}/${name}`;

    fs.writeFileSync(file, all.join('\n'));

    const chooser = page.waitForEvent('filechooser');

    await b.press(page, 'Import JSONL');
    await (await chooser).setFiles(file);
}

async function exported(page) {
    const coming = page.waitForEvent('download');

    await b.press(page, 'Export JSONL');

    const download = await coming;

    return [download.suggestedFilename(),
            fs.readFileSync(await download.path(), 'utf8')];
}


async function datasets() {
    await b.block('datasets', async () => {
        const page = await b.signIn('alice', 'datasets');

        await page.getByText('No datasets yet').waitFor();
        await b.looks(page, 'datasets-empty');
        await b.press(page, 'New dataset');
        await b.press(dialog(page, 'New dataset'), 'Create dataset');
        await page.getByText('Enter a name.').waitFor();
        await field(page, 'Name').fill('Questions / hard');
        await field(page, 'Description').fill('What is often asked');
        await b.looks(page, 'datasets-new');
        await b.press(page, 'Create dataset');
        await page.getByRole('heading', { name: 'Questions / hard' }).waitFor();
        await page.getByText('No items yet').waitFor();
        await b.looks(page, 'dataset-empty');

        /* a name that is taken is said at its place */
        await page.goto(b.url('datasets'));
        await table(page, 'Datasets').getByText('Questions / hard').waitFor();
        b.is(await table(page, 'Datasets').getByRole('columnheader')
            .allInnerTexts(), ['Name', 'Items', 'Last run', 'Created'], 'a table');
        await b.looks(page, 'datasets');
        await b.press(page, 'New dataset');
        await field(page, 'Name').fill('Questions / hard');
        await b.press(page, 'Create dataset');
        await b.becomes(() => field(page, 'Name').getAttribute('aria-invalid'),
                        'true', 'a name that is taken');
        await page.keyboard.press('Escape');

        /* items by hand */
        await table(page, 'Datasets').getByRole('link').click();
        await b.press(page, 'Add item');

        const add = dialog(page, 'Add item');

        await field(add, 'Input').fill('[1]');
        await field(add, 'Expected').fill('nothing');
        await b.press(add, 'Add');
        await b.becomes(() => add.locator('[aria-invalid=true]').count(), 2,
                        'what is wrong is said at its place');
        await field(add, 'Input').fill('{"q": "Why <b>?", "n": 1.10}');
        await field(add, 'Expected').fill('"Because"');
        await field(add, 'Metadata').fill('{"level": "hard"}');
        await b.looks(page, 'dataset-add');
        await b.press(add, 'Add');
        await add.waitFor({ state: 'detached' });
        await table(page, 'Items').getByText('"Because"').waitFor();
        await b.looks(page, 'dataset-items');
        await table(page, 'Items').getByText('Why <b>').click();
        await dialog(page, 'Item').getByRole('tree').first().waitFor();
        await b.looks(page, 'dataset-item');
        await page.keyboard.press('Escape');

        /* a file: all of it or nothing */
        const count = async () => Number((await b.sql(
            'SELECT count(*) FROM dataset_items'))[0][0]);

        await lines(page, 'wrong.jsonl', ['{"input": {}}', '{"input": 7}', '',
                                          '{', '{"input": {}, "other": 1}']);

        const wrong = page.getByRole('alert');

        await wrong.getByText('Nothing was imported: 3 lines are wrong.')
            .waitFor();

        for (const line of ['Line 2', 'Line 4', 'Line 5']) {
            b.ok((await wrong.innerText()).includes(line), `named: ${line}`);
        }

        b.is(await count(), 1, 'nothing is imported');
        await b.looks(page, 'dataset-wrong');
        await lines(page, 'right.jsonl', [
            '{"input": {"q": "Two", "n": 2.50}, "expected": {"a": 1e2}}',
            '{"input": {"q": "Three"}, "metadata": {"level": "easy"}}', '']);
        await page.getByText('2 items were imported.').waitFor();
        await table(page, 'Items').getByText('Three').waitFor();

        const [name, text] = await exported(page);

        b.is([name, text.split('\n')], ['Questions - hard.jsonl', [
            '{"input":{"q":"Why <b>?","n":1.10},"expected":"Because",'
            + '"metadata":{"level":"hard"}}',
            '{"input":{"q":"Two","n":2.50},"expected":{"a":1e2}}',
            '{"input":{"q":"Three"},"metadata":{"level":"easy"}}', '']],
             'what is exported is what was imported');

        /* some go */
        await page.getByRole('checkbox', { name: 'Item 1' }).check();
        await page.getByRole('checkbox', { name: 'Item 3' }).check();
        await page.getByText('2 of 3 chosen').waitFor();
        await b.press(page, 'Remove items');
        await page.getByText('2 items were removed.').waitFor();
        await b.becomes(count, 1, 'they are gone');
        await b.becomes(() => table(page, 'Items').locator('[data-row]')
            .count(), 1, 'also from the page');

        /* another name, and the end */
        await b.press(page, 'Rename');
        await field(page, 'Name').fill('Hard');
        await b.press(page, 'Save');
        await page.getByRole('heading', { name: 'Hard', exact: true }).waitFor();
        await b.press(page, 'Delete dataset');
        await b.press(page, 'Delete for good');
        await page.getByText('Type Hard to delete it.').waitFor();
        await field(page, 'Type the name').fill('Hard');
        await b.looks(page, 'dataset-delete');
        await b.press(page, 'Delete for good');
        await page.getByText('No datasets yet').waitFor();
        b.is(await count(), 0, 'with all that was in it');
    });
}


async function checks() {
    await b.block('checks', async () => {
        const page = await b.signIn('alice', 'datasets');

        await b.prompt('judge', 'x', { model: 'fx:ok' });
        await b.press(page, 'New dataset');
        await field(page, 'Name').fill('checked');
        await b.press(page, 'Create dataset');
        await page.getByRole('tab', { name: 'Checks' }).click();
        b.ok(/tab=checks/.test(page.url()), 'a tab has an address');

        const one = (n) => page.getByRole('group', { name: `Check ${n}`,
                                                     exact: true });
        const type = (n) => one(n).getByRole('combobox', { name: 'Type' });

        const given = [
            ['polite', 'contains', { Value: 'please' }],
            ['short', 'regex', { Pattern: '^.{0,99}$', Path: 'answer.0' }],
            ['sound', 'json_schema', { Schema: '{"minimum": 1.10}' }],
            ['same', 'json_equals', {}],
            ['cheap', 'max_cost', { 'US dollars': '0.050' }],
            ['quick', 'max_latency', { Milliseconds: '2000' }],
            ['good', 'judge', { Label: 'live' }]
        ];

        for (const [at, [name, kind, texts]] of given.entries()) {
            await b.press(page, 'Add check');
            await type(at + 1).selectOption(kind);
            await field(one(at + 1), 'Name').fill(name);

            for (const [label, text] of Object.entries(texts)) {
                await field(one(at + 1), label).fill(text);
            }
        }

        /* what is missing is said; another tab loses nothing */
        await b.press(page, 'Save checks');
        await one(7).getByText('Fill this in.').waitFor();
        await page.getByRole('tab', { name: 'Items' }).click();
        await page.getByRole('tab', { name: 'Checks' }).click();
        await one(7).getByRole('combobox', { name: 'Prompt' })
            .selectOption({ label: 'judge' });
        await field(one(2), 'Pattern').fill('(');
        await b.press(page, 'Save checks');
        await b.becomes(() => field(one(2), 'Pattern')
            .getAttribute('aria-invalid'), 'true',
                        'what the service refuses is said at its place');
        await field(one(2), 'Pattern').fill('^.{0,99}$');
        await b.looks(page, 'dataset-checks');
        await b.press(page, 'Save checks');
        await page.getByText('The checks are saved.').waitFor();

        const kept = (await b.sql('SELECT checks FROM datasets'
                                  + " WHERE name = 'checked'"))[0].join('|');

        b.ok(kept.includes('{"minimum":1.10}'), 'JSON as it is written');
        b.is(JSON.parse(kept).map(({ name, type: kind }) => [name, kind]),
             given.map(([name, kind]) => [name, kind]), 'saved');
        await page.reload();
        await one(7).waitFor();
        await one(4).getByRole('button', { name: 'Remove check 4' }).click();
        await b.press(page, 'Save checks');
        await b.becomes(async () => JSON.parse((await b.sql(
            "SELECT checks FROM datasets WHERE name = 'checked'"))[0]
            .join('|')).length, 6, 'one is removed');
    });
}


async function many() {
    await b.block('many items', async () => {
        const page = await b.signIn('alice', 'datasets');

        await b.press(page, 'New dataset');
        await field(page, 'Name').fill('many');
        await b.press(page, 'Create dataset');
        await page.getByText('No items yet').waitFor();
        await lines(page, 'many.jsonl', Array.from({ length: MANY }, (_, i) =>
            `{"input": {"n": ${i}}}`));
        await page.getByText(`${MANY.toLocaleString('en-US')} items were `
                             + 'imported.').waitFor();

        const before = Date.now();

        await page.reload();
        await table(page, 'Items').getByText('{"n":0}').waitFor();
        b.ok(Date.now() - before < 3000 * b.slow, 'the first are there at once');

        const seen = () => page.locator('[aria-rowindex]').evaluateAll((all) =>
            Math.max(...all.map((row) =>
                Number(row.getAttribute('aria-rowindex')))));

        await b.until(20, async () => {
            await page.mouse.wheel(0, 20000);
            return await seen() > 350;
        });
        b.ok(await seen() > 350, 'further pages come');
        b.ok(await page.locator('[data-row]').count() < 200,
             'and what is not seen is not drawn');

        const [, text] = await exported(page);

        b.is(text.split('\n').length, MANY + 1, 'all are exported');
    });
}


b.main({}, async () => {
    await datasets();
    await checks();
    await many();
});
