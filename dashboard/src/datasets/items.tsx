// The tab "Items": what is in a dataset, and what comes and goes.

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { mutate, query } from "../data/client.ts";
import { type ApiError, isAbort, toApiError } from "../data/errors.ts";
import { number } from "../data/format.ts";
import { may } from "../data/project.ts";
import type { RawJson } from "../data/raw.ts";
import { type Pages, usePages } from "../panels/pages.ts";
import { Rendered, ShowAs } from "../panels/rendered-text.tsx";
import { pathTo } from "../paths.ts";
import {
    Button,
    type Column,
    Dialog,
    Empty,
    ErrorNote,
    Icon,
    Note,
    Table,
    toast,
} from "../ui/index.ts";
import { AddItemDialog } from "./add-item.tsx";
import { exportFile, importFile, Refused } from "./import.ts";
import {
    type Dataset,
    DatasetItems,
    type Item,
    RemoveItems,
} from "./queries.ts";

const PAGE = 100;
const TOGETHER = 1000;

type Open = "add" | Item | undefined;

export function Items({
    dataset,
    changed,
}: {
    dataset: Dataset;
    changed: () => Promise<void>;
}) {
    const mine = may("EDITOR");
    const open = useSignal<Open>(undefined);
    const chosen = useSignal<ReadonlySet<string>>(new Set());
    const pages = usePages<Item>(
        dataset.id,
        PAGE,
        async (after, signal) =>
            (
                await query(
                    DatasetItems,
                    { id: dataset.id, first: PAGE, after },
                    { signal },
                )
            ).dataset?.items ?? [],
    );
    const again = async () => {
        chosen.value = new Set();
        await Promise.all([pages.reload(), changed()]);
    };

    return (
        <div class="stack">
            <Tools
                dataset={dataset}
                pages={pages}
                chosen={chosen.value}
                again={again}
                onAdd={() => {
                    open.value = "add";
                }}
            />
            {pages.rows.length === 0 && !pages.loading && !pages.error ? (
                <Empty title="No items yet" icon="plus">
                    Add one, import a file of lines{" "}
                    <code class="code">
                        {'{"input": {…}, "expected": …, "metadata": {…}}'}
                    </code>
                    , or add executions from the log.
                </Empty>
            ) : (
                <Table
                    label="Items"
                    columns={columnsOf(mine, chosen.value, (id, on) => {
                        const next = new Set(chosen.peek());

                        if (on) {
                            next.add(id);
                        } else {
                            next.delete(id);
                        }

                        chosen.value = next;
                    })}
                    rows={pages.rows}
                    rowKey={(row) => row.id}
                    onOpen={(row) => {
                        open.value = row;
                    }}
                    onMore={pages.more}
                    loading={pages.loading}
                    error={pages.error}
                    onRetry={pages.retry}
                />
            )}
            {open.value === "add" ? (
                <AddItemDialog
                    datasetId={dataset.id}
                    onAdded={again}
                    onClose={() => {
                        open.value = undefined;
                    }}
                />
            ) : (
                open.value && (
                    <ItemDialog
                        item={open.value}
                        onClose={() => {
                            open.value = undefined;
                        }}
                    />
                )
            )}
        </div>
    );
}

const SHOWN = 300;

function OneLine({ json }: { json: RawJson | null }) {
    return json === null ? (
        <span class="muted">–</span>
    ) : (
        <code class="item-json">
            {json.text.slice(0, SHOWN)}
            {json.text.length > SHOWN && "…"}
        </code>
    );
}

function columnsOf(
    mine: boolean,
    chosen: ReadonlySet<string>,
    onChoose: (id: string, on: boolean) => void,
): Column<Item>[] {
    return [
        ...(mine
            ? [
                  {
                      name: "Choose",
                      hideName: true,
                      cell: (row: Item, at: number) => (
                          <input
                              type="checkbox"
                              aria-label={`Item ${at + 1}`}
                              checked={chosen.has(row.id)}
                              onChange={(event) =>
                                  onChoose(row.id, event.currentTarget.checked)
                              }
                          />
                      ),
                  },
              ]
            : []),
        {
            name: "Input",
            header: true,
            cell: (row) => <OneLine json={row.input} />,
        },
        {
            name: "Expected",
            priority: 1,
            cell: (row) => <OneLine json={row.expected} />,
        },
        {
            name: "From",
            priority: 2,
            cell: (row) =>
                row.executionId === null ? (
                    <span class="muted">–</span>
                ) : (
                    <a
                        class="nowrap"
                        href={pathTo("execution", { id: row.executionId })}
                    >
                        execution
                    </a>
                ),
        },
    ];
}

