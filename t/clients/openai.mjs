#!/usr/bin/env node
// OpenAI's library: stored prompts by its responses and by chat completions,
// whole and streamed, with tools; models; its classes of errors, and what it
// asks again.  See here.mjs.

import assert from 'node:assert/strict';
import OpenAI from 'openai';
import { asked, baseURL, caller, check, clear, execution, executions,
         key, main, prompt } from './here.mjs';

const client = new OpenAI({ baseURL, apiKey: key });

const schema = { type: 'object', required: ['who'],
                 properties: { who: { type: 'string' },
                               times: { type: 'integer' } } };
const hello = (params) => ({ content: 'Hello {{who}}', inputSchema: schema,
                             params: { model: 'fx:ok', ...params } });
const forecast = { name: 'forecast', description: 'of the weather',
                   parameters: { type: 'object',
                                 properties: { city: { type: 'string' } } } };


check('responses: a stored prompt', async () => {
    const { id, name } = await prompt(hello(), 'production');
    const response = await client.responses.create({
        prompt: { id: name, variables: { who: 'Ada', times: '3' } },
        metadata: { team: 'a' }, safety_identifier: 'user-1'
    });

    assert.equal(response.output_text, 'Hello Ada');
    assert.equal(response.status, 'completed');
    assert.equal(response.error, null);
    assert.ok(response.id.startsWith('resp_'), response.id);

    const one = await execution(id, { version: 1, label: 'production',
                                      subject: 'user-1',
                                      metadata: { team: 'a' } });

    assert.equal(response.usage.input_tokens, one.tokenIn);
    assert.equal(response.usage.output_tokens, one.tokenOut);
    assert.equal(response._request_id, one.id);
});


check('responses: by id, with a version, and input behind it', async () => {
    const { id } = await prompt(hello({ model: 'fx:text=Fine.' }));
    const response = await client.responses.create({
        prompt: { id, version: '1', variables: {
            who: { type: 'input_text', text: 'Ada' } } },
        input: [{ role: 'assistant', content: 'Hello.' },
                { role: 'user', content: [
                    { type: 'input_text', text: 'And now?' }] }]
    });

    assert.equal(response.output_text, 'Fine.');
    await execution(id, { version: 1, appended: [
        { role: 'assistant', content: 'Hello.' },
        { role: 'user', content: [{ type: 'text', text: 'And now?' }] }] });
});


check('responses: create({stream: true})', async () => {
    const { id, name } = await prompt(hello());
    const events = [];

    for await (const event of await client.responses.create({
        prompt: { id: name, variables: { who: 'Ada' } }, stream: true
    })) {
        events.push(event);
    }

    assert.equal(events[0].type, 'response.created');
    assert.equal(events.at(-1).type, 'response.completed');
    assert.equal(events.at(-1).response.output[0].content[0].text, 'Hello Ada');
    assert.equal(events.filter((event) =>
        event.type === 'response.output_text.delta').map((event) =>
        event.delta).join(''), 'Hello Ada');
    events.forEach((event, i) => assert.equal(event.sequence_number, i));
    await execution(id);
});


check('responses.stream()', async () => {
    const { id, name } = await prompt(hello());
    const stream = client.responses.stream({
        prompt: { id: name, variables: { who: 'Ada' } }
    });
    let text = '';

    stream.on('response.output_text.delta', ({ delta }) => {
        text += delta;
    });

    const response = await stream.finalResponse();

    assert.equal(text, 'Hello Ada');
    assert.equal(response.output_text, 'Hello Ada');
    assert.equal(response.status, 'completed');
    await execution(id);
});


check('responses: tools, until the model is done', async () => {
    const { id, name } = await prompt(hello({
        model: caller(), tools: [{ type: 'function', function: forecast }] }));
    const prompted = { prompt: { id: name, variables: { who: 'Ada' } } };

    await clear();

    const first = await client.responses.create(prompted);
    const [call] = first.output.filter((one) => one.type === 'function_call');

    assert.equal(call.name, 'forecast');
    assert.deepEqual(JSON.parse(call.arguments), { city: 'Bern' });

    const second = await client.responses.create({
        ...prompted,
        input: [...first.output,
                { type: 'function_call_output', call_id: call.call_id,
                  output: '12 degrees' }]
    });

    assert.equal(second.output_text, 'It rains.');

    const [, { body: { messages } }] = await asked();

    assert.deepEqual(messages.slice(-2), [
        { role: 'assistant', content: null, tool_calls: [
            { id: call.call_id, type: 'function',
              function: { name: 'forecast', arguments: call.arguments } }] },
        { role: 'tool', tool_call_id: call.call_id, content: '12 degrees' }]
        .map((wanted, i) => ({ ...messages.at(i - 2), ...wanted })));
    assert.equal((await executions(id)).length, 2);
});


