#!/usr/bin/env node
// Records vectors/service.jsonl: questions of our own, most of them about the
// service's schema, with the answers of the reference.
//
//     npm ci; node record.mjs
//
// The questions are those of questions.mjs, and some from seeds, whose schemas
// stand in schemas/.  Record again where schema.graphql changes.

import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { normal } from './driver.mjs';
import { seeded, subjects } from './differential.mjs';
import { questions } from './questions.mjs';
import { ask } from './reference.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.join(here, '..', '..');
const SEEDS = 400;


function textOf(text) {
    return text?.startsWith('@/')
           ? fs.readFileSync(path.join(root, text.slice(2)), 'utf8') : text;
}


// a schema's text, where it is the text of a file, by the name of the file
function nameOf(text) {
    const subject = subjects.find(({ sdl }) => sdl === text);

    return subject ? '@/' + path.relative(root, subject.file) : text;
}


// the case, in the form of the other vectors
function caseOf(suite, name, question, answer) {
    const { tokens, printed, errors, result } = normal(answer);
    const { op } = question;
    const answered = op === 'lex' ? { tokens, error: errors[0] }
                     : op === 'execute' ? { expected: result }
                     : { expected: errors, printed };

    return { suite, name, ...question, ...answered };
}


const lines = [];

for (const { name, ...question } of questions) {
    const asked = { ...question, schema: textOf(question.schema) };

    lines.push(caseOf('service', name, question, ask(asked)));
}

for (let seed = 1; seed <= SEEDS; seed++) {
    const { question, want } = seeded(seed);
    const named = { ...question, schema: nameOf(question.schema) };

    // how long a schema is that stands in a file does not matter

    if (want.skip || JSON.stringify(named).length > 10000
        || (want.errors && question.op === 'execute'))
    {
        continue;
    }

    lines.push(caseOf('seeds', String(seed), named, want));
}

fs.writeFileSync(path.join(here, 'vectors', 'service.jsonl'),
                 lines.map((line) => JSON.stringify(line) + '\n').join(''));
console.log(`${lines.length} cases`);
