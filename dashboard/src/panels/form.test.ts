import { describe, expect, test } from "vitest";
import { type Field, formOf, placeholders } from "./form.ts";
import { readJson, writeJson } from "./json.ts";
import { inputOf, type Values } from "./values.ts";
import { NoForm, valuesOf } from "./values-back.ts";
import { placed } from "./violations.ts";

const form = (
    properties: unknown,
    required: string[] = [],
    more: object = {},
) =>
    formOf(
        JSON.stringify({ type: "object", properties, required, ...more }),
        [],
    );

const kinds = (fields: Field[]) =>
    Object.fromEntries(fields.map((field) => [field.label, field.kind]));

const input = (fields: Field[], values: Values) => {
    const { value, faults } = inputOf(fields, values);

    return [writeJson(value), faults];
};

describe("placeholders", () => {
    test.each([
        ["{{a}} {{ b.c }} {{a}}", [["a"], ["b", "c"]]],
        ["\\{{a}} {{b}}", [["b"]]],
        ["{{tags.0}} }} { {{", [["tags", "0"]]],
        ["{{größe-1}}", [["größe-1"]]],
        ["", []],
    ])("%s", (content, wanted) => {
        expect(placeholders(content)).toEqual(wanted);
    });
});

describe("fields from a schema", () => {
    test("kinds", () => {
        expect(
            kinds(
                form({
                    text: { type: "string" },
                    maybe: { type: ["string", "null"] },
                    day: { type: "string", format: "date" },
                    count: { type: "integer" },
                    ratio: { type: "number" },
                    tone: { enum: ["kind", 2, null] },
                    one: { const: "x" },
                    titled: { oneOf: [{ const: 1, title: "One" }] },
                    flag: { type: "boolean" },
                    nested: {
                        type: "object",
                        properties: { inner: { type: "string" } },
                    },
                    free: { type: "object" },
                    tags: { type: "array", items: { type: "string" } },
                    levels: { type: "array", items: { enum: [1, 2] } },
                    rows: { type: "array", items: { type: "object" } },
                    pairs: { type: "array" },
                    any: {},
                    yes: true,
                    either: { anyOf: [{ type: "string" }, { type: "null" }] },
                    mixed: { type: ["string", "number"] },
                }),
            ),
        ).toEqual({
            text: "text",
            maybe: "text",
            day: "text",
            count: "number",
            ratio: "number",
            tone: "choice",
            one: "choice",
            titled: "choice",
            flag: "boolean",
            nested: "object",
            free: "json",
            tags: "list",
            levels: "list",
            rows: "json",
            pairs: "json",
            any: "json",
            yes: "json",
            either: "json",
            mixed: "json",
        });
    });

    test("references within the schema", () => {
        const more = {
            $defs: {
                Tone: { enum: ["kind", "stern"] },
                Loop: { $ref: "#/$defs/Loop" },
                Deep: {
                    type: "object",
                    properties: { deep: { $ref: "#/$defs/Deep" } },
                },
            },
        };

        expect(
            kinds(
                form(
                    {
                        tone: { $ref: "#/$defs/Tone" },
                        loop: { $ref: "#/$defs/Loop" },
                        deep: { $ref: "#/$defs/Deep" },
                        gone: { $ref: "#/$defs/Gone" },
                        far: { $ref: "https://example.com/x" },
                        proto: { $ref: "#/__proto__" },
                    },
                    [],
                    more,
                ),
            ),
        ).toEqual({
            tone: "choice",
            loop: "json",
            deep: "object",
            gone: "json",
            far: "json",
            proto: "json",
        });
    });

    test("help", () => {
        const [field] = form({
            n: {
                type: "integer",
                title: "Number",
                description: "How many.",
                minimum: 1,
                maximum: 5,
                default: 9007199254740993n.toString(),
            },
        });

        expect(field?.help).toBe(
            'Number: How many. 1 to 5. Default: "9007199254740993"',
        );
    });

    test("digits of numbers", () => {
        const [field] = formOf(
            '{"properties":{"n":{"enum":[9007199254740993,1.10]}}}',
            [],
        );

        expect(field?.kind === "choice" && field.choices).toEqual([
            { label: "9007199254740993", json: "9007199254740993" },
            { label: "1.10", json: "1.10" },
        ]);
    });

    test("odd names", () => {
        const fields = formOf(
            '{"properties":{"__proto__":{"type":"string"},"a.b/c~d":{"type":"string"}}}',
            [],
        );

        expect(input(fields, { "/__proto__": "x", "/a.b~1c~0d": "y" })).toEqual(
            ['{"__proto__":"x","a.b/c~d":"y"}', {}],
        );
    });
});

