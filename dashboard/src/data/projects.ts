// The reader's projects, the personal one first.

import { graphql } from "./graphql.ts";

export const Projects = graphql(`
    query Projects {
        projects {
            id
            name
            personal
            role
            protectedLabels
        }
    }
`);
