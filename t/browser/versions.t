#!/usr/bin/env node
/*
 * The tabs Versions and Settings in a browser: comparing, restoring, labels
 * and their history; names, copies, and deleting for good.
 */

'use strict';

const b = require('./browser.js');

const dialog = (page, name) => page.getByRole('dialog', { name });
const toast = (page, text) => page.locator('.toasts').getByText(text).first();
const row = (page, version) => page.getByRole('table', { name: 'Versions' })
    .getByRole('row', { name: new RegExp(`Version ${version}\\b`) });

const labels = (id) => b.sql(`
    SELECT label, version FROM prompt_labels WHERE prompt_id = '${id}'
    ORDER BY label`);

async function gone(page, name) {
    await dialog(page, name).waitFor({ state: 'detached' });
}


async function compare() {
    await b.block('versions', async () => {
        const id = await b.prompt('versions', 'one {{x}}\nsame\n');

        await b.version(id, 'two {{x}}\nsame\n', { model: 'fx:ok', top_p: 1 });
        await b.version(id, 'three {{x}}\nsame\nmore\n');

        const page = await b.signIn('alice', `prompts/${id}/versions`);
        const choose = (version) => page.getByRole('checkbox', {
            name: `Choose version ${version}` });

        await row(page, 3).waitFor();
        b.is((await page.getByRole('table', { name: 'Versions' })
            .getByRole('rowheader').allInnerTexts())
            .map((text) => /Version \d/.exec(text)[0]),
             ['Version 3', 'Version 2', 'Version 1'], 'the newest is first');
        await b.looks(page, 'versions');

        await choose(1).check();
        b.is(await page.getByRole('button', { name: 'Compare' })
            .isDisabled(), true, 'one is not enough');
        await choose(3).check();
        await b.press(page, 'Compare');
        await dialog(page, 'Version 1 and version 3').waitFor();
        await dialog(page, /^Version/).getByText('three').first().waitFor();
        await b.looks(page, 'versions-compare');
        await b.press(page, 'Unified');
        b.is(await page.getByRole('button', { name: 'Unified' })
            .getAttribute('aria-pressed'), 'true', 'in one text');
        await dialog(page, /^Version/).getByText('three').first().waitFor();
        b.is(await dialog(page, /^Version/).getByText('one').count() > 0, true,
             'with what was taken away');
        await b.looks(page, 'versions-unified');
        await page.keyboard.press('Escape');
        await b.becomes(() => b.focused(page), 'button Compare',
                        'the focus comes back');

        await row(page, 1).getByRole('button', { name: 'View' }).click();
        await dialog(page, 'Version 1').getByText('one {{x}}').waitFor();
        await b.press(page, 'Done');

        await row(page, 2).getByRole('button', {
            name: 'Restore as new version' }).click();
        await dialog(page, 'Review changes').waitFor();
        b.is(await b.field(page, 'Note').inputValue(), 'Version 2 again',
             'a note is proposed');
        b.is((await b.sql(`SELECT count(*) FROM prompt_versions
                           WHERE prompt_id = '${id}'`)), [['3']],
             'nothing is restored before it was looked at');
        await b.press(page, 'Save version');
        await toast(page, 'Version 4 is what version 2 was.').waitFor();
        await row(page, 4).waitFor();
        b.is(await b.sql(`
            SELECT a.content = b.content AND a.params::text = b.params::text
                   AND a.input_schema::text IS NOT DISTINCT
                       FROM b.input_schema::text
                   AND a.messages::text IS NOT DISTINCT FROM b.messages::text
            FROM prompt_versions a JOIN prompt_versions b USING (prompt_id)
            WHERE a.version = 2 AND b.version = 4
                  AND prompt_id = '${id}'`), [['t']],
             'a restored version is the same');
    });
}


