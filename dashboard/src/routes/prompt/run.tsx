// The tab "Run": a form made from the input schema, and what the model says
// while it says it; two versions beside each other where that is asked for.

import { useComputed, useSignal, useSignalEffect } from "@preact/signals";
import { useId, useMemo, useRef } from "preact/hooks";
import { page } from "../../data/page.ts";
import { may } from "../../data/project.ts";
import type { PromptTabProps } from "../../data/prompt.ts";
import { type Field, formOf } from "../../panels/form.ts";
import { InputForm, JsonInput } from "../../panels/input-form.tsx";
import {
    JsonFault,
    objectFault,
    prettyJson,
    readJson,
    writeJson,
} from "../../panels/json.ts";
import { Output } from "../../panels/output.tsx";
import { pickChoices, pickName, pickOf } from "../../panels/pick.ts";
import css from "../../panels/run.sheet.css";
import {
    moreAsJson,
    moreField,
    moreOf,
    Preview,
    RunMore,
} from "../../panels/run-more.tsx";
import { type Run, type RunState, runStateOf } from "../../panels/running.ts";
import { snippet } from "../../panels/snippets.ts";
import { type Faults, inputOf } from "../../panels/values.ts";
import { NoForm, valuesOf } from "../../panels/values-back.ts";
import { type PickedVersion, usePicked } from "../../panels/version.ts";
import { placed } from "../../panels/violations.ts";
import { pathTo } from "../../paths.ts";
import {
    adoptSheet,
    Button,
    ButtonLink,
    CopyButton,
    Empty,
    ErrorNote,
    focusFirstError,
    SelectField,
    Skeleton,
    toast,
} from "../../ui/index.ts";

adoptSheet(css);

/** Under this key stands what is wrong with the input as a whole. */
const WHOLE = "";

export default function RunTab(props: PromptTabProps) {
    const { promptId, prompt, mine } = props;
    const latest = prompt.value.versions.at(-1)?.version ?? 0;

    if (latest === 0) {
        return (
            <Empty
                title="There is no version to run"
                icon="play"
                action={
                    mine && (
                        <ButtonLink
                            kind="primary"
                            href={pathTo("promptTab", {
                                id: promptId,
                                tab: "edit",
                            })}
                        >
                            Write the first version
                        </ButtonLink>
                    )
                }
            >
                A prompt runs once it has a version.
            </Empty>
        );
    }

    return <Loaded {...props} latest={latest} />;
}

function fieldsOf(version: PickedVersion | undefined): Field[] {
    if (version === undefined) {
        return [];
    }

    return formOf(version.inputSchema?.text ?? null, [
        ...version.messages,
        { content: version.content },
    ]);
}

/** The fields of both versions, each once. */
function together(first: Field[], second: Field[]): Field[] {
    const keys = new Set(first.map((field) => field.key));

    return [...first, ...second.filter((field) => !keys.has(field.key))];
}

