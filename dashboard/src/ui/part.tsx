// A part of a page that is a file of its own and is loaded when it is shown: what
// is around it waits for nothing. Whole pages: later.tsx.

import { useSignal } from "@preact/signals";
import type { ComponentType } from "preact";
import { useEffect } from "preact/hooks";
import { NotLoaded } from "./not-loaded.tsx";
import { Skeleton } from "./say.tsx";

export function part<P extends object>(
    load: () => Promise<{ default: ComponentType<P> }>,
    /** in its place: until it is there, and where it does not come */
    Meanwhile?: ComponentType<P>,
): ComponentType<P> {
    let loaded: ComponentType<P> | undefined;

    return function Shown(props: P) {
        const state = useSignal<"" | "there" | "failed">("");
        const Part = loaded;

        useEffect(() => {
            if (loaded === undefined) {
                load().then(
                    (module) => {
                        loaded = module.default;
                        state.value = "there";
                    },
                    () => {
                        state.value = "failed";
                    },
                );
            }
        }, []);

        // reads it, so that it is drawn again
        const failed = state.value === "failed";

        if (Part !== undefined) {
            return <Part {...props} />;
        }

        if (Meanwhile !== undefined) {
            return <Meanwhile {...props} />;
        }

        return failed ? <NotLoaded /> : <Skeleton lines={3} />;
    };
}
