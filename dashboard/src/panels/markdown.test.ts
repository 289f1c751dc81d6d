import { describe, expect, test } from "vitest";
import {
    type Block,
    inlineOf,
    parseMarkdown,
    safeAddress,
} from "./markdown.ts";

/** the kinds and texts of a tree, without its marks */
function plain(value: unknown): unknown {
    return JSON.parse(JSON.stringify(value));
}

function kinds(text: string): string[] {
    return parseMarkdown(text).map((one) => one.kind);
}

describe("blocks", () => {
    test("each kind of them", () => {
        expect(
            kinds(
                [
                    "# One #",
                    "words",
                    "more words",
                    "",
                    "Two",
                    "---",
                    "* * *",
                    "```js",
                    "# no heading",
                    "```",
                    "    code",
                    "> said",
                    "",
                    "- a",
                    "- b",
                    "",
                    "1. c",
                    "",
                    "| a | b |",
                    "|---|:-:|",
                    "| 1 | 2 |",
                ].join("\n"),
            ),
        ).toEqual([
            "heading",
            "paragraph",
            "heading",
            "rule",
            "code",
            "code",
            "quote",
            "list",
            "list",
            "table",
        ]);
    });

    test("a heading's depth and text", () => {
        expect(parseMarkdown("### A # b ##\n#no")).toEqual([
            { kind: "heading", depth: 3, children: ["A # b"] },
            { kind: "paragraph", children: ["#no"] },
        ]);
    });

    test("a fence without end, and one with less in it", () => {
        expect(parseMarkdown("````py\n```\n<b>\n")).toEqual([
            { kind: "code", language: "py", text: "```\n<b>\n" },
        ]);
    });

    test("lists within lists, and paragraphs of an item", () => {
        const [list] = parseMarkdown("3. a\n  - b\n  - c\n\n   d\n4. e");

        expect(plain(list)).toEqual({
            kind: "list",
            start: 3,
            items: [
                [
                    { kind: "paragraph", children: ["a"] },
                    {
                        kind: "list",
                        items: [
                            [{ kind: "paragraph", children: ["b"] }],
                            [{ kind: "paragraph", children: ["c"] }],
                        ],
                    },
                    { kind: "paragraph", children: ["d"] },
                ],
                [{ kind: "paragraph", children: ["e"] }],
            ],
        });
    });

    test("a year at the beginning of a line is no list", () => {
        expect(kinds("in the year\n1984. It was")).toEqual(["paragraph"]);
    });

    test("cells of a table", () => {
        expect(
            plain(parseMarkdown("a | b\\|c\n:-- | --:\n**1** | 2 | 3\nx")),
        ).toEqual([
            {
                kind: "table",
                align: ["left", "right"],
                head: [["a"], ["b|c"]],
                rows: [[[{ kind: "strong", children: ["1"] }], ["2"]], [["x"]]],
            },
        ]);
    });
});

describe("within a line", () => {
    test("marks", () => {
        expect(
            inlineOf("**a *b*** `c *d*` ~~e~~ _f_ \\*g\\* h_i_j 2 * 3 *"),
        ).toEqual([
            {
                kind: "strong",
                children: ["a ", { kind: "em", children: ["b"] }],
            },
            " ",
            { kind: "code", text: "c *d*" },
            " ",
            { kind: "del", children: ["e"] },
            " ",
            { kind: "em", children: ["f"] },
            " *g* h_i_j 2 * 3 *",
        ]);
    });

    test("lines that break, and those that do not", () => {
        expect(inlineOf("a  \nb\\\nc\nd")).toEqual([
            "a",
            { kind: "break" },
            "b",
            { kind: "break" },
            "c\nd",
        ]);
    });

    test("links, and pictures, which are links", () => {
        expect(
            inlineOf(
                "[a](https://x.test/(b) 'c') ![d](http://x.test/e.png) <https://x.test> see https://x.test/f_g. (http://x.test/h)",
            ),
        ).toEqual([
            { kind: "link", href: "https://x.test/(b)", children: ["a"] },
            " ",
            {
                kind: "link",
                href: "http://x.test/e.png",
                children: ["Image: d"],
            },
            " ",
            {
                kind: "link",
                href: "https://x.test/",
                children: ["https://x.test"],
            },
            " see ",
            {
                kind: "link",
                href: "https://x.test/f_g",
                children: ["https://x.test/f_g"],
            },
            ". (",
            {
                kind: "link",
                href: "http://x.test/h",
                children: ["http://x.test/h"],
            },
            ")",
        ]);
    });
});

describe("hostile text", () => {
    test("HTML is text", () => {
        for (const text of [
            "<script>alert(1)</script>",
            "<img src=x onerror=alert(1)>",
            '<a href="javascript:alert(1)">x</a>',
        ]) {
            expect(inlineOf(text)).toEqual([text]);
        }
    });

    test("an address that is not http(s) is no link", () => {
        for (const address of [
            "javascript:alert(1)",
            "JaVaScRiPt:alert(1)",
            " javascript:alert(1)",
            "java\nscript:alert(1)",
            "data:text/html,<script>alert(1)</script>",
            "vbscript:x",
            "//x.test",
            "/graphql",
            "http:x",
            "https://",
            "file:///etc/passwd",
        ]) {
            expect(safeAddress(address)).toBeUndefined();

            for (const text of [
                `[x](${address})`,
                `![x](${address})`,
                `<${address}>`,
            ]) {
                expect(
                    inlineOf(text).every((one) => typeof one === "string"),
                ).toBe(true);
            }
        }
    });

    test("deep nesting has an end", () => {
        const depth = (blocks: readonly Block[]): number =>
            1 +
            Math.max(
                0,
                ...blocks.map((one) =>
                    one.kind === "quote"
                        ? depth(one.blocks)
                        : one.kind === "list"
                          ? Math.max(...one.items.map(depth))
                          : 0,
                ),
            );

        expect(depth(parseMarkdown("> ".repeat(10_000)))).toBeLessThan(12);
        expect(depth(parseMarkdown("- ".repeat(10_000)))).toBeLessThan(12);
    });

    test("nothing is slow", () => {
        const size = 50_000;

        for (const part of [
            "*",
            "**",
            "*a ",
            "**a ",
            "*a **b ",
            "_a_",
            "_ a",
            "`",
            "``a`",
            "[",
            "[a](",
            "![",
            "[a](https://x.test/",
            "<",
            "<https://",
            "https://",
            "~~a",
            "\\",
            "> ",
            "- ",
            "1. a\n  ",
            "- a\n",
            "    - a\n",
            "| ",
            "|-",
            "a|b\n-|-\n",
            "# ",
            "#",
            "# #",
            "* * ",
            "- - -x",
            "```\n",
            "~~~",
            "=\n",
            "\n\n",
            "  \n",
            "h",
        ]) {
            const text = part.repeat(size / part.length);
            const before = performance.now();

            parseMarkdown(text);
            expect(
                performance.now() - before,
                JSON.stringify(part),
            ).toBeLessThan(1500);
        }
    });
});
