import { PageHead } from "../ui/index.ts";

/** alone: prompt_console serves it, perhaps without a session. */
export default function Console(_: { alone?: boolean }) {
    return <PageHead title="Console" />;
}
