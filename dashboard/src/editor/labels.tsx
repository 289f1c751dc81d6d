// Labels at their versions: removing, and what was moved when.

import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { mutate, query } from "../data/client.ts";
import { type ApiError, toApiError } from "../data/errors.ts";
import { graphql, type ResultOf } from "../data/graphql.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { Button, ErrorNote, Skeleton, Table, Time } from "../ui/index.ts";
import { LabelChip, percent } from "../ui/label-chip.tsx";

const RemoveLabel = graphql(`
    mutation RemoveLabel($promptId: ID!, $label: String!) {
        removePromptLabel(promptId: $promptId, label: $label)
    }
`);

const LabelHistory = graphql(`
    query LabelHistory($id: ID!, $first: Int!, $after: ID) {
        prompt(id: $id) {
            labelHistory(first: $first, after: $after) {
                id
                label
                version
                previousVersion
                split {
                    version
                    permille
                }
                reason
                movedAt
                movedBy {
                    email
                    name
                }
            }
        }
    }
`);

type Move = NonNullable<
    ResultOf<typeof LabelHistory>["prompt"]
>["labelHistory"][number];

const PAGE = 20;

export function RemoveLabelDialog({
    promptId,
    label,
    version,
    onClose,
    onRemoved,
}: {
    promptId: string;
    label: string;
    version: number;
    onClose: () => void;
    onRemoved: () => void;
}) {
    async function remove() {
        try {
            await mutate(RemoveLabel, { promptId, label });
        } catch (thrown) {
            // what is not there is removed
            if (toApiError(thrown).code !== "NOT_FOUND") {
                throw thrown;
            }
        }

        onRemoved();
    }

    return (
        <ConfirmDialog
            title={`Remove ${label}?`}
            action="Remove label"
            onConfirm={remove}
            onClose={onClose}
        >
            <p>
                Programs that ask for <code class="code">{label}</code> get an
                error from then on. Version {version} itself stays.
            </p>
        </ConfirmDialog>
    );
}

/** changed: another value reads the history again */
export function History({
    promptId,
    changed,
}: {
    promptId: string;
    changed: unknown;
}) {
    const moves = useSignal<readonly Move[] | undefined>(undefined);
    const complete = useSignal(false);
    const loading = useSignal(false);
    const error = useSignal<ApiError | undefined>(undefined);

    async function load(known: readonly Move[]) {
        loading.value = true;
        error.value = undefined;

        try {
            const { prompt } = await query(LabelHistory, {
                id: promptId,
                first: PAGE,
                after: known.at(-1)?.id ?? null,
            });
            const page = prompt?.labelHistory ?? [];

            moves.value = [...known, ...page];
            complete.value = page.length < PAGE;
        } catch (thrown) {
            error.value = toApiError(thrown);
        } finally {
            loading.value = false;
        }
    }

    useEffect(() => {
        void load([]);
    }, [promptId, changed]);

    const rows = moves.value;
    const columns = useMemo(
        () => [
            {
                name: "When",
                cell: (move: Move) => (
                    <span class="nowrap">
                        <Time iso={move.movedAt} />
                    </span>
                ),
            },
            {
                name: "Label",
                header: true,
                cell: (move: Move) => (
                    <div class="history-label">
                        <LabelChip label={move.label} />
                    </div>
                ),
            },
            { name: "What", grow: true, cell: describe },
            {
                name: "By",
                priority: 1 as const,
                cell: (move: Move) =>
                    move.movedBy?.name ??
                    move.movedBy?.email ??
                    `by the guard: ${move.reason}`,
            },
        ],
        [],
    );

    return (
        <section class="history" aria-label="History of labels">
            <h2>History of labels</h2>
            {rows === undefined ? (
                !error.value && <Skeleton lines={2} />
            ) : rows.length === 0 ? (
                <p class="muted">
                    No label was set yet. Set one at a version, and programs can
                    ask for it by name.
                </p>
            ) : (
                <Table
                    label="History of labels"
                    rows={rows}
                    rowKey={(move) => move.id}
                    columns={columns}
                />
            )}
            {error.value && (
                <ErrorNote
                    error={error.value}
                    onRetry={() => void load(rows ?? [])}
                />
            )}
            {rows !== undefined && rows.length > 0 && !complete.value && (
                <div class="history-more">
                    <Button
                        small
                        busy={loading.value}
                        onClick={() => void load(rows)}
                    >
                        Show older
                    </Button>
                </div>
            )}
        </section>
    );
}

function describe({ version, previousVersion, split }: Move): string {
    if (version === null) {
        return `removed from version ${previousVersion}`;
    }

    if (split.length > 0) {
        return `split: ${split
            .map((one) => `version ${one.version} ${percent(one.permille)} %`)
            .join(", ")}`;
    }

    return previousVersion === null
        ? `set at version ${version}`
        : previousVersion === version
          ? `at version ${version} alone`
          : `moved from version ${previousVersion} to version ${version}`;
}
