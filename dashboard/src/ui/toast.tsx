// Short news that go by themselves.  They are said aloud (role=status), and
// stay while the pointer or the focus is on them.

import { signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "./icons.tsx";

type Kind = "good" | "bad" | "plain";

interface Toast {
    id: number;
    text: string;
    kind: Kind;
    href?: string | undefined;
    action?: string | undefined;
}

const toasts = signal<readonly Toast[]>([]);
let last = 0;

/** Says something in passing; with a link where there is more to see. */
export function toast(
    text: string,
    kind: Kind = "plain",
    link?: { href: string; action: string },
): void {
    toasts.value = [
        ...toasts.value.filter((t) => t.text !== text).slice(-2),
        { id: ++last, text, kind, ...link },
    ];
}

function dismiss(id: number) {
    toasts.value = toasts.value.filter((t) => t.id !== id);
}

function Item({ item }: { item: Toast }) {
    const held = useRef(false);

    useEffect(() => {
        let left = item.kind === "bad" ? 8 : 5;
        const timer = setInterval(() => {
            if (!held.current && --left <= 0) {
                dismiss(item.id);
            }
        }, 1000);

        return () => clearInterval(timer);
    }, [item]);

    return (
        // biome-ignore lint/a11y/noStaticElementInteractions: holds it, no more
        <div
            class={`toast ${item.kind}`}
            onMouseEnter={() => {
                held.current = true;
            }}
            onMouseLeave={() => {
                held.current = false;
            }}
        >
            <Icon
                name={
                    item.kind === "good"
                        ? "check"
                        : item.kind === "bad"
                          ? "warning"
                          : "info"
                }
            />
            <span>
                {item.text} {item.href && <a href={item.href}>{item.action}</a>}
            </span>
            <button
                type="button"
                class="button quiet small"
                aria-label="Dismiss"
                onClick={() => dismiss(item.id)}
            >
                <Icon name="close" />
            </button>
        </div>
    );
}

/** Stands once in the page. */
export function Toasts() {
    const place = useRef<HTMLDivElement>(null);

    // over dialogs, too: the top layer is where they are
    useEffect(() => {
        const here = place.current;

        if (here === null || typeof here.showPopover !== "function") {
            return;
        }

        if (here.matches(":popover-open")) {
            here.hidePopover();
        }

        if (toasts.value.length > 0) {
            here.showPopover();
        }
    }, [toasts.value]);

    return (
        <div ref={place} class="toasts" role="status" popover="manual">
            {toasts.value.map((item) => (
                <Item key={item.id} item={item} />
            ))}
        </div>
    );
}
