// The bar at the top: where one is, in which project, and who.

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { toApiError } from "./data/errors.ts";
import { actIn, acting, doubts, type Project } from "./data/project.ts";
import { Projects } from "./data/projects.ts";
import { useQuery } from "./data/query.ts";
import { session, signOut } from "./data/session.ts";
import { type PathName, pathTo } from "./paths.ts";
import { Icon } from "./ui/icons.tsx";
import { Menu, type MenuItem } from "./ui/menu.tsx";
import { nextTheme, theme } from "./ui/theme.ts";
import { toast } from "./ui/toast.tsx";

const places: readonly [PathName, string][] = [
    ["prompts", "Prompts"],
    ["executions", "Executions"],
    ["datasets", "Datasets"],
    ["overview", "Overview"],
    ["console", "Console"],
];

/** Runs are found by their datasets. */
function isRun(path: string): boolean {
    return path.startsWith(pathTo("run"));
}

export function TopBar() {
    const { path } = useLocation();

    return (
        <header class="top">
            <div class="top-inside">
                <a
                    class="brand brand-mark"
                    href={pathTo("prompts")}
                    aria-label="Home"
                >
                    <Icon name="prompt" />
                </a>
                <nav aria-label="Main">
                    {places.map(([name, text]) => {
                        const href = pathTo(name);
                        const here =
                            path === href ||
                            path.startsWith(`${href}/`) ||
                            (name === "datasets" && isRun(path));

                        return (
                            <a
                                key={name}
                                href={href}
                                aria-current={here ? "page" : undefined}
                            >
                                {text}
                            </a>
                        );
                    })}
                </nav>
                <ProjectMenu />
                <UserMenu />
            </div>
        </header>
    );
}

/** the dialog "New project" stands over the page */
export const makingProject = signal(false);

/** Goes to another project. */
export function useProjectChoice() {
    const { path, route } = useLocation();

    return (project: Project | null) => {
        // what is looked at may be the other one's
        route(
            (["prompts", "executions", "datasets"] as const)
                .map((name) => pathTo(name))
                .find((list) => path.startsWith(`${list}/`)) ??
                (isRun(path) ? pathTo("datasets") : path),
        );
        actIn(project);
    };
}

function ProjectMenu() {
    const go = useProjectChoice();
    const me = session.value?.user.id;
    const { data, reload } = useQuery(Projects, {}, { project: me });
    const list = data.value?.projects;
    const here = acting.value;

    useEffect(() => {
        if (doubts.value > 0) {
            void reload();
        }
    }, [doubts.value]);

    useEffect(() => {
        const here = acting.peek();
        const now = list?.find((p) => p.id === here?.id);

        if (now) {
            actIn(now);
        } else if (list && here) {
            toast(
                `You are not a member of ${here.name} any more: this is your personal project.`,
                "bad",
            );
            go(null);
        }
    }, [list]);

    return (
        <Menu
            label={`Project: ${here?.name ?? list?.[0]?.name ?? "Personal"}`}
            button={
                <span class="project-name">
                    {here?.name ?? list?.[0]?.name ?? "Personal"}
                </span>
            }
            onOpen={() => void reload()}
            items={[
                ...(list ?? []).map(
                    (p): MenuItem => ({
                        text: p.name,
                        checked: p.id === (here?.id ?? me),
                        ...(p.id === (here?.id ?? me) && { icon: "check" }),
                        onChoose: () => go(p),
                    }),
                ),
                {
                    text: "New project…",
                    icon: "plus",
                    onChoose: () => {
                        makingProject.value = true;
                    },
                },
                {
                    text: "Project settings",
                    icon: "prompt",
                    href: pathTo("project"),
                },
            ]}
        />
    );
}

function UserMenu() {
    const user = session.value?.user;

    if (user === undefined) {
        return null;
    }

    return (
        <Menu
            label={user.email}
            button={
                <>
                    <Icon name="user" />
                    <span class="user-name">{user.email}</span>
                </>
            }
            items={[
                { text: "API Keys", icon: "key", href: pathTo("keys") },
                { text: "Account", icon: "user", href: pathTo("account") },
                {
                    text: "Theme",
                    icon: theme.value === "dark" ? "moon" : "sun",
                    hint: theme.value,
                    onChoose: nextTheme,
                    keepOpen: true,
                },
                {
                    text: "Sign out",
                    icon: "exit",
                    onChoose: () =>
                        void signOut().catch((thrown) => {
                            toast(toApiError(thrown).message, "bad");
                        }),
                },
            ]}
        />
    );
}
