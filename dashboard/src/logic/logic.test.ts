import { describe, expect, test } from "vitest";
import { deriveSchema, offersOf, unlisted } from "./derive.ts";
import { keepDraft, readDraft } from "./draft.ts";
import {
    compactJson,
    formatJson,
    nodeAt,
    readJson,
    setMember,
} from "./json.ts";
import { labelFault } from "./label.ts";
import {
    contentFaults,
    fromApi,
    messagesText,
    moved,
    toApi,
    toInput,
} from "./messages.ts";
import { paramsFaults, readField, writeField } from "./params.ts";
import { bytes, characters, offsetOf, positionOf } from "./position.ts";
import { schemaFaults } from "./schema.ts";
import { openPlaceholder, pathsOf, readTemplate } from "./template.ts";

describe("positions", () => {
    test("are counted in characters and all kinds of lines", () => {
        expect(positionOf("a\r\nb😀{{", 6)).toEqual({ line: 2, column: 3 });
        expect(positionOf("a\rb\nc", 4)).toEqual({ line: 3, column: 1 });
        expect(offsetOf("a\r\nb😀{{", 2, 3)).toBe(6);
        expect(offsetOf("a", 9, 9)).toBe(1);
        expect(characters("a😀b")).toBe(3);
        expect(bytes("aé€😀")).toBe(1 + 2 + 3 + 4);
    });
});

describe("templates", () => {
    test("placeholders of all forms", () => {
        expect(
            pathsOf("{{a}} {{ b.c }} {{tags.0}} {{a}} {{\u00a0ü-1\u00a0}}"),
        ).toEqual(["a", "b.c", "tags.0", "ü-1"]);
    });

    test("what is literal", () => {
        for (const text of [
            "\\{{a}}",
            "\\\\{{a}}",
            "}}",
            "{a}",
            "a } } { b",
            "\\{{{x}}",
        ]) {
            expect(readTemplate(text).placeholders).toEqual([]);
            expect(readTemplate(text).faults).toEqual([]);
        }

        expect(pathsOf("\\{{{{x}}")).toEqual(["x"]);
    });

    test.each([
        ["{{{a}}}", '"{{{" is not allowed'],
        ["{{}}", "placeholder without a name"],
        ["{{  }}", "placeholder without a name"],
        ["{{a", "unclosed placeholder"],
        ["{{a  ", "unclosed placeholder"],
        ["{{", "unclosed placeholder"],
        ["{{a b}}", "ill-formed placeholder"],
        ["{{a.}}", "ill-formed placeholder"],
        ["{{.a}}", "ill-formed placeholder"],
        ["{{a}b}}", "ill-formed placeholder"],
    ])("%s is refused", (text, message) => {
        const { faults } = readTemplate(`x\n😀 ${text}`);

        expect(faults[0]?.message).toBe(`Line 2, column 3: ${message}.`);
    });

    test("what follows a fault is read, too", () => {
        const template = readTemplate("{{}} {{a}} {{b c}} {{d}}");

        expect(template.faults).toHaveLength(2);
        expect(template.placeholders.map((p) => p.path)).toEqual(["a", "d"]);
    });

    test("a megabyte of faults ends early, one of placeholders does not", () => {
        const faults = readTemplate("{{ ".repeat(1 << 18)).faults;

        expect(faults).toHaveLength(100);
        expect(
            readTemplate("{{a}} { ".repeat(150_000)).placeholders,
        ).toHaveLength(150_000);
    });

    test("what is being typed", () => {
        expect(openPlaceholder("a {{ na", 7)).toEqual({ from: 5, typed: "na" });
        expect(openPlaceholder("{{", 2)).toEqual({ from: 2, typed: "" });
        expect(openPlaceholder("{{a}} b", 7)).toBe(null);
        expect(openPlaceholder("\\{{a", 4)).toBe(null);
        expect(openPlaceholder("", 0)).toBe(null);
        expect(openPlaceholder("x", 1)).toBe(null);
    });
});

