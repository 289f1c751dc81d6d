import { expect, test } from "vitest";
import { modelsIn, paramsFaults, readStop, writeStop } from "./params.ts";
import {
    addTool,
    readChoice,
    readTools,
    removeTool,
    writeChoice,
    writeTool,
} from "./tools.ts";

const TWO = `{ "seed": 1.0,
  "tools": [ {"type":"function","function":{"name":"a","strict":true}},
             {"type": "function", "function": {"name": "b", "parameters": {"n": 1.50}}} ],
  "tool_choice": {"type":"function","function":{"name":"b"}} }`;

test("tools are read, and what is none has no form", () => {
    expect(readTools(TWO)).toEqual([
        { name: "a", description: "", parameters: "" },
        { name: "b", description: "", parameters: '{"n": 1.50}' },
    ]);
    expect(readTools('{"tools": [{"type": "web_search"}, 1]}')).toEqual([
        null,
        null,
    ]);
    expect(readTools('{"tools": "x"}')).toEqual([]);
    expect(readTools("[")).toEqual([]);
});

test("a change touches its member alone", () => {
    expect(writeTool(TWO, 0, "name", 'x"')).toBe(
        TWO.replace('"name":"a"', '"name":"x\\""'),
    );
    expect(writeTool(TWO, 1, "parameters", '{"n": 2e0}')).toBe(
        TWO.replace("1.50", "2e0"),
    );
    expect(writeTool(TWO, 1, "parameters", "")).toBe(
        TWO.replace(', "parameters": {"n": 1.50}', ""),
    );
    expect(writeTool(TWO, 7, "name", "x")).toBe(TWO);

    // who is called by its name is called by the new one
    const renamed = writeTool(TWO, 1, "name", "c");

    expect([readTools(renamed)[1]?.name, readChoice(renamed)]).toEqual([
        "c",
        "=c",
    ]);
});

test("tools come and go", () => {
    const one = addTool('{"seed": 1.0}');

    expect(JSON.parse(one)).toEqual({
        seed: 1,
        tools: [
            {
                type: "function",
                function: {
                    name: "",
                    description: "",
                    parameters: { type: "object", properties: {} },
                },
            },
        ],
    });
    expect(paramsFaults(one).map(({ field }) => field)).toEqual([
        "params.tools.0.function.name",
    ]);
    expect(readTools(addTool(one))).toHaveLength(2);
    expect(JSON.parse(addTool("")).tools).toHaveLength(1);
    expect(JSON.parse(removeTool(TWO, 0)).tools[0].function.name).toBe("b");
    expect(readChoice(removeTool(TWO, 0))).toBe("=b");
    expect(JSON.parse(removeTool(TWO, 1))).toEqual({
        seed: 1,
        tools: [{ type: "function", function: { name: "a", strict: true } }],
    });
    expect(JSON.parse(removeTool(removeTool(TWO, 1), 0))).toEqual({ seed: 1 });
});

test("the choice of a tool", () => {
    expect(readChoice("{}")).toBe("");
    expect(readChoice('{"tool_choice": "auto"}')).toBe("auto");
    expect(readChoice('{"tool_choice": {"type": "allowed"}}')).toBeNull();
    expect(writeChoice('{"tool_choice": "auto"}', "")).toBe("{}");
    expect(readChoice(writeChoice("", "=b"))).toBe("=b");
    expect(JSON.parse(writeChoice("{}", "none"))).toEqual({
        tool_choice: "none",
    });
});

test("stop as lines", () => {
    expect(readStop("{}")).toBe("");
    expect(readStop('{"stop": "a\\\\n\\n"}')).toBe("a\\\\n\\n");
    expect(readStop('{"stop": ["a", "b"]}')).toBe("a\nb");
    expect(readStop('{"stop": [1]}')).toBeNull();
    expect(writeStop("{}", "a")).toBe('{\n  "stop": "a"\n}');
    expect(writeStop('{"stop": []}', "a")).toBe('{"stop": ["a"]}');
    expect(writeStop('{"stop": "x"}', "a\n\nb\\n")).toBe(
        '{"stop": ["a", "b\\n"]}',
    );
    expect(writeStop('{"stop": "x"}', "\n")).toBe("{}");

    for (const stop of ['"a\\tb\\\\"', '["\\n", "\\\\n", "\\r"]']) {
        const text = `{"stop": ${stop}}`;

        expect(writeStop(text, readStop(text) ?? "")).toBe(text);
    }
});

test("models that are named", () => {
    expect(
        modelsIn('{"model": "a", "fallbacks": [{"model": "b"}, {}, 1]}'),
    ).toEqual(["a", "b"]);
    expect(modelsIn("[")).toEqual([]);
});
