// The table of executions.

import { duration } from "../data/format.ts";
import type { Pages } from "../panels/pages.ts";
import { Status } from "../panels/status.tsx";
import { tokens, tokensText } from "../panels/tokens.ts";
import { pathTo } from "../paths.ts";
import { Button, type Column, Empty, Money, Table, Time } from "../ui/index.ts";
import { LabelChip } from "../ui/label-chip.tsx";
import type { Row } from "./log.ts";

export function versionName({
    version,
    draft,
}: {
    version: number;
    draft: boolean;
}): string {
    return draft ? "draft" : String(version);
}

/** withPrompt: of the whole project's log. */
function columnsOf(
    linkOf: (row: Row) => string,
    withPrompt: boolean,
): Column<Row>[] {
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
        ...(withPrompt
            ? [
                  {
                      name: "Prompt",
                      grow: true,
                      cell: ({ prompt }: Row) =>
                          prompt ? (
                              <a
                                  class="row-prompt"
                                  href={pathTo("prompt", { id: prompt.id })}
                              >
                                  {prompt.name}
                              </a>
                          ) : (
                              <span
                                  class="muted"
                                  title="It was deleted, or made private"
                              >
                                  –
                              </span>
                          ),
                  },
              ]
            : []),
        { name: "Status", cell: (row) => <Status status={row.status} /> },
        {
            name: "Version",
            numeric: true,
            priority: 1,
            cell: versionName,
        },
        {
            name: "Label",
            priority: 2,
            cell: (row) => (row.label ? <LabelChip label={row.label} /> : "–"),
        },
        {
            name: "Model",
            priority: 2,
            grow: !withPrompt,
            cell: (row) =>
                row.model === null ? (
                    "–"
                ) : (
                    <span class="cut" title={row.model}>
                        {row.model}
                    </span>
                ),
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
            priority: withPrompt ? 1 : 0,
            cell: (row) => <Money usd={row.costUsd} />,
        },
    ];
}

export function Rows({
    pages,
    filtered,
    paused,
    withPrompt = false,
    linkOf,
    onOpen,
    onClear,
    action,
}: {
    pages: Pages<Row>;
    filtered: boolean;
    /** further pages come by a button, not by scrolling */
    paused?: boolean;
    withPrompt?: boolean;
    linkOf: (row: Row) => string;
    onOpen: (row: Row) => void;
    onClear: () => void;
    /** what to do where there are none */
    action: preact.ComponentChildren;
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
                title={
                    withPrompt
                        ? "Nothing was run in this period"
                        : "It was not run in this period"
                }
                icon="play"
                action={action}
            >
                Each run appears here with what it took and what it cost.
            </Empty>
        );
    }

    return (
        <>
            <Table
                label="Executions"
                columns={columnsOf(linkOf, withPrompt)}
                rows={pages.rows}
                rowKey={(row) => row.id}
                onOpen={onOpen}
                onMore={paused ? undefined : pages.more}
                loading={pages.loading}
                error={pages.error}
                onRetry={pages.retry}
            />
            {paused && pages.more && !pages.loading && (
                <p class="row">
                    <Button onClick={pages.more}>Show more executions</Button>
                </p>
            )}
        </>
    );
}
