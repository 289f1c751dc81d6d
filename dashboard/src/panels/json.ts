// JSON as text: tokens with places, layout, and a reading that keeps numbers
// as they were written, because one that goes through the browser's own does
// not always come back the same.

/** As many levels as the service reads. */
const DEPTH = 64;

const TOKEN = new RegExp(
    [
        "([ \\t\\n\\r]+)",
        '("(?:\\\\.|[^"\\\\\\n\\r])*(?:"|(?=[\\n\\r])|$))',
        "(-?(?:0|[1-9][0-9]*)(?:\\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)",
        "(true|false|null)\\b",
        "([{}\\[\\],:])",
    ].join("|"),
    "y",
);

const KINDS = [null, null, "string", "number", "constant", "punct"] as const;

export type JsonKind = "string" | "number" | "constant" | "punct" | "error";

export interface JsonToken {
    kind: JsonKind;
    start: number;
    end: number;
    text: string;
}

/** What is wrong with a text, and where. */
export class JsonFault extends Error {
    readonly start: number;
    readonly end: number;

    constructor(message: string, start: number, end: number) {
        super(message);
        this.start = start;
        this.end = end;
    }
}

/** A number as it was written. */
export class JsonNumber {
    readonly text: string;

    constructor(text: string) {
        this.text = text;
    }
}

export type Json =
    | null
    | boolean
    | string
    | JsonNumber
    | Json[]
    | Map<string, Json>;

export function lexJson(text: string): JsonToken[] {
    const tokens: JsonToken[] = [];
    let at = 0;

    while (at < text.length) {
        TOKEN.lastIndex = at;

        const match = TOKEN.exec(text);
        const end = match ? TOKEN.lastIndex : at + 1;
        const group = match
            ? match.findIndex((part, i) => i > 0 && part !== undefined)
            : -1;
        const kind = match ? (KINDS[group] ?? null) : "error";

        if (kind !== null) {
            tokens.push({ kind, start: at, end, text: text.slice(at, end) });
        }

        at = end;
    }

    return tokens;
}

/** The same value, laid out with two spaces a level. */
export function prettyJson(text: string): string {
    const tokens = lexJson(text);
    const parts: string[] = [];
    let indent = "\n";

    for (const [i, token] of tokens.entries()) {
        const before = tokens[i - 1]?.text;
        const after = tokens[i + 1]?.text;

        if (token.kind !== "punct") {
            parts.push(token.text);
        } else if (token.text === "{" || token.text === "[") {
            parts.push(token.text);
            indent += "  ";

            if (after !== undefined && after !== "}" && after !== "]") {
                parts.push(indent);
            }
        } else if (token.text === "}" || token.text === "]") {
            indent = indent.slice(0, -2) || "\n";

            if (before === "{" || before === "[") {
                parts.push(token.text);
            } else {
                parts.push(indent, token.text);
            }
        } else {
            parts.push(token.text === "," ? `,${indent}` : ": ");
        }
    }

    return parts.join("");
}

class Reader {
    private readonly text: string;
    private readonly tokens: JsonToken[];
    private at = 0;

    constructor(text: string) {
        this.text = text;
        this.tokens = lexJson(text);
    }

    whole(): Json {
        const value = this.value(0);

        if (this.tokens[this.at] !== undefined) {
            this.fail("Something follows the end of the value.");
        }

        return value;
    }

    private fail(message: string): never {
        const token = this.tokens[this.at];
        const end = this.text.trimEnd().length;

        if (token === undefined) {
            throw new JsonFault(message, Math.max(end - 1, 0), end);
        }

        throw new JsonFault(
            token.kind === "error" ? "This is no JSON." : message,
            token.start,
            token.end,
        );
    }

    private take(text: string): boolean {
        if (this.tokens[this.at]?.text !== text) {
            return false;
        }

        this.at++;

        return true;
    }

    private value(depth: number): Json {
        const token = this.tokens[this.at];

        if (token === undefined) {
            this.fail("A value should stand here.");
        }

        if (depth > DEPTH) {
            this.fail(`Values are nested at most ${DEPTH} deep.`);
        }

        switch (token.kind) {
            case "string":
                return this.string();

            case "number":
                this.at++;
                return new JsonNumber(token.text);

            case "constant":
                this.at++;
                return token.text === "null" ? null : token.text === "true";

            default:
                if (this.take("[")) {
                    return this.list(depth);
                }

                if (this.take("{")) {
                    return this.object(depth);
                }

                this.fail("A value should stand here.");
        }
    }

