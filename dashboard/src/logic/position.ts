// Where something stands in a text, and how long texts are, as the server
// counts.

export type Place = { from: number; to: number };

/** Something that is wrong at a place of a text. */
export type Fault = Place & {
    message: string;
    /** what the server would call the place, e.g. `params.model` */
    field?: string;
    severity?: "error" | "warning";
};

export type Position = { line: number; column: number };

/** Line and column of an offset, from 1; columns in characters, not units. */
export function positionOf(text: string, offset: number): Position {
    let line = 1;
    let start = 0;

    for (let i = 0; i < offset; i++) {
        const c = text.charCodeAt(i);

        if (c === 10 || c === 13) {
            if (c === 13 && text.charCodeAt(i + 1) === 10 && i + 1 < offset) {
                i++;
            }

            line++;
            start = i + 1;
        }
    }

    return { line, column: characters(text, start, offset) + 1 };
}

/** The offset of a line and column; the end of the text where it is shorter. */
export function offsetOf(text: string, line: number, column: number): number {
    let at = 0;

    for (let n = 1; n < line && at < text.length; at++) {
        const c = text.charCodeAt(at);

        if (c === 13 && text.charCodeAt(at + 1) === 10) {
            continue;
        }

        if (c === 10 || c === 13) {
            n++;
        }
    }

    for (let n = 1; n < column && at < text.length; n++) {
        at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
    }

    return at;
}

/** How many characters (code points) stand between two offsets. */
export function characters(
    text: string,
    from = 0,
    to: number = text.length,
): number {
    let n = 0;

    for (let i = from; i < to; i++) {
        const c = text.charCodeAt(i);

        n++;

        if (c >= 0xd800 && c <= 0xdbff && i + 1 < to) {
            const next = text.charCodeAt(i + 1);

            i += next >= 0xdc00 && next <= 0xdfff ? 1 : 0;
        }
    }

    return n;
}

/** Bytes of the text in UTF-8. */
export function bytes(text: string): number {
    let n = 0;

    for (let i = 0; i < text.length; i++) {
        const c = text.charCodeAt(i);

        if (c < 0x80) {
            n += 1;
        } else if (c < 0x800) {
            n += 2;
        } else if (c >= 0xd800 && c <= 0xdbff && i + 1 < text.length) {
            n += 4;
            i++;
        } else {
            n += 3;
        }
    }

    return n;
}

/** Of half a surrogate pair, which is no text; -1 where there is none. */
export function loneSurrogate(text: string): number {
    for (let i = 0; i < text.length; i++) {
        const c = text.charCodeAt(i);

        if (c < 0xd800 || c > 0xdfff) {
            continue;
        }

        const next = text.charCodeAt(i + 1);

        if (c > 0xdbff || !(next >= 0xdc00 && next <= 0xdfff)) {
            return i;
        }

        i++;
    }

    return -1;
}

/** What no text may contain, whatever it is. */
export function textFaults(text: string): Fault[] {
    const faults: Fault[] = [];
    const nul = text.indexOf("\0");
    const half = loneSurrogate(text);

    if (nul >= 0) {
        faults.push({
            from: nul,
            to: nul + 1,
            message: "The character U+0000 is not allowed.",
        });
    }

    if (half >= 0) {
        faults.push({
            from: half,
            to: half + 1,
            message: "Half a character (a lone surrogate) is not allowed.",
        });
    }

    return faults;
}
