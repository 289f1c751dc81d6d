// Setting a label: at one version, or split over several.

import { graphql, type ResultOf } from "../data/graphql.ts";
import type { PromptData } from "../data/prompt.ts";

export const SetLabel = graphql(`
    mutation SetLabel(
        $promptId: ID!
        $label: String!
        $version: Int!
        $split: [LabelSplitInput!]
        $guard: LabelGuardInput
    ) {
        setPromptLabel(
            promptId: $promptId
            label: $label
            version: $version
            split: $split
            guard: $guard
        ) {
            label
            version
            split {
                version
                permille
            }
        }
    }
`);

export type LabelData = PromptData["labels"][number];
export type Guard = NonNullable<LabelData["guard"]>;
export type LabelSet = NonNullable<ResultOf<typeof SetLabel>["setPromptLabel"]>;

export interface Part {
    version: number;
    permille: number;
}

/** The one with the greatest share, the first of equals. */
export function mainOf(parts: readonly Part[]): number {
    return parts.reduce<Part>(
        (best, one) => (one.permille > best.permille ? one : best),
        { version: 0, permille: -1 },
    ).version;
}

/** What setPromptLabel is given, without the label. */
export function changeOf(parts: readonly Part[], guard: Guard | null) {
    const given = parts.filter(({ permille }) => permille > 0);

    return given.length === 1
        ? { version: mainOf(given), split: null, guard: null }
        : { version: mainOf(given), split: given, guard };
}
