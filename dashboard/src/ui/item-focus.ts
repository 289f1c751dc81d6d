// The focus in a list whose items come and go.

import { useRef } from "preact/hooks";

/**
 * Where the focus goes when an item comes or goes: into the new one, or to the
 * button that adds others.
 */
export function useItemFocus() {
    const place = useRef<HTMLDivElement>(null);
    const soon = (pick: (here: HTMLElement) => HTMLElement | null) =>
        requestAnimationFrame(
            () => place.current && pick(place.current)?.focus(),
        );

    return {
        place,
        added: () =>
            soon(
                (here) =>
                    [
                        ...here.querySelectorAll<HTMLElement>(
                            "input, select, textarea",
                        ),
                    ].at(-1) ?? null,
            ),
        removed: () =>
            soon((here) =>
                here.querySelector<HTMLElement>(":scope > :last-child button"),
            ),
    };
}
