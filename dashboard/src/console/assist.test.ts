import { buildSchema } from "graphql";
import { describe, expect, test } from "vitest";
import { documentFaults, meaningAt, offersAt } from "./assist.ts";

const schema = buildSchema(`
    type Query { me: User!  users(kind: Kind): [User]  user(id: ID!): User }
    type Mutation { create(input: Input!): User! }
    "Who it is."
    type User { id: ID!  "What one is called." name: String  friend: User }
    input Input { name: String!  kind: Kind  inner: Input }
    enum Kind { GOOD BAD }
`);

const at = (marked: string) =>
    offersAt(marked.replace("|", ""), marked.indexOf("|"), schema).offers;

describe("what may come at |", () => {
    test.each([
        ["|", "query mutation subscription fragment"],
        ["{ |", "me users user __typename __schema __type"],
        ["{ x: |", "me users user __typename __schema __type"],
        ["{ me { i|", "id friend"],
        ["{ me { friend { | } } }", "id name friend __typename"],
        ["{ users(|", "kind"],
        ["{ users(kind: |", "GOOD BAD"],
        ["query ($k: Kind) { users(kind: |", "GOOD BAD $k"],
        ["query ($k: Kind) { users(kind: $|", "$k"],
        ["mutation { create(input: |", "{ }"],
        ["mutation { create(input: {|", "name kind inner"],
        ["mutation { create(input: {inner: {kind: |", "GOOD BAD"],
        [
            'mutation { create(input: {name: "x"}) { |',
            "id name friend __typename",
        ],
        ["{ me @|", "include skip"],
        ["{ me @include(|", "if"],
        ["{ me @include(if: |", "true false"],
        ["{ ... on |", "Query"],
        ["{ me { ...| } } fragment F on User { id }", "F"],
        ["fragment F on User { |", "id name friend __typename"],
        ["{ me { # |", ""],
        ['{ users(kind: "|', ""],
        ["{ unknown { |", ""],
    ])("%s", (text, wanted) => {
        expect(
            at(text)
                .map(({ label }) => label)
                .join(" "),
        ).toBe(wanted);
    });

    test("input types", () => {
        const labels = at("query ($k: |").map(({ label }) => label);

        expect(labels).toEqual(
            expect.arrayContaining(["Input", "Kind", "String", "ID"]),
        );
        expect(labels).not.toContain("User");
    });

    test("fields bring the brackets that they need", () => {
        const applied = Object.fromEntries(
            at("{ |").map(({ label, apply }) => [label, apply]),
        );

        expect(applied).toMatchObject({
            me: "me {\n  #{}\n}",
            user: "user(#{})",
            __typename: "__typename",
        });
        expect(at("{ use|}").find((one) => one.label === "user")?.apply).toBe(
            "user(#{})",
        );
        expect(at("{ users(|")[0]?.apply).toBe("kind: ");
    });

    test("it begins where the word does", () => {
        expect(offersAt("{ me { fri", 10, schema).from).toBe(7);
    });
});

describe("what is marked", () => {
    const marks = (text: string) =>
        documentFaults(text, schema)
            .map(({ from, to }) => text.slice(from, to))
            .join(" ");

    test.each([
        ["{ me { id nmae } }", "nmae"],
        ["{ me { id name } }", ""],
        ["{ users(knid: GOOD) { id } }", "knid"],
        ['mutation { create(input: {name: "x", nmae: "x"}) { id } }', "nmae"],
        ["query ($x: Knid) { me { id } }", "Knid"],
        ["{ me { ... on Usre { id } } }", "Usre"],
        ["{ me { id @inculde(if: true) } }", "inculde"],
        ["{ __typename me { __typename } }", ""],
        ["fragment F on User { id }", ""],
        ["query ($unused: ID) { me { id } }", ""],
        ["{ a(x: ) }", ")"],
        ["query ($x) { a }", ")"],
        ["nothing", "nothing"],
        ["{ me { id } } }", "}"],
        ["# only", ""],
        ["", ""],
    ])("%s", (text, wanted) => {
        expect(marks(text)).toBe(wanted);
    });

    test("the end, where the document is not closed", () => {
        expect(documentFaults("{ me { id", schema)).toMatchObject([
            { from: 9, to: 9 },
        ]);
    });

    test("the grammar alone, without a schema", () => {
        expect(documentFaults("{ anything }", null)).toEqual([]);
        expect(documentFaults("{ any", null)).toHaveLength(1);
    });
});

describe("what a word means", () => {
    test.each([
        ["{ me { name } }", 2, "Query.me: User!"],
        ["{ me { name } }", 7, "User.name: String"],
        ["{ users(kind: GOOD) { id } }", 8, "kind: Kind"],
        ["{ # x }", 4, ""],
    ])("%s at %d", (text, offset, wanted) => {
        expect(meaningAt(text, offset, schema)).toContain(wanted);
    });

    test("with its description", () => {
        expect(meaningAt("{ me { name } }", 7, schema)).toContain(
            "What one is called.",
        );
    });
});

test("any text does no harm", () => {
    const letters = '{}()[]:!@$"\\#.,\n aé1-_|&=😀'.split("");
    let seed = 1;

    for (let i = 0; i < 500; i++) {
        const text = Array.from({ length: 20 }, () => {
            seed = (seed * 48_271) % 2_147_483_647;

            return letters[seed % letters.length];
        }).join("");

        for (const fault of documentFaults(text, schema)) {
            expect(fault.from).toBeLessThanOrEqual(fault.to);
            expect(fault.to).toBeLessThanOrEqual(text.length);
        }

        offersAt(text, 10, schema);
        meaningAt(text, 10, schema);
    }
});
