// JSON that stays as it was written: a reader that keeps places, and changes
// of the text that leave all the rest alone.
//
// JSON.parse() turns 9007199254740993 into another number and forgets how
// 1.50 was written.  What a person does not touch must go back as it came.

import { type Fault, positionOf } from "./position.ts";

export type JsonNode =
    | JsonObject
    | JsonArray
    | { type: "string"; from: number; to: number; value: string }
    | { type: "number" | "boolean" | "null"; from: number; to: number };

export type JsonMember = {
    name: string;
    nameFrom: number;
    nameTo: number;
    value: JsonNode;
};

export type JsonObject = {
    type: "object";
    from: number;
    to: number;
    members: JsonMember[];
};

export type JsonArray = {
    type: "array";
    from: number;
    to: number;
    items: JsonNode[];
};

export type JsonRead = { node: JsonNode | null; faults: Fault[] };

/** What the service takes: nesting, with [] as 1. */
const MAX_DEPTH = 64;
const INT64_MAX = 2n ** 63n - 1n;
const INT64_MIN = -(2n ** 63n);

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const WORD = /[A-Za-z_$][\w$]*/y;

class Stop extends Error {
    constructor(
        readonly from: number,
        readonly to: number,
        message: string,
    ) {
        super(message);
    }
}

/** Whether a number of JSON is kept exactly, or as the nearest double. */
function isExact(text: string): boolean {
    if (!/[.eE]/.test(text)) {
        // more digits than that never fit
        if (text.length > 20) {
            return false;
        }

        const n = BigInt(text);

        return n <= INT64_MAX && n >= INT64_MIN;
    }

    const value = Number(text);

    return (
        Number.isFinite(value) &&
        (value !== 0 || !/[1-9]/.test(text.replace(/[eE].*/, "")))
    );
}

class Reader {
    at = 0;
    readonly faults: Fault[] = [];

    constructor(readonly text: string) {}

    space() {
        while (" \t\n\r".includes(this.text.charAt(this.at) || "x")) {
            this.at++;
        }
    }

    expected(what: string): Stop {
        if (this.at >= this.text.length) {
            return new Stop(
                this.at,
                this.at,
                `The text ends where ${what} is expected.`,
            );
        }

        WORD.lastIndex = this.at;

        const word = WORD.exec(this.text)?.[0];
        const found =
            word ?? String.fromCodePoint(this.text.codePointAt(this.at) ?? 0);

        return new Stop(
            this.at,
            this.at + found.length,
            `${found} stands where ${what} is expected.`,
        );
    }

    value(depth: number): JsonNode {
        const from = this.at;

        switch (this.text.charAt(from)) {
            case "{":
                return this.object(this.deeper(depth));
            case "[":
                return this.array(this.deeper(depth));
            case '"':
                return this.string();
            default:
                return this.scalar();
        }
    }

    deeper(depth: number): number {
        if (depth === MAX_DEPTH) {
            throw new Stop(
                this.at,
                this.at + 1,
                `Values may be nested ${MAX_DEPTH} deep, no deeper.`,
            );
        }

        return depth + 1;
    }

    scalar(): JsonNode {
        const from = this.at;

        for (const word of ["true", "false", "null"] as const) {
            if (this.text.startsWith(word, from)) {
                this.at += word.length;

                return {
                    type: word === "null" ? "null" : "boolean",
                    from,
                    to: this.at,
                };
            }
        }

        NUMBER.lastIndex = from;

        const number = NUMBER.exec(this.text)?.[0];

        if (number === undefined) {
            throw this.expected("a value");
        }

        this.at += number.length;

        if (!isExact(number)) {
            this.faults.push({
                from,
                to: this.at,
                message: "This number cannot be stored exactly.",
            });
        }

        return { type: "number", from, to: this.at };
    }

    string(): Extract<JsonNode, { type: "string" }> {
        const from = this.at;
        let to = from + 1;

        for (;;) {
            const c = this.text.charCodeAt(to);

            if (to >= this.text.length || c === 10 || c === 13) {
                throw new Stop(from, to, "This string is not closed.");
            }

            if (c === 34) {
                break;
            }

            if (c < 32) {
                throw new Stop(
                    to,
                    to + 1,
                    "Control characters in a string must be escaped.",
                );
            }

            to += c === 92 ? 2 : 1;
        }

        this.at = ++to;

        return { type: "string", from, to, value: this.decode(from, to) };
    }

