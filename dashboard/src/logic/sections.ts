// A version as texts to compare, a section each.

import { formatJson } from "./json.ts";
import { type ApiMessage, messagesText } from "./messages.ts";

export const sectionNames = [
    "content",
    "messages",
    "params",
    "inputSchema",
    "outputSchema",
] as const;

export type SectionName = (typeof sectionNames)[number];
export type Sections = Record<SectionName, string>;

export function sectionsOf(version: {
    content: string;
    messages: readonly ApiMessage[];
    params: string;
    inputSchema: string;
    outputSchema: string;
}): Sections {
    return {
        content: version.content,
        messages: messagesText(version.messages),
        params: laidOut(version.params),
        inputSchema: laidOut(version.inputSchema),
        outputSchema: laidOut(version.outputSchema),
    };
}

function laidOut(text: string): string {
    return text.trim() === "" ? "" : formatJson(text);
}

/** Whether nothing differs; white space of JSON does not. */
export function sameSections(a: Sections, b: Sections): boolean {
    return sectionNames.every((name) => a[name] === b[name]);
}
