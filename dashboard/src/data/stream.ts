// Subscriptions, by GraphQL over Server-Sent Events (distinct connections).

import { bodyOf, parseMessage, post, readJson } from "./client.ts";
import { ApiError } from "./errors.ts";
import type { TadaDocumentNode } from "./graphql.ts";

export interface ServerEvent {
    event: string;
    data: string;
}

/** Reads the lines of an event stream, however they are cut. */
export class EventReader {
    #rest = "";
    #event = "";
    #data: string[] = [];

    /** The events that end in this piece. */
    push(piece: string): ServerEvent[] {
        const events: ServerEvent[] = [];
        const text = this.#rest + piece;
        // a carriage return at the end may be half of a line's end
        const end = text.endsWith("\r") ? text.length - 1 : text.length;
        const lines = text.slice(0, end).split(/\r\n|\n|\r/);

        this.#rest = (lines.pop() ?? "") + text.slice(end);

        for (const line of lines) {
            if (line === "") {
                if (this.#data.length > 0 || this.#event !== "") {
                    events.push({
                        event: this.#event || "message",
                        data: this.#data.join("\n"),
                    });
                }

                this.#event = "";
                this.#data = [];
                continue;
            }

            const colon = line.indexOf(":");
            const name = colon < 0 ? line : line.slice(0, colon);
            const value =
                colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");

            if (name === "event") {
                this.#event = value;
            } else if (name === "data") {
                this.#data.push(value);
            }
        }

        return events;
    }
}

async function* events(
    response: Response,
): AsyncGenerator<ServerEvent, void, void> {
    const reader = response.body?.getReader();
    const decoder = new TextDecoder();
    const lines = new EventReader();

    if (reader === undefined) {
        return;
    }

    try {
        for (;;) {
            const { done, value } = await reader.read();

            if (done) {
                return;
            }

            yield* lines.push(decoder.decode(value, { stream: true }));
        }
    } finally {
        // who leaves the loop leaves the stream
        await reader.cancel().catch(() => undefined);
    }
}

/**
 * The results of a subscription as they come; leaving the loop, or the signal,
 * ends it.  Throws ApiError for an error event, a refused request and a stream
 * that breaks off before "complete".
 */
export async function* subscribe<R, V>(
    document: TadaDocumentNode<R, V>,
    variables: V,
    options: { signal?: AbortSignal } = {},
): AsyncGenerator<R, void, void> {
    const response = await post(
        bodyOf(document, variables),
        { Accept: "text/event-stream" },
        options.signal,
    );

    if (
        !response.headers.get("Content-Type")?.startsWith("text/event-stream")
    ) {
        throw (
            ApiError.of(await readJson(response), response.status) ??
            new ApiError({}, response.status)
        );
    }

    try {
        for await (const { event, data } of events(response)) {
            if (event === "complete") {
                return;
            }

            if (event !== "next") {
                continue;
            }

            const body = parseMessage(data) as { data?: R };
            const error = ApiError.of(body, response.status);

            if (error !== undefined) {
                throw error;
            }

            if (body.data != null) {
                yield body.data;
            }
        }
    } catch (thrown) {
        if (thrown instanceof ApiError || options.signal?.aborted) {
            throw thrown;
        }

        throw ApiError.offline();
    }

    throw new ApiError(
        {
            message: "The stream broke off before its end.",
            extensions: { code: "OFFLINE" },
        },
        0,
    );
}