describe("fields from templates", () => {
    test("without a schema", () => {
        const fields = formOf(null, [
            { content: "{{who.name}} {{tags.0}}" },
            { placeholder: "history" },
            { content: "{{text}} {{who.age}} {{a.b.c.d.e.f}}" },
        ]);

        expect(kinds(fields)).toEqual({
            who: "object",
            tags: "json",
            text: "text",
            a: "object",
            history: "messages",
        });
        expect(fields.every((f) => f.required || f.label === "history")).toBe(
            true,
        );
    });

    test("beside a schema", () => {
        const schema = JSON.stringify({
            properties: {
                who: {
                    type: "object",
                    properties: { name: { type: "string" } },
                },
                history: { type: "array", description: "Said before." },
                tags: { type: "array", items: { type: "string" } },
            },
        });
        const fields = formOf(schema, [
            { content: "{{who.name}} {{who.age}} {{tags.0}} {{more}}" },
            { placeholder: "history" },
        ]);

        expect(kinds(fields)).toEqual({
            who: "object",
            history: "messages",
            tags: "list",
            more: "text",
        });
        expect(fields[1]?.help).toBe("Said before.");
        expect(
            fields[0]?.kind === "object" &&
                fields[0].fields.map((f) => [f.label, f.required]),
        ).toEqual([
            ["name", false],
            ["age", true],
        ]);
    });

    test.each(["true", "[]", "3", '{"properties":[]}', '{"type":"array"}'])(
        "a schema that has no fields: %s",
        (schema) => {
            expect(formOf(schema, [])).toEqual([]);
        },
    );
});

describe("values become an input", () => {
    const fields = form(
        {
            text: { type: "string" },
            note: { type: "string" },
            n: { type: "integer" },
            f: { type: "number" },
            tone: { enum: ["kind", "stern"] },
            flag: { type: "boolean" },
            on: { type: "boolean", default: true },
            who: {
                type: "object",
                properties: { name: { type: "string" }, x: { type: "number" } },
                required: ["name"],
            },
            tags: { type: "array", items: { type: "integer" } },
            any: {},
        },
        ["text", "flag"],
    );

    test("nothing typed", () => {
        expect(input(fields, {})).toEqual(['{"text":"","flag":false}', {}]);
    });

    test("everything typed", () => {
        expect(
            input(fields, {
                "/text": 'a "b"\n',
                "/n": "9007199254740993",
                "/f": " 0.10 ",
                "/tone": '"stern"',
                "/flag": "true",
                "/on": "false",
                "/who/x": "-1e5",
                "/tags": ["1", "02"],
                "/any": '{"b": 1, "a": [1.0]}',
            }),
        ).toEqual([
            '{"text":"a \\"b\\"\\n","n":9007199254740993,"f":0.10,"tone":"stern","flag":true,"on":false,"who":{"name":"","x":-1e5},"tags":[1,null],"any":{"b":1,"a":[1.0]}}',
            { "/tags/1": "This is not a number." },
        ]);
    });

    test("what is wrong", () => {
        expect(
            inputOf(fields, {
                "/n": "1.5",
                "/f": "0,5",
                "/any": "{\n x }",
            }).faults,
        ).toEqual({
            "/n": "A whole number is needed.",
            "/f": "Write the number with a point: 0.5",
            "/any": "Line 2: This is no JSON.",
        });
    });

    test("required ones", () => {
        const required = form(
            {
                n: { type: "integer" },
                tone: { enum: ["a"] },
                any: {},
                d: { type: "integer", default: 3 },
                nil: { type: ["integer", "null"] },
                text: { type: ["string", "null"] },
                list: { type: "array", items: { type: "string" } },
                who: { type: "object", properties: { a: {} } },
            },
            ["n", "tone", "any", "d", "nil", "text", "list", "who"],
        );

        expect(input(required, { "/n": "x" })).toEqual([
            '{"d":3,"nil":null,"text":null,"list":[],"who":{}}',
            {
                "/n": "This is not a number.",
                "/tone": "Choose one.",
                "/any": "A value is needed.",
            },
        ]);
    });

    test("history", () => {
        const chat = formOf(null, [{ placeholder: "history" }]);

        expect(
            input(chat, { "/history": [{ role: "user", content: "Hi" }] }),
        ).toEqual(['{"history":[{"role":"user","content":"Hi"}]}', {}]);
        expect(input(chat, {})).toEqual(["{}", {}]);
    });
});