function Tools({
    dataset,
    pages,
    chosen,
    again,
    onAdd,
}: {
    dataset: Dataset;
    pages: Pages<Item>;
    chosen: ReadonlySet<string>;
    again: () => Promise<void>;
    onAdd: () => void;
}) {
    const mine = may("EDITOR");
    const file = useRef<HTMLInputElement>(null);
    const busy = useSignal<"import" | "export" | "remove" | undefined>(
        undefined,
    );
    const progress = useSignal("");
    const refused = useSignal<Refused | undefined>(undefined);
    const error = useSignal<ApiError | undefined>(undefined);

    async function doing(
        what: "import" | "export" | "remove",
        act: () => Promise<unknown>,
    ) {
        if (busy.peek() !== undefined) {
            return;
        }

        busy.value = what;
        progress.value = "";
        refused.value = undefined;
        error.value = undefined;

        try {
            await act();
        } catch (thrown) {
            if (thrown instanceof Refused) {
                refused.value = thrown;
            } else if (!isAbort(thrown)) {
                error.value = toApiError(thrown);
            }
        } finally {
            busy.value = undefined;
        }
    }

    const importing = (chosenFile: File) =>
        doing("import", async () => {
            try {
                const count = await importFile(
                    dataset.id,
                    chosenFile,
                    dataset.itemCount,
                    (done, of) => {
                        progress.value = `${number(done)} of ${number(of)} imported.`;
                    },
                );

                toast(`${number(count)} items were imported.`, "good");
            } finally {
                await again();
            }
        });

    const exporting = () =>
        doing("export", async () => {
            const count = await exportFile(
                dataset,
                new AbortController().signal,
            );

            toast(`${number(count)} items were exported.`, "good");
        });

    const removing = () =>
        doing("remove", async () => {
            const ids = [...chosen];

            try {
                for (let at = 0; at < ids.length; at += TOGETHER) {
                    await mutate(RemoveItems, {
                        ids: ids.slice(at, at + TOGETHER),
                    });
                }

                toast(
                    ids.length === 1
                        ? "One item was removed."
                        : `${number(ids.length)} items were removed.`,
                    "good",
                );
            } finally {
                await again();
            }
        });

    return (
        <div class="stack tight">
            <div class="row">
                {mine && (
                    <>
                        <Button kind="primary" icon="plus" onClick={onAdd}>
                            Add item
                        </Button>
                        <Button
                            busy={busy.value === "import"}
                            onClick={() => file.current?.click()}
                        >
                            Import JSONL
                        </Button>
                        <input
                            ref={file}
                            class="visually-hidden"
                            type="file"
                            accept=".jsonl,.ndjson,.json,.txt,application/jsonl,application/x-ndjson"
                            aria-label="File of items"
                            tabIndex={-1}
                            onChange={(event) => {
                                const input = event.currentTarget;
                                const [picked] = input.files ?? [];

                                if (picked) {
                                    void importing(picked).finally(() => {
                                        // the same file again is a change, too
                                        input.value = "";
                                    });
                                }
                            }}
                        />
                    </>
                )}
                <Button
                    busy={busy.value === "export"}
                    onClick={() => void exporting()}
                >
                    Export JSONL
                </Button>
                {mine && chosen.size > 0 && (
                    <Button
                        kind="danger"
                        icon="trash"
                        busy={busy.value === "remove"}
                        onClick={() => void removing()}
                    >
                        Remove items
                    </Button>
                )}
                {chosen.size > 0 && (
                    <span class="muted small-text">
                        {number(chosen.size)} of {number(dataset.itemCount)}{" "}
                        chosen{pages.loading ? ", reading…" : ""}
                    </span>
                )}
            </div>
            {busy.value === "import" && progress.value && (
                <Note>{progress.value}</Note>
            )}
            {refused.value && (
                <div class="note bad" role="alert">
                    <Icon name="warning" />
                    <div class="note-text">
                        <p>
                            <strong>{refused.value.message}</strong>
                        </p>
                        {refused.value.lines.length > 0 && (
                            <ul class="wrong-lines">
                                {refused.value.lines.map((line) => (
                                    <li key={line}>{line}</li>
                                ))}
                            </ul>
                        )}
                    </div>
                </div>
            )}
            {error.value && <ErrorNote error={error.value} />}
        </div>
    );
}

function ItemDialog({ item, onClose }: { item: Item; onClose: () => void }) {
    const parts: [string, RawJson | null][] = [
        ["Input", item.input],
        ["Expected", item.expected],
        ["Metadata", item.metadata],
    ];

    return (
        <Dialog title="Item" size="medium" light onClose={onClose}>
            <ShowAs />
            {parts.map(
                ([name, json]) =>
                    json && (
                        <section
                            key={name}
                            class="stack tight"
                            aria-label={name}
                        >
                            <h3>{name}</h3>
                            <Rendered text={json.text} bare level={4} />
                        </section>
                    ),
            )}
            {item.executionId && (
                <p>
                    <a href={pathTo("execution", { id: item.executionId })}>
                        The execution it was made from
                    </a>
                </p>
            )}
        </Dialog>
    );
}
