// Items as lines of JSON: {"input": {…}, "expected": …, "metadata": {…}}.

import { parseKeeping, RawJson, stringify } from "../data/raw.ts";

export interface LineItem {
    input: RawJson;
    expected: RawJson | null;
    metadata: RawJson | null;
}

export interface WrongLine {
    line: number;
    why: string;
}

export interface Lines {
    items: LineItem[];
    /** the line that each item stands in */
    numbers: number[];
    wrong: WrongLine[];
}

const MEMBERS = new Set(["input", "expected", "metadata"]);

function isObject(value: unknown): value is RawJson {
    return value instanceof RawJson && value.text.startsWith("{");
}

function itemOf(line: string): LineItem | string {
    let value: unknown;

    try {
        value = parseKeeping(line, MEMBERS);
    } catch {
        return "is not JSON";
    }

    if (
        typeof value !== "object" ||
        value === null ||
        Array.isArray(value) ||
        value instanceof RawJson
    ) {
        return "is no JSON object";
    }

    const { input, expected, metadata, ...others } = value as Record<
        string,
        unknown
    >;
    const [other] = Object.keys(others);

    if (other !== undefined) {
        return `has a member "${other.slice(0, 40)}"; there are input, expected and metadata`;
    }

    if (!isObject(input)) {
        return "has no input that is a JSON object";
    }

    if (metadata != null && !isObject(metadata)) {
        return "has metadata that are no JSON object";
    }

    return {
        input,
        expected: (expected as RawJson | null) ?? null,
        metadata: (metadata as RawJson | null) ?? null,
    };
}

export function readLines(text: string): Lines {
    const lines: Lines = { items: [], numbers: [], wrong: [] };

    for (const [at, line] of text
        .replace(/^\uFEFF/, "")
        .split("\n")
        .entries()) {
        if (line.trim() === "") {
            continue;
        }

        const item = itemOf(line);

        if (typeof item === "string") {
            lines.wrong.push({ line: at + 1, why: item });
        } else {
            lines.items.push(item);
            lines.numbers.push(at + 1);
        }
    }

    return lines;
}

export function writeLine({ input, expected, metadata }: LineItem): string {
    const line = stringify({
        input,
        ...(expected !== null && { expected }),
        ...(metadata !== null && { metadata }),
    });

    // between values, since strings have none
    return `${line.replace(/[\r\n]+/g, " ")}\n`;
}

/** At most so many items, and bytes, go in a request. */
export const TOGETHER = 1000;
const BYTES = 1 << 20;

/** How many items from a place on go together. */
export function together(items: readonly LineItem[], from: number): number {
    let bytes = 0;
    let count = 0;

    for (const { input, expected, metadata } of items.slice(
        from,
        from + TOGETHER,
    )) {
        for (const part of [input, expected, metadata]) {
            bytes += (part?.text.length ?? 0) * 3;
        }

        if (count > 0 && bytes > BYTES) {
            break;
        }

        count++;
    }

    return count;
}
