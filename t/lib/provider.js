/*
 * A provider of language models that misbehaves on demand.
 *
 *     node provider.js unix:/path | HOST:PORT
 *
 * Prints "ready" (and the port; port 0 is any free one) when it listens, and
 * ends with its standard input.  What a call is answered stands in the model's
 * name after "fx:", or in the path after "/fx:", as a comma separated list
 * (%2C for a comma in a value):
 *
 *     ok                 the default: a sound answer
 *     text=S             that says S (percent-encoded); else it says back
 *                        the last message
 *     tool=NAME:ARGS     that calls a tool, and says nothing
 *     usage=IN:OUT[:C[:W[:H[:R]]]]
 *                        token counts, of IN: C cached, W written to a cache,
 *                        H of that for an hour; of OUT: R reasoning; usage=none
 *     tier=S             service_tier
 *     file=F             a file of t/fixtures/providers, with its status
 *                        and headers
 *     status=N           this status (of an error's body, where >= 400)
 *     big=N              N bytes of text;  deep=N: N levels of arrays
 *     raw=S              S as the body
 *     gzip, gzip-lie     compressed with, without Content-Encoding
 *     bomb=N             gzip of N MiB of text
 *     type=T             Content-Type
 *     retry-after=V      that header; date=S: as a date, S seconds from now
 *     redirect=URL, accel=PATH, header-size=N, headers=N
 *     early[=N]          an interim answer first: 103, or N
 *     keep               the connection stays open
 *     delay=MS           first of all
 *     hang               no answer;  close: closed instead;  reset: RST
 *     headers-only       headers, then nothing
 *     drip=MS            a byte every MS
 *     head=S             these bytes for a header, then FIN
 *     cut=N, reset=N, stop=N
 *                        N bytes of the body, then FIN, RST, or silence
 *     spaces=MS          an answer that never comes: a space every MS
 *     short, long        Content-Length below, above what is sent
 *     bad-chunk          chunked, and a size that is none
 *
 * Lists separated by | are one for each call of that model in turn, the last
 * one for all that follow: fx:status=503|close|ok
 * A call that asks for a stream gets one: provider_stream.js.
 *
 * The answer has the form of Anthropic's messages where the path has
 * "/messages" in it, one of those in provider_forms.js where it is theirs, else
 * of OpenAI's chat completions.
 *
 * GET /_control/log answers with what was received, as JSON; POST
 * /_control/clear forgets it; /_control/take answers with the calls whose body
 * came, and forgets those.
 */

'use strict';

const fs = require('fs');
const http = require('http');
const path = require('path');
const zlib = require('zlib');
const formOf = require('./provider_forms.js');
const stream = require('./provider_stream.js');

const fixtures = path.join(__dirname, '..', 'fixtures', 'providers');
const index = JSON.parse(fs.readFileSync(path.join(fixtures, 'index.json')));

let calls = [];
let turns = new Map();


function parseSpec(text) {
    const spec = {};

    for (const part of text.split(',')) {
        const at = part.indexOf('=');
        const name = at < 0 ? part : part.slice(0, at);
        let value = at < 0 ? true : part.slice(at + 1);

        /* bytes need not be text */

        if (at >= 0 && name !== 'events') {
            value = decodeURIComponent(value);
        }

        /* reset alone comes before the answer, reset=N within it */
        spec[name] = value;
    }

    return spec;
}


/* of the lists of a text the one whose turn it is */

function turnOf(text) {
    const lists = text.split('|');
    const turn = turns.get(text) || 0;

    if (lists.length > 1) {
        turns.set(text, turn + 1);
    }

    return parseSpec(lists[Math.min(turn, lists.length - 1)]);
}


function specOf(url, body) {
    const m = /\/fx:([^/?]+)/.exec(url);

    if (m) {
        return turnOf(m[1]);
    }

    const form = formOf(url);
    const named = form && body ? form.model(url, body) : body && body.model;
    const model = typeof named === 'string' ? named : '';
    const at = model.indexOf('fx:');

    if (at >= 0) {
        return turnOf(model.slice(at + 3));
    }

    return {};
}


function lastMessage(body, form) {
    if (form) {
        return form.last(body);
    }

    const messages = body && Array.isArray(body.messages) ? body.messages : [];
    const last = messages[messages.length - 1];

    return last && typeof last.content === 'string' ? last.content : '';
}


function usage(spec, anthropic, form) {
    if (spec.usage === 'none') {
        return undefined;
    }

    const [input, output, cached = 0, written = 0, hour = 0, reasoning]
        = String(spec.usage || '12:7').split(':').map(Number);

    if (form) {
        return form.usage([input, output, cached]);
    }

    if (anthropic) {
        return { input_tokens: input - cached - written, output_tokens: output,
                 cache_read_input_tokens: cached,
                 cache_creation_input_tokens: written,
                 cache_creation: { ephemeral_5m_input_tokens: written - hour,
                                   ephemeral_1h_input_tokens: hour },
                 service_tier: spec.tier,
                 ...(reasoning === undefined ? {} : {
                     output_tokens_details: { thinking_tokens: reasoning } })
        };
    }

    return { prompt_tokens: input, completion_tokens: output,
             total_tokens: input + output,
             prompt_tokens_details: { cached_tokens: cached,
                                      cache_write_tokens: written || undefined },
             ...(reasoning === undefined ? {} : {
                 completion_tokens_details: { reasoning_tokens: reasoning } })
    };
}


