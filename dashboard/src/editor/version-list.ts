// The versions of a prompt, newest first, by pages.  The API lists them
// ascending; numbers have no gaps, so the page before one that is known begins
// behind the version with a number that is known, too.

import { signal } from "@preact/signals";
import { query } from "../data/client.ts";
import { type ApiError, toApiError } from "../data/errors.ts";
import { graphql, type ResultOf } from "../data/graphql.ts";

const SIZE = 20;

const VersionRow = graphql(`
    fragment VersionRow on PromptVersion {
        id
        version
        params
        note
        createdAt
        createdBy {
            email
            name
        }
    }
`);

const NewestVersions = graphql(
    `
    query NewestVersions($id: ID!, $last: Int!) {
        prompt(id: $id) {
            versions(last: $last) {
                ...VersionRow
            }
        }
    }
`,
    [VersionRow],
);

const VersionId = graphql(`
    query VersionId($id: ID!, $number: Int!) {
        prompt(id: $id) {
            version(number: $number) {
                id
            }
        }
    }
`);

const OlderVersions = graphql(
    `
    query OlderVersions($id: ID!, $first: Int!, $after: ID) {
        prompt(id: $id) {
            versions(first: $first, after: $after) {
                ...VersionRow
            }
        }
    }
`,
    [VersionRow],
);

export type VersionRowData = ResultOf<typeof VersionRow>;

export type VersionList = ReturnType<typeof createVersionList>;

export function createVersionList(promptId: string) {
    const rows = signal<readonly VersionRowData[] | undefined>(undefined);
    const loading = signal(false);
    const error = signal<ApiError | undefined>(undefined);

    async function guarded(work: () => Promise<void>): Promise<void> {
        if (loading.value) {
            return;
        }

        loading.value = true;
        error.value = undefined;

        try {
            await work();
        } catch (thrown) {
            error.value = toApiError(thrown);
        } finally {
            loading.value = false;
        }
    }

    /** the newest; those that were shown before stay below them */
    const load = () =>
        guarded(async () => {
            const { prompt } = await query(NewestVersions, {
                id: promptId,
                last: SIZE,
            });
            const newest = (prompt?.versions ?? []).toReversed();
            const oldest = newest.at(-1)?.version ?? 0;
            const known = rows.value ?? [];

            // no gap between the two
            rows.value =
                known[0] !== undefined && known[0].version >= oldest - 1
                    ? [
                          ...newest,
                          ...known.filter((row) => row.version < oldest),
                      ]
                    : newest;
        });

    const more = () =>
        guarded(async () => {
            const known = rows.value ?? [];
            const until = known.at(-1)?.version ?? 1;
            const before = Math.max(0, until - 1 - SIZE);
            const after =
                before === 0
                    ? null
                    : ((
                          await query(VersionId, {
                              id: promptId,
                              number: before,
                          })
                      ).prompt?.version?.id ?? null);
            const { prompt } = await query(OlderVersions, {
                id: promptId,
                first: until - 1 - before,
                after,
            });

            rows.value = [...known, ...(prompt?.versions ?? []).toReversed()];
        });

    return { rows, loading, error, load, more };
}
