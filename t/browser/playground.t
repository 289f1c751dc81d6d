#!/usr/bin/env node
/*
 * Edit's playground, which runs what is not saved; forms for models and tools;
 * what Run says of drafts and of empty fields; notes and models that nobody
 * serves; where the text stands on the page.
 */

'use strict';

const b = require('./browser.js');

const region = (page, name) => page.getByRole('region', { name, exact: true });
const playground = (page) => region(page, 'Playground');
const output = (page) => region(page, 'Output');
const dialog = (page, name) => page.getByRole('dialog', { name });
const combo = (page, name) => page.getByRole('combobox', { name, exact: true });
const toast = (page, text) => page.locator('.toasts').getByText(text).first();

const rows = (id) => b.sql(`
    SELECT status, coalesce(version, 0), input FROM executions
    WHERE prompt_id = '${id}' ORDER BY id`);

const params = (id) => b.sql(`
    SELECT params FROM prompt_versions WHERE prompt_id = '${id}'
    ORDER BY version DESC LIMIT 1`).then(([[text]]) => text);

const add = (promptId, version) => b.post(
    'mutation ($i: CreatePromptVersionInput!) '
    + '{ createPromptVersion(input: $i) { version } }',
    { i: { promptId, params: { model: 'fx:ok' }, ...version } });

async function save(page) {
    await b.press(page, 'Save as new version');
    await dialog(page, 'Review changes').getByText(/version \d/).first()
        .waitFor();
    b.is(await page.getByText('Unknown model').count(), 0,
         'models that are served are known');
    await b.press(page, 'Save version');
    await dialog(page, 'Review changes').waitFor({ state: 'detached' });
}