describe("JSON", () => {
    test("keeps what was written", () => {
        const text =
            ' { "a" : 9007199254740993, "b":1.50,"c":"\\u00e9\\/" , "d":[1e2]}';
        const { node, faults } = readJson(text);

        expect(faults).toEqual([]);
        expect(node && compactJson(text, node)).toBe(
            '{"a":9007199254740993,"b":1.50,"c":"\\u00e9\\/","d":[1e2]}',
        );
        expect(formatJson(text)).toBe(
            '{\n  "a": 9007199254740993,\n  "b": 1.50,\n  "c": "\\u00e9\\/",\n  "d": [1e2]\n}',
        );
    });

    test.each([
        ['{"a":1,}', "Line 1, column 8: } stands where a name"],
        ['{"a"\n1}', "Line 2, column 1: 1 stands where a colon"],
        ["[1 2]", "Line 1, column 4: 2 stands where a comma or ]"],
        ["nope", "Line 1, column 1: nope stands where a value"],
        ["[1", "The text ends where a comma or ]"],
        ['"a', "This string is not closed"],
        ['"\\x"', "no escape of JSON"],
        ["1 2", "where the end of the text"],
        ["", "The text ends where a value"],
        ["01", "where the end of the text"],
        ["[".repeat(65), "nested 64 deep"],
    ])("%s is refused", (text, message) => {
        const { node, faults } = readJson(text);

        expect(node).toBe(null);
        expect(faults[0]?.message).toContain(message);
    });

    test.each([
        ['{"a":1,"a":2}', "comes twice"],
        ["[9223372036854775808]", "cannot be stored exactly"],
        ["[1e999]", "cannot be stored exactly"],
        ["[1e-999]", "cannot be stored exactly"],
        ['["\\u0000"]', "U+0000"],
        ['["\\ud800"]', "Half a character"],
    ])("%s has a fault", (text, message) => {
        const { node, faults } = readJson(text);

        expect(node).not.toBe(null);
        expect(faults[0]?.message).toContain(message);
    });

    test("numbers that can be kept", () => {
        expect(
            readJson("[9223372036854775807,-9223372036854775808,0.1,-0,0e5]")
                .faults,
        ).toEqual([]);
    });

    test("members are set, added and taken out, the rest stays", () => {
        const text = '{\n    "a" :1.0,\n    "b": [ 1,2 ]\n}\n';

        expect(setMember(text, "a", "2")).toBe(text.replace("1.0", "2"));
        expect(setMember(text, "c", '"x"')).toBe(
            '{\n    "a" :1.0,\n    "b": [ 1,2 ],\n    "c": "x"\n}\n',
        );
        expect(setMember(text, "a", null)).toBe('{\n    "b": [ 1,2 ]\n}\n');
        expect(setMember(text, "b", null)).toBe('{\n    "a" :1.0\n}\n');
        expect(setMember('{"a":1}', "a", null)).toBe("{}");
        expect(setMember('{"a":1}', "b", "2")).toBe('{"a":1,"b": 2}');
        expect(setMember("", "b", "2")).toBe('{\n  "b": 2\n}');
        expect(setMember("[", "b", "2")).toBe("[");
    });

    test("places by the server's paths", () => {
        const text = '{"a.b":{"c":[1,{"d":2}]}}';
        const { node } = readJson(text);
        const at = (path: string) => {
            const found = node && nodeAt(node, path);

            return found && text.slice(found.from, found.to);
        };

        expect(at("a.b.c.1.d")).toBe("2");
        expect(at("a.b.c.7")).toBe('[1,{"d":2}]');
        expect(at("")).toBe(text);
    });
});

describe("params", () => {
    const text =
        '{"model": "gpt-4o", "temperature": 0.70, "seed": 12345678901234567}';

    test("fields show what is written, and write nothing else", () => {
        expect(readField(text, "temperature")).toBe("0.70");
        expect(readField(text, "model")).toBe("gpt-4o");
        expect(readField(text, "max_tokens")).toBe("");
        expect(writeField(text, "temperature", "1")).toBe(
            text.replace("0.70", "1"),
        );
        expect(writeField(text, "model", 'a"b')).toBe(
            text.replace("gpt-4o", 'a\\"b'),
        );
        expect(writeField(text, "model", "")).toBe(
            '{"temperature": 0.70, "seed": 12345678901234567}',
        );
        expect(writeField(text, "temperature", "0.")).toBe(null);
    });

    test.each([
        ["[]", "params"],
        ['{"model": 1}', "params.model"],
        ['{"model": ""}', "params.model"],
        ['{"temperature": 2.01}', "params.temperature"],
        ['{"temperature": -0.1}', "params.temperature"],
        ['{"max_tokens": 1.5}', "params.max_tokens"],
        ['{"max_tokens": 0}', "params.max_tokens"],
        ['{"stream": true}', "params.stream"],
        ['{"fallbacks": [{}]}', "params.fallbacks.0.model"],
        ['{"fallbacks": [{"model":"a","n":1}]}', "params.fallbacks.0.n"],
        ['{"fallbacks": [1]}', "params.fallbacks.0"],
        ['{"fallbacks": 1}', "params.fallbacks"],
    ])("%s is refused", (params, field) => {
        expect(paramsFaults(params)[0]?.field).toBe(field);
    });

    test("what is right", () => {
        expect(paramsFaults("")).toEqual([]);
        expect(paramsFaults('{"temperature": -0}')).toEqual([]);
        expect(
            paramsFaults(
                '{"model":"a","temperature":2.0,"max_tokens":1e2,"stop":null,"fallbacks":[{"model":"b"}]}',
            ),
        ).toEqual([]);
    });
});

