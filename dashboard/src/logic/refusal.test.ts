import { expect, test } from "vitest";
import { fromApi } from "./messages.ts";
import { refusalOf, textOf } from "./refusal.ts";
import { sameSections, sectionsOf } from "./sections.ts";

const texts = {
    content: "one\n😀 {{x",
    messages: fromApi([
        { role: "SYSTEM", content: "a {{" },
        { placeholder: "history" },
    ]),
    params: '{"model": 1, "fallbacks": [{"model": 2}]}',
    inputSchema: '{"properties": {"a.b": {"type": "strin"}}}',
    outputSchema: '{"type": 1}',
};

function place(field: string, message = "it is wrong") {
    const refusal = refusalOf(texts, field, message);

    return (
        refusal && [
            refusal.place,
            refusal.text.slice(refusal.fault.from, refusal.fault.to),
        ]
    );
}

test("what the service refuses is put where it was typed", () => {
    expect(
        place("content", "content has an error at line 2, column 3: unclosed"),
    ).toEqual(["content", "{{"]);
    expect(place("params.model")).toEqual(["params", "1"]);
    expect(place("params.fallbacks.0.model")).toEqual(["params", "2"]);
    expect(place("params")).toEqual(["params", texts.params]);
    expect(place("inputSchema.properties.a.b.type")).toEqual([
        "inputSchema",
        '"strin"',
    ]);
    expect(place("outputSchema.type")).toEqual(["outputSchema", "1"]);
});

test("so are messages, by their keys", () => {
    const [first, second] = texts.messages;

    expect(
        refusalOf(texts, "messages.0.content", "line 1, column 3: unclosed"),
    ).toMatchObject({
        place: `message:${first?.key}`,
        text: first && textOf(first),
        fault: { from: 2, to: 4 },
    });
    expect(refusalOf(texts, "messages.1.placeholder", "x")?.place).toBe(
        `message:${second?.key}`,
    );
    expect(
        refusalOf(texts, "messages.0.images.0", "line 1, column 3"),
    ).toMatchObject({ fault: { from: 0, field: "messages.0.images.0" } });
    expect(refusalOf(texts, "messages", "x")?.place).toBe("messages");
});

test("what stands nowhere here is said elsewhere", () => {
    expect(refusalOf(texts, undefined, "x")).toBe(null);
    expect(refusalOf(texts, "promptId", "x")).toBe(null);
    expect(refusalOf(texts, "messages.7.content", "x")).toBe(null);
});

test("sections differ by what they say, not by how JSON is spaced", () => {
    const version = {
        content: "a",
        messages: [],
        params: '{"a":1.0}',
        inputSchema: "",
        outputSchema: "",
    };

    expect(
        sameSections(
            sectionsOf(version),
            sectionsOf({ ...version, params: '{ "a" : 1.0 }\n' }),
        ),
    ).toBe(true);
    expect(
        sameSections(
            sectionsOf(version),
            sectionsOf({ ...version, params: '{"a":1}' }),
        ),
    ).toBe(false);
});
