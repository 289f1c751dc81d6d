// /prompts: the account's own prompts, newest first, by pages.  Numbers of runs
// and cost are asked for the rows that are seen, a few in a request.

import { signal, useSignal } from "@preact/signals";
import { useCallback, useEffect, useMemo, useRef } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { query } from "../data/client.ts";
import { type ApiError, isAbort, toApiError } from "../data/errors.ts";
import { graphql, type ResultOf } from "../data/graphql.ts";
import { NumbersReader } from "../data/numbers.ts";
import { may } from "../data/project.ts";
import { type Category, categories, categoryText } from "../data/prompt.ts";
import { type Changed, useChanges } from "../data/watch.ts";
import { pathTo } from "../paths.ts";
import { useTitle } from "../title.ts";
import { Button, ButtonLink } from "../ui/button.tsx";
import { SelectField } from "../ui/field.tsx";
import { Icon } from "../ui/icons.tsx";
import { LabelChip, sortLabels } from "../ui/label-chip.tsx";
import { later } from "../ui/later.tsx";
import { PublicBadge } from "../ui/public-badge.tsx";
import { Empty, Money, PageHead, Time } from "../ui/say.tsx";
import { type Column, Table } from "../ui/table.tsx";

const pageSize = 50;

const Templates = later(() => import("../templates.tsx"));

const PromptsPage = graphql(`
    query PromptsPage(
        $first: Int!
        $after: ID
        $category: PromptCategory
        $search: String
    ) {
        prompts(
            first: $first
            after: $after
            category: $category
            search: $search
        ) {
            id
            name
            description
            category
            isPublic
            createdAt
            labels {
                label
                version
            }
            versions(last: 1) {
                version
            }
        }
    }
`);

type Row = ResultOf<typeof PromptsPage>["prompts"][number];

interface Filter {
    search: string;
    category: string;
}

export function Prompts() {
    const location = useLocation();
    const filter: Filter = {
        search: location.query.search ?? "",
        category: location.query.category ?? "",
    };

    useTitle("Prompts");

    function choose(next: Partial<Filter>) {
        // as it is now: the other may have been chosen since this was drawn
        const now = new URLSearchParams(globalThis.location.search);

        location.route(
            pathTo(
                "prompts",
                {},
                {
                    search: now.get("search") ?? "",
                    category: now.get("category") ?? "",
                    ...next,
                },
            ),
            true,
        );
    }

    return (
        <>
            <PageHead
                title="Prompts"
                actions={
                    may("EDITOR") && (
                        <ButtonLink
                            kind="primary"
                            icon="plus"
                            href={pathTo("newPrompt")}
                        >
                            New prompt
                        </ButtonLink>
                    )
                }
            />
            <div class="filters">
                <Search
                    value={filter.search}
                    onValue={(search) => choose({ search })}
                />
                <SelectField
                    label="Category"
                    hideLabel
                    value={filter.category}
                    onValue={(category) => choose({ category })}
                    choices={[
                        { value: "", text: "All categories" },
                        ...categories,
                    ]}
                />
            </div>
            <List
                key={JSON.stringify(filter)}
                filter={filter}
                onClear={() => choose({ search: "", category: "" })}
            />
        </>
    );
}

/** The address follows what is typed, a moment later. */
function Search({
    value,
    onValue,
}: {
    value: string;
    onValue: (value: string) => void;
}) {
    const typed = useSignal(value);
    const told = useRef(value);
    const timer = useRef(0);

    // "back", or the filters were cleared
    if (value !== told.current) {
        told.current = value;
        typed.value = value;
    }

    useEffect(() => () => clearTimeout(timer.current), []);

    function tell() {
        clearTimeout(timer.current);
        told.current = typed.value;
        onValue(typed.value);
    }

    return (
        <div class="search">
            <Icon name="search" />
            <input
                type="search"
                aria-label="Search prompts"
                placeholder="Search name and description"
                autocomplete="off"
                value={typed.value}
                onInput={(event) => {
                    typed.value = event.currentTarget.value;
                    clearTimeout(timer.current);
                    timer.current = window.setTimeout(tell, 200);
                }}
                onKeyDown={(event) => {
                    if (event.key === "Enter") {
                        tell();
                    }
                }}
            />
        </div>
    );
}

/** Pages of prompts, one after the other. */
function usePages({ search, category }: Filter) {
    return useMemo(() => {
        const rows = signal<readonly Row[]>([]);
        const all = signal(false);
        const loading = signal(true);
        const error = signal<ApiError | undefined>(undefined);
        let running: AbortController | undefined;

        async function read(after: string | undefined) {
            running?.abort();

            const mine = new AbortController();

            running = mine;
            loading.value = true;

            try {
                const { prompts } = await query(
                    PromptsPage,
                    {
                        first: pageSize,
                        after: after ?? null,
                        category: (category || null) as Category | null,
                        search: search.trim() || null,
                    },
                    { signal: mine.signal },
                );

                rows.value =
                    after === undefined ? prompts : [...rows.value, ...prompts];
                all.value = prompts.length < pageSize;
                error.value = undefined;
            } catch (thrown) {
                if (!isAbort(thrown)) {
                    error.value = toApiError(thrown);
                }
            } finally {
                if (running === mine) {
                    loading.value = false;
                }
            }
        }

        return {
            rows,
            all,
            loading,
            error,
            more: () => void read(rows.value.at(-1)?.id),
            again: () => void read(undefined),
            stop: () => running?.abort(),
        };
    }, [search, category]);
}

