// A modal dialog: the platform's, which keeps the focus inside and gives it
// back; opened by being rendered.

import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { IconButton } from "./button.tsx";

/** what had the focus last outside of any dialog */
let outside: HTMLElement | null = null;

document.addEventListener("focusin", ({ target }) => {
    if (target instanceof HTMLElement && target.closest("dialog") === null) {
        outside = target;
    }
});

export interface DialogProps {
    title: string;
    /** by Escape, the button "Close", a press beside it (where `light`) */
    onClose: () => void;
    /** a press outside closes it: only where nothing typed can be lost */
    light?: boolean;
    /** neither Escape nor a button closes it */
    locked?: boolean;
    size?: "small" | "medium" | "wide";
    /** a form's submit; absent: there is none */
    onSubmit?: () => void;
    /** the buttons at its foot */
    actions?: ComponentChildren;
    children: ComponentChildren;
}

export function Dialog({
    title,
    onClose,
    light,
    locked,
    size = "small",
    onSubmit,
    actions,
    children,
}: DialogProps) {
    const dialog = useRef<HTMLDialogElement>(null);
    const id = useId();
    const leaving = useRef(false);

    useEffect(() => {
        const here = dialog.current;
        const active = document.activeElement as HTMLElement | null;
        // where one dialog takes another's place, nothing has the focus
        const before = active === document.body ? outside : active;

        here?.showModal();

        // the first thing to fill in, or the dialog's own choice
        (
            here?.querySelector<HTMLElement>("[autofocus]") ??
            here?.querySelector<HTMLElement>(
                ".dialog-body :is(input, select, textarea):not([readonly])",
            )
        )?.focus();

        return () => {
            leaving.current = true;
            here?.close();

            // what opened it may be gone by what was done
            (before?.isConnected
                ? before
                : document.querySelector<HTMLElement>("h1[tabindex]")
            )?.focus();
        };
    }, []);

    const content = (
        <>
            <header class="dialog-head">
                <h2 id={id}>{title}</h2>
                {!locked && (
                    <IconButton
                        label="Close"
                        icon="close"
                        small
                        onClick={onClose}
                    />
                )}
            </header>
            <div class="dialog-body">{children}</div>
            {actions && <footer class="dialog-foot">{actions}</footer>}
        </>
    );

    return (
        <dialog
            ref={dialog}
            class={`dialog ${size}`}
            aria-labelledby={id}
            onCancel={(event) => {
                event.preventDefault();

                if (!locked) {
                    onClose();
                }
            }}
            onKeyDown={(event) => {
                if (locked && event.key === "Escape") {
                    event.preventDefault();
                }
            }}
            // a second Escape closes it whatever was said to the first
            onClose={() => {
                const here = dialog.current;

                if (leaving.current || here === null) {
                    return;
                }

                here.showModal();

                if (!locked) {
                    onClose();
                }
            }}
            onClick={(event) => {
                if (light && event.target === dialog.current) {
                    onClose();
                }
            }}
        >
            {onSubmit ? (
                <form
                    noValidate
                    onSubmit={(event) => {
                        event.preventDefault();
                        onSubmit();
                    }}
                >
                    {content}
                </form>
            ) : (
                <div class="dialog-frame">{content}</div>
            )}
        </dialog>
    );
}
