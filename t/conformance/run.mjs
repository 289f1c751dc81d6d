/*
 * Puts recorded cases to a GraphQL engine and prints TAP, one test a case.
 *
 *     node run.mjs [--level verdict|message|exact] [--only REGEX]
 *                  FILE.jsonl -- DRIVER [ARGS]
 *
 * DRIVER reads JSON Lines and answers with one line each, in any order:
 *
 *     ask     {"id":7,"op":"lex|parse|validate|execute", and the
 *             members of the case but what is expected}
 *     answer  {"id":7,"errors":[{message,locations}],"tokens":[...] (lex),
 *             "printed":"..." (parse, optional),
 *             "result":{data,errors} (execute)}
 *             or {"id":7,"skip":"why"}
 *
 * Level verdict compares valid and invalid (execute: data, and how many
 * errors); message also the errors' texts; exact also locations and paths,
 * and but for execute the order of the errors.
 *
 * The operation follows from the name of the file, or is the case's "op"; a
 * "schema" that begins with @/ names a file of the repository.
 */

import fs from 'node:fs';
import path from 'node:path';
import readline from 'node:readline';
import { fileURLToPath } from 'node:url';
import { spawn } from 'node:child_process';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)),
                       '..', '..');

const operations = {
    'lexer': 'lex',
    'parser': 'parse',
    'validation': 'validate',
    'validation-all-rules': 'validate',
    'execution': 'execute',
    'introspection': 'execute',
    'introspection-full': 'execute',
};


function usage() {
    console.error('usage: node run.mjs [--level verdict|message|exact]'
                  + ' [--only REGEX] FILE.jsonl -- DRIVER [ARGS]');
    process.exit(2);
}


function readArguments(argv) {
    const args = { level: 'exact', only: null, file: null, driver: [] };

    while (argv.length) {
        const arg = argv.shift();

        if (arg === '--') {
            args.driver = argv.splice(0);
        } else if (arg === '--level') {
            args.level = argv.shift();
        } else if (arg === '--only') {
            args.only = new RegExp(argv.shift());
        } else if (args.file === null) {
            args.file = arg;
        } else {
            usage();
        }
    }

    if (args.file === null || args.driver.length === 0) {
        usage();
    }

    args.operation = operations[path.basename(args.file, '.jsonl')];

    return args;
}


/* what stands for a text, or the text itself */

function textOf(text) {
    if (typeof text !== 'string' || !text.startsWith('@/')) {
        return text;
    }

    return fs.readFileSync(path.join(root, text.slice(2)), 'utf8');
}


function readCases(args) {
    return fs.readFileSync(args.file, 'utf8').split('\n')
        .filter((line) => line !== '')
        .map((line) => ({ op: args.operation, ...JSON.parse(line) }))
        .filter((c) => !args.only || args.only.test(c.suite + ' ' + c.name));
}


/* asks DRIVER everything; a map of id to answer, and how it ended */

async function ask(args, cases) {
    const answers = new Map();
    const child = spawn(args.driver[0], args.driver.slice(1),
                        { stdio: ['pipe', 'pipe', 'inherit'] });
    const lines = readline.createInterface({ input: child.stdout });

    lines.on('line', (line) => {
        try {
            const answer = JSON.parse(line);

            answers.set(answer.id, answer);

        } catch {
            console.error('# no JSON from the driver: ' + line.slice(0, 200));
        }
    });

    child.stdin.on('error', () => {});

    cases.forEach((c, id) => {
        const { expected, tokens, printed, valid, error, ...question } = c;

        question.schema = textOf(question.schema);

        child.stdin.write(JSON.stringify({ id, ...question }) + '\n');
    });

    child.stdin.end();

    const ended = await new Promise((resolve) => {
        child.on('error', (e) => resolve(e.message));
        child.on('close', (code, signal) => resolve(signal ?? code));
    });

    return { answers, ended };
}


function comparable(errors, level, ordered) {
    const list = (errors ?? []).map((e) => level === 'message'
        ? e.message
        : JSON.stringify([e.message, e.locations ?? null, e.path ?? null]));

    return level === 'exact' && ordered ? list : list.sort();
}


/* what of the answer is not as the case wants it; empty where all is */

function differences(args, c, answer) {
    const found = [];
    const { level } = args;

    const check = (what, want, got) => {
        const a = JSON.stringify(want);
        const b = JSON.stringify(got);

        if (a !== b) {
            found.push(`${what}: want ${a?.slice(0, 600)}`,
                       `${what}: got  ${b?.slice(0, 600)}`);
        }
    };

    if (c.op === 'execute') {
        const want = c.expected;
        const got = answer.result ?? {};

        check('has data', 'data' in want, 'data' in got);
        check('data', want.data ?? null, got.data ?? null);

        if (level === 'verdict') {
            check('number of errors', (want.errors ?? []).length,
                  (got.errors ?? []).length);
        } else {
            check('errors', comparable(want.errors, level),
                  comparable(got.errors, level));
        }

        return found;
    }

    const errors = c.op === 'lex' ? (c.error ? [c.error] : [])
                                            : c.expected;

    check('valid', errors.length === 0, (answer.errors ?? []).length === 0);

    if (level !== 'verdict') {
        check('errors', comparable(errors, level, true),
              comparable(answer.errors, level, true));
    }

    if (c.op === 'lex' && level === 'exact') {
        check('tokens', c.tokens, answer.tokens);
    }

    if (c.op === 'parse' && answer.printed !== undefined
        && c.printed !== undefined)
    {
        check('printed', c.printed, answer.printed);
    }

    return found;
}


function title(c) {
    return `${c.suite}: ${c.name}`.replace(/[#\n\r]/g, ' ');
}


/* in a line, where those of TAP are not shown */
function told(name, why) {
    console.error(`# failed: ${name}: ${String(why).slice(0, 400)}`);
}


const args = readArguments(process.argv.slice(2));
const cases = readCases(args);
const { answers, ended } = await ask(args, cases);
let failed = ended !== 0;

console.log(`1..${cases.length + 1}`);

cases.forEach((c, id) => {
    const answer = answers.get(id);
    const name = `${id + 1} - ${title(c)}`;

    if (answer === undefined) {
        failed = true;
        console.log(`not ok ${name}`);
        told(name, 'no answer');
        return;
    }

    if (answer.skip !== undefined) {
        console.log(`ok ${name} # SKIP ${answer.skip}`);
        return;
    }

    const found = differences(args, c, answer);

    if (found.length === 0) {
        console.log(`ok ${name}`);
        return;
    }

    failed = true;
    console.log(`not ok ${name}`);
    told(name, found.slice(0, 2).map((line) => line.trim()).join(', '));
    console.log('#   ' + JSON.stringify(c.document ?? c.source)
                             .slice(0, 400));

    for (const line of found) {
        console.log('#   ' + line);
    }
});

console.log((ended === 0 ? 'ok ' : 'not ok ') + (cases.length + 1)
            + ' - the driver ends well');

if (ended !== 0) {
    console.log(`# it ended with ${ended}`);
}

process.exitCode = failed ? 1 : 0;
