// Labels: names of versions, such as `production`.

export const LABEL_LIMIT = 64;

/** What is wrong with a label, in words; null where nothing is. */
export function labelFault(label: string): string | null {
    if (label === "") {
        return "Give the label a name, such as production.";
    }

    if (label === "latest") {
        return '"latest" always means the newest version and cannot be set.';
    }

    if (!/^[a-z0-9]/.test(label)) {
        return "A label begins with a small letter or a digit.";
    }

    const wrong = /[^a-z0-9._-]/u.exec(label)?.[0];

    if (wrong !== undefined) {
        return wrong === " "
            ? "A label has no spaces; use - instead."
            : `A label has small letters, digits, ".", "_" and "-", but no "${wrong}".`;
    }

    return label.length > LABEL_LIMIT
        ? `A label has at most ${LABEL_LIMIT} characters; this one has ${label.length}.`
        : null;
}
