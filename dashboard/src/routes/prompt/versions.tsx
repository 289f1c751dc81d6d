// /prompts/:id/versions: what there was, what it is called, and back to it.

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useId, useMemo } from "preact/hooks";
import { type ApiError, toApiError } from "../../data/errors.ts";
import { number as count } from "../../data/format.ts";
import { isProtected } from "../../data/project.ts";
import type {
    PromptData,
    PromptTabProps,
    VersionData,
} from "../../data/prompt.ts";
import { announce } from "../../data/watch.ts";
import editorCss from "../../editor/edit.sheet.css";
import type { LabelSet } from "../../editor/label-change.ts";
import { History, RemoveLabelDialog } from "../../editor/labels.tsx";
import { draftOfVersion, versionSections } from "../../editor/model.ts";
import { oneVersion } from "../../editor/queries.ts";
import { CompareDialog, ViewDialog } from "../../editor/version-dialogs.tsx";
import {
    type FiguresOfVersion,
    useVersionFigures,
} from "../../editor/version-figures.ts";
import {
    createVersionList,
    type VersionRowData,
} from "../../editor/version-list.ts";
import css from "../../editor/versions.sheet.css";
import { pathTo } from "../../paths.ts";
import {
    adoptSheet,
    Button,
    ButtonLink,
    type Column,
    Empty,
    ErrorNote,
    Icon,
    Money,
    Table,
    Time,
    toast,
} from "../../ui/index.ts";
import {
    LabelChip,
    percent,
    sharesOf,
    sortLabels,
} from "../../ui/label-chip.tsx";
import { part } from "../../ui/part.tsx";

adoptSheet(editorCss);
adoptSheet(css);

const Review = part(() => import("../../editor/review.tsx"));
const SetLabelDialog = part(() => import("../../editor/set-label.tsx"));
const Arms = part(() => import("../../editor/arms.tsx"));

type Open =
    | { dialog: "compare"; older: number; newer: number }
    | { dialog: "view"; number: number }
    | { dialog: "restore"; version: VersionData }
    | { dialog: "label"; version: number }
    | { dialog: "remove"; label: string; version: number };

export default function Versions(props: PromptTabProps) {
    const { promptId, prompt, mine, refresh } = props;
    const list = useMemo(() => createVersionList(promptId), [promptId]);
    const chosen = useSignal<readonly number[]>([]);
    const open = useSignal<Open | undefined>(undefined);
    const restoring = useSignal<number | undefined>(undefined);
    const error = useSignal<ApiError | undefined>(undefined);
    const id = useId();
    const latest = prompt.value.versions.at(-1)?.version ?? 0;
    const { labels } = prompt.value;
    const rows = list.rows.value;
    const figures = useVersionFigures(promptId);

    // also when one was added
    useEffect(() => {
        void list.load();
    }, [list, latest]);

    async function changed(version?: number) {
        open.value = undefined;
        announce({ promptId });
        await refresh();

        if (version !== undefined) {
            keepFocus(`${id}-${version}`);
        }
    }

    async function restore(number: number) {
        if (restoring.value !== undefined) {
            return;
        }

        restoring.value = number;
        error.value = undefined;

        try {
            const version = await oneVersion(promptId, number);

            if (version !== undefined) {
                open.value = { dialog: "restore", version };
            }
        } catch (thrown) {
            error.value = toApiError(thrown);
        } finally {
            restoring.value = undefined;
        }
    }

    function labelSet(set: LabelSet) {
        const shares = sharesOf(set);

        toast(
            shares === ""
                ? `${set.label} is at version ${set.version}.`
                : `${set.label} is split ${shares}.`,
            "good",
        );
        void changed(open.value?.dialog === "label" ? set.version : undefined);
    }

    function choose(number: number) {
        chosen.value = chosen.value.includes(number)
            ? chosen.value.filter((one) => one !== number)
            : [...chosen.value, number].slice(-2);
    }

    if (rows !== undefined && rows.length === 0) {
        return <NoVersions promptId={promptId} mine={mine} />;
    }

    return (
        <>
            <Head
                chosen={chosen.value}
                onCompare={(older, newer) => {
                    open.value = { dialog: "compare", older, newer };
                }}
            />
            {error.value && <ErrorNote error={error.value} />}
            <Table
                label="Versions"
                columns={columnsOf({
                    id,
                    figures,
                    chosen: chosen.value,
                    choose,
                    labels,
                    latest,
                    mine,
                    restoring: restoring.value,
                    onOpen: (next) => {
                        open.value = next;
                    },
                    onRestore: (number) => void restore(number),
                })}
                rows={rows ?? []}
                rowKey={(row) => row.id}
                loading={list.loading.value}
                error={list.error.value}
                onRetry={() =>
                    void (rows === undefined ? list.load() : list.more())
                }
                {...((rows?.at(-1)?.version ?? 1) > 1
                    ? { onMore: () => void list.more() }
                    : {})}
            />
            {sortLabels(labels)
                .filter(({ split }) => split.length > 0)
                .map((label) => (
                    <Arms
                        key={label.label}
                        {...{ promptId, label, mine }}
                        onSet={labelSet}
                    />
                ))}
            <History promptId={promptId} changed={labelStamp(labels)} />
            <Opened
                {...{ promptId, labels, latest, changed, labelSet }}
                open={open.value}
                onClose={() => {
                    open.value = undefined;
                }}
            />
        </>
    );
}

