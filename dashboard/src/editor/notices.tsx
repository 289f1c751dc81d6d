// What somebody who edits has to know: a draft was brought back, a newer
// version is there, another tab edits the same prompt.

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { VersionData } from "../data/prompt.ts";
import { DRAFT_PREFIX } from "../logic/draft.ts";
import { Button, Dialog, Note, Time } from "../ui/index.ts";
import type { DiffWay } from "./diff-view.tsx";
import { DiffView } from "./diff-view.tsx";
import { type Model, versionSections } from "./model.ts";
import { WaySwitch } from "./way-switch.tsx";

interface Props {
    promptId: string;
    model: Model;
    onDiscard: () => void;
}

export function Notices({ promptId, model, onDiscard }: Props) {
    const elsewhere = useSignal(false);

    useEffect(() => {
        const listener = (event: StorageEvent) => {
            if (event.key === DRAFT_PREFIX + promptId) {
                elsewhere.value = event.newValue !== null;
            }
        };

        addEventListener("storage", listener);
        return () => removeEventListener("storage", listener);
    }, [promptId]);

    return (
        <div class="notes">
            {model.restored.value !== undefined && model.dirty.value && (
                <Note
                    action={
                        <Button small onClick={onDiscard}>
                            Discard them
                        </Button>
                    }
                >
                    Your unsaved changes of{" "}
                    <Time iso={new Date(model.restored.value).toISOString()} />{" "}
                    were brought back.
                </Note>
            )}
            {elsewhere.value && (
                <Note kind="warn">
                    This prompt is being edited in another tab, too. Each tab
                    keeps what is typed in it; only the last is brought back
                    after a reload.
                </Note>
            )}
            {!model.kept.value && (
                <Note kind="warn">
                    This browser does not keep what you type: save before you
                    leave the page.
                </Note>
            )}
        </div>
    );
}

/** A version that was added since what is typed here began. */
export function Newer({
    model,
    latest,
}: {
    model: Model;
    /** the latest version, as far as this page knows */
    latest: VersionData | undefined;
}) {
    const comparing = useSignal(false);
    const way = useSignal<DiffWay>("unified");
    const since = model.behind.value ?? model.base.value?.version ?? 0;

    if (latest === undefined || latest.version <= since || !model.dirty.value) {
        return null;
    }

    function keepMine() {
        comparing.value = false;
        model.rebase(latest);
    }

    return (
        <Note
            kind="warn"
            action={
                <Button
                    small
                    onClick={() => {
                        comparing.value = true;
                    }}
                >
                    Compare
                </Button>
            }
        >
            <strong>Version {latest.version} was added meanwhile.</strong>{" "}
            {since === 0
                ? "There was none when you began."
                : `You began with version ${since}.`}{" "}
            Nothing of yours is lost.
            {comparing.value && (
                <Dialog
                    title={`Version ${latest.version} and your text`}
                    size="wide"
                    onClose={() => {
                        comparing.value = false;
                    }}
                    actions={
                        <>
                            <Button onClick={() => model.load(latest)}>
                                Take version {latest.version}
                            </Button>
                            <Button kind="primary" onClick={keepMine}>
                                Go on with mine
                            </Button>
                        </>
                    }
                >
                    <div class="editor-part-head">
                        <p class="muted">
                            What your text changes in version {latest.version}
                        </p>
                        <WaySwitch
                            way={way.value}
                            onWay={(next) => {
                                way.value = next;
                            }}
                        />
                    </div>
                    <DiffView
                        before={versionSections(latest)}
                        after={model.sections.value}
                        way={way.value}
                    />
                </Dialog>
            )}
        </Note>
    );
}
