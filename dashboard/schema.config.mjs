// The schema that the dashboard is typed and checked by: the one place to say
// which.

import { fileURLToPath } from "node:url";

export const schemaFile = fileURLToPath(
    new URL("../schema.graphql", import.meta.url),
);
