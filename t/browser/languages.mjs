// The console's languages without a browser: layout, completion, marks.
// Prints TAP; t/console_languages.t runs it.

import fs from 'node:fs';
import vm from 'node:vm';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../console/js/', import.meta.url));
const source = ['lexer', 'parser', 'printer', 'json', 'schema', 'insight']
    .map((name) => fs.readFileSync(`${folder}${name}.js`, 'utf8')).join('\n');
const names = 'lexGraphql, colourGraphql, parseGraphql, prettyGraphql, '
              + 'lexJson, prettyJson, jsonFault, Schema, insight, '
              + 'completeGraphql, completeVariables, documentVariables';
const lang = vm.runInNewContext(`${source}\n({ ${names} })`);

let tests = 0;
let failed = 0;

function ok(cond, name) {
    tests++;
    failed += cond ? 0 : 1;
    console.log(`${cond ? 'ok' : 'not ok'} ${tests} - ${name}`);
}

function is(got, wanted, name) {
    ok(got === wanted, name);

    if (got !== wanted) {
        console.error(`# got:    ${JSON.stringify(got)}\n`
                      + `# wanted: ${JSON.stringify(wanted)}`);
    }
}


// layout

const layouts = [
    ['fields', '{a,b{c}}', '{\n  a\n  b {\n    c\n  }\n}\n'],
    ['arguments', 'query A($x:[Int!]=[1 2],$y:T@d){a:b(x:$x,y:{z:"1"})}',
     'query A($x: [Int!] = [1, 2], $y: T @d) {\n'
     + '  a: b(x: $x, y: {z: "1"})\n}\n'],
    ['fragments', '{...F ...on T@include(if:true){a} ...{b}}'
     + 'fragment F on T{c}',
     '{\n  ...F\n  ... on T @include(if: true) {\n    a\n  }\n  ... {\n'
     + '    b\n  }\n}\n\nfragment F on T {\n  c\n}\n'],
    ['comments', '# head\n{ # open\n a # beside\n # before\n b }\n# tail',
     '# head\n{\n  # open\n  a # beside\n  # before\n  b\n}\n\n# tail\n'],
    ['comments among arguments', '{ a(x: 1 # one\n y: 2) }',
     '{\n  a(\n    x: 1 # one\n    y: 2\n  )\n}\n'],
    ['long arguments', `{ a(x: "${'x'.repeat(50)}", y: "${'y'.repeat(30)}") }`,
     `{\n  a(\n    x: "${'x'.repeat(50)}"\n    y: "${'y'.repeat(30)}"\n`
     + '  )\n}\n'],
    ['block strings', '{ a(x: """\n  one\n    two\n""") }',
     '{\n  a(\n    x: """\n  one\n    two\n"""\n  )\n}\n'],
    ['an empty document', ' # only\n', '# only\n'],
];

for (const [name, text, wanted] of layouts) {
    const pretty = lang.prettyGraphql(text);

    is(pretty, wanted, `layout: ${name}`);
    is(lang.prettyGraphql(pretty), pretty, `layout: ${name}, twice`);
}

// what is not GraphQL, and where

const faults = [
    ['{ a', 2, 3], ['{ }', 2, 3], ['{ a(x: ) }', 7, 8], ['{ a(x 1) }', 6, 7],
    ['query ($x) { a }', 9, 10], ['nothing', 0, 7], ['{ a } }', 6, 7],
    ['{ a(x: "open) }', 7, 15], ['fragment F { a }', 11, 12], ['{ a % }', 4, 5],
];

for (const [text, start, end] of faults) {
    let error = {};

    try {
        lang.parseGraphql(text);
    } catch (caught) {
        error = caught;
    }

    is(`${error.start}-${error.end}`, `${start}-${end}`, `fault: ${text}`);
}

for (const text of ['{'.repeat(5000), '['.repeat(5000),
                    `{ a(x: ${'['.repeat(5000)}`])
{
    let kind = 'none';

    try {
        lang.parseGraphql(text);
    } catch (caught) {
        kind = caught.constructor.name;
    }

    is(kind, 'GraphqlSyntaxError', 'deep nesting is a fault');
}

