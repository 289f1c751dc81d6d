#!/usr/bin/env node
// Client libraries that subscribe: graphql-sse as it is, and with it Apollo
// Client and urql.  A line for each: "ok NAME", or "not ok NAME: REASON".
//
//     npm ci; PROMPT_API_KEY=... node streams.mjs URL MODEL
//
// MODEL says "one two three", a word at a time.

import assert from 'node:assert/strict';
import { ApolloClient, ApolloLink, InMemoryCache, Observable, gql }
    from '@apollo/client';
import { Client, fetchExchange, subscriptionExchange } from '@urql/core';
import { print } from 'graphql';
import { createClient } from 'graphql-sse';

const [url, model] = process.argv.slice(2);
const headers = { authorization: `Bearer ${process.env.PROMPT_API_KEY}` };
const suffix = Date.now().toString(36);

const text = `subscription Run($id: ID!, $in: JSON!) {
    executePromptStream(promptId: $id, input: $in) {
        delta
        result { output executionId costUsd }
    }
}`;


async function ask(query, variables) {
    const answer = await fetch(url, {
        method: 'POST', body: JSON.stringify({ query, variables }),
        headers: { ...headers, 'content-type': 'application/json' }
    });
    const { data, errors } = await answer.json();

    assert.equal(errors, undefined);

    return data;
}


async function prompt() {
    const { createPrompt } = await ask(
        'mutation ($n: String!) { createPrompt(input: {name: $n}) { id } }',
        { n: `streams-${suffix}` });

    await ask('mutation ($i: CreatePromptVersionInput!) '
              + '{ createPromptVersion(input: $i) { id } }',
              { i: { promptId: createPrompt.id, content: 'x',
                     params: { model } } });

    return createPrompt.id;
}


function sse(more = {}) {
    return createClient({ url, headers, retryAttempts: 0, ...more });
}


// each client: subscribe(variables, next) ends with the stream

const clients = {
    'graphql-sse': async (variables, next) => {
        for await (const result of sse().iterate({ query: text, variables })) {
            next(result);
        }
    },

    'graphql-sse, callbacks': (variables, next) =>
        new Promise((complete, error) => {
            sse().subscribe({ query: text, variables },
                            { next, error, complete });
        }),

    'Apollo Client with graphql-sse': (variables, next) => {
        const client = sse();
        const link = new ApolloLink((operation) => new Observable((sink) =>
            client.subscribe({ query: print(operation.query),
                               variables: operation.variables,
                               operationName: operation.operationName },
                             { next: sink.next.bind(sink),
                               error: sink.error.bind(sink),
                               complete: sink.complete.bind(sink) })));
        const apollo = new ApolloClient({ cache: new InMemoryCache(), link });

        return new Promise((complete, error) => {
            apollo.subscribe({ query: gql(text), variables,
                               errorPolicy: 'all' })
                  .subscribe({
                      next: (result) => next({ ...result,
                          errors: result.error && result.error.errors }),
                      error, complete });
        });
    },

    'urql with graphql-sse': (variables, next) => {
        const client = sse();
        const urql = new Client({
            url, exchanges: [fetchExchange, subscriptionExchange({
                forwardSubscription: (request) => ({
                    subscribe: (sink) => ({
                        unsubscribe: client.subscribe(request, sink)
                    })
                })
            })], preferGetMethod: false
        });

        return new Promise((complete) => {
            const source = urql.subscription(text, variables);
            const { unsubscribe } = source.subscribe((result) => {
                next({ ...result, errors: result.error
                                          && result.error.graphQLErrors });

                if (result.error
                    || result.data.executePromptStream.result)
                {
                    setTimeout(() => { unsubscribe(); complete(); });
                }
            });
        });
    },

    'urql alone': (variables, next) => {
        const urql = new Client({
            url, exchanges: [fetchExchange], fetchSubscriptions: true,
            fetchOptions: { headers }, preferGetMethod: false
        });

        return new Promise((complete) => {
            const source = urql.subscription(text, variables);
            const { unsubscribe } = source.subscribe((result) => {
                next({ ...result, errors: result.error
                                          && result.error.graphQLErrors });

                if (result.error
                    || result.data.executePromptStream.result)
                {
                    setTimeout(() => { unsubscribe(); complete(); });
                }
            });
        });
    }
};


async function collect(subscribe, variables) {
    const deltas = [];
    let result;
    let errors;

    await subscribe(variables, (next) => {
        const event = next.data && next.data.executePromptStream;

        if (next.errors) {
            errors = next.errors;
        } else if (event.result) {
            result = event.result;
        } else {
            deltas.push(event.delta);
        }
    });

    return { deltas, result, errors };
}


const id = await prompt();

for (const [name, subscribe] of Object.entries(clients)) {
    try {
        const sound = await collect(subscribe, { id, in: {} });

        assert.equal(sound.errors, undefined);
        assert.deepEqual(sound.deltas, ['one ', 'two ', 'three']);
        assert.equal(sound.result.output, 'one two three');

        const { errors } = await collect(subscribe, { id: 'x', in: {} });

        assert.equal(errors[0].extensions.code, 'NOT_FOUND');

        console.log(`ok ${name}`);

    } catch (error) {
        console.log(`not ok ${name}: ${error.message.split('\n').join(' ')}`);
    }
}

try {
    await collect((variables, next) => new Promise((complete, error) => {
        sse({ headers: { authorization: 'Bearer none' } })
            .subscribe({ query: text, variables }, { next, error, complete });
    }), { id, in: {} });

    console.log('not ok graphql-sse without a key');

} catch (error) {
    console.log(error.response && error.response.status === 401
                ? 'ok graphql-sse without a key: 401'
                : `not ok graphql-sse without a key: ${error.message}`);
}
