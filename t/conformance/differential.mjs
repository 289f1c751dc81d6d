#!/usr/bin/env node
// Differential test: documents made from a seed, valid and mutated, asked of
// the driver and of graphql-js.  Verdict, messages, locations, paths, data and
// the order of errors must be the same.
//
//     npm ci; node differential.mjs [--count N] [--seed N] [--show N]
//                                   [--op NAME] [--driver PATH]

import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import {
    NoFragmentCyclesRule, buildSchema, getIntrospectionQuery, isInputType,
    isTypeSystemDefinitionNode, isTypeSystemExtensionNode, parse, specifiedRules,
    typeFromAST, validate, validateSchema
} from 'graphql';
import { drive, same, normal } from './driver.mjs';
import {
    DocumentMaker, Random, literalOf, mutate, namesOf, resolvedOf, scramble,
    variablesOf
} from './generate.mjs';
import { ask, execute, schemaOf } from './reference.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.join(here, '..', '..');
const { values: options } = parseArgs({ options: {
    count: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    show: { type: 'string', default: '5' },
    op: { type: 'string' },
    driver: { type: 'string', default: path.join(root, 'build/gql-driver') }
} });

const BATCH = 500;

const files = [path.join(root, 'schema.graphql'),
               ...fs.readdirSync(path.join(here, 'schemas')).sort()
                  .map((name) => path.join(here, 'schemas', name))];

export const subjects = files.map((file) => {
    const sdl = fs.readFileSync(file, 'utf8');
    const schema = schemaOf(sdl);

    return { file, sdl, schema, names: namesOf(schema) };
});


function mutated(text, names, random, times) {
    for (let i = 0; i < times; i++) {
        text = mutate(text, names, random);
    }

    return text;
}


// what graphql-js says of a type system in a document takes in what it defines
function definesTypes(document) {
    try {
        return parse(document).definitions.some(
            (node) => isTypeSystemDefinitionNode(node)
                      || isTypeSystemExtensionNode(node));
    } catch {
        return false;
    }
}


function isSound(sdl) {
    try {
        return validateSchema(buildSchema(sdl)).length === 0;
    } catch {
        return false;
    }
}


function isOperation({ kind }) {
    return kind === 'OperationDefinition';
}


const ruleNames = [...specifiedRules.map(({ name }) => name),
                   'NoDeprecatedCustomRule',
                   'NoSchemaIntrospectionCustomRule'];


// a type or a value, most of them changed
function aloneOf(schema, random) {
    const type = random.pick(Object.values(schema.getTypeMap())
                                   .filter(isInputType));
    const start = random.pick(['parseType', 'parseValue', 'parseConstValue']);
    const text = start === 'parseType'
                 ? random.pick([`${type}`, `[${type}!]`, `[[${type}]!]!`])
                 : literalOf(type, schema, random);

    return { start, source: random.chance(0.5) ? text
                                               : scramble(text, random) };
}


// some rules in some order, one of them perhaps twice; or those specified
function rulesOf(random) {
    if (random.chance(0.7)) {
        return {};
    }

    const count = random.chance(0.4) ? 1 : 1 + random.below(ruleNames.length);

    return { rules: Array.from({ length: count },
                               () => random.pick(ruleNames)) };
}


// Each gives a question and what the reference answers.

