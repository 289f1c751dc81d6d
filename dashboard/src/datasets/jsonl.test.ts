import { describe, expect, test } from "vitest";
import { readLines, together, writeLine } from "./jsonl.ts";

describe("lines", () => {
    test("what is written comes back as it was", () => {
        const text = [
            '{"input":{"n":1.10,"t":"a\\nb"},"expected":"x","metadata":{"k":1e3}}',
            '{"input":{},"expected":0}',
            '{"input":{"a":[]}}',
            "",
        ].join("\n");
        const { items, wrong, numbers } = readLines(text);

        expect(wrong).toEqual([]);
        expect(numbers).toEqual([1, 2, 3]);
        expect(items.map(writeLine).join("")).toBe(text);
    });

    test("null is nothing, empty lines and line ends do not count", () => {
        const { items, numbers } = readLines(
            '\uFEFF\r\n{"input": {}, "expected": null, "metadata": null}\r\n\n',
        );

        expect(numbers).toEqual([2]);
        expect(items.map(writeLine)).toEqual(['{"input":{}}\n']);
    });

    test("what is wrong is named by its line", () => {
        const { wrong } = readLines(
            [
                "{",
                "[]",
                "7",
                "{}",
                '{"input": 1}',
                '{"input": []}',
                '{"input": {}, "metadata": "m"}',
                '{"input": {}, "else": 1}',
                '{"input": {}}',
            ].join("\n"),
        );

        expect(wrong.map(({ line }) => line)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
        expect(wrong[7]?.why).toContain('"else"');
    });

    test("requests are neither too many items nor too large", () => {
        const small = readLines('{"input": {}}\n'.repeat(2500)).items;
        const large = readLines(
            `{"input": {"a": "${"x".repeat(300_000)}"}}\n`.repeat(3),
        ).items;

        expect(together(small, 0)).toBe(1000);
        expect(together(small, 2400)).toBe(100);
        expect(together(large, 0)).toBe(1);
    });
});
