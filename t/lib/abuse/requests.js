/*
 * Requests that are made to be dear before, beside and behind their document:
 * HTTP, JSON, variables, persisted queries.
 *
 * send() is what g.request() takes: body, headers, method, path, key; what is
 * text in it is the body.  status is 400 where there is none, says what the
 * first message must say.  early: refused before the key is looked up, so an
 * attacker needs none.  driver: also put to gql-driver.
 */

'use strict';

const { createHash } = require('crypto');
const { gzipSync } = require('zlib');
const { list, nest } = require('./documents.js');

const json = JSON.stringify;
const typename = '{ __typename }';
const sha256 = (text) => createHash('sha256').update(text).digest('hex');
const persisted = (query, sha256Hash, version) =>
    json({ query, extensions: { persistedQuery: {
        version: version === undefined ? 1 : version, sha256Hash } } });
const ask = (variables, query) => json({ query: query || typename,
                                         variables });
const values = /more than 200000 JSON values/;
const create = 'mutation ($input: CreatePromptInput!) '
               + '{ createPrompt(input: $input) { id } }';
const execute = 'mutation ($input: JSON!) { executePrompt(promptId: "x", '
                + 'input: $input) { output } }';

/* strings that collide in sums of 31 and the like */
const colliding = (i) => i.toString(2).padStart(17, '0')
                          .replace(/0/g, 'Aa').replace(/1/g, 'BB');

/*
 * n names whose FNV-1a ends with the same 18 bits.  Those depend on nothing
 * but the 18 bits before a letter and the letter, which can be taken back: so
 * ends are made from the last letter to the first, and found by what a start
 * leaves.
 */
