/*
 * Exports of OTLP's JSON, a line each on standard input, as the generated code
 * of OpenTelemetry for JavaScript takes them: into Protocol Buffers and back,
 * after which nothing may be missing or different.
 *
 * Prints "N spans", or what differs, with exit status 1.
 */

import assert from 'node:assert';
import { createRequire } from 'node:module';
import { text } from 'node:stream/consumers';

const require = createRequire(import.meta.url);
const at = require.resolve('@opentelemetry/otlp-transformer')
    .replace(/build\/.*/, 'build/src/generated/root.js');
const { opentelemetry } = require(at);
const Request = opentelemetry.proto.collector.trace.v1
    .ExportTraceServiceRequest;

const IDS = ['traceId', 'spanId', 'parentSpanId'];

// ids are hexadecimal in OTLP's JSON, and bytes here
function bytes(spans) {
    for (const span of spans) {
        for (const id of IDS.filter((name) => span[name] !== undefined)) {
            span[id] = Buffer.from(span[id], 'hex');
        }
    }
}

function hex(spans) {
    for (const span of spans) {
        for (const id of IDS.filter((name) => span[name] !== undefined)) {
            span[id] = Buffer.from(span[id]).toString('hex');
        }
    }
}

const spansOf = (request) => request.resourceSpans
    .flatMap((resource) => resource.scopeSpans)
    .flatMap((scope) => scope.spans);

let count = 0;

for (const line of (await text(process.stdin)).split('\n').filter(Boolean)) {
    const wanted = JSON.parse(line);
    const request = JSON.parse(line);

    bytes(spansOf(request));

    const message = Request.fromObject(request);

    assert.strictEqual(Request.verify(message), null);

    const got = Request.toObject(
        Request.decode(Request.encode(message).finish()),
        { longs: String, bytes: Array });

    hex(spansOf(got));
    assert.deepStrictEqual(JSON.parse(JSON.stringify(got)), wanted);
    count += spansOf(got).length;
}

console.log(`${count} spans`);
