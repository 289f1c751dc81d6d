#!/usr/bin/env node
// The audits of graphql-http ("GraphQL over HTTP", all of MUST, SHOULD and
// MAY) against a running endpoint.  A line for each: "ok NAME", or
// "not ok NAME: REASON".
//
//     npm ci; PROMPT_API_KEY=... node audits.mjs URL

import { serverAudits } from 'graphql-http';

const [url] = process.argv.slice(2);

// The audits know no authentication: each of their requests gets the key.
function fetchFn(address, { headers = {}, ...options } = {}) {
    return fetch(address, {
        ...options,
        headers: { ...headers,
                   authorization: `Bearer ${process.env.PROMPT_API_KEY}` }
    });
}

let failed = 0;

for (const audit of serverAudits({ url, fetchFn })) {
    const result = await audit.fn();
    const name = `${audit.id} ${audit.name}`;

    if (result.status === 'ok') {
        console.log(`ok ${name}`);

    } else {
        failed++;
        console.log(`not ok ${name}: ${result.reason}`);
    }
}

process.exitCode = failed === 0 ? 0 : 1;
