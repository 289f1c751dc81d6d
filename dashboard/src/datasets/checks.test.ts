import { describe, expect, test } from "vitest";
import { faultsOf, readChecks, writeChecks } from "./checks.ts";

describe("checks", () => {
    test("come back as they were", () => {
        const text = JSON.stringify([
            { name: "a", type: "equals", value: "1.0" },
            { name: "b", type: "contains", path: "x.0" },
            { name: "c", type: "regex", pattern: "^a$" },
            { name: "f", type: "max_latency", ms: 100 },
            { name: "g", type: "judge", promptId: "p", label: "l" },
        ]);

        expect(JSON.parse(writeChecks(readChecks(text)).text)).toEqual(
            JSON.parse(text),
        );
    });

    test("JSON stays as it is written", () => {
        const text =
            '[{"name":"a","type":"json_equals","value":{"n":1.10}},' +
            '{"name":"b","type":"json_schema","schema":{"maximum":1e2}}]';

        expect(writeChecks(readChecks(text)).text).toBe(text);
    });

    test("money is sent as a text", () => {
        const text = '[{"name":"a","type":"max_cost","usd":0.10}]';

        expect(readChecks(text)[0]?.members.usd).toBe("0.10");
        expect(writeChecks(readChecks(text)).text).toContain('"usd":"0.10"');
    });

    test("members of another type are not sent", () => {
        expect(
            writeChecks([
                {
                    name: "a",
                    type: "max_cost",
                    members: { usd: "1", path: "x" },
                },
            ]).text,
        ).toBe('[{"name":"a","type":"max_cost","usd":"1"}]');
    });

    test("what is wrong with them", () => {
        expect(
            Object.keys(
                faultsOf(
                    [
                        { name: " ", type: "equals", members: {} },
                        { name: "a", type: "regex", members: {} },
                        {
                            name: "a",
                            type: "max_cost",
                            members: { usd: "1,5" },
                        },
                        {
                            name: "b",
                            type: "max_latency",
                            members: { ms: "x" },
                        },
                        {
                            name: "c",
                            type: "json_schema",
                            members: { schema: "{" },
                        },
                        { name: "d", type: "contains", members: {} },
                    ],
                    (text) => (text === "{" ? "wrong" : undefined),
                ),
            ),
        ).toEqual([
            "0.name",
            "1.pattern",
            "2.name",
            "2.usd",
            "3.ms",
            "4.schema",
        ]);
    });
});
