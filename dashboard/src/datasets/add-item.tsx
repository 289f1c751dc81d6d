// The dialog "Add item".

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { mutate } from "../data/client.ts";
import { type ApiError, toApiError } from "../data/errors.ts";
import { useOnce } from "../data/once.ts";
import { RawJson } from "../data/raw.ts";
import { Button, Dialog, ErrorNote, focusFirstError } from "../ui/index.ts";
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
    const wrong = useSignal<Partial<Record<Name, string>>>({});
    const error = useSignal<ApiError | undefined>(undefined);
    const busy = useSignal(false);
    const body = useRef<HTMLDivElement>(null);
    const once = useOnce();

    async function add() {
        if (busy.value) {
            return;
        }

        const faults = FIELDS.flatMap(({ name, object }) => {
            const text = texts.value[name].trim();
            const fault =
                text === "" && name !== "input"
                    ? undefined
                    : jsonFault(text, object);

            return fault ? [[name, fault]] : [];
        });

        wrong.value = Object.fromEntries(faults);
        error.value = undefined;

        if (faults.length > 0) {
            focusFirstError(body.current);
            return;
        }

        const json = (name: Name) => {
            const text = texts.value[name].trim();

            return text === "" ? null : new RawJson(text);
        };

        busy.value = true;

        try {
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
        } catch (thrown) {
            const failure = toApiError(thrown);
            const [, name] = /^items\.0\.(\w+)/.exec(failure.field ?? "") ?? [];

            if (FIELDS.some((field) => field.name === name)) {
                wrong.value = { [name as Name]: failure.message };
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
            title="Add item"
            size="medium"
            onClose={onClose}
            onSubmit={() => void add()}
            actions={
                <>
                    <Button onClick={onClose}>Cancel</Button>
                    <Button kind="primary" type="submit" busy={busy.value}>
                        Add
                    </Button>
                </>
            }
        >
            {error.value && <ErrorNote error={error.value} />}
            <div class="stack" ref={body}>
                {FIELDS.map(({ name, label, help }) => (
                    <JsonArea
                        key={name}
                        label={label}
                        help={help}
                        optional={name !== "input"}
                        value={texts.value[name]}
                        error={wrong.value[name]}
                        onValue={(text) => {
                            texts.value = { ...texts.value, [name]: text };
                            wrong.value = { ...wrong.value, [name]: "" };
                        }}
                    />
                ))}
            </div>
        </Dialog>
    );
}
