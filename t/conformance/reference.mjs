// The reference, asked as the driver is asked: graphql-js behind the protocol
// that driver.c speaks.  ask(question) gives what the driver should answer.
//
// "resolved" maps a response path ("hero.friends[0].name") to what its
// resolver returns: {v}, {object: TYPE}, {list: N}, {notList}, or
// {error, errorExtensions}, or {arguments}, what it was called with; a path
// that is not there returns undefined.
//
// Run as a program it is a driver itself, which can be asked in doubt:
//
//     node run.mjs FILE.jsonl -- node reference.mjs

import readline from 'node:readline';
import { fileURLToPath } from 'node:url';
import * as graphql from 'graphql';

const rules = new Map();

for (const rule of Object.values(graphql)) {
    if (typeof rule === 'function' && /Rule$/.test(rule.name)) {
        rules.set(rule.name, rule);
    }
}

const schemas = new Map();


export function schemaOf(sdl) {
    if (!schemas.has(sdl)) {
        schemas.set(sdl, graphql.buildSchema(sdl));
    }

    return schemas.get(sdl);
}


function errorOf(error) {
    const { message, locations, path, extensions } = error;

    return { message, ...(locations && { locations }), ...(path && { path }),
             ...(Object.keys(extensions ?? {}).length && { extensions }) };
}


function lex(q) {
    const tokens = [];
    const lexer = new graphql.Lexer(new graphql.Source(q.source));

    try {
        let token;

        do {
            token = lexer.advance();

            const { kind, start, end, line, column, value } = token;

            tokens.push([kind, start, end, line, column,
                         ...(value === undefined ? [] : [value])]);
        } while (token.kind !== '<EOF>');

    } catch (error) {
        return { tokens, errors: [errorOf(error)] };
    }

    return { tokens };
}


function parse(q) {
    const start = graphql[q.start ?? 'parse'];

    return { printed: graphql.print(start(q.source, q.options)) };
}


function rulesOf(q) {
    return Array.isArray(q.rules) ? q.rules.map((name) => rules.get(name))
                                  : undefined;
}


function validate(q) {
    const options = q.maxErrors === undefined ? undefined
                                              : { maxErrors: q.maxErrors };
    const built = schemaOf(q.schema);
    const document = graphql.parse(q.document);

    graphql.assertValidSchema(built);

    return attempt(() => graphql.validate(built, document, rulesOf(q),
                                          options));
}


// Where the reference itself fails there is nothing to compare with.  An error
// of GraphQL that it throws, where it should report, is its answer, though: one
// of conditions of subscriptions is.
function attempt(check) {
    try {
        return { errors: check().map(errorOf) };

    } catch (error) {
        if (error instanceof graphql.GraphQLError) {
            throw error;
        }

        return { skip: `the reference fails: ${error.message}` };
    }
}


function keyOf(path) {
    const before = path.prev ? keyOf(path.prev) : '';

    if (typeof path.key === 'number') {
        return `${before}[${path.key}]`;
    }

    return before === '' ? path.key : `${before}.${path.key}`;
}


// what a resolver returns; an Error is thrown, or stands in a list
function valueOf(lookUp, key, type, args) {
    const node = lookUp(key, type);

    if (node === undefined) {
        return undefined;
    }

    if (node.arguments && args) {
        return args;
    }

    if (node.error !== undefined) {
        return Object.assign(new Error(node.error),
                             node.errorExtensions
                             && { extensions: node.errorExtensions });
    }

    if (typeof node.list === 'number') {
        const item = type && graphql.getNullableType(type).ofType;

        return Array.from({ length: node.list },
                          (_, i) => valueOf(lookUp, `${key}[${i}]`, item));
    }

    if (node.object) {
        return { __typename: node.object };
    }

    return 'v' in node ? node.v : node.notList;
}


// lookUp(path, type) gives the entry of "resolved"
export function execute(q, lookUp) {
    // of its own: it gets resolvers
    const built = graphql.buildSchema(q.schema);

    for (const type of Object.values(built.getTypeMap())) {
        if (type.name.startsWith('__')) {
            continue;
        }

        if (graphql.isObjectType(type)) {
            for (const field of Object.values(type.getFields())) {
                field.resolve = (source, args, context, info) => {
                    const value = valueOf(lookUp, keyOf(info.path),
                                          info.returnType, args);

                    if (value instanceof Error) {
                        throw value;
                    }

                    return value;
                };
            }

        } else if (graphql.isAbstractType(type)) {
            type.resolveType = (value) => value.__typename;
        }
    }

    const result = graphql.executeSync({
        schema: built, document: graphql.parse(q.document),
        operationName: q.operationName, variableValues: q.variables
    });

    return { result: JSON.parse(JSON.stringify(result)) };
}


const ops = {
    lex, parse, validate,
    execute: (q) => execute(q, (path) => q.resolved?.[path])
};


export function ask(q) {
    try {
        return ops[q.op](q);

    } catch (error) {
        if (error instanceof graphql.GraphQLError) {
            return { errors: [errorOf(error)] };
        }

        // about a schema: no error of the question
        return { errors: [{ message: `driver: ${error.message}` }] };
    }
}


if (process.argv[1] === fileURLToPath(import.meta.url)) {
    for await (const line of readline.createInterface({ input: process.stdin }))
    {
        const { id, ...question } = JSON.parse(line);

        console.log(JSON.stringify({ id, ...ask(question) }));
    }
}
