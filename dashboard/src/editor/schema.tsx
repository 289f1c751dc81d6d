// The schemas of input and output, and what the placeholders make of the first.

import { useSignal } from "@preact/signals";
import { deriveSchema } from "../logic/derive.ts";
import { isHistory } from "../logic/messages.ts";
import { pathsOf } from "../logic/template.ts";
import { Button } from "../ui/index.ts";
import { CodeField } from "./code-field.tsx";
import type { Model } from "./model.ts";

/** All that the texts of a version name. */
function namesOf(model: Model): { paths: string[]; histories: string[] } {
    const list = model.messages.value;
    const texts = list.flatMap((message) =>
        isHistory(message)
            ? []
            : [
                  message.content,
                  ...((message.role === "USER" && message.beside?.images) ||
                      []),
              ],
    );

    return {
        paths: [...new Set([...texts, model.content.value].flatMap(pathsOf))],
        histories: [
            ...new Set(
                list.flatMap((message) =>
                    isHistory(message) && message.placeholder !== ""
                        ? [message.placeholder]
                        : [],
                ),
            ),
        ],
    };
}

export function InputSchema({
    model,
    readOnly,
}: {
    model: Model;
    readOnly: boolean;
}) {
    const said = useSignal("");

    function derive() {
        const { paths, histories } = namesOf(model);

        if (paths.length + histories.length === 0) {
            said.value = "There is no placeholder: write {{name}} in the text.";
            return;
        }

        const derived = deriveSchema(model.inputSchema.value, paths, histories);

        if (derived === null) {
            said.value = "Correct the JSON first; nothing was changed.";
            return;
        }

        if (derived.added.length === 0) {
            said.value = "It lists all placeholders already.";
            return;
        }

        model.inputSchema.value = derived.text;
        said.value = `Added: ${derived.added.join(", ")}. Set their types and what is optional.`;
    }

    return (
        <div class="editor-part">
            <CodeField
                label="Input schema"
                language="json"
                name="inputSchema"
                value={model.inputSchema.value}
                readOnly={readOnly}
                faults={model.schemaWrong.value}
                hint={'{ "type": "object", "properties": { … } }'}
                help="JSON Schema of the input. Empty: any input, and every placeholder needs a value."
                actions={
                    !readOnly && (
                        <Button small onClick={derive}>
                            Derive from placeholders
                        </Button>
                    )
                }
                onValue={(value) => {
                    model.inputSchema.value = value;
                    said.value = "";
                }}
            />
            <p class="help" role="status">
                {said.value}
            </p>
        </div>
    );
}

export function OutputSchema({
    model,
    readOnly,
}: {
    model: Model;
    readOnly: boolean;
}) {
    return (
        <div class="editor-part">
            <CodeField
                label="Output schema"
                language="json"
                name="outputSchema"
                value={model.outputSchema.value}
                readOnly={readOnly}
                faults={model.outputWrong.value}
                help="JSON Schema of what the model is to say: it is asked for JSON in that form, and checked. Empty: any text."
                onValue={(value) => {
                    model.outputSchema.value = value;
                }}
            />
        </div>
    );
}
