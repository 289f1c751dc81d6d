#!/usr/bin/env node
/*
 * Conversations and bills in a browser: roles, pictures, calls of tools and
 * output schemas are edited without losing any; what would be sent; outputs
 * that are checked; what a provider said of its failure; parts of tokens.
 */

'use strict';

const b = require('./browser.js');

const region = (page, name) => page.getByRole('region', { name, exact: true });
const group = (page, name) => page.getByRole('group', { name, exact: true });
const message = (page, n) => page.getByRole('group', {
    name: new RegExp(`^Message ${n}: `) });
const dialog = (page, name) => page.getByRole('dialog', { name });

const picture = 'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAA'
                + 'fFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const link = 'https://pictures.test/a.png';
const schema = { type: 'object', required: ['mood'],
                 properties: { mood: { enum: ['calm', 'angry'] } } };

const messages = [
    { role: 'SYSTEM', content: 'Look.' },
    { role: 'USER', content: 'What is it?', images: [link, '{{picture}}'] },
    { role: 'ASSISTANT', toolCalls: [
        { id: 'call_1', name: 'look_up', arguments: '{"of": [1.0]}' },
        { id: 'call_2', name: 'guess', arguments: 'no JSON' }] },
    { role: 'TOOL', content: 'a cat', toolCallId: 'call_1' },
    { role: 'TOOL', content: 'a dog', toolCallId: 'call_2' }
];

async function add(id, version) {
    const r = await b.post('mutation ($i: CreatePromptVersionInput!) '
                           + '{ createPromptVersion(input: $i) { version } }',
                           { i: { promptId: id, content: 'So?',
                                  params: { model: 'fx:ok' }, ...version } });

    b.is(r.errors, undefined, 'a version by hand');
}

/* all that the API tells of a prompt's versions */
const versions = async (id) => (await b.post(`query ($id: ID!) {
    prompt(id: $id) { versions { content params inputSchema outputSchema
        messages { role content images toolCalls { id name arguments }
                   toolCallId placeholder } } } }`, { id }))
    .data.prompt.versions;

async function save(page) {
    await b.press(page, 'Save as new version');
    await dialog(page, 'Review changes').waitFor();
    await b.press(page, 'Save version');
    await dialog(page, 'Review changes').waitFor({ state: 'detached' });
}


async function edited() {
    await b.block('what a version has stays', async () => {
        const id = await b.prompt('kept');

        await add(id, { messages, outputSchema: schema });

        const page = await b.signIn('alice', `prompts/${id}/edit`);

        await b.field(page, 'Content').waitFor();
        b.is(await page.getByRole('combobox', { name: 'Role' })
            .evaluateAll((all) => all.map((one) =>
                one.selectedOptions[0].textContent)),
             ['System', 'User', 'Assistant', 'Tool', 'Tool'], 'roles');
        b.is(await b.field(message(page, 2), 'Image 1').inputValue(), link,
             'a picture is its address');
        b.is([await b.field(group(page, 'Tool call look_up'), 'Tool name')
                  .inputValue(),
              await b.field(group(page, 'Tool call guess'), 'Call id')
                  .inputValue(),
              await b.field(message(page, 4), 'Tool call id').inputValue()],
             ['look_up', 'call_2', 'call_1'], 'calls, and what answers them');
        await b.looks(page, 'conversation-edit');

        await b.press(page, 'Save as new version');
        await page.getByText('Nothing is changed').waitFor();
        await b.field(page, 'Content').fill('And?');
        await save(page);

        const [one, two] = await versions(id);

        b.is(two, { ...one, content: 'And?' }, 'nothing is lost by an edit');

        await page.goto(b.url(`prompts/${id}/versions`));
        await page.getByRole('button', { name: 'Restore as new version' })
            .click();
        await b.press(page, 'Save version');
        await b.becomes(async () => (await versions(id)).length, 3, 'restored');
        b.is((await versions(id))[2], one, 'nor by going back');
    });

    await b.block('a conversation is written', async () => {
        const id = await b.prompt('written', 'Go on.');
        const page = await b.signIn('alice', `prompts/${id}/edit`);
        const role = (n, label) => message(page, n)
            .getByRole('combobox', { name: 'Role' }).selectOption({ label });
        const press = (n, name) => b.press(message(page, n), name);

        for (const n of [1, 2, 3]) {
            await b.press(page, 'Add message');
            await message(page, n).waitFor();
        }

        await role(1, 'User');
        await b.field(page, 'Message 1').fill('See');
        await press(1, 'Add image');
        await b.field(page, 'Image 1').fill(link);
        await press(1, 'Add image');
        await b.field(page, 'Image 2').fill('{{shot}}');
        await b.becomes(() => b.focused(page), 'input Image 2',
                        'a new one has the focus');
        await press(1, 'Remove image 1');
        await b.becomes(() => b.focused(page), 'button Add image',
                        'which one that goes gives on');
        await b.becomes(() => b.field(page, 'Image 1').inputValue(),
                        '{{shot}}', 'a picture is taken out');
        b.is(await b.field(page, 'Image 2').count(), 0, 'and only that');

        /* another role, and back: what was typed is still there */
        await role(1, 'Assistant');
        await role(1, 'History');
        await role(1, 'User');
        b.is(await b.field(page, 'Image 1').inputValue(), '{{shot}}',
             'a change of the role loses nothing');

        await role(2, 'Assistant');
        await press(2, 'Add tool call');
        await b.becomes(() => b.focused(page), 'input Tool name',
                        'so does a call');
        await b.field(page, 'Tool name').fill('find');
        await b.field(page, 'Call id').fill('c1');
        await b.field(page, 'Arguments').fill('{"q": 1.50}');
        await role(3, 'Tool');
        await b.field(page, 'Message 3').fill('found');

        await b.press(page, 'Derive from placeholders');
        await page.getByText(/^Added: .*shot/).waitFor();
        await b.field(page, 'Output schema').fill('{"type": "objekt"}');
        await page.getByText('One thing has to be corrected').waitFor();
        await b.field(page, 'Output schema').fill(JSON.stringify(schema));

        /* the service knows that the tool's message lacks an id */
        await b.press(page, 'Save as new version');
        await b.press(page, 'Save version');
        await dialog(page, 'Review changes').waitFor({ state: 'detached' });
        await message(page, 3).locator('.field-error').waitFor();
        b.is(await b.field(page, 'Tool call id')
            .getAttribute('aria-invalid'), 'true',
             'what is refused is marked at its field');
        await b.looks(page, 'conversation-refused');
        await b.field(page, 'Tool call id').fill('c1');

        await b.press(page, 'Save as new version');
        await dialog(page, 'Review changes').getByText('Schema of the output')
            .first().waitFor();
        await b.press(page, 'Save version');
        await b.becomes(async () => (await versions(id)).length, 2, 'saved');

        const saved = (await versions(id))[1];

        b.is(saved.messages.map((m) => [m.role, m.content, m.images,
                                        m.toolCalls, m.toolCallId]),
             [['USER', 'See', ['{{shot}}'], null, null],
              ['ASSISTANT', '', [],
               [{ id: 'c1', name: 'find', arguments: '{"q": 1.50}' }], null],
              ['TOOL', 'found', [], null, 'c1']], 'as it was written');
        b.is([saved.outputSchema, saved.inputSchema.required],
             [schema, ['shot']], 'with its schemas');
    });

    await b.block('searching comes with its key', async () => {
        const id = await b.prompt('searched', 'find me');
        const page = await b.signIn('alice', `prompts/${id}/edit`);

        await b.field(page, 'Content').press('Control+f');
        await page.getByRole('textbox', { name: 'Find' }).waitFor();
        await b.becomes(() => b.focused(page), 'input Find', 'it is searched');
        await page.keyboard.press('Escape');
        await b.becomes(() => b.focused(page), 'textbox Content', 'and left');
    });
}


