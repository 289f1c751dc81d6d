// What a dataset is called and described as: "New dataset" and "Rename".

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { type ApiError, toApiError } from "../data/errors.ts";
import { useOnce } from "../data/once.ts";
import {
    Button,
    Dialog,
    ErrorNote,
    focusFirstError,
    TextArea,
    TextField,
} from "../ui/index.ts";

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
    const wrong = useSignal<string | undefined>(undefined);
    const error = useSignal<ApiError | undefined>(undefined);
    const busy = useSignal(false);
    const body = useRef<HTMLDivElement>(null);
    const once = useOnce();

    async function save() {
        if (busy.value) {
            return;
        }

        const input = {
            name: name.value.trim(),
            description: description.value.trim(),
        };
        const length = [...input.name].length;

        wrong.value =
            length === 0
                ? "Enter a name."
                : length > 128
                  ? `At most 128 characters: this has ${length}.`
                  : undefined;
        error.value = undefined;

        if (wrong.value) {
            focusFirstError(body.current);
            return;
        }

        busy.value = true;

        try {
            await once(JSON.stringify(input), (key) => onSave(input, key));
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
            title={title}
            onClose={onClose}
            onSubmit={() => void save()}
            actions={
                <>
                    <Button onClick={onClose}>Cancel</Button>
                    <Button kind="primary" type="submit" busy={busy.value}>
                        {action}
                    </Button>
                </>
            }
        >
            {error.value && <ErrorNote error={error.value} />}
            <div class="stack" ref={body}>
                <TextField
                    label="Name"
                    autofocus
                    placeholder="Support questions"
                    value={name.value}
                    error={wrong.value}
                    onValue={(value) => {
                        name.value = value;
                        wrong.value = undefined;
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
            </div>
        </Dialog>
    );
}