async function drafts() {
    await b.block('the playground', async () => {
        const id = await b.prompt('play', 'Saved {{x}}', { model: 'fx:ok' });
        const page = await b.signIn('alice', `prompts/${id}/edit`);

        await b.field(page, 'Content').fill('Draft {{x}} and {{y}}');
        await b.field(playground(page), 'y').fill('two');
        await b.press(page, 'Run draft');
        await dialog(page, 'Run with empty fields?').getByText('x', {
            exact: true }).waitFor();
        b.is(await rows(id), [], 'an empty text is asked about first');
        await b.looks(page, 'playground-empty');
        await b.press(page, 'Go back');
        await b.field(playground(page), 'x').fill('one');
        await b.field(page, 'Content').press('Control+Enter');
        await output(page).getByText('Draft one and two').waitFor();
        await output(page).getByText('Draft', { exact: true }).waitFor();
        await output(page).getByText('Tokens in').waitFor();
        b.is(await b.field(page, 'Content').innerText(),
             'Draft {{x}} and {{y}}', 'the key ran it and wrote no line');
        await b.looks(page, 'playground');

        const [[status, version, input]] = await rows(id);

        b.is([status, version, JSON.parse(input)],
             ['succeeded', '0', { x: 'one', y: 'two' }],
             'recorded as a draft');
        b.is((await b.sql(`SELECT count(*) FROM prompt_versions
                           WHERE prompt_id = '${id}'`)), [['1']],
             'nothing is saved');

        /* as JSON, and back */
        await playground(page).getByRole('radio', { name: 'JSON' }).check();
        await b.field(page, 'Input (JSON)').fill('{"x": 1.0, "y": [2]}');
        await page.keyboard.press('Meta+Enter');
        await output(page).getByText('Draft 1.0 and [2]').waitFor();
        await playground(page).getByRole('radio', { name: 'Form' }).click();
        await toast(page, 'The form has no place').waitFor();
        b.is(await playground(page).getByRole('radio', { name: 'JSON' })
            .isChecked(), true, 'what no form shows stays JSON');
        await b.field(page, 'Input (JSON)').fill('{"x": "a", "y": "b"}');
        await playground(page).getByRole('radio', { name: 'Form' }).check();
        b.is(await b.field(playground(page), 'x').inputValue(), 'a',
             'JSON becomes the form');

        /* inputs are kept: over a reload, in Run, until signing out */
        await page.reload();
        await b.becomes(() => b.field(playground(page), 'y').inputValue(), 'b',
                        'inputs are there after a reload');
        await page.getByRole('tab', { name: 'Run' }).click();
        await page.getByRole('status').filter({ hasText:
            'Unsaved changes are not run' }).waitFor();
        b.is(await b.field(page, 'x').inputValue(), 'a', 'and in Run');
        await b.looks(page, 'run-unsaved');
        await b.press(page, 'Run draft');
        await b.becomes(() => b.focused(page), 'button Run draft',
                        'from Run to the playground');
        await page.getByRole('button', { name: 'alice@example.com' }).click();
        await page.getByRole('menuitem', { name: 'Sign out' }).click();
        await page.waitForURL(/login/);
        await b.becomes(() => page.evaluate(() =>
            Object.keys(localStorage).filter((name) =>
                /input|draft/.test(name))), [], 'signing out forgets them');
    });

    await b.block('a stream of a draft', async () => {
        const id = await b.prompt('play-stream', 'x', { model: 'slow-fx:'
            + 'text=first%20second,pause=700' });
        const page = await b.signIn('alice', `prompts/${id}/edit`);

        await b.press(page, 'Run draft');
        await output(page).getByText('first').waitFor();
        b.is(await output(page).getByText('second').count(), 0,
             'text is there before the end');
        await b.press(page, 'Stop');
        await output(page).getByText('Stopped here.').waitFor();
        await page.getByRole('button', { name: 'Run draft' }).waitFor();
    });

    await b.block('what is wrong with a draft', async () => {
        const id = await b.prompt('play-wrong', 'Hi {{x}}',
                                  { model: 'fx:ok' });
        const page = await b.signIn('alice', `prompts/${id}/edit`);

        await b.field(playground(page), 'x').fill('1');
        await b.field(page, 'Content').fill('Hi {{x');
        await page.keyboard.press('Control+Enter');
        await b.becomes(() => b.focused(page), 'textbox Content',
                        'what is seen to be wrong is gone to');
        await page.getByText('One thing has to be corrected').waitFor();
        b.is(await rows(id), [], 'and not run');

        /* what the service alone knows, at its part */
        await b.field(page, 'Content').fill('Hi {{x}}');
        await b.press(page, 'As JSON');
        await b.field(page, 'Parameters (JSON)').fill(
            '{"model": "fx:ok", "web_search_options": {}}');
        await b.press(page, 'Run draft');
        await b.becomes(() => b.focused(page), 'textbox Parameters (JSON)',
                        'what is refused is said at the part that it names');
        await page.locator('.faults').getByText(/web_search_options/)
            .waitFor();
        await b.looks(page, 'playground-refused');

        b.is(await playground(page).locator('[aria-invalid="true"]').count(),
             0, 'and not at the input');

        /* of the input, at its field */
        await b.field(page, 'Parameters (JSON)').fill('{"model": "fx:ok"}');
        await b.field(page, 'Input schema').fill(
            '{"type": "object", "properties": {"x": {"type": "string", '
            + '"minLength": 5}}}');
        await b.press(page, 'Run draft');
        await b.becomes(() => playground(page).locator('[aria-invalid="true"]')
            .evaluateAll((all) => all.map((one) => one.value)), ['1'],
                        'an input that is refused is marked');

        /* the provider's own words */
        b.is((await rows(id)).length, 0, 'nothing was run');
        await combo(page, 'Model').fill('fx:status=500');
        await b.field(page, 'Input schema').fill('');
        await b.press(page, 'Run draft');
        await region(page, "Provider's message").waitFor();
    });
}


