#!/usr/bin/env node
/*
 * Labels in a browser: what changes when one moves, splits and their guards,
 * versions of a split beside each other; figures of versions; differences.
 */

'use strict';

const b = require('./browser.js');

const dialog = (page, name) => page.getByRole('dialog', { name });
const region = (page, name) => page.getByRole('region', { name, exact: true });
const toast = (page, text) => page.locator('.toasts').getByText(text).first();
const row = (page, version) => page.getByRole('table', { name: 'Versions',
                                                         exact: true })
    .getByRole('row', { name: new RegExp(`Version ${version}\\b`) });
const number = (page, name) => page.getByRole('spinbutton', { name,
                                                              exact: true });

const add = (promptId, version) => b.post(
    'mutation ($i: CreatePromptVersionInput!) '
    + '{ createPromptVersion(input: $i) { version } }',
    { i: { promptId, params: { model: 'fx:ok' }, ...version } });

const set = (id, label, version, more = {}) => b.post(
    `mutation ($id: ID!, $label: String!, $version: Int!,
               $split: [LabelSplitInput!], $guard: LabelGuardInput) {
        setPromptLabel(promptId: $id, label: $label, version: $version,
                       split: $split, guard: $guard) { label } }`,
    { id, label, version, ...more });

const label = async (id, name) => (await b.post(`query ($id: ID!) {
    prompt(id: $id) { labels { label version split { version permille }
        guard { maxFailurePermille maxLatencyRatio maxCostRatio
                minExecutions } } } }`, { id }))
    .data.prompt.labels.find((one) => one.label === name);

/* a run of these versions, as if each cell was done */
async function ran(promptId, versions) {
    const name = `data-${versions.length}`;
    const { data } = await b.post(
        'mutation ($name: String!) { createDataset(name: $name) { id } }',
        { name });
    const { id } = data.createDataset;

    await b.post(`mutation ($id: ID!) { addDatasetItems(datasetId: $id,
        items: [{ input: { name: 1 } }]) { id } }`, { id });

    const run = (await b.post(`mutation ($d: ID!, $p: ID!, $v: [Int!]!) {
        createRun(datasetId: $d, promptId: $p, versions: $v) { id } }`,
        { d: id, p: promptId, v: versions })).data.createRun.id;

    await b.sql(`UPDATE run_cells SET state = 2, seq = number, latency_ms = 120,
                 cost_usd = 0.25 WHERE run_id = '${run}'`);
}

async function openLabel(page, version, name) {
    await row(page, version).getByRole('button', { name: 'Set label' }).click();
    await dialog(page, 'Set label').waitFor();
    await b.field(page, 'Label').fill(name);
}


async function promotion() {
    await b.block('what changes', async () => {
        const id = await b.prompt('promote');

        await add(id, { content: 'Dear {{name}}, {{old}}', inputSchema: {
            type: 'object', required: ['name', 'old'],
            properties: { name: { type: 'string' }, old: {},
                          tone: { enum: ['warm', 'short'] } } } });
        await add(id, { content: 'Dear {{name}}, {{fresh}}', inputSchema: {
            type: 'object', required: ['name', 'fresh'],
            properties: { name: { type: 'integer' }, fresh: {},
                          tone: { enum: ['warm'] } } } });
        await set(id, 'production', 1);
        await ran(id, [1, 2]);
        await ran(await b.prompt('another', 'x'), [1]);

        const page = await b.signIn('alice', `prompts/${id}/versions`);

        await openLabel(page, 2, 'production');

        const alert = page.getByRole('alert').filter({ hasText:
            'Inputs of version 1 would fail' });

        await alert.waitFor();
        b.is(await alert.getByRole('listitem').allInnerTexts(),
             ['name takes integer alone now',
              'fresh is required and has no default',
              'tone does not take "short" any more'], 'naming each field');

        const what = region(page, 'What changes');

        await what.getByText('New placeholders: fresh').waitFor();
        await what.getByText('Gone placeholders: old').waitFor();
        b.is(await what.getByRole('deletion').first().innerText(),
             'Dear {{name}}, {{old}}', 'what is taken out');
        b.is(await what.getByRole('insertion').first().innerText(),
             'Dear {{name}}, {{fresh}}', 'and put in');

        const last = region(page, 'Last run').getByRole('row');

        await last.first().waitFor();
        b.is((await last.allInnerTexts()).slice(1)
                 .map((text) => text.trim().split(/\s+/).slice(0, 6).join(' ')),
             ['Version 1 1 0 $0.25 120', 'Version 2 1 0 $0.25 120'],
             'and what the last run of both says');
        await b.looks(page, 'promote');

        /* where it stands already nothing changes */
        await page.getByRole('combobox', { name: 'Version' })
            .selectOption({ label: 'Version 1' });
        await what.waitFor({ state: 'detached' });
        await page.getByRole('combobox', { name: 'Version' })
            .selectOption({ label: 'Version 2' });
        await what.waitFor();
        await b.press(page, 'Set');
        await toast(page, 'production is at version 2.').waitFor();
        b.is((await label(id, 'production')).version, 2,
             'setting it stays possible');
    });

    await b.block('a label that is refused', async () => {
        const id = await b.prompt('refused', 'x');
        const page = await b.signIn('alice', `prompts/${id}/versions`);

        await page.route('**/graphql', async (route) => {
            if (/setPromptLabel/.test(route.request().postData())) {
                await route.fulfill({ json: { data: { setPromptLabel: null },
                    errors: [{ message: 'The label is protected.',
                               path: ['setPromptLabel'],
                               extensions: { code: 'FORBIDDEN' } }] } });
            } else {
                await route.fallback();
            }
        });
        await openLabel(page, 1, 'production');
        await b.press(page, 'Set');
        await page.getByRole('alert').getByText('The label is protected.')
            .waitFor();
        b.is(await b.field(page, 'Label').inputValue(), 'production',
             'what was typed stays');
    });
}


