// /prompts/new

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { mutate } from "../data/client.ts";
import { ApiError, toApiError } from "../data/errors.ts";
import { graphql } from "../data/graphql.ts";
import { kebab, nameError } from "../data/kebab.ts";
import { useOnce } from "../data/once.ts";
import { may } from "../data/project.ts";
import { type Category, categories } from "../data/prompt.ts";
import { announce } from "../data/watch.ts";
import { pathTo } from "../paths.ts";
import { useTitle } from "../title.ts";
import {
    Button,
    ButtonLink,
    Checkbox,
    ErrorNote,
    focusFirstError,
    Note,
    PageHead,
    SelectField,
    TextArea,
    TextField,
} from "../ui/index.ts";

const CreatePrompt = graphql(`
    mutation CreatePrompt($input: CreatePromptInput!) {
        createPrompt(input: $input) {
            id
        }
    }
`);

const longest = 10_000;

/** what the service says of a field, without the field's name before it */
function words(error: ApiError): string {
    const name = `${error.field}: `;

    return error.message.startsWith(name)
        ? error.message.slice(name.length)
        : error.message;
}

export default function NewPrompt() {
    useTitle("New prompt");

    const { route } = useLocation();
    const name = useSignal("");
    const description = useSignal("");
    const category = useSignal<Category>("GENERAL");
    const isPublic = useSignal(false);
    const errors = useSignal<Record<string, string | undefined>>({});
    const error = useSignal<ApiError | undefined>(undefined);
    const busy = useSignal(false);
    const form = useRef<HTMLFormElement>(null);
    const once = useOnce();
    const made = kebab(name.value);

    function put(field: string, text: string | undefined) {
        errors.value = { ...errors.value, [field]: text };
    }

    async function submit() {
        if (busy.value) {
            return;
        }

        const length = [...description.value].length;

        errors.value = {
            name: nameError(name.value),
            description:
                length > longest
                    ? `At most 10,000 characters: this has ${length}.`
                    : undefined,
        };
        error.value = undefined;

        if (errors.value.name || errors.value.description) {
            focusFirstError(form.current);
            return;
        }

        const input = {
            name: name.value,
            description: description.value.trim() ? description.value : null,
            category: category.value,
            isPublic: isPublic.value,
        };

        busy.value = true;

        try {
            const { createPrompt } = await once(JSON.stringify(input), (key) =>
                mutate(CreatePrompt, { input }, { key }),
            );

            if (createPrompt === null) {
                throw new ApiError({}, 200);
            }

            announce("prompts");
            route(pathTo("prompt", { id: createPrompt.id }));
        } catch (thrown) {
            const failure = toApiError(thrown);

            if (failure.field === "name" || failure.field === "description") {
                put(failure.field, words(failure));
                focusFirstError(form.current);
            } else {
                error.value = failure;
            }
        } finally {
            busy.value = false;
        }
    }

    return (
        <>
            <PageHead title="New prompt">
                Its name, and what it is for. Its text comes next.
            </PageHead>
            {!may("EDITOR") && (
                <Note kind="warn">
                    You are a viewer of this project, and cannot create prompts
                    here.
                </Note>
            )}
            {may("EDITOR") && (
                <form
                    class="card narrow stack"
                    ref={form}
                    noValidate
                    onSubmit={(event) => {
                        event.preventDefault();
                        void submit();
                    }}
                >
                    {error.value && <ErrorNote error={error.value} />}
                    <TextField
                        label="Name"
                        autofocus
                        value={name.value}
                        error={errors.value.name}
                        help={
                            made === "" ? (
                                "Programs ask for it by this name."
                            ) : (
                                <>
                                    It becomes <code class="code">{made}</code>
                                </>
                            )
                        }
                        onValue={(value) => {
                            name.value = value;
                            put("name", undefined);
                        }}
                    />
                    <TextArea
                        label="Description"
                        optional
                        value={description.value}
                        error={errors.value.description}
                        help="For people: what it does, and when to use it."
                        onValue={(value) => {
                            description.value = value;
                            put("description", undefined);
                        }}
                    />
                    <SelectField
                        label="Category"
                        value={category.value}
                        choices={categories}
                        onValue={(value) => {
                            category.value = value as Category;
                        }}
                    />
                    <Checkbox
                        label="Public"
                        help="Everybody with an account here may read, run and fork it. Only this project can change it."
                        checked={isPublic.value}
                        onChecked={(checked) => {
                            isPublic.value = checked;
                        }}
                    />
                    <div class="row end">
                        <ButtonLink kind="quiet" href={pathTo("prompts")}>
                            Cancel
                        </ButtonLink>
                        <Button kind="primary" type="submit" busy={busy.value}>
                            Create prompt
                        </Button>
                    </div>
                </form>
            )}
        </>
    );
}
