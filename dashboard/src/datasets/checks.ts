// Checks as they are edited: each a text a member, JSON as it is written.

import { parseKeeping, RawJson, stringify } from "../data/raw.ts";
import type { Choice } from "../ui/index.ts";

export type Member =
    | "path"
    | "value"
    | "pattern"
    | "schema"
    | "usd"
    | "ms"
    | "promptId"
    | "label";

export interface Check {
    name: string;
    type: CheckType;
    members: Partial<Record<Member, string>>;
}

/** what each type has; those with a ! it must have */
const TYPES = {
    equals: { text: "Equals", members: ["value", "path"] },
    contains: { text: "Contains", members: ["value", "path"] },
    json_equals: { text: "Equals, as JSON", members: ["value", "path"] },
    regex: {
        text: "Matches a regular expression",
        members: ["pattern!", "path"],
    },
    json_schema: { text: "Fits a JSON Schema", members: ["schema!", "path"] },
    max_cost: { text: "Costs at most", members: ["usd!"] },
    max_latency: { text: "Takes at most", members: ["ms!"] },
    judge: { text: "Judged by a prompt", members: ["promptId!", "label"] },
} as const;

export type CheckType = keyof typeof TYPES;

export const typeChoices: Choice[] = Object.entries(TYPES).map(
    ([value, { text }]) => ({ value, text }),
);

export function membersOf(
    type: CheckType,
): { member: Member; must: boolean }[] {
    return TYPES[type].members.map((one) => ({
        member: one.replace("!", "") as Member,
        must: one.endsWith("!"),
    }));
}

/** whether a text is JSON; equals and contains compare it as it is */
export function isJson(type: CheckType, member: Member): boolean {
    return (
        member === "schema" || (member === "value" && type === "json_equals")
    );
}

const RAW = new Set(["value", "schema", "usd", "ms"]);

function textOf(type: CheckType, member: Member, value: unknown): string {
    if (!(value instanceof RawJson)) {
        return String(value);
    }

    return !isJson(type, member) && value.text.startsWith('"')
        ? String(value.value)
        : value.text;
}

export function readChecks(text: string): Check[] {
    const all = parseKeeping(text, RAW) as Record<string, unknown>[];

    return all.map(({ name, type, ...rest }) => ({
        name: String(name),
        type: type as CheckType,
        members: Object.fromEntries(
            Object.entries(rest).map(([member, value]) => [
                member,
                textOf(type as CheckType, member as Member, value),
            ]),
        ),
    }));
}

function jsonOf(type: CheckType, member: Member, text: string): unknown {
    return isJson(type, member) || member === "ms" ? new RawJson(text) : text;
}

/** What is empty is not there. */
export function writeChecks(checks: readonly Check[]): RawJson {
    return new RawJson(
        stringify(
            checks.map(({ name, type, members }) => ({
                name,
                type,
                ...Object.fromEntries(
                    membersOf(type).flatMap(({ member }) => {
                        const text = members[member] ?? "";

                        return text.trim() === ""
                            ? []
                            : [[member, jsonOf(type, member, text)]];
                    }),
                ),
            })),
        ),
    );
}

/** What is wrong with them: texts by "N.member". */
export function faultsOf(
    checks: readonly Check[],
    jsonFault: (text: string) => string | undefined,
): Record<string, string> {
    const faults: Record<string, string> = {};
    const names = new Set<string>();

    for (const [at, { name, type, members }] of checks.entries()) {
        if (name.trim() === "") {
            faults[`${at}.name`] = "Enter a name.";
        } else if (names.has(name)) {
            faults[`${at}.name`] = "Another check has this name.";
        }

        names.add(name);

        for (const { member, must } of membersOf(type)) {
            const text = (members[member] ?? "").trim();
            const fault =
                text === ""
                    ? must
                        ? "Fill this in."
                        : undefined
                    : isJson(type, member)
                      ? jsonFault(text)
                      : member === "ms" && !/^\d{1,10}$/.test(text)
                        ? "Enter a whole number of milliseconds."
                        : member === "usd" && !/^\d+(\.\d+)?$/.test(text)
                          ? "Enter an amount such as 0.05."
                          : undefined;

            if (fault) {
                faults[`${at}.${member}`] = fault;
            }
        }
    }

    return faults;
}