describe("an input becomes values", () => {
    const schema = JSON.stringify({
        properties: {
            text: { type: "string" },
            n: { type: "number" },
            tone: { enum: ["kind", 1] },
            flag: { type: "boolean" },
            who: { type: "object", properties: { name: { type: "string" } } },
            tags: { type: "array", items: { type: "string" } },
            any: {},
        },
    });
    const fields = formOf(schema, [{ placeholder: "history" }]);

    test.each([
        "{}",
        '{"text":"","flag":false}',
        '{"text":"x","n":1.0,"tone":1,"flag":true,"who":{"name":"y"},"tags":["a",""],"any":{"a":[1]},"history":[{"role":"user","content":"c"}]}',
    ])("there and back: %s", (text) => {
        const values = valuesOf(fields, readJson(text));

        // an empty optional text is none
        expect(writeJson(inputOf(fields, values).value)).toBe(
            text.replace('"text":"",', ""),
        );
    });

    test.each([
        ["[]", "JSON object"],
        ['{"x":1}', 'no field "x"'],
        ['{"who":{"x":1}}', 'no field "who.x"'],
        ['{"text":1}', 'value of "text"'],
        ['{"n":"1"}', 'value of "n"'],
        ['{"tone":"other"}', 'value of "tone"'],
        ['{"flag":null}', 'value of "flag"'],
        ['{"tags":[1]}', 'value of "tags.0"'],
        ['{"tags":"a"}', 'value of "tags"'],
        ['{"history":[{"role":"tool","content":""}]}', "history.0"],
        ['{"history":[{"role":"user","content":"","x":1}]}', "history.0"],
    ])("not in the form: %s", (text, message) => {
        expect(() => valuesOf(fields, readJson(text))).toThrow(NoForm);
        expect(() => valuesOf(fields, readJson(text))).toThrow(message);
    });
});

describe("violations", () => {
    const fields = form(
        {
            customer: {
                type: "object",
                properties: { email: { type: "string" } },
            },
            tags: { type: "array", items: { type: "string" } },
            any: {},
        },
        [],
    );

    test("each at its field", () => {
        const violations = [
            { field: "email", keyword: "required", message: "needed" },
            { field: "customer.email", keyword: "format", message: "second" },
            { field: "tags.2", keyword: "type", message: "text" },
            { field: "any.x.y", keyword: "type", message: "deep" },
            { field: "elsewhere", keyword: "required", message: "other" },
            null,
        ];

        expect(placed(fields, "Wrong.", { violations })).toEqual({
            faults: {
                "/customer/email": "needed",
                "/tags/2": "text",
                "/any": "deep",
            },
            others: ["other"],
        });
    });

    test("a field alone, and none", () => {
        expect(placed(fields, "Wrong.", { field: "tags" })).toEqual({
            faults: { "/tags": "Wrong." },
            others: [],
        });
        expect(placed(fields, "Wrong.", { field: "input" }).others).toEqual([
            "Wrong.",
        ]);
        expect(placed(fields, "Wrong.", undefined).others).toEqual(["Wrong."]);
    });
});
