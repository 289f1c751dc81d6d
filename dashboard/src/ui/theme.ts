// Light or dark: the system's, or the reader's own choice, which is kept.

import { effect, signal } from "@preact/signals";

export type Theme = "system" | "light" | "dark";

const place = "prompt-theme";

function kept(): Theme {
    try {
        const theme = localStorage.getItem(place);

        return theme === "light" || theme === "dark" ? theme : "system";
    } catch {
        return "system";
    }
}

export const theme = signal<Theme>(kept());

effect(() => {
    const root = document.documentElement;

    if (theme.value === "system") {
        delete root.dataset.theme;
    } else {
        root.dataset.theme = theme.value;
    }

    try {
        localStorage.setItem(place, theme.value);
    } catch {
        // it lasts as long as the page
    }
});

const order: readonly Theme[] = ["system", "light", "dark"];

export function nextTheme(): void {
    theme.value =
        order[(order.indexOf(theme.value) + 1) % order.length] ?? "system";
}
