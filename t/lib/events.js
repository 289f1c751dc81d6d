/*
 * GraphQL over Server-Sent Events: a subscription, and what comes of it.
 *
 *     const { subscribe } = require('../lib/events.js');
 *
 *     const r = await subscribe(port, key, query, variables, {
 *         onEvent: (data, at, request) => { ... }
 *     });
 *
 * r is { status, text, result, errors, complete, broken }: text is that of all
 * deltas, broken says how the connection ended where it did before its time.
 * onEvent is called for each event that has data, at the time (of
 * performance.now()) at which its last byte came; it may destroy the request.
 * Options: agent.
 */

'use strict';

const http = require('http');


/* the lines of an event, as name and data */
function parse(block) {
    const event = { name: '', data: '' };

    for (const line of block.split('\n')) {
        const [, name, value] = /^(event|data): ?(.*)$/.exec(line) || [];

        if (name === 'event') {
            event.name = value;

        } else if (name === 'data') {
            event.data = value;
        }
    }

    return event;
}


function take(r, event, at, request, onEvent) {
    if (event.name === 'complete') {
        r.complete = true;
        return;
    }

    if (event.data === '') {
        return;
    }

    const data = JSON.parse(event.data);
    const value = data.data && Object.values(data.data)[0];

    if (value && typeof value.delta === 'string') {
        r.text += value.delta;
    }

    if (value && value.result) {
        r.result = value.result;
    }

    if (data.errors) {
        r.errors = data.errors;
    }

    if (onEvent) {
        onEvent(data, at, request);
    }
}


exports.subscribe = (port, key, query, variables, options) =>
    new Promise((done) => {
        const r = { status: 0, text: '', complete: false };
        const o = options || {};
        const body = JSON.stringify({ query, variables });
        let rest = '';

        const request = http.request({
            host: '127.0.0.1', port, path: '/graphql', method: 'POST',
            agent: o.agent === undefined ? false : o.agent,
            headers: { 'Content-Type': 'application/json',
                       'Content-Length': Buffer.byteLength(body),
                       'Accept': 'text/event-stream', 'X-API-Key': key }
        }, (response) => {
            r.status = response.statusCode;
            response.setEncoding('utf8');
            response.on('data', (piece) => {
                const at = performance.now();
                const blocks = (rest + piece).split('\n\n');

                rest = blocks.pop();
                blocks.forEach((block) => take(r, parse(block), at, request,
                                               o.onEvent));
            });
            response.on('error', (e) => done({ ...r, broken: e.message }));
            response.on('end', () => done(r));
        });

        request.on('error', (e) => done({ ...r, broken: e.message }));
        request.end(body);
    });
