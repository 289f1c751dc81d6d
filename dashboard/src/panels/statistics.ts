// Statistics of a period: of each bucket, and of all together (percentiles do
// not add up).

import { useMemo } from "preact/hooks";
import { graphql } from "../data/graphql.ts";
import { useQuery } from "../data/query.ts";
import { type Bucket, before, fill, type Span } from "./period.ts";
import { NOTHING, type Total, TotalFields } from "./total.ts";

const Statistics = graphql(
    `
    query Statistics(
        $promptId: ID
        $model: String
        $since: DateTime!
        $by: StatisticsInterval!
        $before: DateTime!
        $beforeUntil: DateTime!
    ) {
        statistics(promptId: $promptId, model: $model, since: $since, by: $by) {
            start
            succeeded
            ...TotalFields
        }
        before: statistics(
            promptId: $promptId
            model: $model
            since: $before
            until: $beforeUntil
            by: ALL
        ) {
            ...TotalFields
        }
        total: statistics(
            promptId: $promptId
            model: $model
            since: $since
            by: ALL
        ) {
            ...TotalFields
        }
    }
`,
    [TotalFields],
);

export function useStatistics(
    span: Span,
    promptId?: string,
    model?: string,
): {
    buckets: Bucket[] | undefined;
    total: Total;
    /** of the period before */
    before: Total;
    state: ReturnType<typeof useQuery>;
} {
    const { since, until } = useMemo(() => before(span), [span]);
    const state = useQuery(Statistics, {
        promptId: promptId ?? null,
        model: model || null,
        since: span.since,
        by: span.by,
        before: since,
        beforeUntil: until,
    });
    const data = state.data.value;
    const buckets = useMemo(
        () => data && fill(span, data.statistics),
        [data, span],
    );

    return {
        buckets,
        total: data?.total[0] ?? NOTHING,
        before: data?.before[0] ?? NOTHING,
        state: state as ReturnType<typeof useQuery>,
    };
}
