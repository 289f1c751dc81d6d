// The bar at the top: where one is, and who.

import { useLocation } from "preact-iso/router";
import { toApiError } from "./data/errors.ts";
import { session, signOut } from "./data/session.ts";
import { type PathName, pathTo } from "./paths.ts";
import { Icon, type IconName } from "./ui/icons.tsx";
import { Menu } from "./ui/menu.tsx";
import { nextTheme, theme } from "./ui/theme.ts";
import { toast } from "./ui/toast.tsx";

const places: readonly { name: PathName; text: string; icon: IconName }[] = [
    { name: "prompts", text: "Prompts", icon: "prompt" },
    { name: "overview", text: "Overview", icon: "chart" },
    { name: "console", text: "Console", icon: "code" },
];

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
                    {places.map((place) => {
                        const href = pathTo(place.name);
                        const here =
                            path === href || path.startsWith(`${href}/`);

                        return (
                            <a
                                key={place.name}
                                href={href}
                                aria-current={here ? "page" : undefined}
                            >
                                {place.text}
                            </a>
                        );
                    })}
                </nav>
                <UserMenu />
            </div>
        </header>
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
