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
        ["ΣΟΦΟΣ", "σοφοσ"],
        ["e\u0301A", "e\u0301-a"],
        ["日本Go", "日本go"],
        ["İx", "ix"],
        ["A1B", "a1-b"],
        ["a\u00b2b", "a-b"],
    ])("%s becomes %s", (name, made) => {
        expect(kebab(name)).toBe(made);
    });

    it("says what is wrong", () => {
        expect(nameError("x")).toBeUndefined();
        expect(nameError("...")).toContain("at least one");
        expect(nameError("x".repeat(129))).toContain("128");
    });
});