const makers = {
    validate(random) {
        const { sdl, schema, names } = random.pick(subjects);
        const times = random.chance(0.25) ? 0 : 1 + random.below(4);
        let document;

        do {
            document = mutated(new DocumentMaker(schema, random).document(),
                               names, random, times);
        } while (definesTypes(document));

        return { op: 'validate', schema: sdl, document, ...rulesOf(random),
                 ...(random.chance(0.1) && { maxErrors: random.below(4) }) };
    },

    parse(random) {
        const { sdl, schema } = random.pick(subjects);
        const options = random.chance(0.1)
                        && { options: { maxTokens: random.below(40) } };

        if (random.chance(0.2)) {
            return { op: 'parse', ...aloneOf(schema, random), ...options };
        }

        const text = random.chance(0.3)
                     ? sdl : new DocumentMaker(schema, random).document();

        return { op: random.chance(0.3) ? 'lex' : 'parse',
                 source: random.chance(0.1) ? text : scramble(text, random),
                 start: 'parse', ...options };
    },

    introspect(random) {
        const { sdl, names } = random.pick(subjects);
        const flag = () => random.chance(0.5);
        const document = getIntrospectionQuery({
            descriptions: flag(), specifiedByUrl: flag(), oneOf: flag(),
            directiveIsRepeatable: flag(), schemaDescription: flag(),
            inputValueDeprecation: flag()
        });
        let schema;

        do {
            schema = mutated(sdl, names, random, random.below(3));
        } while (!isSound(schema));

        return { op: random.chance(0.9) ? 'execute' : 'validate', schema,
                 document };
    },

    execute(random) {
        const { sdl, schema, names } = random.pick(subjects);
        const rules = random.chance(0.8) ? undefined : [NoFragmentCyclesRule];
        let document;
        let ast;

        for (;;) {
            document = mutated(new DocumentMaker(schema, random).document(),
                               names, random, random.below(2));
            try {
                ast = parse(document);

                if (validate(schema, ast, rules).length === 0
                    && ast.definitions.some(isOperation))
                {
                    break;
                }
            } catch {
                continue;
            }
        }

        const operations = ast.definitions.filter(isOperation);
        const operation = random.pick(operations);
        const named = operations.length > 1 ? random.chance(0.95)
                                            : random.chance(0.1);

        return {
            op: 'execute', schema: sdl, document,
            ...(named && operation.name
                && { operationName: operation.name.value }),
            variables: variablesOf(schema, operation, typeFromAST, random),
            resolved: {}
        };
    }
};

const weights = [['validate', 44], ['parse', 16], ['introspect', 6],
                 ['execute', 34]];


function kindOf(random) {
    if (options.op) {
        return options.op;
    }

    let p = random.next() * 100;

    return weights.find(([, weight]) => (p -= weight) < 0)[0];
}


// The reference makes up what resolvers return while it executes.
function answer(question, random) {
    const { resolved } = question;

    if (!resolved) {
        return ask(question);
    }

    const { schema } = subjects.find(({ sdl }) => sdl === question.schema);

    return execute(question, (key, type) => {
        if (!(key in resolved)) {
            const entry = resolvedOf(schema, type, random,
                                     key.split(/[.[]/).length);

            if (entry !== undefined) {
                resolved[key] = entry;
            }
        }

        return resolved[key];
    });
}


// The question of a seed, and what the reference answers.
export function seeded(seed) {
    const random = new Random(seed);
    const question = makers[kindOf(random)](random);
    const want = answer(question, random);

    return { seed, question, want };
}


const counts = {};
let shown = 0;
let wrong = 0;


function report(seed, question, want, got) {
    wrong++;

    if (shown++ >= Number(options.show)) {
        return;
    }

    console.log(`differs: --seed ${seed} --count 1${
                options.op ? ` --op ${options.op}` : ''}`);

    for (const [name, value] of Object.entries(question)) {
        const known = subjects.findIndex(({ sdl }) => sdl === value);

        const text = JSON.stringify(value) ?? '';

        console.log(`  ${name}: ${known >= 0 ? `schema ${known}`
                                  : options.count === '1' ? text
                                  : text.slice(0, 2000)}`);
    }

    console.log(`  want ${JSON.stringify(normal(want))}`);
    console.log(`  got  ${JSON.stringify(normal(got))}`);
}


async function main() {
    const first = Number(options.seed);
    const end = first + Number(options.count);

    for (let from = first; from < end; from += BATCH) {
        const batch = [];

        for (let seed = from; seed < Math.min(from + BATCH, end); seed++) {
            batch.push(seeded(seed));
        }

        const { answers, status } = await drive([options.driver],
                                        batch.map(({ question }) => question));

        for (const [i, { seed, question, want }] of batch.entries()) {
            const count = counts[question.op] ??= { asked: 0, valid: 0,
                                                    differs: 0 };
            const errors = want.errors ?? want.result?.errors ?? [];

            count.asked++;
            count.valid += errors.length === 0;

            if (want.skip && answers[i]) {
                count.skipped = (count.skipped ?? 0) + 1;

            } else if (!same(want, answers[i])) {
                count.differs++;
                report(seed, question, want, answers[i]);
            }
        }

        if (status !== 0) {
            console.log(`the driver ended with ${status}, seeds ${from} to ${
                        from + batch.length - 1}`);
            wrong++;
        }
    }

    console.table(counts);
    console.log(`${wrong} differ`);
    process.exit(wrong === 0 ? 0 : 1);
}


if (process.argv[1] === fileURLToPath(import.meta.url)) {
    await main();
}
