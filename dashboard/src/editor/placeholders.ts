// Placeholders in an editor: marked, and offered while one is typed.

import { type Extension, StateField, type Text } from "@codemirror/state";
import { Decoration, type DecorationSet, EditorView } from "@codemirror/view";
import type { Offer } from "../logic/derive.ts";
import { readTemplate } from "../logic/template.ts";

const placeholderMark = Decoration.mark({ class: "cm-placeholder-mark" });
const escapeMark = Decoration.mark({ class: "cm-escape-mark" });

function marksOf(doc: Text): DecorationSet {
    const template = readTemplate(doc.toString());

    return Decoration.set(
        [
            ...template.placeholders.map(({ from, to }) =>
                placeholderMark.range(from, to),
            ),
            ...template.escapes.map(({ from, to }) =>
                escapeMark.range(from, to),
            ),
        ],
        true,
    );
}

const marks = StateField.define<DecorationSet>({
    create: (state) => marksOf(state.doc),
    update: (value, transaction) =>
        transaction.docChanged ? marksOf(transaction.newDoc) : value,
    provide: (field) => EditorView.decorations.from(field),
});

/** Those that offer already. */
const offering = new WeakSet<EditorView>();

/** offers: what the input schema lists just then. */
export function placeholders(offers: () => readonly Offer[]): Extension {
    return [
        marks,
        // what offers them is a file of its own, for who begins to type
        EditorView.domEventHandlers({
            focus(_, view) {
                if (!offering.has(view) && !view.state.readOnly) {
                    offering.add(view);
                    void import("./complete.ts").then(
                        ({ addCompletion }) => addCompletion(view, offers),
                        () => offering.delete(view),
                    );
                }
            },
        }),
    ];
}
