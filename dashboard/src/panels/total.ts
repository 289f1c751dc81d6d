// What was run in a time, all together.

import { graphql } from "../data/graphql.ts";

export const TotalFields = graphql(`
    fragment TotalFields on StatisticsBucket {
        executions
        failed
        tokenIn
        tokenCached
        tokenCacheWrite
        tokenOut
        tokenReasoning
        costUsd
        costUnknown
        latencyP50Ms
        latencyP95Ms
    }
`);

export interface Total {
    executions: number;
    failed: number;
    tokenIn: number;
    tokenCached?: number;
    tokenCacheWrite?: number;
    tokenOut: number;
    tokenReasoning?: number;
    costUsd: string;
    costUnknown: number;
    latencyP50Ms: number | null;
    latencyP95Ms: number | null;
}

export const NOTHING: Total = {
    executions: 0,
    failed: 0,
    tokenIn: 0,
    tokenCached: 0,
    tokenCacheWrite: 0,
    tokenOut: 0,
    tokenReasoning: 0,
    costUsd: "0",
    costUnknown: 0,
    latencyP50Ms: null,
    latencyP95Ms: null,
};
