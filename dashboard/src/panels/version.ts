// The version that a choice names, read when it is chosen.

import { ApiError } from "../data/errors.ts";
import { graphql, type ResultOf } from "../data/graphql.ts";
import { useQuery } from "../data/query.ts";
import { pickArguments, pickName, pickOf } from "./pick.ts";

const Version = graphql(`
    query PickedVersion($id: ID!, $number: Int, $label: String) {
        prompt(id: $id) {
            version(number: $number, label: $label) {
                version
                content
                messages {
                    content
                    images
                    placeholder
                }
                params
                inputSchema
            }
        }
    }
`);

export type PickedVersion = NonNullable<
    NonNullable<ResultOf<typeof Version>["prompt"]>["version"]
>;

/**
 * pick: a choice of pickChoices(), or null for none.  latest: the newest
 * version's number, so that "latest" is read again when there is a newer one.
 */
export function usePicked(
    id: string,
    pick: string | null,
    latest: number,
): {
    version: PickedVersion | undefined;
    error: ApiError | undefined;
    loading: boolean;
    reload: () => void;
} {
    const named = pickOf(pick ?? "");
    const { version, label } = pickArguments(
        named.kind === "latest" ? { kind: "version", version: latest } : named,
    );
    const state = useQuery(
        Version,
        { id, number: version, label },
        { enabled: pick !== null },
    );
    const data = state.data.value;
    const found = data?.prompt?.version ?? undefined;
    const missing =
        data !== undefined && found === undefined && !state.loading.value
            ? new ApiError(
                  {
                      message: `${pickName(named)} is not there any more.`,
                      extensions: { code: "NOT_FOUND" },
                  },
                  200,
              )
            : undefined;

    return {
        version: pick === null ? undefined : found,
        error: pick === null ? undefined : (state.error.value ?? missing),
        loading: pick !== null && state.loading.value,
        reload: () => void state.reload(),
    };
}
