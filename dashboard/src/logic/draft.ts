// Drafts: what was typed and not yet saved, kept in this browser by prompt.

import type { ApiMessage } from "./messages.ts";

export type Draft = {
    /** the version that the typing began with; 0 where there was none */
    base: number;
    /** when it was last typed, in milliseconds */
    at: number;
    content: string;
    messages: ApiMessage[];
    params: string;
    inputSchema: string;
    outputSchema?: string;
    /** typed into fields, but no value for them yet */
    pending: Readonly<Record<string, string>>;
};

export const DRAFT_PREFIX = "prompt.draft.";

function isMessage(value: unknown): value is ApiMessage {
    const message = value as ApiMessage | null;

    return (
        typeof message === "object" &&
        message !== null &&
        (typeof message.placeholder === "string" ||
            typeof message.role === "string")
    );
}

/** What is stored may be from another version of this page: null if so. */
export function readDraft(storage: Storage, promptId: string): Draft | null {
    let draft: Partial<Draft> | null;

    try {
        draft = JSON.parse(
            storage.getItem(DRAFT_PREFIX + promptId) ?? "null",
        ) as Partial<Draft> | null;
    } catch {
        return null;
    }

    if (
        typeof draft !== "object" ||
        draft === null ||
        typeof draft.base !== "number" ||
        typeof draft.at !== "number" ||
        typeof draft.content !== "string" ||
        typeof draft.params !== "string" ||
        typeof draft.inputSchema !== "string" ||
        !Array.isArray(draft.messages) ||
        !draft.messages.every(isMessage)
    ) {
        return null;
    }

    return { ...draft, pending: strings(draft.pending) } as Draft;
}

function strings(value: unknown): Record<string, string> {
    return Object.fromEntries(
        Object.entries((value ?? {}) as Record<string, unknown>).filter(
            (entry): entry is [string, string] => typeof entry[1] === "string",
        ),
    );
}

/** False where the browser keeps nothing (full, or forbidden). */
export function keepDraft(
    storage: Storage,
    promptId: string,
    draft: Draft,
): boolean {
    try {
        storage.setItem(DRAFT_PREFIX + promptId, JSON.stringify(draft));
        return true;
    } catch {
        return false;
    }
}

export function dropDraft(storage: Storage, promptId: string): void {
    try {
        storage.removeItem(DRAFT_PREFIX + promptId);
    } catch {
        // nothing was kept, then
    }
}
