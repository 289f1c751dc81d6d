#!/usr/bin/env node
/*
 * The tabs Run and "Use it" in a browser: the form of an input, what is said
 * while it is said, stopping, two versions, failures; commands that are copied
 * and run.
 */

'use strict';

const { execFile } = require('child_process');
const fs = require('fs');
const path = require('path');

const b = require('./browser.js');

const output = (page, name = 'Output') =>
    page.getByRole('region', { name, exact: true });

const executions = (id) => b.sql(`
    SELECT status, version, coalesce(label, ''), input FROM executions
    WHERE prompt_id = '${id}' ORDER BY id`);

const version = (id, content, params, inputSchema) => b.post(
    'mutation ($i: CreatePromptVersionInput!) '
    + '{ createPromptVersion(input: $i) { version } }',
    { i: { promptId: id, content, params, inputSchema } });

/* a program with a text on its command line or in a file; { code, out } */
const run = (command, args, env = {}) => new Promise((done) => {
    execFile(command, args, { env: { ...process.env, ...env,
                                     no_proxy: '127.0.0.1' },
                              timeout: 60000 },
             (error, out, err) => done({ code: error ? error.code : 0, out,
                                         err }));
});

/* what a button put on the clipboard */
async function copied(page, button) {
    await page.evaluate(() => navigator.clipboard.writeText('nothing yet'));
    await button.click();
    await b.until(10, async () => await page.evaluate(() =>
        navigator.clipboard.readText()) !== 'nothing yet');

    return page.evaluate(() => navigator.clipboard.readText());
}

const clipboard = { permissions: ['clipboard-read', 'clipboard-write'] };


const schema = {
    type: 'object',
    required: ['question', 'tone', 'customer'],
    properties: {
        question: { type: 'string', maxLength: 200 },
        tone: { enum: ['warm', 'short'] },
        count: { type: 'integer', minimum: 1, maximum: 5 },
        share: { type: 'number' },
        urgent: { type: 'boolean' },
        customer: { type: 'object', required: ['name'],
                    properties: { name: { type: 'string', minLength: 2 },
                                  born: { type: 'string', format: 'date' } } },
        tags: { type: 'array', items: { type: 'string' } },
        more: { type: ['array', 'object'] }
    }
};

async function form() {
    await b.block('the form', async () => {
        const id = await b.prompt('form');

        await version(id, '{{question}} {{tone}} {{customer.name}} {{tags}} '
                          + '{{count}}', { model: 'fx:ok' }, schema);

        const page = await b.signIn('alice', `prompts/${id}/run`, clipboard);
        const question = page.getByRole('textbox', { name: 'question' });

        await question.waitFor();
        await b.looks(page, 'run');
        await b.press(page, 'Run');
        await page.locator('.field-error').first().waitFor();
        await b.becomes(() => b.focused(page).then((name) => /tone/.test(name)),
                        true,
                        'what is missing is said at its field, which has the focus');
        b.is(await executions(id), [], 'and nothing is run');

        await question.fill('Why "so"?');
        await page.getByRole('combobox', { name: 'tone' })
            .selectOption({ label: 'short' });
        await page.getByRole('textbox', { name: 'count' }).fill('9');
        await page.getByRole('textbox', { name: 'share' }).fill('x');
        await page.getByRole('textbox', { name: 'name' }).fill('E');
        await b.press(page, 'Run');
        await b.becomes(() => page.locator('[aria-invalid="true"]')
            .evaluateAll((all) => all.map((one) => one.value)), ['x'],
                        'what is no number is said at its place');
        await page.getByRole('textbox', { name: 'share' }).fill('0.10');
        await b.press(page, 'Run');
        await b.becomes(() => page.locator('[aria-invalid="true"]')
            .evaluateAll((all) => all.map((one) => one.value)), ['9', 'E'],
                        'and so is what the service refuses');
        await b.looks(page, 'run-wrong');
        b.is(await executions(id), [], 'nothing is run');

        await page.getByRole('textbox', { name: 'count' }).fill('3');
        await page.getByRole('textbox', { name: 'name' }).fill('Eve');
        await page.getByLabel('born').fill('2001-02-03');
        await page.getByRole('checkbox', { name: 'urgent' }).check();
        await b.press(page, 'Add to tags');
        await page.waitForFunction(() =>
            document.activeElement.matches('input, textarea'));
        await page.keyboard.type('a b');
        await page.getByRole('textbox', { name: 'more' }).fill('{"k": 1.0}');
        await b.press(page, 'Run');
        await output(page).getByText('Why "so"? short Eve').waitFor();
        await output(page).getByText(/tokens/i).first().waitFor();
        await b.looks(page, 'run-done');

        const [[status, , , input]] = await executions(id);

        b.is([status, JSON.parse(input)],
             ['succeeded', { question: 'Why "so"?', tone: 'short', count: 3,
                             share: 0.1, urgent: true,
                             customer: { name: 'Eve', born: '2001-02-03' },
                             tags: ['a b'], more: { k: 1 } }],
             'what was run with');
        b.ok(/"share":\s*0\.10/.test(input) && /1\.0/.test(input),
             'numbers are as they were typed');

        /* the copied command does the same */
        const curl = await copied(page, page.getByRole('button', {
            name: 'Copy as curl' }));
        const r = await run('sh', ['-c', curl],
                            { PROMPT_API_KEY: b.config().alice_key });

        b.is([r.code, JSON.parse(r.out || '{}').data?.executePrompt.output],
             [0, 'Why "so"? short Eve ["a b"] 3'],
             'the copied command works in sh');
        b.ok(!curl.includes(b.config().alice_key), 'there is no key in it');

        const [, [, , , second]] = await executions(id);

        b.is(JSON.parse(second), JSON.parse(input), 'with the same input');

        /* as JSON, and back */
        await b.press(page, 'Edit as JSON');
        await page.getByRole('textbox', { name: /JSON|Input/ }).first()
            .fill('{"question": }');
        await b.press(page, 'Run');
        await page.getByText(/^Line 1/).first().waitFor();
        await b.looks(page, 'run-json');
    });
}


