// /prompts/:id/edit: a new version is written here.

import { useSignal, useSignalEffect } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { ApiError } from "../../data/errors.ts";
import { may } from "../../data/project.ts";
import type { PromptTabProps, VersionData } from "../../data/prompt.ts";
import { announce, changedMeanwhile, stampOf } from "../../data/watch.ts";
import { CodeField, focusFirstFault } from "../../editor/code-field.tsx";
import css from "../../editor/edit.sheet.css";
import { Messages } from "../../editor/messages.tsx";
import { createModel, draftOf, type Model } from "../../editor/model.ts";
import { Newer, Notices } from "../../editor/notices.tsx";
import { Params } from "../../editor/params.tsx";
import { InputSchema, OutputSchema } from "../../editor/schema.tsx";
import { Tools } from "../../editor/tools.tsx";
import type { Fault } from "../../logic/position.ts";
import { refusalOf } from "../../logic/refusal.ts";
import {
    adoptSheet,
    Button,
    Dialog,
    ErrorNote,
    Note,
    toast,
} from "../../ui/index.ts";
import { part } from "../../ui/part.tsx";

adoptSheet(css);

const Playground = part(() => import("../../editor/playground.tsx"));
const Review = part(() => import("../../editor/review.tsx"));

/** how long it takes until a look at the page asks again what is new */
const LOOK_AGAIN = 15_000;

export default function Edit({
    promptId,
    prompt,
    mine,
    refresh,
}: PromptTabProps) {
    const latest = prompt.value.versions.at(-1);
    const model = useMemo(
        () => createModel(promptId, latest, mine),
        [promptId, mine],
    );
    const page = useRef<HTMLDivElement>(null);
    const reviewing = useSignal(false);
    const discarding = useSignal(false);
    const said = useSignal<"" | "wrong" | "same">("");
    const failure = useSignal<ApiError | undefined>(undefined);
    const runner = useRef(() => {});
    /** one more for each attempt that something stands in the way of */
    const attempts = useSignal(0);

    useEffect(() => (mine ? model.keepTyping() : undefined), [model, mine]);
    useNews({ promptId, prompt, refresh });
    useLatest(model, latest);
    useSignalEffect(() => {
        if (model.errors.value === 0 && said.peek() === "wrong") {
            said.value = "";
        }
    });

    // after the dialog has given the focus back
    useEffect(() => {
        if (attempts.value > 0) {
            focusFirstFault(page.current, (name) => faultsOf(model, name));
        }
    }, [model, attempts.value]);

    function save() {
        failure.value = undefined;

        if (model.errors.value > 0) {
            wrong();
        } else if (!model.dirty.value && model.base.value !== undefined) {
            said.value = "same";
        } else {
            said.value = "";
            reviewing.value = true;
        }
    }

    function saved(version: VersionData) {
        reviewing.value = false;
        model.load(version);
        model.keep();
        announce({ promptId });
        toast(`Version ${version.version} is saved.`, "good");
        void refresh();
    }

    /** Whether what is wrong is part of what is typed: then it is said there. */
    function placed(error: ApiError, field: string | undefined): boolean {
        const refusal = refusalOf(
            {
                content: model.content.value,
                messages: model.messages.value,
                params: model.params.value,
                inputSchema: model.inputSchema.value,
                outputSchema: model.outputSchema.value,
            },
            field,
            error.message,
        );

        if (refusal !== null) {
            model.refusals.value = [...model.refusals.value, refusal];
            wrong();
        }

        return refusal !== null;
    }

    function wrong() {
        said.value = "wrong";
        attempts.value++;
    }

    function refused(error: ApiError) {
        reviewing.value = false;

        if (!placed(error, error.field)) {
            failure.value = error;
        }
    }

    function onKey(event: KeyboardEvent) {
        if (
            !mine ||
            !(event.ctrlKey || event.metaKey) ||
            event.altKey ||
            event.shiftKey ||
            reviewing.value ||
            (event.target as Element).closest("dialog") !== null
        ) {
            return;
        }

        if (event.key === "s") {
            event.preventDefault();
            save();
        } else if (event.key === "Enter") {
            // before an editor takes it for a line
            event.preventDefault();
            event.stopPropagation();
            runner.current();
        }
    }

    return (
        <div ref={page} class="editor-page" onKeyDownCapture={onKey}>
            {mine ? (
                <Notices
                    {...{ promptId, model }}
                    onDiscard={() => {
                        discarding.value = true;
                    }}
                />
            ) : (
                <Note>
                    {may("EDITOR")
                        ? "This prompt belongs to somebody else. You can read and run it; to change it, fork it under Settings."
                        : "You are a viewer of this project: you can read it."}
                </Note>
            )}
            {failure.value && <ErrorNote error={failure.value} />}
            <div class={mine ? "editor-grid" : "editor-grid alone"}>
                <Texts model={model} readOnly={!mine} />
                {mine && (
                    <section class="playground" aria-label="Playground">
                        <h2>Playground</h2>
                        <Playground
                            key={promptId}
                            {...{ promptId, model, runner }}
                            onWrong={wrong}
                            onRefused={placed}
                        />
                    </section>
                )}
                <div class="editor-settings">
                    <Params model={model} readOnly={!mine} />
                    <Tools model={model} readOnly={!mine} />
                    <InputSchema model={model} readOnly={!mine} />
                    <OutputSchema model={model} readOnly={!mine} />
                </div>
            </div>
            {mine && (
                <div class="save-dock">
                    <Newer {...{ model, latest }} />
                    <SaveBar
                        model={model}
                        said={said.value}
                        onSave={save}
                        onDiscard={() => {
                            discarding.value = true;
                        }}
                    />
                </div>
            )}
            {reviewing.value && (
                <Review
                    promptId={promptId}
                    base={model.behind.value ?? model.base.value?.version ?? 0}
                    sections={model.sections.value}
                    draft={draftOf(model)}
                    onClose={() => {
                        reviewing.value = false;
                    }}
                    onSaved={saved}
                    onRefused={refused}
                />
            )}
            {discarding.value && (
                <Discard
                    version={latest?.version}
                    onClose={() => {
                        discarding.value = false;
                    }}
                    onDiscard={() => {
                        discarding.value = false;
                        said.value = "";
                        model.load(latest);
                        model.keep();
                    }}
                />
            )}
        </div>
    );
}

