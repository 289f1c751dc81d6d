// The dialog "New project".

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { mutate } from "./data/client.ts";
import { type ApiError, toApiError } from "./data/errors.ts";
import { graphql } from "./data/graphql.ts";
import { useOnce } from "./data/once.ts";
import { doubt } from "./data/project.ts";
import { makingProject, useProjectChoice } from "./top-bar.tsx";
import {
    Button,
    Dialog,
    ErrorNote,
    focusFirstError,
    TextField,
    toast,
} from "./ui/index.ts";

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
    const length = [...name.trim()].length;

    if (length === 0) {
        return "Enter a name.";
    }

    return length > 100
        ? `At most 100 characters: this has ${length}.`
        : undefined;
}

export default function NewProject() {
    const go = useProjectChoice();
    const name = useSignal("");
    const wrong = useSignal<string | undefined>(undefined);
    const error = useSignal<ApiError | undefined>(undefined);
    const busy = useSignal(false);
    const body = useRef<HTMLDivElement>(null);
    const once = useOnce();

    async function create() {
        if (busy.value) {
            return;
        }

        wrong.value = projectNameError(name.value);
        error.value = undefined;

        if (wrong.value) {
            focusFirstError(body.current);
            return;
        }

        const given = name.value.trim();

        busy.value = true;

        try {
            const { createProject } = await once(given, (key) =>
                mutate(CreateProject, { name: given }, { key }),
            );

            close();

            if (createProject) {
                toast(`You are in ${createProject.name} now.`, "good");
                go(createProject);
                doubt();
            }
        } catch (thrown) {
            const failure = toApiError(thrown);

            if (failure.field === "name") {
                wrong.value = failure.message;
                focusFirstError(body.current);
            } else {
                error.value = failure;
            }
        } finally {
            busy.value = false;
        }
    }

    return (
        <Dialog
            title="New project"
            onClose={close}
            onSubmit={() => void create()}
            actions={
                <>
                    <Button onClick={close}>Cancel</Button>
                    <Button kind="primary" type="submit" busy={busy.value}>
                        Create project
                    </Button>
                </>
            }
        >
            {error.value && <ErrorNote error={error.value} />}
            <div class="stack" ref={body}>
                <TextField
                    label="Name"
                    autofocus
                    placeholder="Support team"
                    help="Prompts, keys and executions of a project belong to all of its members. Invite them in its settings."
                    value={name.value}
                    error={wrong.value}
                    onValue={(value) => {
                        name.value = value;
                        wrong.value = undefined;
                    }}
                />
            </div>
        </Dialog>
    );
}
