// A field that offers: what is typed counts, whether it is offered or not.

import { useSignal } from "@preact/signals";
import { useEffect, useId, useRef } from "preact/hooks";
import { Field, type FieldProps } from "./field.tsx";

export interface Offered {
    /** what is shown */
    text: string;
    /** what it puts into the field */
    value: string;
    note?: string;
}

export function ComboField({
    value,
    onValue,
    offers,
    readonly,
    ...field
}: FieldProps & {
    value: string;
    onValue: (value: string) => void;
    offers: readonly Offered[];
    readonly?: boolean;
}) {
    const id = useId();
    const open = useSignal(false);
    /** typed since it was opened: those that have it are shown alone */
    const sought = useSignal(false);
    const active = useSignal(-1);
    const list = useRef<HTMLDivElement>(null);
    const word = value.trim().toLowerCase();
    const shown = sought.value
        ? offers.filter((one) => one.text.toLowerCase().includes(word))
        : offers;
    const isOpen = open.value && shown.length > 0 && !readonly;

    useEffect(() => {
        list.current
            ?.querySelector('[aria-selected="true"]')
            ?.scrollIntoView({ block: "nearest" });
    }, [active.value]);

    function show() {
        open.value = true;
        sought.value = false;
        active.value = -1;
    }

    function choose(offer: Offered) {
        onValue(offer.value);
        open.value = false;
    }

    function onKeyDown(event: KeyboardEvent) {
        const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];

        if (by !== undefined) {
            event.preventDefault();

            if (!isOpen) {
                show();
            } else {
                active.value =
                    active.value < 0 && by < 0
                        ? shown.length - 1
                        : (active.value + by + shown.length) % shown.length;
            }
        } else if (event.key === "Escape" && isOpen) {
            event.preventDefault();
            event.stopPropagation();
            open.value = false;
        } else if (event.key === "Enter" && isOpen && !event.ctrlKey) {
            const offer = shown[active.value];

            event.preventDefault();

            if (offer) {
                choose(offer);
            } else {
                open.value = false;
            }
        }
    }

    return (
        <Field {...field}>
            {(described) => (
                <div class="combo">
                    <input
                        {...described}
                        type="text"
                        role="combobox"
                        aria-autocomplete="list"
                        aria-expanded={isOpen}
                        aria-controls={isOpen ? `${id}-list` : undefined}
                        aria-activedescendant={
                            isOpen && active.value >= 0
                                ? `${id}-${active.value}`
                                : undefined
                        }
                        autocomplete="off"
                        autocapitalize="off"
                        spellcheck={false}
                        readonly={readonly}
                        value={value}
                        onInput={(event) => {
                            onValue(event.currentTarget.value);
                            open.value = true;
                            sought.value = true;
                            active.value = -1;
                        }}
                        onClick={show}
                        onBlur={() => {
                            open.value = false;
                        }}
                        onKeyDown={onKeyDown}
                    />
                    {isOpen && (
                        <div
                            class="combo-list"
                            role="listbox"
                            id={`${id}-list`}
                            aria-label={field.label}
                            ref={list}
                        >
                            {shown.map((offer, i) => (
                                // biome-ignore lint/a11y/useKeyWithClickEvents: keys are the input's
                                // biome-ignore lint/a11y/useFocusableInteractive: as above
                                <div
                                    key={offer.text}
                                    id={`${id}-${i}`}
                                    role="option"
                                    aria-selected={i === active.value}
                                    // the input keeps the focus
                                    onMouseDown={(event) =>
                                        event.preventDefault()
                                    }
                                    onClick={() => choose(offer)}
                                >
                                    <span>{offer.text}</span>
                                    {offer.note && (
                                        <span class="muted"> {offer.note}</span>
                                    )}
                                </div>
                            ))}
                        </div>
                    )}
                </div>
            )}
        </Field>
    );
}
