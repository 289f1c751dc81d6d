// /settings/account: who one is, the password, where one is signed in.

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { mutate } from "../data/client.ts";
import { type ApiError, toApiError } from "../data/errors.ts";
import { graphql, type ResultOf } from "../data/graphql.ts";
import { useQuery } from "../data/query.ts";
import { session, signInWay } from "../data/session.ts";
import { useTitle } from "../title.ts";
import {
    Badge,
    Button,
    type Column,
    ErrorNote,
    focusFirstError,
    PageHead,
    Table,
    TextField,
    Time,
    toast,
} from "../ui/index.ts";
import { newPasswordError } from "./password.ts";

const Sessions = graphql(`
    query Sessions {
        sessions {
            id
            createdAt
            lastSeenAt
            address
            userAgent
            current
        }
    }
`);

const ChangePassword = graphql(`
    mutation ChangePassword($old: String!, $new: String!) {
        changePassword(old: $old, new: $new)
    }
`);

const EndSessions = graphql(`
    mutation EndSessions {
        endSessions
    }
`);

type Session = ResultOf<typeof Sessions>["sessions"][number];

export default function Account() {
    useTitle("Account");

    const user = session.value?.user;
    const sessions = useQuery(Sessions, {});

    return (
        <>
            <PageHead title="Account" />
            <div class="stack loose">
                <section class="card narrow" aria-labelledby="who">
                    <h2 id="who">You</h2>
                    <dl class="facts">
                        <dt>E-mail</dt>
                        <dd>{user?.email}</dd>
                        <dt>Name</dt>
                        <dd>{user?.name ?? <span class="muted">–</span>}</dd>
                    </dl>
                </section>
                {signInWay.value === "password" && (
                    <Password onChanged={() => void sessions.reload()} />
                )}
                <SignedIn sessions={sessions} />
            </div>
        </>
    );
}

function Password({ onChanged }: { onChanged: () => void }) {
    const old = useSignal("");
    const next = useSignal("");
    const wrong = useSignal<{
        old?: string | undefined;
        next?: string | undefined;
    }>({});
    const error = useSignal<ApiError | undefined>(undefined);
    const busy = useSignal(false);
    const form = useRef<HTMLFormElement>(null);

    async function submit() {
        if (busy.value) {
            return;
        }

        wrong.value = {
            old: old.value === "" ? "Enter your current password." : undefined,
            next: newPasswordError(next.value),
        };
        error.value = undefined;

        if (wrong.value.old || wrong.value.next) {
            focusFirstError(form.current);
            return;
        }

        busy.value = true;

        try {
            await mutate(ChangePassword, { old: old.value, new: next.value });
            old.value = "";
            next.value = "";
            toast(
                "Your password is changed. All other sessions have ended.",
                "good",
            );
            onChanged();
        } catch (thrown) {
            const failure = toApiError(thrown);

            if (failure.field === "old") {
                wrong.value = { old: "This is not your password." };
                focusFirstError(form.current);
            } else if (failure.field === "new") {
                wrong.value = { next: failure.message };
                focusFirstError(form.current);
            } else {
                error.value = failure;
            }
        } finally {
            busy.value = false;
        }
    }

    return (
        <form
            class="card narrow stack"
            ref={form}
            noValidate
            aria-labelledby="password"
            onSubmit={(event) => {
                event.preventDefault();
                void submit();
            }}
        >
            <h2 id="password">Password</h2>
            {error.value && <ErrorNote error={error.value} />}
            <input
                class="visually-hidden"
                type="email"
                autocomplete="username"
                aria-hidden="true"
                tabIndex={-1}
                readonly
                value={session.value?.user.email ?? ""}
            />
            <TextField
                label="Current password"
                type="password"
                autocomplete="current-password"
                value={old.value}
                error={wrong.value.old}
                onValue={(value) => {
                    old.value = value;
                    wrong.value = { ...wrong.value, old: undefined };
                }}
            />
            <TextField
                label="New password"
                type="password"
                autocomplete="new-password"
                help="12 characters or more. Changing it ends all your other sessions."
                value={next.value}
                error={wrong.value.next}
                onValue={(value) => {
                    next.value = value;
                    wrong.value = { ...wrong.value, next: undefined };
                }}
            />
            <div class="row end">
                <Button kind="primary" type="submit" busy={busy.value}>
                    Change password
                </Button>
            </div>
        </form>
    );
}

