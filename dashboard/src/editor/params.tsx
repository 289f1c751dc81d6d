// Model and parameters: three fields and the JSON, two views of one text.

import {
    fieldFault,
    isWritable,
    type ParamField,
    readField,
    writeField,
} from "../logic/params.ts";
import { TextField } from "../ui/index.ts";
import { CodeField } from "./code-field.tsx";
import type { Model } from "./model.ts";

const FIELDS: {
    field: ParamField;
    label: string;
    help: string;
    inputmode: "text" | "decimal" | "numeric";
}[] = [
    {
        field: "temperature",
        label: "Temperature",
        help: "0 to 2",
        inputmode: "decimal",
    },
    {
        field: "max_tokens",
        label: "Max tokens",
        help: "of the answer",
        inputmode: "numeric",
    },
];

export function Params({
    model,
    readOnly,
}: {
    model: Model;
    readOnly: boolean;
}) {
    const text = model.params.value;
    const writable = isWritable(text);

    /** What is shown: what was typed and is no value, or what the text has. */
    function shown(field: ParamField): string {
        return model.pending.value[field] ?? readField(text, field);
    }

    function type(field: ParamField, typed: string) {
        const { [field]: _, ...others } = model.pending.value;
        const written = writeField(text, field, typed);

        if (written === null) {
            model.pending.value = { ...others, [field]: typed };
            return;
        }

        model.params.value = written;

        // "1 " and "01" are not what the text would show again
        model.pending.value = others;
    }

    function wrong(field: ParamField): string | undefined {
        return (
            fieldFault(field, shown(field)) ??
            model.paramsWrong.value.find(
                (fault) => fault.field === `params.${field}`,
            )?.message ??
            undefined
        );
    }

    const locked = readOnly || !writable;

    return (
        <section class="editor-part" aria-label="Model and parameters">
            <h2>Parameters</h2>
            <TextField
                label="Model"
                spellcheck={false}
                help={
                    writable
                        ? "Empty: the server's default."
                        : "Correct the JSON below first."
                }
                value={shown("model")}
                readonly={locked}
                error={wrong("model")}
                onValue={(typed) => type("model", typed)}
            />
            <div class="editor-pair">
                {FIELDS.map(({ field, label, help, inputmode }) => (
                    <TextField
                        key={field}
                        {...{ label, help, inputmode }}
                        value={shown(field)}
                        readonly={locked}
                        error={wrong(field)}
                        onValue={(typed) => type(field, typed)}
                    />
                ))}
            </div>
            <CodeField
                label="Parameters (JSON)"
                language="json"
                name="params"
                value={text}
                readOnly={readOnly}
                faults={model.paramsWrong.value}
                help="All that the model is called with; the fields above are part of it."
                hint={'{ "model": "…", "top_p": 0.9 }'}
                onValue={(value) => {
                    model.params.value = value;
                    model.pending.value = {};
                }}
            />
        </section>
    );
}
