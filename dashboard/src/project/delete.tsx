// The end of a project.

import { useSignal } from "@preact/signals";
import { useLocation } from "preact-iso/router";
import { mutate } from "../data/client.ts";
import { graphql } from "../data/graphql.ts";
import { actIn, doubt } from "../data/project.ts";
import { pathTo } from "../paths.ts";
import { DeleteDialog } from "../ui/delete-dialog.tsx";
import { Button, toast } from "../ui/index.ts";
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
    async function remove() {
        await mutate(DeleteProject, { id });
        onClose();
        toast(`${name} is deleted.`, "good");
        route(pathTo("prompts"), true);
        actIn(null);
        doubt();
    }

    return (
        <DeleteDialog
            title="Delete this project?"
            name={name}
            onDelete={remove}
            onClose={onClose}
        >
            <strong>{name}</strong> is gone for all of its members at once, and
            its keys are refused everywhere.
        </DeleteDialog>
    );
}
