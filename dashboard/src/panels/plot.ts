// A chart on a canvas: uPlot with this page's colours, which change with the
// theme, and axes of round numbers.

import uPlot from "uplot";
import { niceTicks } from "./period.ts";

export interface Series {
    name: string;
    /** --series-N of app.css */
    colour: 1 | 2 | 3 | 4;
    values: (number | null)[];
    /** a bar a bucket, or a line through them */
    bars?: boolean;
}

export interface Plotted {
    /** beginnings of the buckets, ms */
    starts: readonly number[];
    series: readonly Series[];
    /** values are counts: there is nothing between two of them */
    whole: boolean;
    /** how values stand at the axis */
    format: (value: number) => string;
    /** the name of a bucket at the axis */
    bucket: (start: number) => string;
    /** the pointer is over this bucket; null: over none */
    onPoint: (index: number | null) => void;
}

const HEIGHT = 170;

function colour(name: string): string {
    return getComputedStyle(document.documentElement)
        .getPropertyValue(name)
        .trim();
}

function seriesOf({ name, colour: n, bars }: Series): uPlot.Series {
    const property = `--series-${n}`;

    return {
        label: name,
        stroke: () => colour(property),
        ...(bars ? { fill: () => colour(property) } : {}),
        width: bars ? 0 : 1.75,
        spanGaps: false,
        points: { show: !bars, size: 4, fill: () => colour(property) },
        ...(bars && uPlot.paths.bars
            ? { paths: uPlot.paths.bars({ size: [0.72, 28], radius: 0.12 }) }
            : {}),
    };
}

function largest(series: readonly Series[]): number {
    let most = 0;

    for (const { values } of series) {
        for (const value of values) {
            most = Math.max(most, value ?? 0);
        }
    }

    return most;
}

const SIZE = 12;
const GAP = 10;
const PADDING = 14;

/** Widths of texts in the page's font. */
function measure(font: string): (text: string) => number {
    const context = document.createElement("canvas").getContext("2d");

    if (context) {
        context.font = font;
    }

    return (text) =>
        context?.measureText(text).width ?? text.length * SIZE * 0.6;
}

/**
 * Buckets with a name at the axis: as many as there is room for, counted from
 * the last whose name is not cut off at the edge.
 */
export function named(count: number, each: number, widest: number): number[] {
    const every = Math.max(1, Math.ceil((widest + GAP) / each));
    // its half beside the middle of its bucket
    const over = widest / 2 - each * 0.4 - PADDING;
    const last = count - 1 - Math.max(0, Math.ceil(over / each));

    return Array.from({ length: count }, (_, i) => i).filter(
        (i) => i <= last && (last - i) % every === 0,
    );
}

/** Draws into host; gives what takes it away. */
export function plot(host: HTMLElement, data: Plotted): () => void {
    const count = data.starts.length;
    const ticks = niceTicks(largest(data.series), data.whole ? 1 : 0);
    const font = `${SIZE}px ${getComputedStyle(document.body).fontFamily}`;
    const width = measure(font);
    const names = data.starts.map(data.bucket);
    const widest = Math.max(...names.map(width));
    const left = Math.ceil(
        Math.max(...ticks.map((tick) => width(data.format(tick)))) + GAP,
    );
    const axis = {
        stroke: () => colour("--muted"),
        font,
        ticks: { show: false },
    };
    const chart = new uPlot(
        {
            width: Math.max(host.clientWidth, 120),
            height: HEIGHT,
            legend: { show: false },
            cursor: {
                y: false,
                drag: { x: false, y: false },
                points: { size: 7 },
            },
            padding: [8, PADDING, 0, 0],
            scales: {
                x: { time: false, range: () => [-0.6, count - 0.4] },
                y: { range: () => [0, ticks.at(-1) ?? 1] },
            },
            series: [{}, ...data.series.map(seriesOf)],
            axes: [
                {
                    ...axis,
                    size: 26,
                    grid: { show: false },
                    splits: (self) =>
                        named(
                            count,
                            (self.width - left - PADDING) / (count + 0.2),
                            widest,
                        ),
                    values: (_, splits) => splits.map((i) => names[i] ?? ""),
                },
                {
                    ...axis,
                    size: left,
                    gap: 4,
                    grid: { stroke: () => colour("--line"), width: 1 },
                    splits: () => ticks,
                    values: (_, splits) => splits.map(data.format),
                },
            ],
            hooks: {
                setCursor: [
                    (self) => {
                        const index = self.cursor.idx;

                        data.onPoint(
                            index == null || (self.cursor.left ?? -1) < 0
                                ? null
                                : index,
                        );
                    },
                ],
            },
        },
        [data.starts.map((_, i) => i), ...data.series.map((one) => one.values)],
        host,
    );

    // what is drawn says nothing to a screen reader: the figure does
    chart.root.setAttribute("aria-hidden", "true");

    const resized = new ResizeObserver(() => {
        const width = Math.max(host.clientWidth, 120);

        if (width !== chart.width) {
            chart.setSize({ width, height: HEIGHT });
        }
    });

    resized.observe(host);

    return () => {
        resized.disconnect();
        chart.destroy();
    };
}
