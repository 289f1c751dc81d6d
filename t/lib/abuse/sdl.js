/*
 * SDL that is made to be dear.  The module reads none but its own; the
 * conformance driver is asked about any (validateSDL, validateSchema).
 *
 * make(n): about 1 MB where n is `many'.
 */

'use strict';

const { list, nest } = require('./documents.js');

const query = 'type Query { a: Int } ';

exports.sdl = [

{ name: 'many types', why: 'names are looked for among all of them',
  make: (n) => query + list(n, (i) => `type T${i} { a: T${(i + 1) % n} }`),
  many: 30000 },

{ name: 'unknown types', why: 'suggestions among all types, each time',
  make: (n) => query + list(n, (i) => `type Type${i} { a: Typo${i} }`),
  many: 25000 },

{ name: 'types of one name', why: 'an error each',
  make: (n) => query + 'type T { a: Int } '.repeat(n), many: 50000 },

{ name: 'fields of one name', why: 'an error each',
  make: (n) => `type Query { ${'a: Int '.repeat(n)}}`, many: 140000 },

{ name: 'enum values of one name', why: 'an error each',
  make: (n) => `${query}enum E { ${'A '.repeat(n)}}`, many: 400000 },

{ name: 'union members of one name', why: 'an error each',
  make: (n) => `${query}union U = ${list(n, () => 'Query', '|')}`,
  many: 160000 },

{ name: 'many directives', why: 'definitions, each unknown until then',
  make: (n) => `${query}${list(n, (i) => `directive @d${i} on FIELD`)}`,
  many: 35000 },

{ name: 'unknown directives', why: 'an error each',
  make: (n) => `type Query { a: Int ${list(n, (i) => `@d${i}`)} }`,
  many: 120000 },

{ name: 'directives with arguments that nobody knows', why: 'suggestions',
  make: (n) => `type Query { a: Int @deprecated(${list(n, (i) =>
                `reaso${i}: "x"`)}) }`,
  many: 55000 },

{ name: 'input objects in a circle', why: 'a value without end',
  make: (n) => query + list(n, (i) => `input I${i} { a: I${(i + 1) % n}! }`),
  many: 28000 },

{ name: 'input objects that all need all', why: 'n! circles',
  make: (n) => query + list(n, (i) => `input I${i} { ${list(n, (k) =>
                `a${k}: I${k}!`)} }`),
  many: 280 },

{ name: 'interfaces that implement each other', why: 'chains of chains',
  make: (n) => query + list(n, (i) => `interface I${i} ${i > 0
                ? `implements ${list(i, (k) => `I${k}`, '&')}` : ''} { a: Int }`),
  many: 500 },

{ name: 'interfaces with many fields, in many types',
  why: 'fields times types',
  make: (n) => `${query}interface I { ${list(n, (i) => `a${i}: Int`)} } ${
                list(n, (i) => `type T${i} implements I { ${list(n, (k) =>
                `a${k}: Int`)} }`)}`,
  many: 300 },

{ name: 'extensions of what is not there', why: 'suggestions',
  make: (n) => query + list(n, (i) => `extend type Quer${i} { a: Int }`),
  many: 30000 },

{ name: 'deep types', why: 'recursion',
  make: (n) => `type Query { a: ${nest(n, '[', 'Int', ']')} }`,
  many: 400000 },

{ name: 'deep default values', why: 'recursion in values',
  make: (n) => `type Query { a(b: Int = ${nest(n, '[', '1', ']')}): Int }`,
  many: 400000 },

{ name: 'default values of 1 MB', why: 'coerced once for each',
  make: (n) => `type Query { a(b: [Int] = [${'1 '.repeat(n)}]): Int }`,
  many: 500000 },

{ name: 'a name of 1 MB', why: 'messages that repeat it',
  make: (n) => `type Query { a: ${'x'.repeat(n)} b: ${'x'.repeat(n)} }`,
  many: 500000 },

{ name: 'a type with a long name and many errors',
  why: 'each message repeats the name',
  make: (n) => `${query}type ${'T'.repeat(n)} { ${list(300, (i) =>
                `a${i}: Int a${i}: Int`)} }`,
  many: 1000000 },

{ name: 'a description of 1 MB', why: 'a block string of many lines',
  make: (n) => `"""${'\n    x'.repeat(n)}""" ${query}`, many: 160000 },

];
