// Deleting for good: sure is who types the name of what is to go.

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { TextField } from "./field.tsx";
import { useForm } from "./form.ts";
import { ErrorNote } from "./say.tsx";

export function DeleteDialog({
    title,
    name,
    onDelete,
    onClose,
    children,
}: {
    title: string;
    name: string;
    /** deletes it, and leaves what showed it */
    onDelete: () => Promise<void>;
    onClose: () => void;
    /** what goes with it */
    children: ComponentChildren;
}) {
    const given = useSignal("");
    const tried = useSignal(false);
    const form = useForm<"name">([]);
    const wrong =
        given.value.trim() === name ? undefined : "This is not its name.";

    async function remove() {
        tried.value = true;

        if (form.check({ name: wrong })) {
            await form.run(onDelete);
        }
    }

    return (
        <Dialog
            title={title}
            onClose={onClose}
            onSubmit={() => void remove()}
            actions={
                <>
                    <Button onClick={onClose}>Keep it</Button>
                    <Button kind="danger" type="submit" busy={form.busy}>
                        Delete for good
                    </Button>
                </>
            }
        >
            <div class="stack" ref={form.place}>
                {form.error && <ErrorNote error={form.error} />}
                <p>{children}</p>
                <TextField
                    label="Type the name"
                    spellcheck={false}
                    value={given.value}
                    help={
                        <>
                            Type <code class="code">{name}</code> to delete it.
                        </>
                    }
                    error={tried.value ? wrong : undefined}
                    onValue={(value) => {
                        given.value = value;
                    }}
                />
            </div>
        </Dialog>
    );
}
