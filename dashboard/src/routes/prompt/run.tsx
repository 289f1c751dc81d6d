// The tab "Run": a form made from the input schema, and what the model says
// while it says it; two versions beside each other where that is asked for.

import { useComputed, useSignal } from "@preact/signals";
import { useEffect, useId, useMemo, useRef } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { page } from "../../data/page.ts";
import { may } from "../../data/project.ts";
import type { PromptTabProps } from "../../data/prompt.ts";
import { readDraft } from "../../logic/draft.ts";
import { EmptyFields } from "../../panels/empty-fields.tsx";
import { type Field, formOf } from "../../panels/form.ts";
import {
    faultsOf,
    InputPart,
    inputText,
    useMarks,
} from "../../panels/input-part.tsx";
import { intoView } from "../../panels/into-view.ts";
import { readJson } from "../../panels/json.ts";
import { Output } from "../../panels/output.tsx";
import { pickChoices, pickName, pickOf } from "../../panels/pick.ts";
import css from "../../panels/run.sheet.css";
import {
    moreAsJson,
    moreOf,
    Preview,
    RunMore,
} from "../../panels/run-more.tsx";
import { type Run, type RunState, runStateOf } from "../../panels/running.ts";
import { snippet } from "../../panels/snippets.ts";
import { emptyTexts } from "../../panels/values.ts";
import { type PickedVersion, usePicked } from "../../panels/version.ts";
import { pathTo } from "../../paths.ts";
import {
    adoptSheet,
    Button,
    ButtonLink,
    CopyButton,
    Empty,
    ErrorNote,
    focusFirstError,
    Note,
    SelectField,
    Skeleton,
} from "../../ui/index.ts";

adoptSheet(css);

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
    /** the empty ones of an input that is not sent yet */
    const empty = useSignal<readonly string[]>([]);
    const outputs = useRef<HTMLDivElement>(null);
    const preview = useId();
    const choices = pickChoices(latest, prompt.value.labels);

    useMarks(state, first, fields, form);
    useMarks(state, second, fields, form);

    const input = (of: Field[]) => inputText(state, of);

    function start(anyway = false) {
        const faults = faultsOf(state, fields);

        const more = moreOf(state);

        state.faults.value = faults;

        if (more === null || Object.keys(faults).length > 0) {
            focusFirstError(form.current);
            return;
        }

        if (!anyway && state.json.peek() === null) {
            empty.value = emptyTexts(fields, state.values.peek());

            if (empty.value.length > 0) {
                return;
            }
        }

        void first.start(promptId, input(fieldsOne), more);

        if (comparing) {
            void second.start(promptId, input(fieldsTwo), more);
        }

        intoView(outputs.current);
    }

    function stop() {
        first.stop();
        second.stop();
    }

    const whose = (run: Run) => pickName(pickOf(run.pick.value));

    return (
        <div class={`run${comparing ? " two" : ""}`}>
            {mine && <Unsaved promptId={promptId} state={state} />}
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
            <div class="run-outputs" ref={outputs}>
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

/** What is typed in Edit and not saved is not what runs here. */
function Unsaved({ promptId, state }: { promptId: string; state: RunState }) {
    const { route } = useLocation();
    const there = useSignal(false);

    // the tab that was left has kept what was typed by then
    useEffect(() => {
        const look = () => {
            there.value = readDraft(localStorage, promptId) !== null;
        };

        look();
        addEventListener("storage", look);
        return () => removeEventListener("storage", look);
    }, [promptId]);

    return there.value ? (
        <Note
            kind="warn"
            action={
                <Button
                    small
                    onClick={() => {
                        state.playgroundWanted = true;
                        route(
                            pathTo("promptTab", { id: promptId, tab: "edit" }),
                        );
                    }}
                >
                    Run draft
                </Button>
            }
        >
            Unsaved changes are not run
        </Note>
    ) : null;
}