function fnv(n) {
    const codes = [...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ']
        .map((c) => c.charCodeAt(0));
    const forth = (h, code) => Math.imul(h ^ code, 16777619) & 0x3ffff;
    const back = (h, code) => (Math.imul(h, 899433627) & 0x3ffff) ^ code;
    const ends = new Map();
    const names = [];

    for (const a of codes) {
        for (const b of codes) {
            for (const c of codes) {
                ends.set(back(back(back(0, c), b), a),
                         String.fromCharCode(a, b, c));
            }
        }
    }

    for (let i = 0; names.length < n; i++) {
        const start = i.toString(36).padStart(4, '_');
        const end = ends.get(Buffer.from(start).reduce(forth, 0x9dc5));

        if (end !== undefined) {
            names.push(start + end);
        }
    }

    return names;
}


exports.requests = [

/* JSON */

{ name: 'JSON: brackets',
  why: 'recursion in the reader of JSON',
  send: () => '['.repeat(1000000),
  says: /not valid JSON: nested too deep/ },

{ name: 'JSON: objects in objects',
  why: 'the same with names',
  send: () => '{"a":'.repeat(200000),
  says: /not valid JSON: nested too deep/ },

{ name: 'JSON: deep variables',
  why: 'as deep as values may be, and one more',
  send: () => `{"query":${json(execute)},"variables":{"input":`
              + `${nest(100, '{"a":', '1', '}')}}}`,
  status: 200, code: 'NOT_FOUND', says: /was not found/ },

{ name: 'JSON: many members',
  why: 'members that repeat have to be found',
  send: () => `{"query":${json(typename)},`
              + `${list(80000, (i) => `"a${i}":1`, ',')}}`,
  data: true },

{ name: 'JSON: members that collide in a hash table',
  why: 'n^2 where a hash has no seed',
  send: () => `{"query":${json(typename)},"variables":{`
              + `${list(25000, (i) => `"${colliding(i)}":1`, ',')}}}`,
  data: true },

{ name: 'JSON: variables that collide in a hash table',
  why: 'the same where the variables of an operation are looked up',
  send: () => `{"query":${json(
                  `query (${list(20, (i) => `$v${i}: Boolean = true`)}) `
                  + `{ me { ${list(20, (i) => `id @include(if: $v${i})`)} } }`)
              },"variables":{${fnv(70000).map((n) => `"${n}":1`)}}}`,
  data: true },

{ name: 'JSON: members with a long common start',
  why: 'comparisons that see the difference last',
  send: () => `{"query":${json(typename)},"variables":{`
              + `${list(1000, (i) => `"${'a'.repeat(1000)}${i}":1`, ',')}}}`,
  data: true },

{ name: 'JSON: one member, many times',
  why: 'duplicates',
  send: () => `{"query":${json(typename)},${'"a":1,'.repeat(170000)}"b":1}`,
  says: /duplicate member/ },

{ name: 'JSON: a duplicate at the end',
  why: 'found only when all are there',
  send: () => `{"query":${json(typename)},`
              + `${list(80000, (i) => `"a${i}":1`, ',')},"a0":1}`,
  says: /duplicate member/ },

{ name: 'JSON: many small values',
  why: 'a tree that is larger than its text by far',
  send: () => `{"query":${json(typename)},"variables":{"a":[`
              + `${'1,'.repeat(520000)}1]}}`,
  says: values },

{ name: 'JSON: many empty objects',
  why: 'the same, each with what an object has',
  send: () => `{"query":${json(typename)},"variables":{"a":[`
              + `${'{},'.repeat(345000)}1]}}`,
  says: values },

{ name: 'JSON: a batch',
  why: '10,000 operations in one request',
  send: () => `[${list(10000, () => json({ query: typename }), ',')}]`,
  says: /Batched requests are not supported/ },

{ name: 'JSON: a number of 1 MB',
  why: 'digits that nobody needs',
  send: () => `{"query":${json(typename)},"variables":{"a":${
              '9'.repeat(1000000)}}}`,
  data: true },

{ name: 'JSON: a number of 1 MB for an Int',
  why: 'a message that repeats it',
  send: () => `{"query":"query ($a: Int) { prompts(first: $a) { id } }",`
              + `"variables":{"a":${'9'.repeat(1000000)}}}`,
  status: 200, says: /got invalid value .*Int cannot represent/ },

{ name: 'JSON: a number of 1 MB for JSON',
  why: 'to be kept exactly, or refused',
  send: () => `{"query":${json(execute)},"variables":{"input":{"a":${
              '9'.repeat(1000000)}}}}`,
  status: 200, code: 'NOT_FOUND', says: /was not found/ },

{ name: 'JSON: exponents',
  why: 'numbers that are large when they are written out',
  send: () => `{"query":${json(execute)},"variables":{"input":{"a":[`
              + `${'1e999999999,'.repeat(80000)}1]}}}`,
  status: 200, code: 'NOT_FOUND', says: /was not found/ },

{ name: 'JSON: escapes',
  why: 'six bytes each',
  send: () => `{"query":"${'\\u0020'.repeat(170000)}{ __typename }"}`,
  data: true },

{ name: 'JSON: a lone surrogate at the end',
  why: 'no text of Unicode, seen last',
  send: () => `{"query":"${'x'.repeat(1000000)}\\ud800"}`,
  says: /surrogate without its pair/ },

{ name: 'JSON: bytes that are no UTF-8',
  why: 'the same, below JSON',
  send: () => Buffer.concat([Buffer.from('{"query":"'),
                             Buffer.alloc(1000000, 0xe2),
                             Buffer.from('"}')]),
  says: /not valid UTF-8/ },

{ name: 'JSON: bytes of zero',
  why: 'strings that end early',
  send: () => Buffer.alloc(1000000, 0),
  says: /not valid JSON: unexpected character/ },

{ name: 'JSON: white space, then an error',
  why: 'lines are counted for the message',
  send: () => `${'\n '.repeat(500000)}{`,
  says: /not valid JSON: unexpected end at line 500001/ },

{ name: 'JSON: nothing but white space',
  why: 'an empty request of 1 MB',
  send: () => ' '.repeat(1000000),
  says: /not valid JSON/ },

{ name: 'JSON: a query of another type',
  why: 'a list of 150,000 that should be text',
  send: () => `{"query":[${'1,'.repeat(150000)}1]}`,
  says: /"query" must be a string/ },

/* operationName */

{ name: 'operationName: 1 MB',
  why: 'a message that repeats it',
  send: () => json({ query: typename, operationName: 'q'.repeat(1000000) }),
  status: 200, says: /Unknown operation named/ },

{ name: 'operationName: long, with many operations',
  why: 'compared with each of them',
  send: () => json({ query: list(900, (i) => `query q${'q'.repeat(400)}${i} `
                                           + typename),
                     operationName: `q${'q'.repeat(400)}x` }),
  status: 200, says: /Unknown operation named/ },

/* variables */

{ name: 'variables: unknown fields of an input object',
  why: 'an error each, with suggestions',
  send: () => ask({ input: Object.fromEntries(Array.from({ length: 80000 },
                    (_, i) => [`nam${i}`, 1])) }, create),
  status: 200, says: /got invalid value .*"nam0" is not defined by type|got invalid value/ },

{ name: 'variables: unknown fields with long names',
  why: 'messages that repeat them',
  send: () => ask({ input: Object.fromEntries(Array.from({ length: 90 },
                    (_, i) => [`n${i}${'x'.repeat(10000)}`, 1])) }, create),
  status: 200, says: /got invalid value/ },

{ name: 'variables: items that are none of their type',
  why: 'an error an item',
  send: () => ask({ a: Array(190000).fill(1.5) }, 'mutation ($a: [String!]) '
      + '{ createApiKey(input: { name: "x", scopes: $a }) { key } }'),
  status: 200, says: /String cannot represent|Too many errors/ },

{ name: 'variables: items of one that has a long name',
  why: 'the name is in each error',
  send: () => ask({ ['v'.repeat(200000)]: Array(100).fill(1.5) }, 'mutation ($'
      + `${'v'.repeat(200000)}: [String!]) { createApiKey(input: { name: "x", `
      + `scopes: $${'v'.repeat(200000)} }) { key } }`),
  status: 200, says: /got invalid value 1.5/ },

{ name: 'variables: a value that is printed into a message',
  why: '1 MB that is no Int',
  send: () => ask({ a: 'x'.repeat(1000000) },
                  'query ($a: Int) { prompts(first: $a) { id } }'),
  status: 200, says: /got invalid value/ },

{ name: 'variables: an object where an Int should be',
  why: 'the same, 80,000 members',
  send: () => ask({ a: Object.fromEntries(Array.from({ length: 80000 },
                    (_, i) => [`n${i}`, 1])) },
                  'query ($a: Int) { prompts(first: $a) { id } }'),
  status: 200, says: /got invalid value/ },

{ name: 'variables: none of those that must be there',
  why: 'an error each',
  send: () => ask({}, `mutation (${list(1300, (i) => `$v${i}: JSON!`)}) { `
      + 'executePrompt(promptId: "x", input: '
      + `[${list(1300, (i) => `$v${i}`)}]) { output } }`),
  status: 200, says: /"\$v0" of required type "JSON!" was not provided/ },

{ name: 'variables: far more than are defined',
  why: 'each is looked for',
  send: () => ask(Object.fromEntries(Array.from({ length: 80000 },
                  (_, i) => [`v${i}`, 1]))),
  data: true },

{ name: 'variables: many that are defined, among many that are not',
  why: 'each is looked for among all',
  send: () => ask(Object.fromEntries(Array.from({ length: 60000 },
                  (_, i) => [`v${60000 - i}`, 1])),
      `mutation (${list(1300, (i) => `$v${i + 1}: JSON!`)}) { `
      + 'executePrompt(promptId: "x", input: '
      + `[${list(1300, (i) => `$v${i + 1}`)}]) { output } }`),
  status: 200, code: 'NOT_FOUND', says: /was not found/ },

{ name: 'variables: scopes, many times the same',
  why: 'a set that is compared each with each',
  send: () => ask({ a: Array(120000).fill('read') }, 'mutation '
      + '($a: [String!]) { createApiKey(input: { name: "x", scopes: $a }) '
      + '{ apiKey { scopes } } }'),
  data: true },

{ name: 'variables: a text of 1 MB to be searched for',
  why: 'a pattern for the database',
  send: () => ask({ a: '%_'.repeat(500000) },
                  'query ($a: String) { prompts(search: $a) { id } }'),
  status: 200, says: /search must not be longer than 10000 characters/ },

{ name: 'variables: an id of 1 MB',
  why: 'a message that repeats it',
  send: () => ask({ a: 'x'.repeat(1000000) },
                  'query ($a: ID!) { prompt(id: $a) { id } }'),
  status: 200, code: 'NOT_FOUND', says: /was not found/ },

{ name: 'variables: a moment of 1 MB',
  why: 'digits to be read as a time',
  send: () => ask({ a: '2026-11-21T'.padEnd(1000000, '0') }, 'mutation '
      + '($a: DateTime) { createApiKey(input: { name: "x", expiresAt: $a }) '
      + '{ key } }'),
  status: 200, says: /"expiresAt" must be a time/ },

{ name: 'variables: a list of numbers',
  why: 'each is a value of the input',
  send: () => ask({ input: Array(190000).fill(0) }, execute),
  status: 200, code: 'NOT_FOUND', says: /was not found/ },

/* persisted queries */

{ name: 'persisted: a wrong hash of 1 MB',
  why: 'the hash is computed before anything else is known',
  send: () => persisted(`#${'x'.repeat(1000000)}\n{ __typename }`,
                        'a'.repeat(64)),
  says: /provided sha does not match query/ },

{ name: 'persisted: a hash that is none',
  why: 'a text of 1 MB for 64 digits',
  send: () => persisted(undefined, 'a'.repeat(1000000)),
  status: 200, code: 'PERSISTED_QUERY_NOT_FOUND', says: /PersistedQueryNotFound/ },

{ name: 'persisted: a document of 1 MB, kept',
  why: 'a store is filled by few',
  send: () => {
      const query = `#${'x'.repeat(1000000)}\n{ __typename }`;

      return persisted(query, sha256(query));
  },
  data: true },

{ name: 'persisted: another version',
  why: 'no look-up',
  send: () => persisted(typename, 'a', 2),
  says: /Unsupported persisted query version/ },

/* HTTP */

{ name: 'HTTP: a URL of 8 KB',
  why: 'percent-encoded, GET',
  send: () => ({ method: 'GET', body: '', path:
      `/graphql?query=${'%20'.repeat(2500)}%7B__typename%7D` }),
  data: true },

{ name: 'HTTP: many parameters',
  why: 'names that are decoded one by one',
  send: () => ({ method: 'GET', body: '', path:
      `/graphql?${list(1900, () => 'a=', '&')}&query=%7B__typename%7D` }),
  data: true },

{ name: 'HTTP: a broken escape',
  why: 'text that cannot be decoded',
  send: () => ({ method: 'GET', body: '',
                 path: `/graphql?query=${'%zz'.repeat(2500)}` }),
  says: /not percent-encoded UTF-8/ },

{ name: 'HTTP: Accept with a thousand ranges',
  why: 'each is read, with its quality',
  send: () => ({ body: ask({}), headers: {
      Accept: `${'a/b;q=0.1,'.repeat(750)}application/json` } }),
  data: true },

{ name: 'HTTP: Accept that allows nothing, for long',
  why: 'the same without a way out',
  send: () => ({ body: ask({}), headers: { Accept: 'a/b;c;"'.repeat(1100) } }),
  status: 406, early: true, says: /Accept header allows/ },

{ name: 'HTTP: Content-Type with many parameters',
  why: 'quoted strings, escapes',
  send: () => ({ body: ask({}), headers: {
      'Content-Type': `application/json${';a="\\""'.repeat(1000)}` } }),
  data: true },

{ name: 'HTTP: Content-Type of another charset',
  why: 'at the end of 8 KB',
  send: () => ({ body: ask({}), headers: {
      'Content-Type': `application/json${';a=b'.repeat(1900)};charset=x` } }),
  status: 415, early: true, says: /Content-Type: application\/json/ },

{ name: 'HTTP: a form',
  why: 'what a browser sends from any page',
  send: () => ({ body: 'query=%7B__typename%7D', headers: {
      'Content-Type': 'application/x-www-form-urlencoded' } }),
  status: 415, early: true, says: /Content-Type: application\/json/ },

{ name: 'HTTP: a compressed body',
  why: '1 GB in 1 MB: not unpacked, so no JSON',
  send: () => ({ body: gzipSync(' '.repeat(10000000)), headers: {
      'Content-Encoding': 'gzip' } }),
  status: 415, early: true, says: /must not be compressed/ },

{ name: 'HTTP: chunks of one byte',
  why: 'each with a length of its own',
  send: () => ({ body: `${' '.repeat(20000)}${ask({})}`, chunks: true }),
  data: true },

{ name: 'HTTP: a body beyond the limit',
  why: 'not read at all',
  send: () => ' '.repeat(1048577),
  status: 413, early: true, says: /larger than this server accepts/ },

{ name: 'HTTP: a key of 7 KB',
  why: 'hashed where its form is not looked at first',
  send: () => ({ body: ' '.repeat(1000000), key: 'x'.repeat(7000) }),
  status: 401, early: true, code: 'UNAUTHENTICATED', says: /valid API key/ },

{ name: 'HTTP: a key of the right form that is none, with 1 MB',
  why: 'the body must not be looked at before the key is known',
  send: (config) => ({ body: '['.repeat(1000000), key: config.unknown_key }),
  status: 401, code: 'UNAUTHENTICATED', says: /valid API key/ },

];
