#!/usr/bin/env node
/*
 * The tab Edit in a browser: texts and their placeholders, messages,
 * parameters, schemas, what is wrong and where, saving beside others, drafts.
 */

'use strict';

const b = require('./browser.js');

const dialog = (page, name) => page.getByRole('dialog', { name });
const toast = (page, text) => page.locator('.toasts').getByText(text).first();

const at = (id, tab = 'edit') => `prompts/${id}/${tab}`;

/* a version as the database has it: texts, unchanged */
const rows = (id) => b.sql(`
    SELECT json_build_array(content, messages::text, params::text,
                            input_schema::text)
    FROM prompt_versions WHERE prompt_id = '${id}' ORDER BY version`)
    .then((all) => all.map((columns) => JSON.parse(columns.join('|'))));

const model = (page) => page.getByRole('combobox', { name: 'Model',
                                                     exact: true });
const number = (page, name) => page.getByRole('spinbutton', { name,
                                                              exact: true });

async function save(page) {
    await b.press(page, 'Save as new version');
    await dialog(page, 'Review changes').waitFor();
    await b.press(page, 'Save version');
    await dialog(page, 'Review changes').waitFor({ state: 'detached' });
}

/* the text of an editor, line ends and all */
const textOf = (page, name) => b.field(page, name).evaluate((content) =>
    [...content.querySelectorAll('.cm-line')].map((line) => line.textContent)
        .join('\n'));


async function first() {
    await b.block('the first version', async () => {
        const id = await b.prompt('first');
        const page = await b.signIn('alice', at(id));

        await b.field(page, 'Content').waitFor();
        await page.getByText('has no version yet').waitFor();
        await b.looks(page, 'edit-empty');

        await b.field(page, 'Content').click();
        await page.keyboard.type('Dear {{customer.name}}, {{question');
        await page.keyboard.press('Escape');
        await page.keyboard.type('}}');
        b.is(await b.field(page, 'Content').evaluate((content) =>
            [...content.querySelectorAll('.cm-placeholder-mark')]
                .map((mark) => mark.textContent)),
             ['{{customer.name}}', '{{question}}'],
             'placeholders are highlighted');

        await b.press(page, 'Derive from placeholders');
        await page.getByText(/^Added: .*question\./).waitFor();
        await model(page).fill('fx:ok');
        await number(page, 'Temperature').fill('0.70');
        await number(page, 'Max tokens').fill('100');

        await b.press(page, 'Add message');
        await b.becomes(() => b.focused(page), 'select Role',
                        'a new message has the focus');
        await b.field(page, 'Message 1').fill('You are {{tone}}.');

        /* what the schema has is offered */
        await b.field(page, 'Message 1').press('Control+End');
        await page.keyboard.type(' Ask {{cu');
        await page.getByRole('option', { name: /customer\.name/ }).waitFor();
        /* too soon, and Enter is taken for a line end */
        await page.waitForTimeout(150);
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('Enter');
        await b.becomes(() => textOf(page, 'Message 1'),
                        'You are {{tone}}. Ask {{customer.name}}',
                        'a placeholder is offered and completed');

        await b.press(page, 'Add message');
        await page.getByRole('combobox', { name: 'Role' }).last()
            .selectOption({ label: 'History' });
        await b.field(page, 'Placeholder').fill('talk');
        await b.press(page, 'Derive from placeholders');
        await page.getByText(/^Added: .*talk/).waitFor();

        await b.press(page, 'Save as new version');
        await page.getByText('The first version of this prompt').waitFor();
        await b.looks(page, 'edit-review');
        await b.press(page, 'Save version');
        await toast(page, 'Version 1 is saved.').waitFor();

        const [[content, messages, params, schema]] = await rows(id);
        const made = JSON.parse(schema);

        b.is(content, 'Dear {{customer.name}}, {{question}}', 'its text');
        b.is(JSON.parse(messages),
             [{ role: 'SYSTEM',
                content: 'You are {{tone}}. Ask {{customer.name}}' },
              { placeholder: 'talk' }], 'its messages');
        b.is(JSON.parse(params),
             { model: 'fx:ok', temperature: 0.7, max_tokens: 100 },
             'its parameters');
        b.ok(/"temperature":\s*0\.70\b/.test(params),
             'numbers are as they were typed');
        b.is(Object.keys(made.properties).sort(),
             ['customer', 'question', 'talk', 'tone'], 'its schema');
        b.is([made.properties.customer.type,
              made.properties.customer.required,
              made.properties.talk.type],
             ['object', ['name'], 'array'], 'and what is within');

        const run = await b.execute(id, { customer: { name: 'Eve' }, tone: 'x',
                                          question: 'why?', talk: [] });

        b.is(run.data?.executePrompt.output, 'Dear Eve, why?',
             'what was made so can be run');
    });
}


