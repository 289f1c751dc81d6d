// GraphQL documents as people like to read them: two spaces a level, one
// selection a line, arguments on one line as long as they fit; comments stay
// where they were.  graphql-js prints documents, too, but drops comments.

import {
    isExecutableDefinitionNode,
    Lexer,
    parse,
    Source,
    TokenKind,
} from "graphql";

const WIDTH = 80;

interface Node {
    text: string;
    name: boolean;
    /** Comments on lines of their own. */
    before: string[];
    beside: string | null;
    /** What stands between this bracket and its closing one. */
    group?: Node[];
    close?: Node;
}

const CLOSING: Record<string, string> = { "{": "}", "(": ")", "[": "]" };

/** All tokens, with the comments at them; the last one is the end. */
function nodesOf(text: string): Node[] {
    const lexer = new Lexer(new Source(text));
    const nodes: Node[] = [];
    let comments: string[] = [];
    let line = 0;

    while (lexer.advance().kind !== TokenKind.EOF);

    const start = lexer.token;
    let token = start;

    while (token.prev && token.prev.kind !== TokenKind.SOF) {
        token = token.prev;
    }

    for (let at: typeof token | null = token; at; at = at.next) {
        const last = nodes.at(-1);

        if (at.kind === TokenKind.COMMENT) {
            const comment = text.slice(at.start, at.end).trimEnd();

            if (last && at.line === line && !(last.text in CLOSING)) {
                last.beside = comment;
            } else {
                comments.push(comment);
            }
        } else {
            nodes.push({
                text: text.slice(at.start, at.end),
                name: at.kind === TokenKind.NAME,
                before: comments,
                beside: null,
            });
            comments = [];

            // block strings end below where they begin
            line =
                at.line +
                text.slice(at.start, at.end).split(/\r\n|[\n\r]/).length -
                1;
        }
    }

    return nodes;
}

/** Brackets with what is between them; the document is well-formed. */
function grouped(nodes: Node[]): Node[] {
    const open: { node: Node | null; items: Node[] }[] = [
        { node: null, items: [] },
    ];

    for (const node of nodes) {
        const top = open.at(-1);

        if (top?.node && CLOSING[top.node.text] === node.text) {
            top.node.group = top.items;
            top.node.close = node;
            open.pop();
        } else {
            top?.items.push(node);

            if (node.text in CLOSING) {
                open.push({ node, items: [] });
            }
        }
    }

    return open[0]?.items ?? [];
}

/** Arguments, members of an object, variables: each begins before a ":". */
function items(nodes: readonly Node[]): Node[][] {
    const found: Node[][] = [];

    nodes.forEach((node, i) => {
        const after = nodes[i + 1];
        const begins =
            node.text === "$"
                ? nodes[i + 2]?.text === ":"
                : node.name &&
                  after?.text === ":" &&
                  nodes[i - 1]?.text !== "$";

        if (begins || found.length === 0) {
            found.push([]);
        }

        found.at(-1)?.push(node);
    });

    return found;
}

/** Of a list: a value each, in which "$x" and "Int!" are two tokens. */
function values(nodes: readonly Node[]): Node[][] {
    const found: Node[][] = [];

    for (const [i, node] of nodes.entries()) {
        if (nodes[i - 1]?.text === "$" || node.text === "!") {
            found.at(-1)?.push(node);
        } else {
            found.push([node]);
        }
    }

    return found;
}

function hasComment(node: Node): boolean {
    return (
        node.before.length > 0 ||
        node.beside !== null ||
        (node.group?.some(hasComment) ?? false) ||
        (node.close !== undefined && node.close.before.length > 0)
    );
}

/** Comments at the ends of the tokens of one line. */
function besides(nodes: readonly Node[]): string {
    const all = nodes
        .flatMap((node) => [node.beside, node.close?.beside ?? null])
        .filter((comment) => comment !== null);

    return all.length > 0 ? ` ${all.join(" ")}` : "";
}

function comments(list: readonly string[], indent: string): string {
    return list.map((comment) => `${indent}${comment}\n`).join("");
}

