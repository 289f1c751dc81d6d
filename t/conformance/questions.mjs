// Questions about the service's own schema that must not be answered
// otherwise one day, for record.mjs.

const schema = '@/schema.graphql';

const validate = (name, document, more) => ({
    name, op: 'validate', schema, document, ...more
});
const parse = (name, source, more) => ({
    name, op: 'parse', start: 'parse', source, ...more
});
const execute = (name, document, resolved, more) => ({
    name, op: 'execute', schema, document, resolved, ...more
});

const prompt = {
    prompt: { object: 'Prompt' },
    'prompt.id': { v: '1' }, 'prompt.name': { v: 'a-name' },
    'prompt.category': { v: 'GENERAL' },
    'prompt.versions': { list: 2 },
    'prompt.versions[0]': { object: 'PromptVersion' },
    'prompt.versions[1]': { object: 'PromptVersion' },
    'prompt.versions[0].version': { v: 1 },
    'prompt.versions[1].version': { v: 2 },
    'prompt.versions[0].params': { v: { model: 'm', nested: [1, 2.5, null] } },
    'prompt.versions[1].params': { v: { model: 'é😀' } }
};

const watch = `type Query { a: Int } type Subscription { a: Int b: Int }`;
const item = `interface A { interfaces: Conn } type Query { edge: Conn }
              type Conn { friend: A }`;
const names = Array.from({ length: 120 }, (_, i) => `field${i}OfMany`);
const merge = ['OverlappingFieldsCanBeMergedRule'];

// an input object that needs its own fields, defaults of every kind, and
// fields of the types of introspection
const odd = `
scalar Any
enum Color { RED BLUE }
input Range { from: Float! = 0 to: Float = 9007199254740993 color: Color = RED }
interface Node { id: ID }
type Leaf implements Node { id: ID any(range: Range = {}, n: Int): Any }
type Query {
    big(a: Any = 123456789012345678901234567890, b: Any = 1e309): Any
    far(a: Float = -1e400, b: [Any] = [1, "x", 1e309]): Any
    node: Node nodes: [[Node]] leaf: Leaf any(range: [Range], n: Int): Any
    value: __EnumValue
}`;

const ask = (name, document, resolved, more) => ({
    name, op: 'execute', schema: odd, document, resolved, ...more
});

