// Two texts beside each other, or as one with what was taken out and put in.

import { defaultKeymap } from "@codemirror/commands";
import { MergeView, unifiedMergeView } from "@codemirror/merge";
import { EditorState, type Extension } from "@codemirror/state";
import {
    EditorView,
    highlightSpecialChars,
    keymap,
    lineNumbers,
} from "@codemirror/view";
import { json, shadowOf, theme } from "./codemirror.ts";

export type DiffWay = "unified" | "side by side";

const look = EditorView.theme({
    "&": { border: "0", borderRadius: "0" },
    ".cm-changedLine, &.cm-merge-b .cm-changedLine, &.cm-merge-b .cm-inlineChangedLine":
        { backgroundColor: "var(--good-soft)" },
    "&.cm-merge-a .cm-changedLine, .cm-deletedChunk": {
        backgroundColor: "var(--bad-soft)",
    },
    ".cm-deletedChunk": { paddingLeft: "10px" },
    ".cm-deletedChunk .cm-deletedText, &.cm-merge-a .cm-changedText": {
        background: "none",
        textDecoration: "none",
        boxShadow: "inset 0 -2px var(--bad)",
    },
    ".cm-changedText, &.cm-merge-b .cm-changedText": {
        background: "none",
        textDecoration: "none",
        boxShadow: "inset 0 -2px var(--good)",
    },
    ".cm-insertedLine, .cm-deletedLine, .cm-deletedLine del": {
        textDecoration: "none",
    },
    ".cm-deletedLineGutter, &.cm-merge-a .cm-changedLineGutter": {
        background: "var(--bad)",
    },
    ".cm-changedLineGutter, &.cm-merge-b .cm-changedLineGutter": {
        background: "var(--good)",
    },
    ".cm-changeGutter": { width: "3px", paddingLeft: "1px" },
    ".cm-collapsedLines": {
        background: "var(--sunken)",
        backgroundImage: "none",
        color: "var(--muted)",
        padding: "3px 10px",
        font: "var(--t-small) / 1.5 var(--sans)",
    },
});

/** where there was nothing, nothing was taken out */
const nothingBefore = EditorView.theme({
    ".cm-deletedChunk": { display: "none" },
});

const collapse = { margin: 3, minSize: 6 };
const diffConfig = { scanLimit: 1000, timeout: 300 };

function reading(label: string, language: "json" | "text"): Extension {
    return [
        look,
        theme,
        language === "json" ? json : [],
        lineNumbers(),
        highlightSpecialChars(),
        keymap.of(defaultKeymap),
        EditorView.lineWrapping,
        EditorState.lineSeparator.of("\n"),
        EditorState.readOnly.of(true),
        EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" }),
    ];
}

export interface Diff {
    /** of what is compared, for screen readers */
    label: string;
    before: string;
    after: string;
    language: "json" | "text";
    way: DiffWay;
}

/** Shows a difference in an element; returns what takes it away. */
export function showDiff(place: HTMLElement, diff: Diff): () => void {
    const root = shadowOf(place);
    const parent = document.createElement("div");
    // all of it is what changed, where one of the two is nothing
    const highlightChanges = diff.before !== "" && diff.after !== "";

    root.replaceChildren(parent);

    if (diff.way === "unified") {
        const view = new EditorView({
            root,
            parent,
            doc: diff.after,
            extensions: [
                diff.before === "" ? nothingBefore : [],
                reading(diff.label, diff.language),
                unifiedMergeView({
                    original: EditorState.create({
                        doc: diff.before,
                        extensions: EditorState.lineSeparator.of("\n"),
                    }).doc,
                    mergeControls: false,
                    highlightChanges,
                    collapseUnchanged: collapse,
                    diffConfig,
                }),
            ],
        });

        return () => {
            view.destroy();
            parent.remove();
        };
    }

    const view = new MergeView({
        root,
        parent,
        a: {
            doc: diff.before,
            extensions: reading(`${diff.label}, before`, diff.language),
        },
        b: {
            doc: diff.after,
            extensions: reading(`${diff.label}, after`, diff.language),
        },
        highlightChanges,
        collapseUnchanged: collapse,
        diffConfig,
    });

    return () => {
        view.destroy();
        parent.remove();
    };
}
