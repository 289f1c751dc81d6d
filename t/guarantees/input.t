#!/usr/bin/env node
/*
 * Input is never code: nasty strings are stored and read back byte for byte,
 * reach the provider as they are, with no placeholder in them filled in, and
 * begin no header and no line of a log.
 */

'use strict';

const crypto = require('crypto');
const fs = require('fs');

const g = require('../lib/guarantee.js');

const pieces = [
    "'; DROP TABLE prompts; --", '$1', '$$', '$body$', "E'\\x27'", '\\', '\\\\',
    '\\u0000', '\\x00', '%00', '%s%n%d', '\r\n', '\n', '\r', '\t', '"', "'",
    '\r\nX-Evil: 1\r\n\r\n', 'HTTP/1.1 200 OK\r\n', '<script>alert(1)</script>',
    ']]>', '-->', '${jndi:ldap://x}', '{{name}}', '{{ name }}', '{{other}}',
    '\\{{', '}}', '}', '{', '../../etc/passwd', '; rm -rf /', '$(reboot)', '`',
    '*1\r\n$8\r\nFLUSHALL\r\n', 'NULL', 'null', '0', '1e999', '{"a":1}', '|',
    '{1,2}', '[]', '""" \\"""', '#', '\u0001', '\u001b[31m', '\u007f', '\u0080',
    '\u0085', '\u00a0', '\u200b', '\u202e', '\u2028', '\u2029', '\ufeff',
    '\ufffd', '\ufffe', '\uffff', '\u{1f469}\u200d\u{1f4bb}', '\u{10ffff}',
    'e\u0301', 'ß', '\u0130', ' ', 'x'.repeat(300)
];

/* a string of some of them, and of characters by chance, never U+0000 */
function nasty() {
    let text = '';

    for (let n = 1 + Math.floor(Math.random() * 6); n > 0; n--) {
        text += g.any(pieces);

        if (Math.random() < 0.5) {
            const code = 1 + Math.floor(Math.random()
                                        * g.any([0x7f, 0xd7fe, 0x10fffe]));

            text += code < 0xd800 || code > 0xdfff
                    ? String.fromCodePoint(code) : '\ue000';
        }
    }

    return text;
}

const md5 = (text) => crypto.createHash('md5').update(text).digest('hex');


/* the headers of an answer: any other one was made of what a user wrote */
const known = ['server', 'date', 'content-type', 'content-length', 'vary',
               'transfer-encoding', 'connection', 'cache-control', 'x-model'];

function heads(r, wrong) {
    for (const name of Object.keys(r.headers || {})) {
        if (!known.includes(name)) {
            wrong.push(name);
        }
    }

    return r;
}


