// Rows that come by pages, each asked for after the last row of the one
// before.

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { type ApiError, isAbort, toApiError } from "../data/errors.ts";

export interface Pages<T> {
    rows: readonly T[];
    loading: boolean;
    error: ApiError | undefined;
    /** asks for the next page; undefined: there is none */
    more: (() => void) | undefined;
    retry: () => void;
    reload: () => Promise<void>;
}

/**
 * fetchPage gives the rows after one (null: the first ones), size of them
 * unless there are no more.  Another key begins anew.
 */
export function usePages<T extends { id: string }>(
    key: string,
    size: number,
    fetchPage: (after: string | null, signal: AbortSignal) => Promise<T[]>,
): Pages<T> {
    const rows = useSignal<readonly T[]>([]);
    const whole = useSignal(false);
    const loading = useSignal(true);
    const error = useSignal<ApiError | undefined>(undefined);
    const asking = useRef<AbortController | undefined>(undefined);
    const fetching = useRef(fetchPage);

    fetching.current = fetchPage;

    async function ask(anew: boolean) {
        asking.current?.abort();

        const mine = new AbortController();

        asking.current = mine;
        loading.value = true;
        error.value = undefined;

        try {
            const before = anew ? [] : rows.peek();
            const page = await fetching.current(
                before.at(-1)?.id ?? null,
                mine.signal,
            );

            if (asking.current === mine) {
                rows.value = [...before, ...page];
                whole.value = page.length < size;
            }
        } catch (thrown) {
            if (asking.current === mine && !isAbort(thrown)) {
                error.value = toApiError(thrown);
            }
        } finally {
            if (asking.current === mine) {
                loading.value = false;
            }
        }
    }

    useEffect(() => {
        rows.value = [];
        whole.value = false;
        void ask(true);

        return () => asking.current?.abort();
    }, [key]);

    return {
        rows: rows.value,
        loading: loading.value,
        error: error.value,
        more: whole.value ? undefined : () => void ask(false),
        retry: () => void ask(rows.peek().length === 0),
        reload: () => ask(true),
    };
}
