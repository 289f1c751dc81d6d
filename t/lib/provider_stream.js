/*
 * Streams of the fixture provider: provider.js answers with one where the
 * call asks for it by "stream": true.
 *
 *     text=S             said a word at a time, each in an event
 *     each=N             N characters an event instead
 *     pause=MS           between two events
 *     words=N            N events of "word " instead
 *     repeat=N           that text, or those events, N times
 *     chunk=N            N bytes a write, MS apart where pause is given
 *     comments=N         N comments before each event; comments=ever: nothing
 *                        but comments
 *     crlf               lines end so
 *     fail=N             an error event after N events
 *     close-after=N      the connection is closed after N events
 *     no-done            the last event is left out
 *     cut-end            the connection breaks behind the last event
 *     linger             the connection stays open after the last event, and
 *     hang-on            the body is not at its end either
 *     events=S           these bytes as the stream; events: those that the
 *                        last message has; %HH is a byte
 *     line=N             a line of N bytes, and no end; line=ever
 *     plain              one JSON value, though a stream was asked for
 *     tool=NAME:ARGS     a call of a tool, its arguments in pieces of each
 *
 * A file whose name ends with ".sse" is sent as it is.
 */

'use strict';


function split(given, spec) {
    const text = given.repeat(Number(spec.repeat || 1));

    if (spec.words) {
        return Array(Number(spec.words)).fill('word ');
    }

    if (spec.each) {
        return [...text].reduce((all, c, i) => {
            if (i % Number(spec.each) === 0) {
                all.push('');
            }

            all[all.length - 1] += c;
            return all;
        }, []);
    }

    return text.match(/\S+\s*|\s+/g) || [];
}


function openai(spec, model, texts, usage, options) {
    const chunk = (choices, extra) => ({ data: JSON.stringify({
        id: 'chatcmpl-fixture', object: 'chat.completion.chunk',
        created: 1795219200, model, choices, ...extra }) });
    const delta = (d, finish) => [{ index: 0, delta: d, logprobs: null,
                                    finish_reason: finish || null }];
    const out = [chunk(delta({ role: 'assistant', content: '',
                               refusal: null }), { usage: null })];

    for (const content of texts) {
        out.push(chunk(delta({ content })));
    }

    if (spec.tool) {
        const [name, args] = spec.tool.split(/:(.*)/s);

        out.push(chunk(delta({ tool_calls: [{ index: 0, id: 'call_1',
            type: 'function', function: { name, arguments: '' } }] })));

        for (const part of split(args || '', { each: spec.each || 3 })) {
            out.push(chunk(delta({ tool_calls: [{ index: 0,
                function: { arguments: part } }] })));
        }
    }

    out.push(chunk(delta({}, spec.tool ? 'tool_calls' : 'stop')));

    if (usage && options && options.include_usage) {
        out.push(chunk([], { usage }));
    }

    return { events: out, last: { data: '[DONE]' },
             error: { data: '{"error":{"message":"secret detail","type":'
                            + '"server_error","code":null}}' } };
}


function anthropic(spec, model, texts, usage) {
    const event = (type, more) => ({ name: type,
                                     data: JSON.stringify({ type, ...more }) });
    const out = [
        event('message_start', { message: { id: 'msg_fixture',
            type: 'message', role: 'assistant', model, content: [],
            stop_reason: null, usage: usage && { ...usage,
                                                 output_tokens: 1 } } }),
        event('content_block_start', { index: 0,
            content_block: { type: 'text', text: '' } }),
        event('ping', {})
    ];

    for (const text of texts) {
        out.push(event('content_block_delta', { index: 0,
            delta: { type: 'text_delta', text } }));
    }

    out.push(event('content_block_stop', { index: 0 }));

    if (spec.tool) {
        const [name, args] = spec.tool.split(/:(.*)/s);

        out.push(event('content_block_start', { index: 1, content_block: {
            type: 'tool_use', id: 'call_1', name, input: {} } }));

        for (const part of split(args || '', { each: spec.each || 3 })) {
            out.push(event('content_block_delta', { index: 1,
                delta: { type: 'input_json_delta', partial_json: part } }));
        }

        out.push(event('content_block_stop', { index: 1 }));
    }

    out.push(event('message_delta', { delta: {
        stop_reason: spec.tool ? 'tool_use' : 'end_turn',
        stop_sequence: null },
        usage: usage && { output_tokens: usage.output_tokens } }));

    return { events: out, last: event('message_stop', {}),
             error: event('error', { error: { type: 'overloaded_error',
                                              message: 'secret detail' } }) };
}