    private string(): string {
        const token = this.tokens[this.at];

        if (token?.kind !== "string") {
            this.fail("A name in double quotes should stand here.");
        }

        try {
            const value = JSON.parse(token.text) as string;

            this.at++;

            return value;
        } catch {
            this.fail("This string is not closed or not well-formed.");
        }
    }

    private list(depth: number): Json[] {
        const values: Json[] = [];

        if (this.take("]")) {
            return values;
        }

        do {
            values.push(this.value(depth + 1));
        } while (this.take(","));

        if (!this.take("]")) {
            this.fail('"," or "]" should stand here.');
        }

        return values;
    }

    private object(depth: number): Map<string, Json> {
        const members = new Map<string, Json>();

        if (this.take("}")) {
            return members;
        }

        do {
            const start = this.at;
            const name = this.string();

            if (members.has(name)) {
                this.at = start;
                this.fail("This name stands here twice.");
            }

            if (!this.take(":")) {
                this.fail('":" should stand here.');
            }

            members.set(name, this.value(depth + 1));
        } while (this.take(","));

        if (!this.take("}")) {
            this.fail('"," or "}" should stand here.');
        }

        return members;
    }
}

/** The value of a text; throws JsonFault. */
export function readJson(text: string): Json {
    return new Reader(text).whole();
}

/** Laid out where it is JSON, else as it is. */
export function laidOut(text: string): string {
    try {
        readJson(text);
    } catch (thrown) {
        if (thrown instanceof JsonFault) {
            return text;
        }

        throw thrown;
    }

    return prettyJson(text);
}

/** What is wrong with a text that is to be a JSON object, or null. */
export function objectFault(text: string): JsonFault | null {
    try {
        if (readJson(text) instanceof Map) {
            return null;
        }

        return new JsonFault("This is to be a JSON object: { … }", 0, 1);
    } catch (error) {
        if (error instanceof JsonFault) {
            return error;
        }

        throw error;
    }
}

/** A value as text, without white space. */
export function writeJson(value: Json): string {
    if (value instanceof JsonNumber) {
        return value.text;
    }

    if (Array.isArray(value)) {
        return `[${value.map(writeJson).join(",")}]`;
    }

    if (value instanceof Map) {
        const members = [...value].map(
            ([name, member]) => `${JSON.stringify(name)}:${writeJson(member)}`,
        );

        return `{${members.join(",")}}`;
    }

    return JSON.stringify(value);
}

/** What JSON.parse() gave, as this module has it. */
export function toJson(value: unknown): Json {
    if (value instanceof JsonNumber) {
        return value;
    }

    if (typeof value === "number") {
        return new JsonNumber(String(value));
    }

    if (Array.isArray(value)) {
        return value.map(toJson);
    }

    if (typeof value === "object" && value !== null) {
        return new Map(
            Object.entries(value).map(([name, member]) => [
                name,
                toJson(member),
            ]),
        );
    }

    return typeof value === "string" || typeof value === "boolean"
        ? value
        : null;
}

/** Where a text ends: what leads to the value or name that would come next. */
export interface JsonPlace {
    /** Names, and 0 for the items of a list. */
    path: (string | 0)[];
    /** Whether a name would come. */
    key: boolean;
    inside: boolean;
}

export function jsonPlace(text: string): JsonPlace {
    const path: (string | 0)[] = [];
    const open: string[] = [];
    const tokens = lexJson(text);
    let name = "";
    let key = false;

    for (const [i, token] of tokens.entries()) {
        const punct = token.kind === "punct" ? token.text : "";

        if (punct === "{" || punct === "[") {
            if (open.length > 0) {
                path.push(open.at(-1) === "{" ? name : 0);
            }

            open.push(punct);
            key = punct === "{";
        } else if (punct === "}" || punct === "]") {
            open.pop();
            path.pop();
            key = false;
        } else if (punct === ":") {
            name = (tokens[i - 1]?.text ?? "").slice(1, -1);
            key = false;
        } else if (punct === ",") {
            key = open.at(-1) === "{";
        }
    }

    if (open.length > 0 && !key) {
        path.push(open.at(-1) === "{" ? name : 0);
    }

    return { path, key, inside: open.length > 0 };
}
