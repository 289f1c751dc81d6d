// The project's prompts by name, for choices: some thousands at most.

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { query } from "../data/client.ts";
import { graphql } from "../data/graphql.ts";
import type { Choice } from "../ui/index.ts";

const PromptNames = graphql(`
    query PromptNames($first: Int!, $after: ID) {
        prompts(first: $first, after: $after) {
            id
            name
        }
    }
`);

const PAGE = 1000;

/** Comes by pages; in the order of names. */
export function usePromptChoices(): readonly Choice[] {
    const choices = useSignal<readonly Choice[]>([]);

    useEffect(() => {
        const mine = new AbortController();

        async function read() {
            let after: string | null = null;

            for (;;) {
                const { prompts }: { prompts: { id: string; name: string }[] } =
                    await query(
                        PromptNames,
                        { first: PAGE, after },
                        { signal: mine.signal },
                    );

                choices.value = [
                    ...choices.peek(),
                    ...prompts.map(({ id, name }) => ({
                        value: id,
                        text: name,
                    })),
                ].sort((a, b) => (a.text < b.text ? -1 : 1));
                after = prompts.at(-1)?.id ?? null;

                if (prompts.length < PAGE) {
                    return;
                }
            }
        }

        // a choice that is not there can be reached from the prompt's page
        read().catch(() => undefined);

        return () => mine.abort();
    }, [choices]);

    return choices.value;
}
