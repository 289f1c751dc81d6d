// useQuery: what a part of a page shows, asked when it appears.

import { type ReadonlySignal, signal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { type Options, query } from "./client.ts";
import { type ApiError, isAbort, toApiError } from "./errors.ts";
import type { TadaDocumentNode } from "./graphql.ts";

export interface QueryState<R> {
    data: ReadonlySignal<R | undefined>;
    error: ReadonlySignal<ApiError | undefined>;
    /** asked and not yet answered; what was there before stays in data */
    loading: ReadonlySignal<boolean>;
    /** asks again */
    reload(): Promise<void>;
    /** puts what a mutation answered where the query has it */
    set(data: R): void;
}

/**
 * Asks when the component appears and whenever the variables are others; an
 * older question is given up.  `enabled: false` asks nothing; `project`: of
 * another than the chosen one.
 */
export function useQuery<R, V>(
    document: TadaDocumentNode<R, V>,
    variables: V,
    {
        enabled = true,
        project,
    }: { enabled?: boolean } & Pick<Options, "project"> = {},
): QueryState<R> {
    const key = JSON.stringify(variables ?? null);
    const latest = useRef(variables);

    latest.current = variables;

    const state = useMemo(() => {
        const data = signal<R | undefined>(undefined);
        const error = signal<ApiError | undefined>(undefined);
        const loading = signal(enabled);
        let running: AbortController | undefined;

        return {
            data,
            error,
            loading,
            stop: () => running?.abort(),
            set: (value: R) => {
                data.value = value;
            },
            reload: async () => {
                running?.abort();

                const mine = new AbortController();

                running = mine;
                loading.value = true;

                try {
                    const answer = await query(document, latest.current, {
                        signal: mine.signal,
                        project,
                    });

                    if (running === mine) {
                        data.value = answer;
                        error.value = undefined;
                    }
                } catch (thrown) {
                    if (running === mine && !isAbort(thrown)) {
                        error.value = toApiError(thrown);
                    }
                } finally {
                    if (running === mine) {
                        loading.value = false;
                    }
                }
            },
        };
    }, [document]);

    useEffect(() => {
        if (enabled) {
            void state.reload();
        }

        return state.stop;
    }, [state, key, enabled]);

    return state;
}
