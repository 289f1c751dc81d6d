// The table "Budgets": what may be spent, and how much of it is.

import { useSignal } from "@preact/signals";
import { mutate } from "../data/client.ts";
import { money } from "../data/format.ts";
import { graphql } from "../data/graphql.ts";
import { may } from "../data/project.ts";
import { useQuery } from "../data/query.ts";
import { refocus, useAction } from "../ui/action.ts";
import {
    Button,
    type Column,
    ErrorNote,
    Money,
    Table,
    Time,
    toast,
} from "../ui/index.ts";
import { type Budget, BudgetFields, Meter, perTexts } from "./budget.tsx";
import { BudgetDialog } from "./budget-dialog.tsx";

const ProjectBudgets = graphql(
    `
    query ProjectBudgets($keys: Boolean!) {
        project {
            budgets {
                ...BudgetFields
                key @include(if: $keys) {
                    id
                    name
                }
            }
        }
    }
`,
    [BudgetFields],
);

const RemoveBudget = graphql(`
    mutation RemoveBudget($id: ID!) {
        removeBudget(id: $id)
    }
`);

/** viewers are not told of keys: they do not see of which one it is */
type Row = Budget & { key?: { id: string; name: string } | null };

function nameOf({ key }: Row): string {
    return key === undefined ? "Project or key" : (key?.name ?? "Project");
}

const none: readonly Row[] = [];

export function Budgets() {
    const setting = useSignal(false);
    const action = useAction();
    const { data, error, loading, reload } = useQuery(ProjectBudgets, {
        keys: may("EDITOR"),
    });
    const rows = data.value?.project.budgets ?? none;

    async function remove({ id }: Row) {
        if (await action.run(() => mutate(RemoveBudget, { id }))) {
            toast("The budget is removed.", "good");
        }

        await reload();
        refocus();
    }

    return (
        <section class="stack tight" aria-labelledby="budgets">
            <div class="row apart">
                <h2 id="budgets">Budgets</h2>
                {may("ADMIN") && (
                    <Button
                        icon="plus"
                        onClick={() => {
                            setting.value = true;
                        }}
                    >
                        Set budget
                    </Button>
                )}
            </div>
            {action.error && <ErrorNote error={action.error} />}
            {data.value && rows.length === 0 ? (
                <p class="muted">
                    There is none: what is run here may cost what it costs.
                </p>
            ) : (
                <Table
                    label="Budgets"
                    columns={columnsOf((row) => void remove(row))}
                    rows={rows}
                    rowKey={(row) => row.id}
                    loading={loading.value && !data.value}
                    error={error.value}
                    onRetry={() => void reload()}
                />
            )}
            {setting.value && (
                <BudgetDialog
                    onSet={() => void reload()}
                    onClose={() => {
                        setting.value = false;
                    }}
                />
            )}
        </section>
    );
}

function columnsOf(onRemove: (row: Row) => void): readonly Column<Row>[] {
    return [
        {
            name: "Of",
            header: true,
            grow: true,
            cell: (row) => <div class="row-name budget-of">{nameOf(row)}</div>,
        },
        { name: "Per", priority: 1, cell: ({ per }) => perTexts[per] },
        {
            name: "Spent",
            cell: (row) => (
                <Meter
                    budget={row}
                    label={`${nameOf(row)}, ${perTexts[row.per].toLowerCase()}`}
                />
            ),
        },
        {
            name: "Limit",
            numeric: true,
            cell: ({ limitUsd }) => <Money usd={limitUsd} />,
        },
        {
            name: "Reserved",
            priority: 3,
            numeric: true,
            cell: ({ reservedUsd }) => (
                <span title="The most that running calls can cost">
                    {money(reservedUsd)}
                </span>
            ),
        },
        {
            name: "Warns at",
            priority: 3,
            numeric: true,
            cell: ({ warnAtPercent }) =>
                warnAtPercent === null ? "–" : `${warnAtPercent} %`,
        },
        {
            name: "Resets",
            priority: 2,
            cell: ({ resetsAt }) =>
                resetsAt === null ? (
                    <span class="muted">never</span>
                ) : (
                    <span class="nowrap">
                        <Time iso={resetsAt} />
                    </span>
                ),
        },
        ...(may("ADMIN")
            ? [
                  {
                      name: "Remove a budget",
                      hideName: true,
                      cell: (row: Row) => (
                          <Button
                              kind="danger"
                              small
                              aria-description={nameOf(row)}
                              onClick={() => onRemove(row)}
                          >
                              Remove budget
                          </Button>
                      ),
                  },
              ]
            : []),
    ];
}
