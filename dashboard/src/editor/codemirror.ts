// CodeMirror as this page uses it: in a shadow root, because its styles are
// then adopted sheets, which the page's policy allows; in the page's colours;
// with line ends left as they are.

import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { bracketMatching, indentUnit } from "@codemirror/language";
import {
    EditorState,
    type Extension,
    StateEffect,
    StateField,
} from "@codemirror/state";
import {
    Decoration,
    type DecorationSet,
    EditorView,
    highlightSpecialChars,
    type KeyBinding,
    keymap,
    lineNumbers,
    MatchDecorator,
    ViewPlugin,
    type ViewUpdate,
} from "@codemirror/view";
import type { Fault } from "../logic/position.ts";

const mono = "var(--mono)";

export const theme = EditorView.theme({
    "&": {
        color: "var(--text)",
        backgroundColor: "var(--surface)",
        fontSize: "var(--t-small)",
        border: "1px solid var(--line-strong)",
        borderRadius: "var(--radius-small)",
        overflow: "hidden",
    },
    "&.cm-focused": {
        outline: "2px solid var(--focus)",
        outlineOffset: "-1px",
    },
    ".cm-scroller": {
        fontFamily: mono,
        lineHeight: "1.6",
        maxHeight: "var(--editor-max, 60vh)",
        overflow: "auto",
    },
    ".cm-content, .cm-gutter": { minHeight: "var(--editor-min, 4lh)" },
    ".cm-content": {
        padding: "8px 0",
        caretColor: "var(--text)",
    },
    ".cm-line": { padding: "0 10px" },
    ".cm-gutters": {
        backgroundColor: "var(--sunken)",
        color: "var(--muted)",
        border: "0",
        borderRight: "1px solid var(--line)",
    },
    ".cm-lineNumbers .cm-gutterElement": { minWidth: "28px" },
    ".cm-content ::selection, .cm-content::selection": {
        backgroundColor: "color-mix(in srgb, var(--accent) 30%, transparent)",
    },
    ".cm-placeholder-mark": {
        color: "var(--accent-text)",
        backgroundColor: "var(--accent-soft)",
        borderRadius: "3px",
        fontWeight: "600",
    },
    ".cm-placeholder": { color: "var(--muted)" },
    ".cm-json-name": { color: "var(--accent-text)" },
    ".cm-json-string": { color: "var(--good)" },
    ".cm-json-number": { color: "var(--warn)" },
    ".cm-json-word": { color: "var(--series-2)", fontWeight: "600" },
    ".cm-escape-mark": { color: "var(--muted)" },
    ".cm-matchingBracket": { backgroundColor: "transparent" },
    "&.cm-focused .cm-matchingBracket": {
        backgroundColor: "var(--accent-soft)",
        outline: "1px solid var(--accent-text)",
    },
    ".cm-specialChar": { color: "var(--bad)" },
    ".cm-tooltip": {
        backgroundColor: "var(--raised)",
        color: "var(--text)",
        border: "1px solid var(--line-strong)",
        borderRadius: "var(--radius-small)",
        boxShadow: "var(--shadow-high)",
        maxWidth: "min(420px, 92vw)",
        font: "var(--t-small) / 1.5 var(--sans)",
    },
    ".cm-tooltip.cm-tooltip-autocomplete > ul": {
        fontFamily: mono,
        maxHeight: "14em",
    },
    ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "3px 10px" },
    ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
        backgroundColor: "var(--accent)",
        color: "var(--on-accent)",
    },
    ".cm-completionDetail": { fontStyle: "normal", marginLeft: "1.5em" },
    ".cm-completionMatchedText": { fontWeight: "700" },
    ".cm-lintRange-error, .cm-lintRange-warning": {
        backgroundImage: "none",
        textDecoration: "underline wavy",
        textUnderlineOffset: "3px",
        textDecorationSkipInk: "none",
    },
    ".cm-lintRange-error": {
        textDecorationColor: "var(--bad)",
        backgroundColor: "var(--bad-soft)",
    },
    ".cm-lintRange-warning": { textDecorationColor: "var(--warn)" },
    ".cm-panels": {
        backgroundColor: "var(--sunken)",
        color: "var(--text)",
    },
    ".cm-panels.cm-panels-top": { borderBottom: "1px solid var(--line)" },
    ".cm-panels.cm-panels-bottom": { borderTop: "1px solid var(--line)" },
    ".cm-panel.cm-search": {
        font: "var(--t-small) / 1.5 var(--sans)",
        padding: "6px 28px 6px 8px",
    },
    ".cm-panel.cm-search label": { fontSize: "inherit" },
    ".cm-textfield": {
        color: "var(--text)",
        backgroundColor: "var(--surface)",
        border: "1px solid var(--line-strong)",
        borderRadius: "4px",
        font: "inherit",
        padding: "2px 6px",
    },
    ".cm-button": {
        color: "var(--text)",
        backgroundColor: "var(--raised)",
        backgroundImage: "none",
        border: "1px solid var(--line-strong)",
        borderRadius: "4px",
        font: "inherit",
        "&:active": { backgroundImage: "none" },
    },
    ".cm-panel button[name=close]": {
        color: "var(--text)",
        font: "inherit",
        minWidth: "24px",
        minHeight: "24px",
    },
    ".cm-searchMatch": { backgroundColor: "var(--warn-soft)" },
    ".cm-searchMatch-selected": { outline: "2px solid var(--focus)" },
});