// JSON

is(lang.prettyJson('{"a":[],"b":{},"c":[1,{"d":12345678901234567890.10}]}'),
   '{\n  "a": [],\n  "b": {},\n  "c": [\n    1,\n    {\n'
   + '      "d": 12345678901234567890.10\n    }\n  ]\n}',
   'JSON: numbers keep their digits');

for (const text of ['', ' ', '{}', '{"a":1}', '{"a":[1,{"b":null}],"c":"\\n"}',
                    '{"a":[]}'])
{
    is(lang.jsonFault(text), null, `JSON: ${text}`);
}

for (const text of ['[]', '1', '{', '{"a"', '{"a":', '{"a":1,}', '{"a":01}',
                    '{"a":[1,]}', '{"a":1}}', '{a:1}', '{"a":"\\x"}',
                    '{"a":\'1\'}', '{"a":[1}', '{"a":tru}', '{"a":1 "b":2}'])
{
    ok(lang.jsonFault(text) !== null, `JSON: not ${text}`);
}

// a schema

const named = (kind, name) => ({ kind, name });
const some = (ofType) => ({ kind: 'NON_NULL', ofType });
const list = (ofType) => ({ kind: 'LIST', ofType });
const string = named('SCALAR', 'String');
const field = (name, type, args = []) => ({ name, type, args });

const schema = new lang.Schema({ __schema: {
    queryType: { name: 'Query' },
    mutationType: { name: 'Mutation' },
    directives: [
        { name: 'include', locations: ['FIELD'],
          args: [{ name: 'if', type: some(named('SCALAR', 'Boolean')) }] },
        { name: 'specifiedBy', locations: ['SCALAR'], args: [] },
    ],
    types: [
        { kind: 'OBJECT', name: 'Query', fields: [
            field('me', some(named('OBJECT', 'User'))),
            field('users', list(named('OBJECT', 'User')),
                  [{ name: 'kind', type: named('ENUM', 'Kind') }]),
        ] },
        { kind: 'OBJECT', name: 'Mutation', fields: [
            field('create', some(named('OBJECT', 'User')),
                  [{ name: 'input',
                     type: some(named('INPUT_OBJECT', 'Input')) }]),
        ] },
        { kind: 'OBJECT', name: 'User', fields: [
            field('id', some(named('SCALAR', 'ID'))), field('name', string),
            field('friend', named('OBJECT', 'User')),
        ] },
        { kind: 'INPUT_OBJECT', name: 'Input', inputFields: [
            { name: 'name', type: some(string) },
            { name: 'kind', type: named('ENUM', 'Kind') },
            { name: 'inner', type: named('INPUT_OBJECT', 'Input') },
        ] },
        { kind: 'ENUM', name: 'Kind',
          enumValues: [{ name: 'GOOD' }, { name: 'BAD' }] },
        { kind: 'SCALAR', name: 'String' },
        { kind: 'SCALAR', name: 'ID' },
        { kind: 'SCALAR', name: 'Boolean' },
    ],
} });

// completion: | is the caret

const complete = (marked) => {
    const offset = marked.indexOf('|');
    const found = lang.completeGraphql(
        marked.slice(0, offset) + marked.slice(offset + 1), offset, schema);

    return found === null ? 'null'
                          : found.items.map((item) => item.label).join(' ');
};

