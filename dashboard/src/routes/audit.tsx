// /settings/audit: who changed what in the project, newest first.

import { useLocation } from "preact-iso/router";
import { query } from "../data/client.ts";
import { graphql } from "../data/graphql.ts";
import { may } from "../data/project.ts";
import { useQuery } from "../data/query.ts";
import { usePages } from "../panels/pages.ts";
import { isPeriod, type Period } from "../panels/period.ts";
import { PeriodButtons } from "../panels/period-buttons.tsx";
import { useSpan } from "../panels/span.ts";
import { pathTo } from "../paths.ts";
import { actions, actionText, isAction } from "../project/actions.ts";
import css from "../project/audit.sheet.css";
import { AuditDialog } from "../project/audit-dialog.tsx";
import { AuditLog, type AuditRow, onWhat } from "../project/audit-log.ts";
import { refusalOf } from "../project/changes.ts";
import { useTitle } from "../title.ts";
import {
    adoptSheet,
    Badge,
    Button,
    type Column,
    Empty,
    Note,
    PageHead,
    SelectField,
    Table,
    Time,
} from "../ui/index.ts";

adoptSheet(css);

const PAGE = 100;

const AuditPeople = graphql(`
    query AuditPeople {
        project {
            members(first: 1000) {
                user {
                    id
                    email
                }
            }
        }
    }
`);

interface Filters {
    period: Period;
    who: string;
    action: string;
}

function filtersOf(address: Record<string, string>): Filters {
    const { period, who, action } = address;

    return {
        period: isPeriod(period) ? period : "7d",
        who: /^[0-9a-f-]{36}$/.test(who ?? "") ? (who ?? "") : "",
        action: isAction(action ?? "") ? (action ?? "") : "",
    };
}

export default function Audit() {
    useTitle("Audit");

    return (
        <>
            <PageHead title="Audit">
                Each change in this project, who made it, and from where.
            </PageHead>
            {may("ADMIN") ? (
                <Log />
            ) : (
                <Note>
                    Reading it needs the role ADMIN: ask an admin or owner of
                    this project.
                </Note>
            )}
        </>
    );
}

function Log() {
    const { query: address, route } = useLocation();
    const filters = filtersOf(address);
    const span = useSpan(filters.period);
    const people = useQuery(AuditPeople, {});
    const pages = usePages<AuditRow>(
        JSON.stringify(filters),
        PAGE,
        async (after, signal) =>
            (
                await query(
                    AuditLog,
                    {
                        since: span.since,
                        actorId: filters.who || null,
                        action: filters.action || null,
                        first: PAGE,
                        after,
                    },
                    { signal },
                )
            ).auditLog,
    );
    const addressOf = (change: Record<string, string | undefined>) =>
        pathTo("audit", {}, { ...address, ...change });
    const go = (change: Record<string, string | undefined>) =>
        route(addressOf(change), true);
    const opened = pages.rows.find((row) => row.id === address.entry);
    const members = people.data.value?.project.members ?? [];
    const filtered = filters.who !== "" || filters.action !== "";

    return (
        <>
            <search class="audit-head">
                <PeriodButtons
                    period={filters.period}
                    onPeriod={(period) => go({ period })}
                />
                <SelectField
                    label="Who"
                    value={filters.who}
                    choices={peopleOf(members, pages.rows, filters.who)}
                    onValue={(who) => go({ who })}
                />
                <SelectField
                    label="Action"
                    value={filters.action}
                    choices={[
                        { value: "", text: "Any action" },
                        ...actions(filters.action),
                    ]}
                    onValue={(action) => go({ action })}
                />
                <Button onClick={pages.reload}>Refresh</Button>
            </search>
            {pages.rows.length === 0 && !pages.loading && !pages.error ? (
                <Empty
                    title={
                        filtered
                            ? "Nothing fits these filters"
                            : "Nothing was changed in this period"
                    }
                    icon="search"
                    action={
                        filtered && (
                            <Button
                                onClick={() =>
                                    go({ who: undefined, action: undefined })
                                }
                            >
                                Clear the filters
                            </Button>
                        )
                    }
                >
                    Choose a longer period, or fewer filters.
                </Empty>
            ) : (
                <Table
                    label="Audit"
                    columns={columnsOf((row) => addressOf({ entry: row.id }))}
                    rows={pages.rows}
                    rowKey={(row) => row.id}
                    onOpen={(row) => route(addressOf({ entry: row.id }))}
                    onMore={pages.more}
                    loading={pages.loading}
                    error={pages.error}
                    onRetry={pages.retry}
                />
            )}
            {opened && (
                <AuditDialog
                    entry={opened}
                    onClose={() => go({ entry: undefined })}
                />
            )}
        </>
    );
}

/** Members, and who is none any more but did something. */
function peopleOf(
    members: readonly { user: { id: string; email: string } }[],
    rows: readonly AuditRow[],
    chosen: string,
) {
    const emails = new Map(members.map(({ user }) => [user.id, user.email]));

    for (const { actor } of rows) {
        if (actor) {
            emails.set(actor.id, actor.email);
        }
    }

    if (chosen !== "" && !emails.has(chosen)) {
        emails.set(chosen, chosen);
    }

    return [
        { value: "", text: "Anybody" },
        ...[...emails].map(([value, text]) => ({ value, text })),
    ];
}

function columnsOf(linkOf: (row: AuditRow) => string): Column<AuditRow>[] {
    return [
        {
            name: "When",
            header: true,
            cell: (row) => (
                <a class="row-name nowrap" href={linkOf(row)}>
                    <Time iso={row.at} />
                </a>
            ),
        },
        { name: "Who", priority: 1, cell: (row) => <Who row={row} /> },
        {
            name: "Action",
            cell: (row) => (
                <>
                    <span class="nowrap" title={row.action}>
                        {actionText(row.action)}
                    </span>
                    {refusalOf(row.detail?.value) && (
                        <>
                            {" "}
                            <Badge kind="bad">refused</Badge>
                        </>
                    )}
                </>
            ),
        },
        {
            name: "On what",
            grow: true,
            cell: (row) => (
                <span class="audit-value">
                    {onWhat(row) ?? <span class="muted">–</span>}
                </span>
            ),
        },
        {
            name: "Address",
            priority: 2,
            cell: (row) => row.address ?? <span class="muted">–</span>,
        },
    ];
}

function Who({ row }: { row: AuditRow }) {
    return row.actor ? (
        <span title={row.actor.name ?? undefined}>{row.actor.email}</span>
    ) : (
        <span class="muted">the operator</span>
    );
}
