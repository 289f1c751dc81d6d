// The tab "Executions": what was run, what it took, and what it cost.

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { useLocation } from "preact-iso";
import { query } from "../../data/client.ts";
import { duration } from "../../data/format.ts";
import { graphql, type ResultOf } from "../../data/graphql.ts";
import { may } from "../../data/project.ts";
import type { PromptTabProps } from "../../data/prompt.ts";
import { Charts } from "../../panels/charts.tsx";
import { ExecutionDialog, Status } from "../../panels/execution.tsx";
import css from "../../panels/executions.sheet.css";
import { type Pages, usePages } from "../../panels/pages.ts";
import { isPeriod, type Period } from "../../panels/period.ts";
import { PeriodButtons } from "../../panels/period-buttons.tsx";
import { useSpan, useStatistics } from "../../panels/statistics.ts";
import { tokens, tokensText } from "../../panels/tokens.ts";
import { CostUnknown, Totals } from "../../panels/totals.tsx";
import { pathTo } from "../../paths.ts";
import {
    adoptSheet,
    Button,
    type Column,
    Empty,
    ErrorNote,
    Money,
    SelectField,
    Skeleton,
    Table,
    TextField,
    Time,
} from "../../ui/index.ts";

adoptSheet(css);

const PAGE = 100;

const ExecutionRows = graphql(`
    query ExecutionRows(
        $promptId: ID!
        $version: Int
        $label: String
        $status: [String!]
        $model: String
        $since: DateTime
        $first: Int!
        $after: ID
    ) {
        executions(
            promptId: $promptId
            version: $version
            label: $label
            status: $status
            model: $model
            since: $since
            first: $first
            after: $after
        ) {
            id
            status
            latencyMs
            tokenIn
            tokenCached
            tokenCacheWrite
            tokenOut
            tokenReasoning
            costUsd
            version
            model
            label
            createdAt
        }
    }
`);

type Row = ResultOf<typeof ExecutionRows>["executions"][number];

const STATUSES = ["succeeded", "failed", "running", "cancelled", "lost"];

/** What the address says is to be seen. */
interface Filters {
    period: Period;
    status: string;
    version: string;
    label: string;
    model: string;
}

function filtersOf(query: Record<string, string>): Filters {
    const { period, status, version, label, model } = query;

    return {
        period: isPeriod(period) ? period : "7d",
        status: STATUSES.includes(status ?? "") ? (status ?? "") : "",
        version: /^[1-9]\d{0,8}$/.test(version ?? "") ? (version ?? "") : "",
        label: label ?? "",
        model: model ?? "",
    };
}

export default function ExecutionsTab({ promptId, prompt }: PromptTabProps) {
    const { query: address, route } = useLocation();
    const filters = filtersOf(address);
    const span = useSpan(filters.period);
    const pages = usePages<Row>(
        JSON.stringify([promptId, filters]),
        PAGE,
        async (after, signal) =>
            (
                await query(
                    ExecutionRows,
                    {
                        promptId,
                        version: filters.version
                            ? Number(filters.version)
                            : null,
                        label: filters.label || null,
                        status: filters.status ? [filters.status] : null,
                        model: filters.model || null,
                        since: span.since,
                        first: PAGE,
                        after,
                    },
                    { signal },
                )
            ).executions,
    );

    const addressOf = (change: Record<string, string | undefined>) =>
        pathTo(
            "promptTab",
            { id: promptId, tab: "executions" },
            { ...address, ...change },
        );
    const go = (change: Record<string, string | undefined>) =>
        route(addressOf(change), true);

    return (
        <div class="stack loose">
            <FilterBar
                filters={filters}
                latest={prompt.value.versions.at(-1)?.version ?? 0}
                labels={prompt.value.labels.map((one) => one.label)}
                onChange={(change) => go(change)}
                onReload={pages.reload}
            />
            <Figures
                period={filters.period}
                promptId={promptId}
                model={filters.model}
                partly={Boolean(
                    filters.status || filters.version || filters.label,
                )}
            />
            <Rows
                pages={pages}
                filtered={Boolean(
                    filters.status ||
                        filters.version ||
                        filters.label ||
                        filters.model,
                )}
                linkOf={(row) => addressOf({ execution: row.id })}
                onOpen={(row) => route(addressOf({ execution: row.id }))}
                onClear={() =>
                    go({
                        status: undefined,
                        version: undefined,
                        label: undefined,
                        model: undefined,
                    })
                }
                runLink={pathTo("promptTab", { id: promptId, tab: "run" })}
            />
            {address.execution && (
                <ExecutionDialog
                    key={address.execution}
                    id={address.execution}
                    onClose={() => go({ execution: undefined })}
                />
            )}
        </div>
    );
}