async function streams() {
    await b.block('a stream', async () => {
        const id = await b.prompt('stream', 'x', { model:
            'slow-fx:text=first%20second%20third,pause=500' });
        const page = await b.signIn('alice', `prompts/${id}/run`);

        await b.press(page, 'Run');
        await output(page).getByText('first').waitFor();
        b.is(await page.getByRole('button', { name: 'Stop' }).count(), 1,
             'text is there before the end');
        await b.becomes(() => b.focused(page), 'button Stop',
                        'the button that was pressed stops it');
        await output(page).getByText('first second third').waitFor();
        await page.getByRole('button', { name: 'Run', exact: true }).waitFor();
        b.is((await executions(id)).map((row) => row[0]), ['succeeded'],
             'recorded');
        b.is(await output(page).locator('[title^="$"]').count() > 0
             || await output(page).getByText('–').count() > 0, true,
             'with its cost, as far as it is known');
    });

    await b.block('stop', async () => {
        const id = await b.prompt('stop', 'x',
                                  { model: 'slow-fx:words=100,pause=300' });
        const page = await b.signIn('alice', `prompts/${id}/run`);

        await b.press(page, 'Run');
        await output(page).getByText('word').waitFor();
        await b.press(page, 'Stop');
        await output(page).getByText('Stopped here.').waitFor();
        await page.getByRole('button', { name: 'Run', exact: true }).waitFor();
        b.ok((await output(page).innerText()).includes('word'),
             'what was said stays');
        await b.looks(page, 'run-stopped');
        await b.becomes(async () => (await executions(id)).map((r) => r[0]),
                        ['cancelled'], 'the provider is left, as configured');
    });

    await b.block('two versions', async () => {
        const id = await b.prompt('two', 'A {{x}}', { model: 'fx:ok' });

        await b.version(id, 'B {{x}} {{y}}', { model: 'fx:ok' });
        await b.post(`mutation ($id: ID!) { setPromptLabel(promptId: $id,
            label: "live", version: 1) { label } }`, { id });

        const page = await b.signIn('alice', `prompts/${id}/run`);
        const pick = (name) => page.getByRole('combobox', { name });

        await pick('Version or label').selectOption('label live');
        await pick('Compare with').selectOption('latest')
            .catch(() => pick('Compare with').selectOption({ index: 1 }));
        await page.getByRole('textbox', { name: 'y' }).fill('2');
        await page.getByRole('textbox', { name: 'x' }).fill('1');
        await b.press(page, 'Run');
        await output(page).getByText('A 1').waitFor();
        await page.getByText('B 1 2').waitFor();
        await b.looks(page, 'run-two');
        await b.becomes(async () => (await executions(id))
            .map((r) => [r[0], r[1], r[2]].join(' ')).sort(),
                        ['succeeded 1 live', 'succeeded 2 '],
                        'both are recorded, and by what they were asked');
    });

    await b.block('a failure', async () => {
        const id = await b.prompt('fails', 'x', { model: 'fx:status=500' });
        const page = await b.signIn('alice', `prompts/${id}/run`);

        await b.press(page, 'Run');
        await page.getByRole('alert').getByText('The run failed.').waitFor();
        b.ok(/[A-Z]+_[A-Z_]+/.test(await page.getByRole('alert').innerText()),
             'an error has its code');
        await b.looks(page, 'run-failed');
        b.is((await executions(id))[0][0], 'failed', 'and its row');

        /* in the middle of it */
        const half = await b.prompt('half', 'x',
            { model: 'fx:words=5,pause=100,fail=3' });

        await page.goto(b.url(`prompts/${half}/run`));
        await b.press(page, 'Run');
        await page.getByRole('alert').waitFor();
        b.ok((await output(page).innerText()).includes('word'),
             'what was said before it stays');
    });
}


