// JSON as it was written.  A JSON scalar of the schema comes and goes as text,
// because a number that JavaScript reads and writes again may be another one.

/** A JSON value by its text. */
export class RawJson {
    readonly text: string;

    constructor(text: string) {
        this.text = text;
    }

    static of(value: unknown): RawJson {
        return new RawJson(stringify(value));
    }

    /** As JavaScript has it: for reading, not for sending back. */
    get value(): unknown {
        return JSON.parse(this.text);
    }
}

/** JSON.stringify, in which RawJson stands as it is. */
export function stringify(value: unknown): string {
    if (value instanceof RawJson) {
        return value.text;
    }

    if (Array.isArray(value)) {
        return `[${value.map((v) => stringify(v ?? null)).join(",")}]`;
    }

    if (value !== null && typeof value === "object") {
        const members = Object.entries(value)
            .filter(([, v]) => v !== undefined)
            .map(([k, v]) => `${JSON.stringify(k)}:${stringify(v)}`);

        return `{${members.join(",")}}`;
    }

    return JSON.stringify(value) ?? "null";
}

/**
 * Where the string that begins at a place ends.  An expression would do, but not
 * with strings of some millions of escapes.
 */
export function endOfString(text: string, at: number): number {
    for (let end = at; ; ) {
        let slashes = 0;

        end = text.indexOf('"', end + 1);

        if (end < 0) {
            throw new SyntaxError(`a string without end at ${at}`);
        }

        while (text[end - 1 - slashes] === "\\") {
            slashes++;
        }

        if (slashes % 2 === 0) {
            return end + 1;
        }
    }
}

/**
 * JSON.parse, in which the members of these names become RawJson (null stays
 * null).  What is inside them is not looked at.
 */
export function parseKeeping(text: string, names: ReadonlySet<string>) {
    let at = 0;

    const blank = /[ \t\n\r]*/y;
    const scalar = /[^\s,\]}]+/y;

    function match(pattern: RegExp): string {
        pattern.lastIndex = at;
        const found = pattern.exec(text);

        if (found === null) {
            throw new SyntaxError(`unexpected character at ${at}`);
        }

        at = pattern.lastIndex;
        return found[0];
    }

    function string(): string {
        const start = at;

        at = endOfString(text, at);
        return text.slice(start, at);
    }

    function space() {
        blank.lastIndex = at;
        blank.exec(text);
        at = blank.lastIndex;
    }

    function skip(): void {
        const open = text[at];

        if (open === '"') {
            string();
        } else if (open === "{" || open === "[") {
            let depth = 0;

            do {
                const c = text[at];

                if (c === '"') {
                    string();
                    continue;
                }

                if (c === undefined) {
                    throw new SyntaxError("unexpected end");
                }

                depth +=
                    c === "{" || c === "["
                        ? 1
                        : c === "}" || c === "]"
                          ? -1
                          : 0;
                at++;
            } while (depth > 0);
        } else {
            match(scalar);
        }
    }

    function items(close: string, item: () => void) {
        at++;
        space();

        if (text[at] === close) {
            at++;
            return;
        }

        for (;;) {
            item();
            space();
            const c = text[at++];

            if (c === close) {
                return;
            }

            if (c !== ",") {
                throw new SyntaxError(`unexpected character at ${at - 1}`);
            }
        }
    }

    function value(): unknown {
        space();
        const c = text[at];

        if (c === "{") {
            const object: Record<string, unknown> = {};

            items("}", () => {
                space();
                const name = JSON.parse(string()) as string;
                space();
                at++; // the colon
                object[name] = names.has(name) ? raw() : value();
            });

            return object;
        }

        if (c === "[") {
            const array: unknown[] = [];

            items("]", () => {
                array.push(value());
            });
            return array;
        }

        return JSON.parse(c === '"' ? string() : match(scalar));
    }

    function raw(): RawJson | null {
        space();
        const start = at;
        skip();
        const slice = text.slice(start, at);

        return slice === "null" ? null : new RawJson(slice);
    }

    // what is no JSON at all is found here, with its words
    JSON.parse(text);
    return value();
}