/* what nobody touched goes back byte by byte */
async function bytes() {
    await b.block('bytes', async () => {
        const params = '{"model":"fx:ok","seed": 1.0,"top_p":'
                       + '123456789012345678.5e1,"top_logprobs":1E+2,\n '
                       + '"user":"\\u00e9\\/","stop":[1, 2 ]}';
        const schema = '{"type":"object","properties":{"x":{"const":1.00,'
                       + '"description":"\\u0041 b"}}}';
        const id = await b.prompt('bytes');
        const made = await b.request(`{"query":
            "mutation ($i: CreatePromptVersionInput!) { createPromptVersion(input: $i) { version } }",
            "variables":{"i":{"promptId":"${id}","content":"a\\r\\nb {{x}}  ",
            "params":${params},"inputSchema":${schema}}}}`);

        b.is(made.errors, undefined, 'made by hand');

        const page = await b.signIn('alice', at(id));

        await b.field(page, 'Content').waitFor();
        await b.press(page, 'Save as new version');
        await page.getByText('Nothing is changed').waitFor();
        b.is((await rows(id)).length, 1, 'nothing is saved for nothing');

        await b.field(page, 'Content').press('Control+End');
        await page.keyboard.type('!');
        await save(page);

        const [before, after] = await rows(id);

        b.is(after[0], 'a\r\nb {{x}}  !', 'line ends and blanks stay');
        b.is([after[2], after[3]], [before[2], before[3]],
             'parameters and schema that nobody touched are the same bytes');

        await number(page, 'Max tokens').fill('7');
        await save(page);

        const third = (await rows(id))[2];

        /* the service keeps values and digits, not blanks */
        b.ok(/"seed":\s*1\.0,/.test(third[2])
             && third[2].includes('123456789012345678.5e1')
             && third[2].includes('1E+2') && third[2].includes('é')
             && /\[1,\s*2\s*\]/.test(third[2]) && /"max_tokens":\s*7/
                 .test(third[2]),
             'a field changes itself alone');

        await b.press(page, 'As JSON');
        await b.field(page, 'Parameters (JSON)').fill(
            '{"model":"fx:ok","temperature":1e0,"stop":["\\n"]}');
        await b.becomes(() => number(page, 'Temperature').inputValue(), '1e0',
                        'JSON that is typed is in the fields');
        b.is(await number(page, 'Max tokens').inputValue(), '',
             'and what is not in it is not');
        await save(page);
        b.is((await rows(id))[3][2],
             '{"model":"fx:ok","temperature":1e0,"stop":["\\n"]}',
             'and saved as it was typed');
    });
}


async function wrong() {
    await b.block('what is wrong', async () => {
        const id = await b.prompt('wrong', 'Hello {{name}}');
        const page = await b.signIn('alice', at(id));
        const content = b.field(page, 'Content');
        const fault = (text) => page.getByRole('button', { name: text });

        await content.fill('Hello {{name');
        await page.locator('.field-error').first().waitFor();
        b.is(await content.getAttribute('aria-invalid'), 'true',
             'a placeholder without an end is marked');
        b.ok(await content.evaluate((c) =>
            c.querySelector('.cm-lintRange-error') !== null), 'at its place');

        await number(page, 'Temperature').fill('warm');
        await b.field(page, 'Input schema').fill('{"type": "objekt"}');
        await page.getByText('3 things have to be corrected').waitFor();
        await b.press(page, 'Save as new version');
        await b.becomes(() => b.focused(page), 'textbox Content',
                        'saving leads to the first of them');
        b.is(await dialog(page, 'Review changes').count(), 0, 'and no further');
        await b.looks(page, 'edit-wrong');

        await content.fill('Hello {{name}}');
        await number(page, 'Temperature').fill('');
        await b.field(page, 'Input schema').fill('{"type": "object",}');
        await page.getByText('One thing has to be corrected').waitFor();
        await page.locator('.fault-link').first().click();
        await b.becomes(() => b.focused(page), 'textbox Input schema',
                        'what is listed leads to its place');

        await b.field(page, 'Input schema').fill('');
        await b.press(page, 'As JSON');
        await b.field(page, 'Parameters (JSON)').fill('[1]');
        await page.locator('.field-error').first().waitFor();
        await b.field(page, 'Parameters (JSON)').fill('{"model": "fx:ok"}');

        /* what the service alone knows to be wrong */
        await page.route('**/graphql', async (route) => {
            const body = route.request().postDataJSON();

            if (!/createPromptVersion/.test(body.query)) {
                await route.fallback();
                return;
            }

            body.variables.input.params = { model: 'fx:ok', temperature: 'x' };
            await route.continue({ postData: JSON.stringify(body) });
        });
        await content.fill('Hello, {{name}}');
        await b.press(page, 'Save as new version');
        await b.press(page, 'Save version');
        await dialog(page, 'Review changes').waitFor({ state: 'detached' });
        await page.getByText(/has to be corrected before/).waitFor();
        b.ok(await page.locator('.field-error, .note.bad').count() > 0,
             'what the service refuses is said');
        b.is(await textOf(page, 'Content'), 'Hello, {{name}}',
             'and nothing is lost');
        await b.shot(page, 'edit-refused');
        await page.unroute('**/graphql');
        b.is((await rows(id)).length, 1, 'nothing was saved');
        b.ok(await fault(/./).count() > 0, 'it can be gone to');
    });
}