const completions = [
    ['|', 'query mutation fragment'],
    ['{ |', 'me users __typename'],
    ['{ x: |', 'me users __typename'],
    ['{ me { i|', 'id name friend __typename'],
    ['{ me { id } u|', 'me users __typename'],
    ['{ me { friend { | } } }', 'id name friend __typename'],
    ['{ users(|', 'kind'],
    ['{ users(kind: |', 'GOOD BAD'],
    ['query ($k: Kind) { users(kind: |', 'GOOD BAD $k'],
    ['query ($k: Kind) { users(kind: $|', 'GOOD BAD $k'],
    ['query ($k: |', 'Input Kind String ID Boolean'],
    ['mutation { create(input: |', '{ }'],
    ['mutation { create(input: {|', 'name kind inner'],
    ['mutation { create(input: {name: "x", |', 'kind inner'],
    ['mutation { create(input: {inner: {kind: |', 'GOOD BAD'],
    ['mutation { create(input: {name: "x"}) { |', 'id name friend __typename'],
    ['{ me @|', '@include'],
    ['{ me @include(|', 'if'],
    ['{ me @include(if: |', 'true false'],
    ['{ ... on |', 'Query Mutation User'],
    ['{ me { ...| } } fragment F on User { id }', 'on F'],
    ['fragment F on User { |', 'id name friend __typename'],
    ['{ me { # |', 'null'],
    ['{ users(kind: "|', 'null'],
    ['{ unknown { |', ''],
];

for (const [text, wanted] of completions) {
    is(complete(text), wanted, `completion: ${text}`);
}

is(schema.operation('mutation', schema.roots.mutation.fields.get('create'))
    .text, 'mutation Create($input: Input!) {\n  create(input: $input) {\n'
           + '    id\n    name\n  }\n}\n', 'an operation for a field');
is(JSON.stringify(schema.operation('mutation',
    schema.roots.mutation.fields.get('create')).variables),
   '{"input":{"name":""}}', 'and its variables');

// completion of variables

const variable = (marked) => {
    const offset = marked.indexOf('|');
    const found = lang.completeVariables(
        marked.slice(0, offset) + marked.slice(offset + 1), offset, schema,
        lang.documentVariables('mutation ($input: Input!, $n: Int) { create }',
                               undefined));

    return found === null ? 'null'
                          : found.items.map((item) => item.label).join(' ');
};

for (const [text, wanted] of [
    ['|', 'null'], ['{ |', 'input n'], ['{ "in|"', 'input n'],
    ['{ "input": { "|', 'name kind inner'],
    ['{ "input": { "kind": |', 'GOOD BAD'],
    ['{ "input": { "inner": { "kind": "|', 'GOOD BAD'],
    ['{ "input": { "inner": {} }, |', 'input n'], ['{ "n": |', 'null'],
])
{
    is(variable(text), wanted, `variables: ${text}`);
}

// marks

const marks = (text) => lang.insight(text, schema).faults.map(
    (fault) => text.slice(fault.start, fault.end)).join(' ');

for (const [text, wanted] of [
    ['{ me { id nmae } }', 'nmae'], ['{ me { id name } }', ''],
    ['{ users(knid: GOOD) { id } }', 'knid'],
    ['mutation { create(input: {nmae: "x"}) { id } }', 'nmae'],
    ['query ($x: Knid) { me { id } }', 'Knid'],
    ['{ me { ... on Usre { id } } }', 'Usre'],
    ['{ me { id @inculde(if: true) } }', '@inculde'],
    ['{ __typename me { __typename } }', ''],
    ['{ me { id', ''], [')]}', ''],
])
{
    is(marks(text), wanted, `marks: ${text}`);
}

lang.insight('{ me '.repeat(5000), schema);
lang.completeGraphql('{ users(kind: '.repeat(3000), 100, schema);
ok(true, 'deep nesting does no harm');

// every text becomes tokens, in order and without overlap

let sound = true;

for (let i = 0; i < 2000; i++) {
    const letters = '{}()[]:!@$"\\#.,\n aé1-_|&=😀';
    let text = '';

    for (let j = 0; j < 20; j++) {
        text += [...letters][Math.floor(Math.random() * [...letters].length)];
    }

    for (const lex of [lang.colourGraphql, lang.lexJson]) {
        let at = 0;

        for (const token of lex(text)) {
            sound = sound && token.start >= at && token.end > token.start
                    && token.text === text.slice(token.start, token.end);
            at = token.end;
        }
    }

    lang.insight(text, schema);
    lang.completeGraphql(text, 10, schema);
    lang.completeVariables(text, 10, schema, new Map());
    lang.jsonFault(text);
    lang.prettyJson(text);
}

ok(sound, 'tokens of anything');

console.log(`1..${tests}`);
process.exit(failed ? 1 : 0);