function sound(spec, body, anthropic, form) {
    let text = spec.text === undefined ? lastMessage(body, form) : spec.text;

    if (spec.big) {
        text = 'x'.repeat(Number(spec.big));
    }

    if (form) {
        return JSON.stringify(form.whole(spec, text, usage(spec, false, form)));
    }

    const [name, args] = (spec.tool || '').split(/:(.*)/s);

    if (anthropic) {
        return JSON.stringify({
            id: 'msg_fixture', type: 'message', role: 'assistant',
            model: body && body.model,
            stop_reason: name ? 'tool_use' : 'end_turn',
            content: name ? [{ type: 'tool_use', id: 'call_1', name,
                               input: JSON.parse(args) }]
                          : [{ type: 'text', text }],
            usage: usage(spec, true)
        });
    }

    return JSON.stringify({
        id: 'chatcmpl-fixture', object: 'chat.completion', created: 1795219200,
        model: body && body.model,
        choices: [{ index: 0, finish_reason: name ? 'tool_calls' : 'stop',
                    message: name ? { role: 'assistant', content: null,
                        tool_calls: [{ id: 'call_1', type: 'function',
                                       function: { name, arguments: args } }] }
                                  : { role: 'assistant', content: text } }],
        usage: usage(spec, false), service_tier: spec.tier
    });
}


function failure(status, anthropic) {
    const message = 'secret detail of the provider, status ' + status;

    return JSON.stringify(anthropic
        ? { type: 'error', error: { type: 'api_error', message } }
        : { error: { message, type: 'fixture', param: null, code: null } });
}


/* what is to be sent: { status, headers, body } */

function answer(spec, url, body) {
    const anthropic = url.includes('/messages');
    const headers = { 'Content-Type': spec.type || 'application/json' };
    let status = 200;
    let out;

    if (spec.file) {
        const entry = index.find((e) => e.file === spec.file) || {};

        out = fs.readFileSync(path.join(fixtures, spec.file));
        status = entry.status || 200;
        headers['Content-Type'] = entry.content_type || 'application/json';

        for (const [name, value] of Object.entries(entry.headers || {})) {
            headers[name] = value;
        }

    } else if (spec.deep) {
        out = Buffer.from('['.repeat(spec.deep) + ']'.repeat(spec.deep));

    } else if (spec.raw !== undefined) {
        out = Buffer.from(spec.raw === true ? '' : spec.raw);

    } else if (spec.bomb) {
        out = zlib.gzipSync(Buffer.alloc(spec.bomb * 1048576, 'x'));
        headers['Content-Encoding'] = 'gzip';

    } else {
        out = Buffer.from(Number(spec.status) >= 400
                          ? failure(spec.status, anthropic)
                          : sound(spec, body, anthropic, formOf(url)));
    }

    if (spec.status) {
        status = Number(spec.status);
    }

    if (spec.gzip || spec['gzip-lie']) {
        out = zlib.gzipSync(out);

        if (spec.gzip) {
            headers['Content-Encoding'] = 'gzip';
        }
    }

    if (spec.redirect) {
        status = spec.status ? status : 307;
        headers.Location = spec.redirect;
    }

    if (spec['retry-after']) {
        headers['Retry-After'] = spec['retry-after'];
    }

    if (spec.date) {
        headers['Retry-After']
            = new Date(Date.now() + spec.date * 1000).toUTCString();
    }

    if (spec.accel) {
        headers['X-Accel-Redirect'] = spec.accel;
    }

    if (spec['header-size']) {
        headers['X-Big'] = 'h'.repeat(Number(spec['header-size']));
    }

    for (let i = 0; i < Number(spec.headers || 0); i++) {
        headers['X-Many-' + i] = 'v';
    }

    return { status, headers, body: out };
}


/* written by hand, since http.ServerResponse refuses to be wrong */

function head(a, length) {
    let text = `HTTP/1.1 ${a.status} Fixture\r\n`;

    for (const [name, value] of Object.entries(a.headers)) {
        text += `${name}: ${value}\r\n`;
    }

    if (length === 'chunked') {
        text += 'Transfer-Encoding: chunked\r\n';
    } else {
        text += `Content-Length: ${length}\r\n`;
    }

    return text + (a.keep ? '\r\n' : 'Connection: close\r\n\r\n');
}


function drip(socket, bytes, ms, call) {
    let at = 0;

    const timer = setInterval(() => {
        if (at >= bytes.length || socket.destroyed) {
            clearInterval(timer);
            call.finished = at >= bytes.length;
            socket.end();
            return;
        }

        socket.write(bytes.subarray(at, at + 1));
        at++;
    }, ms);

    socket.on('close', () => clearInterval(timer));
}


