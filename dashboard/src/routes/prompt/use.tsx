import type { PromptTabProps } from "../../data/prompt.ts";

/** The tab "use" of a prompt; PromptTabProps says what it is given. */
export default function Tab({ prompt }: PromptTabProps) {
    return <p>{prompt.value.name}</p>;
}
