// What groups of statistics are called, whose names are ids.

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { query } from "../data/client.ts";
import { isAbort, toApiError } from "../data/errors.ts";
import { graphql, type TadaDocumentNode } from "../data/graphql.ts";
import { useQuery } from "../data/query.ts";
import type { By } from "./split.ts";

const KeyNames = graphql(`
    query KeyNames {
        apiKeys(first: 1000) {
            id
            name
        }
    }
`);

const NameOfOne = graphql(`
    query NameOfOne($id: ID!) {
        prompt(id: $id) {
            name
        }
    }
`);

/** of root fields: a document may have 15 (prompt_limits) */
const TOGETHER = 15;

type Names = ReadonlyMap<string, string>;
type Answer = Record<string, { name: string } | null>;

/** The same of several; what cannot be read fails alone. */
function documentOf(count: number) {
    const body = (NameOfOne as unknown as string)
        .replace(/^[^{]*\{|\}\s*$/g, "")
        .trim();
    const all = Array.from({ length: count }, (_, i) => i);

    return [
        `query NamesOfPrompts(${all.map((i) => `$id${i}: ID!`).join(" ")}) {`,
        ...all.map((i) =>
            body.replace("prompt(", `p${i}: prompt(`).replace("$id", `$id${i}`),
        ),
        "}",
    ].join("\n") as unknown as TadaDocumentNode<Answer, Record<string, string>>;
}

async function namesOf(
    ids: readonly string[],
    signal: AbortSignal,
): Promise<Answer> {
    const variables = Object.fromEntries(ids.map((id, i) => [`id${i}`, id]));

    try {
        return await query(documentOf(ids.length), variables, { signal });
    } catch (thrown) {
        if (isAbort(thrown)) {
            throw thrown;
        }

        return (toApiError(thrown).data as Answer | null) ?? {};
    }
}

/** Names of prompts; those that are not there any more have none. */
export function usePromptNames(ids: readonly string[]): Names {
    const names = useSignal<Names>(new Map());
    const missing = ids.filter((id) => !names.value.has(id));
    const key = missing.join(" ");

    useEffect(() => {
        const mine = new AbortController();

        async function read() {
            for (let at = 0; at < missing.length; at += TOGETHER) {
                const some = missing.slice(at, at + TOGETHER);
                const answer = await namesOf(some, mine.signal);

                names.value = new Map([
                    ...names.peek(),
                    ...some.map((id, i): [string, string] => [
                        id,
                        answer[`p${i}`]?.name ?? id,
                    ]),
                ]);
            }
        }

        read().catch(() => undefined);

        return () => mine.abort();
    }, [key]);

    return names.value;
}

const NONE: Record<By, string> = {
    PROMPT: "Deleted prompts",
    MODEL: "No model",
    VERSION: "Drafts",
    LABEL: "No label",
    KEY: "Sessions",
};

/** What a group is called. */
export function useGroupNames(
    by: By | undefined,
    groups: readonly (string | null)[],
): (group: string | null) => string {
    const keys = useQuery(KeyNames, {}, { enabled: by === "KEY" });
    const prompts = usePromptNames(
        by === "PROMPT"
            ? groups.flatMap((id) => (id === null ? [] : [id]))
            : [],
    );

    return (group) => {
        if (group === null) {
            return by ? NONE[by] : "";
        }

        switch (by) {
            case "PROMPT":
                return prompts.get(group) ?? "…";

            case "KEY":
                return (
                    keys.data.value?.apiKeys.find(({ id }) => id === group)
                        ?.name ?? group
                );

            case "VERSION":
                return group === "0" ? NONE.VERSION : `Version ${group}`;

            default:
                return group;
        }
    };
}
