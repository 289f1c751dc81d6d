// Statistics of a period: of each bucket, and of all together (percentiles do
// not add up).

import { useMemo } from "preact/hooks";
import { graphql } from "../data/graphql.ts";
import { useQuery } from "../data/query.ts";
import type { Total } from "./charts.tsx";
import { type Bucket, fill, type Period, type Span, spanOf } from "./period.ts";

const Statistics = graphql(`
    query Statistics(
        $promptId: ID
        $model: String
        $since: DateTime!
        $by: StatisticsInterval!
    ) {
        statistics(promptId: $promptId, model: $model, since: $since, by: $by) {
            start
            executions
            succeeded
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
        total: statistics(
            promptId: $promptId
            model: $model
            since: $since
            by: ALL
        ) {
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
    }
`);

const NOTHING: Total = {
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

/** The period up to now; the same until another one is chosen. */
export function useSpan(period: Period): Span {
    return useMemo(() => spanOf(period, Date.now()), [period]);
}

export function useStatistics(
    span: Span,
    promptId?: string,
    model?: string,
): {
    buckets: Bucket[] | undefined;
    total: Total;
    state: ReturnType<typeof useQuery>;
} {
    const state = useQuery(Statistics, {
        promptId: promptId ?? null,
        model: model || null,
        since: span.since,
        by: span.by,
    });
    const data = state.data.value;
    const buckets = useMemo(
        () => data && fill(span, data.statistics),
        [data, span],
    );

    return {
        buckets,
        total: data?.total[0] ?? NOTHING,
        state: state as ReturnType<typeof useQuery>,
    };
}
