// What the service found wrong, put at the place where it was typed.

import { isHistory, type Message } from "./messages.ts";
import { type Fault, offsetOf } from "./position.ts";
import { placeOf } from "./schema.ts";

/** `message:KEY` is one of the messages. */
export type PlaceName =
    | "content"
    | "messages"
    | "params"
    | "inputSchema"
    | "outputSchema"
    | `message:${number}`;

/** It holds as long as the text there is the one that was refused. */
export type Refusal = { place: PlaceName; text: string; fault: Fault };

type Texts = {
    content: string;
    messages: readonly Message[];
    params: string;
    inputSchema: string;
    outputSchema: string;
};

function inText(text: string, message: string): { from: number; to: number } {
    const found = /line (\d+), column (\d+)/.exec(message);

    if (found === null) {
        return { from: 0, to: 0 };
    }

    const from = offsetOf(text, Number(found[1]), Number(found[2]));

    return { from, to: Math.min(text.length, from + 2) };
}

const BELOW = ["params", "inputSchema", "outputSchema"] as const;

function below(
    place: (typeof BELOW)[number],
    text: string,
    field: string,
    message: string,
): Refusal {
    const found = placeOf(text, field.slice(place.length + 1));

    return {
        place,
        text,
        fault: { from: found?.from ?? 0, to: found?.to ?? 0, field, message },
    };
}

/** What a message says as a text that can be compared. */
export function textOf(message: Message): string {
    return isHistory(message)
        ? message.placeholder
        : JSON.stringify({ ...message, key: 0 });
}

/** Null where the field is none that was typed here. */
export function refusalOf(
    texts: Texts,
    field: string | undefined,
    message: string,
): Refusal | null {
    if (field === "content") {
        return {
            place: "content",
            text: texts.content,
            fault: { ...inText(texts.content, message), field, message },
        };
    }

    const json = BELOW.find((name) => name === field?.split(".")[0]);

    if (json !== undefined && field !== undefined) {
        return below(json, texts[json], field, message);
    }

    const index = /^messages\.(\d+)(?:\.|$)/.exec(field ?? "")?.[1];
    const one = texts.messages[Number(index)];

    if (index !== undefined && one !== undefined) {
        const place =
            isHistory(one) || !field?.endsWith(".content")
                ? { from: 0, to: 0 }
                : inText(one.content, message);

        return {
            place: `message:${one.key}`,
            text: textOf(one),
            fault: { ...place, field, message },
        };
    }

    return field === "messages"
        ? {
              place: "messages",
              text: JSON.stringify(texts.messages),
              fault: { from: 0, to: 0, field, message },
          }
        : null;
}
