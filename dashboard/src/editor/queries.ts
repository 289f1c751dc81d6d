// What the editor asks of the API and changes by it.

import { query } from "../data/client.ts";
import { graphql } from "../data/graphql.ts";
import { type VersionData, VersionFields } from "../data/prompt.ts";

const LatestVersion = graphql(
    `
    query LatestVersion($id: ID!) {
        prompt(id: $id) {
            versions(last: 1) {
                ...VersionFields
            }
        }
    }
`,
    [VersionFields],
);

const OneVersion = graphql(
    `
    query OneVersion($id: ID!, $number: Int!) {
        prompt(id: $id) {
            version(number: $number) {
                ...VersionFields
            }
        }
    }
`,
    [VersionFields],
);

export const CreateVersion = graphql(
    `
    mutation CreateVersion($input: CreatePromptVersionInput!) {
        createPromptVersion(input: $input) {
            ...VersionFields
        }
    }
`,
    [VersionFields],
);

/** The latest version as it is now; undefined where there is none. */
export async function latestVersion(
    id: string,
): Promise<VersionData | undefined> {
    return (await query(LatestVersion, { id })).prompt?.versions.at(-1);
}

/** Throws ApiError (NOT_FOUND) where there is none of that number. */
export async function oneVersion(
    id: string,
    number: number,
): Promise<VersionData | undefined> {
    return (
        (await query(OneVersion, { id, number })).prompt?.version ?? undefined
    );
}
