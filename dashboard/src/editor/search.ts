// Searching in an editor's text: a file of its own, as few come to need it.

import { search, searchKeymap } from "@codemirror/search";
import { StateEffect } from "@codemirror/state";
import { type EditorView, keymap } from "@codemirror/view";

/** From now on the editor can search; does what the key is for. */
export function addSearch(view: EditorView, key: string): void {
    view.dispatch({
        effects: StateEffect.appendConfig.of([
            search({ top: true }),
            keymap.of(searchKeymap),
        ]),
    });
    searchKeymap.find((one) => one.key === key)?.run?.(view);
}
