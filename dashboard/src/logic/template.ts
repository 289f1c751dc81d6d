// Templates as the service reads them: placeholders, escapes, and what is
// ill-formed.
//
// `{{name}}`, `{{ name }}`, `{{customer.email}}`, `{{tags.0}}`.  A segment is
// one or more characters other than white space, ".", "{" and "}".  `\{{`
// writes a literal `{{`; a `}}` alone is text.

import { type Fault, type Place, positionOf } from "./position.ts";

export type Placeholder = Place & {
    /** dotted, without the white space around it */
    path: string;
    pathFrom: number;
    pathTo: number;
};

/** more than anybody reads */
const FAULTS = 100;

export type Template = {
    placeholders: Placeholder[];
    /** each `\{{` */
    escapes: Place[];
    faults: Fault[];
};

/* the property White_Space of Unicode */
const SPACE =
    /[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*/y;
const SEGMENT =
    /[^.{}\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]*/y;

function skip(what: RegExp, text: string, at: number): number {
    what.lastIndex = at;
    what.exec(text);

    return what.lastIndex;
}

type Scanned = { placeholder: Placeholder } | { message: string; to: number };

/** The placeholder whose `{{` is at from. */
function scanPlaceholder(text: string, from: number): Scanned {
    let at = from + 2;

    if (text.charAt(at) === "{") {
        while (text.charAt(at) === "{") {
            at++;
        }

        return { message: '"{{{" is not allowed', to: at };
    }

    at = skip(SPACE, text, at);

    const pathFrom = at;

    if (text.startsWith("}}", at)) {
        return { message: "placeholder without a name", to: at + 2 };
    }

    for (;;) {
        const end = skip(SEGMENT, text, at);

        if (end === at) {
            break;
        }

        at = end;

        if (text.charAt(at) !== ".") {
            const pathTo = at;

            at = skip(SPACE, text, at);

            if (!text.startsWith("}}", at)) {
                break;
            }

            return {
                placeholder: {
                    path: text.slice(pathFrom, pathTo),
                    from,
                    to: at + 2,
                    pathFrom,
                    pathTo,
                },
            };
        }

        at++;
    }

    const open = skip(SPACE, text, at) === text.length;

    return {
        message: open ? "unclosed placeholder" : "ill-formed placeholder",
        to: faultEnd(text, from, at),
    };
}

/** Until where an ill-formed placeholder is marked: on its line only. */
function faultEnd(text: string, from: number, at: number): number {
    const rest = text.slice(from + 2, Math.max(at, from) + 40);
    const stop = /\}\}|\n|\{\{/.exec(rest);

    if (stop === null) {
        return from + 2 + rest.length;
    }

    return from + 2 + stop.index + (stop[0] === "}}" ? 2 : 0);
}

/** All placeholders of a text, and all that is wrong; the first fault is the
 *  one that the service would report. */
export function readTemplate(text: string): Template {
    const template: Template = { placeholders: [], escapes: [], faults: [] };
    let at = text.indexOf("{{");

    while (at >= 0 && template.faults.length < FAULTS) {
        if (at > 0 && text.charAt(at - 1) === "\\") {
            template.escapes.push({ from: at - 1, to: at + 2 });
            at = text.indexOf("{{", at + 2);
            continue;
        }

        const scanned = scanPlaceholder(text, at);

        if ("placeholder" in scanned) {
            template.placeholders.push(scanned.placeholder);
            at = text.indexOf("{{", scanned.placeholder.to);
            continue;
        }

        const { line, column } = positionOf(text, at);

        template.faults.push({
            from: at,
            to: scanned.to,
            message: `Line ${line}, column ${column}: ${scanned.message}.`,
        });
        at = text.indexOf("{{", scanned.to);
    }

    return template;
}

/** The paths of a template, each once, in the order of their appearance. */
export function pathsOf(text: string): string[] {
    return [...new Set(readTemplate(text).placeholders.map((one) => one.path))];
}

/**
 * What is being typed at an offset: the beginning of a placeholder's path,
 * where completions go; null outside of placeholders.
 */
export function openPlaceholder(
    text: string,
    offset: number,
): { from: number; typed: string } | null {
    const open = text.lastIndexOf("{{", offset - 2);

    if (
        offset < 2 ||
        open < 0 ||
        (open > 0 && text.charAt(open - 1) === "\\")
    ) {
        return null;
    }

    const between = text.slice(open + 2, offset);

    if (/[{}\n]/.test(between)) {
        return null;
    }

    const from = skip(SPACE, text, open + 2);

    if (from > offset) {
        return { from: offset, typed: "" };
    }

    const typed = text.slice(from, offset);

    return /\s/.test(typed) ? null : { from, typed };
}