async function snippets() {
    await b.block('use it', async () => {
        const id = await b.prompt("it's", 'Say {{text}}', { model: 'fx:ok' });

        await version(id, 'Two {{text}}', { model: 'fx:ok' });
        await b.post(`mutation ($id: ID!) { setPromptLabel(promptId: $id,
            label: "production", version: 1) { label } }`, { id });

        const page = await b.signIn('alice', `prompts/${id}/use`, clipboard);
        const text = async (name) => {
            const region = page.getByRole('region', { name, exact: true });
            const got = await copied(page, region.getByRole('button', {
                name: 'Copy' }));

            b.is(got, await region.locator('pre').textContent(),
                 `${name}: what is copied is what is shown`);
            return got;
        };
        const env = { PROMPT_API_KEY: b.config().alice_key };
        const file = (name) => path.join(b.config().at, name);

        await page.getByRole('region', { name: 'curl' }).waitFor();
        await b.looks(page, 'use');
        await page.setViewportSize({ width: 320, height: 640 });
        b.is(await page.getByRole('tab').evaluateAll((all) =>
            all.filter((tab) => {
                const { left, right } = tab.getBoundingClientRect();

                return left < 0 || right > innerWidth;
            }).length), 0, 'all tabs are in sight in a narrow window');
        await page.setViewportSize({ width: 1280, height: 800 });

        const ways = [
            ['curl', async (t) => run('sh', ['-c', t], env)],
            ['JavaScript', async (t) => {
                fs.writeFileSync(file('use.mjs'), t);
                return run(process.execPath, [file('use.mjs')], env);
            }],
            ['Python', async (t) => {
                fs.writeFileSync(file('use.py'), t);
                return run('python3', [file('use.py')], env);
            }],
            ['promptctl', async (t) => run('sh', ['-c', t], { ...env,
                PATH: `${path.dirname(b.config().module)}:`
                      + process.env.PATH })]
        ];

        for (const [name, way] of ways) {
            const r = await way(await text(name));

            if (!b.ok(r.code === 0 && /Say/.test(r.out),
                      `${name} works as it stands, by the label`))
            {
                b.diag(`${r.code} ${r.out} ${r.err}`);
            }
        }

        /* t/clients runs them */
        for (const name of ['openai (Node.js)', 'openai (Python)', 'AI SDK',
                            'MCP', 'LiteLLM'])
        {
            const where = name === 'MCP' ? '/mcp"' : '/openai/v1"';

            b.ok((await text(name)).includes(
                     new URL(b.url('')).origin + where),
                 `${name} names the location`);
        }

        b.is((await executions(id)).map((row) => `${row[1]} ${row[2]}`),
             Array(4).fill('1 production'), 'each was recorded');
    });
}


b.main({
    http: `
    prompt_abandoned stop;
    prompt_provider patient /_provider/openai timeout=60s;
    prompt_model slow-fx:* provider=patient input=1 output=1;`
}, async () => {
    await form();
    await streams();
    await snippets();
});
