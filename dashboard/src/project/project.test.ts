import { expect, test } from "vitest";
import { labelsError, labelsOf } from "./labels.ts";
import { rolesGivenBy } from "./role.ts";

test("labels are typed with commas or spaces between them", () => {
    expect(labelsOf(" production,staging  production\n")).toEqual([
        "production",
        "staging",
    ]);
    expect(labelsOf("")).toEqual([]);
    expect(labelsError("")).toBeUndefined();
    expect(labelsError("production, Live")).toMatch(/^Live: A label begins/);
    expect(labelsError("latest")).toMatch(/^latest: /);
    expect(
        labelsError(Array.from({ length: 65 }, (_, i) => `l${i}`).join(" ")),
    ).toBe("At most 64 labels: these are 65.");
});

test("who gives which roles", () => {
    expect(rolesGivenBy("OWNER")).toHaveLength(4);
    expect(rolesGivenBy("ADMIN")).toEqual(["VIEWER", "EDITOR"]);
    expect(rolesGivenBy("EDITOR")).toEqual([]);
    expect(rolesGivenBy("VIEWER")).toEqual([]);
});
