// The routes, and the addresses of them.  build.mjs reads the table, so that
// nginx serves the page for these and no others.

import { page } from "./data/page.ts";

export const paths = {
    home: "",
    login: "login",
    prompts: "prompts",
    newPrompt: "prompts/new",
    prompt: "prompts/:id",
    promptTab: "prompts/:id/:tab",
    executions: "executions",
    execution: "executions/:id",
    datasets: "datasets",
    dataset: "datasets/:id",
    run: "runs/:id",
    overview: "overview",
    console: "console",
    keys: "settings/keys",
    account: "settings/account",
    project: "settings/project",
    audit: "settings/audit",
    invitation: "invitation",
};

export type PathName = keyof typeof paths;

/** The address of a route: `pathTo("promptTab", { id, tab: "run" })`. */
export function pathTo(
    name: PathName,
    params: Record<string, string> = {},
    query: Record<string, string | undefined> = {},
): string {
    const path = paths[name].replace(/:(\w+)/g, (_, param: string) =>
        encodeURIComponent(params[param] ?? ""),
    );
    const search = new URLSearchParams();

    for (const [key, value] of Object.entries(query)) {
        if (value !== undefined && value !== "") {
            search.set(key, value);
        }
    }

    const text = search.toString();

    return page.base + path + (text === "" ? "" : `?${text}`);
}

/** The pattern of a route for the router. */
export function patternOf(name: PathName): string {
    return page.base + paths[name];
}