/** The browser and system of a user agent, as people call them. */
export function deviceOf(userAgent: string | null): string {
    const ua = userAgent ?? "";
    const browser = [
        [/\bEdg\//, "Edge"],
        [/\bOPR\//, "Opera"],
        [/\bFirefox\//, "Firefox"],
        [/\b(?:Headless)?Chrom(?:e|ium)\//, "Chrome"],
        [/\bSafari\//, "Safari"],
        [/^curl\//, "curl"],
    ].find(([pattern]) => (pattern as RegExp).test(ua))?.[1] as
        | string
        | undefined;
    const system = [
        [/\bAndroid\b/, "Android"],
        [/\biP(?:hone|ad)\b/, "iOS"],
        [/\bWindows\b/, "Windows"],
        [/\bMac OS X\b/, "macOS"],
        [/\bLinux\b/, "Linux"],
    ].find(([pattern]) => (pattern as RegExp).test(ua))?.[1] as
        | string
        | undefined;

    return browser === undefined
        ? ua || "Unknown"
        : browser + (system === undefined ? "" : ` on ${system}`);
}

const columns: readonly Column<Session>[] = [
    {
        name: "Where",
        header: true,
        grow: true,
        cell: (s) => (
            <>
                <span class="row-name" title={s.userAgent ?? undefined}>
                    {deviceOf(s.userAgent)}
                </span>{" "}
                {s.current && <Badge kind="good">this one</Badge>}
            </>
        ),
    },
    {
        name: "Address",
        priority: 2,
        cell: (s) => s.address ?? <span class="muted">–</span>,
    },
    {
        name: "Signed in",
        priority: 1,
        cell: (s) => (
            <span class="nowrap">
                <Time iso={s.createdAt} />
            </span>
        ),
    },
    {
        name: "Last seen",
        cell: (s) => (
            <span class="nowrap">
                <Time iso={s.lastSeenAt} />
            </span>
        ),
    },
];

const none: readonly Session[] = [];

function SignedIn({
    sessions,
}: {
    sessions: ReturnType<typeof useQuery<ResultOf<typeof Sessions>, object>>;
}) {
    const error = useSignal<ApiError | undefined>(undefined);
    const busy = useSignal(false);
    const rows = sessions.data.value?.sessions ?? none;
    const others = rows.some((s) => !s.current);

    async function end() {
        busy.value = true;
        error.value = undefined;

        try {
            const { endSessions } = await mutate(EndSessions, {});

            toast(
                endSessions === 1
                    ? "1 other session has ended."
                    : `${endSessions ?? 0} other sessions have ended.`,
                "good",
            );
            void sessions.reload();
        } catch (thrown) {
            error.value = toApiError(thrown);
        } finally {
            busy.value = false;
        }
    }

    return (
        <section class="stack" aria-labelledby="sessions">
            <div class="row apart">
                <h2 id="sessions">Sessions</h2>
                <Button
                    icon="exit"
                    disabled={!others}
                    busy={busy.value}
                    onClick={() => void end()}
                >
                    Sign out everywhere else
                </Button>
            </div>
            {error.value && <ErrorNote error={error.value} />}
            <Table
                label="Sessions"
                columns={columns}
                rows={rows}
                rowKey={(s) => s.id}
                loading={sessions.loading.value && !sessions.data.value}
                error={sessions.error.value}
                onRetry={() => void sessions.reload()}
            />
        </section>
    );
}
