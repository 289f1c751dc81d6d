// What a dataset is called and described as: "New dataset" and "Rename".

import { useSignal } from "@preact/signals";
import { useOnce } from "../data/once.ts";
import { useForm } from "../ui/form.ts";
import { FormDialog } from "../ui/form-dialog.tsx";
import { TextArea, TextField } from "../ui/index.ts";
import { nameFault } from "../ui/name-fault.ts";

export function NameDialog({
    title,
    action,
    name: given = "",
    description: about = "",
    onSave,
    onClose,
}: {
    title: string;
    /** the text of its button */
    action: string;
    name?: string;
    description?: string;
    onSave: (
        input: { name: string; description: string },
        key: string,
    ) => Promise<void>;
    onClose: () => void;
}) {
    const name = useSignal(given);
    const description = useSignal(about);
    const form = useForm(["name"]);
    const once = useOnce();

    async function save() {
        const input = {
            name: name.value.trim(),
            description: description.value.trim(),
        };

        if (form.check({ name: nameFault(input.name, 128) })) {
            await form.run(() =>
                once(JSON.stringify(input), (key) => onSave(input, key)),
            );
        }
    }

    return (
        <FormDialog {...{ title, action, form, onClose }} onSubmit={save}>
            <TextField
                label="Name"
                autofocus
                placeholder="Support questions"
                value={name.value}
                error={form.wrong.name}
                onValue={(value) => {
                    name.value = value;
                    form.clear("name");
                }}
            />
            <TextArea
                label="Description"
                optional
                value={description.value}
                onValue={(value) => {
                    description.value = value;
                }}
            />
        </FormDialog>
    );
}
