// /invitation: who was invited to a project gets in.  The token of the link is
// in data/token.ts, and in no address.

import { signal, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { mutate, query } from "../data/client.ts";
import type { ApiError } from "../data/errors.ts";
import { graphql } from "../data/graphql.ts";
import { actIn, doubt, type Project } from "../data/project.ts";
import { Projects } from "../data/projects.ts";
import { session, signIn, signInWay, signOut } from "../data/session.ts";
import { takeToken, token } from "../data/token.ts";
import { pathTo } from "../paths.ts";
import { useTitle } from "../title.ts";
import { useAction } from "../ui/action.ts";
import { useForm } from "../ui/form.ts";
import {
    Button,
    ButtonLink,
    ErrorNote,
    Icon,
    Late,
    PageHead,
    TextField,
    toast,
} from "../ui/index.ts";
import { newPasswordError } from "./password.ts";

const AcceptInvitation = graphql(`
    mutation AcceptInvitation($token: String!) {
        acceptInvitation(token: $token) {
            id
            name
            personal
            role
            protectedLabels
        }
    }
`);

/** an account was made, and its page is on the way */
const entering = signal(false);

/** Says where one is, and goes there. */
function useEnter() {
    const { route } = useLocation();

    return (project: Project | null) => {
        token.value = "";
        route(pathTo("prompts"), true);
        actIn(project);
        doubt();

        if (project !== null) {
            toast(`You are a member of ${project.name} now.`, "good");
        }
    };
}

export default function Invitation() {
    useTitle("Invitation");

    // another link, while the page stands
    useEffect(() => {
        addEventListener("hashchange", takeToken);

        return () => removeEventListener("hashchange", takeToken);
    }, []);

    const inside = session.value !== null;
    const what =
        inside && entering.value ? (
            <Late>
                <p class="muted" role="status">
                    Opening the project…
                </p>
            </Late>
        ) : token.value === "" ? (
            <NoToken inside={inside} />
        ) : inside ? (
            <Accept />
        ) : signInWay.value === "trusted" ? (
            <Trusted />
        ) : (
            <Create />
        );

    return inside ? (
        <>
            <PageHead title="Invitation" />
            <div class="card narrow stack">{what}</div>
        </>
    ) : (
        <main id="main" class="login">
            <div class="brand">
                <span class="brand-mark">
                    <Icon name="prompt" />
                </span>
                Prompts
            </div>
            <div class="card stack">
                <h1>Invitation</h1>
                {what}
            </div>
        </main>
    );
}

function NoToken({ inside }: { inside: boolean }) {
    return (
        <>
            <p>
                This page is opened by the link of an invitation. Open that link
                again, or ask who has invited you for another one.
            </p>
            <ButtonLink href={pathTo(inside ? "prompts" : "login")}>
                {inside ? "All prompts" : "Sign in"}
            </ButtonLink>
        </>
    );
}

function Accept() {
    const enter = useEnter();
    const action = useAction();

    return (
        <>
            {action.error && <Refused error={action.error} />}
            <p>
                You were invited to a project. Accept to become a member of it,
                and see what is in it; your own prompts stay yours.
            </p>
            <p class="muted">
                You are signed in as {session.value?.user.email}. The invitation
                has to be for this address.
            </p>
            <div class="row end">
                <Button
                    kind="quiet"
                    onClick={() => void action.run(() => signOut())}
                >
                    Use another account
                </Button>
                <Button
                    kind="primary"
                    busy={action.busy}
                    onClick={() =>
                        void action.run(async () => {
                            const { acceptInvitation } = await mutate(
                                AcceptInvitation,
                                { token: token.value },
                            );

                            enter(acceptInvitation);
                        })
                    }
                >
                    Accept
                </Button>
            </div>
        </>
    );
}

/** An invitation that does not count is nobody's to correct. */
function Refused({ error }: { error: ApiError }) {
    return (
        <ErrorNote
            error={error}
            hint={
                error.code === "FORBIDDEN" || error.code === "NOT_FOUND"
                    ? "Ask who has invited you for another link."
                    : undefined
            }
        />
    );
}

/** Who stands in front of this server says who it is. */
function Trusted() {
    const action = useAction();

    return (
        <>
            {action.error && <ErrorNote error={action.error} />}
            <p>You were invited to a project. Sign in to accept.</p>
            <Button
                kind="primary"
                busy={action.busy}
                onClick={() => void action.run(() => signIn({}))}
            >
                Sign in
            </Button>
        </>
    );
}

function Create() {
    const enter = useEnter();
    const name = useSignal("");
    const password = useSignal("");
    const form = useForm(["name", "password"]);

    async function create() {
        const sound = form.check({
            name: name.value.trim() === "" ? "Enter your name." : undefined,
            password: newPasswordError(password.value),
        });

        if (!sound) {
            return;
        }

        await form.run(async () => {
            entering.value = true;

            try {
                await signIn({
                    invitation: token.value,
                    name: name.value.trim(),
                    password: password.value,
                });

                // a new account has its personal project and this one
                const { projects } = await query(Projects, {});

                enter(projects.find((project) => !project.personal) ?? null);
            } finally {
                entering.value = false;
            }
        });
    }

    return (
        <form
            class="stack"
            ref={form.place}
            noValidate
            onSubmit={(event) => {
                event.preventDefault();
                void create();
            }}
        >
            {form.error && <Refused error={form.error} />}
            <p>
                You were invited to a project. Make an account with the address
                that was invited, or <a href={signInAddress()}>sign in</a> if
                you have one.
            </p>
            <TextField
                label="Your name"
                autocomplete="name"
                autofocus
                value={name.value}
                error={form.wrong.name}
                onValue={(value) => {
                    name.value = value;
                    form.clear("name");
                }}
            />
            <TextField
                label="Password"
                type="password"
                autocomplete="new-password"
                help="12 characters or more."
                value={password.value}
                error={form.wrong.password}
                onValue={(value) => {
                    password.value = value;
                    form.clear("password");
                }}
            />
            <Button kind="primary" type="submit" busy={form.busy}>
                Create account
            </Button>
        </form>
    );
}

function signInAddress(): string {
    return pathTo("login", {}, { next: pathTo("invitation") });
}
