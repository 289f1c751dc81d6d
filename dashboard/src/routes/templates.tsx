// "Begin with a template": a prompt that works, to be changed.

import { useSignal } from "@preact/signals";
import { useLocation } from "preact-iso/router";
import { mutate, query } from "../data/client.ts";
import { type ApiError, toApiError } from "../data/errors.ts";
import { graphql } from "../data/graphql.ts";
import { useOnce } from "../data/once.ts";
import type { Category } from "../data/prompt.ts";
import { RawJson } from "../data/raw.ts";
import { announce } from "../data/watch.ts";
import { pathTo } from "../paths.ts";
import { Button, ErrorNote } from "../ui/index.ts";

const ModelNames = graphql(`
    query ModelNames {
        models {
            name
        }
    }
`);

const CreateFromTemplate = graphql(`
    mutation CreateFromTemplate($input: CreatePromptInput!) {
        createPrompt(input: $input) {
            id
        }
    }
`);

const AddTemplate = graphql(`
    mutation AddTemplate($input: CreatePromptVersionInput!) {
        createPromptVersion(input: $input) {
            id
        }
    }
`);

interface Template {
    text: string;
    about: string;
    name: string;
    category: Category;
    system: string;
    content: string;
    schema: unknown;
}

const string = (description: string) => ({ type: "string", description });

const TEMPLATES: readonly Template[] = [
    {
        text: "Summarize a text",
        about: "A long text becomes a few sentences.",
        name: "summarize",
        category: "SUMMARIZATION",
        system: "You summarize texts for busy readers. Keep to what the text says.",
        content:
            "Summarize this text in at most {{sentences}} sentences:\n\n{{text}}",
        schema: {
            type: "object",
            properties: {
                text: string("What is to be summarized"),
                sentences: { type: "integer", minimum: 1, default: 3 },
            },
            required: ["text"],
        },
    },
    {
        text: "Classify a message",
        about: "A message gets one of your categories.",
        name: "classify-message",
        category: "CLASSIFICATION",
        system: "You sort messages. Answer with the name of one category, nothing else.",
        content: "Categories: {{categories}}\n\nMessage:\n{{message}}",
        schema: {
            type: "object",
            properties: {
                message: string("What somebody wrote"),
                categories: {
                    type: "string",
                    default: "question, complaint, praise, other",
                },
            },
            required: ["message"],
        },
    },
    {
        text: "Extract data",
        about: "Names, dates and amounts of a document, as JSON.",
        name: "extract-data",
        category: "EXTRACTION",
        system: "You extract data from documents. Answer with JSON alone; null for what is not there.",
        content: "Extract {{fields}} from this document:\n\n{{document}}",
        schema: {
            type: "object",
            properties: {
                document: string("The text to look through"),
                fields: { type: "string", default: "name, date and amount" },
            },
            required: ["document"],
        },
    },
];

/** One that is served under the very name; undefined: the service chooses. */
async function modelName(): Promise<string | undefined> {
    const { models } = await query(ModelNames);

    return models.find(({ name }) => !name.includes("*"))?.name;
}

export default function Templates() {
    const { route } = useLocation();
    const once = useOnce();
    const busy = useSignal<string | undefined>(undefined);
    const error = useSignal<ApiError | undefined>(undefined);

    async function use(template: Template) {
        if (busy.peek() !== undefined) {
            return;
        }

        busy.value = template.name;
        error.value = undefined;

        try {
            const model = await modelName();
            const { createPrompt } = await once(template.name, (key) =>
                mutate(
                    CreateFromTemplate,
                    {
                        input: {
                            name: template.name,
                            description: template.about,
                            category: template.category,
                            isPublic: false,
                        },
                    },
                    { key },
                ),
            );
            const id = createPrompt?.id ?? "";

            announce("prompts");

            try {
                await mutate(AddTemplate, {
                    input: {
                        promptId: id,
                        messages: [
                            { role: "SYSTEM", content: template.system },
                        ],
                        content: template.content,
                        params: RawJson.of(model ? { model } : {}),
                        inputSchema: RawJson.of(template.schema),
                    },
                });
            } finally {
                // without its version it is there to be written
                route(pathTo("promptTab", { id, tab: "edit" }));
            }
        } catch (thrown) {
            error.value = toApiError(thrown);
        } finally {
            busy.value = undefined;
        }
    }

    return (
        <section class="stack templates" aria-labelledby="templates">
            <h2 id="templates">Begin with a template</h2>
            {error.value && <ErrorNote error={error.value} />}
            <div class="columns">
                {TEMPLATES.map((template) => (
                    <div key={template.name} class="stack tight">
                        <p class="muted">{template.about}</p>
                        <p>
                            <Button
                                busy={busy.value === template.name}
                                onClick={() => void use(template)}
                            >
                                Use template: {template.text}
                            </Button>
                        </p>
                    </div>
                ))}
            </div>
        </section>
    );
}