/* one of provider_forms.js, whose last event is the end */

function other(form, spec, texts, usage) {
    const events = [...form.events(spec, texts, usage)];

    return { last: events.pop(), events, error: form.error() };
}


/* a list of texts, each one write; kind: whether it is Anthropic's, or a form */

function* writes(spec, model, text, usage, kind, options) {
    const end = spec.crlf ? '\r\n' : '\n';
    const form = kind && kind.events
        ? other(kind, spec, split(text, spec), usage)
        : (kind ? anthropic : openai)(spec, model, split(text, spec), usage,
                                      options);
    const write = (event) => ': comment'.concat(end)
        .repeat(Number(spec.comments || 0))
        + (event.name ? `event: ${event.name}${end}` : '')
        + `data: ${event.data}${end}${end}`;
    const stop = spec.fail !== undefined ? Number(spec.fail)
        : spec['close-after'] !== undefined ? Number(spec['close-after'])
        : form.events.length;

    for (const event of form.events.slice(0, stop)) {
        yield write(event);
    }

    if (spec.fail !== undefined) {
        yield write(form.error);

    } else if (!spec['no-done'] && spec['close-after'] === undefined) {
        yield write(form.last);
    }
}


function* cut(texts, size) {
    for (const text of texts) {
        const bytes = Buffer.from(text);

        for (let i = 0; i < bytes.length; i += size) {
            yield bytes.subarray(i, i + size);
        }
    }
}


function* ever() {
    for ( ;; ) {
        yield ': and on\n';
    }
}


function* line(size) {
    const piece = 'x'.repeat(4096);

    yield 'data: ';

    for (let sent = 0; sent < size; sent += piece.length) {
        yield piece;
    }
}


/* text with %HH for bytes, whatever they are */

function* raw(text, times) {
    const all = Buffer.from(text.replace(/%([0-9a-f]{2})/gi, (_, hex) =>
        String.fromCharCode(parseInt(hex, 16))), 'latin1');

    for (let i = 0; i < times; i++) {
        yield all;
    }
}


/* sends all of them: chunked, a chunk a write, no faster than they are read */

function send(spec, texts, socket, call) {
    const pause = Number(spec.pause || 0);

    socket.setNoDelay(true);
    socket.write('HTTP/1.1 200 Fixture\r\nContent-Type: '
                 + (spec.type || 'text/event-stream; charset=utf-8')
                 + '\r\nTransfer-Encoding: chunked\r\n\r\n');
    call.sent = 0;

    const next = () => {
        for ( ;; ) {
            if (socket.destroyed) {
                return;
            }

            const { value, done } = texts.next();

            if (done) {
                break;
            }

            const bytes = Buffer.from(value);

            call.sent += bytes.length;

            const room = socket.write(Buffer.concat([
                Buffer.from(bytes.length.toString(16) + '\r\n'), bytes,
                Buffer.from('\r\n')]));

            if (pause) {
                setTimeout(next, pause);
                return;
            }

            if (!room) {
                socket.once('drain', next);
                return;
            }
        }

        call.finished = true;

        if (spec['close-after'] !== undefined || spec['cut-end']) {
            socket.end();

        } else if (spec['hang-on']) {
            call.finished = false;

        } else if (!spec.linger) {
            socket.end('0\r\n\r\n');
        }
    };

    next();
}


module.exports = function stream(spec, body, text, usage, isAnthropic,
                                 file, socket, call) {
    const options = body && body.stream_options;
    let texts;

    if (spec.comments === 'ever') {
        texts = ever();
        spec.pause = spec.pause || 1;

    } else if (spec.line) {
        texts = line(spec.line === 'ever' ? Infinity : Number(spec.line));

    } else if (spec.events !== undefined) {
        texts = raw(spec.events === true ? text : spec.events,
                    Number(spec.repeat || 1));

    } else if (file) {
        texts = [file.toString()][Symbol.iterator]();

    } else {
        texts = writes(spec, body.model, text, usage, isAnthropic, options);
    }

    if (spec.chunk) {
        texts = cut(texts, Number(spec.chunk));
    }

    send(spec, texts, socket, call);
};
