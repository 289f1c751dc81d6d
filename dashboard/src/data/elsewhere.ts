// A link to a prompt of another project of the reader's.

import { toast } from "../ui/toast.tsx";
import { query } from "./client.ts";
import { graphql } from "./graphql.ts";
import { actIn, acting, following } from "./project.ts";
import { Projects } from "./projects.ts";
import { session } from "./session.ts";

const OwnPrompt = graphql(`
    query OwnPrompt($next: ID!) {
        prompts(first: 1, after: $next) {
            id
        }
    }
`);

/** so many are asked at a time */
const TOGETHER = 6;

async function has(project: string, id: string): Promise<boolean> {
    try {
        const { prompts } = await query(
            OwnPrompt,
            { next: following(id) },
            { project },
        );

        return prompts[0]?.id === id.toLowerCase();
    } catch {
        // one that the reader has just left has nothing for them
        return false;
    }
}

/** Goes to the project that has the prompt, and says so; false: none has. */
export async function goWhereItIs(id: string): Promise<boolean> {
    const me = session.peek()?.user.id;
    const here = acting.peek()?.id ?? me;

    try {
        const { projects } = await query(Projects, {}, { project: me });
        const others = projects.filter((p) => p.id !== here);

        for (let i = 0; i < others.length; i += TOGETHER) {
            const some = others.slice(i, i + TOGETHER);
            const found = await Promise.all(some.map((p) => has(p.id, id)));
            const project = some[found.indexOf(true)];

            if (project) {
                actIn(project);
                toast(`This prompt is of ${project.name}: you are there now.`);
                return true;
            }
        }
    } catch {
        // without the server there is nothing to be found
    }

    return false;
}
