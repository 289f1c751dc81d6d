/*
 * The reference implementation as a driver for run.mjs: shows the protocol,
 * proves that the recorded cases replay, and can be asked in doubt.
 *
 *     npm install --no-save --prefix t/conformance graphql@16
 *     node t/conformance/run.mjs FILE.jsonl -- \
 *         node t/conformance/reference.mjs
 */

import readline from 'node:readline';
import { createRequire } from 'node:module';
import * as graphql from 'graphql';

const require = createRequire(import.meta.url);
const { validateSDL } = require('graphql/validation/validate');
const { specifiedSDLRules } = require('graphql/validation/specifiedRules');

const rules = new Map();

for (const [name, value] of Object.entries(graphql)) {
    if (/Rule$/.test(name)) {
        rules.set(value.name, value);
    }
}

for (const rule of [...graphql.specifiedRules, ...specifiedSDLRules]) {
    rules.set(rule.name, rule);
}

const schemas = new Map();


function schemaOf(sdl) {
    if (!schemas.has(sdl)) {
        schemas.set(sdl, graphql.buildSchema(sdl));
    }

    return schemas.get(sdl);
}


function rulesOf(names, otherwise) {
    return Array.isArray(names) ? names.map((name) => rules.get(name))
                                : otherwise;
}


function errorOf(e) {
    const out = { message: e.message };

    if (e.locations) {
        out.locations = e.locations;
    }

    if (e.path) {
        out.path = e.path;
    }

    return out;
}


/* hero.friends[0].name */

function keyOf(responsePath) {
    let key = '';

    for (let at = responsePath; at; at = at.prev) {
        key = (typeof at.key === 'number' ? `[${at.key}]` : `.${at.key}`) + key;
    }

    return key.replace(/^\./, '');
}


function lex(q) {
    const lexer = new graphql.Lexer(new graphql.Source(q.source));
    const tokens = [];
    let t;

    try {
        do {
            t = lexer.advance();
            tokens.push([t.kind, t.start, t.end, t.line, t.column,
                         ...(t.value === undefined ? [] : [t.value])]);
        } while (t.kind !== '<EOF>');

    } catch (e) {
        return { tokens, errors: [errorOf(e)] };
    }

    return { tokens };
}


function parse(q) {
    return { printed: graphql.print(graphql[q.start](q.source, q.options)) };
}


function validate(q) {
    const limit = q.maxErrors === undefined ? undefined
                                            : { maxErrors: q.maxErrors };

    return { errors: graphql.validate(schemaOf(q.schema),
                                      graphql.parse(q.document),
                                      rulesOf(q.rules, graphql.specifiedRules),
                                      limit).map(errorOf) };
}


function validateTypes(q) {
    return { errors: validateSDL(graphql.parse(q.sdl),
                                 q.base ? schemaOf(q.base) : undefined,
                                 rulesOf(q.rules, undefined)).map(errorOf) };
}


/* what the case says that the field at this path resolves to */

function resolved(table, key) {
    const entry = table[key];

    if (!entry) {
        return undefined;
    }

    if (entry.error !== undefined) {
        return Object.assign(new Error(entry.error),
                             entry.errorExtensions
                             ? { extensions: entry.errorExtensions } : {});
    }

    if (typeof entry.list === 'number') {
        return Array.from({ length: entry.list },
                          (_, i) => resolved(table, `${key}[${i}]`));
    }

    if (entry.object) {
        return { __typename: entry.object };
    }

    return 'v' in entry ? entry.v : entry.notList;
}


async function execute(q) {
    const schema = graphql.buildSchema(q.schema);
    const table = q.resolved ?? {};

    for (const type of Object.values(schema.getTypeMap())) {
        if (type.name.startsWith('__')) {
            continue;
        }

        if (graphql.isAbstractType(type)) {
            type.resolveType = (value) => value.__typename;
        }

        if (!graphql.isObjectType(type)) {
            continue;
        }

        for (const field of Object.values(type.getFields())) {
            field.resolve = (source, args, context, info) => {
                const value = resolved(table, keyOf(info.path));

                if (value instanceof Error) {
                    throw value;
                }

                return value;
            };
        }
    }

    const result = await graphql.execute({
        schema, document: graphql.parse(q.document),
        operationName: q.operationName, variableValues: q.variables
    });

    return { result: JSON.parse(JSON.stringify(result)) };
}


const operations = { lex, parse, validate, execute,
                     validateSDL: validateTypes };

for await (const line of readline.createInterface({ input: process.stdin })) {
    const q = JSON.parse(line);
    let answer;

    try {
        answer = await operations[q.op](q);

    } catch (e) {
        answer = { errors: [e instanceof graphql.GraphQLError
                            ? errorOf(e)
                            : { message: 'driver: ' + e.message }] };
    }

    console.log(JSON.stringify({ id: q.id, ...answer }));
}
