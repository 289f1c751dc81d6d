import { expect, test } from "vitest";
import { namesOf, wouldFail } from "./fails.ts";

const version = (content: string, schema?: object) => ({
    content,
    messages: [],
    inputSchema: schema ? JSON.stringify(schema) : null,
});

const properties = (properties: object, required: string[] = []) => ({
    type: "object",
    properties,
    required,
});

const fields = (before: object, after: object) =>
    wouldFail(
        version("", properties(before)),
        version("", properties(after)),
    ).map(({ field }) => field);

test("a placeholder without value, and one that had it", () => {
    expect(wouldFail(version("{{a}}"), version("{{a}} {{b.c}}"))).toEqual([
        { field: "b.c", why: "is a placeholder that needs a value" },
    ]);
    expect(wouldFail(version("{{a}} {{b}}"), version("{{a}}"))).toEqual([]);

    // optional where the schema lists it
    expect(
        wouldFail(
            version("x"),
            version("{{b}}", properties({ b: { type: "string" } })),
        ),
    ).toEqual([]);
});

test("required, with and without default", () => {
    const a = { type: "object" };
    const before = version("", properties({ a, b: {} }, ["a"]));
    const after = (b: object) => version("", properties({ a, b }, ["a", "b"]));

    expect(wouldFail(before, after({}))).toEqual([
        { field: "b", why: "is required and has no default" },
    ]);
    expect(wouldFail(before, after({ default: 1 }))).toEqual([]);
    expect(wouldFail(after({}), before)).toEqual([]);
    expect(
        wouldFail(
            before,
            version("", properties({ a: properties({ c: {} }, ["c"]) }, ["a"])),
        ),
    ).toEqual([{ field: "a.c", why: "is required and has no default" }]);

    // what the text needed before was always given
    expect(
        wouldFail(version("{{a}}"), version("", properties({ a: {} }, ["a"]))),
    ).toEqual([]);
});

test("types and choices that are less", () => {
    expect(fields({ a: {} }, { a: { type: "string" } })).toEqual(["a"]);
    expect(
        fields({ a: { type: "integer" } }, { a: { type: "number" } }),
    ).toEqual([]);
    expect(
        fields({ a: { type: "number" } }, { a: { type: "integer" } }),
    ).toEqual(["a"]);
    expect(
        fields({ a: { type: "string" } }, { a: { type: ["string", "null"] } }),
    ).toEqual([]);
    expect(
        wouldFail(
            version("", properties({ a: { enum: ["x", "y"] } })),
            version("", properties({ a: { enum: ["y", "z"] } })),
        ),
    ).toEqual([{ field: "a", why: 'does not take "x" any more' }]);
    expect(fields({ a: { enum: ["x"] } }, { a: { enum: ["x", "y"] } })).toEqual(
        [],
    );
    expect(fields({ a: {} }, { a: { const: 1 } })).toEqual(["a"]);
});

test("what is not taken any more", () => {
    expect(
        wouldFail(
            version("", properties({ a: {}, b: {} })),
            version("", {
                ...properties({ a: {} }),
                additionalProperties: false,
            }),
        ),
    ).toEqual([{ field: "b", why: "is not taken any more" }]);
});

test("names of texts and histories", () => {
    expect(
        namesOf({
            content: "{{a}} {{b.c}} {{a}}",
            messages: [
                { role: "USER", content: "{{d}}", images: ["{{e}}"] },
                { placeholder: "talk" },
            ],
            inputSchema: null,
        }),
    ).toEqual(["d", "e", "a", "b.c", "talk"]);
});
