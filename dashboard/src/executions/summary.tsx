// The region "Summary": what the filters let through, in figures.  Statistics
// have them where they know the filters; else the log is read, and counted.

import { signal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { query } from "../data/client.ts";
import { type ApiError, isAbort, toApiError } from "../data/errors.ts";
import { number } from "../data/format.ts";
import { graphql, type ResultOf } from "../data/graphql.ts";
import { NOTHING, type Total, TotalFields, totalOf } from "../panels/total.ts";
import { CostUnknown, Totals } from "../panels/totals.tsx";
import { Button, ErrorNote, Skeleton } from "../ui/index.ts";
import { argumentsOf, type Filters } from "./filters.ts";

const FilteredTotal = graphql(
    `
    query FilteredTotal(
        $promptId: ID
        $model: String
        $label: String
        $since: DateTime!
        $groupBy: StatisticsGroup
    ) {
        statistics(
            promptId: $promptId
            model: $model
            label: $label
            since: $since
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

const FiguresOfRows = graphql(`
    query FiguresOfRows(
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
            tokenOut
            costUsd
        }
    }
`);

type Figures = ResultOf<typeof FiguresOfRows>["executions"][number];

const PAGE = 1000;

/** rows that are counted unasked */
const UNASKED = 10_000;

/** The total of a group of statistics; undefined: they do not know the filters. */
async function fromStatistics(
    filters: Filters,
    since: string,
    signal: AbortSignal,
): Promise<Total | undefined> {
    const { status, subject, version, label, prompt, model } = filters;

    if (status || subject || version === "0") {
        return undefined;
    }

    const group = prompt ? version : "";

    try {
        const { statistics } = await query(
            FilteredTotal,
            {
                promptId: prompt || null,
                model: model || null,
                label: label || null,
                since,
                groupBy: group ? "VERSION" : null,
            },
            { signal },
        );

        return (
            statistics.find((one) => group === "" || one.group === group) ??
            NOTHING
        );
    } catch (thrown) {
        // more groups than there can be in an answer
        if (group !== "" && toApiError(thrown).code === "BAD_USER_INPUT") {
            return undefined;
        }

        throw thrown;
    }
}

function counting(filters: Filters, since: string) {
    const total = signal<Total | undefined>(undefined);
    /** so many were counted, and there are more */
    const partly = signal(false);
    const error = signal<ApiError | undefined>(undefined);
    let running = new AbortController();
    const rows: Figures[] = [];

    async function count(most: number) {
        const { signal } = running;

        for (;;) {
            const { executions } = await query(
                FiguresOfRows,
                {
                    ...argumentsOf(filters, since),
                    first: PAGE,
                    after: rows.at(-1)?.id ?? null,
                },
                { signal },
            );

            rows.push(...executions);
            partly.value = executions.length === PAGE;

            if (!partly.value || rows.length >= most) {
                total.value = totalOf(rows);
                return;
            }
        }
    }

    async function read(most: number) {
        running.abort();
        running = new AbortController();

        const mine = running;

        error.value = undefined;

        try {
            const known =
                rows.length === 0
                    ? await fromStatistics(filters, since, mine.signal)
                    : undefined;

            if (known) {
                total.value = known;
            } else {
                await count(most);
            }
        } catch (thrown) {
            if (running === mine && !isAbort(thrown)) {
                error.value = toApiError(thrown);
            }
        }
    }

    return {
        total,
        partly,
        error,
        read: () => void read(UNASKED),
        readAll: () => void read(Number.POSITIVE_INFINITY),
        stop: () => running.abort(),
    };
}

/** times: another number counts anew. */
export function Summary({
    filters,
    since,
    times,
}: {
    filters: Filters;
    since: string;
    times: number;
}) {
    const key = JSON.stringify([filters, since, times]);
    const state = useMemo(() => counting(filters, since), [key]);
    const total = state.total.value;
    const error = state.error.value;

    useEffect(() => {
        state.read();
        return state.stop;
    }, [state]);

    return (
        <section class="stack tight" aria-label="Summary">
            {error ? (
                <ErrorNote error={error} onRetry={state.read} />
            ) : total ? (
                <>
                    <Totals total={total} />
                    <CostUnknown total={total} />
                    {state.partly.value && (
                        <p class="muted small-text row">
                            Of the newest {number(total.executions)}.
                            <Button small onClick={state.readAll}>
                                Count all of them
                            </Button>
                        </p>
                    )}
                </>
            ) : (
                <Skeleton lines={2} />
            )}
        </section>
    );
}