describe("schemas", () => {
    test.each([
        ["[]", "inputSchema"],
        ['{"type":"strin"}', "inputSchema.type"],
        ['{"type":["string","string"]}', "inputSchema.type.1"],
        ['{"properties":{"a":1}}', "inputSchema.properties.a"],
        ['{"properties":[]}', "inputSchema.properties"],
        ['{"required":"a"}', "inputSchema.required"],
        ['{"required":["a","a"]}', "inputSchema.required"],
        ['{"anyOf":[]}', "inputSchema.anyOf"],
        ['{"items":[]}', "inputSchema.items"],
        ['{"minLength":-1}', "inputSchema.minLength"],
        ['{"multipleOf":0}', "inputSchema.multipleOf"],
        ['{"pattern":"("}', "inputSchema.pattern"],
        ['{"$ref":"#/$defs/a"}', "inputSchema.$ref"],
        ['{"$schema":"http://example.com"}', "inputSchema.$schema"],
        ['{"dependentRequired":{"a":1}}', "inputSchema.dependentRequired.a"],
        ['{"uniqueItems":1}', "inputSchema.uniqueItems"],
        ['{"enum":1}', "inputSchema.enum"],
    ])("%s is refused", (text, field) => {
        expect(schemaFaults(text)[0]?.field).toBe(field);
    });

    test.each([
        [""],
        ["{}"],
        ['{"type":["string","null"],"pattern":"\\\\-","x":[]}'],
        [
            '{"$schema":"http://json-schema.org/draft-07/schema#","items":[true]}',
        ],
        ['{"$ref":"#/$defs/a","$defs":{"a":{"type":"string"}}}'],
        ['{"dependencies":{"a":["b"],"c":{}}}'],
    ])("%s is right", (text) => {
        expect(schemaFaults(text)).toEqual([]);
    });
});

describe("deriving", () => {
    test("from nothing", () => {
        const derived = deriveSchema(
            "",
            ["name", "customer.email", "tags.1", "items.0.price"],
            ["history"],
        );
        const schema = JSON.parse(derived?.text ?? "");

        expect(schemaFaults(derived?.text ?? "")).toEqual([]);
        expect(schema.required).toEqual(["name", "customer", "tags", "items"]);
        expect(schema.properties.customer).toEqual({
            type: "object",
            properties: { email: { type: "string" } },
            required: ["email"],
        });
        expect(schema.properties.tags).toEqual({
            type: "array",
            items: { type: "string" },
            minItems: 2,
        });
        expect(schema.properties.items.items.required).toEqual(["price"]);
        expect(schema.properties.history.type).toBe("array");
        expect(derived?.added).toContain("history");
    });

    test("what is there stays", () => {
        const text =
            '{"title":"x","properties":{"a":{"type":"integer","maximum":1.50},"b":{"type":"object","properties":{"c":{}}},"r":{"$ref":"#"}}}';
        const derived = deriveSchema(text, ["a", "b.d", "e", "r.x"], []);
        const schema = JSON.parse(derived?.text ?? "");

        expect(derived?.text).toContain("1.50");
        expect(derived?.added).toEqual(["b.d", "e"]);
        expect(schema.properties.b.required).toEqual(["d"]);
        expect(schema.required).toEqual(["e"]);
        expect(schema.properties.r).toEqual({ $ref: "#" });
    });

    test("names are data", () => {
        const derived = deriveSchema("", ["__proto__", 'a"b'], []);

        expect(derived?.added).toEqual(["__proto__", 'a"b']);
        expect(
            deriveSchema(derived?.text ?? "", ["__proto__"], [])?.added,
        ).toEqual([]);
    });

    test("not from what is no object", () => {
        expect(deriveSchema("[", ["a"], [])).toBe(null);
    });

    test("offers and lists", () => {
        const text =
            '{"properties":{"a":{"type":"string","description":"d"},"b":{"properties":{"c":{}}},"t":{"type":"array","items":{"type":"number"}},"with space":{}}}';

        expect(offersOf(text).map((offer) => offer.path)).toEqual([
            "a",
            "b",
            "b.c",
            "t",
            "t.0",
        ]);
        expect([...unlisted(text, ["b.c", "b.d", "z", "t.4", "a"])]).toEqual([
            "b.d",
            "z",
        ]);
        expect(unlisted("{", ["z"]).size).toBe(0);
        expect(unlisted('{"$ref":"#/x"}', ["z"]).size).toBe(0);
    });
});

