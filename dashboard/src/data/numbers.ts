// When prompts ran last, and what they cost in 7 days: asked for those that are
// on the screen, seven in a request, and kept while the page stands.

import { type Signal, signal } from "@preact/signals";
import { query } from "./client.ts";
import { graphql, type TadaDocumentNode } from "./graphql.ts";

export interface Numbers {
    /** null: never */
    lastRun: string | null;
    /** exact; null: there is no price for what ran */
    costUsd: string | null;
}

/** of two root fields each: a document may have 15 (prompt_limits) */
const perRequest = 7;

/** what is asked of a prompt, for the build to check */
const OfOne = graphql(`
    query NumbersOfOne($id: ID!, $since: DateTime!) {
        executions(promptId: $id, first: 1) {
            createdAt
        }
        statistics(promptId: $id, since: $since, by: ALL) {
            executions
            costUsd
            costUnknown
        }
    }
`);

/** the same of several, under names of their own: always one and the same text */
export function documentOfMany(one: string, count: number): string {
    const body = one.slice(one.indexOf("{") + 1, one.lastIndexOf("}"));
    const all = Array.from({ length: count }, (_, i) =>
        body
            .replace(/\bexecutions\(/, `e${i}: executions(`)
            .replace(/\bstatistics\(/, `s${i}: statistics(`)
            .replaceAll("$id", `$id${i}`),
    );
    const ids = all.map((_, i) => `$id${i}: ID!`);

    return `query Numbers(${ids.join(" ")} $since: DateTime!) {${all.join("")}}`;
}

interface Statistics {
    executions: number;
    costUsd: string;
    costUnknown: number;
}

type Answer = Record<string, readonly (Statistics & { createdAt: string })[]>;

const OfMany = documentOfMany(
    OfOne as unknown as string,
    perRequest,
) as unknown as TadaDocumentNode<Answer, Record<string, string>>;

export class NumbersReader {
    #known = new Map<string, Signal<Numbers | undefined>>();
    #asked = new Set<string>();
    #wanted: string[] = [];
    #timer: ReturnType<typeof setTimeout> | undefined;
    #stop = new AbortController();
    #running = false;
    // of whole hours, so that the same question can be answered from rollups
    #since = new Date(
        Math.floor(Date.now() / 3_600_000) * 3_600_000 - 7 * 86_400_000,
    ).toISOString();

    /** undefined: not known yet, or it could not be read */
    of(id: string): Signal<Numbers | undefined> {
        let known = this.#known.get(id);

        if (known === undefined) {
            known = signal(undefined);
            this.#known.set(id, known);
        }

        return known;
    }

    /** These are on the screen now; what was, and is not any more, can wait. */
    want(ids: readonly string[]): void {
        this.#wanted = ids.filter((id) => !this.#asked.has(id));
        clearTimeout(this.#timer);
        this.#timer = setTimeout(() => void this.#run(), 60);
    }

    stop(): void {
        clearTimeout(this.#timer);
        this.#stop.abort();
    }

    async #run(): Promise<void> {
        if (this.#running) {
            return;
        }

        this.#running = true;

        try {
            while (this.#wanted.length > 0) {
                await this.#read(this.#wanted.splice(0, perRequest));
            }
        } catch {
            // the list is there without them; scrolling asks for others
        } finally {
            this.#running = false;
        }
    }

    async #read(ids: readonly string[]): Promise<void> {
        const variables: Record<string, string> = { since: this.#since };

        for (const id of ids) {
            this.#asked.add(id);
        }

        for (let i = 0; i < perRequest; i++) {
            variables[`id${i}`] = ids[i] ?? (ids[0] as string);
        }

        const answer = await query(OfMany, variables, {
            signal: this.#stop.signal,
        });

        ids.forEach((id, i) => {
            const statistics = answer[`s${i}`]?.[0];

            this.of(id).value = {
                lastRun: answer[`e${i}`]?.[0]?.createdAt ?? null,
                costUsd:
                    statistics === undefined
                        ? "0"
                        : statistics.costUnknown === statistics.executions &&
                            statistics.executions > 0
                          ? null
                          : statistics.costUsd,
            };
        });
    }
}
