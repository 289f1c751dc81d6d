// /overview: what all prompts took and cost, against the period before, and
// split; the most expensive of them and those with the most failures.

import { useLocation } from "preact-iso/router";
import { number } from "../data/format.ts";
import { usePromptChoices } from "../executions/prompts.ts";
import { Charts } from "../panels/charts.tsx";
import { usePromptNames } from "../panels/names.ts";
import { isPeriod } from "../panels/period.ts";
import { PeriodButtons } from "../panels/period-buttons.tsx";
import {
    type Counted,
    mostExpensive,
    mostFailures,
    type Ranking,
} from "../panels/rank.ts";
import { useCounted } from "../panels/ranked.ts";
import { useSpan } from "../panels/span.ts";
import { type By, type Split, useSplit } from "../panels/split.ts";
import { SplitView } from "../panels/split-view.tsx";
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
    SelectField,
    Skeleton,
    Table,
} from "../ui/index.ts";
import { Radios } from "../ui/radios.tsx";

const SPLITS: readonly { value: string; text: string; by?: By }[] = [
    { value: "", text: "None" },
    { value: "prompt", text: "Prompt", by: "PROMPT" },
    { value: "model", text: "Model", by: "MODEL" },
    { value: "version", text: "Version", by: "VERSION" },
    { value: "label", text: "Label", by: "LABEL" },
    { value: "key", text: "Key", by: "KEY" },
];

export default function Overview() {
    const { query, route } = useLocation();
    const period = isPeriod(query.period) ? query.period : "7d";
    const chosen = SPLITS.find(({ value }) => value === query.split);
    const by = chosen?.by;
    const promptId = by === "VERSION" ? (query.prompt ?? null) : null;
    const span = useSpan(period);
    const { buckets, total, before, state } = useStatistics(span);
    const byPrompt = useSplit(span, "PROMPT", null);
    const split = useSplit(
        span,
        by === "PROMPT" || (by === "VERSION" && !promptId) ? undefined : by,
        promptId,
    );
    const error = state.error.value;
    const go = (change: Record<string, string | undefined>) =>
        route(pathTo("overview", {}, { ...query, ...change }), true);

    useTitle("Overview");

    return (
        <>
            <PageHead
                title="Overview"
                actions={
                    <PeriodButtons
                        period={period}
                        onPeriod={(next) => go({ period: next })}
                    />
                }
            />
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
                        <Totals total={total} before={before} />
                        <CostUnknown total={total} />
                    </div>
                    <Radios
                        label="Split by"
                        choices={SPLITS}
                        value={chosen?.value ?? ""}
                        onValue={(value) => go({ split: value })}
                    />
                    {by === "VERSION" && (
                        <PromptChoice
                            value={promptId ?? ""}
                            onValue={(prompt) => go({ prompt })}
                        />
                    )}
                    {by === undefined ? (
                        <Charts span={span} buckets={buckets} total={total} />
                    ) : (
                        (by !== "VERSION" || promptId) && (
                            <SplitView
                                key={by}
                                {...{ span, by, promptId }}
                                title={chosen?.text ?? ""}
                                split={by === "PROMPT" ? byPrompt : split}
                            />
                        )
                    )}
                    <Rankings
                        split={byPrompt}
                        total={total}
                        period={period}
                        span={span}
                    />
                </div>
            )}
        </>
    );
}

/** Versions are those of one prompt. */
function PromptChoice({
    value,
    onValue,
}: {
    value: string;
    onValue: (value: string) => void;
}) {
    const prompts = usePromptChoices();

    return (
        <div class="narrow-field">
            <SelectField
                label="Prompt"
                value={value}
                onValue={onValue}
                choices={[{ value: "", text: "Choose a prompt" }, ...prompts]}
            />
        </div>
    );
}

interface RankingsProps {
    split: Split;
    total: Total;
    period: string;
    span: ReturnType<typeof useSpan>;
}

function Rankings(props: RankingsProps) {
    const { groups, error } = props.split;

    // more prompts than statistics tell apart
    if (error?.code === "BAD_USER_INPUT") {
        return <Sampled {...props} />;
    }

    if (error) {
        return <ErrorNote error={error} onRetry={props.split.reload} />;
    }

    const counted = groups?.flatMap(({ group, total }) =>
        group === null ? [] : [{ id: group, name: "", ...total }],
    );

    return <Lists {...props} counted={counted} />;
}

function Sampled(props: RankingsProps) {
    const { counted, error, reload } = useCounted(props.span);

    return error ? (
        <ErrorNote error={error} onRetry={reload} />
    ) : (
        <Lists {...props} counted={counted} />
    );
}

function Lists({
    counted,
    total,
    period,
}: RankingsProps & { counted: readonly Counted[] | undefined }) {
    const expensive = counted && mostExpensive(counted, total);
    const bad = counted && mostFailures(counted, total);

    return (
        <div class="charts">
            <Five
                title="Most expensive"
                ranking={expensive}
                period={period}
                of={counted?.length ?? 0}
                nothing="None of them cost anything in this period."
                column="Cost"
                cell={(one) => <Money usd={one.costUsd} />}
                rest={expensive && <Money usd={expensive.rest} />}
            />
            <Five
                title="Most failures"
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
    const unnamed = (ranking?.top ?? []).filter(({ name }) => name === "");
    const names = usePromptNames(unnamed.map(({ id }) => id));

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
                                    {one.name || (names.get(one.id) ?? "…")}
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
