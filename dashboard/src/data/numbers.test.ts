import { describe, expect, it } from "vitest";
import { documentOfMany } from "./numbers.ts";

describe("documentOfMany", () => {
    it("asks for each under its own name", () => {
        const one =
            "query X($id: ID!, $since: DateTime!) { executions(promptId: $id, first: 1) { createdAt } statistics(promptId: $id, since: $since) { executions } }";

        expect(documentOfMany(one, 2)).toBe(
            "query Numbers($id0: ID! $id1: ID! $since: DateTime!) {" +
                " e0: executions(promptId: $id0, first: 1) { createdAt } s0: statistics(promptId: $id0, since: $since) { executions } " +
                " e1: executions(promptId: $id1, first: 1) { createdAt } s1: statistics(promptId: $id1, since: $since) { executions } }",
        );
    });
});
