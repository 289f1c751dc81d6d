// Requests of the console: by the session, or with an API key, which this tab
// keeps and nobody else.

import { signal } from "@preact/signals";
import { post } from "../data/client.ts";
import { alsoForget } from "../data/kept.ts";
import { page } from "../data/page.ts";
import { EventReader } from "../data/stream.ts";

const PLACE = "prompt-console-key";
const ACCEPT = "application/graphql-response+json, application/json;q=0.9";

function kept(): string {
    try {
        return sessionStorage.getItem(PLACE) ?? "";
    } catch {
        return "";
    }
}

/** "": requests go by the session */
export const apiKey = signal(kept());

export function setKey(key: string): void {
    apiKey.value = key;

    try {
        if (key === "") {
            sessionStorage.removeItem(PLACE);
        } else {
            sessionStorage.setItem(PLACE, key);
        }
    } catch {
        // it lasts as long as the page
    }
}

alsoForget(() => {
    apiKey.value = "";
});

/**
 * The body of a request.  The variables go out as they were written, so that
 * their numbers keep every digit.
 */
export function requestBody(
    query: string,
    variables = "",
    operation: string | null = null,
): string {
    const parts = [`"query":${JSON.stringify(query)}`];

    if (variables.trim() !== "") {
        parts.push(`"variables":${variables.trim()}`);
    }

    if (operation !== null) {
        parts.push(`"operationName":${JSON.stringify(operation)}`);
    }

    return `{${parts.join(",")}}`;
}

export interface Answer {
    status: number;
    ok: boolean;
    ms: number;
    text: string;
    /** where the answer is JSON */
    json?: { data?: unknown; errors?: AnswerError[] } | undefined;
}

export interface AnswerError {
    message?: unknown;
    path?: unknown;
    locations?: { line: number; column: number }[];
    extensions?: { code?: unknown };
}

async function request(
    key: string,
    body: string,
    accept: string,
    signal?: AbortSignal,
): Promise<Response> {
    if (key === "") {
        return post(body, { Accept: accept }, signal);
    }

    return fetch(page.graphql, {
        method: "POST",
        headers: {
            "Content-Type": "application/json",
            Accept: accept,
            Authorization: `Bearer ${key}`,
        },
        body,
        signal: signal ?? null,
        cache: "no-store",
        // with a key, who is signed in is nobody's business
        credentials: "omit",
        redirect: "error",
        referrerPolicy: "no-referrer",
    });
}

function jsonOf(response: Response, text: string): Answer["json"] {
    if (!/\bjson\b/.test(response.headers.get("Content-Type") ?? "")) {
        return undefined;
    }

    try {
        const json: unknown = JSON.parse(text);

        return typeof json === "object" && json !== null ? json : undefined;
    } catch {
        return undefined;
    }
}

/** Throws where there is no answer at all. */
export async function send(
    key: string,
    body: string,
    signal?: AbortSignal,
): Promise<Answer> {
    const began = performance.now();
    const response = await request(key, body, ACCEPT, signal);
    const text = await response.text();

    return {
        status: response.status,
        ok: response.ok,
        ms: performance.now() - began,
        text,
        json: jsonOf(response, text),
    };
}

/** A subscription: what its events hold, a line each, as they come. */
export async function listen(
    key: string,
    body: string,
    onText: (text: string) => void,
    signal: AbortSignal,
): Promise<Answer> {
    const began = performance.now();
    const response = await request(key, body, "text/event-stream", signal);
    const type = response.headers.get("Content-Type") ?? "";
    const answer = (text: string, json?: Answer["json"]): Answer => ({
        status: response.status,
        ok: response.ok,
        ms: performance.now() - began,
        text,
        json,
    });

    if (!type.startsWith("text/event-stream") || response.body === null) {
        const text = await response.text();

        return answer(text, jsonOf(response, text));
    }

    const reader = response.body.getReader();
    const decoder = new TextDecoder();
    const lines = new EventReader();
    const errors: AnswerError[] = [];
    let text = "";

    try {
        for (;;) {
            const { done, value } = await reader.read();

            if (done) {
                return answer(text, { errors });
            }

            for (const { event, data } of lines.push(
                decoder.decode(value, { stream: true }),
            )) {
                if (event === "next") {
                    text += `${data}\n`;
                    errors.push(...errorsOf(data));
                    onText(text);
                }
            }
        }
    } finally {
        await reader.cancel().catch(() => undefined);
    }
}

function errorsOf(data: string): AnswerError[] {
    try {
        const { errors } = JSON.parse(data) as { errors?: unknown };

        return Array.isArray(errors) ? errors : [];
    } catch {
        return [];
    }
}
