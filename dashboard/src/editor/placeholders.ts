// Placeholders in an editor: marked, and offered while one is typed.

import {
    autocompletion,
    type Completion,
    type CompletionContext,
    type CompletionResult,
    completionKeymap,
} from "@codemirror/autocomplete";
import { type Extension, StateField, type Text } from "@codemirror/state";
import {
    Decoration,
    type DecorationSet,
    EditorView,
    keymap,
} from "@codemirror/view";
import type { Offer } from "../logic/derive.ts";
import { openPlaceholder, readTemplate } from "../logic/template.ts";

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

/** Inserts a path and what closes it, unless that is there. */
function apply(
    view: EditorView,
    completion: Completion,
    from: number,
    to: number,
): void {
    const rest = view.state.sliceDoc(to, to + 40);
    const tail = /^[^\s{}]*(\s*\}\})?/.exec(rest);
    const word = (tail?.[0].length ?? 0) - (tail?.[1]?.length ?? 0);
    const closed = tail?.[1] !== undefined;
    const insert = completion.label + (closed ? "" : "}}");

    view.dispatch({
        changes: { from, to: to + word, insert },
        selection: {
            anchor:
                from + insert.length + (closed ? (tail?.[1]?.length ?? 0) : 0),
        },
        userEvent: "input.complete",
    });
}

function complete(
    offers: () => readonly Offer[],
): (context: CompletionContext) => CompletionResult | null {
    return (context) => {
        const line = context.state.doc.lineAt(context.pos);
        const open = openPlaceholder(line.text, context.pos - line.from);
        const all = open === null ? [] : offers();

        if (open === null || all.length === 0) {
            return null;
        }

        return {
            from: line.from + open.from,
            options: all.map((offer) => ({
                label: offer.path,
                ...(offer.type === "" ? {} : { detail: offer.type }),
                ...(offer.description === ""
                    ? {}
                    : { info: offer.description }),
                apply,
            })),
            validFor: /^[^\s{}]*$/,
        };
    };
}

/** offers: what the input schema lists just then. */
export function placeholders(offers: () => readonly Offer[]): Extension {
    return [
        marks,
        autocompletion({
            override: [complete(offers)],
            icons: false,
            activateOnTyping: true,
        }),
        keymap.of(completionKeymap),
    ];
}
