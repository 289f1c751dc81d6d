// A change that is tried again by hand is the same change as long as nobody
// knows whether it was done: it keeps its Idempotency-Key.

import { useRef } from "preact/hooks";
import { idempotencyKey } from "../data/client.ts";
import type { ApiError } from "../data/errors.ts";

/** that a request was not answered says nothing of whether it was done */
const UNANSWERED = new Set([0, 409, 502, 503, 504]);

export interface Once {
    /** The key of a change; another change has another one. */
    keyOf(change: string): string;
    /** It was done, or answered with an error: the next try is a new one. */
    settle(error?: ApiError): void;
}

export function useOnce(): Once {
    const last = useRef({ change: "", key: "" });

    return {
        keyOf(change) {
            if (last.current.key === "" || last.current.change !== change) {
                last.current = { change, key: idempotencyKey() };
            }

            return last.current.key;
        },

        settle(error) {
            if (error === undefined || !UNANSWERED.has(error.status)) {
                last.current = { change: "", key: "" };
            }
        },
    };
}
