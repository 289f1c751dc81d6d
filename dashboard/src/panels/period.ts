// Periods that people choose, and the buckets of statistics in them: the
// service leaves out hours and days in which nothing was run, a chart does not.

export const PERIODS = ["24h", "7d", "30d", "90d"] as const;

export type Period = (typeof PERIODS)[number];

export const PERIOD_NAMES: Record<Period, string> = {
    "24h": "24 h",
    "7d": "7 d",
    "30d": "30 d",
    "90d": "90 d",
};

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

export interface Span {
    period: Period;
    by: "HOUR" | "DAY";
    /** Where the first bucket begins, ISO 8601. */
    since: string;
    /** Beginnings of all buckets, ms since 1970. */
    starts: number[];
}

export function isPeriod(text: string | null | undefined): text is Period {
    return (PERIODS as readonly string[]).includes(text ?? "");
}

/** The buckets of a period that ends now; the last one is not over. */
export function spanOf(period: Period, now: number): Span {
    const hours = period === "24h";
    const step = hours ? HOUR : DAY;
    const count = hours ? 24 : Number.parseInt(period, 10);
    const last = Math.floor(now / step) * step;
    const starts = Array.from(
        { length: count },
        (_, i) => last - (count - 1 - i) * step,
    );

    return {
        period,
        by: hours ? "HOUR" : "DAY",
        since: new Date(starts[0] ?? last).toISOString(),
        starts,
    };
}

/** The time before a span, as long as what there is of it. */
export function before(span: Span): { since: string; until: string } {
    const begin = span.starts[0] ?? 0;

    return {
        since: new Date(2 * begin - Date.now()).toISOString(),
        until: new Date(begin).toISOString(),
    };
}

export interface Bucket {
    start: string;
    executions: number;
    succeeded: number;
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

/** A bucket for each beginning; where the service had none, an empty one. */
export function fill(span: Span, buckets: readonly Bucket[]): Bucket[] {
    const byStart = new Map(
        buckets.map((bucket) => [Date.parse(bucket.start), bucket]),
    );

    return span.starts.map(
        (start) =>
            byStart.get(start) ?? {
                start: new Date(start).toISOString(),
                executions: 0,
                succeeded: 0,
                failed: 0,
                tokenIn: 0,
                tokenOut: 0,
                costUsd: "0",
                costUnknown: 0,
                latencyP50Ms: null,
                latencyP95Ms: null,
            },
    );
}

/** The name of a bucket: an hour in the reader's zone, or a day in UTC. */
export function bucketName(span: Span, start: number): string {
    if (span.by === "HOUR") {
        return new Date(start).toLocaleString([], {
            weekday: "short",
            hour: "2-digit",
            minute: "2-digit",
        });
    }

    return new Date(start).toLocaleDateString([], {
        month: "short",
        day: "numeric",
        timeZone: "UTC",
    });
}

/** The same at an axis: a time, or a date. */
export function axisName(span: Span, start: number): string {
    return span.by === "HOUR"
        ? new Date(start).toLocaleTimeString([], {
              hour: "2-digit",
              minute: "2-digit",
          })
        : bucketName(span, start);
}

/** Round numbers from 0 that reach max, least or more apart, about four. */
export function niceTicks(max: number, least = 0): number[] {
    if (!(max > 0) || !Number.isFinite(max)) {
        return [0, 1];
    }

    const rough = Math.max(max / 4, least);
    const power = 10 ** Math.floor(Math.log10(rough));
    const factor = [1, 2, 5, 10].find((each) => each * power >= rough) ?? 10;
    const step = factor * power;
    const ticks = [0];

    while ((ticks.at(-1) ?? 0) < max * (1 - 1e-9)) {
        // 3 * 0.1 is not 0.3: the digits of a step are enough
        ticks.push(Number((ticks.length * step).toPrecision(12)));
    }

    return ticks;
}