export const questions = [
    validate('every query', `{
        prompts(first: 10, after: "x", category: ROUTING, search: "é") { id }
        prompt(id: "1") { name versions { executions(first: 1) { status } } }
        promptByName(name: "n") { createdBy { email } }
        me { id name } apiKeys { hint scopes expiresAt }
    }`),
    validate('every mutation', `mutation M($input: JSON!, $id: ID!) {
        createPrompt(input: { name: "n" }) { id }
        createPromptVersion(input: { promptId: $id, content: "c",
                                     params: { model: "m" } }) { version }
        executePrompt(promptId: $id, input: $input, version: 1) { output }
        updatePrompt(id: $id, input: { isPublic: true }) { isPublic }
        forkPrompt(id: $id) { name }
        deletePrompt(id: $id)
        createApiKey(input: { name: "k", scopes: ["read"] }) { key }
        deleteApiKey(id: $id)
    }`),
    validate('a field that is near', '{ prompts { nme verions { id } } }'),
    validate('a field that is far', '{ zzzzzzzz }'),
    validate('a mutation in a query', '{ createPrompt { id } }'),
    validate('no such argument', '{ prompts(frist: 1) { id } }'),
    validate('a required argument is missing', '{ prompt { id } }'),
    validate('an enum as a string', '{ prompts(category: "GENERAL") { id } }'),
    validate('an enum that is near', '{ prompts(category: GENERL) { id } }'),
    validate('an integer that is too large',
             '{ prompts(first: 2147483648) { id } }'),
    validate('an integer as a string', '{ prompts(first: "1") { id } }'),
    validate('an input field that is not there',
             'mutation { createPrompt(input: { nam: "x" }) { id } }'),
    validate('a variable of another type',
             'query ($id: Int!) { prompt(id: $id) { id } }'),
    validate('a variable that may be null',
             'query ($id: ID) { prompt(id: $id) { id } }'),
    validate('a variable that is not there', '{ prompt(id: $id) { id } }'),
    validate('a variable that nobody uses',
             'query ($id: ID) { me { id } }'),
    validate('variables within JSON', `query ($v: Int) { me { id } }
        mutation ($v: Int) {
            executePrompt(promptId: 1, input: { a: [$v, { b: $v }] })
            { output }
        }`),
    validate('a leaf with a selection', '{ me { id { x } } }'),
    validate('an object without one', '{ me }'),
    validate('messages of any length', `{ prompt(id: "${'x'.repeat(6000)}") {
             ${'a'.repeat(6000)} } }`),
    validate('messages and locations of any number',
             `{ ${'me { id } '.repeat(150)} ${'a { b } '.repeat(60)}
                p: prompt(id: 1) { ${names.map((n) => `${n}: id`).join(' ')} }
                p: prompt(id: 1) { ${names.map((n) => `${n}: name`).join(' ')} } }`),
    { name: 'values of any length', op: 'execute', schema: `
        enum E { A } input I { e: E n: Int } type Query { f(i: [I], n: Int): Int }`,
      document: 'query ($i: [I], $n: Int) { f(i: $i, n: $n) }',
      variables: { n: 'é'.repeat(6000), i: [
          { e: 'x'.repeat(6000) }, { n: ['y'.repeat(6000)] },
          { ['z'.repeat(6000)]: 1 }] }, resolved: {} },
    parse('half a character', '{ a(b: "\\u123😀") }'),
    validate('fields that do not merge',
             '{ prompt(id: 1) { id } prompt(id: 2) { id } }'),
    validate('a fragment in itself', `{ me { ...A } }
        fragment A on User { ...B } fragment B on User { id ...A }`),
    validate('a fragment on nothing',
             '{ me { ...A } } fragment A on Nothing { id }'),
    validate('a fragment that nobody uses',
             '{ me { id } } fragment A on User { id }'),
    validate('a directive that is not there', '{ me @live { id } }'),
    validate('a directive twice',
             '{ me @skip(if: true) @skip(if: false) { id } }'),
    validate('two anonymous operations', '{ me { id } } { me { id } }'),
    validate('a subscription', 'subscription { prompts { id } }'),
    validate('SDL in a request', 'type T { a: Int } { me { id } }'),
    validate('introspection', '{ __schema { types { name } } __typename }'),
    validate('half a character', '{ me { id } } # \ud800'),
    validate('a rule that is asked for twice',
             '{ u3 { ...F u3 } } fragment F on Item { u0 { u1 { ...F u2 } } }',
             { schema: item, rules: [...merge, ...merge] }),
    validate('a long literal', `{ prompts(first: [${'"é", '.repeat(600)}])
                                  { id } }`),
    validate('a long number', `{ prompts(first: ${'9'.repeat(4000)}) { id } }`),
    validate('a long word for an enum',
             `{ prompts(category: ${'GENERAL'.repeat(550)}) { id } }`),
    validate('no rule at all', '{ nobody }', { rules: [] }),
    validate('one error and no more', '{ a b }', { maxErrors: 1 }),
    validate('no error that may be', '{ a b }', { maxErrors: 0 }),
    validate('no error that may be, and none is', '{ me { id } }',
             { maxErrors: 0 }),
    validate('a condition of a subscription without errors that may be',
             'subscription ($a: Boolean!) { a @skip(if: $a) }',
             { schema: watch, maxErrors: 0 }),
    validate('a condition of a subscription\'s fragment that was there before',
             `subscription { ...F ...F @skip ...G ...G @include(if: 1) }
              fragment F on Subscription { a }`,
             { schema: watch }),
    validate('a condition of a subscription\'s fragment that was not',
             `subscription { ...F @skip(if: true) ...F @skip ...F }
              fragment F on Subscription { a }`,
             { schema: watch }),

    parse('nothing', ''),
    parse('white space', ' \n\t,# only\r'),
    parse('an empty selection', '{ me { } }'),
    parse('an argument without a value', '{ prompt(id:) { id } }'),
    parse('an escape that is none', '{ promptByName(name: "\\x") { id } }'),
    parse('a character behind others', '{ a(b: "😀é") % }'),
    parse('a line end in a string', '{ a(b: "x\n") }'),
    parse('more tokens than may be', '{ a b }', { options: { maxTokens: 3 } }),
    parse('no token that may be', '{ a }', { options: { maxTokens: 0 } }),
    parse('no token that may be, and none is', '#',
          { options: { maxTokens: 0 } }),
    parse('a value of more tokens', '[1, $a, {b: 2}]',
          { start: 'parseValue', options: { maxTokens: 4 } }),
    parse('a constant of more tokens', '[1, 2]',
          { start: 'parseConstValue', options: { maxTokens: 3 } }),
    parse('a type of more tokens', '[A!]!',
          { start: 'parseType', options: { maxTokens: 2 } }),
    parse('a type of as many', '[A!]!',
          { start: 'parseType', options: { maxTokens: 5 } }),

    execute('a prompt', `{ prompt(id: "1") { __typename id name category
                           versions { version params } } }`, prompt),
    execute('null where null must not be',
            '{ prompt(id: "1") { id isPublic versions { id } } }', prompt),
    execute('an error in the root',
            '{ me { id } prompts { id } }',
            { me: { error: 'no' }, prompts: { list: 0 } }),
    execute('an error that may be null',
            '{ prompt(id: "x") { id } me { id } }',
            { prompt: { error: 'Prompt "x" not found.' },
              me: { object: 'User' }, 'me.id': { v: '7' } }),
    execute('variables that do not fit',
            'query ($id: ID!, $n: Int) { prompt(id: $id) { id } }',
            {}, { variables: { n: '1' } }),
    execute('input that does not fit',
            `mutation ($input: CreatePromptInput!) {
                 createPrompt(input: $input) { id } }`,
            {}, { variables: { input: { category: 'NONE', nam: 'x',
                                        isPublic: 'yes' } } }),
    execute('one of several operations',
            'query A { me { id } } query B { me { email } }',
            { me: { object: 'User' }, 'me.email': { v: 'a@b' } },
            { operationName: 'B' }),
    execute('none of several operations',
            'query A { me { id } } query B { me { email } }', {}, {}),
    execute('what is skipped',
            `query ($yes: Boolean!) { me @skip(if: $yes) { id }
             apiKeys @include(if: $yes) { id } }`,
            { apiKeys: { list: 0 } }, { variables: { yes: true } }),

    { name: 'a schema with a directive that does not fit', op: 'validate',
      schema: 'type Query { a: Int @deprecated(reason: 1) }',
      document: '{ a }' },

    ask('defaults that only an exact number holds', `{
        __type(name: "Query") { fields { args { name defaultValue } } } }`),
    ask('a default in a default',
        '{ __type(name: "Leaf") { fields { args { defaultValue } } } }'),
    ask('arguments as they were coerced',
        `query ($r: [Range], $c: Color = BLUE, $none: Int) {
            a: any(range: { from: 1, color: $c }) b: any(range: $r, n: $none)
            leaf { any(n: null) } }`,
        { a: { arguments: true }, b: { arguments: true }, leaf: { v: {} },
          'leaf.any': { arguments: true } },
        { variables: { r: { from: 1.5, to: null } } }),
    ask('a default that is no value of its type', `
        query ($n: Int = "1", $c: Color! = GREEN) {
            a: any(n: $n) b: any(range: { from: $n, color: $c })
            c: any(range: { color: $c }) }`),
    { name: 'a condition of the schema\'s own', op: 'execute',
      schema: `directive @skip(unless: Boolean) on FIELD
               type Query { a: Query }`,
      document: '{ a { b: __typename @skip(unless: true) c: __typename } }',
      resolved: { a: { object: 'Query' } } },
    ask('objects and lists as values', `{
        node { id __typename } leaf { id } nodes { id } any }`,
        { node: { v: { __typename: 'Leaf', id: 'not this' } },
          'node.id': { v: 'n' }, leaf: { v: [7] }, 'leaf.id': { v: 'l' },
          nodes: { v: [[{ __typename: 'Leaf' }, { __typename: 'Query' }, 1],
                       [null], {}] },
          'nodes[0][0].id': { v: 'nn' }, any: { list: 2 },
          'any[0]': { object: 'Leaf' }, 'any[1]': { v: [1] } }),
    { name: 'objects where lists of leaves belong', op: 'execute',
      schema: `scalar Any enum Color { RED }
               type Query { a: [Int] b: [[String]] c: [Color] d: [Any] }`,
      document: '{ a b c d }',
      resolved: { a: { v: {} }, b: { v: [{ id: 1 }, ['x'], 1] },
                  c: { v: 'RED' }, d: { v: { e: 1 } } } },
    ask('an object of a type of introspection',
        '{ value { isDeprecated deprecationReason } x: value { name } }',
        { value: { object: '__EnumValue' }, x: { object: '__EnumValue' } }),
    ask('errors with extensions and without',
        '{ a: any b: any c: any d: nodes { id } }',
        { a: { error: 'a', errorExtensions: { code: 'A', at: [1] } },
          b: { error: 'b', errorExtensions: {} },
          c: { error: '', errorExtensions: null },
          d: { list: 1 }, 'd[0]': { list: 1 },
          'd[0][0]': { error: 'd', errorExtensions: { deep: { a: null } } } })
];
