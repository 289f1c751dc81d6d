/*
 * Documents that are made to be dear: for the parser, the rules, the limits,
 * the planner.
 *
 * make(n) writes one of a size that n stands for: `few' stays below the limit
 * of tokens where it can, so that what comes behind the parser meets it, and
 * `many' is about as much as a body may hold.  Behind the size stands what the
 * first message says (nothing: that there are too many tokens; null: it is no
 * abuse at that size, and is answered), and its code (BAD_USER_INPUT).
 */

'use strict';

const list = (n, make, between) =>
    Array.from({ length: n }, (_, i) => make(i)).join(between || ' ');
const nest = (n, open, middle, close) =>
    open.repeat(n) + middle + close.repeat(n);

/* what the limits say; the first is in the words of graphql-js */
const tokens = /contains more that 10000 tokens/;
const depth = /nested deeper than 512 levels/;
const deepest = /the depth limit of 20: its depth is \d+/;
const complex = /more than 200000 comparisons of fields to be validated/;

/* what the service says of values that the engine let pass */
const tooLong = /must not be longer than 128 characters/;
const noName = /must contain a letter or a digit/;
const missing = [/was not found/, 'NOT_FOUND'];

/* about what getIntrospectionQuery() asks for */
const tools = 'fragment s on __Schema { queryType { name } mutationType { name '
    + '} types { ...t } directives { name description locations args { ...i } '
    + '} } fragment t on __Type { kind name description fields('
    + 'includeDeprecated: true) { name description args(includeDeprecated: '
    + 'true) { ...i } type { ...r } isDeprecated deprecationReason } '
    + 'inputFields(includeDeprecated: true) { ...i } interfaces { ...r } '
    + 'enumValues(includeDeprecated: true) { name description isDeprecated '
    + 'deprecationReason } possibleTypes { ...r } } fragment i on __InputValue '
    + '{ name description type { ...r } defaultValue isDeprecated '
    + `deprecationReason } fragment r on __Type ${nest(9, '{ kind name ofType ',
       '{ kind name }', '}')}`;

exports.list = list;
exports.nest = nest;
exports.tokens = tokens;

