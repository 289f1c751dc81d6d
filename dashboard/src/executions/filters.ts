// Which executions are looked at: what the address says, and what the API is
// asked for.

import { isPeriod, type Period } from "../panels/period.ts";
import type { Choice } from "../ui/index.ts";

export interface Filters {
    period: Period;
    /** the id of a prompt */
    prompt: string;
    status: string;
    /** a number; 0: drafts */
    version: string;
    label: string;
    model: string;
    subject: string;
}

export const STATUSES = ["succeeded", "failed", "running", "cancelled", "lost"];

export type Address = Record<string, string | undefined>;

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const NUMBER = /^(0|[1-9]\d{0,8})$/;

function matching(text: string | undefined, pattern: RegExp): string {
    return text !== undefined && pattern.test(text) ? text : "";
}

export function filtersOf(address: Address): Filters {
    const { period, prompt, status, version, label, model, subject } = address;

    return {
        period: isPeriod(period) ? period : "7d",
        prompt: matching(prompt, ID),
        status: STATUSES.includes(status ?? "") ? (status ?? "") : "",
        version: matching(version, NUMBER),
        label: label ?? "",
        model: model ?? "",
        subject: subject ?? "",
    };
}

/** Whether anything but a period, and the prompt itself, is chosen. */
export function isFiltered({
    status,
    version,
    label,
    model,
    subject,
}: Filters): boolean {
    return [status, version, label, model, subject].some((one) => one !== "");
}

export const NO_FILTERS = {
    status: undefined,
    version: undefined,
    label: undefined,
    model: undefined,
    subject: undefined,
};

/** Arguments of `executions`, but the page; versions are those of a prompt. */
export function argumentsOf(filters: Filters, since: string) {
    return {
        promptId: filters.prompt || null,
        version:
            filters.prompt && filters.version ? Number(filters.version) : null,
        label: filters.label || null,
        status: filters.status ? [filters.status] : null,
        model: filters.model || null,
        subject: filters.subject || null,
        since,
    };
}

/** A number is a version, all else a label. */
export function versionOrLabel(text: string): {
    version: string | undefined;
    label: string | undefined;
} {
    return NUMBER.test(text)
        ? { version: text, label: undefined }
        : { version: undefined, label: text || undefined };
}

/** Choices of a filter: any of them, and what is chosen though it is none. */
export function choicesOf(
    all: string,
    choices: readonly Choice[],
    chosen: string,
): Choice[] {
    const missing =
        chosen !== "" && !choices.some(({ value }) => value === chosen);

    return [
        { value: "", text: all },
        ...(missing ? [{ value: chosen, text: chosen }] : []),
        ...choices,
    ];
}

export function plainChoices(values: readonly string[]): Choice[] {
    return values.map((value) => ({ value, text: value }));
}