function Loaded({
    promptId,
    prompt,
    mine,
    latest,
}: PromptTabProps & { latest: number }) {
    const form = useRef<HTMLFormElement>(null);
    const state = useMemo(() => runStateOf(promptId), [promptId]);
    const { first, second } = state;
    const comparing = second.pick.value !== "";
    const one = usePicked(promptId, first.pick.value, latest);
    const two = usePicked(
        promptId,
        comparing ? second.pick.value : null,
        latest,
    );
    const fieldsOne = useMemo(() => fieldsOf(one.version), [one.version]);
    const fieldsTwo = useMemo(() => fieldsOf(two.version), [two.version]);
    const fields = useMemo(
        () => together(fieldsOne, fieldsTwo),
        [fieldsOne, fieldsTwo],
    );
    const running = useComputed(
        () =>
            first.phase.value === "running" || second.phase.value === "running",
    ).value;
    const previewing = useSignal(false);
    const preview = useId();
    const choices = pickChoices(latest, prompt.value.labels);

    useMarks(state, first, fields, form);
    useMarks(state, second, fields, form);

    const input = (of: Field[]) => inputText(state, of);

    function start() {
        const faults = faultsOf(state, fields);

        const more = moreOf(state);

        state.faults.value = faults;

        if (more === null || Object.keys(faults).length > 0) {
            focusFirstError(form.current);
            return;
        }

        void first.start(promptId, input(fieldsOne), more);

        if (comparing) {
            void second.start(promptId, input(fieldsTwo), more);
        }
    }

    function stop() {
        first.stop();
        second.stop();
    }

    const whose = (run: Run) => pickName(pickOf(run.pick.value));

    return (
        <div class={`run${comparing ? " two" : ""}`}>
            <form
                ref={form}
                class="card stack"
                aria-label="Input"
                noValidate
                onSubmit={(event) => {
                    event.preventDefault();

                    if (
                        may("EDITOR") &&
                        !running &&
                        !one.loading &&
                        !two.loading
                    ) {
                        start();
                    }
                }}
                onKeyDown={(event) => {
                    if (
                        event.key === "Enter" &&
                        (event.ctrlKey || event.metaKey)
                    ) {
                        event.preventDefault();
                        form.current?.requestSubmit();
                    }
                }}
            >
                <div class="run-picks">
                    <SelectField
                        label="Version or label"
                        choices={choices}
                        value={first.pick.value}
                        error={one.error?.message}
                        onValue={(value) => {
                            first.pick.value = value;
                        }}
                    />
                    <SelectField
                        label="Compare with"
                        choices={[{ value: "", text: "Nothing" }, ...choices]}
                        value={second.pick.value}
                        error={two.error?.message}
                        onValue={(value) => {
                            second.stop();
                            second.pick.value = value;
                        }}
                    />
                </div>
                {one.error && (
                    <ErrorNote error={one.error} onRetry={one.reload} />
                )}
                {one.version === undefined && !one.error ? (
                    <Skeleton lines={4} />
                ) : (
                    <InputPart state={state} fields={fields} />
                )}
                <RunMore state={state} />
                <div class="row">
                    {may("EDITOR") && (
                        <Button
                            kind={running ? "danger" : "primary"}
                            icon={running ? "stop" : "play"}
                            // one button, so that it keeps the focus
                            type={running ? "button" : "submit"}
                            title={running ? undefined : "Ctrl-Enter"}
                            busy={!running && (one.loading || two.loading)}
                            onClick={(event) => {
                                if (running) {
                                    // it is "Run" again before the press is over
                                    event.preventDefault();
                                    stop();
                                }
                            }}
                        >
                            {running ? "Stop" : "Run"}
                        </Button>
                    )}
                    <Button
                        kind="quiet"
                        icon="prompt"
                        aria-expanded={previewing.value}
                        aria-controls={preview}
                        onClick={() => {
                            previewing.value = !previewing.value;
                        }}
                    >
                        Messages
                    </Button>
                    <CopyButton
                        kind="quiet"
                        label="Copy as curl"
                        text={() =>
                            snippet("curl", {
                                endpoint: new URL(page.graphql, location.href)
                                    .href,
                                promptId,
                                ...(mine ? { name: prompt.value.name } : {}),
                                pick: pickOf(first.pick.value),
                                input: readJson(input(fieldsOne)),
                                more: moreAsJson(state),
                            })
                        }
                    />
                </div>
            </form>
            <div class="run-outputs">
                <Output
                    run={first}
                    label="Output"
                    title={comparing ? whose(first) : undefined}
                    promptId={promptId}
                />
                {comparing && (
                    <Output
                        run={second}
                        label={`Output of ${whose(second)}`}
                        title={whose(second)}
                        promptId={promptId}
                    />
                )}
                {previewing.value && one.version && (
                    <Preview
                        key={`${first.pick.value} ${one.version.version}`}
                        id={preview}
                        promptId={promptId}
                        pick={first.pick.value}
                        input={() => {
                            // what it reads without being told of changes
                            void [state.json.value, state.values.value];

                            return input(fieldsOne);
                        }}
                    />
                )}
            </div>
        </div>
    );
}

/** The form, or all of it as JSON. */
function InputPart({ state, fields }: { state: RunState; fields: Field[] }) {
    const json = state.json.value;

    function toJson() {
        const { value } = inputOf(fields, state.values.peek());

        state.json.value = prettyJson(writeJson(value));
        state.faults.value = {};
    }

    function toForm(text: string) {
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
    }

    return (
        <>
            <div class="row apart">
                <h2>Input</h2>
                {fields.length > 0 && (
                    <Button
                        kind="quiet"
                        small
                        icon={json === null ? "code" : "prompt"}
                        onClick={() =>
                            json === null ? toJson() : toForm(json)
                        }
                    >
                        {json === null ? "Edit as JSON" : "Edit in the form"}
                    </Button>
                )}
            </div>
            {fields.length === 0 && json === null ? (
                <p class="muted">
                    This version has no placeholders: it needs no input.{" "}
                    <Button kind="quiet" small icon="code" onClick={toJson}>
                        Give it one as JSON
                    </Button>
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

/** What is wrong before anything is sent. */
function faultsOf(state: RunState, fields: Field[]): Faults {
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
function inputText(state: RunState, fields: Field[]): string {
    const json = state.json.peek();

    if (json === null) {
        return writeJson(inputOf(fields, state.values.peek()).value);
    }

    return objectFault(json) === null ? json : "{}";
}

/** What the service refused is marked where it was typed. */
function useMarks(
    state: RunState,
    run: Run,
    fields: Field[],
    form: { current: HTMLFormElement | null },
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

        if (error?.code !== "BAD_USER_INPUT") {
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
