// What a page says when there is nothing to show yet, nothing at all, or
// something went wrong; and small pieces of text.

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { type ApiError, advice } from "../data/errors.ts";
import { ago, exactMoment, moment, money, number } from "../data/format.ts";
import { Button } from "./button.tsx";
import { Icon, type IconName } from "./icons.tsx";

/** Nothing here: why, and what to do next. */
export function Empty({
    title,
    icon = "prompt",
    children,
    action,
}: {
    title: string;
    icon?: IconName;
    children?: ComponentChildren;
    action?: ComponentChildren;
}) {
    return (
        <div class="empty">
            <div class="empty-mark">
                <Icon name={icon} />
            </div>
            <p class="empty-title">{title}</p>
            {children && <div class="muted">{children}</div>}
            {action && <div class="empty-action">{action}</div>}
        </div>
    );
}

/** An error: what happened, its code, what to do, and again. */
export function ErrorNote({
    error,
    onRetry,
    title,
    hint,
}: {
    error: ApiError;
    onRetry?: () => void;
    title?: string;
    /** what to do, where what is said of its code is not it */
    hint?: string | undefined;
}) {
    const executionId = error.extensions.executionId;

    return (
        <div class="note bad" role="alert">
            <Icon name="warning" />
            <div class="note-text">
                <p>
                    {title && <strong>{title} </strong>}
                    <span class="note-message">{error.message}</span>{" "}
                    <code class="code">{error.code}</code>
                    {typeof executionId === "string" && (
                        <>
                            {" "}
                            execution <code class="code">{executionId}</code>
                        </>
                    )}
                </p>
                <p class="muted">
                    {hint ?? advice(error)}
                    {error.retryAfter !== undefined &&
                        ` The server asks to wait ${number(error.retryAfter)} s.`}
                </p>
            </div>
            {onRetry && (
                <Button small onClick={onRetry}>
                    Try again
                </Button>
            )}
        </div>
    );
}

/** Something to know: role=status, so that it is said when it appears. */
export function Note({
    kind = "plain",
    children,
    action,
}: {
    kind?: "plain" | "warn" | "good";
    children: ComponentChildren;
    action?: ComponentChildren;
}) {
    return (
        <div class={`note ${kind}`} role="status">
            <Icon
                name={
                    kind === "warn"
                        ? "warning"
                        : kind === "good"
                          ? "check"
                          : "info"
                }
            />
            <div class="note-text">{children}</div>
            {action}
        </div>
    );
}

/** Shows its children only after 200 ms: what is quicker needs no waiting. */
export function Late({ children }: { children: ComponentChildren }) {
    const late = useSignal(false);

    useEffect(() => {
        const timer = setTimeout(() => {
            late.value = true;
        }, 200);

        return () => clearTimeout(timer);
    }, []);

    return late.value ? children : null;
}

/** Grey lines in the place of what is coming. */
export function Skeleton({ lines = 3 }: { lines?: number }) {
    return (
        <Late>
            <div class="skeleton" role="status" aria-label="Loading">
                {Array.from({ length: lines }, (_, i) => (
                    <div key={i} class={`skeleton-line w${i % 3}`} />
                ))}
            </div>
        </Late>
    );
}

/** A moment: "5 min ago"; exact on hover. */
export function Time({ iso, full }: { iso: string; full?: boolean }) {
    return (
        <time dateTime={iso} title={exactMoment(iso)}>
            {full ? moment(iso) : ago(iso)}
        </time>
    );
}

/** US dollars: short; all digits on hover. null: not known. */
export function Money({ usd }: { usd: string | null | undefined }) {
    if (usd == null) {
        return (
            <span class="muted" title="No price is known for it">
                –
            </span>
        );
    }

    return (
        <span class="number" title={`$${usd}`}>
            {money(usd)}
        </span>
    );
}

export function Badge({
    kind = "plain",
    title,
    children,
}: {
    kind?: "plain" | "good" | "bad" | "warn" | "accent";
    title?: string;
    children: ComponentChildren;
}) {
    return (
        <span class={`badge ${kind}`} title={title}>
            {children}
        </span>
    );
}

/** The head of a page: its one h1, what it is about, what can be done. */
export function PageHead({
    title,
    children,
    actions,
}: {
    title: ComponentChildren;
    children?: ComponentChildren;
    actions?: ComponentChildren;
}) {
    const heading = useRef<HTMLHeadingElement>(null);

    // a new page gets the focus, and its head may come later than it
    useEffect(() => {
        if (document.activeElement?.id === "main") {
            heading.current?.focus({ preventScroll: true });
        }
    }, []);

    return (
        <header class="page-head">
            <div class="page-title">
                <h1 tabIndex={-1} ref={heading}>
                    {title}
                </h1>
                {children && <div class="muted">{children}</div>}
            </div>
            {actions && <div class="page-actions">{actions}</div>}
        </header>
    );
}