async function forms() {
    await b.block('models', async () => {
        const id = await b.prompt('models', 'x', { model: 'fx:ok' });
        const page = await b.signIn('alice', `prompts/${id}/edit`);
        const model = combo(page, 'Model');

        await model.click();
        b.is(await page.getByRole('option', { name: /priced-one/ })
            .innerText(), 'priced-one $0.15 in, $0.60 out',
             'models are offered with their prices');
        b.is(await page.getByRole('option', { name: /free-one/ })
            .innerText(), 'free-one no price', 'or that there is none');
        await b.looks(page, 'models');
        await model.click();
        await model.fill('PRICED');
        b.is(await page.getByRole('listbox').getByRole('option').count(), 1, 'by what is typed');
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('Enter');
        b.is(await model.inputValue(), 'priced-one', 'one is chosen by keys');
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('Escape');
        b.is(await page.getByRole('listbox').getByRole('option').count(), 0, 'Escape closes it');

        /* what is typed counts */
        await model.fill('nobody-serves-this');
        await b.press(page, 'Save as new version');
        await page.getByRole('status').filter({ hasText:
            'Unknown model: nobody-serves-this' }).waitFor();
        await b.looks(page, 'unknown-model');
        await b.field(page, 'Note').fill('x'.repeat(257));
        await b.press(page, 'Save version');
        await b.becomes(() => b.focused(page), 'input Note',
                        'a note that is too long is said');
        await b.field(page, 'Note').fill('Another model');
        await b.press(page, 'Save version');
        await toast(page, 'Version 2 is saved.').waitFor();
        b.is(await b.sql(`SELECT coalesce(note, 'none') FROM prompt_versions
                          WHERE prompt_id = '${id}' ORDER BY version`),
             [['none'], ['Another model']], 'saving stays possible, with its note');
        await page.getByRole('tab', { name: 'Versions' }).click();
        await page.getByRole('table', { name: 'Versions' })
            .getByText('Another model').waitFor();

        /* fields over the JSON */
        await page.getByRole('tab', { name: 'Edit' }).click();

        const number = (name) => page.getByRole('spinbutton', { name });

        await number('Top P').fill('0.90');
        await number('Seed').press('ArrowUp');
        await number('Seed').press('ArrowUp');
        await number('Temperature').press('ArrowUp');
        await number('Temperature').press('ArrowUp');
        await b.field(page, 'Stop').fill('END\n');
        await b.field(page, 'Stop').press('End');
        await page.keyboard.type('\\n\\n');
        await combo(page, 'Reasoning effort').selectOption('high');
        await combo(page, 'Model').fill('fx:ok');
        await save(page);
        b.is(await params(id),
             '{"model":"fx:ok","top_p":0.90,"seed":1,"temperature":0.1,'
             + '"stop":["END","\\n\\n"],"reasoning_effort":"high"}',
             'fields write what they say, as it was typed');
    });

    await b.block('tools', async () => {
        const id = await b.prompt('tools', 'x', { model: 'fx:ok' });
        const page = await b.signIn('alice', `prompts/${id}/edit`);
        const tool = (name) => page.getByRole('group', { name, exact: true });

        await b.press(page, 'Add tool');
        await b.becomes(() => b.focused(page), 'input Tool name',
                        'a new tool begins with its name');
        await page.keyboard.type('weather');
        await b.field(tool('Tool weather'), 'Tool description').fill('By "city"');
        await b.field(tool('Tool weather'), 'Tool parameters').fill('{"type":');
        await page.getByText('This is not JSON yet.').first().waitFor();
        await page.getByText('One thing has to be corrected').waitFor();
        await b.field(tool('Tool weather'), 'Tool parameters')
            .fill('{"type": "object", "maxProperties": 1.0}');
        await combo(page, 'Tool choice').selectOption({ label: 'weather' });
        await b.press(page, 'Add tool');
        await page.getByText('A tool needs a name.').first().waitFor();
        await b.looks(page, 'tools');
        await page.getByRole('group', { name: 'Tool', exact: true })
            .getByRole('textbox', { name: 'Tool name' }).fill('time');
        await tool('Tool weather').getByRole('textbox', { name: 'Tool name' })
            .fill('climate');
        await save(page);

        const written = JSON.parse(await params(id));

        b.is(written.tools.map((one) => [one.type, one.function.name,
                                         one.function.description]),
             [['function', 'climate', 'By "city"'], ['function', 'time', '']],
             'forms write tools');
        b.ok((await params(id)).includes('"maxProperties":1.0'),
             'numbers are as they were typed');
        b.is(written.tool_choice, { type: 'function',
                                    function: { name: 'climate' } },
             'the choice follows a name');
        await tool('Tool climate').getByRole('button', { name: 'Remove tool' })
            .click();
        await tool('Tool climate').waitFor({ state: 'detached' });
        await tool('Tool time').getByRole('button', { name: 'Remove tool' })
            .click();
        await b.becomes(() => b.focused(page), 'button Add tool',
                        'the focus stays near');
        await save(page);
        b.is(JSON.parse(await params(id)), { model: 'fx:ok' },
             'and take them out');
    });

    await b.block('messages', async () => {
        const id = await b.prompt('messages', 'last', { model: 'fx:ok' });
        const page = await b.signIn('alice', `prompts/${id}/edit`);
        const message = (name) => page.getByRole('group', { name, exact: true });

        await b.press(page, 'Add message');
        await b.field(page, 'Message 1').fill('be kind');
        await b.press(page, 'Add message');
        await b.field(page, 'Message 2').fill('look');
        await b.press(message('Message 2: User'), 'Add image');
        await b.field(page, 'Image 1').fill('https://example.com/a.png');
        await b.press(message('Message 2: User'), 'Move up');
        await message('Message 2: System').waitFor();
        await b.becomes(() => b.field(page, 'Message 1').innerText(), 'look',
                        'moved');
        await combo(message('Message 2: System'), 'Role')
            .selectOption({ label: 'Assistant' });
        await b.press(message('Message 2: Assistant'), 'Remove');
        await page.getByText('Message 2 was removed.').waitFor();
        b.is(await page.getByRole('group', { name: /^Message / }).count(), 1,
             'removed');
        b.ok(await page.evaluate(() => {
            const [one, last] = ['Message 1', 'Content'].map((label) =>
                [...document.querySelectorAll('.code-host')].find((host) =>
                    host.shadowRoot.querySelector(`[aria-label="${label}"]`)));

            return one.compareDocumentPosition(last)
                   === Node.DOCUMENT_POSITION_FOLLOWING;
        }), 'the content is last');
    });
}