check('chat.completions: whole', async () => {
    const { id, name } = await prompt(hello(), 'production');
    const completion = await client.chat.completions.create({
        model: `${name}@production`, prompt_variables: { who: 'Ada', times: 3 },
        messages: [{ role: 'user', content: 'And?' }], temperature: 0.5,
        metadata: { team: 'b' }, user: 'user-2'
    });
    const [choice] = completion.choices;

    assert.equal(completion.object, 'chat.completion');
    assert.equal(choice.message.content, 'And?');
    assert.equal(choice.finish_reason, 'stop');

    const one = await execution(id, { label: 'production', subject: 'user-2',
                                      metadata: { team: 'b' } });

    assert.equal(completion.usage.prompt_tokens, one.tokenIn);
    assert.equal(completion.usage.total_tokens, one.tokenIn + one.tokenOut);
});


check('chat.completions: streamed', async () => {
    const { id, name } = await prompt(hello());
    const chunks = [];

    for await (const chunk of await client.chat.completions.create({
        model: name, prompt_variables: { who: 'Ada' }, messages: [],
        stream: true, stream_options: { include_usage: true }
    })) {
        chunks.push(chunk);
    }

    const said = chunks.flatMap(({ choices }) => choices);

    assert.equal(said[0].delta.role, 'assistant');
    assert.equal(said.map(({ delta }) => delta.content ?? '').join(''),
                 'Hello Ada');
    assert.equal(said.at(-1).finish_reason, 'stop');
    assert.deepEqual(chunks.at(-1).choices, []);

    const one = await execution(id);

    assert.equal(chunks.at(-1).usage.completion_tokens, one.tokenOut);
});


check('chat.completions.stream(), tools and all', async () => {
    const { id, name } = await prompt(hello({
        model: caller(), tools: [{ type: 'function', function: forecast }] }));
    const runner = client.chat.completions.stream({
        model: name, prompt_variables: { who: 'Ada' }, messages: []
    });
    const { choices: [choice] } = await runner.finalChatCompletion();
    const [call] = choice.message.tool_calls;

    assert.equal(choice.finish_reason, 'tool_calls');
    assert.equal(call.function.name, 'forecast');
    assert.deepEqual(JSON.parse(call.function.arguments), { city: 'Bern' });

    // the message goes back as it came
    const messages = [choice.message, { role: 'tool', tool_call_id: call.id,
                                        content: '12 degrees' }];
    const { choices: [last] } = await client.chat.completions.create({
        model: name, prompt_variables: { who: 'Ada' }, messages
    });

    assert.equal(last.message.content, 'It rains.');
    assert.equal((await executions(id)).length, 2);
});


check('chat.completions.runTools()', async () => {
    const { id, name } = await prompt(hello({ model: caller() }));
    const runner = client.chat.completions.runTools({
        model: name, prompt_variables: { who: 'Ada' },
        messages: [{ role: 'user', content: 'Weather?' }],
        tools: [{ type: 'function', function: {
            ...forecast, parse: JSON.parse,
            function: ({ city }) => `${city}: 12 degrees` } }]
    });

    assert.equal(await runner.finalContent(), 'It rains.');
    assert.equal((await executions(id)).length, 2);
});


check('models', async () => {
    const { name } = await prompt(hello(), 'production');
    const names = [];

    for await (const model of client.models.list()) {
        names.push(model.id);
    }

    assert.ok(names.includes(name), `${name} is listed`);
    assert.ok(names.includes(`${name}@production`), 'with its label');

    const model = await client.models.retrieve(name);

    assert.equal(model.id, name);
    assert.equal(model.object, 'model');
    await assert.rejects(client.models.retrieve('no-such-prompt'),
                         OpenAI.NotFoundError);
});


