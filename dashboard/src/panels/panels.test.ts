import { describe, expect, test } from "vitest";
import { changeText } from "./change.tsx";
import {
    jsonPlace,
    laidOut,
    objectFault,
    prettyJson,
    readJson,
    toJson,
    writeJson,
} from "./json.ts";
import { compareMoney, subtractMoney } from "./money.ts";
import { type Bucket, fill, niceTicks, spanOf } from "./period.ts";
import { named } from "./plot.ts";
import { candidates, mostExpensive, mostFailures } from "./rank.ts";
import { tokensText } from "./tokens.ts";

describe("JSON", () => {
    test("layout keeps every digit", () => {
        expect(
            prettyJson('{"a":[],"b":{},"c":[1,{"d":12345678901234567890.10}]}'),
        ).toBe(
            '{\n  "a": [],\n  "b": {},\n  "c": [\n    1,\n    {\n' +
                '      "d": 12345678901234567890.10\n    }\n  ]\n}',
        );
    });

    test.each([
        "{}",
        '{"a":1}',
        '{"a":[1,{"b":null}],"c":"\\n"}',
        '{"a":[]}',
        "1.0",
        "[true]",
    ])("read and written: %s", (text) => {
        expect(writeJson(readJson(text))).toBe(text);
    });

    test.each([
        ["[]", 0, 1],
        ["1", 0, 1],
        ["{", 0, 1],
        ['{"a"', 3, 4],
        ['{"a":', 4, 5],
        ['{"a":1,}', 7, 8],
        ['{"a":01}', 6, 7],
        ['{"a":[1,]}', 8, 9],
        ['{"a":1}}', 7, 8],
        ["{a:1}", 1, 2],
        ['{"a":"\\x"}', 5, 9],
        ["{\"a\":'1'}", 5, 6],
        ['{"a":[1}', 7, 8],
        ['{"a":tru}', 5, 6],
        ['{"a":1 "b":2}', 7, 10],
        ['{"a":1,"a":2}', 7, 10],
        ['{"a":"open}', 5, 11],
        ["", 0, 0],
    ])("not an object: %s", (text, start, end) => {
        expect(objectFault(text)).toMatchObject({ start, end });
    });

    test("nesting has an end", () => {
        expect(objectFault(`{"a":${"[".repeat(5000)}`)?.message).toContain(
            "64 deep",
        );
    });

    test("what JSON.parse() gave", () => {
        const text = '{"a":[1,"x",null,true],"b":{"c":0.1}}';

        expect(writeJson(toJson(JSON.parse(text)))).toBe(text);
    });

    test.each([
        ["", [], false, false],
        ["{ ", [], true, true],
        ['{ "a": ', ["a"], false, true],
        ['{ "a": { "b": ', ["a", "b"], false, true],
        ['{ "a": [{ ', ["a", 0], true, true],
        ['{ "a": [1], ', [], true, true],
    ])("the place at the end of %s", (text, path, key, inside) => {
        expect(jsonPlace(text)).toEqual({ path, key, inside });
    });
});

describe("money", () => {
    test("differences and order", () => {
        expect(subtractMoney("1", "0.9")).toBe("0.1");
        expect(subtractMoney("0.05", "0.1")).toBe("-0.05");
        expect(subtractMoney("1", "-1")).toBe("2");
        expect(["10", "9.99", "0.1", "0.10", "-1"].sort(compareMoney)).toEqual([
            "-1",
            "0.1",
            "0.10",
            "9.99",
            "10",
        ]);
    });
});

describe("periods", () => {
    const now = Date.UTC(2026, 10, 22, 15, 30);

    test("hours of a day", () => {
        const span = spanOf("24h", now);

        expect(span.by).toBe("HOUR");
        expect(span.starts).toHaveLength(24);
        expect(span.since).toBe("2026-11-21T16:00:00.000Z");
        expect(span.starts.at(-1)).toBe(Date.UTC(2026, 10, 22, 15));
    });

    test.each([
        ["7d", 7, "2026-11-16"],
        ["30d", 30, "2026-10-24"],
        ["90d", 90, "2026-08-25"],
    ] as const)("days of %s", (period, count, first) => {
        const span = spanOf(period, now);

        expect(span.by).toBe("DAY");
        expect(span.starts).toHaveLength(count);
        expect(span.since).toBe(`${first}T00:00:00.000Z`);
    });

    test("gaps", () => {
        const span = spanOf("7d", now);
        const [empty] = fill(span, []) as [Bucket];
        const bucket = {
            ...empty,
            start: "2026-11-20T00:00:00.000Z",
            executions: 3,
        };

        expect(fill(span, [bucket]).map((one) => one.executions)).toEqual([
            0, 0, 0, 0, 3, 0, 0,
        ]);
        expect(empty?.latencyP50Ms).toBeNull();
    });

    test.each([
        [0, [0, 1]],
        [1, [0, 0.5, 1]],
        [7, [0, 2, 4, 6, 8]],
        [0.003, [0, 0.001, 0.002, 0.003]],
        [100, [0, 50, 100]],
        [Number.NaN, [0, 1]],
    ])("ticks up to %d", (max, ticks) => {
        expect(niceTicks(max)).toEqual(ticks);
    });

    test("ticks of counts", () => {
        expect(niceTicks(1, 1)).toEqual([0, 1]);
        expect(niceTicks(3, 1)).toEqual([0, 1, 2, 3]);
    });
});

