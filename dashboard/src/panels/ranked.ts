// Numbers of prompts for the overview, where statistics cannot tell all of them
// apart: prompts that ran
// in the period are found in samples of its executions, and their statistics
// are asked for several at once.

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { query } from "../data/client.ts";
import { type ApiError, isAbort, toApiError } from "../data/errors.ts";
import { graphql, type TadaDocumentNode } from "../data/graphql.ts";
import type { Span } from "./period.ts";
import { type Counted, candidates } from "./rank.ts";

const Sample = graphql(`
    query Sample(
        $since: DateTime!
        $until: DateTime
        $status: [String!]
        $first: Int!
    ) {
        executions(
            since: $since
            until: $until
            status: $status
            first: $first
        ) {
            costUsd
            prompt {
                id
                name
            }
        }
    }
`);

/** The newest ones, those that failed, and some all over the period. */
const NEWEST = 1000;
const SPREAD = 6;
const SPREAD_SIZE = 200;

/** As many prompts are looked at, so many in a request. */
const MOST = 60;
const TOGETHER = 10;

interface Named {
    id: string;
    name: string;
}

interface OneTotal {
    executions: number;
    failed: number;
    costUsd: string;
}

async function sample(span: Span, signal: AbortSignal): Promise<Named[]> {
    const { since, starts } = span;
    const begin = starts[0] ?? 0;
    const length = Date.now() - begin;
    const options = { signal };
    const at = (part: number) =>
        new Date(begin + (length * part) / (SPREAD + 1)).toISOString();
    const asked = [
        query(Sample, { since, first: NEWEST }, options),
        query(
            Sample,
            { since, first: NEWEST, status: ["failed", "lost"] },
            options,
        ),
    ];
    const [newest, failed] = await Promise.all(asked);
    const ran = [...(newest?.executions ?? [])];

    // fewer than that are all there are
    if (ran.length === NEWEST) {
        for (let part = 1; part <= SPREAD; part++) {
            const page = await query(
                Sample,
                { since, until: at(part), first: SPREAD_SIZE },
                options,
            );

            ran.push(...page.executions);
        }
    }

    return candidates(ran, failed?.executions ?? [], MOST);
}

/** A document of as many root fields as there are prompts. */
function totalsDocument(count: number) {
    const numbers = Array.from({ length: count }, (_, i) => i);

    return [
        `query Totals($since: DateTime!${numbers.map((i) => `, $p${i}: ID!`).join("")}) {`,
        ...numbers.map(
            (i) =>
                `    t${i}: statistics(promptId: $p${i}, since: $since, by: ALL) { executions failed costUsd }`,
        ),
        "}",
    ].join("\n") as unknown as TadaDocumentNode<
        Record<string, OneTotal[]>,
        Record<string, string>
    >;
}

async function count(
    prompts: readonly Named[],
    since: string,
    signal: AbortSignal,
): Promise<Counted[]> {
    const counted: Counted[] = [];

    for (let at = 0; at < prompts.length; at += TOGETHER) {
        const some = prompts.slice(at, at + TOGETHER);
        const totals = await query(
            totalsDocument(some.length),
            {
                since,
                ...Object.fromEntries(some.map(({ id }, i) => [`p${i}`, id])),
            },
            { signal },
        );

        counted.push(
            ...some.map((prompt, i) => ({
                ...prompt,
                ...(totals[`t${i}`]?.[0] ?? {
                    executions: 0,
                    failed: 0,
                    costUsd: "0",
                }),
            })),
        );
    }

    return counted;
}

export interface Ranked {
    counted: readonly Counted[] | undefined;
    error: ApiError | undefined;
    reload: () => void;
}

export function useCounted(span: Span): Ranked {
    const counted = useSignal<readonly Counted[] | undefined>(undefined);
    const error = useSignal<ApiError | undefined>(undefined);
    const times = useSignal(0);
    const again = times.value;

    useEffect(() => {
        const mine = new AbortController();

        async function ask() {
            try {
                const found = await sample(span, mine.signal);

                counted.value = await count(found, span.since, mine.signal);
                error.value = undefined;
            } catch (thrown) {
                if (!mine.signal.aborted && !isAbort(thrown)) {
                    error.value = toApiError(thrown);
                }
            }
        }

        counted.value = undefined;
        void ask();

        return () => mine.abort();
    }, [span, again, counted, error]);

    return {
        counted: counted.value,
        error: error.value,
        reload: () => {
            times.value++;
        },
    };
}
