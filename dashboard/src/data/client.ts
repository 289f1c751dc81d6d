// Queries and mutations over fetch.  A request that the session is too old for
// waits until the user has signed in again, and is repeated then.

import { ApiError } from "./errors.ts";
import type { TadaDocumentNode } from "./graphql.ts";
import { page } from "./page.ts";
import { projectHeader, refusedIn } from "./project.ts";
import { parseKeeping, stringify } from "./raw.ts";
import { signInAgain } from "./session.ts";

/** fields and arguments of type JSON: they come as RawJson */
const jsonFields = new Set([
    "params",
    "inputSchema",
    "outputSchema",
    "input",
    "appended",
    "outputJson",
    "metadata",
    "detail",
    "expected",
    "checks",
]);

export interface Options {
    signal?: AbortSignal | undefined;
    /** the id of another project than the chosen one */
    project?: string | undefined;
}

export interface MutationOptions extends Options {
    /**
     * The Idempotency-Key.  Give the same one (idempotencyKey()) when the user
     * tries the very same change again; absent: one of its own.
     */
    key?: string;
}

/** visible ASCII, random; crypto.randomUUID is not there without TLS */
export function idempotencyKey(): string {
    const bytes = crypto.getRandomValues(new Uint8Array(18));

    return btoa(String.fromCharCode(...bytes));
}

/** The body of a request, as a string that is sent as often as it takes. */
export function bodyOf(document: unknown, variables: unknown): string {
    return stringify({ query: document, variables: variables ?? {} });
}

/**
 * POSTs to the endpoint, in the project that is chosen now.  401 asks the user
 * to sign in and repeats; without a connection it throws ApiError OFFLINE.
 */
export async function post(
    body: string,
    headers: Record<string, string>,
    signal?: AbortSignal,
): Promise<Response> {
    // another one that is chosen meanwhile is not for this request
    const all: Record<string, string> = {
        "Content-Type": "application/json",
        ...projectHeader(),
        ...headers,
    };

    for (;;) {
        let response: Response;

        try {
            response = await fetch(page.graphql, {
                method: "POST",
                credentials: "same-origin",
                headers: all,
                body,
                signal: signal ?? null,
            });
        } catch (thrown) {
            if (signal?.aborted) {
                throw thrown;
            }

            throw ApiError.offline();
        }

        if (response.status === 403) {
            refusedIn(all["Prompt-Project"]);
        }

        if (response.status !== 401) {
            return response;
        }

        const error = ApiError.of(await readJson(response), 401);

        if (!(await signInAgain(signal))) {
            throw (
                error ??
                new ApiError({ extensions: { code: "UNAUTHENTICATED" } }, 401)
            );
        }
    }
}

/** The body as JSON; undefined where it is none. */
export async function readJson(response: Response): Promise<unknown> {
    const text = await response.text();

    try {
        return parseKeeping(text, jsonFields);
    } catch {
        return undefined;
    }
}

export function parseMessage(text: string): unknown {
    return parseKeeping(text, jsonFields);
}

function retryAfter(response: Response): number | undefined {
    const seconds = Number(response.headers.get("Retry-After") ?? Number.NaN);

    return Number.isFinite(seconds) && seconds >= 0 ? seconds : undefined;
}

async function answer<R>(
    response: Response,
    project: string | undefined,
): Promise<R> {
    const body = await readJson(response);
    const error = ApiError.of(body, response.status);

    if (error !== undefined) {
        error.retryAfter = retryAfter(response);

        if (error.code === "FORBIDDEN" && response.ok) {
            refusedIn(project);
        }

        throw error;
    }

    const data = (body as { data?: R } | undefined)?.data;

    if (!response.ok || data == null) {
        const unclear = new ApiError({}, response.status);

        unclear.retryAfter = retryAfter(response);
        throw unclear;
    }

    return data;
}

/** Asks; throws ApiError where there is any error. */
export async function query<R, V>(
    document: TadaDocumentNode<R, V>,
    variables?: V,
    options: Options = {},
): Promise<R> {
    const body = bodyOf(document, variables);

    const headers: Record<string, string> = {
        Accept: "application/json",
        ...projectHeader(options.project),
    };

    return answer<R>(
        await post(body, headers, options.signal),
        headers["Prompt-Project"],
    );
}

/** that a mutation was not answered says nothing about whether it was done */
const unanswered = new Set([0, 409, 502, 503, 504]);

function pause(seconds: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
        const timer = setTimeout(resolve, seconds * 1000);

        signal?.addEventListener("abort", () => {
            clearTimeout(timer);
            reject(signal.reason);
        });
    });
}

/**
 * Changes something, once: the request has an Idempotency-Key, so that it is
 * repeated (3 times at most) where the answer was lost.
 */
export async function mutate<R, V>(
    document: TadaDocumentNode<R, V>,
    variables: V,
    options: MutationOptions = {},
): Promise<R> {
    const body = bodyOf(document, variables);
    const headers: Record<string, string> = {
        Accept: "application/json",
        "Idempotency-Key": options.key ?? idempotencyKey(),
        ...projectHeader(options.project),
    };

    for (let tries = 1; ; tries++) {
        try {
            return await answer<R>(
                await post(body, headers, options.signal),
                headers["Prompt-Project"],
            );
        } catch (thrown) {
            if (
                !(thrown instanceof ApiError) ||
                !unanswered.has(thrown.status) ||
                tries > 3
            ) {
                throw thrown;
            }

            await pause(
                Math.min(thrown.retryAfter ?? tries, 5),
                options.signal,
            );
        }
    }
}
