// Offers placeholders while one is typed.

import {
    autocompletion,
    type Completion,
    type CompletionContext,
    type CompletionResult,
    completionKeymap,
} from "@codemirror/autocomplete";
import { StateEffect } from "@codemirror/state";
import { type EditorView, keymap } from "@codemirror/view";
import type { Offer } from "../logic/derive.ts";
import { openPlaceholder } from "../logic/template.ts";

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

export function addCompletion(
    view: EditorView,
    offers: () => readonly Offer[],
): void {
    view.dispatch({
        effects: StateEffect.appendConfig.of([
            autocompletion({
                override: [complete(offers)],
                icons: false,
                activateOnTyping: true,
            }),
            keymap.of(completionKeymap),
        ]),
    });
}
