// The dialog "Add item".

import { useSignal } from "@preact/signals";
import { mutate } from "../data/client.ts";
import { useOnce } from "../data/once.ts";
import { RawJson } from "../data/raw.ts";
import { useForm } from "../ui/form.ts";
import { FormDialog } from "../ui/form-dialog.tsx";
import { JsonArea, jsonFault } from "../ui/json-area.tsx";
import { AddItems } from "./queries.ts";

const FIELDS = [
    {
        name: "input",
        label: "Input",
        object: true,
        help: "Values for the placeholders: a JSON object.",
    },
    {
        name: "expected",
        label: "Expected",
        object: false,
        help: "What a good output is, as JSON; a text in quotes.",
    },
    {
        name: "metadata",
        label: "Metadata",
        object: true,
        help: "What else there is to note: a JSON object.",
    },
] as const;

type Name = (typeof FIELDS)[number]["name"];

export function AddItemDialog({
    datasetId,
    onAdded,
    onClose,
}: {
    datasetId: string;
    onAdded: () => Promise<void>;
    onClose: () => void;
}) {
    const texts = useSignal<Record<Name, string>>({
        input: "{}",
        expected: "",
        metadata: "",
    });
    const form = useForm(
        FIELDS.map(({ name }) => name),
        ({ field }) => /^items\.0\.(\w+)/.exec(field ?? "")?.[1],
    );
    const once = useOnce();

    async function add() {
        const faults = FIELDS.flatMap(({ name, object }) => {
            const text = texts.value[name].trim();
            const fault =
                text === "" && name !== "input"
                    ? undefined
                    : jsonFault(text, object);

            return fault ? [[name, fault]] : [];
        });

        if (!form.check(Object.fromEntries(faults))) {
            return;
        }

        const json = (name: Name) => {
            const text = texts.value[name].trim();

            return text === "" ? null : new RawJson(text);
        };

        await form.run(async () => {
            const item = {
                input: json("input") as RawJson,
                expected: json("expected"),
                metadata: json("metadata"),
            };

            await once(JSON.stringify(texts.value), (key) =>
                mutate(AddItems, { datasetId, items: [item] }, { key }),
            );
            onClose();
            await onAdded();
        });
    }

    return (
        <FormDialog
            title="Add item"
            action="Add"
            size="medium"
            form={form}
            onSubmit={add}
            onClose={onClose}
        >
            {FIELDS.map(({ name, label, help }) => (
                <JsonArea
                    key={name}
                    label={label}
                    help={help}
                    optional={name !== "input"}
                    value={texts.value[name]}
                    error={form.wrong[name]}
                    onValue={(text) => {
                        texts.value = { ...texts.value, [name]: text };
                        form.clear(name);
                    }}
                />
            ))}
        </FormDialog>
    );
}
