// /prompts/:id/versions: what there was, what it is called, and back to it.

import { useSignal } from "@preact/signals";
import { useEffect, useId, useMemo } from "preact/hooks";
import { type ApiError, toApiError } from "../../data/errors.ts";
import { isProtected } from "../../data/project.ts";
import type {
    PromptData,
    PromptTabProps,
    VersionData,
} from "../../data/prompt.ts";
import { announce } from "../../data/watch.ts";
import editorCss from "../../editor/edit.sheet.css";
import {
    History,
    RemoveLabelDialog,
    SetLabelDialog,
} from "../../editor/labels.tsx";
import { draftOfVersion, versionSections } from "../../editor/model.ts";
import { oneVersion } from "../../editor/queries.ts";
import { CompareDialog, ViewDialog } from "../../editor/version-dialogs.tsx";
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
    Table,
    Time,
    toast,
} from "../../ui/index.ts";
import { later } from "../../ui/later.tsx";

adoptSheet(editorCss);
adoptSheet(css);

const Review = later(() => import("../../editor/review.tsx"));

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
    const narrow = useNarrow();
    const latest = prompt.value.versions.at(-1)?.version ?? 0;
    const { labels } = prompt.value;
    const rows = list.rows.value;

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
                    narrow,
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
            <History promptId={promptId} changed={labelStamp(labels)} />
            <Opened
                {...{ promptId, labels, latest, changed }}
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

function useNarrow(): boolean {
    const media = useMemo(() => matchMedia("(max-width: 760px)"), []);
    const narrow = useSignal(media.matches);

    useEffect(() => {
        const listener = () => {
            narrow.value = media.matches;
        };

        media.addEventListener("change", listener);
        return () => media.removeEventListener("change", listener);
    }, [media]);

    return narrow.value;
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
    /** no room for a column of buttons: they stand below the name */
    narrow: boolean;
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
            grow: true,
            cell: (row) => (
                <>
                    <Name row={row} cells={cells} />
                    {cells.narrow && <Tools row={row} cells={cells} />}
                </>
            ),
        },
        {
            name: "Model",
            priority: 2,
            cell: ({ params }) => (
                <span class="nowrap">{modelOf(params.value)}</span>
            ),
        },
        {
            name: "Saved",
            priority: 1,
            cell: ({ createdAt }) => (
                <span class="nowrap">
                    <Time iso={createdAt} />
                </span>
            ),
        },
        ...(cells.narrow
            ? []
            : [
                  {
                      name: "Actions",
                      hideName: true,
                      cell: (row: VersionRowData) => (
                          <Tools row={row} cells={cells} />
                      ),
                  },
              ]),
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
            {cells.labels
                .filter((one) => one.version === version)
                .map(({ label }) => (
                    <span
                        key={label}
                        class={`version-label${cells.mine && !isProtected(label) ? "" : " fixed"}`}
                    >
                        {label}
                        {cells.mine && !isProtected(label) && (
                            <button
                                type="button"
                                aria-label={`Remove ${label}`}
                                title={`Remove ${label}`}
                                onClick={() =>
                                    cells.onOpen({
                                        dialog: "remove",
                                        label,
                                        version,
                                    })
                                }
                            >
                                <Icon name="close" />
                            </button>
                        )}
                    </span>
                ))}
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
}: {
    promptId: string;
    labels: PromptData["labels"];
    latest: number;
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
                    {...{ promptId, labels, onClose }}
                    version={open.version}
                    onSet={(label) => {
                        toast(
                            `${label} is at version ${open.version}.`,
                            "good",
                        );
                        void changed(open.version);
                    }}
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
