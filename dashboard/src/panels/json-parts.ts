// JSON by its parts: a value is where it stands in the text, and its members are
// looked for when somebody wants to see them.  So a text of some MiB costs what
// is seen of it, and numbers stay as they were written.

import { endOfString } from "../data/raw.ts";

export interface Part {
    /** as it is written, in its quotes; undefined: an element of an array */
    key: string | undefined;
    start: number;
    end: number;
}

export interface Parts {
    parts: Part[];
    /** where to go on; undefined: these are all */
    next: number | undefined;
}

/** deeper is no tree that anybody reads */
const DEEPEST = 200;

const BLANK = /[ \t\n\r]*/y;
const SCALAR = /[^\s,\]}]+/y;

function skip(pattern: RegExp, text: string, at: number): number {
    pattern.lastIndex = at;
    pattern.exec(text);
    return pattern.lastIndex;
}

/** Where the value ends that begins at a place; -1: it is too deep. */
function endOfValue(text: string, at: number): number {
    let depth = 0;

    for (let i = at; ; ) {
        const c = text[i];

        if (c === '"') {
            i = endOfString(text, i);
        } else if (c === "{" || c === "[") {
            depth++;
            i++;
        } else if (c === "}" || c === "]") {
            depth--;
            i++;
        } else if (c === undefined) {
            return i;
        } else if (depth === 0) {
            return skip(SCALAR, text, i);
        } else {
            i++;
        }

        if (depth === 0) {
            return i;
        }

        if (depth > DEEPEST) {
            return -1;
        }
    }
}

/** The object or array that a text is; undefined: it is none, or too deep. */
export function wholeOf(text: string): Part | undefined {
    const start = skip(BLANK, text, 0);

    if (text[start] !== "{" && text[start] !== "[") {
        return undefined;
    }

    try {
        const end = endOfValue(text, start);

        if (end < 0) {
            return undefined;
        }

        JSON.parse(text);
        return { key: undefined, start, end };
    } catch {
        return undefined;
    }
}

/** The members of an object or array, from where the last ones ended. */
export function partsOf(
    text: string,
    { start }: Part,
    count: number,
    from = start + 1,
): Parts {
    const parts: Part[] = [];
    let at = skip(BLANK, text, from);

    while (text[at] !== "}" && text[at] !== "]") {
        if (parts.length === count) {
            return { parts, next: at };
        }

        let key: string | undefined;

        if (text[start] === "{") {
            const end = endOfString(text, at);

            key = text.slice(at, end);
            at = skip(BLANK, text, skip(BLANK, text, end) + 1);
        }

        const end = endOfValue(text, at);

        parts.push({ key, start: at, end });
        at = skip(BLANK, text, end);

        if (text[at] === ",") {
            at = skip(BLANK, text, at + 1);
        }
    }

    return { parts, next: undefined };
}