    decode(from: number, to: number): string {
        let value: string;

        try {
            value = JSON.parse(this.text.slice(from, to)) as string;
        } catch {
            const bad = /\\(?!["\\/bfnrt]|u[0-9a-fA-F]{4})/g;
            const body = this.text
                .slice(from, to)
                .replace(/\\["\\/bfnrt]/g, "..");
            const at = from + Math.max(0, body.search(bad));

            throw new Stop(at, at + 2, "This is no escape of JSON.");
        }

        if (value.includes("\0")) {
            this.faults.push({
                from,
                to,
                message: "The character U+0000 is not allowed.",
            });
        }

        if (!isWellFormed(value)) {
            this.faults.push({
                from,
                to,
                message: "Half a character (a lone surrogate) is not allowed.",
            });
        }

        return value;
    }

    object(depth: number): JsonObject {
        const from = this.at++;
        const members: JsonMember[] = [];
        const names = new Set<string>();

        this.space();

        if (this.text.charAt(this.at) === "}") {
            return { type: "object", from, to: ++this.at, members };
        }

        for (;;) {
            members.push(this.member(names, depth));
            this.space();

            if (this.text.charAt(this.at) === "}") {
                return { type: "object", from, to: ++this.at, members };
            }

            if (this.text.charAt(this.at) !== ",") {
                throw this.expected("a comma or }");
            }

            this.at++;
            this.space();
        }
    }

    member(names: Set<string>, depth: number): JsonMember {
        if (this.text.charAt(this.at) !== '"') {
            throw this.expected("a name in double quotes");
        }

        const name = this.string();

        if (names.has(name.value)) {
            this.faults.push({
                from: name.from,
                to: name.to,
                message: `The member ${JSON.stringify(name.value)} comes twice.`,
            });
        }

        names.add(name.value);
        this.space();

        if (this.text.charAt(this.at) !== ":") {
            throw this.expected("a colon");
        }

        this.at++;
        this.space();

        return {
            name: name.value,
            nameFrom: name.from,
            nameTo: name.to,
            value: this.value(depth),
        };
    }

    array(depth: number): JsonArray {
        const from = this.at++;
        const items: JsonNode[] = [];

        this.space();

        if (this.text.charAt(this.at) === "]") {
            return { type: "array", from, to: ++this.at, items };
        }

        for (;;) {
            items.push(this.value(depth));
            this.space();

            if (this.text.charAt(this.at) === "]") {
                return { type: "array", from, to: ++this.at, items };
            }

            if (this.text.charAt(this.at) !== ",") {
                throw this.expected("a comma or ]");
            }

            this.at++;
            this.space();
        }
    }
}

function isWellFormed(text: string): boolean {
    return !/\p{Surrogate}/u.test(text);
}

/** Reads one value; node is null where the text is no JSON. */
export function readJson(text: string): JsonRead {
    const reader = new Reader(text);

    try {
        reader.space();

        const node = reader.value(0);

        reader.space();

        if (reader.at < text.length) {
            throw reader.expected("the end of the text");
        }

        return { node, faults: reader.faults };
    } catch (error) {
        if (!(error instanceof Stop)) {
            throw error;
        }

        const { line, column } = positionOf(text, error.from);

        return {
            node: null,
            faults: [
                {
                    from: error.from,
                    to: Math.min(text.length, error.to),
                    message: `Line ${line}, column ${column}: ${error.message}`,
                },
            ],
        };
    }
}

export function memberOf(
    node: JsonNode | null | undefined,
    name: string,
): JsonMember | undefined {
    return node?.type === "object"
        ? node.members.find((member) => member.name === name)
        : undefined;
}

/** The text of a value without white space; all else as it was written. */
export function compactJson(text: string, node: JsonNode): string {
    switch (node.type) {
        case "object":
            return `{${node.members
                .map(
                    (member) =>
                        text.slice(member.nameFrom, member.nameTo) +
                        ":" +
                        compactJson(text, member.value),
                )
                .join(",")}}`;
        case "array":
            return `[${node.items
                .map((item) => compactJson(text, item))
                .join(",")}]`;
        default:
            return text.slice(node.from, node.to);
    }
}

/** The text of a value, a line a member; short lists stay on one line. */
export function prettyJson(text: string, node: JsonNode, indent = ""): string {
    const deeper = `${indent}  `;

    switch (node.type) {
        case "object":
            if (node.members.length === 0) {
                return "{}";
            }

            return `{\n${node.members
                .map(
                    (member) =>
                        deeper +
                        text.slice(member.nameFrom, member.nameTo) +
                        ": " +
                        prettyJson(text, member.value, deeper),
                )
                .join(",\n")}\n${indent}}`;

        case "array": {
            const flat = node.items.every(
                (item) => item.type !== "object" && item.type !== "array",
            );
            const items = node.items.map((item) =>
                prettyJson(text, item, deeper),
            );
            const line = `[${items.join(", ")}]`;

            if (flat && indent.length + line.length <= 72) {
                return line;
            }

            return `[\n${items
                .map((item) => deeper + item)
                .join(",\n")}\n${indent}]`;
        }

        default:
            return text.slice(node.from, node.to);
    }
}

/** A text of JSON in its readable form; as it is where it is no JSON. */
export function formatJson(text: string): string {
    const { node } = readJson(text);

    return node === null ? text : prettyJson(text, node);
}

/**
 * The text with one member of its outermost object set to a value's text, or
 * taken out where that is null.  All the rest stays byte for byte; as it is
 * where the text is no object.
 */
export function setMember(
    text: string,
    name: string,
    value: string | null,
): string {
    if (text.trim() === "") {
        return value === null
            ? text
            : `{\n  ${JSON.stringify(name)}: ${value}\n}`;
    }

    const { node } = readJson(text);

    if (node?.type !== "object") {
        return text;
    }

    const index = node.members.findIndex((member) => member.name === name);
    const member = node.members[index];

    if (member !== undefined) {
        return value === null
            ? removeMember(text, node, index)
            : text.slice(0, member.value.from) +
                  value +
                  text.slice(member.value.to);
    }

    return value === null ? text : addMember(text, node, name, value);
}

function addMember(
    text: string,
    node: JsonObject,
    name: string,
    value: string,
): string {
    const last = node.members[node.members.length - 1];
    const member = `${JSON.stringify(name)}: ${value}`;

    if (last === undefined) {
        return `${text.slice(0, node.from)}{\n  ${member}\n}${text.slice(node.to)}`;
    }

    // as the last one stands: what is between it and what precedes it
    const before = node.members[node.members.length - 2];
    const start = before === undefined ? node.from + 1 : before.value.to;
    const gap = text.slice(start, last.nameFrom).replace(/^\s*,/, "");

    return `${text.slice(0, last.value.to)},${gap}${member}${text.slice(last.value.to)}`;
}

function removeMember(text: string, node: JsonObject, index: number): string {
    const before = node.members[index - 1];
    const member = node.members[index];
    const after = node.members[index + 1];

    if (member === undefined) {
        return text;
    }

    if (before !== undefined) {
        return text.slice(0, before.value.to) + text.slice(member.value.to);
    }

    if (after !== undefined) {
        return text.slice(0, member.nameFrom) + text.slice(after.nameFrom);
    }

    return `${text.slice(0, node.from)}{}${text.slice(node.to)}`;
}

/**
 * The node that a dotted path of the server leads to, or the last one on the
 * way that is there.  Names may contain points: the longest name that fits
 * counts.
 */
export function nodeAt(root: JsonNode, path: string): JsonNode {
    let node = root;
    let rest = path.split(".");

    while (rest.length > 0 && rest[0] !== "") {
        const step = stepInto(node, rest);

        if (step === null) {
            break;
        }

        node = step.node;
        rest = step.rest;
    }

    return node;
}

function stepInto(
    node: JsonNode,
    rest: string[],
): { node: JsonNode; rest: string[] } | null {
    if (node.type === "array") {
        const item = node.items[Number(rest[0])];

        return item === undefined ? null : { node: item, rest: rest.slice(1) };
    }

    for (let n = rest.length; n > 0; n--) {
        const member = memberOf(node, rest.slice(0, n).join("."));

        if (member !== undefined) {
            return { node: member.value, rest: rest.slice(n) };
        }
    }

    return null;
}
