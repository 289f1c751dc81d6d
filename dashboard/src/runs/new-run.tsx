// The dialog "New run".

import { useSignal } from "@preact/signals";
import { useLocation } from "preact-iso/router";
import { mutate } from "../data/client.ts";
import { number } from "../data/format.ts";
import { graphql } from "../data/graphql.ts";
import { useOnce } from "../data/once.ts";
import { useQuery } from "../data/query.ts";
import type { Dataset } from "../datasets/queries.ts";
import { usePromptChoices } from "../executions/prompts.ts";
import { pathTo } from "../paths.ts";
import { useForm } from "../ui/form.ts";
import { FormDialog } from "../ui/form-dialog.tsx";
import { Checkbox, SelectField, TextField } from "../ui/index.ts";
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
    const form = useForm<"prompt" | "versions" | "repetitions" | "cap">([]);
    const once = useOnce();
    const prompt = promptId.value === "" ? undefined : data.value?.prompt;
    const offered = versionsOf(prompt);
    const times = /^([1-9]\d?|100)$/.test(repetitions.value.trim())
        ? Number(repetitions.value)
        : 0;
    const executions = dataset.itemCount * chosen.value.size * times;

    async function start() {
        const sound = form.check({
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
        });

        if (!sound) {
            return;
        }

        const variables = {
            datasetId: dataset.id,
            promptId: promptId.value,
            versions: [...chosen.value].sort((a, b) => a - b),
            repetitions: times,
            costCapUsd: cap.value.trim() || null,
        };

        await form.run(async () => {
            const { createRun } = await once(JSON.stringify(variables), (key) =>
                mutate(CreateRun, variables, { key }),
            );

            onClose();

            if (createRun) {
                route(pathTo("run", { id: createRun.id }));
            }
        });
    }

    return (
        <FormDialog
            title="New run"
            action="Start run"
            icon="play"
            form={form}
            onSubmit={start}
            onClose={onClose}
        >
            <SelectField
                label="Prompt"
                value={promptId.value}
                error={form.wrong.prompt}
                choices={[{ value: "", text: "Choose a prompt" }, ...prompts]}
                onValue={(value) => {
                    promptId.value = value;
                    chosen.value = new Set();
                    form.clear();
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
                                    ? form.wrong.versions
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
                                form.clear();
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
                error={form.wrong.repetitions}
                onValue={(value) => {
                    repetitions.value = value;
                    form.clear();
                }}
            />
            <TextField
                label="Cost cap (USD)"
                optional
                inputMode="decimal"
                help="It stops before it costs more. Empty: no cap but the budgets."
                value={cap.value}
                error={form.wrong.cap}
                onValue={(value) => {
                    cap.value = value;
                    form.clear();
                }}
            />
            <p role="status">
                {number(executions)}{" "}
                {executions === 1 ? "execution" : "executions"}
            </p>
        </FormDialog>
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
