// The tables "Summary" and "Results" of a run.

import { duration, number } from "../data/format.ts";
import { Status } from "../panels/status.tsx";
import { pathTo } from "../paths.ts";
import { type Column, Money, Table } from "../ui/index.ts";
import type { Cell, RunData } from "./queries.ts";
import { type ItemRow, rowsOf } from "./watching.ts";

type Arm = RunData["arms"][number];

const SHOWN = 400;

function mean(value: number): string {
    return String(Number(value.toFixed(3)));
}

/** A row for each version, a column for each score. */
export function Summary({ run }: { run: RunData }) {
    const names = [
        ...new Set(
            run.arms.flatMap(({ scores }) => scores.map(({ name }) => name)),
        ),
    ].sort();
    const columns: Column<Arm>[] = [
        {
            name: "Version",
            header: true,
            grow: true,
            cell: (arm) => (
                <>
                    Version {arm.version}{" "}
                    <span class="muted small-text">{arm.model}</span>
                </>
            ),
        },
        { name: "Done", numeric: true, cell: (arm) => number(arm.done) },
        { name: "Failed", numeric: true, cell: (arm) => number(arm.failed) },
        {
            name: "Cost",
            numeric: true,
            priority: 1,
            cell: (arm) => <Money usd={arm.costUsd} />,
        },
        {
            name: "Latency",
            numeric: true,
            priority: 1,
            cell: (arm) =>
                arm.latencyP50Ms === null ? "–" : duration(arm.latencyP50Ms),
        },
        ...names.map(
            (name): Column<Arm> => ({
                name,
                numeric: true,
                cell: ({ scores }) => {
                    const score = scores.find((one) => one.name === name);

                    return score ? (
                        <span
                            title={`${number(score.count)} scores, ${mean(score.min)} to ${mean(score.max)}`}
                        >
                            {mean(score.mean)}
                        </span>
                    ) : (
                        "–"
                    );
                },
            }),
        ),
    ];

    return (
        <Table
            label="Summary"
            columns={columns}
            rows={run.arms}
            rowKey={(arm) => String(arm.version)}
        />
    );
}

export interface Choice {
    chosen: ReadonlySet<string>;
    onChoose: (id: string, on: boolean) => void;
}

function cut(text: string): string {
    return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
}

function Result({ cell, chosen, onChoose }: { cell: Cell } & Choice) {
    const { execution, error, scores } = cell;

    if (execution === null) {
        return error === null ? (
            <p class="run-cell muted">–</p>
        ) : (
            <p class="run-cell">
                <span>
                    <Status status="refused" /> {cut(error)}
                </span>
            </p>
        );
    }

    const failed =
        execution.status !== "succeeded" && execution.status !== "running";

    return (
        <div class="run-cell">
            {failed ? (
                <p>
                    <Status status={execution.status} />{" "}
                    {execution.error && cut(execution.error)}
                </p>
            ) : (
                <p class="run-output-text">{cut(execution.output ?? "")}</p>
            )}
            <p class="row small-text muted">
                <a href={pathTo("execution", { id: execution.id })}>
                    execution
                </a>
                <Money usd={execution.costUsd} />
                {execution.latencyMs !== null && duration(execution.latencyMs)}
                {scores.map(({ name, value }) => (
                    <span key={name}>
                        {name} {mean(value)}
                    </span>
                ))}
                <label class="run-compare">
                    <input
                        type="checkbox"
                        checked={chosen.has(cell.id)}
                        onChange={(event) =>
                            onChoose(cell.id, event.currentTarget.checked)
                        }
                    />
                    Compare
                </label>
            </p>
        </div>
    );
}

/** A row for each item, a column for each version. */
export function Results({
    run,
    cells,
    onMore,
    loading,
    ...choice
}: {
    run: RunData;
    cells: ReadonlyMap<string, Cell>;
    onMore: (() => void) | undefined;
    loading: boolean;
} & Choice) {
    const columns: Column<ItemRow>[] = [
        {
            name: "Item",
            header: true,
            cell: ({ item }) =>
                item === null ? (
                    <span class="muted">removed</span>
                ) : (
                    <>
                        <code class="item-json">{cut(item.input.text)}</code>
                        {item.expected && (
                            <span class="row-about">
                                expected {cut(item.expected.text)}
                            </span>
                        )}
                    </>
                ),
        },
        ...run.arms.map(
            ({ version }): Column<ItemRow> => ({
                name: `Version ${version}`,
                cell: (row) =>
                    (row.cells.get(version) ?? []).map((cell) => (
                        <Result key={cell.id} cell={cell} {...choice} />
                    )),
            }),
        ),
    ];

    return (
        <Table
            label="Results"
            columns={columns}
            rows={rowsOf(cells.values())}
            rowKey={(row) => row.id}
            rowHeight={90}
            wide
            onMore={onMore}
            loading={loading}
        />
    );
}
