/*
 * Values that are made to be dear for the service itself: templates, input
 * schemas, regular expressions, and inputs for them.
 *
 * Each becomes a version (content, inputSchema, params) of one prompt, which
 * is refused where there is no input, and else is executed with it.  says is
 * what is said of the last of these; done: nothing, it is legitimate work.
 */

'use strict';

const { list, nest } = require('./documents.js');

/* the budgets of the service */
const steps = /input is too large to be validated against inputSchema/;
const rendered = /the rendered prompt must not be longer than 4194304 bytes/;
const circle = /inputSchema refers to itself for the same value/;

const pattern = (text) => ({ properties: { a: { pattern: text } } });
const defs = (n, make) => Object.fromEntries(Array.from({ length: n },
    (_, i) => [`d${i}`, make(i)]));
const ref = (i) => ({ $ref: `#/$defs/d${i}` });
const objects = (n) => JSON.parse(nest(n, '{"a":', '1', '}'));

exports.values = [

/* templates */

{ name: 'template: many placeholders',
  why: 'a path each',
  content: () => '{{a}}'.repeat(200000), input: () => ({ a: '' }),
  done: true },

{ name: 'template: many placeholders of many members',
  why: 'each is looked for among all',
  content: () => list(60000, (i) => `{{a${i}}}`, ''),
  input: () => Object.fromEntries(Array.from({ length: 60000 },
               (_, i) => [`a${i}`, ''])),
  says: /input is too large for so many placeholders/ },

{ name: 'template: placeholders that are nowhere',
  why: 'the first of 100,000 is an error',
  content: () => list(90000, (i) => `{{a${i}}}`, ''), input: () => ({}),
  says: /no value for the placeholder {{a0}}/ },

{ name: 'template: long paths',
  why: 'a path of 100,000 segments',
  content: () => `{{${list(500000, () => 'a', '.')}}}`,
  input: () => ({ a: { a: 1 } }), says: /no value for the placeholder {{a\.a\.a/ },

{ name: 'template: a large value, many times',
  why: '100 KB x 10,000 is 1 GB',
  content: () => '{{a}}'.repeat(10000), input: () => ({ a: 'x'.repeat(100000) }),
  says: rendered },

{ name: 'template: a large object, many times',
  why: 'the same, written each time',
  content: () => '{{a}}'.repeat(10000),
  input: () => ({ a: Array(50000).fill({ b: 1 }) }), says: rendered },

{ name: 'template: open braces',
  why: 'each may begin a placeholder',
  content: () => '{'.repeat(1000000), says: /line 1, column 1/ },

{ name: 'template: a placeholder that never ends',
  why: 'looked for to the end, from each',
  content: () => `${'{{a}}'.repeat(100000)}{{${'a'.repeat(400000)}`,
  says: /line 1, column 500001/ },

{ name: 'template: escapes',
  why: 'no placeholders at all',
  content: () => '\\{{'.repeat(250000), input: () => ({}), done: true },

{ name: 'template: large defaults',
  why: 'a default of 100 KB, 10,000 times',
  content: () => '{{a}}'.repeat(10000),
  inputSchema: () => ({ properties: { a: { default: 'x'.repeat(100000) } } }),
  input: () => ({}), says: rendered },

/* regular expressions */

{ name: 'regex: (a+)+$',
  why: 'exponential where it is run by backtracking',
  inputSchema: () => pattern('^(a+)+$'),
  input: () => ({ a: `${'a'.repeat(100000)}b` }), says: /a must match the pattern/ },

{ name: 'regex: (a|a)*',
  why: 'the same',
  inputSchema: () => pattern('^(a|a|aa)*$'),
  input: () => ({ a: `${'a'.repeat(100000)}b` }), says: /a must match the pattern/ },

{ name: 'regex: (.*)(.*)(.*)…',
  why: 'polynomial, with a large exponent',
  inputSchema: () => pattern(`^${'(.*)'.repeat(500)}x$`),
  input: () => ({ a: 'a'.repeat(100000) }), says: steps },

{ name: 'regex: counted repetitions of each other',
  why: '1000 x 1000 x 1000 states',
  inputSchema: () => pattern('((a{1000}){1000}){1000}'), says: /pattern is a regular expression .* too large/ },

{ name: 'regex: groups in groups',
  why: 'recursion of its parser',
  inputSchema: () => pattern(nest(2000, '(', 'a', ')')), says: /pattern is a regular expression .* nested too deeply/ },

{ name: 'regex: many patterns',
  why: 'each compiled, each run on each member',
  inputSchema: () => ({ patternProperties: Object.fromEntries(Array.from(
      { length: 3000 }, (_, i) => [`^a${i}.*b$`, true])) }),
  says: /is a regular expression .* too large/ },

{ name: 'regex: patterns, on many members',
  why: 'members times patterns',
  inputSchema: () => ({ patternProperties: Object.fromEntries(Array.from(
      { length: 300 }, (_, i) => [`^.*a${i}.*b$`, true])) }),
  input: () => Object.fromEntries(Array.from({ length: 5000 },
               (_, i) => [`a${i}${'a'.repeat(100)}`, 1])),
  says: steps },

{ name: 'regex: back references',
  why: 'what cannot be done in linear time',
  inputSchema: () => pattern('^(a+)\\1+$'), says: /pattern is a regular expression .* a back reference/ },

/* schemas */

{ name: 'schema: a reference to itself',
  why: 'a loop that consumes nothing',
  inputSchema: () => ({ $ref: '#' }), says: circle },

{ name: 'schema: references in a circle',
  why: 'the same, in 1,000 steps',
  inputSchema: () => ({ $defs: defs(1000, (i) => ref((i + 1) % 1000)),
                        $ref: '#/$defs/d0' }),
  says: circle },

{ name: 'schema: 2^n by references',
  why: 'allOf of two references to the next, which do the same',
  inputSchema: () => ({ $defs: defs(40, (i) => (i === 39 ? {}
                          : { allOf: [ref(i + 1), ref(i + 1)] })),
                        allOf: [ref(0)] }),
  says: circle },

{ name: 'schema: 2^n by anyOf',
  why: 'alternatives of alternatives, none of which holds',
  inputSchema: () => ({ $defs: defs(40, (i) => (i === 39 ? false
                          : { anyOf: [ref(i + 1), ref(i + 1)] })),
                        anyOf: [ref(0)] }),
  says: circle },

{ name: 'schema: 2^n by a recursive schema',
  why: 'each level of the value is looked at twice as often',
  inputSchema: () => ({ allOf: [{ properties: { a: { $ref: '#' } } },
                                { properties: { a: { $ref: '#' } } }] }),
  input: () => objects(50), says: steps },

{ name: 'schema: deep allOf',
  why: 'recursion of the compiler',
  inputSchema: () => JSON.parse(nest(30, '{"allOf":[', '{}', ']}')),
  input: () => ({}), done: true },

{ name: 'schema: oneOf of many',
  why: 'all have to be tried, on each item',
  inputSchema: () => ({ additionalProperties: { oneOf: Array.from(
      { length: 2000 }, (_, i) => ({ const: i })) } }),
  input: () => Object.fromEntries(Array.from({ length: 20000 },
               (_, i) => [`a${i}`, -1])),
  says: /a0 must match exactly one of the 2000 schemas/ },

{ name: 'schema: enum of many, on many',
  why: 'values times values',
  inputSchema: () => ({ additionalProperties: { enum: Array.from(
      { length: 20000 }, (_, i) => i) } }),
  input: () => Object.fromEntries(Array.from({ length: 20000 },
               (_, i) => [`a${i}`, -1])),
  says: /a0 must be one of the allowed values/ },

{ name: 'schema: unique items',
  why: 'n^2 comparisons of 90,000 items',
  inputSchema: () => ({ properties: { a: { uniqueItems: true } } }),
  input: () => ({ a: Array.from({ length: 90000 }, (_, i) => [i]) }),
  done: true },

{ name: 'schema: many required members',
  why: 'a violation each',
  inputSchema: () => ({ required: Array.from({ length: 20000 },
                                             (_, i) => `a${i}`) }),
  input: () => ({}), says: /a0 is required/ },

{ name: 'schema: many properties, none of them there',
  why: 'members are looked for by name',
  inputSchema: () => ({ properties: defs(10000, () => ({ type: 'string' })) }),
  input: () => Object.fromEntries(Array.from({ length: 60000 },
               (_, i) => [`a${i}`, 1])),
  done: true },

{ name: 'schema: propertyNames on many members',
  why: 'a rule for each of 60,000',
  inputSchema: () => ({ propertyNames: { maxLength: 1 } }),
  input: () => Object.fromEntries(Array.from({ length: 60000 },
               (_, i) => [`a${i}`, 1])),
  says: /input does not match inputSchema/ },

{ name: 'schema: multipleOf with many digits',
  why: 'division of decimals with any length',
  inputSchema: () => ({ properties: { a: { multipleOf: 1e-300 } } }),
  input: () => ({ a: 1e300 }), done: true },

{ name: 'schema: nothing but definitions',
  why: '256 KB that are compiled for nothing',
  inputSchema: () => ({ $defs: defs(8000, () => ({ type: 'string' })) }),
  input: () => ({}), done: true },

{ name: 'params: many members',
  why: 'what a provider is sent as it is',
  params: () => ({ model: 'fx:ok', logit_bias: Object.fromEntries(Array.from(
      { length: 20000 }, (_, i) => [`${i}`, 1])) }),
  input: () => ({}), done: true },

{ name: 'params: many that no format has',
  why: 'each name is looked for in a table',
  params: () => ({ model: 'fx:ok', ...Object.fromEntries(Array.from(
      { length: 15000 }, (_, i) => [`p${i}`, null])), p: 1 }),
  says: /params\.p/ },

];
