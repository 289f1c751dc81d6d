import { useTitle } from "../title.ts";
import { PageHead } from "../ui/say.tsx";

export function Prompts() {
    useTitle("Prompts");

    return <PageHead title="Prompts" />;
}
