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
import { createModel, type Model } from "../../editor/model.ts";
import { Newer, Notices } from "../../editor/notices.tsx";
import { Params } from "../../editor/params.tsx";
import { Review } from "../../editor/review.tsx";
import { InputSchema, OutputSchema } from "../../editor/schema.tsx";
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

adoptSheet(css);

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
            said.value = "wrong";
            attempts.value++;
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

    function refused(error: ApiError) {
        const refusal = refusalOf(
            {
                content: model.content.value,
                messages: model.messages.value,
                params: model.params.value,
                inputSchema: model.inputSchema.value,
                outputSchema: model.outputSchema.value,
            },
            error.field,
            error.message,
        );

        reviewing.value = false;

        if (refusal === null) {
            failure.value = error;
        } else {
            model.refusals.value = [...model.refusals.value, refusal];
            said.value = "wrong";
            attempts.value++;
        }
    }

    return (
        // biome-ignore lint/a11y/noStaticElementInteractions: a shortcut
        <div
            ref={page}
            onKeyDown={(event) => {
                if (
                    mine &&
                    (event.ctrlKey || event.metaKey) &&
                    !event.altKey &&
                    !event.shiftKey &&
                    event.key === "s"
                ) {
                    event.preventDefault();

                    if (!reviewing.value) {
                        save();
                    }
                }
            }}
        >
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
            <Parts model={model} readOnly={!mine} />
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
                    {...{ promptId, model }}
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

function Parts({ model, readOnly }: { model: Model; readOnly: boolean }) {
    return (
        <div class="editor-grid">
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
                        help={
                            <>
                                The last message, of the user.{" "}
                                <code>{"{{name}}"}</code> stands for a member of
                                the input, <code>{"{{customer.email}}"}</code>{" "}
                                for one within another; <code>{"\\{{"}</code>{" "}
                                writes two braces.
                            </>
                        }
                        onValue={(value) => {
                            model.content.value = value;
                        }}
                    />
                </section>
            </div>
            <div class="editor-column">
                <Params model={model} readOnly={readOnly} />
                <InputSchema model={model} readOnly={readOnly} />
                <OutputSchema model={model} readOnly={readOnly} />
            </div>
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
