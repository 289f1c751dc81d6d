#!/usr/bin/env node
// The AI SDK with both of its providers: the one for whoever speaks as OpenAI
// does, and OpenAI's own, whose models are asked by responses.  See here.mjs.

import assert from 'node:assert/strict';
import { createOpenAI } from '@ai-sdk/openai';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { APICallError, generateText, jsonSchema, stepCountIs, streamText, tool }
    from 'ai';
import { asked, baseURL, caller, check, clear, execution, executions, key,
         main, prompt } from './here.mjs';

globalThis.AI_SDK_LOG_WARNINGS = false;

const compatible = createOpenAICompatible({ name: 'prompts', baseURL,
                                            apiKey: key, includeUsage: true });

// what its options do not know of goes into the body by fetch()
const openai = createOpenAI({
    baseURL, apiKey: key,
    fetch: (address, options) => fetch(address, {
        ...options, body: JSON.stringify({ ...JSON.parse(options.body),
                                           prompt_variables: { who: 'Ada' } })
    })
});

const providerOptions = { prompts: { prompt_variables: { who: 'Ada' } } };
const hello = (model = 'fx:text=one%20two%20three') => ({ content: 'Hello {{who}}',
                                      params: { model } });
const forecast = tool({
    description: 'of the weather',
    inputSchema: jsonSchema({ type: 'object', properties: {
        city: { type: 'string' } }, required: ['city'],
        additionalProperties: false }),
    execute: async ({ city }) => `${city}: 12 degrees`
});

const models = {
    'openai-compatible': (name) => compatible(name),
    'openai, responses': (name) => openai(name),
    'openai, chat': (name) => openai.chat(name)
};

for (const [kind, model] of Object.entries(models)) {
    check(`${kind}: generateText`, async () => {
        const { id, name } = await prompt(hello(), 'production');
        const { text, usage, finishReason } = await generateText({
            model: model(`${name}@production`), providerOptions,
            prompt: 'And now?'
        });
        const one = await execution(id, { label: 'production' });

        assert.equal(text, 'one two three');
        assert.equal(finishReason, 'stop');
        assert.equal(usage.inputTokens, one.tokenIn);
        assert.equal(usage.outputTokens, one.tokenOut);
    });

    check(`${kind}: streamText`, async () => {
        const { id, name } = await prompt(hello());
        const result = streamText({
            model: model(name), providerOptions, prompt: 'one two three'
        });
        const parts = [];

        for await (const part of result.textStream) {
            parts.push(part);
        }

        assert.equal(parts.join(''), 'one two three');
        assert.ok(parts.length > 1, 'in parts');

        const one = await execution(id);

        assert.equal((await result.usage).outputTokens, one.tokenOut);
    });

    for (const [way, run] of Object.entries({
        generateText,
        streamText: async (call) => ({ text: await streamText(call).text })
    })) {
        check(`${kind}: ${way} with tools`, async () => {
            const { id, name } = await prompt(hello(caller()));
            const { text } = await run({
                model: model(name), providerOptions, prompt: 'Weather?',
                tools: { forecast }, stopWhen: stepCountIs(3)
            });

            assert.equal(text, 'It rains.');
            assert.equal((await executions(id)).length, 2);
        });
    }

    check(`${kind}: errors, once`, async () => {
        const { id, name } = await prompt(hello('fx:status=503'));

        await clear();
        await assert.rejects(() => generateText({
            model: model(name), providerOptions, prompt: 'x', maxRetries: 0
        }), (error) => {
            assert.ok(APICallError.isInstance(error), error.stack);
            assert.ok(error.statusCode >= 500, String(error.statusCode));
            return true;
        });
        assert.equal((await asked()).length, 1);
        await execution(id, { status: 'failed' });
    });
}

await main();