const jsonMarks = new MatchDecorator({
    regexp: /("(?:[^"\\]|\\.)*"?)(\s*:)?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\b(?:true|false|null)\b/g,
    decorate(add, from, _, [all, string, colon]) {
        const kind =
            string === undefined
                ? /\d/.test(all)
                    ? "number"
                    : "word"
                : colon === undefined
                  ? "string"
                  : "name";

        add(from, from + (string ?? all).length, jsonMark[kind]);
    },
});

const jsonMark = {
    name: Decoration.mark({ class: "cm-json-name" }),
    string: Decoration.mark({ class: "cm-json-string" }),
    number: Decoration.mark({ class: "cm-json-number" }),
    word: Decoration.mark({ class: "cm-json-word" }),
};

/**
 * Colours of JSON, whose tokens never go over the end of a line; what is wrong
 * with it is found by logic/json.ts.
 */
export const json: Extension = [
    ViewPlugin.define(
        (view) => {
            const plugin = {
                marks: jsonMarks.createDeco(view),
                update(update: ViewUpdate) {
                    plugin.marks = jsonMarks.updateDeco(update, plugin.marks);
                },
            };

            return plugin;
        },
        { decorations: (plugin) => plugin.marks },
    ),
    bracketMatching(),
    indentUnit.of("  "),
];

/**
 * Line ends are part of a text: only \n divides lines here, so that \r stays
 * where it was.  What is pasted into a text without \r brings none.
 */
const lineEnds: Extension = [
    EditorState.lineSeparator.of("\n"),
    EditorView.clipboardInputFilter.of((text, state) =>
        state.doc.sliceString(0).includes("\r")
            ? text
            : text.replace(/\r\n?/g, "\n"),
    ),
];

/**
 * Where coloured text is typed over, Chromium keeps its colour by a style
 * attribute, which the page's policy refuses with a word on the console; so
 * that is not left to it.
 */
const typedOver: Extension = EditorView.domEventHandlers({
    beforeinput(event, view) {
        if (
            event.inputType !== "insertText" ||
            event.data === null ||
            event.isComposing ||
            view.composing ||
            view.state.readOnly ||
            view.state.selection.main.empty
        ) {
            return false;
        }

        view.dispatch(view.state.replaceSelection(event.data), {
            userEvent: "input.type",
            scrollIntoView: true,
        });

        return true;
    },
});

/** Searching comes with the first of its keys. */
const searchKeys: KeyBinding[] = [
    "Mod-f",
    "F3",
    "Mod-g",
    "Mod-Shift-l",
    "Mod-Alt-g",
    "Mod-d",
].map((key) => ({
    key,
    run: (view) => {
        if (searched.has(view)) {
            return false;
        }

        searched.add(view);
        void import("./search.ts").then(
            ({ addSearch }) => addSearch(view, key),
            () => searched.delete(view),
        );

        return true;
    },
}));

const searched = new WeakSet<EditorView>();

const setMarks = StateEffect.define<DecorationSet>();

/** Where faults are, until others are said. */
const faultMarks = StateField.define<DecorationSet>({
    create: () => Decoration.none,
    update: (marks, transaction) =>
        transaction.effects.find((effect) => effect.is(setMarks))?.value ??
        marks.map(transaction.changes),
    provide: (field) => EditorView.decorations.from(field),
});

/** What all editors have. */
export const common: Extension = [
    theme,
    faultMarks,
    lineEnds,
    typedOver,
    lineNumbers(),
    history(),
    highlightSpecialChars(),
    EditorView.lineWrapping,
    EditorState.tabSize.of(4),
    keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeys]),
];

/**
 * The shadow root of an element, for one editor; what a screen reader is to
 * hear beside its name goes into an element there.
 */
export function shadowOf(host: HTMLElement): ShadowRoot {
    return host.shadowRoot ?? host.attachShadow({ mode: "open" });
}

/** Marks faults where they are; those that are out of the text at its end. */
export function showFaults(view: EditorView, faults: readonly Fault[]): void {
    const end = view.state.doc.length;
    const marks = faults.flatMap((fault) => {
        const to = Math.min(Math.max(fault.to, fault.from + 1), end);
        // something is to be seen of it
        const from = Math.min(fault.from, to - 1);

        return from < 0
            ? []
            : [
                  Decoration.mark({
                      class: `cm-lintRange-${fault.severity ?? "error"}`,
                      attributes: { title: fault.message },
                  }).range(from, to),
              ];
    });

    view.dispatch({ effects: setMarks.of(Decoration.set(marks, true)) });
}

/** Puts cursor and focus where a fault is. */
export function goTo(view: EditorView, offset: number): void {
    const anchor = Math.min(offset, view.state.doc.length);

    view.dispatch({ selection: { anchor }, scrollIntoView: true });
    view.focus();
}

/** Replaces the text where it is another one; as one step that can be undone. */
export function setText(view: EditorView, text: string): void {
    const now = view.state.doc.toString();

    if (now === text) {
        return;
    }

    // only what is between the common ends, so that the cursor stays
    let from = 0;
    const most = Math.min(now.length, text.length);

    while (from < most && now.charCodeAt(from) === text.charCodeAt(from)) {
        from++;
    }

    let back = 0;

    while (
        back < most - from &&
        now.charCodeAt(now.length - 1 - back) ===
            text.charCodeAt(text.length - 1 - back)
    ) {
        back++;
    }

    view.dispatch({
        changes: {
            from,
            to: now.length - back,
            insert: text.slice(from, text.length - back),
        },
    });
}