/**
 * A button that goes, as that of a removed label, leaves the focus elsewhere:
 * at once, or when the list comes anew.
 */
function keepFocus(about: string, frames = 60) {
    requestAnimationFrame(() => {
        if (document.activeElement?.matches("body, h1")) {
            document
                .querySelector<HTMLElement>(`[aria-describedby="${about}"]`)
                ?.focus();
        } else if (frames > 0) {
            keepFocus(about, frames - 1);
        }
    });
}

/** Another one after each change of labels. */
function labelStamp(labels: PromptData["labels"]): string {
    return labels
        .map((one) => `${one.label} ${one.version} ${one.setAt}`)
        .join();
}

function NoVersions({ promptId, mine }: { promptId: string; mine: boolean }) {
    return (
        <Empty
            title="No version yet"
            icon="prompt"
            action={
                mine && (
                    <ButtonLink
                        kind="primary"
                        href={pathTo("promptTab", {
                            id: promptId,
                            tab: "edit",
                        })}
                    >
                        Write the first one
                    </ButtonLink>
                )
            }
        >
            A version is the text, the model and the input schema as they were
            saved. It never changes; programs run the latest, or one by its
            number or label.
        </Empty>
    );
}

function Head({
    chosen,
    onCompare,
}: {
    chosen: readonly number[];
    onCompare: (older: number, newer: number) => void;
}) {
    const [a, b] = [...chosen].sort((x, y) => x - y);
    const ready = a !== undefined && b !== undefined;

    return (
        <div class="versions-head">
            <p class="muted" role="status">
                {ready
                    ? `Version ${a} and version ${b} are chosen.`
                    : a !== undefined
                      ? `Version ${a} is chosen: choose one more.`
                      : "Choose two versions to see what is different."}
            </p>
            <Button disabled={!ready} onClick={() => ready && onCompare(a, b)}>
                Compare
            </Button>
        </div>
    );
}

interface Cells {
    id: string;
    figures: ReadonlyMap<number, FiguresOfVersion> | undefined;
    chosen: readonly number[];
    choose: (number: number) => void;
    labels: PromptData["labels"];
    latest: number;
    mine: boolean;
    restoring: number | undefined;
    onOpen: (open: Open) => void;
    onRestore: (number: number) => void;
}

function columnsOf(cells: Cells): Column<VersionRowData>[] {
    const figure = (
        name: string,
        priority: 1 | 2 | 3,
        text: (figures: FiguresOfVersion) => ComponentChildren,
    ): Column<VersionRowData> => ({
        name,
        priority,
        numeric: true,
        cell: ({ version }) => {
            const found = cells.figures?.get(version);

            return found ? text(found) : <span class="muted">–</span>;
        },
    });

    return [
        {
            name: "Choose",
            hideName: true,
            cell: ({ version }) => (
                <label class="version-choose">
                    <input
                        type="checkbox"
                        aria-label={`Choose version ${version}`}
                        checked={cells.chosen.includes(version)}
                        onChange={() => cells.choose(version)}
                    />
                </label>
            ),
        },
        {
            name: "Version",
            header: true,
            cell: (row) => (
                <>
                    <Name row={row} cells={cells} />
                    <Tools row={row} cells={cells} />
                </>
            ),
        },
        {
            name: "Note",
            grow: true,
            priority: 1,
            cell: ({ note }) => <span class="version-note">{note}</span>,
        },
        {
            name: "Model",
            priority: 3,
            cell: ({ params }) => (
                <span class="nowrap">{modelOf(params.value)}</span>
            ),
        },
        {
            name: "Author",
            priority: 2,
            cell: ({ createdBy }) => createdBy.name ?? createdBy.email,
        },
        {
            name: "Created",
            priority: 1,
            cell: ({ createdAt }) => (
                <span class="nowrap">
                    <Time iso={createdAt} />
                </span>
            ),
        },
        figure("Runs", 2, ({ executions }) => count(executions)),
        figure("Cost", 2, ({ costUsd }) => <Money usd={costUsd} />),
        figure("Failures", 2, ({ executions, failed }) =>
            executions === 0
                ? "–"
                : `${((failed / executions) * 100).toFixed(1)} %`,
        ),
        figure("Score", 2, ({ rating }) => rating?.toFixed(2) ?? "–"),
    ];
}

