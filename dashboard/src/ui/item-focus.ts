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
        /** first: what of the new one, where that is not its last field */
        added: (first?: string) =>
            soon((here) =>
                first === undefined
                    ? ([
                          ...here.querySelectorAll<HTMLElement>(
                              "input, select, textarea",
                          ),
                      ].at(-1) ?? null)
                    : here.querySelector<HTMLElement>(first),
            ),
        removed: () =>
            soon((here) =>
                here.querySelector<HTMLElement>(":scope > :last-child button"),
            ),
    };
}
