// What a project is called, which labels are protected, what is recorded.

import { useSignal } from "@preact/signals";
import { mutate } from "../data/client.ts";
import { graphql } from "../data/graphql.ts";
import { doubt, may } from "../data/project.ts";
import { projectNameError } from "../new-project.tsx";
import { useForm } from "../ui/form.ts";
import {
    Badge,
    Button,
    Checkbox,
    ErrorNote,
    TextField,
    toast,
} from "../ui/index.ts";
import { labelsError, labelsOf } from "./labels.ts";
import type { ProjectData } from "./settings.ts";

const UpdateProject = graphql(`
    mutation UpdateProject(
        $name: String
        $protectedLabels: [String!]
        $recordsContent: Boolean
    ) {
        updateProject(
            name: $name
            protectedLabels: $protectedLabels
            recordsContent: $recordsContent
        ) {
            id
        }
    }
`);

interface Props {
    project: ProjectData;
    onSaved: () => void;
}

export function About(props: Props) {
    return may("ADMIN") ? <Form {...props} /> : <Facts {...props} />;
}

function Facts({ project }: Props) {
    return (
        <section class="card narrow" aria-label="About this project">
            <dl class="facts">
                <dt>Name</dt>
                <dd>{project.name}</dd>
                <dt>Protected labels</dt>
                <dd>
                    {project.protectedLabels.length === 0 ? (
                        <span class="muted">none</span>
                    ) : (
                        <span class="badges">
                            {project.protectedLabels.map((label) => (
                                <Badge key={label}>{label}</Badge>
                            ))}
                        </span>
                    )}
                </dd>
                <dt>Inputs and outputs</dt>
                <dd>{project.recordsContent ? "are kept" : "are not kept"}</dd>
            </dl>
        </section>
    );
}

function Form({ project, onSaved }: Props) {
    const name = useSignal(project.name);
    const labels = useSignal(project.protectedLabels.join(", "));
    const records = useSignal(project.recordsContent);
    const form = useForm(["name", "protectedLabels"]);

    async function save() {
        const sound = form.check({
            name: projectNameError(name.value),
            protectedLabels: labelsError(labels.value),
        });

        if (!sound) {
            return;
        }

        const done = await form.run(() =>
            mutate(UpdateProject, {
                name: name.value.trim(),
                protectedLabels: labelsOf(labels.value),
                recordsContent: records.value,
            }),
        );

        if (done) {
            toast("The project is saved.", "good");
            // its name stands in the bar, too
            doubt();
            onSaved();
        }
    }

    return (
        <form
            class="card narrow stack"
            ref={form.place}
            noValidate
            aria-label="About this project"
            onSubmit={(event) => {
                event.preventDefault();
                void save();
            }}
        >
            {form.error && <ErrorNote error={form.error} />}
            <TextField
                label="Name"
                value={name.value}
                error={form.wrong.name}
                onValue={(value) => {
                    name.value = value;
                    form.clear("name");
                }}
            />
            <TextField
                label="Protected labels"
                optional
                spellcheck={false}
                placeholder="production, staging"
                help="Only admins and owners set, move and remove these, and their keys with the scope promote."
                value={labels.value}
                error={form.wrong.protectedLabels}
                onValue={(value) => {
                    labels.value = value;
                    form.clear("protectedLabels");
                }}
            />
            <Checkbox
                label="Keep inputs and outputs"
                help="Otherwise executions keep only their figures: tokens, cost, latency."
                checked={records.value}
                onChecked={(checked) => {
                    records.value = checked;
                }}
            />
            <div class="row end">
                <Button kind="primary" type="submit" busy={form.busy}>
                    Save
                </Button>
            </div>
        </form>
    );
}