async function stored(n) {
    const wrong = [];
    const headers = [];
    const sums = new Map();

    await g.share(8, n, async (i) => {
        const [description, content, value] = [nasty(), nasty(), nasty()];
        const made = heads(await g.post('mutation ($input: CreatePromptInput!) '
            + '{ createPrompt(input: $input) { id description } }',
            { input: { name: `nasty ${i}`, description } }), headers);

        if (!made.data) {
            wrong.push([g.ending(made), description]);
            return;
        }

        const id = made.data.createPrompt.id;
        const params = { model: 'fx:ok', logit_bias: { [value]: [value] } };
        const inputSchema = { description: value, properties:
                              { [value]: { const: value } } };
        const added = heads(await g.post(
            'mutation ($input: CreatePromptVersionInput!) '
            + '{ createPromptVersion(input: $input) { id } }',
            { input: { promptId: id, content, params, inputSchema } }),
            headers);

        if (added.data) {
            sums.set(added.data.createPromptVersion.id, md5(content));

        } else if (added.code !== 'BAD_USER_INPUT' || !/\{\{/.test(content)) {
            wrong.push([g.ending(added), added.errors, content]);
        }

        const read = heads(await g.post('query ($id: ID!) { prompt(id: $id) '
            + '{ description versions { content params inputSchema } } }',
            { id }), headers);
        /* what looks like a placeholder and is none is refused */
        const want = { description, versions: added.data
                       ? [{ content, params, inputSchema }] : [] };

        if (JSON.stringify(read.data && read.data.prompt)
            !== JSON.stringify(want)) {
            wrong.push([want, read.data, read.errors]);
        }

        /* what is looked for is not a pattern, nor a part of a statement */
        const found = heads(await g.post('query ($s: String) '
            + '{ prompts(search: $s) { id } }', { s: value }), headers);

        if (!found.data && found.code !== 'BAD_USER_INPUT') {
            wrong.push([g.ending(found), value]);
        }
    });

    const rows = new Map(await g.sql('SELECT id, md5(content) FROM '
                                     + 'prompt_versions'));

    g.is(wrong.slice(0, 3), [], 'stored: read back as it was sent');
    g.is([...sums].filter(([id, sum]) => rows.get(id) !== sum), [],
         'stored: so it is in the database');
    g.is(headers, [], 'stored: no header is made of it');
}


async function executed(n) {
    const id = await g.prompt('executed', '<{{name}}|{{name}}>',
                              { model: 'fx:ok' });
    const wrong = [];
    const headers = [];
    const sent = new Set();

    await g.calls('clear');

    await g.share(8, n, async () => {
        const name = nasty();
        const want = `<${name}|${name}>`;
        const r = heads(await g.execute(id, { name, other: 'FILLED' }),
                        headers);

        sent.add(want);

        if (!r.data || r.data.executePrompt.output !== want) {
            wrong.push([want, r.data, r.errors]);
        }
    });

    const calls = (await g.calls()).filter((c) => c.method === 'POST');

    g.is(wrong.slice(0, 3), [], 'executed: values are values');
    g.is(calls.filter((c) => !sent.has(c.body.messages[0].content)), [],
         'executed: the provider gets them as they are');
    g.is(calls.filter((c) => c.headers['x-evil'] !== undefined), [],
         'executed: and no header of theirs');
    g.is(headers, [], 'executed: nor does the client');
}


/* a model's name is the one string of a user that a variable shows */
async function models(n) {
    const wrong = [];
    const headers = [];

    await g.share(8, n, async (i) => {
        const model = `free-fx:ok,z${nasty().replace(/[,=%]/g, '')}`
            .slice(0, 200).replace(/[\ud800-\udbff]$/, '');
        const id = await g.prompt(`model ${i}`, 'x', { model });
        const r = heads(await g.execute(id, {}), headers);

        if (!r.data || r.headers['x-model'] === undefined) {
            wrong.push([model, g.ending(r), r.errors]);
        }
    });

    g.is(wrong.slice(0, 3), [], 'models: any name');
    g.is(headers, [], 'models: no header is made of it');
}


function logs(config) {
    const lines = fs.readFileSync(`${config.at}/access.log`, 'utf8')
        .split('\n').slice(0, -1);
    const form = /^begin [0-9a-f-]{36} \w* [A-Z_]* [^\r\n]* end$/;

    g.ok(lines.length > 0, 'logs: there is one');
    g.is(lines.filter((line) => !form.test(line)).slice(0, 3), [],
         'logs: a request is a line, though nothing is escaped');
    g.is(g.log().split('\n').slice(0, -1)
          .filter((line) => !/^\d{4}\/\d\d\/\d\d /.test(line)).slice(0, 3), [],
         'logs: and so is an error');
}


g.main({
    http: "log_format raw escape=none 'begin $prompt_user_id $prompt_operation "
          + "$prompt_error_code $prompt_model end';",
    locations: 'access_log %AT%/access.log raw; '
               + 'add_header X-Model $prompt_model always;'
}, async (config) => {
    const n = Math.round(250 * g.scale);

    await stored(n);
    await executed(n);
    await models(Math.round(n / 4));
    await g.sleep(200);
    logs(config);
});
