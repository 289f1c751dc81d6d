// What a prompt is called and described as.

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { mutate } from "../data/client.ts";
import { type ApiError, toApiError } from "../data/errors.ts";
import { graphql } from "../data/graphql.ts";
import { kebab, nameError } from "../data/kebab.ts";
import { alsoForget } from "../data/kept.ts";
import { useOnce } from "../data/once.ts";
import {
    type Category,
    categories,
    type PromptTabProps,
} from "../data/prompt.ts";
import { announce, changedMeanwhile, stampOf } from "../data/watch.ts";
import { characters, textFaults } from "../logic/position.ts";
import {
    Button,
    Checkbox,
    ErrorNote,
    focusFirstError,
    Note,
    SelectField,
    TextArea,
    TextField,
    toast,
} from "../ui/index.ts";

const UpdatePrompt = graphql(`
    mutation UpdatePrompt($id: ID!, $input: UpdatePromptInput!) {
        updatePrompt(id: $id, input: $input) {
            id
            name
        }
    }
`);

const DESCRIPTION_LIMIT = 10_000;

/** What can be typed here. */
interface Values {
    name: string;
    description: string;
    category: Category;
    isPublic: boolean;
}

function valuesOf(prompt: PromptTabProps["prompt"]["value"]): Values {
    return {
        name: prompt.name,
        description: prompt.description ?? "",
        category: prompt.category,
        isPublic: prompt.isPublic,
    };
}

function same(a: Values, b: Values): boolean {
    return (
        a.name === b.name &&
        a.description === b.description &&
        a.category === b.category &&
        a.isPublic === b.isPublic
    );
}

function descriptionFault(text: string): string | null {
    const length = characters(text);

    return length > DESCRIPTION_LIMIT
        ? `A description has at most 10,000 characters; this one has ${length}.`
        : (textFaults(text)[0]?.message ?? null);
}

/** Only what differs: what somebody else changed beside it stays. */
function inputOf(values: Values, before: Values) {
    return {
        ...(values.name === before.name ? {} : { name: values.name }),
        ...(values.description === before.description
            ? {}
            : {
                  description:
                      values.description === "" ? null : values.description,
              }),
        ...(values.category === before.category
            ? {}
            : { category: values.category }),
        ...(values.isPublic === before.isPublic
            ? {}
            : { isPublic: values.isPublic }),
    };
}

/** typed and not saved, by prompt: it outlives the tab, not the page */
const typed = new Map<string, { values: Values; before: Values }>();

alsoForget(() => typed.clear());

