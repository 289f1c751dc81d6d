// What was run, of one account: documents and variables, no answers, which may
// hold what is shown once; and nothing that has a secret in it.

import { type Operation, operationsOf } from "./operation.ts";

export interface Entry {
    query: string;
    variables: string;
    operation: string | null;
    /** ISO 8601 */
    time: string;
    ok: boolean;
}

const MOST = 50;
const BYTES = 500_000;

/** Fields that take a secret. */
const SECRET_FIELDS = ["changePassword", "acceptInvitation"];

/** A key or an invitation, or what somebody began to paste of one. */
const KEY = /pm[it]_[0-9A-Za-z]{6}/;

export function isSecret(entry: Entry): boolean {
    const text = entry.query + entry.variables;

    return (
        KEY.test(text) || SECRET_FIELDS.some((field) => text.includes(field))
    );
}

/** With an entry before all others, each once. */
export function remembered(list: readonly Entry[], entry: Entry): Entry[] {
    if (isSecret(entry)) {
        return [...list];
    }

    const others = list.filter(
        (one) =>
            one.query !== entry.query ||
            one.variables !== entry.variables ||
            one.operation !== entry.operation,
    );
    const entries = [entry, ...others].slice(0, MOST);

    while (entries.length > 1 && JSON.stringify(entries).length > BYTES) {
        entries.pop();
    }

    return entries;
}

function isEntry(value: unknown): value is Entry {
    const one = value as Partial<Entry> | null;

    return (
        typeof one === "object" &&
        typeof one?.query === "string" &&
        typeof one.variables === "string" &&
        typeof one.time === "string" &&
        typeof one.ok === "boolean" &&
        (one.operation === null || typeof one.operation === "string")
    );
}

/** What was stored, by whomever. */
export function read(text: string | null): Entry[] {
    try {
        const list: unknown = JSON.parse(text ?? "[]");

        return Array.isArray(list) ? list.filter(isEntry).slice(0, MOST) : [];
    } catch {
        return [];
    }
}

export function titleOf(entry: Entry): string {
    if (entry.operation !== null) {
        return entry.operation;
    }

    const [first]: Operation[] = operationsOf(entry.query);

    return (
        first?.name ??
        (first && first.fields.length > 0
            ? first.fields.join(", ")
            : entry.query
                  .replace(/#.*/g, "")
                  .replace(/\s+/g, " ")
                  .trim()
                  .slice(0, 60) || "empty")
    );
}
