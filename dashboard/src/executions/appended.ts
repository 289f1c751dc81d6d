// Messages in the form of OpenAI's chat completions, as a call brought them.

import type { Call, Message } from "../panels/said.tsx";

type Members = Record<string, unknown>;

function members(value: unknown): Members {
    return typeof value === "object" && value !== null
        ? (value as Members)
        : {};
}

function text(value: unknown): string {
    return typeof value === "string"
        ? value
        : value == null
          ? ""
          : JSON.stringify(value);
}

function callOf(value: unknown): Call {
    const { id, function: called } = members(value);
    const { name, arguments: given } = members(called);

    return { id: text(id), name: text(name), arguments: text(given) };
}

function addressOf(part: Members): string {
    const { image_url: image } = part;

    return text(typeof image === "string" ? image : members(image).url);
}

function messageOf(value: unknown): Message {
    const {
        role,
        content,
        tool_calls: calls,
        tool_call_id: id,
    } = members(value);
    const parts = Array.isArray(content) ? content.map(members) : [];
    const texts = parts.filter(({ type }) => type !== "image_url");

    return {
        role: text(role),
        content: Array.isArray(content)
            ? texts.map((part) => text(part.text ?? part)).join("\n")
            : text(content),
        images: parts.filter(({ type }) => type === "image_url").map(addressOf),
        toolCalls: Array.isArray(calls) ? calls.map(callOf) : null,
        toolCallId: typeof id === "string" ? id : null,
    };
}

export function appendedMessages(value: unknown): Message[] {
    return Array.isArray(value) ? value.map(messageOf) : [];
}
