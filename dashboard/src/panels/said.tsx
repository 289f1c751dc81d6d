// What is said to a model and by it: messages, calls of tools, outputs that
// have a schema; and what a provider said of its failure.

import type { ComponentChildren } from "preact";
import { adoptSheet, Badge, Icon } from "../ui/index.ts";
import { Rendered, ShowAs } from "./rendered-text.tsx";
import css from "./said.sheet.css";

adoptSheet(css);

export function Text({ mono, children }: { mono?: boolean; children: string }) {
    return (
        // the arrow keys scroll it
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
        <pre class={mono ? "pre mono" : "pre"} tabIndex={0}>
            {children}
        </pre>
    );
}

export interface Call {
    id: string;
    name: string;
    arguments: string;
}

/** A card for each call of a tool. */
export function ToolCalls({ calls }: { calls: readonly Call[] | null }) {
    return (
        <>
            {calls?.map((call, i) => (
                <fieldset
                    key={call.id || i}
                    class="tool-call"
                    aria-label={`Tool call ${call.name}`}
                >
                    <p>
                        <Icon name="code" /> <strong>{call.name}</strong>{" "}
                        {call.id !== "" && (
                            <span class="muted small-text">{call.id}</span>
                        )}
                    </p>
                    {call.arguments !== "" && (
                        <Rendered text={call.arguments} bare mono />
                    )}
                </fieldset>
            ))}
        </>
    );
}

/** Whether an output fits its schema; null: it has none. */
export function OutputCheck({
    errors,
}: {
    errors: readonly string[] | null | undefined;
}) {
    if (errors == null) {
        return null;
    }

    return errors.length === 0 ? (
        <p>
            <Badge kind="good">Output fits its schema</Badge>
        </p>
    ) : (
        <div class="note bad" role="alert">
            <Icon name="warning" />
            <div class="note-text">
                <p>
                    <strong>Output does not fit its schema.</strong>
                </p>
                <ul>
                    {errors.map((error) => (
                        <li key={error}>{error}</li>
                    ))}
                </ul>
            </div>
        </div>
    );
}

/** Status and words of a provider that failed. */
export function ProviderMessage({
    status,
    text,
    level = 3,
}: {
    status: number | null;
    text: string | null;
    level?: 2 | 3;
}) {
    const Heading = `h${level}` as const;

    if (status === null && text === null) {
        return null;
    }

    return (
        <section class="stack tight" aria-label="Provider's message">
            <Heading>Provider's message</Heading>
            {status !== null && (
                <p>
                    Status <code class="code">{status}</code>
                </p>
            )}
            {text !== null && <Text>{text}</Text>}
        </section>
    );
}

const ROLES: Record<string, string> = {
    system: "System",
    developer: "Developer",
    user: "User",
    assistant: "Assistant",
    tool: "Tool",
};

export interface Message {
    role: string;
    content: string;
    images: readonly string[];
    toolCalls: readonly Call[] | null;
    toolCallId: string | null;
}

/** Messages as a provider gets them. */
export function Messages({ messages }: { messages: readonly Message[] }) {
    return (
        <>
            <ShowAs />
            <ol class="said-messages">
                {messages.map((message, i) => (
                    <li key={i} class={`said ${message.role}`}>
                        <p class="said-role">
                            <strong>
                                {ROLES[message.role] ?? message.role}
                            </strong>
                            {message.toolCallId && (
                                <span class="muted small-text">
                                    {" "}
                                    answers {message.toolCallId}
                                </span>
                            )}
                        </p>
                        {message.content !== "" && (
                            <Rendered text={message.content} bare />
                        )}
                        {message.images.map((image, at) => (
                            <Picture key={at} address={image} />
                        ))}
                        <ToolCalls calls={message.toolCalls} />
                    </li>
                ))}
            </ol>
        </>
    );
}

const SHOWN = /^data:image\/(png|jpeg|gif|webp);base64,/i;

/** Shown where it is in the address; what is elsewhere is never fetched. */
function Picture({ address }: { address: string }): ComponentChildren {
    if (SHOWN.test(address)) {
        return (
            <img
                class="said-picture"
                src={address}
                alt="Part of this message"
            />
        );
    }

    return /^https:\/\//i.test(address) ? (
        <a href={address} target="_blank" rel="noreferrer noopener">
            {address}
        </a>
    ) : (
        <code class="code">{address}</code>
    );
}
