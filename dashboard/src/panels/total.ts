// What was run in a time, all together.

import { sumMoney } from "../data/format.ts";
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

/** An execution; tokens that nobody asked for are none. */
interface Ran {
    status: string;
    latencyMs: number | null;
    tokenIn?: number | null;
    tokenOut?: number | null;
    costUsd: string | null;
}

function percentile(sorted: readonly number[], part: number): number | null {
    return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? null;
}

/** What rows are together. */
export function totalOf(rows: readonly Ran[]): Total {
    const latencies = rows
        .flatMap(({ latencyMs }) => (latencyMs === null ? [] : [latencyMs]))
        .sort((a, b) => a - b);
    const costs = rows.flatMap(({ costUsd }) =>
        costUsd === null ? [] : [costUsd],
    );
    const sum = (name: "tokenIn" | "tokenOut") =>
        rows.reduce((all, one) => all + (one[name] ?? 0), 0);

    return {
        ...NOTHING,
        executions: rows.length,
        failed: rows.filter(({ status }) => status === "failed").length,
        tokenIn: sum("tokenIn"),
        tokenOut: sum("tokenOut"),
        costUsd: sumMoney(costs),
        costUnknown: rows.length - costs.length,
        latencyP50Ms: percentile(latencies, 0.5),
        latencyP95Ms: percentile(latencies, 0.95),
    };
}
