// Messages before a version's content: templates with a role, and places for
// a history.

import { bytes, characters, type Fault, textFaults } from "./position.ts";
import { readTemplate } from "./template.ts";

export type Role = "SYSTEM" | "USER" | "ASSISTANT" | "TOOL";

export const ROLES: { value: Role; name: string }[] = [
    { value: "SYSTEM", name: "System" },
    { value: "USER", name: "User" },
    { value: "ASSISTANT", name: "Assistant" },
    { value: "TOOL", name: "Tool" },
];

export type ToolCall = { id: string; name: string; arguments: string };

/** What a message has beside its text. */
export type Beside = {
    images?: string[] | null;
    toolCalls?: ToolCall[] | null;
    toolCallId?: string | null;
};

export type TextMessage = {
    key: number;
    role: Role;
    content: string;
    /** it came without any, and is left so */
    silent?: boolean;
    beside?: Beside;
};

export type Message = TextMessage | { key: number; placeholder: string };

/** As the API has them: exactly one of content and placeholder. */
export type ApiMessage = Beside & {
    role?: string | null;
    content?: string | null;
    placeholder?: string | null;
};

export const MESSAGE_LIMIT = 256;

const CONTENT_LIMIT = 1024 * 1024;
const NAME_LIMIT = 128;
const TOGETHER_LIMIT = 8 * 1024 * 1024;

let keys = 0;

/** A key that no other message of this page has. */
export function newKey(): number {
    return ++keys;
}

export function isHistory(
    message: Message,
): message is Extract<Message, { placeholder: string }> {
    return "placeholder" in message;
}

function besideOf({ images, toolCalls, toolCallId }: Beside): Beside {
    return {
        ...(images && images.length > 0 && { images }),
        ...(toolCalls && toolCalls.length > 0 && { toolCalls }),
        ...(typeof toolCallId === "string" && { toolCallId }),
    };
}

export function fromApi(messages: readonly ApiMessage[]): Message[] {
    return messages.map((message) => {
        if (typeof message.placeholder === "string") {
            return { key: newKey(), placeholder: message.placeholder };
        }

        const beside = besideOf(message);

        return {
            key: newKey(),
            role: (message.role ?? "USER") as Role,
            content: message.content ?? "",
            ...(typeof message.content !== "string" && { silent: true }),
            ...(Object.keys(beside).length > 0 && { beside }),
        };
    });
}

/** What is beside a message's text, a line each. */
export function besideLines({ images, toolCalls, toolCallId }: Beside) {
    return [
        ...(images ?? []).map((image) => `picture: ${image}`),
        ...(toolCalls ?? []).map(
            (call) => `calls ${call.name} ${call.arguments} (${call.id})`,
        ),
        ...(typeof toolCallId === "string" ? [`answers ${toolCallId}`] : []),
    ];
}

/** Of what was typed beside a text, what its role has. */
function besideFor(role: Role, beside: Beside): Beside {
    const { images, toolCalls, toolCallId } = besideOf(beside);

    return {
        ...(role === "USER" && images && { images }),
        ...(role === "ASSISTANT" && toolCalls && { toolCalls }),
        ...(role === "TOOL" && toolCallId !== undefined && { toolCallId }),
    };
}

export function toApi(messages: readonly Message[]): ApiMessage[] {
    return messages.map((message) => {
        if (isHistory(message)) {
            return { placeholder: message.placeholder };
        }

        const { role, content, silent } = message;
        const beside = besideFor(role, message.beside ?? {});

        return silent && content === "" && beside.toolCalls
            ? { role, ...beside }
            : { role, content, ...beside };
    });
}

/** As createPromptVersion takes what a version has. */
export function toInput(messages: readonly ApiMessage[]) {
    return toApi(fromApi(messages)).map(({ role, placeholder, ...rest }) =>
        typeof placeholder === "string"
            ? { placeholder }
            : { ...rest, role: role as Role },
    );
}

/** The list with one of its messages moved by one; as it is at the ends. */
export function moved(
    messages: readonly Message[],
    index: number,
    by: -1 | 1,
): Message[] {
    const list = [...messages];
    const [message] = list.splice(index, 1);

    if (message !== undefined) {
        const last = list.length;

        list.splice(Math.max(0, Math.min(last, index + by)), 0, message);
    }

    return list;
}

/** What is wrong with a template, whichever it is. */
export function contentFaults(text: string, field: string): Fault[] {
    const faults: Fault[] = [...readTemplate(text).faults, ...textFaults(text)];

    if (bytes(text) > CONTENT_LIMIT) {
        faults.push({ from: 0, to: 0, message: "A text has at most 1 MiB." });
    }

    return faults.map((fault) => ({ ...fault, field }));
}

/** What is wrong with the name of a history; null where nothing is. */
export function historyFault(name: string): string | null {
    if (name === "") {
        return "Name the member of the input that holds the history.";
    }

    if (name.includes("\0")) {
        return "The character U+0000 is not allowed.";
    }

    return characters(name) > NAME_LIMIT
        ? `A name has at most ${NAME_LIMIT} characters.`
        : null;
}

/** What is wrong with the list as a whole; null where nothing is. */
export function listFault(messages: readonly Message[]): string | null {
    if (messages.length > MESSAGE_LIMIT) {
        return `There are at most ${MESSAGE_LIMIT} messages.`;
    }

    return bytes(JSON.stringify(toApi(messages))) > TOGETHER_LIMIT
        ? "Messages together have at most 8 MiB."
        : null;
}

/** Messages as one text, for comparing. */
export function messagesText(messages: readonly ApiMessage[]): string {
    return messages
        .map((message) =>
            typeof message.placeholder === "string"
                ? `── history: ${message.placeholder}\n`
                : [
                      `── ${(message.role ?? "").toLowerCase()}`,
                      message.content ?? "",
                      ...besideLines(message),
                      "",
                  ].join("\n"),
        )
        .join("\n");
}
