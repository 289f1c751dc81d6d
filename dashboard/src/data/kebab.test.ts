import { describe, expect, it } from "vitest";
import { kebab, nameError } from "./kebab.ts";

describe("kebab", () => {
    it.each([
        ["myPrompt", "my-prompt"],
        ["HTTPServer", "http-server"],
        ["gpt4Prompt", "gpt4-prompt"],
        ["gpt4prompt", "gpt4prompt"],
        ["  Summarize a   Ticket! ", "summarize-a-ticket"],
        ["über Größe", "über-größe"],
        ["a--b__c", "a-b-c"],
        ["ABC", "abc"],
        ["!?", ""],
    ])("%s becomes %s", (name, made) => {
        expect(kebab(name)).toBe(made);
    });

    it("says what is wrong", () => {
        expect(nameError("x")).toBeUndefined();
        expect(nameError("...")).toContain("at least one");
        expect(nameError("x".repeat(129))).toContain("128");
    });
});