async function runs() {
    await b.block('fields of a run', async () => {
        const id = await b.prompt('fields');

        await add(id, {
            content: '{{a}} {{b}}',
            messages: [{ placeholder: 'talk' }, { placeholder: 'more' }],
            inputSchema: { type: 'object', required: ['a', 'talk'],
                           properties: { a: { type: 'string' },
                                         b: { type: 'string' },
                                         talk: { type: 'array' },
                                         more: { type: 'array' } } }
        });

        const page = await b.signIn('alice', `prompts/${id}/run`);
        const talk = page.getByRole('group', { name: /^talk/ });

        await talk.waitFor();
        b.is(await page.locator('form').getByText('optional').evaluateAll(
            (all) => all.map((one) => one.closest('.field, fieldset')
                .querySelector('label, legend').textContent.trim()
                .split(/\s/)[0])), ['b', 'more'],
             'optional is what the schema lets away');
        await b.press(page, 'Run');
        await dialog(page, 'Run with empty fields?').getByText('a', {
            exact: true }).waitFor();
        b.is(await rows(id), [], 'nothing is sent before');
        await b.press(page, 'Go back');
        b.is(await rows(id), [], 'nor after going back');
        await b.press(page, 'Run');
        await b.press(page, 'Run anyway');
        await b.becomes(async () => (await rows(id)).map(([, , input]) =>
            JSON.parse(input)), [{ a: '', talk: [] }], 'then it is');
    });

    await b.block('on a phone', async () => {
        const properties = Object.fromEntries(Array.from({ length: 12 },
            (_, i) => [`field${i}`, { type: 'string' }]));
        const id = await b.prompt('phone');

        await add(id, { content: 'x', inputSchema: { type: 'object',
                                                     properties } });

        const page = await b.signIn('alice', `prompts/${id}/run`, {
            viewport: { width: 390, height: 844 } });

        for (const where of ['run', 'edit']) {
            await page.goto(b.url(`prompts/${id}/${where}`));
            await page.getByRole('button', { name: /^Run/ }).last().click();
            await b.becomes(() => output(page).evaluate((one) => {
                const { top } = one.getBoundingClientRect();

                return top >= 0 && top < innerHeight - 100;
            }), true, `the output is in view after a run: ${where}`);
        }
    });
}


