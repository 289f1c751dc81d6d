// An input to begin with: what the schema has as default, first choice or kind.

import type { Field, Scalar } from "./form.ts";
import { type Json, JsonNumber, readJson } from "./json.ts";

function scalar(shape: Scalar, label: string): Json {
    switch (shape.kind) {
        case "choice":
            return readJson(shape.choices[0]?.json ?? "null");

        case "number":
            return new JsonNumber("1");

        default:
            return shape.format === "date" ? "2026-01-31" : `Some ${label}`;
    }
}

function exampleValue(field: Field): Json {
    if (field.fallback !== undefined) {
        return readJson(field.fallback);
    }

    if (field.sample !== undefined) {
        return readJson(field.sample);
    }

    switch (field.kind) {
        case "boolean":
            return true;

        case "object":
            return exampleOf(field.fields);

        case "list":
            return [scalar(field.item, field.label)];

        case "messages":
            return [
                new Map<string, Json>([
                    ["role", "user"],
                    ["content", "Hello"],
                ]),
            ];

        case "json":
            return null;

        default:
            return scalar(field, field.label);
    }
}

/** Those that are needed; of the others, those that a form can show. */
export function exampleOf(fields: readonly Field[]): Json {
    return new Map(
        fields
            .filter((field) => field.required || field.kind !== "json")
            .map((field) => [field.label, exampleValue(field)]),
    );
}
