// The two languages of the console, with their help.

import {
    type Completion,
    type CompletionContext,
    type CompletionResult,
    pickedCompletion,
} from "@codemirror/autocomplete";
import { EditorState, type Extension, Prec } from "@codemirror/state";
import { type EditorView, hoverTooltip, keymap } from "@codemirror/view";
import { graphqlLanguageSupport, jump, stateExtensions } from "cm6-graphql";
import type { GraphQLSchema } from "graphql";
import {
    getTokenAtPosition,
    getTypeInfo,
    Position,
} from "graphql-language-service";
import { json } from "../editor/codemirror.ts";
import { meaningAt, offersAt } from "./assist.ts";
import { suggest, variablesOf } from "./variables.ts";

type SchemaNow = () => GraphQLSchema | null;

/** Inserts text, as deep as the line is; the caret goes to "#{}" in it. */
function insertion(text: string) {
    return (
        view: EditorView,
        completion: Completion,
        from: number,
        to: number,
    ) => {
        const line = view.state.doc.lineAt(from).text;
        const indent = /^[ \t]*/.exec(line)?.[0] ?? "";
        const parts = text.replace(/\n/g, `\n${indent}`).split("#{}");

        view.dispatch({
            changes: { from, to, insert: parts.join("") },
            selection: { anchor: from + (parts[0]?.length ?? 0) },
            scrollIntoView: true,
            userEvent: "input.complete",
            annotations: pickedCompletion.of(completion),
        });
    };
}

function options(
    from: number,
    to: number,
    list: readonly {
        label: string;
        detail: string;
        info?: string | undefined;
        apply: string;
    }[],
): CompletionResult | null {
    return list.length === 0
        ? null
        : {
              from,
              to,
              options: list.map((one) => ({
                  label: one.label,
                  detail: one.detail,
                  ...(one.info ? { info: one.info } : {}),
                  apply: insertion(one.apply),
              })),
          };
}

function complete(
    context: CompletionContext,
    schema: GraphQLSchema | null,
): CompletionResult | null {
    const before = context.state.sliceDoc(
        Math.max(0, context.pos - 2),
        context.pos,
    );

    if (
        schema === null ||
        !(context.explicit || /(?:[\w@$({.]|[{(:] )$/.test(before))
    ) {
        return null;
    }

    const { from, offers } = offersAt(
        context.state.doc.toString(),
        context.pos,
        schema,
    );

    // "$" stands there already
    const list =
        context.state.sliceDoc(from - 1, from) === "$"
            ? offers.map((one) => ({
                  ...one,
                  apply: one.apply.replace(/^\$/, ""),
                  label: one.label.replace(/^\$/, ""),
              }))
            : offers;

    return options(from, context.pos, list);
}

const hover = (schema: SchemaNow) =>
    hoverTooltip((view, pos) => {
        const known = schema();
        const word = view.state.wordAt(pos);
        const text =
            known && word
                ? meaningAt(view.state.doc.toString(), word.from, known)
                : "";

        if (word === null || text === "") {
            return null;
        }

        return {
            pos: word.from,
            end: word.to,
            above: true,
            create: () => {
                const dom = document.createElement("div");

                dom.className = "cm-diagnostic";
                dom.textContent = text;

                return { dom };
            },
        };
    });

/** The same source each time it is looked for: its answers are its own. */
function completing(
    autocomplete: (context: CompletionContext) => CompletionResult | null,
): Extension {
    const data = [{ autocomplete }];

    return EditorState.languageData.of(() => data);
}

/** Field, type and parent type under the caret. */
export type Explain = (field?: string, type?: string, parent?: string) => void;

export function graphqlExtensions(
    schema: SchemaNow,
    onExplain: Explain,
): Extension {
    return [
        graphqlLanguageSupport(),
        stateExtensions(undefined, { onShowInDocs: onExplain }),
        jump,
        completing((context) => complete(context, schema())),
        hover(schema),
        Prec.high(
            keymap.of([
                {
                    key: "F1",
                    run: (view) => {
                        const known = schema();
                        const { head } = view.state.selection.main;
                        const line = view.state.doc.lineAt(head);
                        const word = view.state.wordAt(head);
                        const info =
                            known &&
                            getTypeInfo(
                                known,
                                getTokenAtPosition(
                                    view.state.doc.toString(),
                                    new Position(
                                        line.number - 1,
                                        (word?.to ?? head) - line.from,
                                    ),
                                ).state,
                            );

                        onExplain(
                            info?.fieldDef?.name,
                            info?.type?.toString(),
                            info?.parentType?.toString(),
                        );

                        return true;
                    },
                },
            ]),
        ),
    ];
}

export function variablesExtensions(
    schema: SchemaNow,
    document: () => string,
): Extension {
    return [
        json,
        completing((context) => {
            const known = schema();
            const text = context.state.doc.toString();
            const found =
                known &&
                suggest(text, context.pos, variablesOf(document(), known));

            if (
                !found ||
                !(
                    context.explicit ||
                    found.from < context.pos ||
                    /[{,:]\s*$/.test(text.slice(0, context.pos))
                )
            ) {
                return null;
            }

            // the quote that closes by itself is written over
            const over =
                text[found.from] === '"' && text[context.pos] === '"' ? 1 : 0;

            const typed = text
                .slice(found.from, context.pos)
                .replace(/^"/, "")
                .toLowerCase();
            const result = options(
                found.from,
                context.pos + over,
                found.items.filter(({ label }) =>
                    label.toLowerCase().includes(typed),
                ),
            );

            // what was typed may begin with a quote
            return result && { ...result, filter: false };
        }),
    ];
}
