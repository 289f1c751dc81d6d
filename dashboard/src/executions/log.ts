// Executions by pages, and those next to one of them.

import { query } from "../data/client.ts";
import { graphql, type ResultOf } from "../data/graphql.ts";
import { type Pages, usePages } from "../panels/pages.ts";
import { argumentsOf, type Filters } from "./filters.ts";

const PAGE = 100;

const ExecutionRows = graphql(`
    query ExecutionRows(
        $promptId: ID
        $version: Int
        $label: String
        $status: [String!]
        $model: String
        $subject: String
        $since: DateTime
        $first: Int!
        $after: ID
    ) {
        executions(
            promptId: $promptId
            version: $version
            label: $label
            status: $status
            model: $model
            subject: $subject
            since: $since
            first: $first
            after: $after
        ) {
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
            createdAt
            prompt {
                id
                name
            }
        }
    }
`);

export type Row = ResultOf<typeof ExecutionRows>["executions"][number];

export function useLog(filters: Filters, since: string): Pages<Row> {
    return usePages<Row>(
        JSON.stringify(filters),
        PAGE,
        async (after, signal) =>
            (
                await query(
                    ExecutionRows,
                    { ...argumentsOf(filters, since), first: PAGE, after },
                    { signal },
                )
            ).executions,
    );
}

const ExecutionIds = graphql(`
    query ExecutionIds(
        $promptId: ID
        $version: Int
        $label: String
        $status: [String!]
        $model: String
        $subject: String
        $since: DateTime
        $until: DateTime
        $first: Int!
        $after: ID
    ) {
        executions(
            promptId: $promptId
            version: $version
            label: $label
            status: $status
            model: $model
            subject: $subject
            since: $since
            until: $until
            first: $first
            after: $after
        ) {
            id
        }
    }
`);

export interface Neighbours {
    newer: string | undefined;
    older: string | undefined;
}

const MOST = 1000;
const TRIES = 20;

/** The executions beside one, among those that the filters let through. */
export async function neighboursOf(
    { id, createdAt }: { id: string; createdAt: string },
    filters: Filters,
    since: string,
    signal: AbortSignal,
): Promise<Neighbours> {
    const given = argumentsOf(filters, since);
    const [older, newer] = await Promise.all([
        query(ExecutionIds, { ...given, first: 1, after: id }, { signal }),
        newerThan(id, Date.parse(createdAt), given, signal),
    ]);

    return { older: older.executions[0]?.id, newer };
}

/**
 * The log is read from its newer end, so the next newer one is the last of a
 * stretch of time: one that begins with this one, and is made longer until
 * something is in it, and shorter where too much is.
 */
async function newerThan(
    id: string,
    at: number,
    given: ReturnType<typeof argumentsOf>,
    signal: AbortSignal,
): Promise<string | undefined> {
    let length = 60_000;
    let grow = 16;

    for (let tries = 0; tries < TRIES; tries++) {
        const { executions } = await query(
            ExecutionIds,
            {
                ...given,
                since: new Date(at).toISOString(),
                until: new Date(at + length).toISOString(),
                first: MOST,
            },
            { signal },
        );
        const found = executions.findIndex((one) => one.id === id);
        // one that the filters leave out is not among them
        const end = found < 0 ? executions.length : found;

        if (executions.length === MOST && found < 0) {
            length = Math.max(1, Math.floor(length / 8));
            grow = 2;
        } else if (end > 0) {
            return executions[end - 1]?.id;
        } else if (at + length > Date.now() + 60_000) {
            return undefined;
        } else {
            length *= grow;
        }
    }

    return undefined;
}
