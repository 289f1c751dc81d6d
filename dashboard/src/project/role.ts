// Roles, and who may give which.

import { type Role, roles } from "../data/project.ts";

export const roleTexts: Record<Role, string> = {
    OWNER: "Owner",
    ADMIN: "Admin",
    EDITOR: "Editor",
    VIEWER: "Viewer",
};

export const roleHelp =
    "Viewers read. Editors write and run prompts, and have API keys. Admins " +
    "manage members, budgets and protected labels. Owners manage admins, and " +
    "the end of the project.";

/** The roles that somebody of this role gives and takes, the least first. */
export function rolesGivenBy(role: Role): readonly Role[] {
    return role === "OWNER" ? roles : role === "ADMIN" ? roles.slice(0, 2) : [];
}

export function choicesOf(some: readonly Role[]) {
    return some.map((value) => ({ value, text: roleTexts[value] }));
}
