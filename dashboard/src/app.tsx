// The frame of every page: the bar at the top, the routes, what stands over
// them.

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { ErrorBoundary } from "preact-iso/lazy";
import {
    LocationProvider,
    Route,
    Router,
    useLocation,
} from "preact-iso/router";
import { ApiError } from "./data/errors.ts";
import { page } from "./data/page.ts";
import { acting } from "./data/project.ts";
import { loadSession, session, sessionError } from "./data/session.ts";
import { later } from "./later.tsx";
import { pathTo, patternOf } from "./paths.ts";
import { Login } from "./routes/login.tsx";
import { NotFound } from "./routes/not-found.tsx";
import { Prompts } from "./routes/prompts.tsx";
import { SignInAgain } from "./sign-in-again.tsx";
import { makingProject, TopBar } from "./top-bar.tsx";
import { ErrorNote, Late, Skeleton } from "./ui/say.tsx";
import { Toasts } from "./ui/toast.tsx";

const NewProject = later(() => import("./new-project.tsx"));
const NewPrompt = later(() => import("./routes/new-prompt.tsx"));
const PromptPage = later(() => import("./routes/prompt/page.tsx"));
const Executions = later(() => import("./routes/executions.tsx"));
const Execution = later(() => import("./routes/execution.tsx"));
const Datasets = later(() => import("./routes/datasets.tsx"));
const Dataset = later(() => import("./routes/dataset.tsx"));
const RunPage = later(() => import("./routes/run.tsx"));
const Overview = later(() => import("./routes/overview.tsx"));
const Console = later(() => import("./routes/console.tsx"));
const Keys = later(() => import("./routes/keys.tsx"));
const Account = later(() => import("./routes/account.tsx"));
const Project = later(() => import("./routes/project.tsx"));
const Audit = later(() => import("./routes/audit.tsx"));
const Invitation = later(() => import("./routes/invitation.tsx"));

export function App() {
    return (
        <LocationProvider scope={page.base}>
            <Pages />
            <SignInAgain />
            <Toasts />
        </LocationProvider>
    );
}

function Pages() {
    const { path, query, route } = useLocation();
    const here = session.value;
    const atLogin = path === pathTo("login");
    const invited = path === pathTo("invitation");
    const atHome = `${path}/` === page.base || path === page.base;

    useEffect(() => {
        if (here === null && !atLogin && !invited) {
            // where to go after signing in
            const next = atHome ? "" : location.pathname + location.search;

            route(pathTo("login", {}, { next }), true);
        } else if (here != null && (atLogin || atHome)) {
            route(nextAddress(query.next), true);
        }
    }, [here, atLogin, atHome, invited]);

    if (sessionError.value !== undefined) {
        return (
            <main id="main">
                <ErrorNote
                    error={sessionError.value}
                    onRetry={() => void loadSession()}
                />
            </main>
        );
    }

    if (here === undefined || (here !== null && atLogin)) {
        return null;
    }

    if (here !== null) {
        return <Inside />;
    }

    return (
        <Guarded>
            {invited ? <Invitation /> : atLogin ? <Login /> : null}
        </Guarded>
    );
}

/** `next` of the address, only where it is a route of this page. */
function nextAddress(next: string | undefined): string {
    const prompts = pathTo("prompts");

    if (next === undefined) {
        return prompts;
    }

    try {
        const url = new URL(next, location.origin);

        return url.origin === location.origin &&
            url.pathname.startsWith(page.base) &&
            url.pathname !== pathTo("login")
            ? url.pathname + url.search
            : prompts;
    } catch {
        return prompts;
    }
}

function Inside() {
    const main = useRef<HTMLElement>(null);
    const loading = useSignal(false);
    const empty = useSignal(true);
    const shown = useRef(location.pathname);

    function arrived() {
        loading.value = false;
        empty.value = false;

        // tabs of one prompt keep the focus where it is
        if (samePrompt(shown.current, location.pathname)) {
            shown.current = location.pathname;
            return;
        }

        shown.current = location.pathname;
        (main.current?.querySelector<HTMLElement>("h1") ?? main.current)?.focus(
            { preventScroll: true },
        );
    }

    return (
        <>
            <a class="skip" href="#main">
                Skip to content
            </a>
            <TopBar />
            {loading.value && (
                <Late>
                    <div class="progress" />
                </Late>
            )}
            <main id="main" ref={main} tabIndex={-1}>
                {loading.value && empty.value && <Skeleton lines={6} />}
                {/* nothing of one project is shown in another */}
                <Guarded key={acting.value?.id}>
                    <Router
                        onLoadStart={() => {
                            loading.value = true;
                        }}
                        onLoadEnd={() => {
                            loading.value = false;
                        }}
                        onRouteChange={arrived}
                    >
                        <Route
                            path={patternOf("prompts")}
                            component={Prompts}
                        />
                        <Route
                            path={patternOf("newPrompt")}
                            component={NewPrompt}
                        />
                        <Route
                            path={`${patternOf("prompt")}/:tab?`}
                            component={PromptPage}
                        />
                        <Route
                            path={patternOf("executions")}
                            component={Executions}
                        />
                        <Route
                            path={patternOf("execution")}
                            component={Execution}
                        />
                        <Route
                            path={patternOf("datasets")}
                            component={Datasets}
                        />
                        <Route
                            path={patternOf("dataset")}
                            component={Dataset}
                        />
                        <Route path={patternOf("run")} component={RunPage} />
                        <Route
                            path={patternOf("overview")}
                            component={Overview}
                        />
                        <Route
                            path={patternOf("console")}
                            component={Console}
                        />
                        <Route path={patternOf("keys")} component={Keys} />
                        <Route
                            path={patternOf("account")}
                            component={Account}
                        />
                        <Route
                            path={patternOf("project")}
                            component={Project}
                        />
                        <Route path={patternOf("audit")} component={Audit} />
                        <Route
                            path={patternOf("invitation")}
                            component={Invitation}
                        />
                        <Route default component={NotFound} />
                    </Router>
                </Guarded>
                {makingProject.value && (
                    <Guarded>
                        <NewProject />
                    </Guarded>
                )}
            </main>
        </>
    );
}

function samePrompt(a: string, b: string): boolean {
    const prefix = pathTo("prompts");
    const id = (path: string) =>
        path.startsWith(`${prefix}/`)
            ? path.slice(prefix.length + 1).split("/")[0]
            : undefined;

    return id(a) !== undefined && id(a) === id(b);
}

/** Shows what went wrong in place of a page that broke. */
function Guarded({ children }: { children: preact.ComponentChildren }) {
    const broken = useSignal<unknown>(undefined);
    const { path } = useLocation();

    useEffect(() => {
        broken.value = undefined;
    }, [path]);

    if (broken.value !== undefined) {
        return (
            <ErrorNote
                title="This page could not be shown."
                error={
                    new ApiError(
                        {
                            message: String(
                                (broken.value as Error)?.message ??
                                    broken.value,
                            ),
                            extensions: { code: "PAGE_ERROR" },
                        },
                        0,
                    )
                }
                // a newer version may have been installed meanwhile
                onRetry={() => location.reload()}
            />
        );
    }

    return (
        <ErrorBoundary
            onError={(thrown) => {
                broken.value = thrown;
            }}
        >
            {children}
        </ErrorBoundary>
    );
}
