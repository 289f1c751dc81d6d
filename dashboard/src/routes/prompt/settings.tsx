// /prompts/:id/settings: what it is called, copying it, deleting it.

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { mutate } from "../../data/client.ts";
import { type ApiError, toApiError } from "../../data/errors.ts";
import { graphql } from "../../data/graphql.ts";
import { useOnce } from "../../data/once.ts";
import { isProtected, may } from "../../data/project.ts";
import type { PromptTabProps } from "../../data/prompt.ts";
import { announce } from "../../data/watch.ts";
import css from "../../editor/settings.sheet.css";
import { SettingsForm } from "../../editor/settings-form.tsx";
import { dropDraft } from "../../logic/draft.ts";
import { pathTo } from "../../paths.ts";
import {
    adoptSheet,
    Button,
    Dialog,
    ErrorNote,
    focusFirstError,
    TextField,
    toast,
} from "../../ui/index.ts";

adoptSheet(css);

const ForkPrompt = graphql(`
    mutation ForkPrompt($id: ID!) {
        forkPrompt(id: $id) {
            id
            name
        }
    }
`);

const DeletePrompt = graphql(`
    mutation DeletePrompt($id: ID!) {
        deletePrompt(id: $id)
    }
`);

export default function Settings(props: PromptTabProps) {
    const deleting = useSignal(false);
    const locked = props.prompt.value.labels.some((one) =>
        isProtected(one.label),
    );

    return (
        <div class="settings">
            <section class="settings-card" aria-label="About this prompt">
                <SettingsForm {...props} />
            </section>
            {may("EDITOR") && <Fork {...props} />}
            {props.mine && !locked && (
                <section class="settings-card danger" aria-label="Deleting it">
                    <div class="settings-line">
                        <p>
                            Deleting takes all versions, labels, executions and
                            statistics with it. It cannot be undone.
                        </p>
                        <Button
                            kind="danger"
                            icon="trash"
                            onClick={() => {
                                deleting.value = true;
                            }}
                        >
                            Delete prompt
                        </Button>
                    </div>
                </section>
            )}
            {deleting.value && (
                <Delete
                    {...props}
                    onClose={() => {
                        deleting.value = false;
                    }}
                />
            )}
        </div>
    );
}

function Fork({ promptId }: PromptTabProps) {
    const { route } = useLocation();
    const busy = useSignal(false);
    const error = useSignal<ApiError | undefined>(undefined);
    const once = useOnce();

    async function fork() {
        if (busy.value) {
            return;
        }

        busy.value = true;
        error.value = undefined;

        try {
            const { forkPrompt } = await once(promptId, (key) =>
                mutate(ForkPrompt, { id: promptId }, { key }),
            );

            if (forkPrompt !== null) {
                announce("prompts");
                toast(`This is your copy: ${forkPrompt.name}.`, "good");
                route(pathTo("promptTab", { id: forkPrompt.id, tab: "edit" }));
            }
        } catch (thrown) {
            error.value = toApiError(thrown);
        } finally {
            busy.value = false;
        }
    }

    return (
        <section class="settings-card" aria-label="A copy of it">
            {error.value && <ErrorNote error={error.value} />}
            <div class="settings-line">
                <p>
                    A fork is a private copy in your project, with all versions
                    and their numbers, without labels and executions.
                </p>
                <Button
                    icon="fork"
                    busy={busy.value}
                    onClick={() => void fork()}
                >
                    Fork
                </Button>
            </div>
        </section>
    );
}

function Delete({
    promptId,
    prompt,
    onClose,
}: PromptTabProps & { onClose: () => void }) {
    const { route } = useLocation();
    const given = useSignal("");
    const tried = useSignal(false);
    const busy = useSignal(false);
    const error = useSignal<ApiError | undefined>(undefined);
    const body = useRef<HTMLDivElement>(null);
    const { name } = prompt.value;
    const wrong = given.value.trim() !== name;

    async function remove() {
        tried.value = true;

        if (wrong) {
            focusFirstError(body.current);
            return;
        }

        if (busy.value) {
            return;
        }

        busy.value = true;
        error.value = undefined;

        try {
            await mutate(DeletePrompt, { id: promptId });
        } catch (thrown) {
            const failed = toApiError(thrown);

            // gone already is gone
            if (failed.code !== "NOT_FOUND") {
                error.value = failed;
                busy.value = false;
                return;
            }
        }

        onClose();
        dropDraft(localStorage, promptId);
        announce("prompts");
        toast(`${name} is deleted.`, "good");
        route(pathTo("prompts"), true);
    }

    return (
        <Dialog
            title="Delete this prompt?"
            onClose={onClose}
            onSubmit={() => void remove()}
            actions={
                <>
                    <Button onClick={onClose}>Keep it</Button>
                    <Button kind="danger" type="submit" busy={busy.value}>
                        Delete for good
                    </Button>
                </>
            }
        >
            <div class="settings" ref={body}>
                {error.value && <ErrorNote error={error.value} />}
                <p>
                    <strong>{name}</strong> is gone for everybody at once, and
                    with it its versions, labels, executions and statistics.
                </p>
                <TextField
                    label="Type the name"
                    spellcheck={false}
                    value={given.value}
                    help={
                        <>
                            Type <code class="code">{name}</code> to delete it.
                        </>
                    }
                    error={
                        tried.value && wrong
                            ? "This is not its name."
                            : undefined
                    }
                    onValue={(value) => {
                        given.value = value;
                    }}
                />
            </div>
        </Dialog>
    );
}
