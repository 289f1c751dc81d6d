// What is forgotten, and by which storage, whoever signs in, out, or elsewhere.

import { beforeEach, expect, test, vi } from "vitest";

class Memory {
    [name: string]: unknown;

    getItem(name: string): string | null {
        return Object.hasOwn(this, name) ? String(this[name]) : null;
    }

    setItem(name: string, value: string): void {
        this[name] = value;
    }

    removeItem(name: string): void {
        delete this[name];
    }
}

const broken = {
    getItem() {
        throw new Error("SecurityError");
    },
    setItem() {
        throw new Error("SecurityError");
    },
};

/** A page: its own memory, on storages as they are; how often it forgot. */
async function open(local: object, tab: object) {
    vi.resetModules();
    vi.stubGlobal("localStorage", local);
    vi.stubGlobal("sessionStorage", tab);

    const page = await import("./kept.ts");
    const forget = vi.fn();

    page.alsoForget(forget);

    return { ...page, forget };
}

let local: Memory;
let tab: Memory;

beforeEach(() => {
    local = new Memory();
    tab = new Memory();
});

test("the same account finds it again", async () => {
    const first = await open(local, tab);

    first.keptBy("alice");
    local.setItem("prompt.draft.1", "typed");
    tab.setItem("prompt-console-key", "key");

    const reloaded = await open(local, tab);

    reloaded.keptBy(null);
    reloaded.keptBy("alice");
    expect(reloaded.forget).not.toHaveBeenCalled();
    expect(local.getItem("prompt.draft.1")).toBe("typed");
    expect(tab.getItem("prompt-console-key")).toBe("key");
});

test("signing out, and another account", async () => {
    for (const next of ["", "bob"]) {
        const page = await open(local, tab);

        page.keptBy("alice");
        page.forget.mockClear();
        local.setItem("prompt.draft.1", "typed");
        local.setItem("prompt-theme", "dark");
        tab.setItem("prompt-console-key", "key");
        page.keptBy(next);
        expect(page.forget).toHaveBeenCalledOnce();
        expect(local.getItem("prompt.draft.1")).toBe(null);
        expect(tab.getItem("prompt-console-key")).toBe(null);
        expect(local.getItem("prompt-theme")).toBe("dark");
    }
});

test("a storage that throws keeps the page from forgetting nothing", async () => {
    const page = await open(broken, tab);

    page.keptBy("alice");
    page.forget.mockClear();
    tab.setItem("prompt-console-key", "key");
    page.keptBy("");
    expect(page.forget).toHaveBeenCalledOnce();
    expect(tab.getItem("prompt-console-key")).toBe(null);

    const nothing = await open(broken, broken);

    nothing.keptBy("alice");
    expect(nothing.forget).not.toHaveBeenCalled();
    nothing.keptBy("alice");
    nothing.keptBy(null);
    expect(nothing.forget).not.toHaveBeenCalled();
    nothing.keptBy("bob");
    expect(nothing.forget).toHaveBeenCalledOnce();
});

test("signed out elsewhere, and another account since", async () => {
    const page = await open(local, tab);

    page.keptBy("alice");
    page.forget.mockClear();
    tab.setItem("prompt-console-key", "of alice");

    // bob signed in by another tab, and his session has ended
    local.setItem("prompt-account", "bob");
    local.setItem("prompt.draft.1", "of bob");
    expect(page.isOurs()).toBe(false);

    page.keptBy(null);
    expect(page.forget).toHaveBeenCalledOnce();
    expect(tab.getItem("prompt-console-key")).toBe(null);
    expect(local.getItem("prompt.draft.1")).toBe("of bob");

    // nobody since
    page.keptBy("alice");
    local.removeItem("prompt-account");
    page.forget.mockClear();
    page.keptBy(null);
    expect(page.forget).toHaveBeenCalledOnce();
    expect(tab.getItem("prompt-account")).toBe(null);
});
