import { expect, test } from "vitest";
import { Heights } from "./heights.ts";

test("rows that nobody saw are as the first ones were", () => {
    const heights = new Heights(50);

    expect(heights.sum(0, 10)).toBe(500);
    heights.put(0, [40, 60, 80]);
    expect(heights.sum(0, 3)).toBe(180);
    expect(heights.of(3)).toBe(60);
    heights.put(3, [100]);
    expect(heights.sum(0, 5)).toBe(340);
});

test("a place is a row, whatever the heights", () => {
    const heights = new Heights(10);

    heights.put(0, [10, 30, 10]);
    expect([0, 9, 10, 39, 40, 50].map((y) => heights.at(y, 100))).toEqual([
        0, 0, 1, 1, 2, 3,
    ]);
    expect(heights.at(1e6, 7)).toBe(7);
    expect(heights.at(-5, 7)).toBe(0);
    heights.forget();
    expect(heights.at(39, 100)).toBe(3);
});
