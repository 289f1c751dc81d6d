// graphql(text, [fragments]): a document that is typed by the schema.  At
// run time it is its text, so that no parser is sent to the browser.

import type { initGraphQLTada } from "gql.tada";
import type { RawJson } from "./raw.ts";
import type { introspection } from "./schema.d.ts";

export type {
    FragmentOf,
    ResultOf,
    TadaDocumentNode,
    VariablesOf,
} from "gql.tada";

type Graphql = ReturnType<
    typeof initGraphQLTada<{
        introspection: introspection;
        disableMasking: true;
        scalars: { DateTime: string; JSON: RawJson };
    }>
>;

function text(source: string, fragments: readonly unknown[] = []): string {
    const parts = new Set<string>();

    for (const fragment of fragments as string[]) {
        for (const part of fragment.split(boundary)) {
            parts.add(part);
        }
    }

    return [source.trim(), ...parts].join(boundary);
}

/** between a document and the fragments it brings, which may bring others */
const boundary = "\n#\n";

export const graphql = text as unknown as Graphql;
