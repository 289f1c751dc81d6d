// A version as texts to compare, a section each.

import { formatJson } from "./json.ts";
import { type ApiMessage, messagesText } from "./messages.ts";

export const sectionNames = [
    "content",
    "messages",
    "params",
    "inputSchema",
] as const;

export type SectionName = (typeof sectionNames)[number];
export type Sections = Record<SectionName, string>;

export function sectionsOf(version: {
    content: string;
    messages: readonly ApiMessage[];
    params: string;
    inputSchema: string;
}): Sections {
    return {
        content: version.content,
        messages: messagesText(version.messages),
        params: version.params.trim() === "" ? "" : formatJson(version.params),
        inputSchema:
            version.inputSchema.trim() === ""
                ? ""
                : formatJson(version.inputSchema),
    };
}

/** Whether nothing differs; white space of JSON does not. */
export function sameSections(a: Sections, b: Sections): boolean {
    return sectionNames.every((name) => a[name] === b[name]);
}
