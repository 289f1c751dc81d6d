// One execution, with all that is known of it.

import { graphql, type ResultOf } from "../data/graphql.ts";

export const OneExecution = graphql(`
    query OneExecution($id: ID!) {
        execution(id: $id) {
            id
            status
            latencyMs
            tokenIn
            tokenCached
            tokenCacheWrite
            tokenOut
            tokenReasoning
            costUsd
            version
            draft
            model
            label
            attempts
            input
            appended
            output
            error
            finishReason
            traceId
            outputErrors
            providerStatus
            providerMessage
            subject
            metadata
            keyId
            executedBy {
                id
                email
                name
            }
            scores {
                id
                name
                value
                comment
                source
                createdBy {
                    id
                    email
                }
                createdAt
            }
            prompt {
                id
                name
            }
            createdAt
            finishedAt
            toolCalls {
                id
                name
                arguments
            }
        }
    }
`);

export type Execution = NonNullable<ResultOf<typeof OneExecution>["execution"]>;

/** Who ran it is told to the project that paid for it: that one scores it. */
export function isPaidHere({ executedBy }: Execution): boolean {
    return executedBy !== null;
}
