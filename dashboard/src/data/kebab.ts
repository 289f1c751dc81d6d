// Names of prompts: the service's rule, so that one sees while typing what a
// name becomes.

import { characters } from "../logic/position.ts";

const NAME_LIMIT = 128;

type Class = "other" | "upper" | "lower" | "digit" | "letter";

const MARK = /^\p{M}$/u;

/** The simple lower-case mapping: one character for one. */
function lower(c: string): string {
    const text = c.toLowerCase();

    // the one character whose mapping is longer than the simple one
    return c === "İ" ? "i" : characters(text) === 1 ? text : c;
}

function classify(c: string): Class {
    if (/^\p{Ll}$/u.test(c)) {
        return "lower";
    }

    if (/^[\p{Lu}\p{Lt}]$/u.test(c) && lower(c) !== c) {
        return "upper";
    }

    if (/^\p{Nd}$/u.test(c)) {
        return "digit";
    }

    return /^\p{L}$/u.test(c) ? "letter" : "other";
}

function hasMarks(kind: Class): boolean {
    return kind !== "other" && kind !== "digit";
}

/** The class of what follows, behind the marks of the letter before it. */
function classBehind(all: string[], at: number, before: Class): Class {
    for (let i = at; i < all.length; i++) {
        const c = all[i] ?? "";

        if (!hasMarks(before) || !MARK.test(c)) {
            return classify(c);
        }
    }

    return "other";
}

function isBoundary(before: Class, kind: Class, next: () => Class): boolean {
    if (before === "other") {
        return true;
    }

    if (kind !== "upper") {
        return false;
    }

    return (
        before === "lower" ||
        before === "digit" ||
        (before === "upper" && next() === "lower")
    );
}

/** The kebab-case that a name becomes; empty where nothing of it is left. */
export function kebab(given: string): string {
    const all = [...given];
    let name = "";
    let before: Class = "other";

    for (let i = 0; i < all.length; i++) {
        const c = all[i] ?? "";

        if (hasMarks(before) && MARK.test(c)) {
            name += c;
            continue;
        }

        const kind = classify(c);

        if (kind !== "other") {
            const next = () => classBehind(all, i + 1, kind);

            if (name !== "" && isBoundary(before, kind, next)) {
                name += "-";
            }

            name += lower(c);
        }

        before = kind;
    }

    return name;
}

/** What is wrong with a name; undefined: nothing. */
export function nameError(given: string): string | undefined {
    const name = kebab(given);

    if (given.includes("\0")) {
        return "The character U+0000 is not allowed.";
    }

    if (name === "") {
        return "Enter a name with at least one letter or digit.";
    }

    const length = characters(name);

    return length > NAME_LIMIT
        ? `At most ${NAME_LIMIT} characters: this has ${length}.`
        : undefined;
}
