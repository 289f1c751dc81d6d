// The project that this tab acts in: chosen in the top bar, kept as long as
// the tab, sent with each request; and what the role there allows.

import { signal } from "@preact/signals";
import { alsoForget } from "./kept.ts";

export type Role = "VIEWER" | "EDITOR" | "ADMIN" | "OWNER";

/** each may what those before it may */
export const roles: readonly Role[] = ["VIEWER", "EDITOR", "ADMIN", "OWNER"];

export interface Project {
    id: string;
    name: string;
    personal: boolean;
    role: Role;
    protectedLabels: readonly string[];
}

const PLACE = "prompt-project";

/** null: the personal one */
export const acting = signal<Project | null>(null);

/** Counts why the reader's projects are to be asked for again. */
export const doubts = signal(0);

export function doubt(): void {
    doubts.value = doubts.peek() + 1;
}

/**
 * Something was refused in a project: where it is the one that is acted in, the
 * role there may be another by now, or none.
 */
export function refusedIn(project: string | undefined): void {
    if (project !== undefined && project === acting.peek()?.id) {
        doubt();
    }
}

/** What the tab was in before it was loaded anew. */
export function restoreProject(): void {
    try {
        acting.value = JSON.parse(sessionStorage.getItem(PLACE) ?? "null");
    } catch {
        // it keeps nothing
    }
}

export function actIn(project: Project | null): void {
    const other = project?.personal ? null : project;

    acting.value = other;

    try {
        if (other === null) {
            sessionStorage.removeItem(PLACE);
        } else {
            sessionStorage.setItem(PLACE, JSON.stringify(other));
        }
    } catch {
        // it lasts as long as the page
    }
}

alsoForget(() => {
    acting.value = null;
});

/** The header of a request; id: of another project than the chosen one. */
export function projectHeader(id = acting.peek()?.id): Record<string, string> {
    return id ? { "Prompt-Project": id } : {};
}

/** Whether the role is this one, or more. */
export function may(role: Role): boolean {
    return roles.indexOf(acting.value?.role ?? "OWNER") >= roles.indexOf(role);
}

/** Whether this label is set, moved and removed by others alone. */
export function isProtected(label: string): boolean {
    return (
        !may("ADMIN") && acting.value?.protectedLabels.includes(label) === true
    );
}

/**
 * The id after this one.  Lists go from the newest down, so that the first row
 * after it has this id, where the list has it at all.
 */
export function following(id: string): string {
    return id
        .toLowerCase()
        .replace(
            /([0-9a-e])(f*)$/,
            (_, digit: string, rest: string) =>
                (Number.parseInt(digit, 16) + 1).toString(16) +
                "0".repeat(rest.length),
        );
}
