// A change by another tab, or by somebody else, is noticed, not overwritten.

import { useEffect } from "preact/hooks";
import { query } from "./client.ts";
import { graphql } from "./graphql.ts";

/** what was changed: "prompts" (the list), or one prompt by its id */
export type Changed = "prompts" | "keys" | { promptId: string };

const tabs =
    typeof BroadcastChannel === "undefined"
        ? undefined
        : new BroadcastChannel("prompt-changes");

/** Tells the other tabs. Call it after a mutation that was done. */
export function announce(changed: Changed): void {
    tabs?.postMessage(changed);
}

/** Calls back when another tab changed something. */
export function useChanges(callback: (changed: Changed) => void): void {
    useEffect(() => {
        const listener = (event: MessageEvent<Changed>) => callback(event.data);

        tabs?.addEventListener("message", listener);
        return () => tabs?.removeEventListener("message", listener);
    }, [callback]);
}

const StampQuery = graphql(`
    query PromptStamp($id: ID!) {
        prompt(id: $id) {
            updatedAt
            versions(last: 1) {
                version
            }
        }
    }
`);

/** How a prompt stood when it was read. */
export interface Stamp {
    updatedAt: string;
    /** the latest version's number; 0: there is none */
    latest: number;
}

export function stampOf(prompt: {
    updatedAt: string;
    versions: readonly { version: number }[];
}): Stamp {
    return {
        updatedAt: prompt.updatedAt,
        latest: prompt.versions.at(-1)?.version ?? 0,
    };
}

/**
 * How the prompt stands now, where that is not as it was seen; undefined: it
 * is.  Ask before saving.  Throws ApiError (NOT_FOUND: it was deleted).
 */
export async function changedMeanwhile(
    id: string,
    seen: Stamp,
): Promise<Stamp | undefined> {
    const { prompt } = await query(StampQuery, { id });

    if (prompt === null) {
        return undefined;
    }

    const now = stampOf(prompt);

    return now.updatedAt === seen.updatedAt && now.latest === seen.latest
        ? undefined
        : now;
}