async function place() {
    await b.block('where the text stands', async () => {
        const id = await b.prompt('place', 'x {{y}}', { model: 'fx:ok' });

        await b.post(`mutation ($id: ID!) { updatePrompt(id: $id,
            input: { description: "What it is for", isPublic: true }) { id } }`,
                     { id });

        for (const label of ['zeta', 'production', 'alpha']) {
            await b.post(`mutation ($id: ID!, $label: String!) {
                setPromptLabel(promptId: $id, label: $label, version: 1)
                { label } }`, { id, label });
        }

        const page = await b.signIn('alice', `prompts/${id}/edit`, {
            viewport: { width: 1360, height: 850 } });

        await b.field(page, 'Content').waitFor();
        await playground(page).getByRole('button', { name: 'Run draft' })
            .waitFor();

        const box = await b.field(page, 'Content').boundingBox();
        const beside = await playground(page).boundingBox();

        b.ok(box.y <= 240, `the text begins at ${box.y}`);
        b.ok(box.height >= 0.55 * 850, `and is ${box.height} high`);
        b.ok(beside.x >= box.x + box.width && beside.y < 240,
             'the playground is beside it');

        /* name, labels, public and tabs in one line */
        const line = await Promise.all([
            page.getByRole('heading', { name: 'place' }),
            page.locator('.label-chip').first(),
            page.locator('.page-head .badge'),
            page.getByRole('tab', { name: 'Settings' })
        ].map((one) => one.boundingBox()));

        b.ok(line.every(({ y, height }) => Math.abs(
            y + height / 2 - line[0].y - line[0].height / 2) < 10),
             'the head is one line');
        b.is((await page.locator('.label-chip > span:first-child')
            .allInnerTexts()), ['production', 'alpha', 'zeta'],
             'labels: production first, then by name');
        b.is(new Set(await page.locator('.label-chip').evaluateAll((all) =>
            all.map((one) => getComputedStyle(one).backgroundColor))).size, 3,
             'a colour each');
        b.is(await page.getByText('What it is for').count(), 0,
             'the description is in Settings alone');
        await b.shot(page, 'edit-1360');
        await page.setViewportSize({ width: 1099, height: 850 });
        await b.becomes(async () => {
            const text = await b.field(page, 'Content').boundingBox();

            return (await playground(page).boundingBox()).y
                   > text.y + text.height;
        }, true, 'below 1100 px it is below');
    });
}


b.main({
    http: `
    prompt_abandoned stop;
    prompt_provider patient /_provider/openai timeout=60s;
    prompt_model slow-fx:* provider=patient input=1 output=1;
    prompt_model priced-one provider=patient input=0.15 output=0.60;
    prompt_model free-one provider=patient;`
}, async () => {
    await drafts();
    await forms();
    await runs();
    await place();
});
