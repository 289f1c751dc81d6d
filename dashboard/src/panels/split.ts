// Statistics split by what was run: each group's total, now and in the period
// before, and the largest of them by the hour or day.

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { query } from "../data/client.ts";
import { type ApiError, isAbort, toApiError } from "../data/errors.ts";
import { graphql, type TadaDocumentNode } from "../data/graphql.ts";
import { type Bucket, before, fill, type Span } from "./period.ts";
import { NOTHING, type Total, TotalFields } from "./total.ts";

export type By = "PROMPT" | "MODEL" | "VERSION" | "LABEL" | "KEY";

const GroupTotals = graphql(
    `
    query GroupTotals(
        $promptId: ID
        $since: DateTime!
        $before: DateTime!
        $beforeUntil: DateTime!
        $groupBy: StatisticsGroup!
    ) {
        now: statistics(
            promptId: $promptId
            since: $since
            by: ALL
            groupBy: $groupBy
        ) {
            group
            ...TotalFields
        }
        before: statistics(
            promptId: $promptId
            since: $before
            until: $beforeUntil
            by: ALL
            groupBy: $groupBy
        ) {
            group
            ...TotalFields
        }
    }
`,
    [TotalFields],
);

const GroupBuckets = graphql(
    `
    query GroupBuckets(
        $promptId: ID
        $since: DateTime!
        $until: DateTime
        $by: StatisticsInterval!
        $groupBy: StatisticsGroup!
    ) {
        statistics(
            promptId: $promptId
            since: $since
            until: $until
            by: $by
            groupBy: $groupBy
        ) {
            start
            succeeded
            group
            ...TotalFields
        }
    }
`,
    [TotalFields],
);

/** rows of an answer */
const MOST = 1000;

/** groups that have a series of their own */
const DRAWN = 4;

export interface Group {
    /** an id, a number, a name; null: of what has none */
    group: string | null;
    total: Total;
    before: Total;
    /** of those that are drawn */
    buckets?: Bucket[];
}

export interface Split {
    groups: readonly Group[] | undefined;
    error: ApiError | undefined;
    reload: () => void;
}

type Rows = readonly (Bucket & { group: string | null })[];

/** All buckets, in as many answers as their rows take. */
async function bucketsOf(
    span: Span,
    by: By,
    promptId: string | null,
    groups: number,
    signal: AbortSignal,
): Promise<Rows> {
    const together = Math.max(1, Math.floor(MOST / Math.max(1, groups)));
    const { starts } = span;
    const asked = [];

    for (let at = 0; at < starts.length; at += together) {
        const until = starts[at + together];

        asked.push(
            query(
                GroupBuckets as TadaDocumentNode<{ statistics: Rows }, unknown>,
                {
                    promptId,
                    since: new Date(starts[at] ?? 0).toISOString(),
                    until:
                        until === undefined
                            ? null
                            : new Date(until).toISOString(),
                    by: span.by,
                    groupBy: by,
                },
                { signal },
            ),
        );
    }

    return (await Promise.all(asked)).flatMap(({ statistics }) => statistics);
}

async function read(
    span: Span,
    by: By,
    promptId: string | null,
    signal: AbortSignal,
): Promise<Group[]> {
    const { since, until } = before(span);
    const answer = await query(
        GroupTotals,
        {
            promptId,
            since: span.since,
            before: since,
            beforeUntil: until,
            groupBy: by,
        },
        { signal },
    );
    const then = new Map(answer.before.map((one) => [one.group, one]));
    const groups: Group[] = answer.now
        .map((total) => ({
            group: total.group,
            total,
            before: then.get(total.group) ?? NOTHING,
        }))
        .sort(
            (a, b) =>
                Number(b.total.costUsd) - Number(a.total.costUsd) ||
                b.total.executions - a.total.executions,
        );

    // an hour or day may have all groups in it
    if (groups.length > 0 && groups.length <= MOST / 10) {
        const rows = await bucketsOf(span, by, promptId, groups.length, signal);

        for (const one of groups.slice(0, DRAWN)) {
            one.buckets = fill(
                span,
                rows.filter(({ group }) => group === one.group),
            );
        }
    }

    return groups;
}

/** by: undefined asks nothing. */
export function useSplit(
    span: Span,
    by: By | undefined,
    promptId: string | null,
): Split {
    const groups = useSignal<readonly Group[] | undefined>(undefined);
    const error = useSignal<ApiError | undefined>(undefined);
    const times = useSignal(0);

    useEffect(() => {
        const mine = new AbortController();

        groups.value = undefined;
        error.value = undefined;

        if (by !== undefined) {
            read(span, by, promptId, mine.signal)
                .then((all) => {
                    groups.value = all;
                })
                .catch((thrown) => {
                    if (!mine.signal.aborted && !isAbort(thrown)) {
                        error.value = toApiError(thrown);
                    }
                });
        }

        return () => mine.abort();
    }, [span, by, promptId, times.value]);

    return {
        groups: groups.value,
        error: error.value,
        reload: () => {
            times.value++;
        },
    };
}
