// Tabs: arrow keys move, Home and End jump; one is in the order of Tab.

import type { ComponentChildren } from "preact";
import { useId, useRef } from "preact/hooks";

export interface Tab {
    name: string;
    text: string;
}

/** `children` is the panel of the tab that is chosen. */
export function Tabs({
    tabs,
    current,
    onChoose,
    label,
    small,
    head,
    children,
}: {
    tabs: readonly Tab[];
    current: string;
    onChoose: (name: string) => void;
    label: string;
    small?: boolean;
    /** in one line with them, where there is room */
    head?: ComponentChildren;
    children: ComponentChildren;
}) {
    const id = useId();
    const list = useRef<HTMLDivElement>(null);

    function onKeyDown(event: KeyboardEvent) {
        const at = tabs.findIndex((t) => t.name === current);
        const to = {
            ArrowRight: (at + 1) % tabs.length,
            ArrowLeft: (at + tabs.length - 1) % tabs.length,
            Home: 0,
            End: tabs.length - 1,
        }[event.key];
        const tab = to === undefined ? undefined : tabs[to];

        if (to === undefined || tab === undefined) {
            return;
        }

        event.preventDefault();
        list.current?.querySelectorAll<HTMLElement>("[role=tab]")[to]?.focus();
        onChoose(tab.name);
    }

    return (
        <div class={`tabs${small ? " small" : ""}`}>
            <div class="tabs-head">
                {head}
                <div
                    class="tablist"
                    role="tablist"
                    aria-label={label}
                    ref={list}
                    onKeyDown={onKeyDown}
                >
                    {tabs.map((tab) => (
                        <button
                            key={tab.name}
                            type="button"
                            role="tab"
                            id={`${id}-${tab.name}`}
                            aria-selected={tab.name === current}
                            aria-controls={
                                tab.name === current ? `${id}-panel` : undefined
                            }
                            tabIndex={tab.name === current ? 0 : -1}
                            onClick={() => onChoose(tab.name)}
                        >
                            {tab.text}
                        </button>
                    ))}
                </div>
            </div>
            <div
                class="tabpanel"
                role="tabpanel"
                id={`${id}-panel`}
                aria-labelledby={`${id}-${current}`}
            >
                {children}
            </div>
        </div>
    );
}
