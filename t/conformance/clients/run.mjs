#!/usr/bin/env node
// Client libraries against a running endpoint: Apollo Client (also with its
// links for persisted queries), urql (also with its exchange for them),
// graphql-request, and the introspection that code generators live on.  A
// line for each: "ok NAME", or "not ok NAME: REASON".
//
//     npm ci; PROMPT_API_KEY=... node run.mjs URL
//
// Where the endpoint keeps no persisted queries, clients must notice and go on
// without; PERSISTED=on says that it does, and the script looks that hashes
// alone are sent.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { ApolloClient, CombinedGraphQLErrors, HttpLink, InMemoryCache, gql }
    from '@apollo/client';
import { PersistedQueryLink } from '@apollo/client/link/persisted-queries';
import { Client, cacheExchange, fetchExchange } from '@urql/core';
import { persistedExchange } from '@urql/exchange-persisted';
import { buildClientSchema, buildSchema, getIntrospectionQuery,
         lexicographicSortSchema, parse, printSchema, validateSchema }
    from 'graphql';
import { ClientError, GraphQLClient } from 'graphql-request';

const [url] = process.argv.slice(2);
const key = process.env.PROMPT_API_KEY;
const kept = process.env.PERSISTED === 'on';
const headers = { authorization: `Bearer ${key}` };
const suffix = Date.now().toString(36);

const me = 'query Me { me { id email } }';
const create = `mutation Create($input: CreatePromptInput!) {
    createPrompt(input: $input) { id name category isPublic createdAt }
}`;
const prompt = 'query Prompt($id: ID!) { prompt(id: $id) { id name } }';
const remove = 'mutation Remove($id: ID!) { deletePrompt(id: $id) }';


// fetch() that remembers what was sent: the URL's parameters, or the body
function recorder() {
    const sent = [];

    return {
        sent,
        fetch(address, options = {}) {
            const parameters = new URL(address).searchParams;

            sent.push(options.body ? JSON.parse(options.body)
                                   : Object.fromEntries(parameters));

            return fetch(address, options);
        }
    };
}


function sha256(text) {
    return createHash('sha256').update(text).digest('hex');
}


// what a client must be able to do: run(document, variables) gives data, and
// codeOf(error) the code of the first error
async function tour(run, codeOf) {
    assert.match((await run(me)).me.email, /@/);

    const { createPrompt } = await run(create,
        { input: { name: `Client Prompt ${suffix}`, category: 'GENERAL' } });

    assert.equal(createPrompt.name, `client-prompt-${suffix}`);
    assert.ok(!Number.isNaN(Date.parse(createPrompt.createdAt)));

    const { id } = createPrompt;

    assert.equal((await run(prompt, { id })).prompt.id, id);
    assert.equal((await run(remove, { id })).deletePrompt, true);

    await assert.rejects(async () => run(prompt, { id }),
                         (error) => codeOf(error) === 'NOT_FOUND');
}


function apollo(options, recorded = recorder(), http = {}) {
    const link = new HttpLink({ uri: url, headers, fetch: recorded.fetch,
                                ...http });
    const client = new ApolloClient({
        cache: new InMemoryCache(),
        link: options ? new PersistedQueryLink(options).concat(link) : link
    });

    return async (text, variables) => {
        const document = gql(text);
        const { data } = /^mutation/.test(text)
            ? await client.mutate({ mutation: document, variables })
            : await client.query({ query: document, variables,
                                   fetchPolicy: 'no-cache' });

        return data;
    };
}


function apolloCode(error) {
    return CombinedGraphQLErrors.is(error) && error.errors[0].extensions.code;
}


function urql(exchanges, recorded = recorder(), options = {}) {
    const client = new Client({
        url, exchanges: [cacheExchange, ...exchanges, fetchExchange],
        fetch: recorded.fetch, fetchOptions: { headers },
        requestPolicy: 'network-only', preferGetMethod: false, ...options
    });

    return async (text, variables) => {
        const operation = /^mutation/.test(text) ? 'mutation' : 'query';
        const { data, error } = await client[operation](text, variables ?? {})
                                            .toPromise();

        if (error) {
            throw error;
        }

        return data;
    };
}


function urqlCode(error) {
    return error.graphQLErrors?.[0]?.extensions.code;
}


function hashAlone(request) {
    return !request.query && JSON.stringify(request).includes('sha256Hash');
}


