// By whom requests are made: the session, or an API key that is tried before
// it is taken.

import { useSignal } from "@preact/signals";
import { page } from "../data/page.ts";
import { Button, Dialog, FieldError, TextField } from "../ui/index.ts";
import { apiKey, requestBody, send, setKey } from "./connection.ts";

const ACCOUNT = requestBody("query ConsoleAccount { me { id email } }");

/** What is wrong with a key; null: it is accepted. */
async function refusal(key: string): Promise<string | null> {
    try {
        const answer = await send(key, ACCOUNT);

        if (answer.status === 401) {
            return "The endpoint does not know this key.";
        }

        return answer.json?.data || answer.json?.errors
            ? null
            : `${page.graphql} answered with status ${answer.status}, and no GraphQL.`;
    } catch {
        return `${page.graphql} cannot be reached.`;
    }
}

export function KeyDialog({
    email,
    onClose,
}: {
    /** who is signed in; null: nobody */
    email: string | null;
    onClose: () => void;
}) {
    const key = useSignal("");
    const error = useSignal("");
    const busy = useSignal(false);

    async function take() {
        const text = key.value.trim();

        if (text === "") {
            error.value = "Paste a key: it begins with pmt_.";
            return;
        }

        busy.value = true;
        error.value = (await refusal(text)) ?? "";
        busy.value = false;

        if (error.value === "") {
            setKey(text);
            onClose();
        }
    }

    return (
        <Dialog
            title="API key"
            onClose={onClose}
            onSubmit={() => void (busy.value || take())}
            actions={
                <>
                    {apiKey.value !== "" && (
                        <Button
                            kind="danger"
                            onClick={() => {
                                setKey("");
                                onClose();
                            }}
                        >
                            Forget the key
                        </Button>
                    )}
                    <Button onClick={onClose}>Cancel</Button>
                    <Button kind="primary" type="submit" busy={busy.value}>
                        Use this key
                    </Button>
                </>
            }
        >
            <p>
                {email === null
                    ? "Every request is made with your key."
                    : `Requests are made as ${email}. With a key, they are made with that instead.`}{" "}
                This page keeps it for this tab only, until the tab is closed:
                not in an address, a cookie or a file.
            </p>
            <TextField
                label="Key"
                type="password"
                placeholder="pmt_…"
                spellcheck={false}
                value={key.value}
                onValue={(text) => {
                    key.value = text;
                    error.value = "";
                }}
            />
            <div role="alert">
                <FieldError error={error.value || undefined} />
            </div>
        </Dialog>
    );
}
