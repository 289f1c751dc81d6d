// A field: its label, its help and what is wrong with it, each where a screen
// reader finds it.

import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { Icon } from "./icons.tsx";

export interface FieldProps {
    label: string;
    help?: ComponentChildren;
    /** what is wrong with the value, in words of the task */
    error?: string | undefined;
    /** the label is for screen readers only */
    hideLabel?: boolean;
    optional?: boolean;
}

/** What the control inside a field must have. */
export interface Described {
    id: string;
    "aria-describedby": string | undefined;
    "aria-invalid": "true" | undefined;
}

/** The frame of a field around a control of your own. */
export function Field({
    label,
    help,
    error,
    hideLabel,
    optional,
    children,
}: FieldProps & { children: (described: Described) => ComponentChildren }) {
    const id = useId();
    const described = [
        help != null && `${id}-help`,
        error && `${id}-error`,
    ].filter(Boolean);

    return (
        <div class="field">
            <div class={hideLabel ? "visually-hidden" : "field-label"}>
                <label for={id} id={`${id}-label`}>
                    {label}
                </label>
                {optional && (
                    <span class="muted" aria-hidden="true">
                        optional
                    </span>
                )}
            </div>
            {children({
                id,
                "aria-describedby": described.join(" ") || undefined,
                "aria-invalid": error ? "true" : undefined,
            })}
            {help != null && (
                <div class="help" id={`${id}-help`}>
                    {help}
                </div>
            )}
            <FieldError id={`${id}-error`} error={error} />
        </div>
    );
}

export function FieldError({
    id,
    error,
}: {
    id?: string;
    error: string | undefined;
}) {
    if (!error) {
        return null;
    }

    return (
        <div class="field-error" id={id}>
            <Icon name="warning" />
            <span>{error}</span>
        </div>
    );
}

type Value = { value: string; onValue: (value: string) => void };

/** attributes of the control itself */
interface Common {
    name?: string;
    placeholder?: string;
    autocomplete?: string;
    autofocus?: boolean;
    disabled?: boolean;
    readonly?: boolean;
    required?: boolean;
    maxlength?: number;
    spellcheck?: boolean;
    inputMode?: "text" | "decimal" | "numeric" | "email" | "search";
    onBlur?: () => void;
    onKeyDown?: (event: KeyboardEvent) => void;
}

export function TextField({
    value,
    onValue,
    label,
    help,
    error,
    hideLabel,
    optional,
    type = "text",
    ...rest
}: FieldProps &
    Value &
    Common & {
        type?: "text" | "email" | "password" | "search" | "number";
        min?: number;
        max?: number;
        step?: number | "any";
        list?: string;
    }) {
    return (
        <Field {...{ label, help, error, hideLabel, optional }}>
            {(described) => (
                <input
                    // one of several unions of attributes, which do for all
                    type={type as "text"}
                    autocomplete="off"
                    {...rest}
                    {...described}
                    value={value}
                    onInput={(event) => onValue(event.currentTarget.value)}
                />
            )}
        </Field>
    );
}

/** Several lines; it grows with its text up to what CSS allows. */
export function TextArea({
    value,
    onValue,
    label,
    help,
    error,
    hideLabel,
    optional,
    ...rest
}: FieldProps & Value & Common & { rows?: number; class?: string }) {
    const area = useRef<HTMLTextAreaElement>(null);

    useEffect(() => {
        const here = area.current;

        if (here !== null) {
            here.style.height = "auto";
            here.style.height = `${here.scrollHeight + 2}px`;
        }
    }, [value]);

    return (
        <Field {...{ label, help, error, hideLabel, optional }}>
            {(described) => (
                <textarea
                    rows={3}
                    {...rest}
                    {...described}
                    ref={area}
                    value={value}
                    onInput={(event) => onValue(event.currentTarget.value)}
                />
            )}
        </Field>
    );
}

export interface Choice {
    value: string;
    text: string;
}

export function SelectField({
    value,
    onValue,
    choices,
    label,
    help,
    error,
    hideLabel,
    optional,
    ...rest
}: FieldProps & Value & Common & { choices: readonly Choice[] }) {
    return (
        <Field {...{ label, help, error, hideLabel, optional }}>
            {(described) => (
                <select
                    {...rest}
                    {...described}
                    value={value}
                    onChange={(event) => onValue(event.currentTarget.value)}
                >
                    {choices.map((c) => (
                        <option
                            key={c.value}
                            value={c.value}
                            selected={c.value === value}
                        >
                            {c.text}
                        </option>
                    ))}
                </select>
            )}
        </Field>
    );
}

export function Checkbox({
    checked,
    onChecked,
    label,
    help,
    error,
    disabled,
}: {
    checked: boolean;
    onChecked: (checked: boolean) => void;
    label: string;
    help?: ComponentChildren;
    error?: string | undefined;
    disabled?: boolean;
}) {
    const id = useId();
    const described = [
        help != null && `${id}-help`,
        error && `${id}-error`,
    ].filter(Boolean);

    return (
        <div class="check">
            <input
                type="checkbox"
                id={id}
                checked={checked}
                disabled={disabled}
                aria-describedby={described.join(" ") || undefined}
                aria-invalid={error ? "true" : undefined}
                onChange={(event) => onChecked(event.currentTarget.checked)}
            />
            <label for={id}>{label}</label>
            {help != null && (
                <div class="help" id={`${id}-help`}>
                    {help}
                </div>
            )}
            <FieldError id={`${id}-error`} error={error} />
        </div>
    );
}

/**
 * Puts the focus on the first field that is marked as wrong.  Call it after a
 * failed attempt; it waits until the marks are there.
 */
export function focusFirstError(root: ParentNode | null | undefined): void {
    requestAnimationFrame(() => {
        root?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
    });
}
