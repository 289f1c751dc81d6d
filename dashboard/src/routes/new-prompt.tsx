import { PageHead } from "../ui/index.ts";

export default function NewPrompt() {
    return <PageHead title="NewPrompt" />;
}
