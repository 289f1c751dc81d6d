import { expect, test } from "vitest";
import { actions, isAction } from "./actions.ts";
import { percentOf, stateOf } from "./budget.tsx";
import { changesOf, refusalOf } from "./changes.ts";
import { limitError, warnError } from "./limit.ts";
import { underTheirMakers } from "./made-by.ts";

test("what was before, and after", () => {
    expect(
        changesOf({
            before: { name: "a", isPublic: false },
            after: { name: "b", isPublic: true },
            changed: ["description", "category"],
        }),
    ).toEqual([
        {
            field: "changed",
            before: undefined,
            after: "description, category",
        },
        { field: "name", before: "a", after: "b" },
        { field: "isPublic", before: "false", after: "true" },
    ]);
    expect(changesOf({ label: "live", before: null, after: 3 })).toEqual([
        { field: "label", before: undefined, after: "live" },
        { field: "version", before: undefined, after: "3" },
    ]);
    expect(changesOf({ before: "EDITOR", after: "ADMIN" })).toEqual([
        { field: "role", before: "EDITOR", after: "ADMIN" },
    ]);
    expect(changesOf({ before: "ADMIN", after: null })).toEqual([
        { field: "role", before: "ADMIN", after: undefined },
    ]);
    expect(refusalOf({ code: "FORBIDDEN", reason: "ROLE" })).toBe(
        "FORBIDDEN, ROLE",
    );
    expect(refusalOf({ label: "live" })).toBeUndefined();
    expect(changesOf({ code: "FORBIDDEN", reason: "ROLE" })).toEqual([]);
    expect([changesOf(undefined), changesOf(null), changesOf([1])]).toEqual([
        [],
        [],
        [],
    ]);
});

test("keys stand below those that made them", () => {
    const key = (id: string, parentId: string | null) => ({ id, parentId });
    const rows = underTheirMakers([
        key("grandchild", "child"),
        key("child", "root"),
        key("orphan", "gone"),
        key("sibling", "root"),
        key("root", null),
    ]);

    expect(rows.map((row) => [row.key.id, row.depth])).toEqual([
        ["orphan", 0],
        ["root", 0],
        ["child", 1],
        ["grandchild", 2],
        ["sibling", 1],
    ]);
    expect(underTheirMakers([])).toEqual([]);
});

test("a budget as it is typed", () => {
    expect(limitError("")).toMatch(/Enter how much/);
    expect(limitError("1,5")).toMatch(/such as/);
    expect(limitError("-1")).toMatch(/such as/);
    expect(limitError(" 0.50 ")).toBeUndefined();
    expect([warnError(""), warnError("1"), warnError("100")]).toEqual([
        undefined,
        undefined,
        undefined,
    ]);
    expect(
        [warnError("0"), warnError("101"), warnError("1.5")].every(Boolean),
    ).toBe(true);
});

test("how much of a budget is spent", () => {
    const budget = {
        id: "1",
        limitUsd: "10",
        per: "DAY" as const,
        spentUsd: "7.9",
        reservedUsd: "0",
        warnAtPercent: 80,
        resetsAt: null,
    };

    expect(percentOf("2.5", "10")).toBe(25);
    expect(percentOf("25", "10")).toBe(100);
    expect(percentOf("0", "0")).toBe(100);
    expect(stateOf(budget)).toBe("good");
    expect(stateOf({ ...budget, spentUsd: "8" })).toBe("warn");
    expect(stateOf({ ...budget, spentUsd: "10.01" })).toBe("bad");
    expect(stateOf({ ...budget, spentUsd: "9.99", warnAtPercent: null })).toBe(
        "good",
    );
});

test("actions of the log", () => {
    expect(actions("")[0]?.value).toBe("createPrompt");
    expect(actions("promptctl user add")[0]?.value).toBe("promptctl user add");
    expect([isAction("signIn"), isAction(""), isAction("<b>")]).toEqual([
        true,
        false,
        false,
    ]);
});