async function shown() {
    await b.block('messages as they are sent', async () => {
        const id = await b.prompt('sent');

        await add(id, { messages });

        const page = await b.signIn('alice', `prompts/${id}/run`);
        const asked = [];

        page.on('request', (r) => asked.push(r.url()));
        await b.field(page, 'picture').fill('nowhere');
        await b.press(page, 'Messages');
        await region(page, 'Messages').getByText('They cannot be made')
            .waitFor();
        await b.field(page, 'picture').fill(picture);

        const sent = region(page, 'Messages');

        await sent.getByText('a cat').waitFor();
        b.is(await sent.locator('.said-role strong').allTextContents(),
             ['System', 'User', 'Assistant', 'Tool', 'Tool', 'User'],
             'each with its role');
        b.is(await sent.getByRole('link').evaluateAll((all) => all.map(
            (one) => [one.getAttribute('href'), one.rel])),
             [[link, 'noreferrer noopener']], 'a picture elsewhere is a link');
        b.is(await sent.locator('img').evaluateAll((all) => all.map(
            (one) => [one.src, one.naturalWidth])), [[picture, 1]],
             'one that is there is shown');
        b.is([await group(sent, 'Tool call look_up').locator('pre')
                  .textContent(),
              await group(sent, 'Tool call guess').locator('pre')
                  .textContent()],
             ['{\n  "of": [\n    1.0\n  ]\n}', 'no JSON'],
             'calls, laid out where they are JSON');
        await b.looks(page, 'conversation-run');
        b.is(asked.filter((url) => url.includes('pictures.test')), [],
             'nothing is fetched from elsewhere');

        await b.press(page, 'Run');
        await region(page, 'Output').getByText('Show this execution').click();

        await page.waitForURL(/executions\//);
        await region(page, 'Messages').getByText('a dog').waitFor();
        await b.looks(page, 'conversation-execution');
    });

    await b.block('a tool is called, and tokens', async () => {
        const model = 'fx:tool=find%5fit:%7B"q"%3A[1]%7D,'
                      + 'usage=1000:500:800:100::300';
        const id = await b.prompt('calls', 'x', { model });
        const page = await b.signIn('alice', `prompts/${id}/run`);
        const card = (at) => group(at, 'Tool call find_it').locator('pre');

        await b.press(page, 'Run');
        await card(page).waitFor();
        b.is(await card(page).textContent(), '{\n  "q": [\n    1\n  ]\n}',
             'a call is a card');
        await page.getByText('500 (300 reasoning)').waitFor();
        b.ok(/1,000 \(800 cached/.test(await region(page, 'Output')
            .innerText()), 'parts of tokens are told');
        await b.looks(page, 'conversation-tool');
        await page.getByText('Show this execution').click();
        await page.waitForURL(/executions\//);
        await card(page).waitFor();
        b.ok(/800 cached.*300 reasoning/.test(await page.locator('main')
            .innerText()), 'also in the log');
        await page.goto(b.url(`prompts/${id}/executions?period=24h`));
        await page.locator('.stat [title*="800 cached"]').waitFor();
        b.ok(true, 'and in statistics');
    });
}


async function checked() {
    await b.block('an output and its schema', async () => {
        const id = await b.prompt('checked');

        await add(id, { outputSchema: schema, params: {
            model: 'fx:text={"mood"%3A"calm"}' } });
        await add(id, { outputSchema: schema, params: {
            model: 'fx:text={"mood"%3A"odd"}' } });

        const page = await b.signIn('alice', `prompts/${id}/run`);
        const output = region(page, 'Output');

        await b.press(page, 'Run');
        await output.getByText('Output does not fit its schema.').waitFor();
        b.ok(/mood/.test(await output.getByRole('alert').getByRole('listitem')
            .first().innerText()), 'what does not fit is said');
        await b.looks(page, 'output-wrong');
        await page.getByRole('combobox', { name: 'Version or label' })
            .selectOption({ label: 'Version 1' });
        await b.press(page, 'Run');
        await output.getByText('Output fits its schema').waitFor();
        await output.getByRole('tree').getByText('calm').waitFor();
        await output.getByRole('radio', { name: 'Raw' }).check();
        b.is(await output.locator('pre').textContent(), '{"mood":"calm"}',
             'JSON is a tree, and raw what it was');
        await output.getByRole('radio', { name: 'Rendered' }).check();
        await output.getByText('Show this execution').click();
        await page.waitForURL(/executions\//);
        await page.getByText('Output fits its schema').waitFor();
    });

    await b.block('the provider says why', async () => {
        const id = await b.prompt('refused', 'x', { model: 'fx:status=429' });
        const page = await b.signIn('alice', `prompts/${id}/run`);
        const said = (at) => region(at, "Provider's message");

        await b.press(page, 'Run');
        await said(page).locator('pre').waitFor();
        b.ok(/^Provider's message\s+Status 429\s+\S/.test(await said(page)
            .innerText()), 'status and text');
        await page.getByRole('alert').getByText('may answer the same call '
                                                + 'later').waitFor();
        await b.looks(page, 'provider-said');

        const [[run]] = await b.sql(
            `SELECT id FROM executions WHERE prompt_id = '${id}'`);

        await page.goto(b.url(`executions/${run}`));
        await said(page).locator('pre').waitFor();
        b.ok(/429/.test(await said(page).innerText()), 'and in the log');

        const bad = await b.prompt('bad', 'x', { model: 'fx:status=400' });

        await page.goto(b.url(`prompts/${bad}/run`));
        await b.press(page, 'Run');
        await page.getByRole('alert').getByText('would fail again').waitFor();
        b.ok(true, 'what will never do is not to be tried again');
    });
}


async function more() {
    await b.block('subject, metadata, overrides', async () => {
        const id = await b.prompt('more', 'x', { model: 'fx:text=a' });
        const page = await b.signIn('alice', `prompts/${id}/run`);
        const fill = (name, text) => b.field(page, name).fill(text);

        await page.getByText('More', { exact: true }).click();
        await fill('Subject', 'customer 7');
        await fill('Metadata (JSON)', '{"team": ');
        await b.press(page, 'Run');
        await b.becomes(() => b.focused(page), 'textarea Metadata (JSON)',
                        'what is no JSON is said at its place');
        await fill('Metadata (JSON)', '{"team": "blue"}');
        await fill('Overrides (JSON)', '{"temperature": "warm"}');
        await b.press(page, 'Run');
        await b.becomes(() => b.field(page, 'Overrides (JSON)')
            .getAttribute('aria-invalid'), 'true',
                        'so is what the service refuses');
        await b.looks(page, 'run-more');
        await fill('Overrides (JSON)', '{"model": "fx:text=b"}');
        await b.press(page, 'Run');
        await region(page, 'Output').getByText('fx:text=b').waitFor();
        b.is(await b.sql(`SELECT subject, metadata->>'team', output
            FROM executions WHERE prompt_id = '${id}'`),
             [['customer 7', 'blue', 'b']], 'sent and kept');
        await page.getByText('Show this execution').click();
        await page.waitForURL(/executions\//);
        await page.getByText('customer 7').waitFor();
        await region(page, 'Metadata').getByText('"team": "blue"').waitFor();
        b.ok(true, 'and shown');
    });
}


b.main({}, async () => {
    await edited();
    await shown();
    await checked();
    await more();
});