async function splits() {
    await b.block('a split', async () => {
        const id = await b.prompt('split', 'one', { model: 'fx:ok' });

        await b.version(id, 'two', { model: 'fx:ok' });
        await set(id, 'production', 1);

        const page = await b.signIn('alice', `prompts/${id}/versions`);

        await openLabel(page, 2, 'production');
        await b.press(page, 'Split…');

        const split = page.getByRole('group', { name: 'Split', exact: true });

        await split.waitFor();
        b.is([await number(page, 'Share of version 1 (%)').inputValue(),
              await number(page, 'Share of version 2 (%)').inputValue()],
             ['90', '10'], 'most stays where it is');
        await number(page, 'Share of version 2 (%)').fill('10.55');
        await b.press(page, 'Set');
        await b.becomes(() => b.focused(page),
                        'spinbutton Share of version 2 (%)',
                        'a share with two decimals is said');
        await number(page, 'Share of version 2 (%)').fill('12.5');
        await page.getByText('Together they are 102.5 %').waitFor();
        await b.press(page, 'Set');
        await b.becomes(() => b.focused(page),
                        'spinbutton Share of version 1 (%)',
                        'and shares that are not 100 together');
        await b.looks(page, 'split-wrong');
        await number(page, 'Share of version 1 (%)').fill('87.5');
        await number(page, 'Failures at most (%)').fill('200');
        await b.press(page, 'Set');
        await b.becomes(() => b.focused(page), 'spinbutton Failures at most (%)',
                        'as bounds that are none');
        await number(page, 'Failures at most (%)').fill('5.5');
        await number(page, 'Latency at most (×)').fill('1.5');
        await number(page, 'Executions at least').fill('50');
        await b.press(page, 'Set');
        await toast(page, 'production is split 87.5 / 12.5.').waitFor();
        b.is(await label(id, 'production'), {
            label: 'production', version: 1,
            split: [{ version: 1, permille: 875 }, { version: 2,
                                                     permille: 125 }],
            guard: { maxFailurePermille: 55, maxLatencyRatio: 1.5,
                     maxCostRatio: null, minExecutions: 50 }
        }, 'set with its guard');
        await row(page, 1).getByText('87.5 / 12.5').waitFor();
        await row(page, 2).getByText('12.5 %').waitFor();
        await page.locator('.page-head').getByText('87.5 / 12.5').waitFor();

        /* it is there when it is changed */
        await openLabel(page, 2, 'production');
        await b.press(page, 'Split…');
        b.is([await number(page, 'Share of version 1 (%)').inputValue(),
              await number(page, 'Failures at most (%)').inputValue()],
             ['87.5', '5.5'], 'a split that is there is shown');
        await b.looks(page, 'split');
        await page.keyboard.press('Escape');

        /* steps */
        const steps = page.getByRole('group', { name: 'Share of version 2',
                                                exact: true });

        await b.press(steps, '50 %');
        await toast(page, 'production is split 50 / 50.').waitFor();
        await b.becomes(async () => {
            const { split: parts, guard } = await label(id, 'production');

            return [parts.map((one) => one.permille), guard.minExecutions];
        }, [[500, 500], 50], 'a step keeps the guard');
        await b.press(steps, '100 %');
        await toast(page, 'production is at version 2.').waitFor();
        b.is([(await label(id, 'production')).version,
              (await label(id, 'production')).split], [2, []],
             'the last step is one version');
        await region(page, 'Split of production')
            .waitFor({ state: 'detached' });

        const history = page.getByRole('table', { name: 'History of labels' });

        await history.getByText('split: version 1 50 %, version 2 50 %')
            .waitFor();
        await b.sql(`UPDATE prompt_label_moves SET moved_by = NULL,
            reason = 'failed 120 of 1000' WHERE prompt_id = '${id}'
            AND version = 2`);
        await page.reload();
        await history.getByText('by the guard: failed 120 of 1000').waitFor();
        await b.looks(page, 'split-history');
    });

    await b.block('beside each other', async () => {
        const id = await b.prompt('arms', 'one', { model: 'fx:ok' });

        await b.version(id, 'two', { model: 'fx:status=400' });

        const ratings = [1, 0.9, 1, 0.8, 1, 0.9];
        const split = [{ version: 1, permille: 500 },
                       { version: 2, permille: 500 }];
        const run = (by) => b.post(`mutation ($id: ID!, $version: Int,
                $label: String, $subject: String) { executePrompt(promptId: $id,
                version: $version, label: $label, subject: $subject, input: {})
                { executionId versionUsed } }`, { id, ...by });
        const who = [];
        let before = 0;

        await set(id, 'production', 1, { split });

        while (!who[1] || !who[2]) {
            const by = { label: 'production', subject: `user ${before++}` };
            const { data } = await run(by);

            who[data?.executePrompt?.versionUsed ?? 2] = by;
        }

        /* set once more: what was before is none of it */
        await set(id, 'production', 1, { split, guard: {
            maxFailurePermille: 999, minExecutions: 1000 } });

        for (const value of ratings) {
            const done = await run(who[1]);

            await run(who[2]);
            await b.post(`mutation ($id: ID!, $value: Float!) {
                scoreExecution(executionId: $id, name: "rating",
                               value: $value) { id } }`,
                         { id: done.data.executePrompt.executionId, value });
        }

        /* nor is what was asked for by a number, or by another label */
        await set(id, 'other', 2);

        for (const by of [{ version: 1 }, { version: 2 }, { label: 'other' }]) {
            await run(by);
        }

        const page = await b.signIn('alice', `prompts/${id}/versions`);
        const arms = region(page, 'Split of production');
        const arm = (version) => arms.getByRole('row', { name:
            new RegExp(`^Version ${version}\\b`) });

        /* sums are told a moment later */
        await b.until(60, async () => {
            await page.reload();
            await arm(1).waitFor();

            return /\b6\b/.test(await arm(2).innerText());
        });
        b.ok(/100\.0 %\s*\(61\.0 % to 100\.0 %\)/.test(
            await arm(2).innerText()), 'failures with how sure they are');
        b.ok(/0\.93\s*\(0\.87 to 1\.00\)/.test(await arm(1).innerText()),
             'as scores');
        await arms.getByText('more failures').waitFor();
        await b.looks(page, 'arms');

        b.ok(/^Version 1\s+50 %\s+6\b/.test(await arm(1).innerText()),
             'executions by the label since it was split');

        /* the table of versions has 30 days of all */
        const cells = await row(page, 1).getByRole('cell').allInnerTexts();
        const runs = await row(page, 2).getByRole('cell').allInnerTexts();

        b.is([cells.at(-2), cells.at(-1)], ['0.0 %', '0.93'],
             'failures and score of a version');
        b.is(Number(cells.at(-4)) + Number(runs.at(-4)), before + 15,
             'and all runs');
        b.ok(/^\$0\.0/.test(cells.at(-3)), 'and cost');
        b.is(cells.some((text) => text === 'Alice'), true, 'with its author');
    });
}


