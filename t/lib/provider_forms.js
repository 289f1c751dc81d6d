/*
 * The fixture provider (provider.js) in the forms of OpenAI's responses and of
 * Gemini's generateContent; which, the path says.
 *
 *     tool=NAME:ARGS     a call of a tool, whole or in parts
 *     thought=S          something to be given back with the answer
 *
 * Of both, what an answer is made of is what a stream is made of.
 */

'use strict';


const responses = {
    streams: (url, body) => body.stream === true,
    model: (url, body) => body.model,

    last(body) {
        const item = body.input[body.input.length - 1];

        return typeof item.content === 'string' ? item.content
            : item.output || '';
    },

    usage: ([input, output, cached]) => ({
        input_tokens: input, output_tokens: output,
        total_tokens: input + output,
        input_tokens_details: { cached_tokens: cached || 0 },
        output_tokens_details: { reasoning_tokens: 0 }
    }),

    items(spec, text) {
        const out = [];

        if (spec.thought) {
            out.push({ type: 'reasoning', id: 'rs_1', summary: [],
                       encrypted_content: spec.thought });
        }

        if (spec.tool) {
            const [name, args] = spec.tool.split(/:(.*)/s);

            out.push({ type: 'function_call', id: 'fc_1', call_id: 'call_1',
                       name, arguments: args || '' });
        }

        if (text !== '' || out.length === 0) {
            out.push({ type: 'message', id: 'msg_1', role: 'assistant',
                       content: [{ type: 'output_text', text,
                                   annotations: [], logprobs: [] }] });
        }

        return out;
    },

    whole: (spec, text, usage) => ({
        id: 'resp_1', object: 'response', status: 'completed', error: null,
        incomplete_details: null, output: responses.items(spec, text), usage
    }),

    * events(spec, texts, usage) {
        const event = (type, more) => ({ name: type,
            data: JSON.stringify({ type, ...more }) });
        const answer = responses.whole(spec, texts.join(''), usage);

        yield event('response.created', { response: { ...answer,
            status: 'in_progress', output: [], usage: null } });

        for (const [i, item] of answer.output.entries()) {
            yield event('response.output_item.added', { output_index: i,
                item: { ...item, content: [], arguments: '' } });

            for (const delta of item.type === 'message' ? texts : []) {
                yield event('response.output_text.delta',
                            { output_index: i, delta, logprobs: [] });
            }

            for (const delta of (item.arguments || '').match(/.{1,3}/gs) || []) {
                yield event('response.function_call_arguments.delta',
                            { output_index: i, delta });
            }

            yield event('response.output_item.done', { output_index: i, item });
        }

        yield event('response.completed', { response: answer });
    },

    error: () => ({ name: 'error', data: JSON.stringify({ type: 'error',
        code: 'server_error', message: 'secret detail' }) })
};


const gemini = {
    streams: (url) => url.includes(':streamGenerateContent?alt=sse'),
    model: (url) => decodeURIComponent(/\/models\/([^/:]+):/.exec(url)[1]),

    last(body) {
        const [part] = body.contents[body.contents.length - 1].parts;

        return part.text !== undefined ? part.text : '';
    },

    usage: ([input, output, cached]) => ({
        promptTokenCount: input, candidatesTokenCount: output - 1,
        thoughtsTokenCount: 1, totalTokenCount: input + output,
        cachedContentTokenCount: cached || undefined
    }),

    chunk: (parts, usage, finishReason) => ({
        candidates: [{ content: { parts, role: 'model' }, finishReason,
                       index: 0 }],
        usageMetadata: usage, modelVersion: 'fixture', responseId: 'r1'
    }),

    parts(spec, texts) {
        const out = texts.map((text) => ({ text }));

        if (spec.tool) {
            const [name, args] = spec.tool.split(/:(.*)/s);

            out.push({ functionCall: { name, args: JSON.parse(args || '{}') },
                       thoughtSignature: spec.thought });
        }

        return out;
    },

    whole: (spec, text, usage) =>
        gemini.chunk(gemini.parts(spec, text === '' ? [] : [text]), usage,
                     'STOP'),

    * events(spec, texts, usage) {
        const parts = gemini.parts(spec, texts);

        for (const part of parts.slice(0, -1)) {
            yield { data: JSON.stringify(gemini.chunk([part])) };
        }

        yield { data: JSON.stringify(gemini.chunk(parts.slice(-1), usage,
                                                  'STOP')) };
    },

    error: () => ({ data: '{"error":{"code":503,"message":"secret detail"}}' })
};


module.exports = function form(url) {
    return url.includes('/v1/responses') ? responses
        : url.includes('/v1beta/models/') ? gemini : null;
};
