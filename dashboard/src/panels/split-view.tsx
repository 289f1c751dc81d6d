// Statistics split by what was run: charts of the largest groups, a table of
// all of them.

import { useMemo } from "preact/hooks";
import { money, number } from "../data/format.ts";
import { pathTo } from "../paths.ts";
import { type Column, ErrorNote, Skeleton, Table } from "../ui/index.ts";
import { Change } from "./change.tsx";
import { Chart, dollars, plain, seconds } from "./charts.tsx";
import { latencyText } from "./latency.ts";
import { useGroupNames } from "./names.ts";
import type { Bucket, Period, Span } from "./period.ts";
import type { Series } from "./plot.ts";
import type { By, Group, Split } from "./split.ts";
import { figuresOf } from "./totals.tsx";

type Name = (group: string | null) => string;

const CHARTS = [
    {
        title: "Cost",
        whole: false,
        format: dollars,
        of: (one: Bucket) => Number(one.costUsd),
        read: (one: Bucket) => money(one.costUsd),
    },
    {
        title: "Latency p50",
        whole: false,
        format: seconds,
        of: (one: Bucket) => one.latencyP50Ms,
        read: (one: Bucket) => latencyText(one.latencyP50Ms),
    },
    {
        title: "Tokens",
        whole: true,
        format: plain,
        of: (one: Bucket) => one.tokenIn + one.tokenOut,
        read: (one: Bucket) => number(one.tokenIn + one.tokenOut),
    },
    {
        title: "Failures",
        whole: true,
        format: plain,
        of: (one: Bucket) => one.failed,
        read: (one: Bucket) => `${one.failed} of ${number(one.executions)}`,
    },
] as const;

function GroupCharts({
    span,
    groups,
    nameOf,
}: {
    span: Span;
    groups: readonly Group[];
    nameOf: Name;
}) {
    const drawn = groups.filter((one) => one.buckets !== undefined);
    const names = drawn.map(({ group }) => nameOf(group));
    const key = names.join("\n");
    const series = useMemo(
        () =>
            CHARTS.map(({ of }) =>
                drawn.map(
                    ({ buckets = [] }, i): Series => ({
                        name: names[i] ?? "",
                        colour: ((i % 4) + 1) as Series["colour"],
                        values: buckets.map(of),
                    }),
                ),
            ),
        [groups, key],
    );

    if (drawn.length === 0) {
        return null;
    }

    return (
        <section class="charts" aria-label="Charts">
            {CHARTS.map(({ title, whole, format, read }, at) => (
                <Chart
                    key={title}
                    {...{ title, span, whole, format }}
                    series={series[at] ?? []}
                    read={(i, which) => {
                        const bucket = drawn[which]?.buckets?.[i];

                        return bucket ? read(bucket) : "–";
                    }}
                    summary={`Of ${names.join(", ")}.`}
                />
            ))}
        </section>
    );
}

/** Where a group's executions are. */
function linkOf(
    by: By,
    group: string | null,
    promptId: string | null,
    period: Period,
): string | undefined {
    const prompt = promptId ?? undefined;

    if (group === null) {
        return undefined;
    }

    switch (by) {
        case "PROMPT":
            return pathTo("executions", {}, { period, prompt: group });

        case "MODEL":
            return pathTo("executions", {}, { period, prompt, model: group });

        case "LABEL":
            return pathTo("executions", {}, { period, prompt, label: group });

        case "VERSION":
            return pathTo("executions", {}, { period, prompt, version: group });

        default:
            return undefined;
    }
}

function columnsOf(
    title: string,
    nameOf: Name,
    link: (group: string | null) => string | undefined,
): Column<Group>[] {
    const figures = (one: Group) => figuresOf(one.total);

    return [
        {
            name: title,
            header: true,
            grow: true,
            cell: ({ group }) => {
                const href = link(group);

                return href ? (
                    <a class="row-name" href={href}>
                        {nameOf(group)}
                    </a>
                ) : (
                    nameOf(group)
                );
            },
        },
        ...["Executions", "Failed", "Cost", "Latency p50", "Tokens"].map(
            (name, at): Column<Group> => ({
                name,
                numeric: true,
                priority: ([2, 1, 0, 2, 3] as const)[at] ?? 0,
                cell: (one) => {
                    const figure = figures(one)[at];

                    return (
                        figure && (
                            <>
                                {figure.value}{" "}
                                <Change
                                    now={figure.of(one.total)}
                                    before={figure.of(one.before)}
                                    moreIs={figure.moreIs}
                                />
                            </>
                        )
                    );
                },
            }),
        ),
    ];
}

export function SplitView({
    span,
    by,
    title,
    promptId,
    split: { groups, error, reload },
}: {
    span: Span;
    by: By;
    /** of the table's first column */
    title: string;
    promptId: string | null;
    split: Split;
}) {
    const nameOf = useGroupNames(
        by,
        (groups ?? []).map(({ group }) => group),
    );

    if (error) {
        return <ErrorNote error={error} onRetry={reload} />;
    }

    if (groups === undefined) {
        return <Skeleton lines={6} />;
    }

    if (groups.length === 0) {
        return <p class="muted">Nothing was run in this period.</p>;
    }

    return (
        <>
            <GroupCharts {...{ span, groups, nameOf }} />
            <Table
                label={`By ${title.toLowerCase()}`}
                rows={groups}
                rowKey={({ group }) => group ?? ""}
                columns={columnsOf(title, nameOf, (group) =>
                    linkOf(by, group, promptId, span.period),
                )}
            />
        </>
    );
}
