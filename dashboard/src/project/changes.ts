// The detail of an audit entry: what fields were before, and are after.

export interface Change {
    field: string;
    before: string | undefined;
    after: string | undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}

function text(value: unknown): string | undefined {
    if (value === undefined || value === null) {
        return undefined;
    }

    if (Array.isArray(value) && value.every((one) => typeof one === "string")) {
        return value.join(", ");
    }

    return typeof value === "string" ? value : JSON.stringify(value);
}

/** Why it was refused, in the service's words; undefined: it was done. */
export function refusalOf(detail: unknown): string | undefined {
    return isObject(detail) && typeof detail.code === "string"
        ? [detail.code, detail.reason].filter(Boolean).join(", ")
        : undefined;
}

/**
 * `{before: {name: …}, after: {name: …}}`, a row for each field; whatever else
 * there is was true after it.  Of a label both are its version, of a member the
 * role.
 */
export function changesOf(detail: unknown): Change[] {
    if (!isObject(detail)) {
        return [];
    }

    const { before, after, code, reason, ...rest } = detail;
    const was = fieldsOf(before);
    const is = { ...rest, ...fieldsOf(after) };

    return [...new Set([...Object.keys(is), ...Object.keys(was)])].map(
        (field) => ({
            field,
            before: text(was[field]),
            after: text(is[field]),
        }),
    );
}

function fieldsOf(value: unknown): Record<string, unknown> {
    if (isObject(value)) {
        return value;
    }

    return value == null
        ? {}
        : { [typeof value === "string" ? "role" : "version"]: value };
}
