// What all scripts here share.  A line for each check: "ok NAME", or "not ok
// NAME -- REASON"; what a call left behind is asked over GraphQL.
//
//     npm ci; PROMPT_API_KEY=... node SCRIPT URL PROVIDER
//
// URL is that of nginx, without a path; PROVIDER the address of the fixture
// provider (t/lib/provider.js), which tells what it was asked.

import assert from 'node:assert/strict';

export const [url, provider] = process.argv.slice(2);
export const key = process.env.PROMPT_API_KEY;
export const baseURL = `${url}/openai/v1`;

const suffix = Date.now().toString(36);
let prompts = 0;


export async function graphql(query, variables = {}) {
    const response = await fetch(`${url}/graphql`, {
        method: 'POST',
        headers: { 'Authorization': `Bearer ${key}`,
                   'Content-Type': 'application/json' },
        body: JSON.stringify({ query, variables })
    });
    const answer = await response.json();

    assert.equal(answer.errors, undefined, JSON.stringify(answer.errors));

    return answer.data;
}


/** A prompt with a version: its id, and a name of its own. */
export async function prompt(version, label) {
    const name = `client-${suffix}-${++prompts}`;
    const { createPrompt: { id } } = await graphql(
        `mutation ($name: String!) {
            createPrompt(input: { name: $name }) { id } }`, { name });

    await graphql(`mutation ($input: CreatePromptVersionInput!) {
        createPromptVersion(input: $input) { version } }`,
        { input: { promptId: id, params: { model: 'fx:ok' }, ...version } });

    if (label) {
        await graphql(`mutation ($id: ID!, $label: String!) {
            setPromptLabel(promptId: $id, label: $label, version: 1) { label }
        }`, { id, label });
    }

    return { id, name };
}


/** A model that calls a tool, then says that it rains; one of its own each. */
export const caller = () => `fx:n=${suffix}${++prompts},tool=forecast:`
    + `${encodeURIComponent('{"city":"Bern"}')}|text=It%20rains.`;


/** The executions of a prompt, newest first, as soon as all are finished. */
export async function executions(id) {
    for (let i = 0; i < 200; i++) {
        const { executions: all } = await graphql(`query ($id: ID!) {
            executions(promptId: $id) { id status version label costUsd subject
                metadata tokenIn tokenOut appended } }`, { id });

        if (all.every((one) => one.status !== 'running')) {
            return all;
        }

        await new Promise((done) => setTimeout(done, 50));
    }

    throw new Error(`an execution of ${id} does not end`);
}


/** The only one: it succeeded, and cost something. */
export async function execution(id, wanted = {}) {
    const all = await executions(id);

    assert.equal(all.length, 1, `${all.length} executions`);

    const [one] = all;

    assert.equal(one.status, wanted.status ?? 'succeeded');

    if (one.status === 'succeeded') {
        assert.match(one.costUsd ?? 'null', /^0\.\d*[1-9]/, 'cost');
    }

    for (const [name, value] of Object.entries(wanted)) {
        assert.deepEqual(one[name], value, name);
    }

    return one;
}


/** What the provider was asked since clear(). */
export async function asked() {
    const response = await fetch(`${provider}/_control/log`);

    return response.json();
}


export async function clear() {
    await fetch(`${provider}/_control/clear`, { method: 'POST' });
}


const all = [];

export function check(name, run) {
    all.push([name, run]);
}


/** One after the other; what one gives back is why it did nothing. */
export async function main() {
    for (const [name, run] of all) {
        try {
            const skipped = await run();

            console.log(`ok ${name}${skipped ? ` # skip ${skipped}` : ''}`);
        } catch (error) {
            console.log(`not ok ${name} -- `
                        + String(error?.stack ?? error).replace(/\n/g, ' | '));
        }
    }
}
