// The dialog "New run".

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { mutate } from "../data/client.ts";
import { type ApiError, toApiError } from "../data/errors.ts";
import { number } from "../data/format.ts";
import { graphql } from "../data/graphql.ts";
import { useOnce } from "../data/once.ts";
import { useQuery } from "../data/query.ts";
import type { Dataset } from "../datasets/queries.ts";
import { usePromptChoices } from "../executions/prompts.ts";
import { pathTo } from "../paths.ts";
import {
    Button,
    Checkbox,
    Dialog,
    ErrorNote,
    focusFirstError,
    SelectField,
    TextField,
} from "../ui/index.ts";
import { NumberField } from "../ui/number-field.tsx";
import { CreateRun } from "./queries.ts";

const VersionNumbers = graphql(`
    query VersionNumbers($id: ID!) {
        prompt(id: $id) {
            versions(last: 1) {
                version
            }
            labels {
                label
                version
            }
        }
    }
`);

/** versions that are offered: the newest, and those that have a label */
const NEWEST = 8;

interface Wrong {
    prompt?: string;
    versions?: string;
    repetitions?: string;
    cap?: string;
}

export function NewRunDialog({
    dataset,
    onClose,
}: {
    dataset: Dataset;
    onClose: () => void;
}) {
    const { route } = useLocation();
    const prompts = usePromptChoices();
    const promptId = useSignal("");
    const { data } = useQuery(
        VersionNumbers,
        { id: promptId.value },
        { enabled: promptId.value !== "" },
    );
    const chosen = useSignal<ReadonlySet<number>>(new Set());
    const repetitions = useSignal("1");
    const cap = useSignal("");
    const wrong = useSignal<Wrong>({});
    const error = useSignal<ApiError | undefined>(undefined);
    const busy = useSignal(false);
    const body = useRef<HTMLDivElement>(null);
    const once = useOnce();
    const prompt = promptId.value === "" ? undefined : data.value?.prompt;
    const offered = versionsOf(prompt);
    const times = /^([1-9]\d?|100)$/.test(repetitions.value.trim())
        ? Number(repetitions.value)
        : 0;
    const executions = dataset.itemCount * chosen.value.size * times;

    async function start() {
        if (busy.value) {
            return;
        }

        wrong.value = {
            ...(promptId.value === "" && { prompt: "Choose a prompt." }),
            ...(promptId.value !== "" &&
                chosen.value.size === 0 && {
                    versions: "Choose one version or more.",
                }),
            ...(times === 0 && {
                repetitions: "Enter a number from 1 to 100.",
            }),
            ...(cap.value.trim() !== "" &&
                !/^\d+(\.\d+)?$/.test(cap.value.trim()) && {
                    cap: "Enter an amount such as 0.50.",
                }),
        };
        error.value = undefined;

        if (Object.keys(wrong.value).length > 0) {
            focusFirstError(body.current);
            return;
        }

        const variables = {
            datasetId: dataset.id,
            promptId: promptId.value,
            versions: [...chosen.value].sort((a, b) => a - b),
            repetitions: times,
            costCapUsd: cap.value.trim() || null,
        };

        busy.value = true;

        try {
            const { createRun } = await once(JSON.stringify(variables), (key) =>
                mutate(CreateRun, variables, { key }),
            );

            onClose();

            if (createRun) {
                route(pathTo("run", { id: createRun.id }));
            }
        } catch (thrown) {
            error.value = toApiError(thrown);
        } finally {
            busy.value = false;
        }
    }

    return (
        <Dialog
            title="New run"
            onClose={onClose}
            onSubmit={() => void start()}
            actions={
                <>
                    <Button onClick={onClose}>Cancel</Button>
                    <Button
                        kind="primary"
                        type="submit"
                        icon="play"
                        busy={busy.value}
                    >
                        Start run
                    </Button>
                </>
            }
        >
            {error.value && <ErrorNote error={error.value} />}
            <div class="stack" ref={body}>
                <SelectField
                    label="Prompt"
                    value={promptId.value}
                    error={wrong.value.prompt}
                    choices={[
                        { value: "", text: "Choose a prompt" },
                        ...prompts,
                    ]}
                    onValue={(value) => {
                        promptId.value = value;
                        chosen.value = new Set();
                        wrong.value = {};
                    }}
                />
                {prompt && (
                    <fieldset class="stack tight">
                        <legend>Versions</legend>
                        {offered.length === 0 && (
                            <p class="muted">It has no version yet.</p>
                        )}
                        {offered.map(({ version, labels }) => (
                            <Checkbox
                                key={version}
                                label={`Version ${version}`}
                                {...(labels && { help: labels })}
                                checked={chosen.value.has(version)}
                                error={
                                    version === offered[0]?.version
                                        ? wrong.value.versions
                                        : undefined
                                }
                                onChecked={(on) => {
                                    const next = new Set(chosen.value);

                                    if (on) {
                                        next.add(version);
                                    } else {
                                        next.delete(version);
                                    }

                                    chosen.value = next;
                                    wrong.value = {};
                                }}
                            />
                        ))}
                    </fieldset>
                )}
                <NumberField
                    label="Repetitions"
                    min={1}
                    max={100}
                    value={repetitions.value}
                    error={wrong.value.repetitions}
                    onValue={(value) => {
                        repetitions.value = value;
                        wrong.value = {};
                    }}
                />
                <TextField
                    label="Cost cap (USD)"
                    optional
                    inputMode="decimal"
                    help="It stops before it costs more. Empty: no cap but the budgets."
                    value={cap.value}
                    error={wrong.value.cap}
                    onValue={(value) => {
                        cap.value = value;
                        wrong.value = {};
                    }}
                />
                <p role="status">
                    {number(executions)}{" "}
                    {executions === 1 ? "execution" : "executions"}
                </p>
            </div>
        </Dialog>
    );
}

function versionsOf(
    prompt:
        | {
              versions: readonly { version: number }[];
              labels: readonly { label: string; version: number }[];
          }
        | null
        | undefined,
): { version: number; labels: string }[] {
    const latest = prompt?.versions.at(-1)?.version ?? 0;
    const all = new Set([
        ...Array.from(
            { length: Math.min(latest, NEWEST) },
            (_, i) => latest - i,
        ),
        ...(prompt?.labels ?? []).map(({ version }) => version),
    ]);

    return [...all]
        .sort((a, b) => b - a)
        .map((version) => ({
            version,
            labels: (prompt?.labels ?? [])
                .filter((one) => one.version === version)
                .map(({ label }) => label)
                .join(", "),
        }));
}