function List({ filter, onClear }: { filter: Filter; onClear: () => void }) {
    const pages = usePages(filter);
    const numbers = useMemo(() => new NumbersReader(), []);
    const { route } = useLocation();

    useEffect(() => {
        pages.again();
        return pages.stop;
    }, [pages]);
    useEffect(() => () => numbers.stop(), [numbers]);
    useChanges(
        useCallback(
            (changed: Changed) => {
                if (changed !== "keys") {
                    pages.again();
                }
            },
            [pages],
        ),
    );

    const rows = pages.rows.value;
    const columns = useMemo(() => columnsOf(numbers), [numbers]);

    if (rows.length === 0 && pages.all.value && !pages.error.value) {
        return filter.search || filter.category ? (
            <Empty
                title="No prompt matches"
                icon="search"
                action={<Button onClick={onClear}>Show all prompts</Button>}
            >
                Look for another part of its name or description, or in all
                categories.
            </Empty>
        ) : (
            <>
                <Empty
                    title="No prompts yet"
                    action={
                        may("EDITOR") && (
                            <ButtonLink
                                kind="primary"
                                icon="plus"
                                href={pathTo("newPrompt")}
                            >
                                Write the first one
                            </ButtonLink>
                        )
                    }
                >
                    A prompt is a text with {"{{placeholders}}"}, kept in
                    versions. Programs run it by its name or label; you see here
                    what it does and costs.
                </Empty>
                {may("EDITOR") && <Templates />}
            </>
        );
    }

    if (rows.length === 0 && pages.loading.value) {
        return (
            <Table
                label="Prompts"
                columns={columns}
                rows={rows}
                rowKey={(row) => row.id}
                loading
            />
        );
    }

    return (
        <Table
            label="Prompts"
            columns={columns}
            rows={rows}
            rowKey={(row) => row.id}
            rowHeight={58}
            onOpen={(row) => route(pathTo("prompt", { id: row.id }))}
            onMore={pages.all.value ? undefined : pages.more}
            loading={pages.loading.value}
            error={pages.error.value}
            onRetry={rows.length === 0 ? pages.again : pages.more}
            onSeen={(seen) => numbers.want(seen.map((row) => row.id))}
        />
    );
}

function columnsOf(numbers: NumbersReader): readonly Column<Row>[] {
    return [
        {
            name: "Name",
            header: true,
            grow: true,
            cell: (row) => (
                <>
                    <a class="row-name" href={pathTo("prompt", { id: row.id })}>
                        {row.name}
                    </a>
                    {row.isPublic && (
                        <>
                            {" "}
                            <PublicBadge />
                        </>
                    )}
                    {row.description && (
                        <span class="row-about">{row.description}</span>
                    )}
                </>
            ),
        },
        {
            name: "Category",
            priority: 3,
            cell: (row) => (
                <span class="muted nowrap">{categoryText(row.category)}</span>
            ),
        },
        {
            name: "Version",
            priority: 1,
            numeric: true,
            cell: (row) =>
                row.versions.at(-1)?.version ?? (
                    <span class="muted" title="It has no version yet">
                        –
                    </span>
                ),
        },
        {
            name: "Labels",
            priority: 2,
            cell: (row) => <Labels labels={row.labels} />,
        },
        {
            name: "Last run",
            priority: 2,
            cell: (row) => <LastRun numbers={numbers} id={row.id} />,
        },
        {
            name: "Cost, 7 days",
            numeric: true,
            cell: (row) => <Cost numbers={numbers} id={row.id} />,
        },
    ];
}

function Labels({ labels }: { labels: Row["labels"] }) {
    const shown = sortLabels(labels).slice(0, 3);

    return (
        <span class="badges">
            {shown.map(({ label, version }) => (
                <LabelChip
                    key={label}
                    label={label}
                    title={`${label} is version ${version}`}
                />
            ))}
            {labels.length > shown.length && (
                <span
                    class="muted small-text"
                    title={labels.map((l) => l.label).join(", ")}
                >
                    +{labels.length - shown.length}
                </span>
            )}
        </span>
    );
}

interface OfRow {
    numbers: NumbersReader;
    id: string;
}

function LastRun({ numbers, id }: OfRow) {
    const known = numbers.of(id).value;

    if (known === undefined) {
        return null;
    }

    return known.lastRun === null ? (
        <span class="muted">never</span>
    ) : (
        <span class="nowrap">
            <Time iso={known.lastRun} />
        </span>
    );
}

function Cost({ numbers, id }: OfRow) {
    const known = numbers.of(id).value;

    return known === undefined ? null : <Money usd={known.costUsd} />;
}
