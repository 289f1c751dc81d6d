import { GraphQLError } from "graphql";
import { expect, test } from "vitest";
import { layOut } from "./layout.ts";

const x = "x".repeat(50);
const y = "y".repeat(30);

test.each([
    ["fields", "{a,b{c}}", "{\n  a\n  b {\n    c\n  }\n}\n"],
    [
        "arguments",
        'query A($x:[Int!]=[1 2],$y:T@d){a:b(x:$x,y:{z:"1"})}',
        'query A($x: [Int!] = [1, 2], $y: T @d) {\n  a: b(x: $x, y: {z: "1"})\n}\n',
    ],
    [
        "fragments",
        "{...F ...on T@include(if:true){a} ...{b}}fragment F on T{c}",
        "{\n  ...F\n  ... on T @include(if: true) {\n    a\n  }\n  ... {\n    b\n  }\n}\n\nfragment F on T {\n  c\n}\n",
    ],
    [
        "comments",
        "# head\n{ # open\n a # beside\n # before\n b }\n# tail",
        "# head\n{\n  # open\n  a # beside\n  # before\n  b\n}\n\n# tail\n",
    ],
    [
        "comments among arguments",
        "{ a(x: 1 # one\n y: 2) }",
        "{\n  a(\n    x: 1 # one\n    y: 2\n  )\n}\n",
    ],
    [
        "long arguments",
        `{ a(x: "${x}", y: "${y}") }`,
        `{\n  a(\n    x: "${x}"\n    y: "${y}"\n  )\n}\n`,
    ],
    [
        "block strings",
        '{ a(x: """\n  one\n    two\n""") }',
        '{\n  a(\n    x: """\n  one\n    two\n"""\n  )\n}\n',
    ],
    ["an empty document", " # only\n", "# only\n"],
    ["nothing", " \n", ""],
    [
        "lists and variables",
        "query($a:[[Int!]!]!,$b:B={x:[1,ON],y:-1.5}){f(l:[$a,{k:$b},[]],e:null)@x@y(z:$b)}",
        "query ($a: [[Int!]!]!, $b: B = {x: [1, ON], y: -1.5}) {\n  f(l: [$a, {k: $b}, []], e: null) @x @y(z: $b)\n}\n",
    ],
    [
        "words that are also keywords",
        "query query{on:fragment mutation{on}...fragment2}",
        "query query {\n  on: fragment\n  mutation {\n    on\n  }\n  ...fragment2\n}\n",
    ],
    [
        "comments at ends",
        "{ a { b # b\n # last\n } # a\n } # end\n query C { c }",
        "{\n  a {\n    b # b\n    # last\n  } # a\n} # end\n\nquery C {\n  c\n}\n",
    ],
])("%s", (_, text, wanted) => {
    expect(layOut(text)).toBe(wanted);
    expect(layOut(wanted)).toBe(wanted);
});

test.each(["{ a", "{ }", "{ a(x: ) }", "nothing", "{ a } }", "{ a % }"])(
    "not GraphQL: %s",
    (text) => {
        expect(() => layOut(text)).toThrow(GraphQLError);
    },
);
