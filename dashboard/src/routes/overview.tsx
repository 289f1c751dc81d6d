// What all prompts took and cost, the dearest of them and those that fail most.

import { useLocation } from "preact-iso";
import { number } from "../data/format.ts";
import { Charts } from "../panels/charts.tsx";
import { isPeriod } from "../panels/period.ts";
import { PeriodButtons } from "../panels/period-buttons.tsx";
import {
    type Counted,
    dearest,
    failing,
    type Ranking,
} from "../panels/rank.ts";
import { type Ranked, useCounted } from "../panels/ranked.ts";
import { useSpan } from "../panels/span.ts";
import { useStatistics } from "../panels/statistics.ts";
import type { Total } from "../panels/total.ts";
import { CostUnknown, Totals } from "../panels/totals.tsx";
import { pathTo } from "../paths.ts";
import { useTitle } from "../title.ts";
import {
    ButtonLink,
    Empty,
    ErrorNote,
    Money,
    PageHead,
    Skeleton,
    Table,
} from "../ui/index.ts";

export default function Overview() {
    const { query, route } = useLocation();
    const period = isPeriod(query.period) ? query.period : "7d";
    const span = useSpan(period);
    const { buckets, total, state } = useStatistics(span);
    const ranked = useCounted(span);
    const error = state.error.value;

    useTitle("Overview");

    return (
        <>
            <PageHead
                title="Overview"
                actions={
                    <PeriodButtons
                        period={period}
                        onPeriod={(next) =>
                            route(
                                pathTo("overview", {}, { period: next }),
                                true,
                            )
                        }
                    />
                }
            >
                All your prompts, and what you ran of others.
            </PageHead>
            {error ? (
                <ErrorNote error={error} onRetry={() => void state.reload()} />
            ) : buckets === undefined ? (
                <Skeleton lines={8} />
            ) : total.executions === 0 ? (
                <Empty
                    title="Nothing was run in this period"
                    icon="chart"
                    action={
                        <ButtonLink href={pathTo("prompts")}>
                            All prompts
                        </ButtonLink>
                    }
                >
                    Choose a longer period, or run a prompt: what it took and
                    cost appears here.
                </Empty>
            ) : (
                <div class="stack loose">
                    <div class="stack">
                        <Totals total={total} />
                        <CostUnknown total={total} />
                    </div>
                    <Charts span={span} buckets={buckets} total={total} />
                    <Rankings ranked={ranked} total={total} period={period} />
                </div>
            )}
        </>
    );
}

function Rankings({
    ranked: { counted, error, reload },
    total,
    period,
}: {
    ranked: Ranked;
    total: Total;
    period: string;
}) {
    if (error) {
        return <ErrorNote error={error} onRetry={reload} />;
    }

    const dear = counted && dearest(counted, total);
    const bad = counted && failing(counted, total);

    return (
        <div class="charts">
            <Five
                title="Dearest prompts"
                ranking={dear}
                period={period}
                of={counted?.length ?? 0}
                nothing="None of them cost anything in this period."
                column="Cost"
                cell={(one) => <Money usd={one.costUsd} />}
                rest={dear && <Money usd={dear.rest} />}
            />
            <Five
                title="Prompts that fail most"
                ranking={bad}
                period={period}
                of={counted?.length ?? 0}
                nothing="None failed in this period."
                column="Failed"
                cell={(one) =>
                    `${number(one.failed)} of ${number(one.executions)}`
                }
                rest={bad && `${number(Number(bad.rest))} failures`}
            />
        </div>
    );
}

function Five({
    title,
    ranking,
    period,
    of,
    nothing,
    column,
    cell,
    rest,
}: {
    title: string;
    ranking: Ranking | undefined;
    period: string;
    /** how many prompts were looked at */
    of: number;
    nothing: string;
    column: string;
    cell: (one: Counted) => preact.ComponentChildren;
    rest: preact.ComponentChildren;
}) {
    return (
        <section class="stack tight" aria-label={title}>
            <h2>{title}</h2>
            {ranking === undefined ? (
                <Skeleton lines={5} />
            ) : ranking.top.length === 0 ? (
                <p class="muted">{nothing}</p>
            ) : (
                <Table
                    label={title}
                    rows={ranking.top}
                    rowKey={(one) => one.id}
                    columns={[
                        {
                            name: "Prompt",
                            header: true,
                            grow: true,
                            cell: (one) => (
                                <a
                                    class="row-name"
                                    href={pathTo(
                                        "promptTab",
                                        { id: one.id, tab: "executions" },
                                        { period },
                                    )}
                                >
                                    {one.name}
                                </a>
                            ),
                        },
                        { name: column, numeric: true, cell },
                    ]}
                />
            )}
            {ranking && !ranking.exact && (
                <p class="muted small-text">
                    Of the {number(of)} prompts that stood out; all others
                    together: {rest}.
                </p>
            )}
        </section>
    );
}
