// The playground: what is typed is run as it stands, and nothing is saved.

import { useComputed, useSignal, useSignalEffect } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { ApiError } from "../data/errors.ts";
import { isHistory } from "../logic/messages.ts";
import { EmptyFields } from "../panels/empty-fields.tsx";
import { type Field, formOf } from "../panels/form.ts";
import {
    faultsOf,
    InputPart,
    inputText,
    useMarks,
} from "../panels/input-part.tsx";
import { intoView } from "../panels/into-view.ts";
import { JsonFault } from "../panels/json.ts";
import { Output } from "../panels/output.tsx";
import runCss from "../panels/run.sheet.css";
import { runStateOf } from "../panels/running.ts";
import { emptyTexts } from "../panels/values.ts";
import { adoptSheet, Button, focusFirstError } from "../ui/index.ts";
import { draftOf, type Model } from "./model.ts";

adoptSheet(runCss);

/** The form of what is typed; while its schema is none, of its placeholders. */
function fieldsOf(model: Model): Field[] {
    const templates = [
        ...model.messages.value.map((message) =>
            isHistory(message)
                ? { placeholder: message.placeholder }
                : {
                      content: message.content,
                      images:
                          message.role === "USER"
                              ? (message.beside?.images ?? [])
                              : [],
                  },
        ),
        { content: model.content.value },
    ];
    const schema = model.inputSchema.value.trim();

    try {
        return formOf(schema === "" ? null : schema, templates);
    } catch (thrown) {
        if (thrown instanceof JsonFault) {
            return formOf(null, templates);
        }

        throw thrown;
    }
}

export default function Playground({
    promptId,
    model,
    runner,
    onWrong,
    onRefused,
}: {
    promptId: string;
    model: Model;
    /** what a key runs, from anywhere in the editor */
    runner: RefObject<() => void>;
    /** something stands in the way of running */
    onWrong: () => void;
    /** whether what the service refused is part of what is typed */
    onRefused: (error: ApiError, field: string) => boolean;
}) {
    const state = runStateOf(promptId);
    const run = state.draft;
    const form = useRef<HTMLFormElement>(null);
    const output = useRef<HTMLDivElement>(null);
    const fields = useComputed(() => fieldsOf(model)).value;
    const empty = useSignal<readonly string[]>([]);
    const running = run.phase.value === "running";
    const seen = useRef(run.error.peek());

    useMarks(state, run, fields, form);
    useSignalEffect(() => {
        const error = run.error.value;

        if (error !== seen.current) {
            seen.current = error;

            if (error?.field?.startsWith("draft.")) {
                onRefused(error, error.field.slice("draft.".length));
            }
        }
    });

    useEffect(() => {
        if (state.playgroundWanted) {
            state.playgroundWanted = false;
            form.current?.querySelector<HTMLElement>("[type=submit]")?.focus();
            form.current?.scrollIntoView({ block: "start" });
        }
    }, [state]);

    function start(anyway = false) {
        if (run.phase.peek() === "running") {
            return;
        }

        if (model.errors.peek() > 0) {
            onWrong();
            return;
        }

        const faults = faultsOf(state, fields);

        state.faults.value = faults;

        if (Object.keys(faults).length > 0) {
            focusFirstError(form.current);
            return;
        }

        if (!anyway && state.json.peek() === null) {
            empty.value = emptyTexts(fields, state.values.peek());

            if (empty.value.length > 0) {
                return;
            }
        }

        void run.startDraft(promptId, draftOf(model), inputText(state, fields));
        intoView(output.current);
    }

    useEffect(() => {
        runner.current = () => start();
    });

    return (
        <>
            {empty.value.length > 0 && (
                <EmptyFields
                    names={empty.value}
                    onClose={() => {
                        empty.value = [];
                    }}
                    onRun={() => start(true)}
                />
            )}
            <form
                ref={form}
                class="editor-part"
                aria-label="Input"
                noValidate
                onSubmit={(event) => {
                    event.preventDefault();
                    start();
                }}
            >
                <InputPart radios state={state} fields={fields} />
                <div class="row">
                    <Button
                        kind={running ? "danger" : "primary"}
                        icon={running ? "stop" : "play"}
                        // one button, so that it keeps the focus
                        type={running ? "button" : "submit"}
                        title={running ? undefined : "Ctrl-Enter"}
                        onClick={(event) => {
                            if (running) {
                                event.preventDefault();
                                run.stop();
                            }
                        }}
                    >
                        {running ? "Stop" : "Run draft"}
                    </Button>
                    <span class="muted small-text">Nothing is saved.</span>
                </div>
            </form>
            <div class="run-outputs" ref={output}>
                <Output draft run={run} label="Output" promptId={promptId} />
            </div>
        </>
    );
}
