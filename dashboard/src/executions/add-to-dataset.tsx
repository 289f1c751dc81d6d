// The dialog "Add to dataset": what was run becomes an item.

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { mutate } from "../data/client.ts";
import { type ApiError, toApiError } from "../data/errors.ts";
import { graphql } from "../data/graphql.ts";
import { useOnce } from "../data/once.ts";
import { useQuery } from "../data/query.ts";
import { RawJson } from "../data/raw.ts";
import { CreateDataset } from "../datasets/queries.ts";
import { pathTo } from "../paths.ts";
import {
    Button,
    Dialog,
    ErrorNote,
    focusFirstError,
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
    const wrong = useSignal<{ name?: string; expected?: string }>({});
    const error = useSignal<ApiError | undefined>(undefined);
    const busy = useSignal(false);
    const body = useRef<HTMLDivElement>(null);
    const creating = useOnce();
    const adding = useOnce();
    const dataset = chosen.value ?? datasets?.[0]?.id ?? NEW;

    async function add() {
        if (busy.value || !datasets) {
            return;
        }

        const text = expected.value.trim();
        const fault = text === "" ? undefined : jsonFault(text);

        wrong.value = {
            ...(dataset === NEW &&
                name.value.trim() === "" && { name: "Enter a name." }),
            ...(fault && { expected: fault }),
        };
        error.value = undefined;

        if (wrong.value.name || wrong.value.expected) {
            focusFirstError(body.current);
            return;
        }

        busy.value = true;

        try {
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
        } catch (thrown) {
            const failure = toApiError(thrown);

            if (failure.field === "name") {
                wrong.value = { name: failure.message };
                focusFirstError(body.current);
            } else {
                error.value = failure;
            }
        } finally {
            busy.value = false;
        }
    }

    return (
        <Dialog
            title="Add to dataset"
            size="medium"
            onClose={onClose}
            onSubmit={() => void add()}
            actions={
                <>
                    <Button onClick={onClose}>Cancel</Button>
                    <Button kind="primary" type="submit" busy={busy.value}>
                        Add
                    </Button>
                </>
            }
        >
            {(error.value ?? unread.value) && (
                <ErrorNote error={(error.value ?? unread.value) as ApiError} />
            )}
            {datasets ? (
                <div class="stack" ref={body}>
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
                            error={wrong.value.name}
                            maxlength={128}
                            onValue={(value) => {
                                name.value = value;
                                wrong.value = {};
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
                        error={wrong.value.expected}
                        onValue={(value) => {
                            expected.value = value;
                            wrong.value = {};
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
                </div>
            ) : (
                !unread.value && <Skeleton lines={3} />
            )}
        </Dialog>
    );
}
