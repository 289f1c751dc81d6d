// /datasets: inputs to run versions of prompts on.

import { useSignal } from "@preact/signals";
import { useLocation } from "preact-iso/router";
import { mutate, query } from "../data/client.ts";
import { number } from "../data/format.ts";
import { graphql, type ResultOf } from "../data/graphql.ts";
import { may } from "../data/project.ts";
import { NameDialog } from "../datasets/name-dialog.tsx";
import { CreateDataset } from "../datasets/queries.ts";
import { usePages } from "../panels/pages.ts";
import { pathTo } from "../paths.ts";
import { useTitle } from "../title.ts";
import {
    Button,
    type Column,
    Empty,
    PageHead,
    Table,
    Time,
} from "../ui/index.ts";

const PAGE = 100;

const DatasetRows = graphql(`
    query DatasetRows($first: Int!, $after: ID) {
        datasets(first: $first, after: $after) {
            id
            name
            description
            itemCount
            createdAt
            runs(first: 1) {
                createdAt
            }
        }
    }
`);

type Row = ResultOf<typeof DatasetRows>["datasets"][number];

const columns: readonly Column<Row>[] = [
    {
        name: "Name",
        header: true,
        grow: true,
        cell: (row) => (
            <>
                <a class="row-name" href={pathTo("dataset", { id: row.id })}>
                    {row.name}
                </a>
                {row.description && (
                    <span class="row-about">{row.description}</span>
                )}
            </>
        ),
    },
    { name: "Items", numeric: true, cell: (row) => number(row.itemCount) },
    {
        name: "Last run",
        priority: 1,
        cell: ({ runs: [last] }) =>
            last ? (
                <span class="nowrap">
                    <Time iso={last.createdAt} />
                </span>
            ) : (
                <span class="muted">never</span>
            ),
    },
    {
        name: "Created",
        priority: 1,
        cell: (row) => (
            <span class="nowrap">
                <Time iso={row.createdAt} />
            </span>
        ),
    },
];

export default function Datasets() {
    const { route } = useLocation();
    const adding = useSignal(false);
    const pages = usePages<Row>(
        "datasets",
        PAGE,
        async (after, signal) =>
            (await query(DatasetRows, { first: PAGE, after }, { signal }))
                .datasets,
    );
    const add = may("EDITOR") && (
        <Button
            kind="primary"
            icon="plus"
            onClick={() => {
                adding.value = true;
            }}
        >
            New dataset
        </Button>
    );
    const none =
        pages.rows.length === 0 && !pages.loading && pages.error === undefined;

    useTitle("Datasets");

    return (
        <>
            <PageHead title="Datasets" actions={!none && add} />
            {none ? (
                <Empty title="No datasets yet" icon="chart" action={add}>
                    A dataset has inputs, and what is expected of the outputs.
                    Versions of a prompt are run on it and compared. Items can
                    be added from executions, too.
                </Empty>
            ) : (
                <Table
                    label="Datasets"
                    columns={columns}
                    rows={pages.rows}
                    rowKey={(row) => row.id}
                    onOpen={(row) => route(pathTo("dataset", { id: row.id }))}
                    onMore={pages.more}
                    loading={pages.loading}
                    error={pages.error}
                    onRetry={pages.retry}
                />
            )}
            {adding.value && (
                <NameDialog
                    title="New dataset"
                    action="Create dataset"
                    onClose={() => {
                        adding.value = false;
                    }}
                    onSave={async ({ name, description }, key) => {
                        const { createDataset } = await mutate(
                            CreateDataset,
                            { name, description: description || null },
                            { key },
                        );

                        adding.value = false;

                        if (createDataset) {
                            route(pathTo("dataset", { id: createDataset.id }));
                        }
                    }}
                />
            )}
        </>
    );
}