function modelOf(params: unknown) {
    const model = (params as { model?: unknown } | null)?.model;

    return typeof model === "string" ? (
        <code>{model}</code>
    ) : (
        <span class="muted">default</span>
    );
}

function Name({ row, cells }: { row: VersionRowData; cells: Cells }) {
    const { version } = row;

    return (
        <div class="version-name">
            <strong id={`${cells.id}-${version}`}>Version {version}</strong>
            {version === cells.latest && (
                <span class="muted small-text">latest</span>
            )}
            {sortLabels(cells.labels).flatMap((one) => {
                const part = one.split.find((arm) => arm.version === version);

                return one.version !== version && part === undefined ? (
                    []
                ) : (
                    <LabelChip key={one.label} label={one.label}>
                        {one.version === version
                            ? sharesOf(one)
                            : `${percent(part?.permille ?? 0)} %`}
                        {one.version === version &&
                            cells.mine &&
                            !isProtected(one.label) && (
                                <button
                                    type="button"
                                    aria-label={`Remove ${one.label}`}
                                    title={`Remove ${one.label}`}
                                    onClick={() =>
                                        cells.onOpen({
                                            dialog: "remove",
                                            label: one.label,
                                            version,
                                        })
                                    }
                                >
                                    <Icon name="close" />
                                </button>
                            )}
                    </LabelChip>
                );
            })}
        </div>
    );
}

function Tools({ row, cells }: { row: VersionRowData; cells: Cells }) {
    const { version } = row;
    const about = `${cells.id}-${version}`;

    return (
        <div class="version-tools">
            <Button
                small
                aria-describedby={about}
                onClick={() =>
                    cells.onOpen({ dialog: "view", number: version })
                }
            >
                View
            </Button>
            {cells.mine && (
                <Button
                    small
                    aria-describedby={about}
                    onClick={() => cells.onOpen({ dialog: "label", version })}
                >
                    Set label
                </Button>
            )}
            {cells.mine && version !== cells.latest && (
                <Button
                    small
                    aria-describedby={about}
                    busy={cells.restoring === version}
                    onClick={() => cells.onRestore(version)}
                >
                    Restore as new version
                </Button>
            )}
        </div>
    );
}

function Opened({
    promptId,
    labels,
    latest,
    open,
    onClose,
    changed,
    labelSet,
}: {
    promptId: string;
    labels: PromptData["labels"];
    latest: number;
    labelSet: (set: LabelSet) => void;
    open: Open | undefined;
    onClose: () => void;
    changed: (version?: number) => Promise<void>;
}) {
    switch (open?.dialog) {
        case "compare":
            return <CompareDialog {...{ promptId, onClose }} {...open} />;

        case "view":
            return <ViewDialog {...{ promptId, onClose }} {...open} />;

        case "restore":
            return (
                <Review
                    {...{ promptId, onClose }}
                    base={latest}
                    sections={versionSections(open.version)}
                    draft={draftOfVersion(open.version)}
                    note={`Version ${open.version.version} again`}
                    onSaved={({ version }) => {
                        toast(
                            `Version ${version} is what version ${open.version.version} was.`,
                            "good",
                        );
                        void changed();
                    }}
                />
            );

        case "label":
            return (
                <SetLabelDialog
                    {...{ promptId, labels, latest, onClose }}
                    version={open.version}
                    onSet={labelSet}
                />
            );

        case "remove":
            return (
                <RemoveLabelDialog
                    {...{ promptId, onClose }}
                    {...open}
                    onRemoved={() => {
                        toast(`${open.label} is removed.`, "good");
                        void changed(open.version);
                    }}
                />
            );

        default:
            return null;
    }
}
