// Four charts of what was run in a period, and the same as a table.

import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { compact, duration, money, number } from "../data/format.ts";
import { adoptSheet, Money } from "../ui/index.ts";
import { theme } from "../ui/theme.ts";
import css from "./charts.sheet.css";
import { latencyText } from "./latency.ts";
import { axisName, type Bucket, bucketName, type Span } from "./period.ts";
import { plot, type Series } from "./plot.ts";
import { tokensIn, tokensOut } from "./tokens.ts";
import type { Total } from "./total.ts";

adoptSheet(css);

interface ChartProps {
    title: string;
    span: Span;
    series: readonly Series[];
    whole?: boolean;
    format: (value: number) => string;
    /** a series' value of a bucket, exactly */
    read: (bucket: number, series: number) => string;
    /** all of it in one sentence */
    summary: string;
}

/** System and choice: either makes other colours. */
function useDarkness(): string {
    const system = useSignal(false);

    useEffect(() => {
        const dark = matchMedia("(prefers-color-scheme: dark)");
        const changed = () => {
            system.value = dark.matches;
        };

        changed();
        dark.addEventListener("change", changed);
        return () => dark.removeEventListener("change", changed);
    }, [system]);

    return `${theme.value} ${system.value}`;
}

export function Chart({
    title,
    span,
    series,
    whole = false,
    format,
    read,
    summary,
}: ChartProps) {
    const host = useRef<HTMLDivElement>(null);
    const point = useSignal<number | null>(null);
    const darkness = useDarkness();

    useEffect(() => {
        if (host.current === null) {
            return;
        }

        return plot(host.current, {
            starts: span.starts,
            series,
            whole,
            format,
            bucket: (start) => axisName(span, start),
            onPoint: (index) => {
                point.value = index;
            },
        });
    }, [span, series, whole, format, darkness]);

    const at = point.value;
    const start = at === null ? undefined : span.starts[at];

    return (
        <figure class="chart" aria-label={`${title}. ${summary}`}>
            <div class="chart-head" aria-hidden="true">
                <h3>{title}</h3>
                <div class="chart-read">
                    {start !== undefined && bucketName(span, start)}
                    {series.map((one, i) => (
                        <span key={one.name} class={`chart-key s${one.colour}`}>
                            <span>
                                {one.name}
                                {at !== null && ` ${read(at, i)}`}
                            </span>
                        </span>
                    ))}
                </div>
            </div>
            <div class="chart-plot" ref={host} />
        </figure>
    );
}

function seriesOf(buckets: readonly Bucket[]) {
    const all = <K extends keyof Bucket>(name: K) =>
        buckets.map((bucket) => bucket[name]);
    const bars = true;

    return {
        cost: [
            {
                name: "US dollars",
                colour: 1,
                bars,
                values: all("costUsd").map(Number),
            },
        ],
        latency: [
            { name: "p50", colour: 1, values: all("latencyP50Ms") },
            { name: "p95", colour: 2, values: all("latencyP95Ms") },
        ],
        tokens: [
            { name: "in", colour: 1, values: all("tokenIn") },
            { name: "out", colour: 3, values: all("tokenOut") },
        ],
        failures: [{ name: "failed", colour: 4, bars, values: all("failed") }],
    } satisfies Record<string, Series[]>;
}

export const plain = (value: number) => compact(value);
export const seconds = (value: number) =>
    value === 0 ? "0" : duration(Math.round(value));
export const dollars = (value: number) =>
    value === 0 ? "$0" : money(value.toFixed(12).replace(/\.?0+$/, ""));

/** total: of all buckets together. */
export function Charts({
    span,
    buckets,
    total,
}: {
    span: Span;
    buckets: readonly Bucket[];
    total: Total;
}) {
    const each = span.by === "HOUR" ? "hour" : "day";
    const series = useMemo(() => seriesOf(buckets), [buckets]);

    return (
        <section aria-label="Charts">
            <div class="charts">
                <Chart
                    title={`Cost per ${each}`}
                    span={span}
                    series={series.cost}
                    format={dollars}
                    read={(i) => money(buckets[i]?.costUsd ?? "0")}
                    summary={`$${total.costUsd} in all.`}
                />
                <Chart
                    title="Latency"
                    span={span}
                    series={series.latency}
                    format={seconds}
                    read={(i, which) =>
                        latencyText(
                            buckets[i]?.[
                                which === 0 ? "latencyP50Ms" : "latencyP95Ms"
                            ] ?? null,
                        )
                    }
                    summary={`Half took at most ${latencyText(total.latencyP50Ms)}, 95 of 100 at most ${latencyText(total.latencyP95Ms)}.`}
                />
                <Chart
                    title="Tokens"
                    span={span}
                    series={series.tokens}
                    whole
                    format={plain}
                    read={(i, which) =>
                        number(
                            buckets[i]?.[
                                which === 0 ? "tokenIn" : "tokenOut"
                            ] ?? 0,
                        )
                    }
                    summary={`${number(total.tokenIn)} in and ${number(total.tokenOut)} out.`}
                />
                <Chart
                    title="Failures"
                    span={span}
                    series={series.failures}
                    whole
                    format={plain}
                    read={(i) =>
                        `${number(buckets[i]?.failed ?? 0)} of ${number(buckets[i]?.executions ?? 0)}`
                    }
                    summary={`${number(total.failed)} of ${number(total.executions)} executions.`}
                />
            </div>
            <details class="numbers">
                <summary>The numbers as a table</summary>
                <Numbers span={span} buckets={buckets} />
            </details>
        </section>
    );
}

function Numbers({
    span,
    buckets,
}: {
    span: Span;
    buckets: readonly Bucket[];
}) {
    return (
        <section
            class="table-frame"
            aria-label="Numbers of the charts"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
            tabIndex={0}
        >
            <table>
                <thead>
                    <tr>
                        <th scope="col">
                            {span.by === "HOUR" ? "Hour" : "Day (UTC)"}
                        </th>
                        {[
                            "Executions",
                            "Failed",
                            "Cost",
                            "p50",
                            "p95",
                            "Tokens in",
                            "Tokens out",
                        ].map((name) => (
                            <th key={name} scope="col" class="numeric">
                                {name}
                            </th>
                        ))}
                    </tr>
                </thead>
                <tbody>
                    {buckets.map((one) => (
                        <tr key={one.start}>
                            <th scope="row" class="nowrap" title={one.start}>
                                {bucketName(span, Date.parse(one.start))}
                            </th>
                            <td class="numeric">{number(one.executions)}</td>
                            <td class="numeric">{number(one.failed)}</td>
                            <td class="numeric">
                                <Money usd={one.costUsd} />
                            </td>
                            <td class="numeric">
                                {latencyText(one.latencyP50Ms)}
                            </td>
                            <td class="numeric">
                                {latencyText(one.latencyP95Ms)}
                            </td>
                            <td class="numeric" title={tokensIn(one)}>
                                {number(one.tokenIn)}
                            </td>
                            <td class="numeric" title={tokensOut(one)}>
                                {number(one.tokenOut)}
                            </td>
                        </tr>
                    ))}
                </tbody>
            </table>
        </section>
    );
}