async function label() {
    await b.block('labels', async () => {
        const id = await b.prompt('labelled', 'one');

        await b.version(id, 'two');

        const page = await b.signIn('alice', `prompts/${id}/versions`);
        const set = (version) => row(page, version)
            .getByRole('button', { name: 'Set label' });

        await set(1).click();
        await dialog(page, 'Set label').waitFor();
        await b.becomes(() => b.focused(page), 'input Label',
                        'the dialog begins with its field');

        await b.press(page, 'Set');
        await dialog(page, 'Set label').locator('.field-error').waitFor();
        await b.becomes(() => b.focused(page), 'input Label',
                        'nothing typed: said at the field, which has the focus');

        for (const bad of ['Production', 'latest', 'a b', '-']) {
            await b.field(page, 'Label').fill(bad);
            await b.field(page, 'Label').press('Enter');
            await dialog(page, 'Set label').locator('.field-error').waitFor();
        }

        b.is(await labels(id), [], 'no label that is none');
        await b.looks(page, 'versions-label');

        /* a narrow page has other buttons */
        await page.keyboard.press('Escape');
        await set(1).click();
        await b.field(page, 'Label').fill('production');
        await b.field(page, 'Label').press('Enter');
        await toast(page, 'production is at version 1.').waitFor();
        await row(page, 1).getByText('production').waitFor();
        b.is(await labels(id), [['production', '1']], 'set');
        await b.becomes(() => b.focused(page), 'button Set label',
                        'the focus comes back');

        await set(2).click();
        await b.press(page, 'production');
        await page.getByRole('region', { name: 'What changes' }).waitFor();
        await page.getByText('production moves from version 1 to version 2')
            .waitFor();
        await b.press(page, 'Set');
        await row(page, 2).getByText('production').waitFor();
        b.is(await labels(id), [['production', '2']], 'moved');
        b.is((await b.post(`mutation ($id: ID!) { executePrompt(promptId: $id,
                 label: "production", input: {}) { output } }`, { id })).data
            ?.executePrompt.output, 'two', 'who asks by it gets the other');

        await b.press(page, 'Remove production');
        await dialog(page, 'Remove production?').waitFor();
        await b.shot(page, 'versions-remove');
        await b.press(page, 'Remove label');
        await gone(page, 'Remove production?');
        await b.becomes(() => labels(id), [], 'removed');
        await b.becomes(() => b.focused(page), 'button View',
                        'the focus stays in its row');

        const history = page.getByRole('table', { name: 'History of labels' });

        await history.getByText('removed from version 2').waitFor();
        b.is(await history.getByRole('row').count(), 4, 'with a history');
        b.ok((await history.innerText()).includes(
            'moved from version 1 to version 2'), 'that says what was moved');

        /* a word is not broken where there is room */
        b.is(await history.locator('.label-chip').evaluateAll((all) =>
            all.every((one) => one.getClientRects().length === 1)), true,
             'labels stand in one line');
        await b.looks(page, 'versions-history');

        await page.goto(b.url(`prompts/${id}/versions`));
        await history.waitFor();
        b.ok(await history.locator('time').first().getAttribute('title'),
             'dates are exact on hover');
    });

    await b.block('labels moved by somebody else', async () => {
        const id = await b.prompt('moved', 'one');
        const page = await b.signIn('alice', `prompts/${id}/versions`);

        await b.post(`mutation ($id: ID!) { setPromptLabel(promptId: $id,
            label: "x", version: 1) { label } }`, { id });
        await page.goto(b.url(`prompts/${id}/versions`));
        await row(page, 1).getByText('x', { exact: true }).waitFor();
        await b.post(`mutation ($id: ID!) { removePromptLabel(promptId: $id,
            label: "x") }`, { id });
        await b.press(page, 'Remove x');
        await b.press(page, 'Remove label');
        await gone(page, 'Remove x?');
        await b.becomes(() => page.getByRole('button', { name: 'Remove x' })
            .count(), 0, 'what is gone already is gone');
    });
}