function FilterBar({
    filters,
    latest,
    labels,
    onChange,
    onReload,
}: {
    filters: Filters;
    latest: number;
    labels: string[];
    onChange: (change: Partial<Filters>) => void;
    onReload: () => void;
}) {
    const choices = (all: string, values: readonly string[], now: string) => [
        { value: "", text: all },
        ...(now === "" || values.includes(now) ? values : [now, ...values]).map(
            (value) => ({ value, text: value }),
        ),
    ];

    return (
        <search class="executions-head">
            <PeriodButtons
                period={filters.period}
                onPeriod={(period) => onChange({ period })}
            />
            <div class="executions-filters">
                <SelectField
                    label="Status"
                    choices={choices("Any status", STATUSES, filters.status)}
                    value={filters.status}
                    onValue={(status) => onChange({ status })}
                />
                <SelectField
                    label="Version"
                    choices={choices(
                        "Any version",
                        Array.from({ length: Math.min(latest, 1000) }, (_, i) =>
                            String(latest - i),
                        ),
                        filters.version,
                    )}
                    value={filters.version}
                    onValue={(version) => onChange({ version })}
                />
                <SelectField
                    label="Label"
                    choices={choices(
                        "Any label",
                        [...labels, "latest"],
                        filters.label,
                    )}
                    value={filters.label}
                    onValue={(label) => onChange({ label })}
                />
                <ModelField
                    model={filters.model}
                    onModel={(model) => onChange({ model })}
                />
            </div>
            <Button onClick={onReload}>Refresh</Button>
        </search>
    );
}

/** Asked for when the typing has come to rest. */
function ModelField({
    model,
    onModel,
}: {
    model: string;
    onModel: (model: string) => void;
}) {
    const typed = useSignal(model);
    const timer = useRef<number | undefined>(undefined);

    useEffect(() => {
        typed.value = model;

        return () => clearTimeout(timer.current);
    }, [model, typed]);

    return (
        <TextField
            label="Model"
            placeholder="Any model"
            value={typed.value}
            onValue={(text) => {
                typed.value = text;
                clearTimeout(timer.current);
                timer.current = window.setTimeout(
                    () => onModel(text.trim()),
                    400,
                );
            }}
        />
    );
}

function Figures({
    period,
    promptId,
    model,
    partly,
}: {
    period: Period;
    promptId: string;
    model: string;
    /** filters are set that statistics do not know */
    partly: boolean;
}) {
    const span = useSpan(period);
    const { buckets, total, state } = useStatistics(span, promptId, model);
    const error = state.error.value;

    if (error) {
        return <ErrorNote error={error} onRetry={() => void state.reload()} />;
    }

    if (buckets === undefined) {
        return <Skeleton lines={6} />;
    }

    return (
        <div class="stack">
            <Totals total={total} />
            {total.executions > 0 && (
                <Charts span={span} buckets={buckets} total={total} />
            )}
            {partly && (
                <p class="muted small-text">
                    These numbers are of all versions, labels and statuses; the
                    table below is filtered.
                </p>
            )}
            <CostUnknown total={total} />
        </div>
    );
}

function columnsOf(linkOf: (row: Row) => string): Column<Row>[] {
    return [
        {
            name: "When",
            header: true,
            cell: (row) => (
                <a class="row-name nowrap" href={linkOf(row)}>
                    <Time iso={row.createdAt} />
                </a>
            ),
        },
        { name: "Status", cell: (row) => <Status status={row.status} /> },
        { name: "Version", numeric: true, priority: 1, cell: (r) => r.version },
        { name: "Label", priority: 2, cell: (row) => row.label ?? "–" },
        {
            name: "Model",
            priority: 2,
            grow: true,
            cell: (row) => row.model ?? "–",
        },
        {
            name: "Latency",
            numeric: true,
            priority: 1,
            cell: (row) =>
                row.latencyMs === null ? "–" : duration(row.latencyMs),
        },
        {
            name: "Tokens",
            numeric: true,
            priority: 3,
            cell: (row) => (
                <span title={tokensText(row)}>
                    {row.tokenIn === null && row.tokenOut === null
                        ? "–"
                        : `${tokens(row.tokenIn)} / ${tokens(row.tokenOut)}`}
                </span>
            ),
        },
        {
            name: "Cost",
            numeric: true,
            cell: (row) => <Money usd={row.costUsd} />,
        },
    ];
}

function Rows({
    pages,
    filtered,
    linkOf,
    onOpen,
    onClear,
    runLink,
}: {
    pages: Pages<Row>;
    filtered: boolean;
    linkOf: (row: Row) => string;
    onOpen: (row: Row) => void;
    onClear: () => void;
    runLink: string;
}) {
    if (pages.rows.length === 0 && !pages.loading && !pages.error) {
        return filtered ? (
            <Empty
                title="Nothing fits these filters"
                icon="search"
                action={<Button onClick={onClear}>Clear the filters</Button>}
            >
                Choose a longer period, or fewer filters.
            </Empty>
        ) : (
            <Empty
                title="It was not run in this period"
                icon="play"
                action={
                    may("EDITOR") && (
                        <a class="button primary" href={runLink}>
                            <span>Run it</span>
                        </a>
                    )
                }
            >
                Each run appears here with what it took and what it cost.
            </Empty>
        );
    }

    return (
        <Table
            label="Executions"
            columns={columnsOf(linkOf)}
            rows={pages.rows}
            rowKey={(row) => row.id}
            onOpen={onOpen}
            onMore={pages.more}
            loading={pages.loading}
            error={pages.error}
            onRetry={pages.retry}
        />
    );
}
