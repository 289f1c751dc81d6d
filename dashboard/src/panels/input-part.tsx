// The input of a run as it is typed: by a form, or all of it as JSON; and what
// is wrong with it, before and after it was sent.

import { useSignalEffect } from "@preact/signals";
import type { RefObject } from "preact";
import { useId, useRef } from "preact/hooks";
import { Button, focusFirstError, toast } from "../ui/index.ts";
import type { Field } from "./form.ts";
import { InputForm, JsonInput } from "./input-form.tsx";
import {
    JsonFault,
    objectFault,
    prettyJson,
    readJson,
    writeJson,
} from "./json.ts";
import { moreField } from "./run-more.tsx";
import type { Run, RunState } from "./running.ts";
import { type Faults, inputOf } from "./values.ts";
import { NoForm, valuesOf } from "./values-back.ts";
import { placed } from "./violations.ts";

/** Under this key stands what is wrong with the input as a whole. */
const WHOLE = "";

/** The form, or all of it as JSON. */
export function InputPart({
    state,
    fields,
    radios,
}: {
    state: RunState;
    fields: Field[];
    /** how it is shown is chosen so, and not by one button */
    radios?: boolean;
}) {
    const json = state.json.value;

    function toJson() {
        const { value } = inputOf(fields, state.values.peek());

        state.json.value = prettyJson(writeJson(value));
        state.faults.value = {};
    }

    /** whether it could be shown so */
    function toForm(text: string): boolean {
        try {
            state.values.value = valuesOf(fields, readJson(text));
            state.json.value = null;
            state.faults.value = {};
        } catch (thrown) {
            if (!(thrown instanceof NoForm || thrown instanceof JsonFault)) {
                throw thrown;
            }

            toast(thrown.message, "bad");
        }

        return state.json.peek() === null;
    }

    return (
        <>
            <div class="row apart">
                <h2>Input</h2>
                {radios ? (
                    <FormOrJson
                        json={json !== null}
                        onJson={toJson}
                        onForm={() => toForm(json ?? "")}
                    />
                ) : (
                    fields.length > 0 && (
                        <Button
                            kind="quiet"
                            small
                            icon={json === null ? "code" : "prompt"}
                            onClick={() =>
                                json === null ? toJson() : toForm(json)
                            }
                        >
                            {json === null
                                ? "Edit as JSON"
                                : "Edit in the form"}
                        </Button>
                    )
                )}
            </div>
            {fields.length === 0 && json === null ? (
                <p class="muted">
                    There are no placeholders: it needs no input.{" "}
                    {!radios && (
                        <Button kind="quiet" small icon="code" onClick={toJson}>
                            Give it one as JSON
                        </Button>
                    )}
                </p>
            ) : json === null ? (
                <InputForm
                    fields={fields}
                    values={state.values.value}
                    faults={state.faults.value}
                    onValue={(key, value) => {
                        const { [key]: _, ...others } = state.faults.peek();

                        state.values.value = {
                            ...state.values.peek(),
                            [key]: value,
                        };
                        state.faults.value = others;
                    }}
                />
            ) : (
                <JsonInput
                    value={json}
                    error={Object.values(state.faults.value)[0]}
                    onValue={(text) => {
                        state.json.value = text;
                        state.faults.value = {};
                    }}
                />
            )}
        </>
    );
}

function FormOrJson({
    json,
    onJson,
    onForm,
}: {
    json: boolean;
    onJson: () => void;
    /** false: the form cannot show it */
    onForm: () => boolean;
}) {
    const name = useId();
    const stays = useRef<HTMLInputElement>(null);
    const radio = (text: string, checked: boolean, choose: () => void) => (
        <label class="choice">
            <input
                type="radio"
                name={name}
                ref={text === "JSON" ? stays : undefined}
                checked={checked}
                onChange={choose}
            />
            {text}
        </label>
    );

    return (
        <div class="row" role="radiogroup" aria-label="Input as">
            {radio("Form", !json, () => {
                if (!onForm() && stays.current) {
                    stays.current.checked = true;
                }
            })}
            {radio("JSON", json, onJson)}
        </div>
    );
}

/** What is wrong before anything is sent. */
export function faultsOf(state: RunState, fields: Field[]): Faults {
    const json = state.json.peek();

    if (json === null) {
        return inputOf(fields, state.values.peek()).faults;
    }

    const fault = objectFault(json);

    if (fault === null) {
        return {};
    }

    const line = json.slice(0, fault.start).split("\n").length;

    return { [WHOLE]: `Line ${line}: ${fault.message}` };
}

/** The input as it goes out; of what was typed wrongly, what can be read. */
export function inputText(state: RunState, fields: Field[]): string {
    const json = state.json.peek();

    if (json === null) {
        return writeJson(inputOf(fields, state.values.peek()).value);
    }

    return objectFault(json) === null ? json : "{}";
}

/** What the service refused is marked where it was typed. */
export function useMarks(
    state: RunState,
    run: Run,
    fields: Field[],
    form: RefObject<HTMLFormElement | null>,
) {
    const now = useRef(fields);
    const marked = useRef(run.error.peek());

    now.current = fields;

    useSignalEffect(() => {
        const error = run.error.value;

        if (error === marked.current) {
            return;
        }

        marked.current = error;

        if (
            error?.code !== "BAD_USER_INPUT" ||
            // of what is run, and not of its input
            error.field?.startsWith("draft.")
        ) {
            return;
        }

        const { faults, others } = placed(
            now.current,
            error.message,
            error.extensions,
        );
        const more = moreField(error.field);

        if (more !== undefined && Object.keys(faults).length === 0) {
            state.moreFaults.value = { [more]: error.message };
            focusFirstError(form.current);
            return;
        }

        const asJson = state.json.peek() !== null;
        const marks = asJson
            ? {
                  [WHOLE]:
                      Object.values(faults)[0] ?? others[0] ?? error.message,
              }
            : faults;

        if (Object.keys(marks).length > 0) {
            state.faults.value = { ...state.faults.peek(), ...marks };
            focusFirstError(form.current);
        }
    });
}
