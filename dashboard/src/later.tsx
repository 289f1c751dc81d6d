// A part of the page that is loaded when it is needed; what does not come is
// said in its place.

import type { ComponentType } from "preact";
import lazy from "preact-iso/lazy";
import { NotLoaded } from "./ui/not-loaded.tsx";

/** A browser keeps that a file did not come: only a new page asks again. */
export function later<P>(
    load: () => Promise<{ default: ComponentType<P> }>,
): ComponentType<P> {
    return lazy<ComponentType<P>>(() =>
        load().catch(() => ({
            default: NotLoaded as ComponentType<P>,
        })),
    );
}
