import { afterEach, expect, test, vi } from "vitest";
import {
    actIn,
    acting,
    following,
    isProtected,
    may,
    type Project,
    projectHeader,
    restoreProject,
} from "./project.ts";

const team: Project = {
    id: "0190b0c0-0000-7000-8000-000000000001",
    name: "Team",
    personal: false,
    role: "EDITOR",
    protectedLabels: ["production"],
};

function storage(): Storage {
    const all = new Map<string, string>();

    return {
        getItem: (name: string) => all.get(name) ?? null,
        setItem: (name: string, value: string) => all.set(name, value),
        removeItem: (name: string) => all.delete(name),
    } as unknown as Storage;
}

afterEach(() => {
    acting.value = null;
    vi.unstubAllGlobals();
});

test("the id after another", () => {
    expect(following("0190b0c0-0000-7000-8000-00000000000a")).toBe(
        "0190b0c0-0000-7000-8000-00000000000b",
    );
    expect(following("0190B0C0-0000-7000-8000-0000000019FF")).toBe(
        "0190b0c0-0000-7000-8000-000000001a00",
    );
    expect(following("no id")).toBe("no ie");
    expect(following("")).toBe("");
});

test("a role may what those below may", () => {
    expect(may("OWNER")).toBe(true);
    actIn(team);
    expect([may("VIEWER"), may("EDITOR"), may("ADMIN")]).toEqual([
        true,
        true,
        false,
    ]);
    expect([isProtected("production"), isProtected("staging")]).toEqual([
        true,
        false,
    ]);
    actIn({ ...team, role: "ADMIN" });
    expect(isProtected("production")).toBe(false);
});

test("a tab keeps its project, and the personal one is none", () => {
    vi.stubGlobal("sessionStorage", storage());
    actIn(team);
    acting.value = null;
    restoreProject();
    expect(acting.value).toEqual(team);
    expect(projectHeader()).toEqual({ "Prompt-Project": team.id });
    expect(projectHeader("other")).toEqual({ "Prompt-Project": "other" });
    actIn({ ...team, personal: true });
    restoreProject();
    expect(acting.value).toBeNull();
    expect(projectHeader()).toEqual({});
});

test("without a storage it lasts as long as the page", () => {
    restoreProject();
    expect(acting.value).toBeNull();
    actIn(team);
    expect(acting.value).toEqual(team);
});