let documents = 0;

// The second time a query is sent as its hash, where the endpoint keeps it.
async function twice(run, recorded) {
    const mine = me.replace('Me', `Me_${suffix}_${++documents}`);

    await run(mine);
    await run(mine);
    assert.match((await run(mine)).me.email, /@/);

    const { sent } = recorded;

    assert.ok(hashAlone(sent[0]), 'the hash comes first');
    assert.ok(sent.some(({ query }) => query), 'then the query');
    assert.equal(hashAlone(sent.at(-1)), kept);
}


const tests = {
    'graphql-request': () => {
        const client = new GraphQLClient(url, { headers });

        return tour((text, variables) => client.request(text, variables),
                    (error) => error instanceof ClientError
                               && error.response.errors[0].extensions.code);
    },

    'graphql-request, queries by GET': async () => {
        const client = new GraphQLClient(url, { headers, method: 'GET',
                                                jsonSerializer: JSON });

        assert.match((await client.request(me)).me.email, /@/);
        await assert.rejects(() => client.request(prompt, { id: 'x' }),
                             /NOT_FOUND/);
    },

    'graphql-request, a wrong key': async () => {
        const client = new GraphQLClient(url,
                           { headers: { authorization: 'Bearer nonsense' } });

        await assert.rejects(() => client.request(me),
            ({ response }) => response.status === 401
                && response.errors[0].extensions.code === 'UNAUTHENTICATED');
    },

    'Apollo Client': () => tour(apollo(), apolloCode),

    'Apollo Client, queries by GET': () =>
        tour(apollo(null, recorder(), { useGETForQueries: true }), apolloCode),

    'Apollo Client, a wrong key': async () => {
        const run = apollo(null, recorder(),
                           { headers: { authorization: 'Bearer nonsense' } });

        await assert.rejects(() => run(me));
    },

    'Apollo Client, persisted queries': async () => {
        const recorded = recorder();
        const run = apollo({ sha256 }, recorded);

        await twice(run, recorded);
        await tour(run, apolloCode);
    },

    'Apollo Client, persisted queries by GET': async () => {
        const recorded = recorder();
        const run = apollo({ sha256, useGETForHashedQueries: true }, recorded);

        await twice(run, recorded);
        await tour(run, apolloCode);
    },

    'urql': () => tour(urql([]), urqlCode),

    'urql, queries by GET': () =>
        tour(urql([], recorder(), { preferGetMethod: 'force' }), urqlCode),

    'urql, persisted queries': async () => {
        const recorded = recorder();
        const run = urql([persistedExchange({
            preferGetForPersistedQueries: false,
            generateHash: async (text) => sha256(text)
        })], recorded);

        await twice(run, recorded);
        await tour(run, urqlCode);
    },

    'urql, persisted queries by GET': async () => {
        const recorded = recorder();
        const run = urql([persistedExchange({
            preferGetForPersistedQueries: 'force',
            generateHash: async (text) => sha256(text)
        })], recorded);

        await twice(run, recorded);
        await tour(run, urqlCode);
    },

    'introspection as code generators ask for it': async () => {
        const client = new GraphQLClient(url, { headers });
        const written = fs.readFileSync(
            new URL('../../../schema.graphql', import.meta.url), 'utf8');

        for (const options of [{}, { descriptions: false },
                               { specifiedByUrl: true, schemaDescription: true,
                                 directiveIsRepeatable: true,
                                 inputValueDeprecation: true,
                                 oneOf: true }])
        {
            const data = await client.request(getIntrospectionQuery(options));

            assert.deepEqual(validateSchema(buildClientSchema(data)), []);

            if (options.oneOf) {
                assert.equal(
                    printSchema(lexicographicSortSchema(
                        buildClientSchema(data))),
                    printSchema(lexicographicSortSchema(
                        buildSchema(written))));
            }
        }

        parse(printSchema(buildSchema(written)));
    }
};

let failed = 0;

for (const [name, test] of Object.entries(tests)) {
    try {
        await test();
        console.log(`ok ${name}`);
    } catch (error) {
        failed++;
        console.log(`not ok ${name}: ${error.message.replace(/\s+/g, ' ')
                                           .slice(0, 300)}`);

        if (process.env.VERBOSE) {
            console.log(error);
        }
    }
}

process.exitCode = failed === 0 ? 0 : 1;
