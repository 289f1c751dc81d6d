// What was typed into a form, and the input that it means.  Numbers go out
// with the digits that were typed.

import type { Field, Scalar } from "./form.ts";
import { type Json, JsonFault, JsonNumber, readJson } from "./json.ts";

export interface Message {
    role: "system" | "user" | "assistant";
    content: string;
}

/** Text and numbers as typed; choices and booleans as JSON, "" for none. */
export type Value = string | string[] | Message[];

/** By the fields' keys; a field that was never touched has none. */
export type Values = Record<string, Value>;

/** By the fields' keys, those of items with "/N". */
export type Faults = Record<string, string>;

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

export function textAt(values: Values, key: string): string {
    const value = values[key];

    return typeof value === "string" ? value : "";
}

export function itemsAt(values: Values, key: string): string[] {
    const value = values[key];

    return Array.isArray(value)
        ? value.filter((item): item is string => typeof item === "string")
        : [];
}

export function messagesAt(values: Values, key: string): Message[] {
    const value = values[key];

    return Array.isArray(value)
        ? value.filter((item): item is Message => typeof item === "object")
        : [];
}

class Reading {
    readonly faults: Faults = {};
    private readonly values: Values;

    constructor(values: Values) {
        this.values = values;
    }

    /** undefined: the member is absent. */
    field(field: Field): Json | undefined {
        const value = this.given(field);

        return value === undefined && field.required
            ? this.missing(field)
            : value;
    }

    members(fields: readonly Field[]): Map<string, Json> {
        const members = new Map<string, Json>();

        for (const field of fields) {
            const value = this.field(field);

            if (value !== undefined) {
                members.set(field.label, value);
            }
        }

        return members;
    }

    private fail(key: string, message: string): undefined {
        this.faults[key] = message;

        return undefined;
    }

    private given(field: Field): Json | undefined {
        const text = textAt(this.values, field.key);

        switch (field.kind) {
            case "boolean":
                return text === "" ? undefined : text === "true";

            case "object":
                return this.object(field.fields, field.required);

            case "list":
                return this.list(field.key, field.item);

            case "messages":
                return this.messages(field.key);

            case "json":
                return text.trim() === ""
                    ? undefined
                    : this.json(field.key, text);

            default:
                return text === ""
                    ? undefined
                    : this.scalar(field.key, field, text);
        }
    }

    /** What a required field is where nothing was typed. */
    private missing(field: Field): Json | undefined {
        switch (field.kind) {
            case "boolean":
                return field.fallback === "true";

            case "text":
                return field.nullable
                    ? null
                    : field.fallback !== undefined
                      ? readJson(field.fallback)
                      : "";

            case "object":
                return new Map();

            case "list":
            case "messages":
                return [];

            default:
                if (field.fallback !== undefined) {
                    return readJson(field.fallback);
                }

                if (field.nullable) {
                    return null;
                }

                if (this.faults[field.key] !== undefined) {
                    return undefined;
                }

                return this.fail(
                    field.key,
                    field.kind === "choice"
                        ? "Choose one."
                        : field.kind === "number"
                          ? "A number is needed."
                          : "A value is needed.",
                );
        }
    }

    private object(
        fields: readonly Field[],
        required: boolean,
    ): Json | undefined {
        const given = required || fields.some((field) => this.touched(field));

        return given ? this.members(fields) : undefined;
    }

    private touched(field: Field): boolean {
        const value = this.values[field.key];

        return field.kind === "object"
            ? field.fields.some((below) => this.touched(below))
            : value !== undefined && value.length > 0;
    }

    private list(key: string, item: Scalar): Json | undefined {
        const items = itemsAt(this.values, key);

        return items.length === 0
            ? undefined
            : items.map(
                  (text, i) => this.scalar(`${key}/${i}`, item, text) ?? null,
              );
    }

    private messages(key: string): Json | undefined {
        const messages = messagesAt(this.values, key);

        return messages.length === 0
            ? undefined
            : messages.map(
                  ({ role, content }) =>
                      new Map([
                          ["role", role],
                          ["content", content],
                      ]),
              );
    }

    private scalar(key: string, shape: Scalar, text: string): Json | undefined {
        switch (shape.kind) {
            case "choice":
                return text === ""
                    ? this.fail(key, "Choose one.")
                    : readJson(text);

            case "number":
                return this.number(key, shape.integer, text.trim());

            default:
                return text;
        }
    }

    private number(
        key: string,
        integer: boolean,
        text: string,
    ): Json | undefined {
        if (!NUMBER.test(text)) {
            return this.fail(
                key,
                /^-?\d+,\d+$/.test(text)
                    ? "Write the number with a point: 0.5"
                    : "This is not a number.",
            );
        }

        if (integer && !Number.isInteger(Number(text))) {
            return this.fail(key, "A whole number is needed.");
        }

        return new JsonNumber(text);
    }

    private json(key: string, text: string): Json | undefined {
        try {
            return readJson(text);
        } catch (error) {
            if (!(error instanceof JsonFault)) {
                throw error;
            }

            const line = text.slice(0, error.start).split("\n").length;

            return this.fail(key, `Line ${line}: ${error.message}`);
        }
    }
}

export interface Input {
    value: Json;
    faults: Faults;
}

export function inputOf(fields: readonly Field[], values: Values): Input {
    const reading = new Reading(values);
    const value = reading.members(fields);

    return { value, faults: reading.faults };
}

/** The texts that are needed, have no default and are empty, by their paths. */
export function emptyTexts(fields: readonly Field[], values: Values): string[] {
    return fields.flatMap((field) =>
        !field.required
            ? []
            : field.kind === "object"
              ? emptyTexts(field.fields, values)
              : field.kind === "text" &&
                  field.format === "text" &&
                  !field.nullable &&
                  field.fallback === undefined &&
                  textAt(values, field.key) === ""
                ? [field.path.join(".")]
                : [],
    );
}
