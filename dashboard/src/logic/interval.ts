// How sure figures of a sample are: intervals of 95 %, and whether a difference
// is more than chance makes.

export interface Interval {
    value: number;
    low: number;
    high: number;
}

const Z = 1.959964;

/** Of a rate, k of n: Wilson's. */
export function rateInterval(k: number, n: number): Interval | null {
    if (n === 0) {
        return null;
    }

    const p = k / n;
    const z2 = Z * Z;
    const middle = (p + z2 / (2 * n)) / (1 + z2 / n);
    const half =
        (Z * Math.sqrt((p * (1 - p)) / n + z2 / (4 * n * n))) / (1 + z2 / n);

    return {
        value: p,
        low: Math.max(0, middle - half),
        high: Math.min(1, middle + half),
    };
}

/** Of a mean: the normal one; of one value nothing is known. */
export function meanInterval(values: readonly number[]): Interval | null {
    const n = values.length;

    if (n === 0) {
        return null;
    }

    const value = values.reduce((sum, one) => sum + one, 0) / n;
    const half =
        n < 2
            ? Number.POSITIVE_INFINITY
            : Z *
              Math.sqrt(
                  values.reduce((sum, one) => sum + (one - value) ** 2, 0) /
                      (n - 1) /
                      n,
              );

    return { value, low: value - half, high: value + half };
}

export type Verdict = "more" | "less" | "noise";

/**
 * Whether one is more or less than the other, from their intervals (Newcombe):
 * noise where the interval of the difference has 0 in it.
 */
export function compare(
    one: Interval | null,
    other: Interval | null,
): Verdict | null {
    if (one === null || other === null) {
        return null;
    }

    const difference = one.value - other.value;
    const low =
        difference - Math.hypot(one.value - one.low, other.high - other.value);
    const high =
        difference + Math.hypot(one.high - one.value, other.value - other.low);

    return low > 0 ? "more" : high < 0 ? "less" : "noise";
}
