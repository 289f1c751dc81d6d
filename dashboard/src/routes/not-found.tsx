// An address that is none of the dashboard's.

import { pathTo } from "../paths.ts";
import { useTitle } from "../title.ts";
import { ButtonLink } from "../ui/button.tsx";
import { PageHead } from "../ui/say.tsx";

export function NotFound() {
    useTitle("Page not found");

    return (
        <>
            <PageHead title="Page not found">
                There is nothing at this address. It may have been mistyped.
            </PageHead>
            <ButtonLink href={pathTo("prompts")}>All prompts</ButtonLink>
        </>
    );
}
