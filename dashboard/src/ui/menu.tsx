// A menu behind a button: arrow keys, Home, End, letters, Escape.

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { Icon, type IconName } from "./icons.tsx";

export interface MenuItem {
    text: string;
    icon?: IconName;
    /** a link, or something to do */
    href?: string;
    onChoose?: () => void;
    /** said after the text, e.g. what is chosen now */
    hint?: string;
    danger?: boolean;
    /** one of several that can be chosen: whether it is */
    checked?: boolean;
    /** it stays open */
    keepOpen?: boolean;
}

export function Menu({
    label,
    button,
    items,
    kind = "quiet",
    onOpen,
}: {
    /** the button's accessible name */
    label: string;
    /** what is seen on the button; the label where absent */
    button?: ComponentChildren;
    items: readonly MenuItem[];
    kind?: "quiet" | "plain";
    onOpen?: () => void;
}) {
    const id = useId();
    const open = useSignal(false);
    const root = useRef<HTMLDivElement>(null);
    const opener = useRef<HTMLButtonElement>(null);

    const entries = () => [
        ...(root.current?.querySelectorAll<HTMLElement>("[role^=menuitem]") ??
            []),
    ];

    function show(at: number) {
        open.value = true;
        onOpen?.();
        requestAnimationFrame(() => entries().at(at)?.focus());
    }

    function hide(focus: boolean) {
        open.value = false;

        if (focus) {
            opener.current?.focus();
        }
    }

    useEffect(() => {
        if (!open.value) {
            return;
        }

        const outside = (event: Event) => {
            if (!root.current?.contains(event.target as Node)) {
                hide(false);
            }
        };

        document.addEventListener("pointerdown", outside);
        document.addEventListener("focusin", outside);
        return () => {
            document.removeEventListener("pointerdown", outside);
            document.removeEventListener("focusin", outside);
        };
    }, [open.value]);

    function onKeyDown(event: KeyboardEvent) {
        const all = entries();
        const at = all.indexOf(document.activeElement as HTMLElement);
        const key = event.key;

        if (!open.value) {
            if (key === "ArrowDown" || key === "ArrowUp") {
                event.preventDefault();
                show(key === "ArrowDown" ? 0 : -1);
            }
            return;
        }

        let to: number | undefined;

        if (key === "ArrowDown") {
            to = (at + 1) % all.length;
        } else if (key === "ArrowUp") {
            to = (at + all.length - 1) % all.length;
        } else if (key === "Home") {
            to = 0;
        } else if (key === "End") {
            to = all.length - 1;
        } else if (key === "Escape") {
            event.preventDefault();
            hide(true);
            return;
        } else if (key === "Tab") {
            hide(false);
            return;
        } else if (/^\p{L}$/u.test(key)) {
            const from = all.findIndex(
                (e, i) =>
                    i > at && e.textContent?.toLowerCase().startsWith(key),
            );

            to =
                from >= 0
                    ? from
                    : all.findIndex((e) =>
                          e.textContent?.toLowerCase().startsWith(key),
                      );
        }

        if (to !== undefined && to >= 0) {
            event.preventDefault();
            all[to]?.focus();
        }
    }

    return (
        // biome-ignore lint/a11y/noStaticElementInteractions: keys of its parts
        <div class="menu" ref={root} onKeyDown={onKeyDown}>
            <button
                ref={opener}
                type="button"
                class={`button ${kind}`}
                aria-haspopup="menu"
                aria-expanded={open.value}
                aria-controls={open.value ? id : undefined}
                aria-label={label}
                onClick={() => (open.value ? hide(true) : show(0))}
            >
                {button ?? <span>{label}</span>}
                <Icon name="down" />
            </button>
            {open.value && (
                <div class="menu-items" role="menu" id={id} aria-label={label}>
                    {items.map((item, i) => (
                        <Entry key={i} item={item} hide={hide} />
                    ))}
                </div>
            )}
        </div>
    );
}

function Entry({
    item,
    hide,
}: {
    item: MenuItem;
    hide: (focus: boolean) => void;
}) {
    const inside = (
        <>
            {item.icon && <Icon name={item.icon} />}
            <span>{item.text}</span>
            {item.hint && (
                <span class="menu-hint" aria-hidden="true">
                    {item.hint}
                </span>
            )}
        </>
    );
    const props = {
        role: (item.checked === undefined
            ? "menuitem"
            : "menuitemradio") as "menuitem",
        "aria-checked": item.checked,
        tabIndex: -1,
        class: item.danger ? "danger" : undefined,
        onClick: () => {
            if (!item.keepOpen) {
                hide(item.href === undefined);
            }

            item.onChoose?.();
        },
    };

    return item.href !== undefined ? (
        <a {...props} href={item.href}>
            {inside}
        </a>
    ) : (
        <button {...props} type="button">
            {inside}
        </button>
    );
}
