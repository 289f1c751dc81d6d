// What there is to set of a project.

import { graphql, type ResultOf } from "../data/graphql.ts";

export const ProjectSettings = graphql(`
    query ProjectSettings {
        project {
            id
            name
            personal
            role
            createdAt
            protectedLabels
            recordsContent
        }
    }
`);

export type ProjectData = ResultOf<typeof ProjectSettings>["project"];
