// What somebody who edits has to know: a draft was brought back, a newer
// version is there, another tab edits the same prompt.

import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { VersionData } from "../data/prompt.ts";
import { DRAFT_PREFIX } from "../logic/draft.ts";
import { Button, Dialog, Note, Time } from "../ui/index.ts";
import type { DiffWay } from "./diff.ts";
import { DiffView } from "./diff-view.tsx";
import { type Model, versionSections } from "./model.ts";
import { WaySwitch } from "./way-switch.tsx";

interface Props {
    promptId: string;
    model: Model;
    /** the latest version, as far as this page knows */
    latest: VersionData | undefined;
    onDiscard: () => void;
}

export function Notices({ promptId, model, latest, onDiscard }: Props) {
    const elsewhere = useSignal(false);
    const since = model.behind.value ?? model.base.value?.version ?? 0;
    const newer = (latest?.version ?? 0) > since ? latest : undefined;

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
            {newer && model.dirty.value && (
                <Newer model={model} newer={newer} since={since} />
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

function Newer({
    model,
    newer,
    since,
}: {
    model: Model;
    newer: VersionData;
    since: number;
}) {
    const comparing = useSignal(false);
    const way = useSignal<DiffWay>("unified");

    function keepMine() {
        model.rebase(newer);
        comparing.value = false;
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
            <strong>Version {newer.version} was added meanwhile.</strong>{" "}
            {since === 0
                ? "There was none when you began."
                : `You began with version ${since}.`}{" "}
            Nothing of yours is lost.
            {comparing.value && (
                <Dialog
                    title={`Version ${newer.version} and your text`}
                    size="wide"
                    onClose={() => {
                        comparing.value = false;
                    }}
                    actions={
                        <>
                            <Button onClick={() => model.load(newer)}>
                                Take version {newer.version}
                            </Button>
                            <Button kind="primary" onClick={keepMine}>
                                Go on with mine
                            </Button>
                        </>
                    }
                >
                    <div class="editor-part-head">
                        <p class="muted">
                            What your text changes in version {newer.version}
                        </p>
                        <WaySwitch
                            way={way.value}
                            onWay={(next) => {
                                way.value = next;
                            }}
                        />
                    </div>
                    <DiffView
                        before={versionSections(newer)}
                        after={model.sections.value}
                        way={way.value}
                    />
                </Dialog>
            )}
        </Note>
    );
}
