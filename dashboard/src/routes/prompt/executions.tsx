// The tab "Executions": what was run, what it took, and what it cost.

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { may } from "../../data/project.ts";
import type { PromptTabProps } from "../../data/prompt.ts";
import {
    type Address,
    choicesOf,
    type Filters,
    filtersOf,
    isFiltered,
    NO_FILTERS,
    plainChoices,
    STATUSES,
} from "../../executions/filters.ts";
import { LateField } from "../../executions/late-field.tsx";
import { useLog } from "../../executions/log.ts";
import { Rows } from "../../executions/rows.tsx";
import { Summary } from "../../executions/summary.tsx";
import { Charts } from "../../panels/charts.tsx";
import css from "../../panels/executions.sheet.css";
import { PeriodButtons } from "../../panels/period-buttons.tsx";
import { useSpan } from "../../panels/span.ts";
import { useStatistics } from "../../panels/statistics.ts";
import { pathTo } from "../../paths.ts";
import {
    adoptSheet,
    Button,
    ButtonLink,
    ErrorNote,
    SelectField,
    Skeleton,
} from "../../ui/index.ts";

adoptSheet(css);

export default function ExecutionsTab({ promptId, prompt }: PromptTabProps) {
    const { query: address, route } = useLocation();
    const filters = { ...filtersOf(address), prompt: promptId };
    const span = useSpan(filters.period);
    const pages = useLog(filters, span.since);
    const times = useSignal(0);
    const paused = useSignal(false);
    const charts = useRef<HTMLDivElement>(null);
    const go = (change: Address) =>
        route(
            pathTo(
                "promptTab",
                { id: promptId, tab: "executions" },
                { ...address, ...change },
            ),
            true,
        );
    const linkOf = ({ id }: { id: string }) =>
        pathTo("execution", { id }, { ...address, prompt: promptId });
    const { execution, ...rest } = address;

    // where one was shown before it had a page of its own
    useEffect(() => {
        if (execution) {
            route(
                pathTo(
                    "execution",
                    { id: execution },
                    { ...rest, prompt: promptId },
                ),
                true,
            );
        }
    }, [execution]);

    // the table is as long as it is read: the charts wait at its end
    function showCharts() {
        paused.value = true;
        requestAnimationFrame(() => {
            charts.current?.scrollIntoView();
            charts.current?.focus({ preventScroll: true });
        });
    }

    return (
        <div class="stack loose">
            <div class="stack">
                <FilterBar
                    filters={filters}
                    latest={prompt.value.versions.at(-1)?.version ?? 0}
                    labels={prompt.value.labels.map((one) => one.label)}
                    onChange={go}
                    onReload={() => {
                        times.value++;
                        void pages.reload();
                    }}
                    onCharts={showCharts}
                />
                <Summary
                    filters={filters}
                    since={span.since}
                    times={times.value}
                />
                <Rows
                    pages={pages}
                    paused={paused.value}
                    filtered={isFiltered(filters)}
                    linkOf={linkOf}
                    onOpen={(row) => route(linkOf(row))}
                    onClear={() => go(NO_FILTERS)}
                    action={
                        may("EDITOR") && (
                            <ButtonLink
                                kind="primary"
                                href={pathTo("promptTab", {
                                    id: promptId,
                                    tab: "run",
                                })}
                            >
                                Run it
                            </ButtonLink>
                        )
                    }
                />
            </div>
            <div ref={charts} tabIndex={-1} class="charts-place">
                <Figures filters={filters} times={times.value} />
            </div>
        </div>
    );
}

function FilterBar({
    filters,
    latest,
    labels,
    onChange,
    onReload,
    onCharts,
}: {
    filters: Filters;
    latest: number;
    labels: string[];
    onChange: (change: Address) => void;
    onReload: () => void;
    onCharts: () => void;
}) {
    return (
        <search class="executions-head">
            <PeriodButtons
                period={filters.period}
                onPeriod={(period) => onChange({ period })}
            />
            <div class="executions-filters">
                <SelectField
                    label="Status"
                    choices={choicesOf(
                        "Any status",
                        plainChoices(STATUSES),
                        filters.status,
                    )}
                    value={filters.status}
                    onValue={(status) => onChange({ status })}
                />
                <SelectField
                    label="Version"
                    choices={choicesOf(
                        "Any version",
                        [
                            ...Array.from(
                                { length: Math.min(latest, 1000) },
                                (_, i) => ({
                                    value: String(latest - i),
                                    text: String(latest - i),
                                }),
                            ),
                            { value: "0", text: "Drafts" },
                        ],
                        filters.version,
                    )}
                    value={filters.version}
                    onValue={(version) => onChange({ version })}
                />
                <SelectField
                    label="Label"
                    choices={choicesOf(
                        "Any label",
                        plainChoices([...labels, "latest"]),
                        filters.label,
                    )}
                    value={filters.label}
                    onValue={(label) => onChange({ label })}
                />
                <LateField
                    label="Model"
                    placeholder="Any model"
                    value={filters.model}
                    onValue={(model) => onChange({ model })}
                />
            </div>
            <div class="row">
                <Button icon="chart" onClick={onCharts}>
                    Charts
                </Button>
                <Button onClick={onReload}>Refresh</Button>
            </div>
        </search>
    );
}

/** Statistics by the hour or day know the model alone. */
function Figures({ filters, times }: { filters: Filters; times: number }) {
    const { period, prompt, model } = filters;
    const span = useSpan(period);
    const { buckets, total, state } = useStatistics(span, prompt, model);
    const error = state.error.value;

    useEffect(() => {
        if (times > 0) {
            void state.reload();
        }
    }, [times]);

    if (error) {
        return <ErrorNote error={error} onRetry={() => void state.reload()} />;
    }

    if (buckets === undefined) {
        return <Skeleton lines={6} />;
    }

    return (
        <div class="stack">
            {total.executions > 0 && (
                <Charts span={span} buckets={buckets} total={total} />
            )}
            {isFiltered({ ...filters, model: "" }) && (
                <p class="muted small-text">
                    These charts are of all versions, labels and statuses.
                </p>
            )}
        </div>
    );
}
