// Buttons, links that look like them, and "Copy".

import { useSignal } from "@preact/signals";
import type { ButtonHTMLAttributes, ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { Icon, type IconName } from "./icons.tsx";
import { toast } from "./toast.tsx";

type Kind = "primary" | "plain" | "quiet" | "danger";

export interface ButtonProps
    extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, "icon"> {
    kind?: Kind;
    icon?: IconName;
    small?: boolean;
    /** what was pressed is being done: it stays, and cannot be pressed again */
    busy?: boolean;
    children?: ComponentChildren;
}

export function Button({
    kind = "plain",
    icon,
    small,
    busy,
    children,
    type = "button",
    onClick,
    ...rest
}: ButtonProps) {
    return (
        <button
            {...rest}
            type={type}
            class={`button ${kind}${small ? " small" : ""}`}
            aria-busy={busy ? "true" : undefined}
            aria-disabled={busy ? "true" : undefined}
            onClick={(event) => {
                if (busy) {
                    // a disabled button would lose the focus
                    event.preventDefault();
                    return;
                }

                onClick?.(event);
            }}
        >
            {icon && <Icon name={icon} />}
            {children != null && <span>{children}</span>}
        </button>
    );
}

/** A button of an icon alone; `label` is its accessible name. */
export function IconButton({
    label,
    icon,
    ...rest
}: Omit<ButtonProps, "children" | "label"> & {
    label: string;
    icon: IconName;
}) {
    return (
        <Button
            kind="quiet"
            {...rest}
            icon={icon}
            aria-label={label}
            title={label}
        />
    );
}

export function ButtonLink({
    href,
    kind = "plain",
    icon,
    children,
}: {
    href: string;
    kind?: Kind;
    icon?: IconName;
    children: ComponentChildren;
}) {
    return (
        <a class={`button ${kind}`} href={href}>
            {icon && <Icon name={icon} />}
            <span>{children}</span>
        </a>
    );
}

/**
 * Puts text on the clipboard; false: the browser did not let us.  There is no
 * clipboard interface without TLS, but there is its forerunner.
 */
export async function copyText(text: string): Promise<boolean> {
    try {
        await navigator.clipboard.writeText(text);
        return true;
    } catch {
        // below
    }

    const area = document.createElement("textarea");
    const before = document.activeElement;
    const host = document.querySelector("dialog[open]") ?? document.body;

    area.value = text;
    area.readOnly = true;
    area.className = "visually-hidden";
    host.append(area);
    area.select();

    try {
        return document.execCommand("copy");
    } catch {
        return false;
    } finally {
        area.remove();
        (before as HTMLElement | null)?.focus?.();
    }
}

/** A button that copies; `label` where "Copy" says too little. */
export function CopyButton({
    text,
    label = "Copy",
    kind = "plain",
    small,
}: {
    text: string | (() => string);
    label?: string;
    kind?: Kind;
    small?: boolean;
}) {
    const copied = useSignal(false);
    const timer = useRef<number>(0);

    useEffect(() => () => clearTimeout(timer.current), []);

    return (
        <Button
            kind={kind}
            icon={copied.value ? "check" : "copy"}
            {...(small ? { small } : {})}
            onClick={async () => {
                const done = await copyText(
                    typeof text === "string" ? text : text(),
                );

                toast(
                    done
                        ? "Copied to the clipboard."
                        : "The browser did not allow it: select and copy it by hand.",
                    done ? "good" : "bad",
                );
                copied.value = done;
                clearTimeout(timer.current);
                timer.current = window.setTimeout(() => {
                    copied.value = false;
                }, 2000);
            }}
        >
            {label}
        </Button>
    );
}