/** Asks, when somebody comes back to the page, whether others changed it. */
function useNews({
    promptId,
    prompt,
    refresh,
}: Pick<PromptTabProps, "promptId" | "prompt" | "refresh">) {
    useEffect(() => {
        let last = Date.now();

        async function look() {
            if (
                document.visibilityState !== "visible" ||
                Date.now() - last < LOOK_AGAIN
            ) {
                return;
            }

            last = Date.now();

            try {
                const seen = stampOf(prompt.peek());

                if ((await changedMeanwhile(promptId, seen)) !== undefined) {
                    await refresh();
                }
            } catch {
                // it is asked again before saving, and what fails is said then
            }
        }

        const listener = () => void look();

        addEventListener("focus", listener);
        document.addEventListener("visibilitychange", listener);

        return () => {
            removeEventListener("focus", listener);
            document.removeEventListener("visibilitychange", listener);
        };
    }, [promptId, prompt, refresh]);
}

/** A newer version takes the place of one that nobody changed here. */
function useLatest(model: Model, latest: VersionData | undefined) {
    useEffect(() => {
        const shown = model.base.peek()?.version ?? 0;

        if (
            latest !== undefined &&
            latest.version > shown &&
            !model.dirty.peek()
        ) {
            model.load(latest);
            toast(`Version ${latest.version} was added and is shown now.`);
        }
    }, [model, latest]);
}

function faultsOf(model: Model, name: string): readonly Fault[] {
    switch (name) {
        case "content":
            return model.contentWrong.value;
        case "params":
            return model.paramsWrong.value;
        case "inputSchema":
            return model.schemaWrong.value;
        case "outputSchema":
            return model.outputWrong.value;
        default:
            return (
                model.messagesWrong.value.get(
                    Number(name.slice("message:".length)),
                ) ?? []
            );
    }
}

/** Messages in their order, the content last. */
function Texts({ model, readOnly }: { model: Model; readOnly: boolean }) {
    return (
        <div class="editor-column">
            <Messages model={model} readOnly={readOnly} />
            <section class="editor-part" aria-label="Prompt">
                <CodeField
                    label="Content"
                    language="template"
                    name="content"
                    lines={12}
                    value={model.content.value}
                    readOnly={readOnly}
                    faults={model.contentWrong.value}
                    offers={model.offers.value}
                    hint="Summarize in one sentence: {{text}}"
                    actions={<span class="muted small-text">User</span>}
                    help={
                        <>
                            The last message. <code>{"{{name}}"}</code> stands
                            for a member of the input,{" "}
                            <code>{"{{customer.email}}"}</code> for one within
                            another; <code>{"\\{{"}</code> writes two braces.
                        </>
                    }
                    onValue={(value) => {
                        model.content.value = value;
                    }}
                />
            </section>
        </div>
    );
}

function SaveBar({
    model,
    said,
    onSave,
    onDiscard,
}: {
    model: Model;
    said: "" | "wrong" | "same";
    onSave: () => void;
    onDiscard: () => void;
}) {
    const errors = model.errors.value;
    const base = model.base.value?.version;

    return (
        <div class="save-bar">
            <p class="save-state" role="status">
                {errors > 0 ? (
                    <span class={said === "wrong" ? "bad" : undefined}>
                        {errors === 1
                            ? "One thing has to be corrected before saving."
                            : `${errors} things have to be corrected before saving.`}
                    </span>
                ) : model.dirty.value ? (
                    "Not saved yet; kept in this browser meanwhile."
                ) : said === "same" ? (
                    `Nothing is changed: this is version ${base}.`
                ) : base === undefined ? (
                    "This prompt has no version yet: write its text and save it."
                ) : (
                    `Version ${base}, the latest.`
                )}
            </p>
            <div class="save-actions">
                {model.dirty.value && (
                    <Button onClick={onDiscard}>Discard changes</Button>
                )}
                <Button kind="primary" onClick={onSave}>
                    Save as new version
                </Button>
            </div>
        </div>
    );
}

function Discard({
    version,
    onClose,
    onDiscard,
}: {
    version: number | undefined;
    onClose: () => void;
    onDiscard: () => void;
}) {
    return (
        <Dialog
            title="Discard your changes?"
            onClose={onClose}
            actions={
                <>
                    <Button onClick={onClose}>Keep them</Button>
                    <Button kind="danger" onClick={onDiscard}>
                        Discard
                    </Button>
                </>
            }
        >
            <p>
                {version === undefined
                    ? "All that you typed here is gone then."
                    : `All that you typed since version ${version} is gone then.`}
            </p>
        </Dialog>
    );
}
