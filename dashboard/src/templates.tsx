// Where there is no prompt yet: three to begin with, each private and with a
// version that can be run.

import { useSignal } from "@preact/signals";
import { useLocation } from "preact-iso/router";
import { mutate } from "./data/client.ts";
import { type ApiError, toApiError } from "./data/errors.ts";
import { graphql } from "./data/graphql.ts";
import type { Category } from "./data/prompt.ts";
import { RawJson } from "./data/raw.ts";
import { announce } from "./data/watch.ts";
import { pathTo } from "./paths.ts";
import { Button } from "./ui/button.tsx";
import { ErrorNote } from "./ui/say.tsx";

const TemplatePrompt = graphql(`
    mutation TemplatePrompt($input: CreatePromptInput!) {
        createPrompt(input: $input) {
            id
        }
    }
`);

const TemplateVersion = graphql(`
    mutation TemplateVersion($input: CreatePromptVersionInput!) {
        createPromptVersion(input: $input) {
            id
        }
    }
`);

interface Template {
    title: string;
    name: string;
    about: string;
    category: Category;
    system: string;
    content: string;
    properties: Record<string, object>;
    outputSchema?: object;
}

const text = (description: string) => ({ type: "string", description });

const TEMPLATES: Template[] = [
    {
        title: "Summarize",
        name: "summarize",
        about: "A text in a few sentences.",
        category: "SUMMARIZATION",
        system: "You summarize texts. Say nothing that the text does not say.",
        content: "Summarize in at most {{sentences}} sentences:\n\n{{text}}",
        properties: {
            text: text("What is to be summarized."),
            sentences: { type: "integer", minimum: 1, default: 3 },
        },
    },
    {
        title: "Classify",
        name: "classify-message",
        about: "A message as one of several kinds, as JSON.",
        category: "CLASSIFICATION",
        system: "You sort messages of customers. Choose exactly one kind.",
        content:
            "Which kind is this message: question, complaint, praise or other?\n\n{{message}}",
        properties: { message: text("What the customer wrote.") },
        outputSchema: {
            type: "object",
            properties: {
                kind: {
                    type: "string",
                    enum: ["question", "complaint", "praise", "other"],
                },
            },
            required: ["kind"],
            additionalProperties: false,
        },
    },
    {
        title: "Reply",
        name: "reply-to-customer",
        about: "An answer to a customer, in a tone that you choose.",
        category: "GENERATION",
        system: "You write for the support team of {{company}}. Be {{tone}}.",
        content: "Write an answer to this message:\n\n{{message}}",
        properties: {
            company: text("In whose name it answers."),
            tone: {
                enum: ["friendly", "formal", "short"],
                default: "friendly",
            },
            message: text("What the customer wrote."),
        },
    },
];

export default function Templates() {
    const { route } = useLocation();
    const busy = useSignal("");
    const error = useSignal<ApiError | undefined>(undefined);

    async function use(template: Template) {
        if (busy.value !== "") {
            return;
        }

        busy.value = template.name;
        error.value = undefined;

        try {
            const id = await create(template);

            announce("prompts");
            route(pathTo("promptTab", { id, tab: "edit" }));
        } catch (thrown) {
            error.value = toApiError(thrown);
        } finally {
            busy.value = "";
        }
    }

    return (
        <section class="stack templates" aria-labelledby="templates">
            <h2 id="templates">Begin with a template</h2>
            {error.value && <ErrorNote error={error.value} />}
            <div class="columns">
                {TEMPLATES.map((template) => (
                    <div class="stack tight" key={template.name}>
                        <p>
                            <strong>{template.title}</strong>
                            <br />
                            <span class="muted">{template.about}</span>
                        </p>
                        <div>
                            <Button
                                busy={busy.value === template.name}
                                onClick={() => void use(template)}
                            >
                                Use template: {template.title}
                            </Button>
                        </div>
                    </div>
                ))}
            </div>
        </section>
    );
}

async function create(template: Template): Promise<string> {
    const { name, about, category, system, content, properties } = template;
    const { createPrompt } = await mutate(TemplatePrompt, {
        input: { name, description: about, category, isPublic: false },
    });
    const promptId = createPrompt?.id ?? "";

    await mutate(TemplateVersion, {
        input: {
            promptId,
            messages: [{ role: "SYSTEM", content: system }],
            content,
            params: new RawJson("{}"),
            inputSchema: RawJson.of({
                type: "object",
                properties,
                required: Object.entries(properties)
                    .filter(([, schema]) => !("default" in schema))
                    .map(([property]) => property),
            }),
            outputSchema: template.outputSchema
                ? RawJson.of(template.outputSchema)
                : null,
        },
    });

    return promptId;
}
