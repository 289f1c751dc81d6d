// An editor as a field: its label, its help, and what is wrong with its text,
// marked in it and listed below it.

import { Compartment, EditorState, type Extension } from "@codemirror/state";
import { EditorView, placeholder as emptyHint } from "@codemirror/view";
import type { ComponentChildren } from "preact";
import { useEffect, useId, useLayoutEffect, useRef } from "preact/hooks";
import type { Offer } from "../logic/derive.ts";
import type { Fault } from "../logic/position.ts";
import { Icon } from "../ui/index.ts";
import {
    common,
    goTo,
    json,
    setText,
    shadowOf,
    showFaults,
} from "./codemirror.ts";
import { placeholders } from "./placeholders.ts";

export interface CodeFieldProps {
    /** the accessible name, shown unless hideLabel */
    label: string;
    hideLabel?: boolean;
    language: "template" | "json";
    value: string;
    onValue: (value: string) => void;
    faults?: readonly Fault[];
    help?: ComponentChildren;
    /** beside the label */
    actions?: ComponentChildren;
    /** what a template's placeholders may name */
    offers?: readonly Offer[];
    /** shown while it is empty */
    hint?: string;
    readOnly?: boolean;
    /** lines that are shown at least */
    lines?: number;
    /** finds this editor among others, for focusFirstFault() */
    name?: string;
}

const LISTED = 3;

/** the editors of the page, by their elements */
const views = new WeakMap<Element, EditorView>();

export function CodeField(props: CodeFieldProps) {
    const { label, faults = [], lines = 4, readOnly = false } = props;
    const id = useId();
    const host = useRef<HTMLDivElement>(null);
    const view = useRef<EditorView | undefined>(undefined);
    const about = useRef<HTMLElement | undefined>(undefined);
    const latest = useRef(props);
    const locked = useRef(new Compartment());
    const errors = faults.filter((fault) => fault.severity !== "warning");

    latest.current = props;

    useLayoutEffect(() => {
        const place = host.current;

        if (place === null) {
            return;
        }

        const made = mount(place, () => latest.current, locked.current);

        view.current = made.view;
        about.current = made.about;
        views.set(place, made.view);

        return () => {
            views.delete(place);
            made.view.destroy();
            made.parent.remove();
        };
    }, []);

    useLayoutEffect(() => {
        if (view.current) {
            setText(view.current, props.value);
        }
    }, [props.value]);

    useEffect(() => {
        view.current?.dispatch({
            effects: locked.current.reconfigure(state(readOnly, label)),
        });
    }, [readOnly, label]);

    // not for each list of the same faults: while somebody selects, an editor
    // that is told something shows its own selection
    useEffect(() => {
        if (view.current && about.current) {
            showFaults(view.current, faults);
            tell(view.current, about.current, errors);
        }
    }, [JSON.stringify(faults), props.value]);

    return (
        <div class="field code-field">
            <div class={props.hideLabel ? "code-head bare" : "code-head"}>
                {!props.hideLabel && (
                    // biome-ignore lint/a11y/useKeyWithClickEvents: as a label does
                    // biome-ignore lint/a11y/noStaticElementInteractions: as above
                    <span
                        class="code-label"
                        id={id}
                        onClick={() => view.current?.focus()}
                    >
                        {label}
                    </span>
                )}
                {props.actions}
            </div>
            <div
                class="code-host"
                ref={host}
                data-lines={lines}
                data-name={props.name}
                data-invalid={errors.length > 0 ? "true" : undefined}
            />
            {props.help != null && <div class="help">{props.help}</div>}
            <FaultList
                faults={faults}
                onGo={(fault) => view.current && goTo(view.current, fault.from)}
            />
        </div>
    );
}

/** What may be done to an editor, and what it is called. */
function state(readOnly: boolean, label: string): Extension {
    return [
        EditorState.readOnly.of(readOnly),
        EditorView.contentAttributes.of({
            "aria-label": label,
            "aria-describedby": "about",
            spellcheck: "true",
            tabindex: "0",
        }),
    ];
}

function mount(
    place: HTMLElement,
    props: () => CodeFieldProps,
    locked: Compartment,
) {
    const root = shadowOf(place);
    const parent = document.createElement("div");
    const about = document.createElement("div");
    const { language, value, hint, readOnly = false, label } = props();

    about.id = "about";
    about.hidden = true;

    const view = new EditorView({
        root,
        state: EditorState.create({
            doc: value,
            extensions: [
                common,
                language === "json"
                    ? json
                    : placeholders(() => props().offers ?? []),
                hint === undefined ? [] : emptyHint(hint),
                locked.of(state(readOnly, label)),
                EditorView.updateListener.of((update) => {
                    const text = update.docChanged
                        ? update.state.doc.toString()
                        : undefined;

                    if (text !== undefined && text !== props().value) {
                        props().onValue(text);
                    }
                }),
            ],
        }),
        parent,
    });

    parent.append(about);
    root.replaceChildren(parent);

    return { view, about, parent };
}

/** Says to screen readers what is wrong: theirs is the shadow root, too. */
function tell(view: EditorView, about: HTMLElement, errors: readonly Fault[]) {
    about.textContent = errors
        .slice(0, LISTED)
        .map((fault) => fault.message)
        .join(" ");

    if (errors.length > 0) {
        view.contentDOM.setAttribute("aria-invalid", "true");
    } else {
        view.contentDOM.removeAttribute("aria-invalid");
    }
}

/** What is wrong, each a way to its place. */
export function FaultList({
    faults,
    onGo,
}: {
    faults: readonly Fault[];
    onGo: (fault: Fault) => void;
}) {
    const shown = faults.slice(0, LISTED);

    if (shown.length === 0) {
        return null;
    }

    return (
        <ul class="faults">
            {shown.map((fault) => (
                <li
                    key={`${fault.from} ${fault.message}`}
                    class={
                        fault.severity === "warning"
                            ? "fault-warning"
                            : "field-error"
                    }
                >
                    <Icon
                        name={fault.severity === "warning" ? "info" : "warning"}
                    />
                    <button
                        type="button"
                        class="fault-link"
                        onClick={() => onGo(fault)}
                    >
                        {fault.message}
                    </button>
                </li>
            ))}
            {faults.length > shown.length && (
                <li class="help">and {faults.length - shown.length} more</li>
            )}
        </ul>
    );
}

/**
 * Puts the focus on the first thing that is marked as wrong below root: a
 * field, or an editor at the place of its fault.
 */
export function focusFirstFault(
    root: ParentNode | null | undefined,
    faultsOf: (name: string) => readonly Fault[],
): void {
    requestAnimationFrame(() => {
        const first = root?.querySelector<HTMLElement>(
            '[aria-invalid="true"], .code-host[data-invalid]',
        );
        const view = first ? views.get(first) : undefined;

        if (first && view) {
            const fault = faultsOf(first.dataset.name ?? "").find(
                (one) => one.severity !== "warning",
            );

            goTo(view, fault?.from ?? 0);
        } else {
            first?.focus();
        }

        first?.scrollIntoView({ block: "center" });
    });
}
