// /login: by e-mail and password, or by who stands in front of this server.

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { type ApiError, toApiError } from "../data/errors.ts";
import { number } from "../data/format.ts";
import { signedOut, signIn, signInWay } from "../data/session.ts";
import { useTitle } from "../title.ts";
import { Button } from "../ui/button.tsx";
import { TextField } from "../ui/field.tsx";
import { Icon } from "../ui/icons.tsx";
import { ErrorNote, Late } from "../ui/say.tsx";

export function Login() {
    useTitle("Sign in");

    return (
        <main id="main" class="login">
            <div class="brand">
                <span class="brand-mark">
                    <Icon name="prompt" />
                </span>
                Prompts
            </div>
            {signInWay.value === "trusted" ? <ByProxy /> : <ByPassword />}
        </main>
    );
}

function ByPassword() {
    const email = useSignal("");
    const password = useSignal("");
    const wrong = useSignal<{ email?: string; password?: string }>({});
    const error = useSignal<ApiError | undefined>(undefined);
    const busy = useSignal(false);
    const form = useRef<HTMLFormElement>(null);

    async function submit() {
        if (busy.value) {
            return;
        }

        // what a password manager filled in may have come without an event
        const read = (name: string) =>
            form.current?.querySelector<HTMLInputElement>(`[name=${name}]`)
                ?.value ?? "";

        email.value = read("email");
        password.value = read("password");
        wrong.value = {
            ...(email.value.trim() === "" && { email: "Enter your e-mail." }),
            ...(password.value === "" && { password: "Enter your password." }),
        };

        if (wrong.value.email || wrong.value.password) {
            form.current
                ?.querySelector<HTMLElement>(
                    `[name=${wrong.value.email ? "email" : "password"}]`,
                )
                ?.focus();
            return;
        }

        busy.value = true;
        error.value = undefined;

        try {
            await signIn({
                email: email.value.trim(),
                password: password.value,
            });
        } catch (thrown) {
            error.value = toApiError(thrown);
        } finally {
            busy.value = false;
        }
    }

    return (
        <form
            class="card stack"
            ref={form}
            noValidate
            onSubmit={(event) => {
                event.preventDefault();
                void submit();
            }}
        >
            <h1>Sign in</h1>
            {error.value && <Refused error={error.value} />}
            <TextField
                label="Email"
                name="email"
                type="email"
                autocomplete="username"
                autofocus
                value={email.value}
                error={wrong.value.email}
                onValue={(value) => {
                    email.value = value;
                }}
            />
            <TextField
                label="Password"
                name="password"
                type="password"
                autocomplete="current-password"
                value={password.value}
                error={wrong.value.password}
                onValue={(value) => {
                    password.value = value;
                }}
            />
            <Button kind="primary" type="submit" busy={busy.value}>
                Sign in
            </Button>
            <p class="help">
                No password yet, or forgotten? Whoever runs this server sets one
                with <code>promptctl user password</code>.
            </p>
        </form>
    );
}

/** What was wrong, in words of signing in. */
export function Refused({ error }: { error: ApiError }) {
    let text: string;

    if (error.status === 401 || error.status === 403) {
        text = error.message;
    } else if (error.status === 429) {
        const minutes = Math.ceil((error.retryAfter ?? 60) / 60);

        text = `Too many attempts. Try again in ${number(minutes)} min.`;
    } else {
        return <ErrorNote error={error} />;
    }

    return (
        <div class="note bad" role="alert">
            <Icon name="warning" />
            <div class="note-text">{text}</div>
        </div>
    );
}

function ByProxy() {
    const error = useSignal<ApiError | undefined>(undefined);

    async function enter() {
        error.value = undefined;

        try {
            await signIn({});
        } catch (thrown) {
            error.value = toApiError(thrown);
        }
    }

    useEffect(() => {
        if (!signedOut.value) {
            void enter();
        }
    }, []);

    return (
        <div class="card stack">
            <h1>Sign in</h1>
            {error.value || signedOut.value ? (
                <>
                    {error.value ? (
                        <Refused error={error.value} />
                    ) : (
                        <p class="muted">You have signed out.</p>
                    )}
                    <Button kind="primary" onClick={() => void enter()}>
                        Sign in
                    </Button>
                </>
            ) : (
                <Late>
                    <p class="muted" role="status">
                        Signing in…
                    </p>
                </Late>
            )}
        </div>
    );
}
