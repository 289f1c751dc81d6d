// The tab "Runs" of a dataset.

import { useSignal } from "@preact/signals";
import { useLocation } from "preact-iso/router";
import { query } from "../data/client.ts";
import { number } from "../data/format.ts";
import { may } from "../data/project.ts";
import type { Dataset } from "../datasets/queries.ts";
import { usePages } from "../panels/pages.ts";
import { pathTo } from "../paths.ts";
import { Button, type Column, Empty, Money, Table, Time } from "../ui/index.ts";
import { NewRunDialog } from "./new-run.tsx";
import { DatasetRuns, type RunRow } from "./queries.ts";
import { RunState } from "./state.tsx";

const PAGE = 100;

const columns: readonly Column<RunRow>[] = [
    {
        name: "Created",
        header: true,
        cell: (row) => (
            <a class="row-name nowrap" href={pathTo("run", { id: row.id })}>
                <Time iso={row.createdAt} />
            </a>
        ),
    },
    { name: "Prompt", grow: true, cell: (row) => row.prompt?.name ?? "–" },
    {
        name: "Versions",
        priority: 1,
        cell: (row) => row.arms.map(({ version }) => version).join(", "),
    },
    { name: "State", cell: (row) => <RunState state={row.state} /> },
    {
        name: "Done",
        numeric: true,
        priority: 1,
        cell: (row) => `${number(row.done)} of ${number(row.total)}`,
    },
    {
        name: "Cost",
        numeric: true,
        priority: 2,
        cell: (row) => <Money usd={row.costUsd} />,
    },
];

export function Runs({ dataset }: { dataset: Dataset }) {
    const { route } = useLocation();
    const adding = useSignal(false);
    const pages = usePages<RunRow>(
        dataset.id,
        PAGE,
        async (after, signal) =>
            (
                await query(
                    DatasetRuns,
                    { id: dataset.id, first: PAGE, after },
                    { signal },
                )
            ).dataset?.runs ?? [],
    );
    const add = may("EDITOR") && (
        <Button
            kind="primary"
            icon="play"
            onClick={() => {
                adding.value = true;
            }}
        >
            New run
        </Button>
    );

    return (
        <div class="stack">
            {pages.rows.length === 0 && !pages.loading && !pages.error ? (
                <Empty title="No runs yet" icon="play" action={add}>
                    A run makes an execution of each item by each of the
                    versions you choose, checks the outputs, and puts them
                    beside each other.
                </Empty>
            ) : (
                <>
                    <p>{add}</p>
                    <Table
                        label="Runs"
                        columns={columns}
                        rows={pages.rows}
                        rowKey={(row) => row.id}
                        onOpen={(row) => route(pathTo("run", { id: row.id }))}
                        onMore={pages.more}
                        loading={pages.loading}
                        error={pages.error}
                        onRetry={pages.retry}
                    />
                </>
            )}
            {adding.value && (
                <NewRunDialog
                    dataset={dataset}
                    onClose={() => {
                        adding.value = false;
                    }}
                />
            )}
        </div>
    );
}
