// What the page says of where it stands: prompt_dashboard and
// prompt_console write it.

export interface Page {
    /** path that all routes begin with; ends with a slash */
    base: string;
    /** URI of the GraphQL endpoint */
    graphql: string;
    /** URI of the session location */
    session: string;
}

export function meta(name: string, otherwise: string): string {
    const content =
        typeof document === "undefined"
            ? undefined
            : document
                  .querySelector(`meta[name="prompt-${name}"]`)
                  ?.getAttribute("content");

    // a page that nobody filled still has its marks
    return content == null || content.startsWith("{{") ? otherwise : content;
}

export const page: Page = {
    base: meta("base", "/"),
    graphql: meta("graphql", "/graphql"),
    session: meta("session", "/session"),
};