async function settings() {
    const of = (id) => b.sql(`
        SELECT name, description, category, is_public FROM prompts
        WHERE id = '${id}'`);

    await b.block('settings', async () => {
        const id = await b.prompt('named', 'one');

        await b.prompt('taken', 'one');

        const page = await b.signIn('alice', `prompts/${id}/settings`);
        const name = b.field(page, 'Name');

        await name.waitFor();
        await b.looks(page, 'settings');
        await name.fill('Taken');
        await page.getByText('taken', { exact: true }).waitFor();
        await b.press(page, 'Save settings');
        await page.locator('.field-error').waitFor();
        await b.becomes(() => b.focused(page), 'input Name',
                        'a name that is taken is said at the field');
        b.is((await of(id))[0][0], 'named', 'and not given');
        await b.shot(page, 'settings-taken');

        await name.fill('Another Name');
        await b.field(page, 'Description').fill('What it is for');
        await page.getByRole('combobox', { name: 'Category' })
            .selectOption('ROUTING');
        await page.getByRole('checkbox', { name: 'Public' }).check();
        await b.press(page, 'Save settings');
        await toast(page, 'Settings are saved.').waitFor();
        b.is(await of(id), [['another-name', 'What it is for', 'ROUTING',
                             't']], 'saved');
        await page.getByRole('heading', { name: 'another-name' }).waitFor();

        /* somebody else's change is not overwritten unseen */
        await name.fill('mine');
        await b.post(`mutation ($id: ID!) { updatePrompt(id: $id,
            input: { name: "theirs" }) { id } }`, { id });
        await b.press(page, 'Save settings');
        await page.getByText('Somebody changed these settings').waitFor();
        b.is((await of(id))[0][0], 'theirs', 'it is said first');
        b.is(await name.inputValue(), 'mine', 'what was typed stays');
        await b.press(page, 'Save settings');
        await toast(page, 'Settings are saved.').waitFor();
        await b.becomes(async () => (await of(id))[0][0], 'mine',
                        'then it is done');
    });

    await b.block('fork', async () => {
        const id = await b.prompt('original', 'one {{x}}', undefined,
                                  { isPublic: true });
        const page = await b.signIn('bob', `prompts/${id}/settings`);

        await page.getByRole('button', { name: 'Fork' }).waitFor();
        b.is(await page.getByRole('button', { name: 'Delete prompt' }).count(),
             0, "another's prompt cannot be deleted");
        await b.looks(page, 'settings-guest');
        await b.press(page, 'Fork');
        await toast(page, /This is your copy/).waitFor();
        await b.field(page, 'Content').waitFor();
        b.is(await b.sql(`
            SELECT p.name LIKE 'original-fork-%', v.version, v.content
            FROM prompts p
            JOIN prompt_versions v ON v.prompt_id = p.id
            JOIN users u ON u.id = p.owner_id
            WHERE u.email = 'bob@example.com'`),
             [['t', '1', 'one {{x}}']], 'a copy');
    });

    await b.block('delete', async () => {
        const id = await b.prompt('old', 'one');

        await b.execute(id, {});

        const page = await b.signIn('alice', `prompts/${id}/settings`);
        const there = async () => Number((await b.sql(`
            SELECT count(*) FROM prompts WHERE id = '${id}'`))[0][0]);

        await b.press(page, 'Delete prompt');
        await dialog(page, 'Delete this prompt?').waitFor();
        await b.becomes(() => b.focused(page), 'input Type the name',
                        'the dialog begins with its field');
        await b.field(page, 'Type the name').fill('olt');
        await b.press(page, 'Delete for good');
        await page.getByText('This is not its name.').waitFor();
        b.is([await there(), await b.focused(page)],
             [1, 'input Type the name'], 'not without its name');
        await b.looks(page, 'settings-delete');
        await page.keyboard.press('Escape');
        await b.becomes(() => b.focused(page), 'button Delete prompt',
                        'the focus comes back');

        await b.press(page, 'Delete prompt');
        await b.field(page, 'Type the name').fill('old');
        await b.field(page, 'Type the name').press('Enter');
        await page.getByRole('heading', { name: 'Prompts' }).waitFor();
        b.is(await there(), 0, 'gone');
        b.is(await b.sql(`SELECT count(*) FROM executions
                          WHERE prompt_id = '${id}'`), [['0']],
             'with its executions');
        await page.goBack();
        await page.goto(b.url(`prompts/${id}/edit`));
        await page.getByRole('heading', { name: 'Prompt not found' })
            .waitFor();
        await b.looks(page, 'prompt-gone');
    });
}


b.main({}, async () => {
    await compare();
    await label();
    await settings();
});
