// A link to a thing of another project of the reader's.

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

const OwnExecution = graphql(`
    query OwnExecution($id: ID!) {
        execution(id: $id) {
            id
        }
    }
`);

const OwnDataset = graphql(`
    query OwnDataset($id: ID!) {
        dataset(id: $id) {
            id
        }
    }
`);

const OwnRun = graphql(`
    query OwnRun($id: ID!) {
        run(id: $id) {
            id
        }
    }
`);

interface Project {
    project: string;
}

/** The id of the thing, where the project has it. */
const things = {
    prompt: async (id: string, project: Project) =>
        (await query(OwnPrompt, { next: following(id) }, project)).prompts[0]
            ?.id,
    execution: async (id: string, project: Project) =>
        (await query(OwnExecution, { id }, project)).execution?.id,
    dataset: async (id: string, project: Project) =>
        (await query(OwnDataset, { id }, project)).dataset?.id,
    run: async (id: string, project: Project) =>
        (await query(OwnRun, { id }, project)).run?.id,
};

export type Thing = keyof typeof things;

/** so many are asked at a time */
const TOGETHER = 6;

async function has(
    project: string,
    thing: Thing,
    id: string,
): Promise<boolean> {
    try {
        return (await things[thing](id, { project })) === id.toLowerCase();
    } catch {
        // not there, or one that the reader has just left
        return false;
    }
}

/** Goes to the project that has the thing, and says so; false: none has. */
export async function goWhereItIs(
    id: string,
    thing: Thing = "prompt",
): Promise<boolean> {
    const me = session.peek()?.user.id;
    const here = acting.peek()?.id ?? me;

    try {
        const { projects } = await query(Projects, {}, { project: me });
        const others = projects.filter((p) => p.id !== here);

        for (let i = 0; i < others.length; i += TOGETHER) {
            const some = others.slice(i, i + TOGETHER);
            const found = await Promise.all(
                some.map((p) => has(p.id, thing, id)),
            );
            const project = some[found.indexOf(true)];

            if (project) {
                actIn(project);
                toast(
                    `This ${thing} is of ${project.name}: you are there now.`,
                );
                return true;
            }
        }
    } catch {
        // without the server there is nothing to be found
    }

    return false;
}
