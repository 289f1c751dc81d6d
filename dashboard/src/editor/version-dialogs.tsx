// Looking at versions: one, or two and what is different between them.

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { type ApiError, toApiError } from "../data/errors.ts";
import type { VersionData } from "../data/prompt.ts";
import { sectionNames } from "../logic/sections.ts";
import {
    Button,
    CopyButton,
    Dialog,
    ErrorNote,
    Skeleton,
    Time,
} from "../ui/index.ts";
import type { DiffWay } from "./diff-view.tsx";
import { DiffView, NAMES } from "./diff-view.tsx";
import { versionSections } from "./model.ts";
import { oneVersion } from "./queries.ts";
import { WaySwitch } from "./way-switch.tsx";

/** The versions of these numbers, in their order; undefined: not there yet. */
export function useVersions(promptId: string, numbers: readonly number[]) {
    const versions = useSignal<readonly VersionData[] | undefined>(undefined);
    const error = useSignal<ApiError | undefined>(undefined);
    const wanted = numbers.join();

    async function load() {
        error.value = undefined;

        try {
            const all = await Promise.all(
                numbers.map((number) => oneVersion(promptId, number)),
            );

            versions.value = all.filter((one) => one !== undefined);
        } catch (thrown) {
            error.value = toApiError(thrown);
        }
    }

    useEffect(() => {
        void load();
    }, [promptId, wanted]);

    return { versions, error, load };
}

export function CompareDialog({
    promptId,
    older,
    newer,
    onClose,
}: {
    promptId: string;
    older: number;
    newer: number;
    onClose: () => void;
}) {
    const { versions, error, load } = useVersions(promptId, [older, newer]);
    const way = useSignal<DiffWay>("side by side");
    const [before, after] = versions.value ?? [];

    return (
        <Dialog
            title={`Version ${older} and version ${newer}`}
            size="wide"
            light
            onClose={onClose}
            actions={<Button onClick={onClose}>Done</Button>}
        >
            {error.value && (
                <ErrorNote error={error.value} onRetry={() => void load()} />
            )}
            {before && after ? (
                <>
                    <div class="versions-head">
                        <p class="muted">
                            From version {older},{" "}
                            <Time iso={before.createdAt} />, to version {newer},{" "}
                            <Time iso={after.createdAt} />
                        </p>
                        <WaySwitch
                            way={way.value}
                            onWay={(next) => {
                                way.value = next;
                            }}
                        />
                    </div>
                    <DiffView
                        before={versionSections(before)}
                        after={versionSections(after)}
                        way={way.value}
                    />
                </>
            ) : (
                !error.value && <Skeleton lines={6} />
            )}
        </Dialog>
    );
}

export function ViewDialog({
    promptId,
    number,
    onClose,
}: {
    promptId: string;
    number: number;
    onClose: () => void;
}) {
    const { versions, error, load } = useVersions(promptId, [number]);
    const version = versions.value?.[0];
    const sections = version && versionSections(version);

    return (
        <Dialog
            title={`Version ${number}`}
            size="medium"
            light
            onClose={onClose}
            actions={
                <>
                    {version && (
                        <CopyButton text={version.content} label="Copy text" />
                    )}
                    <Button onClick={onClose}>Done</Button>
                </>
            }
        >
            {error.value && (
                <ErrorNote error={error.value} onRetry={() => void load()} />
            )}
            {sections ? (
                <div class="version-parts">
                    {sectionNames
                        .filter((name) => sections[name] !== "")
                        .map((name) => (
                            <section key={name}>
                                <h3>{NAMES[name]}</h3>
                                {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls */}
                                <pre class="pre" tabIndex={0}>
                                    {sections[name]}
                                </pre>
                            </section>
                        ))}
                </div>
            ) : (
                !error.value && <Skeleton lines={6} />
            )}
        </Dialog>
    );
}