const ask = (name, more = {}, options = {}) =>
    client.responses.create({ prompt: { id: name, variables: { who: 'Ada' } },
                              ...more }, options);

check('errors by their classes', async () => {
    const { id, name } = await prompt(hello());
    const wrong = new OpenAI({ baseURL, apiKey: 'pmt_wrong' });
    const wanted = [
        [OpenAI.AuthenticationError, () => wrong.models.list()],
        [OpenAI.NotFoundError, () => ask('no-such-prompt')],
        [OpenAI.NotFoundError, () => ask(`${name}@9`)],
        [OpenAI.NotFoundError, () => client.embeddings.create({
            model: name, input: 'x' })],
        [OpenAI.BadRequestError, () => ask(name, { temperature: 'hot' }),
         /^temperature$/],
        [OpenAI.BadRequestError, () => ask(name, {
            previous_response_id: 'resp_1' }), /^previous_response_id$/],
        [OpenAI.BadRequestError, () => client.responses.create({
            prompt: { id: name } }), /^prompt[._]variables\.who$/],
        [OpenAI.BadRequestError, () => client.chat.completions.create({
            model: name, prompt_variables: { who: 'Ada' },
            messages: [{ role: 'user', content: 1 }] }),
         /^messages\[0\]\.content$/],
        [OpenAI.BadRequestError, () => client.chat.completions.create({
            model: name, prompt_variables: { who: 'Ada' }, messages: [],
            n: 2 }), /^n$/],
    ];

    for (const [type, run, param] of wanted) {
        await assert.rejects(run, (error) => {
            assert.ok(error instanceof type, `${type.name}: ${error.stack}`);
            assert.equal(typeof error.error.message, 'string');
            assert.ok(error.requestID, 'x-request-id');

            if (param) {
                assert.match(error.param, param);
            }

            return true;
        });
    }

    assert.deepEqual(await executions(id), [], 'nothing ran');
});


// the library asks again where it is not told otherwise
check('what the provider failed with is asked once', async () => {
    const failures = [
        ['status=401', OpenAI.InternalServerError],
        ['status=429', OpenAI.RateLimitError],
        ['status=500', OpenAI.InternalServerError],
        ['status=503', OpenAI.InternalServerError],
        ['close', OpenAI.InternalServerError],
        ['raw=x', OpenAI.InternalServerError],
        ['status=400', OpenAI.BadRequestError],
        ['hang', OpenAI.InternalServerError],
    ];

    for (const [spec, type] of failures) {
        const { id, name } = await prompt(hello({ model: `fx:${spec}` }));

        await clear();
        await assert.rejects(() => ask(name), (error) => {
            assert.ok(error instanceof type, `${spec}: ${error.stack}`);
            return true;
        });
        assert.equal((await asked()).length, 1, `${spec}: one call`);
        await execution(id, { status: 'failed' });
    }
});


check('a stream that fails says so', async () => {
    const { id, name } = await prompt(hello({
        model: 'fx:words=5,pause=50,fail=3' }));
    let text = '';

    await assert.rejects(async () => {
        for await (const chunk of await client.chat.completions.create({
            model: name, prompt_variables: { who: 'Ada' }, messages: [],
            stream: true
        })) {
            text += chunk.choices[0]?.delta.content ?? '';
        }
    }, OpenAI.APIError);
    assert.match(text, /^word /);
    await execution(id, { status: 'failed' });

    const { id: other, name: named } = await prompt(hello({
        model: 'fx:words=5,pause=50,fail=3' }));
    const types = [];

    for await (const event of await ask(named, { stream: true })) {
        types.push(event.type);
    }

    assert.ok(types.includes('response.output_text.delta'), 'what was said');
    assert.equal(types.at(-1), 'response.failed');
    await execution(other, { status: 'failed' });
});


check('Idempotency-Key: twice is once', async () => {
    const { id, name } = await prompt(hello());
    const options = { headers: { 'Idempotency-Key': `key-${name}` } };
    const first = await ask(name, {}, options);
    const second = await ask(name, {}, options);

    assert.equal(second.output_text, first.output_text);
    assert.equal(second.id, first.id);
    await execution(id);
});

await main();
