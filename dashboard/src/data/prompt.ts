// The prompt that a prompt's page is about, and what its tabs are given.

import type { ReadonlySignal } from "@preact/signals";
import { graphql, type ResultOf } from "./graphql.ts";

export const VersionFields = graphql(`
    fragment VersionFields on PromptVersion {
        id
        version
        messages {
            role
            content
            images
            toolCalls {
                id
                name
                arguments
            }
            toolCallId
            placeholder
        }
        content
        params
        inputSchema
        outputSchema
        createdAt
    }
`);

export const PromptFrame = graphql(
    `
    query PromptFrame($id: ID!, $next: ID!) {
        own: prompts(first: 1, after: $next) {
            id
        }
        prompt(id: $id) {
            id
            name
            description
            category
            isPublic
            createdAt
            updatedAt
            createdBy {
                id
                email
                name
            }
            labels {
                label
                version
                split {
                    version
                    permille
                }
                guard {
                    maxFailurePermille
                    maxLatencyRatio
                    maxCostRatio
                    minExecutions
                }
                setAt
                setBy {
                    email
                    name
                }
            }
            versions(last: 1) {
                ...VersionFields
            }
        }
    }
`,
    [VersionFields],
);

export type PromptData = NonNullable<ResultOf<typeof PromptFrame>["prompt"]>;
export type VersionData = PromptData["versions"][number];

/** What each tab of a prompt's page is given (its default export). */
export interface PromptTabProps {
    promptId: string;
    /** as it was last read; refresh() and changes elsewhere renew it */
    prompt: ReadonlySignal<PromptData>;
    /** false: somebody else's public prompt, which can be run and forked */
    mine: boolean;
    /** reads the prompt again, after a mutation that changed it */
    refresh: () => Promise<void>;
}

export const categories = [
    { value: "GENERAL", text: "General" },
    { value: "SUMMARIZATION", text: "Summarization" },
    { value: "ANALYSIS", text: "Analysis" },
    { value: "GENERATION", text: "Generation" },
    { value: "CLASSIFICATION", text: "Classification" },
    { value: "EXTRACTION", text: "Extraction" },
    { value: "ROUTING", text: "Routing" },
    { value: "CUSTOM", text: "Custom" },
] as const;

export type Category = (typeof categories)[number]["value"];

export function categoryText(category: Category): string {
    return categories.find((c) => c.value === category)?.text ?? category;
}
