// What both clients are asked.

import assert from 'node:assert';

export const headers = { Authorization: `Bearer ${process.env.PROMPT_API_KEY}` };

export async function check(what, body) {
    try {
        await body();
        console.log(`ok ${what}`);
    } catch (error) {
        console.log(`not ok ${what}`);
        console.error(error);
    }
}


export async function run(client, revision) {
    await check('the server', () => {
        assert.equal(client.getServerVersion().name, 'ngx_http_prompt_module');
        assert.equal(client.getInstructions(), 'Stored prompts.');
        assert.deepEqual(client.getServerCapabilities(),
                         { prompts: {}, tools: {}, completions: {} });
    });

    await check('prompts', async () => {
        const { prompts } = await client.listPrompts();
        const prompt = prompts.find((p) =>
            p.name === 'test-prompt-with-arguments');

        assert.equal(prompt.description, 'Two arguments.');
        assert.deepEqual(prompt.arguments.map((a) => [a.name, a.required]),
                         [['arg1', true], ['arg2', true]]);
        assert.ok(prompts.every((p) => p.description));
    });

    await check('a prompt', async () => {
        const got = await client.getPrompt({ name: 'test_prompt_with_arguments',
            arguments: { arg1: 'one', arg2: 'b' } });

        assert.deepEqual(got.messages, [{ role: 'user',
            content: { type: 'text', text: 'one and b' } }]);
    });

    await check('an argument that is missing', () => assert.rejects(
        client.getPrompt({ name: 'test_prompt_with_arguments' }),
        { code: -32602, message: /arg1 is required/ }));

    await check('a completion', async () => {
        const { completion } = await client.complete({
            ref: { type: 'ref/prompt', name: 'test_completion' },
            argument: { name: 'word', value: 'o' } });

        assert.deepEqual(completion.values, ['one', 'other']);
    });

    await check('tools', async () => {
        const { tools } = await client.listTools();

        assert.ok(!tools.find((t) => t.name === 'test-simple-prompt'));
        assert.equal(tools.find((t) => t.name === 'test-simple-text')
                          .inputSchema.type, 'object');
    });

    await check('a tool', async () => {
        const got = await client.callTool({ name: 'test-simple-text',
                                            arguments: {} });

        assert.deepEqual(got.content, [{ type: 'text', text: 'fine' }]);
        assert.ok(!got.isError);
        assert.match(got._meta['ngx-http-prompt/executionId'], /^[0-9a-f-]{36}$/);
    });

    await check('structured content', async () => {
        const got = await client.callTool({ name: 'test-structured',
                                            arguments: {} });

        assert.deepEqual(got.structuredContent, { n: 1 });
    });

    await check('a run that fails', async () => {
        const got = await client.callTool({ name: 'test-error-handling',
                                            arguments: {} });

        assert.equal(got.isError, true);
        assert.match(got.content[0].text, /status 500/);
    });

    await check('progress', async () => {
        const said = [];
        const ask = { name: 'test-tool-with-progress', arguments: {} };
        const options = { onprogress: (p) => said.push(p) };
        const got = await (revision === 'latest'
            ? client.callTool(ask, options)
            : client.callTool(ask, undefined, options));

        assert.equal(said.map((p) => p.message).join(''),
                     'one two three four five');
        assert.deepEqual(said.map((p) => p.progress), [1, 2, 3, 4, 5]);
        assert.equal(got.content[0].text, 'one two three four five');
    });

    await check('a tool that is not there', () => assert.rejects(
        client.callTool({ name: 'nothing', arguments: {} }),
        { code: -32602 }));

    await client.close();
}
