// /prompts/:id/settings: what it is called, copying it, deleting it.

import { useSignal } from "@preact/signals";
import { useLocation } from "preact-iso/router";
import { mutate } from "../../data/client.ts";
import { toApiError } from "../../data/errors.ts";
import { graphql } from "../../data/graphql.ts";
import { useOnce } from "../../data/once.ts";
import { isProtected, may } from "../../data/project.ts";
import type { PromptTabProps } from "../../data/prompt.ts";
import { announce } from "../../data/watch.ts";
import css from "../../editor/settings.sheet.css";
import { SettingsForm } from "../../editor/settings-form.tsx";
import { dropDraft } from "../../logic/draft.ts";
import { pathTo } from "../../paths.ts";
import { useAction } from "../../ui/action.ts";
import { DeleteDialog } from "../../ui/delete-dialog.tsx";
import { adoptSheet, Button, ErrorNote, toast } from "../../ui/index.ts";

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
    const action = useAction();
    const once = useOnce();

    async function fork() {
        await action.run(async () => {
            const { forkPrompt } = await once(promptId, (key) =>
                mutate(ForkPrompt, { id: promptId }, { key }),
            );

            if (forkPrompt !== null) {
                announce("prompts");
                toast(`This is your copy: ${forkPrompt.name}.`, "good");
                route(pathTo("promptTab", { id: forkPrompt.id, tab: "edit" }));
            }
        });
    }

    return (
        <section class="settings-card" aria-label="A copy of it">
            {action.error && <ErrorNote error={action.error} />}
            <div class="settings-line">
                <p>
                    A fork is a private copy in your project, with all versions
                    and their numbers, without labels and executions.
                </p>
                <Button
                    icon="fork"
                    busy={action.busy}
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
    const { name } = prompt.value;

    async function remove() {
        try {
            await mutate(DeletePrompt, { id: promptId });
        } catch (thrown) {
            // gone already is gone
            if (toApiError(thrown).code !== "NOT_FOUND") {
                throw thrown;
            }
        }

        onClose();
        dropDraft(localStorage, promptId);
        announce("prompts");
        toast(`${name} is deleted.`, "good");
        route(pathTo("prompts"), true);
    }

    return (
        <DeleteDialog
            title="Delete this prompt?"
            name={name}
            onDelete={remove}
            onClose={onClose}
        >
            <strong>{name}</strong> is gone for everybody at once, and with it
            its versions, labels, executions and statistics.
        </DeleteDialog>
    );
}
