// The session ended while somebody was at work: they sign in over the page,
// and what they were doing goes on.

import { useSignal } from "@preact/signals";
import { type ApiError, toApiError } from "./data/errors.ts";
import {
    askingAgain,
    endAsking,
    session,
    signIn,
    signInWay,
} from "./data/session.ts";
import { Refused } from "./routes/login.tsx";
import { Button } from "./ui/button.tsx";
import { Dialog } from "./ui/dialog.tsx";
import { TextField } from "./ui/field.tsx";

export function SignInAgain() {
    return askingAgain.value ? <Asking /> : null;
}

function Asking() {
    const password = useSignal("");
    const error = useSignal<ApiError | undefined>(undefined);
    const busy = useSignal(false);
    const email = session.value?.user.email ?? "";
    const trusted = signInWay.value === "trusted";

    async function submit() {
        if (busy.value) {
            return;
        }

        busy.value = true;
        error.value = undefined;

        try {
            await signIn(trusted ? {} : { email, password: password.value });
            endAsking(true);
        } catch (thrown) {
            error.value = toApiError(thrown);
        } finally {
            busy.value = false;
        }
    }

    return (
        <Dialog
            title="Sign in again"
            onClose={() => endAsking(false)}
            onSubmit={submit}
            actions={
                <>
                    <Button onClick={() => endAsking(false)}>Not now</Button>
                    <Button kind="primary" type="submit" busy={busy.value}>
                        Sign in
                    </Button>
                </>
            }
        >
            <p class="muted">
                Your session has ended. Nothing you typed is lost: sign in and
                go on where you were.
            </p>
            {error.value && <Refused error={error.value} />}
            {!trusted && (
                <>
                    <TextField
                        label="Email"
                        type="email"
                        autocomplete="username"
                        value={email}
                        readonly
                        onValue={() => undefined}
                    />
                    <TextField
                        label="Password"
                        type="password"
                        autocomplete="current-password"
                        autofocus
                        value={password.value}
                        onValue={(value) => {
                            password.value = value;
                        }}
                    />
                </>
            )}
        </Dialog>
    );
}