describe("messages", () => {
    test("come back as they went", () => {
        const list = [
            { role: "SYSTEM", content: "a" },
            { placeholder: "history" },
            { role: "ASSISTANT", content: "" },
        ];

        expect(toApi(fromApi(list))).toEqual(list);
        expect(messagesText(list)).toBe(
            "── system\na\n\n── history: history\n\n── assistant\n\n",
        );
    });

    test("keep what they have beside their texts", () => {
        const calls = [{ id: "1", name: "f", arguments: "{}" }];
        const list = [
            { role: "USER", content: "a", images: ["https://a/"] },
            { role: "ASSISTANT", content: "", toolCalls: calls },
            { role: "TOOL", content: "b", toolCallId: "1" },
        ];

        expect(toApi(fromApi(list))).toEqual(list);
        expect(
            toApi(fromApi([{ role: "USER", images: [], toolCalls: null }])),
        ).toEqual([{ role: "USER", content: "" }]);
        expect(toInput([{ ...list[1], content: null }])).toEqual([
            { role: "ASSISTANT", toolCalls: calls },
        ]);
        expect(
            toApi(fromApi(list).map((one) => ({ ...one, role: "SYSTEM" }))),
        ).toEqual(list.map(({ content }) => ({ role: "SYSTEM", content })));
        expect(messagesText(list)).toBe(
            "── user\na\npicture: https://a/\n\n" +
                "── assistant\n\ncalls f {} (1)\n\n── tool\nb\nanswers 1\n",
        );
    });

    test("are moved within the list", () => {
        const list = fromApi([
            { role: "USER", content: "1" },
            { role: "USER", content: "2" },
        ]);

        expect(moved(list, 0, 1)).toEqual([list[1], list[0]]);
        expect(moved(list, 0, -1)).toEqual(list);
        expect(moved(list, 1, 1)).toEqual(list);
    });

    test("texts have their limits", () => {
        expect(contentFaults("\0", "content")[0]?.message).toContain("U+0000");
        expect(contentFaults("\ud800", "content")).toHaveLength(1);
        expect(contentFaults("a".repeat(1 << 20), "content")).toEqual([]);
        expect(contentFaults("a".repeat((1 << 20) + 1), "x")[0]?.field).toBe(
            "x",
        );
    });
});

describe("labels", () => {
    test.each([
        ["production", null],
        ["0.9_x-y", null],
        ["", "Give"],
        ["latest", "always"],
        ["-a", "begins"],
        ["Prod", "begins"],
        ["a b", "no spaces"],
        ["aB", '"B"'],
        ["a".repeat(65), "64"],
    ])("%s", (label, message) => {
        const fault = labelFault(label);

        if (message === null) {
            expect(fault).toBe(null);
        } else {
            expect(fault).toContain(message);
        }
    });
});

describe("drafts", () => {
    const draft = {
        base: 1,
        at: 2,
        content: "c",
        messages: [{ placeholder: "h" }],
        params: "{}",
        inputSchema: "",
        pending: { temperature: "0." },
    };

    function storage(): Storage {
        const kept = new Map<string, string>();

        return {
            getItem: (name: string) => kept.get(name) ?? null,
            setItem: (name: string, value: string) =>
                void kept.set(name, value),
        } as unknown as Storage;
    }

    test("come back", () => {
        const kept = storage();

        expect(keepDraft(kept, "p", draft)).toBe(true);
        expect(readDraft(kept, "p")).toEqual(draft);
        expect(readDraft(kept, "q")).toBe(null);
    });

    test("others are not taken for one", () => {
        for (const text of [
            "{",
            "null",
            "[]",
            "1",
            '{"base":1}',
            JSON.stringify({ ...draft, messages: [{ role: 1 }] }),
        ]) {
            const kept = storage();

            kept.setItem("prompt.draft.p", text);
            expect(readDraft(kept, "p")).toBe(null);
        }
    });
});