describe("rankings", () => {
    const one = (id: string, costUsd: string, failed = 0) => ({
        id,
        name: id,
        executions: 10,
        failed,
        costUsd,
    });
    const some = [
        one("a", "0.1"),
        one("b", "3"),
        one("c", "0.02", 4),
        one("d", "0"),
    ];

    test("the most expensive, provably", () => {
        expect(mostExpensive(some, { costUsd: "3.12" }, 2)).toEqual({
            top: [some[1], some[0]],
            exact: true,
            rest: "0",
        });
        expect(mostExpensive(some, { costUsd: "3.2" }, 2).exact).toBe(true);
        expect(mostExpensive(some, { costUsd: "3.23" }, 2)).toMatchObject({
            exact: false,
            rest: "0.11",
        });
    });

    test("too few of them", () => {
        expect(mostExpensive(some, { costUsd: "3.13" }).exact).toBe(false);
        expect(mostExpensive(some, { costUsd: "3.0" })).toMatchObject({
            exact: true,
            rest: "0",
        });
    });

    test("what fails", () => {
        expect(mostFailures(some, { failed: 4 })).toMatchObject({
            top: [some[2]],
            exact: true,
        });
    });

    test("candidates", () => {
        const ran = (id: string, costUsd: string | null = null) => ({
            prompt: { id, name: id },
            costUsd,
        });
        const chosen = (most: number) =>
            candidates(
                [
                    { prompt: null, costUsd: "9" },
                    ...["a", "a"].map((id) => ran(id)),
                    ran("b", "3"),
                    ran("c", "1"),
                    ran("a"),
                ],
                [ran("d"), ran("c"), ran("d")],
                most,
            ).map(({ id }) => id);

        expect(chosen(3)).toEqual(["b", "d", "a"]);
        expect(chosen(9)).toEqual(["b", "d", "a", "c"]);
    });
});

describe("tokens", () => {
    test("tell their parts, where there are any", () => {
        expect(tokensText({ tokenIn: null, tokenOut: 5 })).toBe("– in, 5 out");
        expect(
            tokensText({
                tokenIn: 1000,
                tokenCached: 800,
                tokenCacheWrite: 0,
                tokenOut: 500,
                tokenReasoning: 300,
            }),
        ).toBe("1,000 (800 cached) in, 500 (300 reasoning) out");
    });
});

describe("JSON in what is said", () => {
    test("is laid out; anything else stays", () => {
        expect(laidOut('{"a":[1.0]}')).toBe('{\n  "a": [\n    1.0\n  ]\n}');
        expect(laidOut('{"a":')).toBe('{"a":');
        expect(laidOut("")).toBe("");
    });
});

describe("changes against the period before", () => {
    test("in percent, or in words", () => {
        expect(changeText(112, 100)).toBe("+12 %");
        expect(changeText(50, 100)).toBe("−50 %");
        expect(changeText(0, 3)).toBe("−100 %");
        expect(changeText(5000, 1)).toBe("+499,900 %");
        expect(changeText(1000, 1001)).toBe("±0 %");
        expect(changeText(7, 7)).toBe("±0 %");
        expect(changeText(7, 0)).toBe("new");
        expect(changeText(0, 0)).toBeUndefined();
    });
});

describe("names at an axis", () => {
    test("are apart, and not cut off at the edge", () => {
        for (const count of [7, 24, 30, 90]) {
            for (const plot of [150, 190, 560, 1100]) {
                for (const widest of [32, 46, 60]) {
                    const each = plot / (count + 0.2);
                    const at = named(count, each, widest);
                    const middles = at.map((i) => (i + 0.6) * each);

                    expect(at.length, `${count} ${plot}`).toBeGreaterThan(1);
                    expect((middles.at(-1) ?? 0) + widest / 2).toBeLessThan(
                        plot + 14.5,
                    );

                    for (const [i, middle] of middles.entries()) {
                        expect(
                            middle - (middles[i - 1] ?? -widest),
                        ).toBeGreaterThan(widest);
                    }
                }
            }
        }
    });
});