async function differences() {
    await b.block('differences', async () => {
        const lines = Array.from({ length: 30 }, (_, i) => `line ${i}`);
        const id = await b.prompt('lines', lines.join('\n'));

        await b.version(id, [...lines, 'added'].join('\n'));
        await b.version(id, `${lines.join('\n')}\n`);
        await b.version(id, `${[...lines, 'added'].join('\n')}\n`);

        const page = await b.signIn('alice', `prompts/${id}/versions`);

        for (const [older, newer] of [[1, 2], [3, 4]]) {
            await page.goto(b.url(`prompts/${id}/versions`));

            for (const version of [older, newer]) {
                await page.getByRole('checkbox', {
                    name: `Choose version ${version}` }).check();
            }

            await b.press(page, 'Compare');

            for (const way of ['Unified', 'Side by side']) {
                const shown = dialog(page, /^Version/);

                await b.press(page, way);
                b.is([await shown.getByRole('insertion').count(),
                      await shown.getByRole('deletion').count()], [1, 0],
                     `a line at the end, ${older} to ${newer}: one insertion`);
                b.is(await shown.getByRole('insertion').innerText(), 'added',
                     'with its text alone');
            }

            await b.shot(page, `lines-${older}`);
            await page.getByRole('button', { name: /^\d+ unchanged lines$/ })
                .first().click();
            await page.getByText('line 3', { exact: true }).first().waitFor();
        }
    });
}


b.main({}, async () => {
    await promotion();
    await splits();
    await differences();
});
