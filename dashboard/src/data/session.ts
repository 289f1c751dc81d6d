// Who is signed in.  `session` is undefined until the server was asked, null
// where nobody is.

import { effect, signal } from "@preact/signals";
import { ApiError } from "./errors.ts";
import { keptBy } from "./kept.ts";
import { page } from "./page.ts";

export interface SessionState {
    user: { id: string; email: string; name: string | null };
    session: { id: string; createdAt: string; expiresAt: string };
    signIn: SignInWay;
}

/** by password here, or by who stands in front of this server */
export type SignInWay = "password" | "trusted";

export const session = signal<SessionState | null | undefined>(undefined);
export const signInWay = signal<SignInWay>("password");

/** the sign-in dialog stands over the page */
export const askingAgain = signal(false);

/** somebody signed out here: they are not signed in again unasked */
export const signedOut = signal(false);

/** the server could not say who is signed in */
export const sessionError = signal<ApiError | undefined>(undefined);

interface Body {
    signIn?: SignInWay;
    errors?: { extensions?: { signIn?: SignInWay } }[];
}

async function call(method: string, body?: unknown): Promise<Response> {
    try {
        return await fetch(page.session, {
            method,
            credentials: "same-origin",
            cache: "no-store",
            headers:
                body === undefined
                    ? { Accept: "application/json" }
                    : {
                          Accept: "application/json",
                          "Content-Type": "application/json",
                      },
            body: body === undefined ? null : JSON.stringify(body),
        });
    } catch {
        throw ApiError.offline();
    }
}

async function json(response: Response): Promise<Body> {
    try {
        return (await response.json()) as Body;
    } catch {
        return {};
    }
}

function failure(body: unknown, response: Response): ApiError {
    const error =
        ApiError.of(body, response.status) ?? new ApiError({}, response.status);
    const after = Number(response.headers.get("Retry-After") ?? Number.NaN);

    error.retryAfter = Number.isFinite(after) ? after : undefined;
    return error;
}

/** Asks the server who is signed in; throws ApiError where it cannot say. */
export async function readSession(): Promise<SessionState | null> {
    const response = await call("GET");
    const body = await json(response);

    if (response.status === 401) {
        signInWay.value = body.errors?.[0]?.extensions?.signIn ?? "password";
        return null;
    }

    const state = body as unknown as SessionState;

    // another page may stand at that address
    if (!response.ok || typeof state.user?.id !== "string") {
        throw failure(body, response);
    }

    signInWay.value = state.signIn ?? "password";
    return state;
}

/** Sets `session`, or `sessionError`. */
export async function loadSession(): Promise<void> {
    sessionError.value = undefined;

    try {
        session.value = await readSession();
    } catch (thrown) {
        sessionError.value = thrown as ApiError;
    }
}

/**
 * Signs in: with e-mail and password, with an invitation, which makes the
 * account, or with nothing where somebody in front of the server says who it
 * is.  Throws ApiError.
 */
export async function signIn(
    credentials:
        | { email: string; password: string }
        | { invitation: string; name: string; password: string }
        | Record<string, never>,
): Promise<void> {
    const response = await call("POST", credentials);

    if (!response.ok) {
        throw failure(await json(response), response);
    }

    const state = await readSession();

    if (state === null) {
        throw new ApiError(
            {
                message:
                    "Signed in, but the browser did not keep the cookie. " +
                    "This page has to be opened over https.",
                extensions: { code: "UNAUTHENTICATED" },
            },
            401,
        );
    }

    if (isAnother(state)) {
        // what waits for the answer would be done as somebody else
        location.assign(page.base);
        return new Promise(() => undefined);
    }

    signedOut.value = false;
    session.value = state;
    tabs?.postMessage("in");
}

/** The page is full of somebody else's things. */
function isAnother(now: SessionState): boolean {
    const before = session.value;

    return before != null && before.user.id !== now.user.id;
}

/** Ends this session here and in the other tabs. */
export async function signOut(): Promise<void> {
    const response = await call("DELETE");

    if (!response.ok && response.status !== 401) {
        throw failure(await json(response), response);
    }

    signedOut.value = true;
    session.value = null;
    tabs?.postMessage("out");
}

let again: Promise<boolean> | undefined;
let settle: ((signedIn: boolean) => void) | undefined;

/**
 * Has the user sign in again, in a dialog over the page; false: they would not.
 * Requests that come meanwhile wait for the same dialog.
 */
export function signInAgain(signal?: AbortSignal): Promise<boolean> {
    if (session.value == null) {
        // nobody was: the page goes to /login by itself
        session.value = null;
        return Promise.resolve(false);
    }

    again ??= new Promise<boolean>((resolve) => {
        settle = resolve;
        askingAgain.value = true;
    }).finally(() => {
        again = undefined;
        settle = undefined;
        askingAgain.value = false;
    });

    if (signal === undefined) {
        return again;
    }

    return Promise.race([
        again,
        new Promise<never>((_, reject) => {
            signal.addEventListener("abort", () => reject(signal.reason));
        }),
    ]);
}

/** The dialog's answer. */
export function endAsking(signedIn: boolean): void {
    settle?.(signedIn);
}

const tabs =
    typeof BroadcastChannel === "undefined"
        ? undefined
        : new BroadcastChannel("prompt-session");

tabs?.addEventListener("message", async (event) => {
    if (event.data === "out") {
        if (session.value != null) {
            signedOut.value = true;
            session.value = null;
        }
        return;
    }

    // another tab signed in: who waits here need not type it again
    let now: SessionState | null;

    try {
        now = await readSession();
    } catch {
        // it can be asked again here
        return;
    }

    if (now !== null && isAnother(now)) {
        // what waits here is not to be done as somebody else
        location.assign(page.base);
        return;
    }

    if (now !== null) {
        session.value = now;
        sessionError.value = undefined;
        endAsking(true);
    }
});

effect(() => {
    const here = session.value;

    if (here !== undefined) {
        keptBy(here?.user.id ?? (signedOut.value ? "" : null));
    }

    // a page that has no user has nothing to ask again for
    if (here === null) {
        endAsking(false);
    }
});
