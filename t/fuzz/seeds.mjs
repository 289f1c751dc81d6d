/*
 * node seeds.mjs DIR: seeds for the fuzz targets, out of the recorded cases
 * of t/conformance/vectors, the schemas they ask about, and the recorded answers
 * of providers, a file each in DIR/TARGET, named by its content.  What can be
 * had from there stands in no t/fuzz/corpus besides.
 */

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const SIZE = 8192;                     // what is larger slows a fuzzer down

const t = join(import.meta.dirname ?? new URL('.', import.meta.url).pathname, '..');
const target = process.argv[2];
let count = 0;

if (target === undefined) {
    console.error('usage: node seeds.mjs DIR');
    process.exit(2);
}

function seed(name, text) {
    if (text == null || text.length > SIZE) {
        return;
    }

    const dir = join(target, name);

    mkdirSync(dir, { recursive: true });
    writeFileSync(join(dir, createHash('sha1').update(text).digest('hex')), text);
    count++;
}

function files(dir) {
    return readdirSync(dir, { withFileTypes: true, recursive: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath ?? entry.path, entry.name));
}

for (const file of files(join(t, 'conformance/vectors'))) {
    if (!file.endsWith('.jsonl')) {
        continue;
    }

    for (const line of readFileSync(file, 'utf8').split('\n')) {
        if (line === '') {
            continue;
        }

        const { source, document, variables, operationName } = JSON.parse(line);

        seed('document', source);
        seed('document', document);

        if (document !== undefined) {
            seed('request', `${document}\0${JSON.stringify(variables ?? {})}`);
            seed('body', JSON.stringify({ query: document, operationName, variables }));
        }

        if (variables !== undefined) {
            seed('variables', JSON.stringify(variables));
            seed('json', JSON.stringify(variables));
        }
    }
}

for (const file of files(join(t, 'fixtures/providers'))) {
    const text = readFileSync(file);

    /* the first byte of provider.c: status and format */
    const status = ['200', '', '', '429', '500', '400'].indexOf(/\.(\d{3})\./.exec(file)?.[1] ?? '200');
    const format = /anthropic\/|messages/.test(file) ? 0x40
        : /responses/.test(file) ? 0x20
            : /gemini\//.test(file) ? 0x60 : 0;

    seed('provider', Buffer.concat([Buffer.from([format | Math.max(status, 0)]), text]));

    if (file.endsWith('.sse')) {
        seed('provider_stream', Buffer.concat([Buffer.from([format | 7]), text]));
    }

    seed('json', text);
}

console.log(`fuzz: ${count} seeds of recorded cases`);
