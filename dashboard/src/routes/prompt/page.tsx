// /prompts/:id/:tab: the frame of a prompt. Each tab is a file beside this one
// and is loaded when it is opened.

import { computed } from "@preact/signals";
import type { ComponentType } from "preact";
import { useCallback, useMemo } from "preact/hooks";
import { ErrorBoundary } from "preact-iso/lazy";
import { useLocation } from "preact-iso/router";
import type { ApiError } from "../../data/errors.ts";
import { following, may } from "../../data/project.ts";
import {
    type PromptData,
    PromptFrame,
    type PromptTabProps,
} from "../../data/prompt.ts";
import { useQuery } from "../../data/query.ts";
import { isGone, useSought } from "../../data/sought.ts";
import { type Changed, useChanges } from "../../data/watch.ts";
import { later } from "../../later.tsx";
import { pathTo } from "../../paths.ts";
import { useTitle } from "../../title.ts";
import {
    ButtonLink,
    Empty,
    ErrorNote,
    PageHead,
    Skeleton,
    Tabs,
} from "../../ui/index.ts";
import { LabelChip, sharesOf, sortLabels } from "../../ui/label-chip.tsx";
import { PublicBadge } from "../../ui/public-badge.tsx";

const panels: Record<
    string,
    { text: string; panel: ComponentType<PromptTabProps> }
> = {
    edit: { text: "Edit", panel: later(() => import("./edit.tsx")) },
    versions: {
        text: "Versions",
        panel: later(() => import("./versions.tsx")),
    },
    run: { text: "Run", panel: later(() => import("./run.tsx")) },
    executions: {
        text: "Executions",
        panel: later(() => import("./executions.tsx")),
    },
    use: { text: "Use it", panel: later(() => import("./use.tsx")) },
    settings: {
        text: "Settings",
        panel: later(() => import("./settings.tsx")),
    },
};

/** as many as the head has room for */
const LABELS = 4;

const tabs = Object.entries(panels).map(([name, { text }]) => ({ name, text }));

export default function PromptPage({
    params,
}: {
    params?: { id: string; tab?: string };
}) {
    const id = params?.id ?? "";

    // another prompt is another page, with nothing left of this one
    return <Page key={id} id={id} tab={params?.tab ?? "edit"} />;
}

function Page({ id, tab }: { id: string; tab: string }) {
    const { data, error, reload } = useQuery(PromptFrame, {
        id,
        next: following(id),
    });
    const prompt = data.value?.prompt;
    const own = prompt != null && data.value?.own[0]?.id === prompt.id;
    const gone = isGone(error.value);
    const nowhere = useSought("prompt", id, !own && (gone || prompt != null));

    useChanges(
        useCallback(
            (changed: Changed) => {
                if (typeof changed === "object" && changed.promptId === id) {
                    void reload();
                }
            },
            [id, reload],
        ),
    );
    useTitle(prompt?.name ?? "Prompt");

    if (prompt == null) {
        return error.value && (nowhere || !gone) ? (
            <Missing error={error.value} onRetry={() => void reload()} />
        ) : (
            <Skeleton lines={6} />
        );
    }

    return <Loaded {...{ id, tab, own, reload, data }} />;
}

function Loaded({
    id,
    tab,
    own,
    reload,
    data,
}: {
    id: string;
    tab: string;
    own: boolean;
    reload: () => Promise<void>;
    data: ReturnType<
        typeof useQuery<{ prompt: PromptData | null }, unknown>
    >["data"];
}) {
    const { route } = useLocation();
    const prompt = useMemo(() => {
        let last: PromptData | undefined;

        // deleted meanwhile: the tabs keep what they have
        return computed(() => {
            last = data.value?.prompt ?? last;
            return last as PromptData;
        });
    }, [data]);
    const { name, isPublic, labels, createdBy } = prompt.value;
    const mine = own && may("EDITOR");
    const Panel = panels[tab]?.panel;

    return (
        <Tabs
            label="Prompt"
            tabs={tabs}
            current={tab}
            onChoose={(next) => route(pathTo("promptTab", { id, tab: next }))}
            head={
                <PageHead
                    title={name}
                    actions={
                        <>
                            {sortLabels(labels)
                                .slice(0, LABELS)
                                .map((one) => (
                                    <LabelChip
                                        key={one.label}
                                        label={one.label}
                                        title={`${one.label}: version ${one.version}`}
                                    >
                                        {sharesOf(one) || `v${one.version}`}
                                    </LabelChip>
                                ))}
                            {isPublic && <PublicBadge />}
                            {!own && (
                                <span class="muted small-text">
                                    by {createdBy.name ?? createdBy.email}
                                </span>
                            )}
                        </>
                    }
                />
            }
        >
            <ErrorBoundary>
                {Panel ? (
                    <Panel
                        key={tab}
                        promptId={id}
                        prompt={prompt}
                        mine={mine}
                        refresh={reload}
                    />
                ) : (
                    <Empty title="A prompt has no such tab" />
                )}
            </ErrorBoundary>
        </Tabs>
    );
}

function Missing({
    error,
    onRetry,
}: {
    error: ApiError | undefined;
    onRetry: () => void;
}) {
    const gone = isGone(error);

    return (
        <>
            <PageHead title={gone ? "Prompt not found" : "Prompt"}>
                {gone &&
                    "It was deleted, or it belongs to somebody else and is not public."}
            </PageHead>
            {gone ? (
                <ButtonLink href={pathTo("prompts")}>All prompts</ButtonLink>
            ) : (
                error && <ErrorNote error={error} onRetry={onRetry} />
            )}
        </>
    );
}
