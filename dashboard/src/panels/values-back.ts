// The other way: values of a form from an input, where the form can show it.

import type { Field, Scalar } from "./form.ts";
import { type Json, JsonNumber, prettyJson, writeJson } from "./json.ts";
import type { Message, Values } from "./values.ts";

const ROLES = ["system", "user", "assistant"];

/** Says which member the form has no field for. */
export class NoForm extends Error {}

function scalar(path: string, shape: Scalar, value: Json): string {
    if (shape.kind === "choice") {
        const json = writeJson(value);

        if (shape.choices.some((choice) => choice.json === json)) {
            return json;
        }
    } else if (shape.kind === "number") {
        if (value instanceof JsonNumber) {
            return value.text;
        }
    } else if (typeof value === "string") {
        return value;
    }

    throw new NoForm(`The form has no place for this value of "${path}".`);
}

function message(path: string, value: Json): Message {
    if (value instanceof Map && value.size === 2) {
        const role = value.get("role");
        const content = value.get("content");

        if (
            typeof role === "string" &&
            ROLES.includes(role) &&
            typeof content === "string"
        ) {
            return { role: role as Message["role"], content };
        }
    }

    throw new NoForm(
        `"${path}" is a list of {"role": …, "content": …}, and nothing else.`,
    );
}

function put(field: Field, value: Json, values: Values): void {
    const path = field.path.join(".");

    switch (field.kind) {
        case "json":
            values[field.key] = prettyJson(writeJson(value));
            return;

        case "boolean":
            if (typeof value === "boolean") {
                values[field.key] = String(value);
                return;
            }
            break;

        case "object":
            if (value instanceof Map) {
                members(field.fields, value, values, `${path}.`);
                return;
            }
            break;

        case "list":
            if (Array.isArray(value)) {
                values[field.key] = value.map((item, i) =>
                    scalar(`${path}.${i}`, field.item, item),
                );
                return;
            }
            break;

        case "messages":
            if (Array.isArray(value)) {
                values[field.key] = value.map((item, i) =>
                    message(`${path}.${i}`, item),
                );
                return;
            }
            break;

        default:
            if (value === null && field.nullable) {
                return;
            }

            values[field.key] = scalar(path, field, value);
            return;
    }

    throw new NoForm(`The form has no place for this value of "${path}".`);
}

function members(
    fields: readonly Field[],
    value: Map<string, Json>,
    values: Values,
    prefix: string,
): void {
    for (const [name, member] of value) {
        const field = fields.find((one) => one.label === name);

        if (!field) {
            throw new NoForm(`The form has no field "${prefix}${name}".`);
        }

        put(field, member, values);
    }
}

/** Throws NoForm where the form cannot show the input. */
export function valuesOf(fields: readonly Field[], input: Json): Values {
    const values: Values = {};

    if (!(input instanceof Map)) {
        throw new NoForm("The input is to be a JSON object: { … }");
    }

    members(fields, input, values, "");

    return values;
}
