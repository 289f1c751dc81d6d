// An editor of the console: its own shadow root, and a view that others speak
// to.

import { autocompletion } from "@codemirror/autocomplete";
import { HighlightStyle, syntaxHighlighting } from "@codemirror/language";
import { EditorState, type Extension, Prec } from "@codemirror/state";
import { EditorView, keymap } from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { useLayoutEffect, useRef } from "preact/hooks";
import { common, setText, shadowOf } from "../editor/codemirror.ts";

export interface CodeBoxProps {
    /** accessible name */
    label: string;
    /** the text to begin with; later ones by the view */
    text: string;
    extensions: Extension;
    readOnly?: boolean;
    onText?: (text: string) => void;
    onRun?: () => void;
    /** called once; null when it goes */
    onView: (view: EditorView | null) => void;
}

const PAIRS: Record<string, string> = {
    "{": "}",
    "(": ")",
    "[": "]",
    '"': '"',
};

/** An opening bracket brings its closing one, which is then typed over. */
const pairs: Extension = [
    EditorView.inputHandler.of((view, from, to, text) => {
        const { state } = view;
        const after = state.sliceDoc(to, to + 1);
        const close = PAIRS[text];
        const closing = Object.values(PAIRS).includes(text);

        if (state.readOnly || view.composing || !(close || closing)) {
            return false;
        }

        if (closing && from === to && after === text) {
            view.dispatch({ selection: { anchor: to + 1 } });
            return true;
        }

        // within a word or a string a pair is in the way
        if (
            close === undefined ||
            (from === to && /[\w"$]/.test(after)) ||
            (text === '"' && /[\w"]/.test(state.sliceDoc(from - 1, from)))
        ) {
            return false;
        }

        const selected = state.sliceDoc(from, to);

        view.dispatch({
            changes: { from, to, insert: text + selected + close },
            selection: {
                anchor: from + 1,
                head: from + 1 + selected.length,
            },
            userEvent: "input.type",
        });

        return true;
    }),
    keymap.of([
        {
            key: "Backspace",
            run: (view) => {
                const { head, empty } = view.state.selection.main;
                const around = view.state.sliceDoc(head - 1, head + 1);

                if (!empty || PAIRS[around[0] ?? ""] !== around[1]) {
                    return false;
                }

                view.dispatch({
                    changes: { from: head - 1, to: head + 1 },
                    userEvent: "delete.backward",
                });

                return true;
            },
        },
    ]),
];

/** As tall as the pane, with the colours of GraphQL. */
const look: Extension = [
    EditorView.theme({
        ".cm-gutters": { minHeight: "var(--editor-min) !important" },
    }),
    syntaxHighlighting(
        HighlightStyle.define([
            { tag: tags.comment, color: "var(--muted)", fontStyle: "italic" },
            { tag: tags.special(tags.name), color: "var(--series-3)" },
            { tag: [tags.bool, tags.null], color: "var(--series-2)" },
            { tag: tags.propertyName, color: "var(--accent-text)" },
            { tag: tags.string, color: "var(--good)" },
            { tag: tags.number, color: "var(--warn)" },
            {
                tag: [tags.keyword, tags.definitionKeyword],
                color: "var(--series-2)",
                fontWeight: "600",
            },
            { tag: tags.punctuation, color: "var(--muted)" },
            { tag: tags.attributeName, color: "var(--muted)" },
            { tag: tags.atom, color: "var(--series-3)" },
        ]),
    ),
];

export function CodeBox(props: CodeBoxProps) {
    const host = useRef<HTMLDivElement>(null);
    const latest = useRef(props);

    latest.current = props;

    useLayoutEffect(() => {
        const place = host.current;

        if (place === null) {
            return;
        }

        const parent = document.createElement("div");
        const root = shadowOf(place);
        const { label, text, extensions, readOnly = false } = latest.current;
        const view = new EditorView({
            root,
            parent,
            state: EditorState.create({
                doc: text,
                extensions: [
                    Prec.highest(
                        keymap.of([
                            {
                                key: "Mod-Enter",
                                run: () => {
                                    latest.current.onRun?.();
                                    return true;
                                },
                            },
                        ]),
                    ),
                    extensions,
                    readOnly
                        ? EditorState.readOnly.of(true)
                        : [pairs, autocompletion({ icons: false })],
                    look,
                    common,
                    EditorView.contentAttributes.of({
                        "aria-label": label,
                        spellcheck: "false",
                        // what scrolls is in the order of Tab
                        tabindex: "0",
                        ...(readOnly ? { "aria-readonly": "true" } : {}),
                    }),
                    EditorView.updateListener.of((update) => {
                        if (update.docChanged) {
                            latest.current.onText?.(
                                update.state.doc.toString(),
                            );
                        }
                    }),
                ],
            }),
        });

        root.replaceChildren(parent);
        latest.current.onView(view);

        return () => {
            latest.current.onView(null);
            view.destroy();
            parent.remove();
        };
    }, []);

    return <div class="code-box" ref={host} />;
}

/** Replaces a text, and begins at its top. */
export function show(view: EditorView | null, text: string): void {
    if (view) {
        setText(view, text);
        view.scrollDOM.scrollTop = 0;
    }
}
