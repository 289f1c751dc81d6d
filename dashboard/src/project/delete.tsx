// The end of a project.

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { mutate } from "../data/client.ts";
import { graphql } from "../data/graphql.ts";
import { actIn, doubt } from "../data/project.ts";
import { pathTo } from "../paths.ts";
import { useAction } from "../ui/action.ts";
import {
    Button,
    Dialog,
    ErrorNote,
    focusFirstError,
    TextField,
    toast,
} from "../ui/index.ts";
import type { ProjectData } from "./settings.ts";

const DeleteProject = graphql(`
    mutation DeleteProject($id: ID!) {
        deleteProject(id: $id)
    }
`);

export function Delete({ project }: { project: ProjectData }) {
    const asking = useSignal(false);

    return (
        <section
            class="card danger-zone row apart"
            aria-label="Deleting this project"
        >
            <p class="grow">
                Deleting takes all prompts, keys, executions and members with
                it. It cannot be undone.
            </p>
            <Button
                kind="danger"
                icon="trash"
                onClick={() => {
                    asking.value = true;
                }}
            >
                Delete project
            </Button>
            {asking.value && (
                <Sure
                    project={project}
                    onClose={() => {
                        asking.value = false;
                    }}
                />
            )}
        </section>
    );
}

function Sure({
    project: { id, name },
    onClose,
}: {
    project: ProjectData;
    onClose: () => void;
}) {
    const { route } = useLocation();
    const given = useSignal("");
    const tried = useSignal(false);
    const body = useRef<HTMLDivElement>(null);
    const action = useAction();
    const wrong = given.value.trim() !== name;

    async function remove() {
        tried.value = true;

        if (wrong) {
            focusFirstError(body.current);
            return;
        }

        if (await action.run(() => mutate(DeleteProject, { id }))) {
            onClose();
            toast(`${name} is deleted.`, "good");
            route(pathTo("prompts"), true);
            actIn(null);
            doubt();
        }
    }

    return (
        <Dialog
            title="Delete this project?"
            onClose={onClose}
            onSubmit={() => void remove()}
            actions={
                <>
                    <Button onClick={onClose}>Keep it</Button>
                    <Button kind="danger" type="submit" busy={action.busy}>
                        Delete for good
                    </Button>
                </>
            }
        >
            <div class="stack" ref={body}>
                {action.error && <ErrorNote error={action.error} />}
                <p>
                    <strong>{name}</strong> is gone for all of its members at
                    once, and its keys are refused everywhere.
                </p>
                <TextField
                    label="Type the name"
                    spellcheck={false}
                    autofocus
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
