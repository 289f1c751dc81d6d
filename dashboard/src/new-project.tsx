// The dialog "New project".

import { useSignal } from "@preact/signals";
import { mutate } from "./data/client.ts";
import { graphql } from "./data/graphql.ts";
import { useOnce } from "./data/once.ts";
import { doubt } from "./data/project.ts";
import { makingProject, useProjectChoice } from "./top-bar.tsx";
import { useForm } from "./ui/form.ts";
import { FormDialog } from "./ui/form-dialog.tsx";
import { TextField, toast } from "./ui/index.ts";
import { nameFault } from "./ui/name-fault.ts";

const CreateProject = graphql(`
    mutation CreateProject($name: String!) {
        createProject(name: $name) {
            id
            name
            personal
            role
            protectedLabels
        }
    }
`);

function close(): void {
    makingProject.value = false;
}

/** What is wrong with a project's name; undefined: nothing. */
export function projectNameError(name: string): string | undefined {
    return nameFault(name, 100);
}

export default function NewProject() {
    const go = useProjectChoice();
    const name = useSignal("");
    const form = useForm(["name"]);
    const once = useOnce();

    async function create() {
        if (!form.check({ name: projectNameError(name.value) })) {
            return;
        }

        const given = name.value.trim();

        await form.run(async () => {
            const { createProject } = await once(given, (key) =>
                mutate(CreateProject, { name: given }, { key }),
            );

            close();

            if (createProject) {
                toast(`You are in ${createProject.name} now.`, "good");
                go(createProject);
                doubt();
            }
        });
    }

    return (
        <FormDialog
            title="New project"
            action="Create project"
            form={form}
            onSubmit={create}
            onClose={close}
        >
            <TextField
                label="Name"
                autofocus
                placeholder="Support team"
                help="Prompts, keys and executions of a project belong to all of its members. Invite them in its settings."
                value={name.value}
                error={form.wrong.name}
                onValue={(value) => {
                    name.value = value;
                    form.clear("name");
                }}
            />
        </FormDialog>
    );
}
