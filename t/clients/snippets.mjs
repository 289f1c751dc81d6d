#!/usr/bin/env node
// What the dashboard's tab "Use it" shows is run as it stands, by what it is
// written for, made by the dashboard's own module.  See here.mjs; PYTHON is a
// Python with OpenAI's library, where there is one.
//
// LiteLLM cannot be had here: it is asked what LiteLLM asks by such a file.

import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { baseURL, check, execution, key, main, prompt, url } from './here.mjs';

const run = promisify(execFile);
const here = path.dirname(fileURLToPath(import.meta.url));
const dashboard = path.join(here, '../../dashboard');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'snippets-'));

process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));
fs.symlinkSync(path.join(here, 'node_modules'),
               path.join(folder, 'node_modules'));

// of TypeScript, by what builds the dashboard
async function load() {
    const esbuild = createRequire(path.join(dashboard, 'x.js'))('esbuild');
    const outfile = path.join(folder, 'protocols.mjs');

    await esbuild.build({
        stdin: { contents: 'export * from "./protocols.ts";'
                           + 'export { readJson } from "./json.ts";',
                 resolveDir: path.join(dashboard, 'src/panels') },
        bundle: true, format: 'esm', outfile, logLevel: 'error'
    });

    return import(pathToFileURL(outfile));
}

const { PROTOCOLS, protocolSnippet, readJson } = await load();

const INPUT = { who: 'it\'s "Ada" $HOME `id` \\ 😀\nand', times: 3 };
const version = {
    content: 'Hello {{who}}, {{times}} times',
    params: { model: 'fx:ok' },
    inputSchema: { type: 'object', required: ['who', 'times'], properties: {
        who: { type: 'string' }, times: { type: 'integer' } } }
};
const OUTPUT = `Hello ${INPUT.who}, 3 times`;

const program = (command, name) => async (text) => {
    const file = path.join(folder, name);

    fs.writeFileSync(file, text);

    const { stdout } = await run(command, [file], {
        env: { ...process.env, PROMPT_API_KEY: key } });

    return stdout;
};

async function post(address, headers, body) {
    const response = await fetch(address, {
        method: 'POST', body: JSON.stringify(body),
        headers: { 'Content-Type': 'application/json', ...headers } });

    assert.equal(response.status, 200, await response.clone().text());

    return response.json();
}

const ways = {
    'openai (Node.js)': [program(process.execPath, 'run.mjs'), OUTPUT],
    'AI SDK': [program(process.execPath, 'ai.mjs'), 'Begin.'],
    'openai (Python)': [program(process.env.PYTHON, 'run.py'), OUTPUT],

    MCP: [async (text, { name }) => {
        const { mcpServers: { prompts } } = JSON.parse(text);
        const headers = {
            Accept: 'application/json, text/event-stream',
            Authorization: prompts.headers.Authorization
                .replace('${PROMPT_API_KEY}', key) };
        const ask = (method, params, id) => post(prompts.url, headers,
            { jsonrpc: '2.0', id, method, params });

        assert.equal(prompts.type, 'http');
        await ask('initialize', { protocolVersion: '2025-11-25',
            capabilities: {}, clientInfo: { name: 'c', version: '1' } }, 1);
        headers['MCP-Protocol-Version'] = '2025-11-25';

        const { result } = await ask('tools/call', { name, arguments: INPUT },
                                     2);

        return result.content[0].text;
    }, OUTPUT],

    LiteLLM: [async (text) => {
        const [, model] = /model: "openai\/(.*)"/.exec(text);
        const [, prompt_id] = /- prompt_id: "(.*)"/.exec(text);
        const [, base] = /api_base: "(.*)"/.exec(text);
        const headers = { Authorization: `Bearer ${key}` };
        const template = await fetch(`${base}/beta/litellm_prompt_management?`
            + new URLSearchParams({ prompt_id }), { headers });
        const { prompt_template: [{ role, content }] } = await template.json();

        assert.equal(role, 'user');
        assert.equal(content, version.content);

        const { choices: [{ message }] } = await post(
            `${base}/chat/completions`, headers,
            { model, messages: [], prompt_variables: INPUT });

        return message.content;
    }, OUTPUT]
};

for (const protocol of PROTOCOLS) {
    const [way, wanted] = ways[protocol];
    const picks = [{ kind: 'label', label: 'production' },
                   { kind: 'version', version: 1 }, { kind: 'latest' }];

    // Python begins slowly, and its program differs in nothing else
    for (const pick of picks.slice(0, /Python/.test(protocol) ? 1 : 3)) {
        check(`${protocol}, by ${pick.kind}`, async () => {
            if (protocol === 'openai (Python)' && !process.env.PYTHON) {
                return 'there is no Python with OpenAI\'s library here';
            }

            const { id, name } = await prompt(version, 'production');
            const text = protocolSnippet(protocol, {
                openai: `${baseURL}/`, mcp: `${url}/mcp`, promptId: id, name,
                pick, input: readJson(JSON.stringify(INPUT)) });

            assert.equal((await way(text, { id, name })).trimEnd(), wanted);
            await execution(id, { version: 1 });
        });
    }
}

await main();
