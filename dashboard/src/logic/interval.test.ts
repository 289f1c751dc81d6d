import { expect, test } from "vitest";
import { compare, meanInterval, rateInterval } from "./interval.ts";

test("a rate", () => {
    // R: prop.test(10, 100, correct = FALSE)
    expect(rateInterval(10, 100)?.low).toBeCloseTo(0.05522914, 6);
    expect(rateInterval(10, 100)?.high).toBeCloseTo(0.1743657, 6);
    expect(rateInterval(0, 10)?.low).toBe(0);
    expect(rateInterval(0, 10)?.high).toBeCloseTo(0.2775328, 6);
    expect(rateInterval(10, 10)?.high).toBeCloseTo(1, 9);
    expect(rateInterval(0, 0)).toBeNull();
});

test("a mean", () => {
    // sd of 1, 2, 3, 4, 5 is sqrt(2.5)
    const { value, low, high } = meanInterval([1, 2, 3, 4, 5]) ?? {
        value: 0,
        low: 0,
        high: 0,
    };

    expect(value).toBe(3);
    expect(low).toBeCloseTo(3 - 1.385904, 5);
    expect(high).toBeCloseTo(3 + 1.385904, 5);
    expect(meanInterval([])).toBeNull();
    expect(meanInterval([7])?.high).toBe(Number.POSITIVE_INFINITY);
});

test("whether a difference is noise", () => {
    const rate = rateInterval;

    expect(compare(rate(5, 100), rate(6, 100))).toBe("noise");
    expect(compare(rate(5, 100), rate(30, 100))).toBe("less");
    expect(compare(rate(300, 1000), rate(50, 1000))).toBe("more");
    expect(compare(rate(1, 1), rate(0, 1))).toBe("noise");
    expect(compare(rate(0, 0), rate(0, 1))).toBeNull();
    expect(compare(meanInterval([1]), meanInterval([9]))).toBe("noise");
    expect(compare(meanInterval([1, 1, 1]), meanInterval([2, 2, 2]))).toBe(
        "less",
    );
});
