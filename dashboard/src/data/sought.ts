// A page of one thing, which may be of another project of the reader's.

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { goWhereItIs, type Thing } from "./elsewhere.ts";
import type { ApiError } from "./errors.ts";

export function isGone(error: ApiError | undefined): boolean {
    return error?.code === "NOT_FOUND" || error?.code === "FORBIDDEN";
}

/** missing: it is not here; true: nor is it anywhere else. */
export function useSought(thing: Thing, id: string, missing: boolean): boolean {
    const nowhere = useSignal(false);

    useEffect(() => {
        let left = false;

        nowhere.value = false;

        if (missing) {
            void goWhereItIs(id, thing).then((found) => {
                nowhere.value = !found && !left;
            });
        }

        return () => {
            left = true;
        };
    }, [missing, thing, id]);

    return nowhere.value;
}
