// /executions: the project's log.

import { useSignal } from "@preact/signals";
import { useLocation } from "preact-iso/router";
import { graphql } from "../data/graphql.ts";
import { useQuery } from "../data/query.ts";
import {
    type Address,
    argumentsOf,
    choicesOf,
    type Filters,
    filtersOf,
    isFiltered,
    NO_FILTERS,
    plainChoices,
    STATUSES,
    versionOrLabel,
} from "../executions/filters.ts";
import { LateField } from "../executions/late-field.tsx";
import { useLog } from "../executions/log.ts";
import { usePromptChoices } from "../executions/prompts.ts";
import { Rows } from "../executions/rows.tsx";
import { Summary } from "../executions/summary.tsx";
import css from "../panels/executions.sheet.css";
import { PeriodButtons } from "../panels/period-buttons.tsx";
import { useSpan } from "../panels/span.ts";
import { pathTo } from "../paths.ts";
import { useTitle } from "../title.ts";
import {
    adoptSheet,
    Button,
    ButtonLink,
    PageHead,
    SelectField,
} from "../ui/index.ts";

adoptSheet(css);

export default function Executions() {
    const { query: address, route } = useLocation();
    const filters = filtersOf(address);
    const span = useSpan(filters.period);
    const pages = useLog(filters, span.since);
    const times = useSignal(0);
    const go = (change: Address) =>
        route(pathTo("executions", {}, { ...address, ...change }), true);
    const linkOf = ({ id }: { id: string }) =>
        pathTo("execution", { id }, address);

    useTitle("Executions");

    return (
        <>
            <PageHead
                title="Executions"
                actions={
                    <PeriodButtons
                        period={filters.period}
                        onPeriod={(period) => go({ period })}
                    />
                }
            />
            <div class="stack">
                <FilterBar
                    filters={filters}
                    since={span.since}
                    onChange={go}
                    onReload={() => {
                        times.value++;
                        void pages.reload();
                    }}
                />
                <Summary
                    filters={filters}
                    since={span.since}
                    times={times.value}
                />
                <Rows
                    pages={pages}
                    withPrompt
                    filtered={isFiltered(filters) || filters.prompt !== ""}
                    linkOf={linkOf}
                    onOpen={(row) => route(linkOf(row))}
                    onClear={() => go({ ...NO_FILTERS, prompt: undefined })}
                    action={
                        <ButtonLink href={pathTo("prompts")}>
                            All prompts
                        </ButtonLink>
                    }
                />
            </div>
        </>
    );
}

const ModelsThatRan = graphql(`
    query ModelsThatRan($promptId: ID, $since: DateTime!) {
        statistics(
            promptId: $promptId
            since: $since
            by: ALL
            groupBy: MODEL
        ) {
            group
        }
    }
`);

function FilterBar({
    filters,
    since,
    onChange,
    onReload,
}: {
    filters: Filters;
    since: string;
    onChange: (change: Address) => void;
    onReload: () => void;
}) {
    const prompts = usePromptChoices();
    const { promptId } = argumentsOf(filters, since);
    const ran = useQuery(ModelsThatRan, { promptId, since });
    const models = (ran.data.value?.statistics ?? []).flatMap(({ group }) =>
        group === null ? [] : [group],
    );

    return (
        <search class="executions-head">
            <div class="executions-filters">
                <SelectField
                    label="Prompt"
                    choices={choicesOf("Any prompt", prompts, filters.prompt)}
                    value={filters.prompt}
                    onValue={(prompt) => onChange({ prompt })}
                />
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
                <LateField
                    label="Version or label"
                    placeholder="Any"
                    value={filters.version || filters.label}
                    error={
                        filters.version && !filters.prompt
                            ? "Choose the prompt whose version that is."
                            : undefined
                    }
                    onValue={(text) => onChange(versionOrLabel(text))}
                />
                <SelectField
                    label="Model"
                    choices={choicesOf(
                        "Any model",
                        plainChoices(models),
                        filters.model,
                    )}
                    value={filters.model}
                    onValue={(model) => onChange({ model })}
                />
                <LateField
                    label="Subject"
                    placeholder="Any subject"
                    value={filters.subject}
                    onValue={(subject) => onChange({ subject })}
                />
            </div>
            <Button onClick={onReload}>Refresh</Button>
        </search>
    );
}