export function SettingsForm({
    promptId,
    prompt,
    mine,
    refresh,
}: PromptTabProps) {
    const now = valuesOf(prompt.value);
    const before = useSignal<Values>(typed.get(promptId)?.before ?? now);
    const values = useSignal<Values>(typed.get(promptId)?.values ?? now);
    const busy = useSignal(false);
    const error = useSignal<ApiError | undefined>(undefined);
    const meanwhile = useSignal(false);
    const form = useRef<HTMLFormElement>(null);
    const once = useOnce();
    const dirty = !same(values.value, before.value);
    const current = JSON.stringify(now);

    // what is typed stays; what is not typed follows the prompt
    useEffect(() => {
        const fresh = JSON.parse(current) as Values;

        if (same(values.peek(), before.peek())) {
            values.value = fresh;
            before.value = fresh;
        } else if (!same(fresh, before.peek())) {
            meanwhile.value = true;
        }
    }, [current]);

    function set(change: Partial<Values>) {
        values.value = { ...values.value, ...change };
        error.value = undefined;

        if (same(values.value, before.value)) {
            typed.delete(promptId);
        } else {
            typed.set(promptId, {
                values: values.value,
                before: before.value,
            });
        }
    }

    async function save() {
        if (busy.value || !dirty) {
            return;
        }

        if (
            nameError(values.value.name) !== undefined ||
            descriptionFault(values.value.description) !== null
        ) {
            focusFirstError(form.current);
            return;
        }

        busy.value = true;
        error.value = undefined;

        try {
            if (!(await isMeanwhile())) {
                await update();
            }
        } catch (thrown) {
            error.value = toApiError(thrown);
            focusFirstError(form.current);
        } finally {
            busy.value = false;
        }
    }

    /** Somebody else changed it: that is shown before it is overwritten. */
    async function isMeanwhile(): Promise<boolean> {
        if (meanwhile.value) {
            meanwhile.value = false;
            before.value = valuesOf(prompt.value);
            return false;
        }

        if (
            (await changedMeanwhile(promptId, stampOf(prompt.value))) ===
            undefined
        ) {
            return false;
        }

        await refresh();

        // a new version is no change of what stands here
        if (same(valuesOf(prompt.value), before.value)) {
            return false;
        }

        meanwhile.value = true;
        return true;
    }

    async function update() {
        const input = inputOf(values.value, before.value);

        const { updatePrompt } = await once(JSON.stringify(input), (key) =>
            mutate(UpdatePrompt, { id: promptId, input }, { key }),
        );
        const saved = {
            ...values.value,
            name: updatePrompt?.name ?? values.value.name,
        };

        values.value = saved;
        before.value = saved;
        typed.delete(promptId);
        announce({ promptId });
        announce("prompts");
        toast("Settings are saved.", "good");
        await refresh();
    }

    const made = kebab(values.value.name);
    const field = error.value?.field;
    const refusal = (name: string) =>
        field === name ? error.value?.message : undefined;
    const elsewhere =
        field === undefined ||
        !["name", "description", "category", "isPublic"].includes(field);

    return (
        <form
            ref={form}
            noValidate
            onSubmit={(event) => {
                event.preventDefault();
                void save();
            }}
        >
            {meanwhile.value && (
                <Note kind="warn">
                    Somebody changed these settings meanwhile: it is called{" "}
                    <strong>{now.name}</strong> now. Saving again puts yours in
                    their place.
                </Note>
            )}
            {error.value && elsewhere && <ErrorNote error={error.value} />}
            <TextField
                label="Name"
                spellcheck={false}
                value={values.value.name}
                readonly={!mine}
                error={nameError(values.value.name) ?? refusal("name")}
                help={
                    made !== "" && made !== values.value.name ? (
                        <>
                            Becomes <code class="code">{made}</code>
                        </>
                    ) : mine ? (
                        "Programs can ask for it by this name."
                    ) : (
                        "Programs of others ask for it by its id."
                    )
                }
                onValue={(name) => set({ name })}
            />
            <TextArea
                label="Description"
                optional
                value={values.value.description}
                readonly={!mine}
                error={
                    descriptionFault(values.value.description) ??
                    refusal("description")
                }
                onValue={(description) => set({ description })}
            />
            <SelectField
                label="Category"
                choices={categories}
                value={values.value.category}
                disabled={!mine}
                error={refusal("category")}
                onValue={(category) => set({ category: category as Category })}
            />
            <Checkbox
                label="Public"
                help={
                    mine
                        ? "Others may read, run and fork it; only you may change it."
                        : "You may read, run and fork it; only its owner may change it."
                }
                checked={values.value.isPublic}
                disabled={!mine}
                error={refusal("isPublic")}
                onChecked={(isPublic) => set({ isPublic })}
            />
            {mine && (
                <div class="settings-foot">
                    <Button
                        kind="primary"
                        type="submit"
                        busy={busy.value}
                        disabled={!dirty}
                    >
                        Save settings
                    </Button>
                    {dirty && (
                        <Button
                            onClick={() => {
                                values.value = now;
                                before.value = now;
                                meanwhile.value = false;
                                typed.delete(promptId);
                            }}
                        >
                            Undo
                        </Button>
                    )}
                </div>
            )}
        </form>
    );
}
