/*
 * A collector of OpenTelemetry that looks at all it gets by the rules of OTLP
 * (otlp.js), and misbehaves on demand.
 *
 *     node collector.js [CERTIFICATE KEY]
 *
 * Prints "ready PORT"; ends with its standard input.
 *
 *     POST /v1/traces        an export
 *     GET /_control/log      what came since: { spans, exports, faults }
 *     GET /_control/bodies   the bodies of the exports, a line each
 *     GET /_control/clear    forgets it
 *     GET /_control/be?MODE  from now on: ok, status=N[,retry-after=S], hang,
 *                            redirect, large, partial=N, close, garbage,
 *                            slow=MS; lists separated by | are one for each
 *                            export, the last one for all that follow
 */

'use strict';

const fs = require('fs');
const http = require('http');
const https = require('https');
const otlp = require('./otlp.js');

let seen, bodies, modes = ['ok'];

function clear() {
    seen = { spans: [], exports: [], faults: [] };
    bodies = [];
}

function take(req, text) {
    const fault = (what) => seen.faults.push(what);
    let body;

    seen.exports.push({ url: req.url, headers: req.headers,
                        length: text.length, at: Date.now() });

    if (req.method !== 'POST' || req.url !== '/v1/traces') {
        fault(`${req.method} ${req.url}`);
    }

    if (req.headers['content-type'] !== 'application/json') {
        fault(`content-type ${req.headers['content-type']}`);
    }

    try {
        body = JSON.parse(text);
    } catch (error) {
        fault(`no JSON: ${error.message}`);
        return [];
    }

    otlp.faults(body).forEach(fault);
    bodies.push(text);

    return body.resourceSpans.flatMap((r) => r.scopeSpans)
        .flatMap((s) => s.spans).map((span) => ({
            ...span, plain: otlp.attributes(span),
            resource: otlp.attributes(body.resourceSpans[0].resource),
        }));
}

function answer(res, mode, spans) {
    const [name, value] = mode.split(',')[0].split('=');
    const after = /retry-after=(\d+)/.exec(mode);
    const type = { 'content-type': 'application/json' };

    if (after) {
        type['retry-after'] = after[1];
    }

    switch (name) {
    case 'status':
        res.writeHead(Number(value), type).end('{"message":"secret words"}');
        return;
    case 'redirect':
        res.writeHead(307, { location: '/_control/followed' }).end();
        return;
    case 'hang':
        return;
    case 'close':
        res.socket.destroy();
        return;
    case 'large':
        seen.spans.push(...spans);
        res.writeHead(200, type).end('x'.repeat(4 << 20));
        return;
    case 'garbage':
        seen.spans.push(...spans);
        res.writeHead(200, type).end('{"partialSuccess":[');
        return;
    case 'partial':
        res.writeHead(200, type).end(JSON.stringify({ partialSuccess: {
            rejectedSpans: value, errorMessage: 'too\nold' } }));
        return;
    case 'slow':
        setTimeout(() => answer(res, 'ok', spans), Number(value));
        return;
    default:
        seen.spans.push(...spans);
        res.writeHead(200, type).end('{}');
    }
}

function serve(req, res) {
    const control = /^\/_control\/([a-z]+)\??(.*)/.exec(req.url);
    const pieces = [];

    if (control) {
        const [, what, how] = control;

        if (what === 'clear') {
            clear();
        } else if (what === 'be') {
            modes = decodeURIComponent(how).split('|');
        } else if (what === 'followed') {
            seen.faults.push('a redirect was followed');
        }

        res.setHeader('connection', 'close');
        res.end(what === 'bodies' ? JSON.stringify(bodies.join('\n'))
                                  : JSON.stringify(seen));
        return;
    }

    req.on('data', (piece) => pieces.push(piece));
    req.on('end', () => {
        const spans = take(req, Buffer.concat(pieces).toString());

        answer(res, modes.length > 1 ? modes.shift() : modes[0], spans);
    });
}

clear();

const [, , certificate, key] = process.argv;
const server = certificate
    ? https.createServer({ cert: fs.readFileSync(certificate),
                           key: fs.readFileSync(key) }, serve)
    : http.createServer(serve);

server.listen(0, '127.0.0.1', () =>
    console.log(`ready ${server.address().port}`));

process.stdin.resume();
process.stdin.on('end', () => process.exit(0));
