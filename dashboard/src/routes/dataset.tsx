// /datasets/:id: its items, what is wanted of outputs, and runs.

import { useSignal } from "@preact/signals";
import { useLocation } from "preact-iso/router";
import { mutate } from "../data/client.ts";
import { type ApiError, toApiError } from "../data/errors.ts";
import { number } from "../data/format.ts";
import { may } from "../data/project.ts";
import { useQuery } from "../data/query.ts";
import { isGone, useSought } from "../data/sought.ts";
import { Checks, useChecks } from "../datasets/checks-tab.tsx";
import css from "../datasets/datasets.sheet.css";
import { Items } from "../datasets/items.tsx";
import { NameDialog } from "../datasets/name-dialog.tsx";
import {
    type Dataset,
    DeleteDataset,
    OneDataset,
    UpdateDataset,
} from "../datasets/queries.ts";
import { pathTo } from "../paths.ts";
import { Runs } from "../runs/runs-tab.tsx";
import { useTitle } from "../title.ts";
import {
    adoptSheet,
    Button,
    ButtonLink,
    Dialog,
    ErrorNote,
    PageHead,
    Skeleton,
    type Tab,
    Tabs,
    TextField,
    Time,
    toast,
} from "../ui/index.ts";

adoptSheet(css);

const TABS: readonly Tab[] = [
    { name: "items", text: "Items" },
    { name: "checks", text: "Checks" },
    { name: "runs", text: "Runs" },
];

export default function DatasetPage({ params }: { params?: { id: string } }) {
    const id = params?.id ?? "";

    return <Page key={id} id={id} />;
}

function Page({ id }: { id: string }) {
    const { data, error, loading, reload } = useQuery(OneDataset, { id });
    const dataset = data.value?.dataset;
    const gone =
        !loading.value &&
        (isGone(error.value) || (!error.value && dataset == null));
    const nowhere = useSought("dataset", id, gone);

    useTitle(dataset?.name ?? "Dataset");

    if (dataset) {
        return <Detail dataset={dataset} changed={reload} />;
    }

    if (error.value && !gone) {
        return (
            <>
                <PageHead title="Dataset" />
                <ErrorNote error={error.value} onRetry={() => void reload()} />
            </>
        );
    }

    return nowhere ? (
        <>
            <PageHead title="Dataset not found">
                It was deleted, or it belongs to a project of which you are not
                a member.
            </PageHead>
            <ButtonLink href={pathTo("datasets")}>All datasets</ButtonLink>
        </>
    ) : (
        <Skeleton lines={8} />
    );
}

function Detail({
    dataset,
    changed,
}: {
    dataset: Dataset;
    changed: () => Promise<void>;
}) {
    const { query: address, route } = useLocation();
    const open = useSignal<"rename" | "delete" | undefined>(undefined);
    const checks = useChecks(dataset);
    const tab = TABS.some(({ name }) => name === address.tab)
        ? (address.tab as string)
        : "items";
    const close = () => {
        open.value = undefined;
    };
    const { id, name, description, itemCount, createdAt } = dataset;

    return (
        <>
            <PageHead
                title={name}
                actions={
                    may("EDITOR") && (
                        <>
                            <Button
                                onClick={() => {
                                    open.value = "rename";
                                }}
                            >
                                Rename
                            </Button>
                            <Button
                                kind="danger"
                                onClick={() => {
                                    open.value = "delete";
                                }}
                            >
                                Delete dataset
                            </Button>
                        </>
                    )
                }
            >
                {description && <p>{description}</p>}
                <p class="small-text">
                    {number(itemCount)} {itemCount === 1 ? "item" : "items"} ·
                    created <Time iso={createdAt} />
                </p>
            </PageHead>
            <Tabs
                label="Dataset"
                tabs={TABS}
                current={tab}
                onChoose={(next) =>
                    route(pathTo("dataset", { id }, { tab: next }), true)
                }
            >
                {tab === "runs" ? (
                    <Runs dataset={dataset} />
                ) : tab === "checks" ? (
                    <Checks {...{ dataset, checks, changed }} />
                ) : (
                    <Items dataset={dataset} changed={changed} />
                )}
            </Tabs>
            {open.value === "rename" && (
                <NameDialog
                    title="Rename"
                    action="Save"
                    name={name}
                    description={description ?? ""}
                    onClose={close}
                    onSave={async (input, key) => {
                        await mutate(UpdateDataset, { id, ...input }, { key });
                        close();
                        await changed();
                    }}
                />
            )}
            {open.value === "delete" && (
                <DeleteDialog dataset={dataset} onClose={close} />
            )}
        </>
    );
}

function DeleteDialog({
    dataset,
    onClose,
}: {
    dataset: Dataset;
    onClose: () => void;
}) {
    const { route } = useLocation();
    const typed = useSignal("");
    const wrong = useSignal<string | undefined>(undefined);
    const error = useSignal<ApiError | undefined>(undefined);
    const busy = useSignal(false);

    async function remove() {
        if (busy.value) {
            return;
        }

        if (typed.value.trim() !== dataset.name) {
            wrong.value = `Type ${dataset.name} to delete it.`;
            return;
        }

        busy.value = true;

        try {
            await mutate(DeleteDataset, { id: dataset.id });
            onClose();
            toast(`${dataset.name} is deleted.`, "good");
            route(pathTo("datasets"));
        } catch (thrown) {
            error.value = toApiError(thrown);
        } finally {
            busy.value = false;
        }
    }

    return (
        <Dialog
            title="Delete dataset"
            onClose={onClose}
            onSubmit={() => void remove()}
            actions={
                <>
                    <Button onClick={onClose}>Cancel</Button>
                    <Button kind="danger" type="submit" busy={busy.value}>
                        Delete for good
                    </Button>
                </>
            }
        >
            {error.value && <ErrorNote error={error.value} />}
            <p>
                Its {number(dataset.itemCount)} items and its checks go with it.
                Nobody can bring them back.
            </p>
            <TextField
                label="Type the name"
                help={
                    <>
                        It is <strong>{dataset.name}</strong>.
                    </>
                }
                value={typed.value}
                error={wrong.value}
                onValue={(value) => {
                    typed.value = value;
                    wrong.value = undefined;
                }}
            />
        </Dialog>
    );
}
