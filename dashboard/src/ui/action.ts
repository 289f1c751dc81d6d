// One thing that is being done: whether, and what went wrong.

import { useSignal } from "@preact/signals";
import { type ApiError, toApiError } from "../data/errors.ts";

export interface Action {
    busy: boolean;
    error: ApiError | undefined;
    /** Does it, unless it is being done; true: it was done. */
    run(what: () => Promise<unknown>): Promise<boolean>;
    /** What went wrong is past. */
    forget(): void;
}

/** refused: takes an error that belongs to a field; true: it is shown there */
export function useAction(refused?: (error: ApiError) => boolean): Action {
    const busy = useSignal(false);
    const error = useSignal<ApiError | undefined>(undefined);

    return {
        busy: busy.value,
        error: error.value,

        async run(what) {
            if (busy.peek()) {
                return false;
            }

            busy.value = true;
            error.value = undefined;

            try {
                await what();
                return true;
            } catch (thrown) {
                const failure = toApiError(thrown);

                if (!refused?.(failure)) {
                    error.value = failure;
                }

                return false;
            } finally {
                busy.value = false;
            }
        },

        forget() {
            error.value = undefined;
        },
    };
}

/** The focus goes to the page's head where what had it is gone. */
export function refocus(): void {
    requestAnimationFrame(() => {
        if (document.activeElement === document.body) {
            document
                .querySelector<HTMLElement>("h1[tabindex]")
                ?.focus({ preventScroll: true });
        }
    });
}
