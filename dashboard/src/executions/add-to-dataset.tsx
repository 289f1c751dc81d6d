// The dialog "Add to dataset": what was run becomes an item.

import { useSignal } from "@preact/signals";
import { mutate } from "../data/client.ts";
import { graphql } from "../data/graphql.ts";
import { useOnce } from "../data/once.ts";
import { useQuery } from "../data/query.ts";
import { RawJson } from "../data/raw.ts";
import { CreateDataset } from "../datasets/queries.ts";
import { pathTo } from "../paths.ts";
import { useForm } from "../ui/form.ts";
import { FormDialog } from "../ui/form-dialog.tsx";
import {
    Button,
    SelectField,
    Skeleton,
    TextField,
    toast,
} from "../ui/index.ts";
import { JsonArea, jsonFault } from "../ui/json-area.tsx";

const DatasetNames = graphql(`
    query DatasetNames {
        datasets(first: 1000) {
            id
            name
        }
    }
`);

const AddExecution = graphql(`
    mutation AddExecution($datasetId: ID!, $executionId: ID!, $expected: JSON) {
        addExecutionToDataset(
            datasetId: $datasetId
            executionId: $executionId
            expected: $expected
        ) {
            id
        }
    }
`);

const NEW = "new";

export function AddToDatasetDialog({
    executionId,
    output,
    onClose,
}: {
    executionId: string;
    output: string | null;
    onClose: () => void;
}) {
    const { data, error: unread, reload } = useQuery(DatasetNames, {});
    const datasets = data.value?.datasets;
    const chosen = useSignal<string | undefined>(undefined);
    const name = useSignal("");
    const expected = useSignal("");
    const form = useForm<"name" | "expected">(["name"]);
    const creating = useOnce();
    const adding = useOnce();
    const dataset = chosen.value ?? datasets?.[0]?.id ?? NEW;

    async function add() {
        if (!datasets) {
            return;
        }

        const text = expected.value.trim();
        const fault = text === "" ? undefined : jsonFault(text);

        const sound = form.check({
            name:
                dataset === NEW && name.value.trim() === ""
                    ? "Enter a name."
                    : undefined,
            expected: fault,
        });

        if (!sound) {
            return;
        }

        await form.run(async () => {
            let id = dataset;

            if (id === NEW) {
                const given = name.value.trim();
                const { createDataset } = await creating(given, (key) =>
                    mutate(
                        CreateDataset,
                        { name: given, description: null },
                        { key },
                    ),
                );

                id = createDataset?.id ?? "";
                await reload();
                chosen.value = id;
            }

            await adding(id + text, (key) =>
                mutate(
                    AddExecution,
                    {
                        datasetId: id,
                        executionId,
                        expected: text === "" ? null : new RawJson(text),
                    },
                    { key },
                ),
            );
            toast("Added to the dataset.", "good", {
                href: pathTo("dataset", { id }),
                action: "Open it",
            });
            onClose();
        });
    }

    return (
        <FormDialog
            title="Add to dataset"
            action="Add"
            size="medium"
            form={{ ...form, error: form.error ?? unread.value }}
            onSubmit={add}
            onClose={onClose}
        >
            {datasets ? (
                <>
                    <SelectField
                        label="Dataset"
                        value={dataset}
                        onValue={(value) => {
                            chosen.value = value;
                        }}
                        choices={[
                            ...datasets.map((one) => ({
                                value: one.id,
                                text: one.name,
                            })),
                            { value: NEW, text: "New dataset…" },
                        ]}
                    />
                    {dataset === NEW && (
                        <TextField
                            label="Name"
                            value={name.value}
                            error={form.wrong.name}
                            maxlength={128}
                            onValue={(value) => {
                                name.value = value;
                                form.clear();
                            }}
                        />
                    )}
                    <JsonArea
                        label="Expected"
                        optional
                        help={
                            <>
                                What a good output is, as JSON; a text in
                                quotes.
                            </>
                        }
                        value={expected.value}
                        error={form.wrong.expected}
                        onValue={(value) => {
                            expected.value = value;
                            form.clear();
                        }}
                    />
                    {output !== null && (
                        <p>
                            <Button
                                small
                                onClick={() => {
                                    expected.value =
                                        jsonFault(output) === undefined
                                            ? output
                                            : JSON.stringify(output);
                                }}
                            >
                                Use the output
                            </Button>
                        </p>
                    )}
                </>
            ) : (
                !unread.value && <Skeleton lines={3} />
            )}
        </FormDialog>
    );
}
