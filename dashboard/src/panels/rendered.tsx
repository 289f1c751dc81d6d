// The region "Messages": what would be sent, or was, made by the service of a
// version and an input.

import { graphql } from "../data/graphql.ts";
import { useQuery } from "../data/query.ts";
import { RawJson } from "../data/raw.ts";
import { Note, Skeleton } from "../ui/index.ts";
import { Messages } from "./said.tsx";

const Rendered = graphql(`
    query RenderedMessages(
        $promptId: ID!
        $input: JSON!
        $version: Int
        $label: String
    ) {
        renderPrompt(
            promptId: $promptId
            input: $input
            version: $version
            label: $label
        ) {
            messages {
                role
                content
                images
                toolCalls {
                    id
                    name
                    arguments
                }
                toolCallId
            }
        }
    }
`);

interface Asked {
    promptId: string;
    /** as JSON */
    input: string;
    version?: number | undefined;
    label?: string | undefined;
}

/** Without a frame of its own. */
export function MessagesOf({ promptId, input, version, label }: Asked) {
    const { data, error } = useQuery(Rendered, {
        promptId,
        input: new RawJson(input),
        version: version ?? null,
        label: label ?? null,
    });
    const messages = data.value?.renderPrompt?.messages;

    if (error.value) {
        return <Note>They cannot be made: {error.value.message}</Note>;
    }

    return messages === undefined ? (
        <Skeleton lines={3} />
    ) : (
        <Messages messages={messages} />
    );
}

export function RenderedMessages({
    id,
    class: name,
    ...asked
}: Asked & { id?: string; class: string }) {
    return (
        <section id={id} class={`stack ${name}`} aria-label="Messages">
            <h3>Messages</h3>
            <MessagesOf {...asked} />
        </section>
    );
}