function reset(socket) {
    if (socket.resetAndDestroy && socket.remoteAddress) {
        socket.resetAndDestroy();
    } else {
        socket.destroy();
    }
}


/* whether nothing else is asked for than a stream */

function streams(spec) {
    return !spec.plain && !spec.status && spec.raw === undefined
           && (!spec.file || spec.file.endsWith('.sse'));
}


function send(spec, url, body, socket, call) {
    if (spec.hang) {
        return;
    }

    if (spec.close) {
        socket.end();
        return;
    }

    if (spec.head) {
        socket.end(spec.head);
        return;
    }

    if (spec.reset === true) {
        reset(socket);
        return;
    }

    const form = formOf(url);

    if (body && (form ? form.streams(url, body) : body.stream === true)
        && streams(spec))
    {
        const anthropic = url.includes('/messages');

        stream(spec, body, spec.text === undefined ? lastMessage(body, form)
                                                   : spec.text,
               usage(spec, anthropic, form), form || anthropic,
               spec.file && fs.readFileSync(path.join(fixtures, spec.file)),
               socket, call);
        return;
    }

    const a = answer(spec, url, body);
    const length = a.body.length;

    a.keep = spec.keep;

    if (spec.early) {
        const status = spec.early === true ? 103 : spec.early;

        socket.write(`HTTP/1.1 ${status} Fixture\r\nLink: </x>\r\n\r\n`);
    }

    if (spec['headers-only']) {
        socket.write(head(a, length));
        return;
    }

    if (spec.spaces) {
        socket.write(head(a, 'chunked'));

        const timer = setInterval(() => socket.write('1\r\n \r\n'),
                                  Number(spec.spaces));

        socket.on('close', () => clearInterval(timer));
        return;
    }

    if (spec.drip) {
        socket.write(head(a, length));
        drip(socket, a.body, Number(spec.drip), call);
        return;
    }

    for (const kind of ['cut', 'reset', 'stop']) {
        if (spec[kind] === undefined) {
            continue;
        }

        socket.write(head(a, length));
        socket.write(a.body.subarray(0, Number(spec[kind])), () => {
            if (kind === 'cut') {
                socket.end();
            } else if (kind === 'reset') {
                reset(socket);
            }
        });
        return;
    }

    if (spec['bad-chunk']) {
        socket.end(head(a, 'chunked') + 'zz\r\n' + a.body + '\r\n0\r\n\r\n');
        return;
    }

    let claimed = length;

    if (spec.short) {
        claimed = length >> 1;
    } else if (spec.long) {
        claimed = length + 100;
    }

    socket.write(head(a, claimed));
    socket.write(a.body, () => {
        call.finished = true;

        if (!spec.keep) {
            socket.end();
        }
    });
}


function control(request, response) {
    if (request.url === '/_control/clear') {
        calls = [];
        turns = new Map();
    }

    const body = JSON.stringify(request.url === '/_control/take'
        ? calls.filter((call) => call.body !== null) : calls);

    if (request.url === '/_control/take') {
        calls = calls.filter((call) => call.body === null);
    }

    response.writeHead(200, { 'Content-Type': 'application/json',
                              'Connection': 'close' });
    response.end(body);
}


const server = http.createServer({ maxHeaderSize: 1048576 },
                                 (request, response) =>
{
    const chunks = [];

    if (request.url.startsWith('/_control/')) {
        request.resume();
        control(request, response);
        return;
    }

    const call = { method: request.method, url: request.url,
                   headers: request.headers, rawHeaders: request.rawHeaders,
                   body: null, text: '', finished: false, left: false,
                   at: Date.now() };

    calls.push(call);
    request.socket.on('error', () => {});
    request.socket.on('close', () => {
        call.left = !call.finished;
    });

    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
        call.text = Buffer.concat(chunks).toString();

        try {
            call.body = JSON.parse(call.text);
        } catch (e) {
            call.body = null;
        }

        const spec = specOf(request.url, call.body);

        response.detachSocket(request.socket);
        setTimeout(() => {
            if (!request.socket.destroyed) {
                send(spec, request.url, call.body, request.socket, call);
            }
        }, Number(spec.delay || 0));
    });
});

server.requestTimeout = 0;
server.timeout = 0;

const where = process.argv[2] || '';
const tcp = /^(.*):(\d+)$/.exec(where);

function ready() {
    if (where.startsWith('unix:')) {
        fs.chmodSync(where.slice(5), 0o777);
    }

    const port = server.address().port;

    process.stdout.write(port === undefined ? 'ready\n'
                                            : 'ready ' + port + '\n');
}

if (where.startsWith('unix:')) {
    fs.rmSync(where.slice(5), { force: true });
    server.listen(where.slice(5), ready);

} else if (tcp) {
    server.listen(Number(tcp[2]), tcp[1], ready);

} else {
    process.stderr.write('usage: provider.js unix:/path | HOST:PORT\n');
    process.exit(2);
}

process.stdin.resume();
process.stdin.on('end', () => process.exit(0));
process.stdin.on('error', () => process.exit(0));
