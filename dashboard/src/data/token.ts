// The token of an invitation, which comes behind the # of its link.

import { signal } from "@preact/signals";
import { pathTo } from "../paths.ts";

export const token = signal("");

/** It is a secret: it leaves the address at once. */
export function takeToken(): void {
    if (location.pathname === pathTo("invitation") && location.hash !== "") {
        token.value = location.hash.slice(1);
        history.replaceState(history.state, "", location.pathname);
    }
}
