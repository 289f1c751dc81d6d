import { buildSchema } from "graphql";
import { describe, expect, test } from "vitest";
import { type Entry, isSecret, read, remembered, titleOf } from "./history.ts";
import { operationsOf, rootKind, sampleOf } from "./operation.ts";
import { suggest, variablesOf } from "./variables.ts";

const schema = buildSchema(`
    type Query { me: User!  users(kind: Kind): [User] }
    type Mutation { create(input: Input!): User!  made(n: Int!): Made }
    type User { id: ID!  name: String  friend: User }
    type Made { key: String!  user: User!  users: [User!]! }
    input Input { name: String!  kind: Kind  inner: Input }
    enum Kind { GOOD BAD }
`);

const field = (name: string) => {
    const found = schema.getMutationType()?.getFields()[name];

    if (!found) {
        throw new Error(name);
    }

    return found;
};

describe("an operation for a field", () => {
    test("with what it needs", () => {
        expect(sampleOf("mutation", field("create"))).toEqual({
            text: "mutation Create($input: Input!) {\n  create(input: $input) {\n    id\n    name\n  }\n}\n",
            variables: { input: { name: "" } },
        });
    });

    test("with single objects below", () => {
        expect(sampleOf("mutation", field("made")).text).toContain(
            "made(n: $n) {\n    key\n    user {\n      id\n      name\n    }\n  }",
        );
    });

    test("and its kind", () => {
        expect(rootKind(schema, schema.getMutationType())).toBe("mutation");
        expect(rootKind(schema, schema.getType("User"))).toBeNull();
    });
});

test("operations of a document", () => {
    expect(
        operationsOf("query A { me { id } }\nmutation { x: create }"),
    ).toEqual([
        { kind: "query", name: "A", start: 0, end: 21, fields: ["me"] },
        {
            kind: "mutation",
            name: null,
            start: 22,
            end: 44,
            fields: ["create"],
        },
    ]);
    expect(operationsOf("{ me {")).toEqual([]);
});

describe("variables", () => {
    const document =
        "mutation ($input: Input!, $n: Int, $x: Nothing) { create }";
    const variables = variablesOf(document, schema);

    test.each([
        ["|", undefined],
        ["{ |", "input n"],
        ['{ "in|"', "input n"],
        ['{ "input": { "|', "name kind inner"],
        ['{ "input": { "kind": |', "GOOD BAD"],
        ['{ "input": { "inner": { "kind": "|', "GOOD BAD"],
        ['{ "input": { "inner": {} }, |', "input n"],
        ['{ "n": |', undefined],
    ])("%s", (marked, wanted) => {
        const offset = marked.indexOf("|");
        const found = suggest(marked.replace("|", ""), offset, variables);

        expect(found?.items.map((item) => item.label).join(" ")).toBe(wanted);
    });

    test("of one operation", () => {
        const two = "query A($a: Int) { me } query B($b: Int) { me }";

        expect(variablesOf(two, schema, "B").map(({ name }) => name)).toEqual([
            "b",
        ]);
        expect(variablesOf("query A($a: ", schema)).toEqual([]);
    });
});

describe("history", () => {
    const entry = (query: string, more: Partial<Entry> = {}): Entry => ({
        query,
        variables: "",
        operation: null,
        time: "2026-11-22T00:00:00.000Z",
        ok: true,
        ...more,
    });

    test("each once, the latest first, fifty of them", () => {
        let list: Entry[] = [];

        for (let i = 0; i < 60; i++) {
            list = remembered(list, entry(`{ a${i} }`));
        }

        list = remembered(list, entry("{ a30 }", { ok: false }));
        expect(list).toHaveLength(50);
        expect(list[0]).toMatchObject({ query: "{ a30 }", ok: false });
        expect(list.filter((one) => one.query === "{ a30 }")).toHaveLength(1);
    });

    test("no secrets", () => {
        const secrets = [
            entry('mutation { changePassword(old: "a", new: "b") }'),
            entry("query ($k: String!) { x(k: $k) }", {
                variables: '{"k":"pmt_AbCdEf0123"}',
            }),
        ];

        for (const secret of secrets) {
            expect(isSecret(secret)).toBe(true);
            expect(remembered([], secret)).toEqual([]);
        }
    });

    test("a bounded size", () => {
        const large = Array.from({ length: 20 }, (_, i) =>
            entry(`{ a${i} } #${"x".repeat(100_000)}`),
        );
        const list = large.reduce(remembered, [] as Entry[]);

        expect(JSON.stringify(list).length).toBeLessThan(500_000);
        expect(list.length).toBeGreaterThan(1);
    });

    test.each([null, "", "{", "3", '[1,null,{"query":1}]'])(
        "what is no history: %s",
        (text) => {
            expect(read(text)).toEqual([]);
        },
    );

    test("titles", () => {
        expect(titleOf(entry("query Welcome { me }"))).toBe("Welcome");
        expect(titleOf(entry("{ me prompts }"))).toBe("me, prompts");
        expect(titleOf(entry("{ me ", {}))).toBe("{ me");
        expect(titleOf(entry("", { operation: "A" }))).toBe("A");
        expect(titleOf(entry("# x"))).toBe("empty");
    });
});
