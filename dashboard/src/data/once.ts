// A change that is tried again by hand is the same change as long as nobody
// knows whether it was done: it keeps its Idempotency-Key.

import { useRef } from "preact/hooks";
import { idempotencyKey } from "./client.ts";
import { toApiError } from "./errors.ts";

/** that a request was not answered says nothing of whether it was done */
const UNANSWERED = new Set([0, 409, 502, 503, 504]);

/** Makes a change with its key; another change has another one. */
export type Once = <T>(
    change: string,
    make: (key: string) => Promise<T>,
) => Promise<T>;

export function useOnce(): Once {
    const last = useRef({ change: "", key: "" });

    return async (change, make) => {
        if (last.current.key === "" || last.current.change !== change) {
            last.current = { change, key: idempotencyKey() };
        }

        const mine = last.current;
        const settle = () => {
            mine.key = "";
        };

        try {
            const made = await make(mine.key);

            settle();
            return made;
        } catch (thrown) {
            // answered with an error: the next try is a new one
            if (!UNANSWERED.has(toApiError(thrown).status)) {
                settle();
            }

            throw thrown;
        }
    };
}
