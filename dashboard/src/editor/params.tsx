// Model and parameters: fields and the JSON, two views of one text.

import { useSignal } from "@preact/signals";
import { useId } from "preact/hooks";
import { priceOf, useModels } from "../data/models.ts";
import {
    fieldFault,
    isWritable,
    type ParamField,
    readField,
    readStop,
    writeField,
    writeStop,
} from "../logic/params.ts";
import { ComboField } from "../ui/combo-field.tsx";
import { Button, SelectField, TextArea } from "../ui/index.ts";
import { NumberField } from "../ui/number-field.tsx";
import { CodeField } from "./code-field.tsx";
import type { Model } from "./model.ts";

const NUMBERS: {
    field: ParamField;
    label: string;
    step: number;
    min?: number;
    max?: number;
}[] = [
    { field: "temperature", label: "Temperature", step: 0.1, min: 0, max: 2 },
    { field: "max_tokens", label: "Max tokens", step: 1, min: 1 },
    { field: "top_p", label: "Top P", step: 0.05, min: 0, max: 1 },
    { field: "seed", label: "Seed", step: 1 },
];

const EFFORTS = ["minimal", "low", "medium", "high"];

/** What is said at a field, here or of a tool. */
const SHOWN =
    /^params\.(model|temperature|max_tokens|top_p|seed|reasoning_effort|stop(\.0)?|tool_choice.*|tools\.\d+\.function\.(name|description|parameters).*)$/;

export function Params({
    model,
    readOnly,
}: {
    model: Model;
    readOnly: boolean;
}) {
    const text = model.params.value;
    const writable = isWritable(text);
    const models = useModels().value ?? [];
    const asJson = useSignal(false);
    const id = useId();

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

    function wrong(field: string): string | undefined {
        return model.paramsWrong.value.find(
            (fault) => fault.field === `params.${field}`,
        )?.message;
    }

    const locked = readOnly || !writable;
    const props = (field: ParamField) => ({
        value: shown(field),
        readonly: locked,
        error: fieldFault(field, shown(field)) ?? wrong(field),
        onValue: (typed: string) => type(field, typed),
    });
    const effort = readField(text, "reasoning_effort");
    // what is wrong and no field says is said there
    const open =
        asJson.value ||
        !writable ||
        model.paramsWrong.value.some(({ field }) => !SHOWN.test(field ?? ""));

    return (
        <section class="editor-part" aria-label="Parameters">
            <div class="editor-part-head">
                <h2>Parameters</h2>
                <Button
                    small
                    kind="quiet"
                    icon="code"
                    aria-expanded={open}
                    aria-controls={id}
                    onClick={() => {
                        asJson.value = !open;
                    }}
                >
                    As JSON
                </Button>
            </div>
            <ComboField
                label="Model"
                help={
                    writable
                        ? "Empty: the server's default."
                        : "Correct the JSON below first."
                }
                offers={models.map((one) => ({
                    text: one.name,
                    value: one.name.replace(/\*$/, ""),
                    note: priceOf(one),
                }))}
                {...props("model")}
            />
            <div class="editor-pair">
                {NUMBERS.map(({ field, ...about }) => (
                    <NumberField key={field} {...about} {...props(field)} />
                ))}
            </div>
            <div class="editor-pair">
                <SelectField
                    label="Reasoning effort"
                    choices={[
                        { value: "", text: "Default" },
                        ...[
                            ...EFFORTS,
                            ...(effort === "" || EFFORTS.includes(effort)
                                ? []
                                : [effort]),
                        ].map((value) => ({ value, text: value })),
                    ]}
                    value={effort}
                    disabled={locked}
                    error={wrong("reasoning_effort")}
                    onValue={(typed) => type("reasoning_effort", typed)}
                />
                <Stop
                    {...{ model, locked }}
                    error={wrong("stop") ?? wrong("stop.0")}
                />
            </div>
            <div id={id} hidden={!open}>
                {open && (
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
                )}
            </div>
        </section>
    );
}

function Stop({
    model,
    locked,
    error,
}: {
    model: Model;
    locked: boolean;
    error: string | undefined;
}) {
    const text = model.params.value;
    const there = readStop(text);
    /** as it was typed: with lines that are empty, and half a "\\n" */
    const typed = useSignal("");

    return (
        <TextArea
            label="Stop"
            rows={1}
            spellcheck={false}
            help={
                there === null
                    ? "No list of texts: see the JSON."
                    : "Texts that end the answer, a line each."
            }
            value={
                there === null
                    ? ""
                    : writeStop(text, typed.value) === text
                      ? typed.value
                      : there
            }
            readonly={locked || there === null}
            error={error}
            onValue={(lines) => {
                typed.value = lines;
                model.params.value = writeStop(text, lines);
            }}
        />
    );
}