/* somebody else adds a version; a request that fails; a draft */
async function others() {
    await b.block('others', async () => {
        const id = await b.prompt('shared', 'one {{x}}');
        const page = await b.signIn('alice', at(id));
        const content = b.field(page, 'Content');

        await content.fill('mine {{x}}');
        await b.version(id, 'theirs {{x}}', { model: 'fx:ok', top_p: 0.5 });
        await b.press(page, 'Save as new version');
        await page.getByText('Version 2 was added meanwhile.').first()
            .waitFor();
        await b.looks(page, 'edit-meanwhile');
        b.is((await rows(id)).length, 2, 'it is said before it is saved');
        await b.press(page, 'Go on editing');
        b.is(await textOf(page, 'Content'), 'mine {{x}}',
             'what was typed is not overwritten');

        /* one more while the dialog is looked at */
        await b.press(page, 'Save as new version');
        await page.getByText('Version 2 was added meanwhile.').first()
            .waitFor();
        await b.version(id, 'theirs again {{x}}');
        await b.press(page, 'Save version');
        await dialog(page, 'Review changes')
            .getByText('Version 3 was added meanwhile.').waitFor();
        b.is((await rows(id)).length, 3, 'nor is one that comes meanwhile');
        await b.press(page, 'Save version');
        await toast(page, 'Version 4 is saved.').waitFor();
        b.is((await rows(id)).map((row) => row[0]),
             ['one {{x}}', 'theirs {{x}}', 'theirs again {{x}}', 'mine {{x}}'],
             'then it is the fourth, and the others are as they were');
    });

    await b.block('a request that fails', async () => {
        b.expect(/net::ERR/);
        b.expectStatus(500);

        const id = await b.prompt('failing', 'one');
        const page = await b.signIn('alice', at(id));
        let lost = 0;

        await b.field(page, 'Content').fill('two');

        /* done, but its answer is lost */
        await page.route('**/graphql', async (route) => {
            if (/createPromptVersion/.test(route.request().postData())
                && lost++ === 0)
            {
                await route.fetch();
                await route.abort();
            } else {
                await route.fallback();
            }
        });
        await b.press(page, 'Save as new version');
        await b.press(page, 'Save version');

        const note = page.getByRole('alert');

        await Promise.race([note.waitFor(),
                            toast(page, 'Version 2 is saved.').waitFor()]);

        if (await note.count() > 0) {
            await b.shot(page, 'edit-lost');
            await b.press(page, 'Save version');
        }

        await b.becomes(async () => (await rows(id)).length, 2,
                        'what was done already is not done twice');
        await b.becomes(() => textOf(page, 'Content'), 'two', 'it stays');
    });

    await b.block('a draft', async () => {
        const id = await b.prompt('draft', 'one');
        const page = await b.signIn('alice', at(id));

        await b.field(page, 'Content').fill('two, not saved');
        await b.becomes(() => page.evaluate(() =>
            Object.values(localStorage).join().includes('not saved')), true,
                        'what is typed is kept');
        await page.reload();
        await page.getByText('were brought back').waitFor();
        b.is(await textOf(page, 'Content'), 'two, not saved',
             'and is there after a reload');
        await b.looks(page, 'edit-draft');

        await save(page);
        await page.reload();
        await b.becomes(() => textOf(page, 'Content'), 'two, not saved',
                        'saved');
        b.is([await page.getByText('were brought back').count(),
              await page.evaluate(() =>
                  Object.values(localStorage).join().includes('not saved'))],
             [0, false], 'what is saved is no draft any more');
    });

    await b.block('discard', async () => {
        const id = await b.prompt('discard', 'one');
        const page = await b.signIn('alice', at(id));

        await b.field(page, 'Content').fill('two');
        await b.press(page, 'Discard changes');
        await dialog(page, 'Discard your changes?').waitFor();
        await page.keyboard.press('Escape');
        await b.becomes(() => b.focused(page), 'button Discard changes',
                        'Escape gives the focus back');
        b.is(await textOf(page, 'Content'), 'two', 'and changes nothing');
        await b.press(page, 'Discard changes');
        await b.press(page, 'Discard');
        await b.becomes(() => textOf(page, 'Content'), 'one', 'discarded');
    });
}


async function guests() {
    await b.block('who only reads', async () => {
        const id = await b.prompt('open', 'Say {{x}}', undefined,
                                  { isPublic: true });
        const page = await b.signIn('bob', at(id));

        await page.getByText('belongs to somebody else').waitFor();
        b.is(await page.getByRole('button', { name: 'Save as new version' })
            .count(), 0, 'nothing to save with');
        await b.field(page, 'Content').click();
        await page.keyboard.type('x');
        b.is(await textOf(page, 'Content'), 'Say {{x}}', 'nor to type into');
        await b.looks(page, 'edit-guest');
    });
}


b.main({}, async () => {
    await first();
    await bytes();
    await wrong();
    await others();
    await guests();
});