exports.documents = [

/* fields */

{ name: 'alias flood',
  why: 'one field, asked for under many names',
  make: (n) => `{ ${list(n, (i) => `a${i}: me { id }`)} }`,
  few: [1600, /the limit of 30 aliases: it has 1600/], many: [45000] },

{ name: 'aliases below the root',
  why: 'many names where no limit of root fields counts them',
  make: (n) => `{ me { ${list(n, (i) => `a${i}: id`)} } }`,
  few: [3300, /the limit of 30 aliases: it has 3300/], many: [85000] },

{ name: 'field duplication',
  why: 'n fields of one response key are n^2/2 pairs',
  make: (n) => `{ ${'__typename '.repeat(n)}}`,
  few: [9990, complex], many: [87000] },

{ name: 'field duplication with fields below',
  why: 'each pair compares what is below',
  make: (n) => `{ ${'me { id } '.repeat(n)}}`,
  few: [2400, complex], many: [100000] },

{ name: 'field duplication with arguments',
  why: 'each pair compares its arguments as text',
  make: (n) => `{ ${list(n, () => 'prompt(id: "0") { id }')} }`,
  few: [1000, complex], many: [40000] },

{ name: 'field duplication with long arguments',
  why: 'equal arguments of 10 KB each',
  make: (n) => `{ ${list(n, () => `prompt(id: "${'x'.repeat(10000)}") { id }`)
                } }`,
  few: [10, ...missing], many: [100, ...missing] },

{ name: 'conflicting fields',
  why: 'each pair is a conflict with a message',
  make: (n) => `{ ${list(n, (i) => `x: ${['prompts', 'me', 'apiKeys'][i % 3]} `
                                   + '{ id }')} }`,
  few: [1600, complex], many: [60000] },

{ name: 'conflicting arguments',
  why: 'each pair differs, none is the last',
  make: (n) => `{ ${list(n, (i) => `x: prompt(id: ${i}) { id }`)} }`,
  few: [900, complex], many: [35000] },

{ name: '200 x 100 overlapping fields',
  why: 'wide and one deep: 200^2/2 pairs of sets of 100',
  make: (n) => `{ ${list(n, () => `me { ${'id '.repeat(100)}}`)} }`,
  few: [94, complex], many: [200] },

{ name: 'overlapping fields in a tree',
  why: 'two of the same at each level: 2^n sets',
  make: (n) => {
      const tree = (d) => (d === 0 ? 'name'
                           : `ofType { ${tree(d - 1)} } `.repeat(2));

      return `{ __type(name: "Query") { ${tree(n)} } }`;
  },
  few: [10, complex], many: [15] },

{ name: 'overlapping fields through fragments',
  why: 'every pair of fragments has to be compared',
  make: (n) => `{ ${list(n, (i) => `...f${i}`)} } `
               + list(n, (i) => `fragment f${i} on Query { me { a${i}: id `
                                + 'name } }'),
  few: [550, complex], many: [15000] },

{ name: 'overlapping fields, nested inline fragments',
  why: 'the same set on many types',
  make: (n) => `{ ${list(n, () => '... on Query { ... { me { id } } }')} }`,
  few: [700, complex], many: [25000] },

{ name: 'unknown fields',
  why: 'each is an error with suggestions',
  make: (n) => `{ ${list(n, (i) => `promp${i}`)} }`,
  few: [9900, /Cannot query field "promp0"/], many: [90000] },

{ name: 'unknown fields with long names',
  why: 'suggestions are distances, and messages repeat the names',
  make: (n) => `{ ${list(n, (i) => `p${i}${'r'.repeat(5000)}`)} }`,
  few: [10, /Cannot query field/], many: [200, /Cannot query field/] },

{ name: 'an unknown field of 1 MB',
  why: 'a distance table of 1 MB x 10, and a message as long',
  make: (n) => `{ ${'a'.repeat(n)} }`,
  few: [1000, /Cannot query field/], many: [1000000, /Cannot query field/] },

{ name: 'fields without their selection',
  why: 'many errors, no unknown name',
  make: (n) => `{ ${list(n, (i) => `a${i}: me`)} }`,
  few: [3000, /must have a selection of subfields/], many: [80000] },

/* depth */

{ name: 'deep selections',
  why: 'recursion: a stack is smaller than a body',
  make: (n) => nest(n, '{a', '', '}'),
  few: [2000, depth], many: [340000, depth] },

{ name: 'deep selections, never closed',
  why: 'the same, an error at the end',
  make: (n) => '{a'.repeat(n),
  few: [500, /Syntax Error/], many: [500000, depth] },

{ name: 'as deep as the parser goes',
  why: 'every recursion behind the parser meets 500 levels',
  make: (n) => `{ __type(name: "Query") ${nest(n, '{ ofType ', '{ name }', '}')
                } }`,
  few: [500, deepest], many: [500, deepest] },

{ name: 'a deep tree of inline fragments',
  why: 'depth that is no depth of fields',
  make: (n) => `{ ${nest(n, '... on Query { ', 'me { id }', '}')} }`,
  few: [500, null], many: [60000, depth] },

{ name: 'deep list literal',
  why: 'recursion in values',
  make: (n) => `mutation { executePrompt(promptId: "x", input: `
               + `${nest(n, '[', '', ']')}) { output } }`,
  few: [4000, depth], many: [500000, depth] },

{ name: 'deep object literal',
  why: 'the same with names',
  make: (n) => `mutation { executePrompt(promptId: "x", input: `
               + `${nest(n, '{a:', '1', '}')}) { output } }`,
  few: [480, ...missing],
  many: [250000, depth] },

{ name: 'deep type of a variable',
  why: 'each wrapper is a type',
  make: (n) => `query ($a: ${nest(n, '[', 'Int', ']')}) { __typename }`,
  few: [500, /"\$a" is never used/], many: [500000, depth] },

{ name: 'deep type, non-null at each level',
  why: 'texts of types that contain each other',
  make: (n) => `query ($a: ${nest(n, '[', 'Int!', ']!')}) `
               + '{ prompts(first: $a) { id } }',
  few: [250, /of type ".*" used in position/], many: [340000, depth] },

{ name: 'a type with many exclamation marks',
  why: 'no wrapper of a wrapper',
  make: (n) => `query ($a: Int${'!'.repeat(n)}) { __typename }`,
  few: [5000, /Syntax Error/], many: [1000000, /Syntax Error/] },

/* directives */

{ name: 'directive overloading, unknown',
  why: 'the list of graphql-cop: @aa@aa@aa',
  make: (n) => `{ __typename ${'@aa'.repeat(n)} }`,
  few: [4900, /Unknown directive "@aa"/], many: [340000] },

{ name: 'directive overloading, known',
  why: 'a directive that is not repeatable, repeated',
  make: (n) => `{ __typename ${'@skip(if: false)'.repeat(n)} }`,
  few: [1400, /can only be used once/], many: [62000] },

{ name: 'directives on many fields',
  why: 'valid: a condition a field, each may double the plans',
  make: (n) => `query (${list(n, (i) => `$v${i}: Boolean!`)}) `
               + `{ ${list(n, (i) => `__typename @skip(if: $v${i})`)} }`,
  few: [300, /the limit of 100 directives: it has 300/], many: [18000] },

{ name: 'directives with long names',
  why: 'messages repeat them',
  make: (n) => `{ __typename ${list(n, (i) => `@d${i}${'x'.repeat(9000)}`)} }`,
  few: [10, /Unknown directive/], many: [110, /Unknown directive/] },

{ name: 'directives with many arguments',
  why: 'unknown arguments of a directive, with suggestions',
  make: (n) => `{ __typename @skip(if: true ${list(n, (i) => `i${i}: 1`)}) }`,
  few: [3000, /Unknown argument "i0" on directive "@skip"/], many: [90000] },

/* fragments */

{ name: 'directive overloading, unknown arguments with long names',
  why: 'each is compared with each of the long ones that are defined',
  make: (n) => `directive @d(${list(n, (i) => `${'n'.repeat(300)}${i}: Int`)}) `
      + `on FIELD { me { id @d(${list(n, (i) => `${'n'.repeat(300)}x${i}: 1`)})`
      + ' } }',
  few: [1500, /is not executable/], many: [1600, /is not executable/] },

{ name: 'a fragment in itself',
  why: 'endless expansion',
  make: (n) => `{ ...f } fragment f on Query { ${'...f '.repeat(n)}}`,
  few: [3000, /Cannot spread fragment "f" within itself/], many: [190000] },

{ name: 'two fragments in each other',
  why: 'endless expansion, one step removed',
  make: (n) => `{ ...a } fragment a on Query { ${'...b '.repeat(n)}} `
               + `fragment b on Query { ${'...a '.repeat(n)}}`,
  few: [2000, /Cannot spread fragment "a" within itself via "b"/],
  many: [100000] },

{ name: 'a long circle of fragments',
  why: 'recursion through all of them, and a message that names them',
  make: (n) => `{ ...f0 } ${list(n, (i) => `fragment f${i} on Query `
                                        + `{ ...f${(i + 1) % n} }`)}`,
  few: [1200, /Cannot spread fragment "f0" within itself via "f1"/],
  many: [25000] },

{ name: 'a long circle of fragments, closed many times',
  why: 'each end is an error that names and locates all of them',
  make: (n) => `{ ...f0 } ${list(n, (i) => `fragment f${i} on Query `
                + `{ ${i + 1 < n ? `...f${i + 1}` : '...f0 '.repeat(n)} }`)}`,
  few: [850, /Cannot spread fragment "f0" within itself/],
  many: [22000] },

{ name: 'a long chain of fragments',
  why: 'valid but for its depth: recursion through all of them',
  make: (n) => `{ ...f0 } ${list(n, (i) => `fragment f${i} on Query { `
                                 + (i + 1 < n ? `...f${i + 1}` : '__typename')
                                 + ' }')}`,
  few: [1200, /nested too deeply: fragments more than 1024 deep/], many: [25000] },

{ name: 'fragments that all spread all',
  why: 'every subset is a circle: n! of them',
  make: (n) => `{ ...f0 } ${list(n, (i) => `fragment f${i} on Query `
                   + `{ ${list(n, (k) => `...f${k}`)} }`)}`,
  few: [65, /Cannot spread fragment "f0" within itself/], many: [360] },

{ name: 'fragment explosion',
  why: '2^n fields from n fragments',
  make: (n) => `{ ...f0 } ${list(n, (i) => `fragment f${i} on Query `
                  + `{ ...f${i + 1} ...f${i + 1} }`)} `
               + `fragment f${n} on Query { __typename }`,
  few: [800, /the complexity limit of 250000: its complexity is/], many: [20000] },

{ name: 'fragment explosion with aliases',
  why: '2^n different fields: nothing merges',
  make: (n) => `{ ...f0 } ${list(n, (i) => `fragment f${i} on __Type `
                  + `{ a: ofType { ...f${i + 1} } b: ofType { ...f${i + 1} } }`)
               } fragment f${n} on __Type { name }`.replace('{ ...f0 }',
                  '{ __type(name: "Query") { ...f0 } }'),
  few: [18, /the limit of 30 aliases: it has 524286/], many: [13500] },

{ name: 'fragments that are not used',
  why: 'each is an error',
  make: (n) => `{ __typename } ${list(n, (i) => `fragment f${i} on Query `
                                              + '{ __typename }')}`,
  few: [1300, /Fragment "f0" is never used/], many: [25000] },

{ name: 'fragments of one name',
  why: 'which one is it',
  make: (n) => `{ ...f } ${'fragment f on Query { __typename } '.repeat(n)}`,
  few: [1300, /can be only one fragment named "f"/], many: [29000] },

{ name: 'spreads of unknown fragments',
  why: 'names that are not there',
  make: (n) => `{ ${list(n, (i) => `...f${i}`)} }`,
  few: [4900, complex], many: [100000] },

{ name: 'many inline fragments',
  why: 'a type condition each',
  make: (n) => `{ ${'... on Query { __typename } '.repeat(n)}}`,
  few: [1600, complex], many: [37000] },

{ name: 'inline fragments on unknown types',
  why: 'suggestions of types',
  make: (n) => `{ ${list(n, (i) => `... on Promp${i} { __typename }`)} }`,
  few: [1600, complex], many: [31000] },

{ name: 'inline fragments that can never match',
  why: 'an error each, with two types',
  make: (n) => `{ ${'... on User { id } '.repeat(n)}}`,
  few: [1600, complex], many: [50000] },

/* operations */

{ name: 'many operations',
  why: 'every rule that looks at an operation looks at all',
  make: (n) => list(n, (i) => `query q${i} { __typename }`),
  few: [1900, /Must provide operation name/], many: [37000] },

{ name: 'many operations with the same fragments',
  why: 'operations times fragments',
  make: (n) => `${list(n, (i) => `query q${i} { ${list(n, (k) =>
                   `...f${k}`)} }`)} ${list(n, (i) =>
                   `fragment f${i} on Query { __typename }`)}`,
  few: [60, complex], many: [350] },

{ name: 'anonymous operations',
  why: 'each is an error',
  make: (n) => '{ __typename } '.repeat(n),
  few: [3300, /anonymous operation must be the only/], many: [69000] },

{ name: 'operations of one name',
  why: 'each but the first is an error',
  make: (n) => 'query q { __typename } '.repeat(n),
  few: [1900, /can be only one operation named "q"/], many: [45000] },

{ name: 'an operation with a long name and many errors',
  why: 'each message repeats the name: 100 times 500 KB',
  make: (n) => `query ${'q'.repeat(n)} (${list(200, (i) => `$v${i}: Int`)}) `
               + '{ __typename }',
  few: [5000, /is never used in operation/],
  many: [1000000, /is never used in operation/] },

{ name: 'a fragment with a long name in a circle',
  why: 'the message repeats it for each spread',
  make: (n) => `{ ...${'f'.repeat(n)} } fragment ${'f'.repeat(n)} on Query `
               + `{ ${`...${'f'.repeat(n)} `.repeat(3)}}`,
  few: [5000, /Cannot spread fragment/], many: [200000, /Cannot spread/] },

{ name: 'subscriptions',
  why: 'the schema has one, of another name',
  make: (n) => list(n, (i) => `subscription s${i} { a b }`),
  few: [1400, /Subscription/], many: [37000] },

/* variables */

{ name: 'unused variables',
  why: 'an error each',
  make: (n) => `query (${list(n, (i) => `$v${i}: Int`)}) { __typename }`,
  few: [2400, /Variable "\$v0" is never used/], many: [75000] },

{ name: 'undefined variables',
  why: 'an error each',
  make: (n) => `{ ${list(n, (i) => `prompts(first: $v${i}) { id }`)} }`,
  few: [900, complex], many: [30000] },

{ name: 'undefined variables in one value',
  why: 'uses without fields',
  make: (n) => 'mutation { executePrompt(promptId: 1, input: '
               + `[${list(n, (i) => `$v${i}`)}]) { output } }`,
  few: [4900, /Variable "\$v0" is not defined/], many: [120000] },

{ name: 'variables of one name',
  why: 'an error for all of them',
  make: (n) => `query (${'$v: Int '.repeat(n)}) { prompts(first: $v) { id } }`,
  few: [2400, /can be only one variable named "\$v"/], many: [120000] },

{ name: 'variables of unknown types',
  why: 'suggestions of types',
  make: (n) => `query (${list(n, (i) => `$v${i}: Promp${i}`)}) { __typename }`,
  few: [2400, /Unknown type "Promp0"/], many: [50000] },

{ name: 'variables through fragments in many operations',
  why: 'operations times fragments times uses',
  make: (n) => `${list(n, (i) => `query q${i}($v: Int) { ...f0 }`)} `
               + `${list(n, (i) => `fragment f${i} on Query { prompts(first: `
                    + `$v) { id } ${i + 1 < n ? `...f${i + 1}` : ''} }`)}`,
  few: [300, /more than 50000 steps through fragments/], many: [7000] },

{ name: 'default values that are none',
  why: 'a message for each item of a list',
  make: (n) => `query ($v: Int = [${'"x" '.repeat(n)}]) `
               + '{ prompts(first: $v) { id } }',
  few: [5000, /Int cannot represent/], many: [170000] },

/* arguments and literals */

{ name: 'unknown arguments',
  why: 'suggestions of arguments',
  make: (n) => `{ prompts(${list(n, (i) => `firs${i}: 1`)}) { id } }`,
  few: [3000, /Unknown argument "firs0"/], many: [80000] },

{ name: 'one argument, many times',
  why: 'uniqueness of names',
  make: (n) => `{ prompts(${'first: 1 '.repeat(n)}) { id } }`,
  few: [3000, /can be only one argument named "first"/], many: [110000] },

{ name: 'unknown fields of an input object',
  why: 'suggestions of input fields',
  make: (n) => `mutation { createPrompt(input: { name: "x" `
               + `${list(n, (i) => `nam${i}: 1`)} }) { id } }`,
  few: [3000, /Field "nam0" is not defined by type/], many: [80000] },

{ name: 'one field of an input object, many times',
  why: 'uniqueness of names',
  make: (n) => `mutation { createPrompt(input: { ${'name: "x" '.repeat(n)} }) `
               + '{ id } }',
  few: [3000, /can be only one input field named "name"/], many: [85000] },

{ name: 'a JSON literal with many members',
  why: 'names of a value that no type limits',
  make: (n) => `mutation { executePrompt(promptId: "x", input: `
               + `{ ${list(n, (i) => `a${i}: 1`)} }) { output } }`,
  few: [3200, ...missing], many: [95000] },

{ name: 'a JSON literal with many items',
  why: 'nodes of five bytes of text',
  make: (n) => `mutation { executePrompt(promptId: "x", input: `
               + `{ a: [${'1 '.repeat(n)}] }) { output } }`,
  few: [9900, ...missing], many: [500000] },

{ name: 'unknown enum values',
  why: 'suggestions of values',
  make: (n) => `{ ${list(n, (i) => `prompts(category: GENERA${i}) { id }`)} }`,
  few: [1000, complex], many: [27000] },

{ name: 'items of a list that are none of its type',
  why: 'an error an item',
  make: (n) => 'mutation { createApiKey(input: { name: "x" scopes: '
               + `[${'1 '.repeat(n)}] }) { key } }`,
  few: [9900, /String cannot represent/], many: [500000] },

{ name: 'an Int of many digits',
  why: 'numbers as text, a message that repeats them',
  make: (n) => `{ prompts(first: ${'9'.repeat(n)}) { id } }`,
  few: [1000, /Int cannot represent/], many: [1000000, /Int cannot/] },

{ name: 'a Float of many digits and a large exponent',
  why: 'a double, or digits to be kept',
  make: (n) => 'mutation { executePrompt(promptId: "x", input: { a: '
               + `${'9'.repeat(n)}.${'1'.repeat(n)}e999999999 }) `
               + '{ output } }',
  few: [500, ...missing], many: [500000, ...missing] },

{ name: 'numbers with large exponents',
  why: 'each is to be written out',
  make: (n) => 'mutation { executePrompt(promptId: "x", input: { a: '
               + `[${'1e999999999 '.repeat(n)}] }) { output } }`,
  few: [9900, ...missing], many: [86000] },

{ name: 'a string of 1 MB',
  why: 'copied, compared, printed',
  make: (n) => `{ promptByName(name: "${'x'.repeat(n)}") { id } }`,
  few: [1000, tooLong], many: [1000000, tooLong] },

{ name: 'a string where an Int should be',
  why: 'printed into the message',
  make: (n) => `{ prompts(first: "${'x'.repeat(n)}") { id } }`,
  few: [1000, /Int cannot represent/], many: [1000000, /Int cannot/] },

{ name: 'a string of escapes',
  why: 'six bytes each, decoded one by one',
  make: (n) => `{ promptByName(name: "${'\\u00e9'.repeat(n)}") { id } }`,
  few: [150, tooLong], many: [140000, tooLong] },

{ name: 'a string of surrogates',
  why: 'pairs that are one character',
  make: (n) => `{ promptByName(name: "${'\\uD83D\\uDE00'.repeat(n)}") `
               + '{ id } }',
  few: [80, noName], many: [70000, noName] },

{ name: 'a string that never ends',
  why: 'an error at the end of 1 MB',
  make: (n) => `{ promptByName(name: "${'x'.repeat(n)}`,
  few: [1000, /Unterminated string/], many: [1000000, /Unterminated/] },

{ name: 'a block string of many lines',
  why: 'the common indentation looks at each of them',
  make: (n) => `{ promptByName(name: """${'\n  x'.repeat(n)}""") { id } }`,
  few: [250, tooLong], many: [200000, tooLong] },

{ name: 'a block string of empty lines',
  why: 'lines to be taken off at both ends',
  make: (n) => `{ promptByName(name: """${'\n'.repeat(n)}""") { id } }`,
  few: [1000, noName], many: [500000, noName] },

{ name: 'a block string of ever deeper lines',
  why: 'indentation without end',
  make: (n) => `{ promptByName(name: """${list(n, (i) => ' '.repeat(n - i)
                                                        + 'x', '\n')}""") { id } }`,
  few: [40, ...missing], many: [1390, tooLong] },

{ name: 'a block string of quotes',
  why: 'each may be its end',
  make: (n) => `{ promptByName(name: """${'\\"""'.repeat(n)}""") { id } }`,
  few: [250, noName], many: [130000, noName] },

/* what is no document */

{ name: 'commas',
  why: 'ignored, all of them',
  make: (n) => `${','.repeat(n)}{ __typename }`,
  few: [1000, null], many: [1000000, null] },

{ name: 'white space, then an error',
  why: 'lines to be counted',
  make: (n) => `${'\n'.repeat(n)}{`,
  few: [1000, /Syntax Error/], many: [500000, /Syntax Error/] },

{ name: 'comments',
  why: 'ignored, too',
  make: (n) => `${'#\n'.repeat(n)}{ __typename }`,
  few: [500, null], many: [330000, null] },

{ name: 'one long comment',
  why: 'the same in one line',
  make: (n) => `#${'x'.repeat(n)}\n{ __typename }`,
  few: [1000, null], many: [1000000, null] },

{ name: 'byte order marks',
  why: 'ignored where they are',
  make: (n) => `${'\ufeff'.repeat(n)}{ __typename }`,
  few: [300, null], many: [340000, null] },

{ name: 'errors at the end of one long line',
  why: 'columns counted from its start for each: n^2',
  make: (n) => `{ ${','.repeat(n)} ${list(200, (i) => `x${i}`)} }`,
  few: [1000, /Cannot query field/], many: [1000000, /Cannot query/] },

{ name: 'errors behind many characters that are two units',
  why: 'columns are counted in UTF-16',
  make: (n) => `{ #${'\u{1f600}'.repeat(n)}\r${list(200, (i) => `x${i}`)} }`,
  few: [250, /Cannot query field/], many: [260000, /Cannot query/] },

{ name: 'open braces',
  why: 'no selection is empty',
  make: (n) => '{'.repeat(n),
  few: [1000, /Syntax Error/], many: [1000000, /Syntax Error/] },

{ name: 'a name of 1 MB, and nothing else',
  why: 'the message repeats it',
  make: (n) => 'a'.repeat(n),
  few: [1000, /Unexpected Name/], many: [1000000, /Unexpected Name/] },

{ name: 'bytes of zero',
  why: 'no character of a document',
  make: (n) => '\0'.repeat(n),
  few: [150, /Syntax Error/], many: [170000, /Syntax Error/] },

/* introspection */

{ name: 'circular introspection',
  why: 'fields of types of fields: growing with the schema at each level',
  make: (n) => `{ __schema { types { ${nest(n, 'fields { type { ', 'name',
                                          '} }')} } } }`,
  few: [3, /Maximum introspection depth exceeded/],
  many: [200, /Maximum introspection depth exceeded/] },

{ name: 'circular introspection through arguments',
  why: 'as far as the rule allows',
  make: (n) => '{ __schema { types { fields { args { type { fields { args '
               + `{ type { ${'name '.repeat(n)} } } } } } } } } }`,
  few: [1, null], many: [1, null] },

{ name: 'introspection, aliased',
  why: 'all types, and again, and again',
  make: (n) => `{ ${list(n, (i) => `a${i}: __schema { types { name fields { `
               + 'name args { name type { name } } type { name } } } }')} }`,
  few: [15, null], many: [8000] },

{ name: 'introspection, aliased at each level',
  why: '30 aliases are 10 x 10 x 10',
  make: (n) => {
      const some = (text) => list(n, (i) => `a${i}: ${text}`);

      return `{ __schema { ${some(`types { ${some(`fields { ${
          some('args { type { name description } }')} }`)} }`)} } }`;
  },
  few: [8, /the limit of 30 aliases/], many: [28] },

{ name: 'introspection of types, aliased thrice at three levels',
  why: 'within the limit of aliases as they are written, 30 in all',
  make: (n) => `{ ${list(2, (i) => `r${i}: __schema { ${list(n, (k) =>
      `t${k}: types { ${list(n, (l) => `f${l}: fields { name description }`)
      } }`)} }`)} }`,
  few: [3, null], many: [3, null] },

{ name: 'introspection in full, aliased',
  why: 'the query of every tool, 15 times',
  make: (n) => `{ ${list(n, (i) => `a${i}: __schema { ...s }`)} } ${tools}`,
  few: [3, null], many: [30000] },

{ name: '__type, aliased',
  why: 'a look-up by name each',
  make: (n) => `{ ${list(n, (i) => `a${i}: __type(name: "Query") { fields { `
               + 'name type { fields { name type { name } } } } }')} }`,
  few: [15, null], many: [8000] },

{ name: 'nested ofType',
  why: 'a recursion that any data ends, but not the document',
  make: (n) => `{ __schema { types { fields { type ${nest(n, '{ ofType ',
      '{ name }', '}')} } } } }`,
  few: [100, deepest], many: [400, deepest] },

/* what is dear to answer */

{ name: 'lists in lists',
  why: 'the complexity of all that one may ask for',
  make: (n) => `{ prompts(first: ${n}) { id versions { id executions(first: `
               + `${n}) { id status } } } }`,
  few: [1000, /the complexity limit of 250000: its complexity is \d+/],
  many: [100000, /the complexity limit of 250000: its complexity is \d+/] },

{ name: 'lists in lists, aliased',
  why: 'the same many times over',
  make: (n) => `{ ${list(n, (i) => `p${i}: prompts { id versions { id content `
               + 'executions { id } } }')} }`,
  few: [15, null], many: [15000] },

{ name: 'executions, aliased',
  why: 'one request, a hundred calls of a provider',
  make: (n) => `mutation { ${list(n, (i) => `e${i}: executePrompt(promptId: `
               + '"x", input: {}) { output }')} }`,
  few: [20, /the limit of 5 root fields of a mutation: it has 20/],
  many: [15000] },

{ name: 'executions, one key',
  why: 'one field that is written often runs once',
  make: (n) => `mutation { ${list(n, () => 'executePrompt(promptId: "x", '
               + 'input: {}) { output }')} }`,
  few: [600, complex], many: [16000] },

];
