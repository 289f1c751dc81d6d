// What the service says is wrong with an input, at the fields that it is
// wrong in.  The service names a missing property by its own name alone, and
// any other value by its path.

import type { Field } from "./form.ts";
import type { Faults } from "./values.ts";

export interface Violation {
    field: string;
    keyword: string;
    message: string;
}

export interface Placed {
    faults: Faults;
    /** What belongs to no field. */
    others: string[];
}

function every(fields: readonly Field[]): Field[] {
    return fields.flatMap((field) =>
        field.kind === "object" ? [field, ...every(field.fields)] : [field],
    );
}

function keyFor(fields: readonly Field[], name: string): string | null {
    const all = every(fields);
    const exact = all.find((field) => field.path.join(".") === name);

    if (exact) {
        return exact.key;
    }

    /* an item of a list, or something within a field of JSON */
    for (const field of all) {
        const prefix = `${field.path.join(".")}.`;

        if (field.kind !== "object" && name.startsWith(prefix)) {
            const index = /^\d+/.exec(name.slice(prefix.length))?.[0];

            return field.kind === "list" && index !== undefined
                ? `${field.key}/${index}`
                : field.key;
        }
    }

    return all.find((field) => field.label === name)?.key ?? null;
}

function isViolation(value: unknown): value is Violation {
    const one = value as Partial<Violation> | null;

    return (
        typeof one === "object" &&
        typeof one?.field === "string" &&
        typeof one.message === "string"
    );
}

/** extensions of an error, as the service sent it, and its message. */
export function placed(
    fields: readonly Field[],
    message: string,
    extensions: Record<string, unknown> | undefined,
): Placed {
    const faults: Faults = {};
    const others: string[] = [];
    const sent = extensions?.violations;
    const list = Array.isArray(sent) ? sent.filter(isViolation) : [];
    const field = extensions?.field;
    const all =
        list.length > 0
            ? list
            : [{ field: typeof field === "string" ? field : "", message }];

    for (const one of all) {
        const key = one.field === "" ? null : keyFor(fields, one.field);

        if (key === null) {
            others.push(one.message);
        } else {
            faults[key] ??= one.message;
        }
    }

    return { faults, others };
}
