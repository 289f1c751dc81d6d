import { describe, expect, test } from "vitest";
import { parseKeeping } from "../data/raw.ts";
import { partsOf, wholeOf } from "./json-parts.ts";

function texts(text: string, count = 100, from?: number) {
    const whole = wholeOf(text);

    if (whole === undefined) {
        return undefined;
    }

    const { parts, next } = partsOf(text, whole, count, from);

    return {
        parts: parts.map((p) => [p.key, text.slice(p.start, p.end)]),
        next,
    };
}

describe("parts of JSON", () => {
    test("members as they are written", () => {
        expect(
            texts(' { "a" : 1.10 , "b\\"{":[1,{}], "c":"}]\\\\" ,"d":null}\n')
                ?.parts,
        ).toEqual([
            ['"a"', "1.10"],
            ['"b\\"{"', "[1,{}]"],
            ['"c"', '"}]\\\\"'],
            ['"d"', "null"],
        ]);
        expect(texts("[]")?.parts).toEqual([]);
        expect(texts("{ }")?.parts).toEqual([]);
    });

    test("some, then others", () => {
        const some = texts("[1, 2, 3]", 2);

        expect(some?.parts.length).toBe(2);
        expect(texts("[1, 2, 3]", 2, some?.next)).toEqual({
            parts: [[undefined, "3"]],
            next: undefined,
        });
    });

    test("what is none", () => {
        for (const text of [
            "",
            "1",
            '"a"',
            "{",
            "[1",
            '{"a}',
            "{a:1}",
            "[1]x",
        ]) {
            expect(wholeOf(text)).toBeUndefined();
        }
    });

    test("deep, long, and of millions of escapes", () => {
        const size = 4 << 20;
        const before = performance.now();

        expect(wholeOf("[".repeat(size))).toBeUndefined();
        expect(
            wholeOf("[".repeat(size / 2) + "]".repeat(size / 2)),
        ).toBeUndefined();
        expect(texts(`[${"1,".repeat(size / 2)}1]`)?.parts.length).toBe(100);
        expect(texts(`["${"\\n".repeat(size)}"]`)?.parts[0]?.[1]?.length).toBe(
            2 * size + 2,
        );
        expect(performance.now() - before).toBeLessThan(4000);
    });
});

test("an answer with a string of millions of escapes is read", () => {
    const text = `{"output": "${"\\n".repeat(8 << 20)}", "input": {"a": 1.0}}`;

    expect(parseKeeping(text, new Set(["input"]))).toMatchObject({
        input: { text: '{"a": 1.0}' },
    });
});
