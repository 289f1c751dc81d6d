// Labels at their versions: setting, removing, and what was moved when.

import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { mutate, query } from "../data/client.ts";
import { type ApiError, toApiError } from "../data/errors.ts";
import { graphql, type ResultOf } from "../data/graphql.ts";
import { isProtected } from "../data/project.ts";
import type { PromptData } from "../data/prompt.ts";
import { labelFault } from "../logic/label.ts";
import {
    Button,
    Dialog,
    ErrorNote,
    focusFirstError,
    Skeleton,
    Table,
    TextField,
    Time,
} from "../ui/index.ts";

const SetLabel = graphql(`
    mutation SetLabel($promptId: ID!, $label: String!, $version: Int!) {
        setPromptLabel(promptId: $promptId, label: $label, version: $version) {
            label
            version
        }
    }
`);

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

type Labels = PromptData["labels"];
type Move = NonNullable<
    ResultOf<typeof LabelHistory>["prompt"]
>["labelHistory"][number];

const PAGE = 20;

function protectedFault(label: string): string | null {
    return isProtected(label)
        ? "This label is protected: an admin of the project sets it."
        : null;
}

export function SetLabelDialog({
    promptId,
    version,
    labels,
    onClose,
    onSet,
}: {
    promptId: string;
    version: number;
    labels: Labels;
    onClose: () => void;
    onSet: (label: string) => void;
}) {
    const label = useSignal("");
    const tried = useSignal(false);
    const busy = useSignal(false);
    const error = useSignal<ApiError | undefined>(undefined);
    const given = label.value.trim();
    const there = labels.find((one) => one.label === given);
    const wrong =
        tried.value || given !== ""
            ? (labelFault(given) ?? protectedFault(given))
            : null;
    const refused =
        error.value?.field === "label" ? error.value.message : undefined;
    const body = useRef<HTMLDivElement>(null);

    async function set() {
        tried.value = true;

        if (labelFault(given) !== null || protectedFault(given) !== null) {
            focusFirstError(body.current);
            return;
        }

        if (busy.value) {
            return;
        }

        busy.value = true;
        error.value = undefined;

        try {
            await mutate(SetLabel, { promptId, label: given, version });
            onSet(given);
        } catch (thrown) {
            error.value = toApiError(thrown);
            focusFirstError(body.current);
        } finally {
            busy.value = false;
        }
    }

    return (
        <Dialog
            title={`Label version ${version}`}
            onClose={onClose}
            onSubmit={() => void set()}
            actions={
                <>
                    <Button onClick={onClose}>Cancel</Button>
                    <Button kind="primary" type="submit" busy={busy.value}>
                        Set
                    </Button>
                </>
            }
        >
            <div class="stack" ref={body}>
                {error.value && refused === undefined && (
                    <ErrorNote error={error.value} />
                )}
                <TextField
                    label="Label"
                    spellcheck={false}
                    value={label.value}
                    error={wrong ?? refused}
                    help={
                        there === undefined
                            ? "Programs ask for a version by its label: production, staging."
                            : there.version === version
                              ? `${given} stands here already.`
                              : `${given} moves from version ${there.version} to version ${version}, at once and for all who ask for it.`
                    }
                    onValue={(value) => {
                        label.value = value;
                        error.value = undefined;
                    }}
                />
                {labels.length > 0 && (
                    // biome-ignore lint/a11y/useSemanticElements: of no form's fields
                    <div class="badges" role="group" aria-label="Known names">
                        {labels
                            .filter((one) => !isProtected(one.label))
                            .map((one) => (
                                <Button
                                    key={one.label}
                                    small
                                    onClick={() => {
                                        label.value = one.label;
                                    }}
                                >
                                    {one.label}
                                </Button>
                            ))}
                    </div>
                )}
            </div>
        </Dialog>
    );
}

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
    const busy = useSignal(false);
    const error = useSignal<ApiError | undefined>(undefined);

    async function remove() {
        busy.value = true;
        error.value = undefined;

        try {
            await mutate(RemoveLabel, { promptId, label });
            onRemoved();
        } catch (thrown) {
            const failed = toApiError(thrown);

            // what is not there is removed
            if (failed.code === "NOT_FOUND") {
                onRemoved();
            } else {
                error.value = failed;
            }
        } finally {
            busy.value = false;
        }
    }

    return (
        <Dialog
            title={`Remove ${label}?`}
            onClose={onClose}
            actions={
                <>
                    <Button onClick={onClose}>Cancel</Button>
                    <Button
                        kind="danger"
                        busy={busy.value}
                        onClick={() => void remove()}
                    >
                        Remove label
                    </Button>
                </>
            }
        >
            {error.value && <ErrorNote error={error.value} />}
            <p>
                Programs that ask for <code class="code">{label}</code> get an
                error from then on. Version {version} itself stays.
            </p>
        </Dialog>
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
                        <code class="code">{move.label}</code>
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

function describe({ version, previousVersion }: Move): string {
    if (version === null) {
        return `removed from version ${previousVersion}`;
    }

    return previousVersion === null
        ? `set at version ${version}`
        : `moved from version ${previousVersion} to version ${version}`;
}