/** A group that is no selection: on one line where it fits. */
function group(node: Node, indent: string, column: number): string {
    const below = node.group ?? [];
    const close = CLOSING[node.text] ?? "";
    const parts = node.text === "[" ? values(below) : items(below);
    const after = node.close?.before ?? [];

    if (!below.some(hasComment) && after.length === 0) {
        const flat = `${node.text}${parts
            .map((part) => line(part, indent, 0))
            .join(", ")}${close}`;

        if (
            parts.length === 0 ||
            (!flat.includes("\n") && column + flat.length <= WIDTH)
        ) {
            return flat;
        }
    }

    const inner = `${indent}  `;
    const lines = parts.map(
        (part) =>
            comments(part[0]?.before ?? [], inner) +
            inner +
            line(part, inner, inner.length) +
            besides(part) +
            "\n",
    );

    return `${node.text}\n${lines.join("")}${comments(after, inner)}${indent}${close}`;
}

function space(before: Node | undefined, node: Node): string {
    return before === undefined ||
        before.text === "$" ||
        before.text === "@" ||
        (before.text === "..." && node.name && node.text !== "on") ||
        [":", "!", "("].includes(node.text)
        ? ""
        : " ";
}

/** Tokens one after the other. */
function line(nodes: readonly Node[], indent: string, column: number): string {
    let text = "";

    for (const [i, node] of nodes.entries()) {
        text += space(nodes[i - 1], node);
        text += node.group
            ? group(
                  node,
                  indent,
                  column + text.length - (text.lastIndexOf("\n") + 1),
              )
            : node.text;
    }

    return text;
}

/** How many nodes of a selection set make its first selection. */
function selectionLength(nodes: readonly Node[]): number {
    let at = 1;

    if (nodes[0]?.text === "...") {
        if (nodes[1]?.name) {
            at = nodes[1].text === "on" ? 3 : 2;
        }
    } else if (nodes[1]?.text === ":") {
        at = 3;
    }

    if (nodes[at]?.text === "(") {
        at++;
    }

    while (nodes[at]?.text === "@") {
        at += nodes[at + 2]?.text === "(" ? 3 : 2;
    }

    return nodes[at]?.text === "{" ? at + 1 : at;
}

function selections(node: Node, indent: string): string {
    const inner = `${indent}  `;
    let below = node.group ?? [];
    let text = "{\n";

    while (below.length > 0) {
        const one = below.slice(0, selectionLength(below));

        below = below.slice(one.length);
        text += comments(one[0]?.before ?? [], inner);
        text += `${inner}${selecting(one, inner)}${besides(one)}\n`;
    }

    return `${text}${comments(node.close?.before ?? [], inner)}${indent}}`;
}

/** What may end with a selection set. */
function selecting(nodes: readonly Node[], indent: string): string {
    const last = nodes.at(-1);

    if (last?.text !== "{") {
        return line(nodes, indent, indent.length);
    }

    const head = line(nodes.slice(0, -1), indent, indent.length);

    return `${head}${head === "" ? "" : " "}${selections(last, indent)}`;
}

/** The same document, laid out anew; throws GraphQLError. */
export function layOut(text: string): string {
    if (!/[^\s,\ufeff]/.test(text.replace(/#.*/g, ""))) {
        return text.trim() === "" ? "" : `${text.trim()}\n`;
    }

    // schemas have another form, and nobody asks the service for one
    if (!parse(text).definitions.every(isExecutableDefinitionNode)) {
        return text;
    }

    const parts: string[] = [];
    let nodes = grouped(nodesOf(text));
    const end = nodes.pop();

    while (nodes.length > 0) {
        const at = nodes.findIndex((node) => node.text === "{");
        const one = at < 0 ? nodes : nodes.slice(0, at + 1);

        nodes = nodes.slice(one.length);

        // "query (": an operation without a name
        if (one[0] && one[1]?.text === "(") {
            one[0].text += " ";
        }

        parts.push(
            comments(one[0]?.before ?? [], "") +
                selecting(one, "") +
                besides(one),
        );
    }

    if (end && end.before.length > 0) {
        parts.push(end.before.join("\n"));
    }

    return `${parts.join("\n\n")}\n`;
}
