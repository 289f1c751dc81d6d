// A form for the input of a prompt: its fields from the input schema, the
// placeholders of the templates and the places for history.  What a schema
// can say beyond what a form can show is a field of JSON.

import { pathsOf } from "../logic/template.ts";
import { type Json, JsonNumber, readJson, toJson, writeJson } from "./json.ts";

interface Common {
    path: string[];
    /** Names the field in Values. */
    key: string;
    label: string;
    help: string;
    required: boolean;
    nullable: boolean;
    /** The schema's default, as JSON. */
    fallback?: string;
    /** A value that fits, as JSON, where the schema tells one. */
    sample?: string | undefined;
}

export interface Choice {
    label: string;
    /** The value, as JSON. */
    json: string;
}

export type Scalar =
    | { kind: "text"; format: "text" | "date"; long: boolean }
    | { kind: "number"; integer: boolean }
    | { kind: "choice"; choices: Choice[] };

export type Shape =
    | Scalar
    | { kind: "boolean" }
    | { kind: "object"; fields: Field[] }
    | { kind: "list"; item: Scalar }
    | { kind: "messages" }
    | { kind: "json" };

export type Field = Common & Shape;

export interface Template {
    content?: string | null;
    /** Templates, too. */
    images?: readonly string[] | null;
    /** The input's member whose messages stand here. */
    placeholder?: string | null;
}

type Schema = Record<string, unknown>;

/** Objects in objects: beyond that, JSON is easier to read. */
const NESTING = 4;

/** Paths of the placeholders of a template, each once. */
export function placeholders(content: string): string[][] {
    return pathsOf(content).map((path) => path.split("."));
}

function isSchema(value: unknown): value is Schema {
    return (
        typeof value === "object" &&
        value !== null &&
        !Array.isArray(value) &&
        !(value instanceof JsonNumber)
    );
}

/** Members as an object, numbers as they were written. */
function plain(value: Json): unknown {
    if (Array.isArray(value)) {
        return value.map(plain);
    }

    if (value instanceof Map) {
        const members: Schema = Object.create(null);

        for (const [name, member] of value) {
            members[name] = plain(member);
        }

        return members;
    }

    return value;
}

/** NaN where it has none. */
function numberAt(schema: Schema, name: string): number {
    const value = schema[name];

    return value instanceof JsonNumber ? Number(value.text) : Number.NaN;
}

export function keyOf(path: readonly string[]): string {
    return path
        .map((name) => `/${name.replace(/~/g, "~0").replace(/\//g, "~1")}`)
        .join("");
}

/** A schema with the local reference followed that it consists of. */
function followed(schema: Schema, root: Schema): Schema | null {
    let at = schema;

    for (let i = 0; typeof at.$ref === "string"; i++) {
        const steps = /^#\/(.*)$/.exec(at.$ref)?.[1];
        let target: unknown = root;

        if (steps === undefined || i > 8) {
            return null;
        }

        for (const step of steps.split("/")) {
            const name = step.replace(/~1/g, "/").replace(/~0/g, "~");

            target =
                isSchema(target) && Object.hasOwn(target, name)
                    ? target[name]
                    : undefined;
        }

        if (!isSchema(target)) {
            return null;
        }

        at = { ...target, ...without(at, "$ref") };
    }

    return at;
}

function without(schema: Schema, name: string): Schema {
    const { [name]: _, ...others } = schema;

    return others;
}

function choicesOf(schema: Schema): Choice[] | null {
    const choice = (value: unknown, title?: unknown): Choice => ({
        label:
            typeof title === "string"
                ? title
                : typeof value === "string"
                  ? value
                  : writeJson(toJson(value)),
        json: writeJson(toJson(value)),
    });

    if (Array.isArray(schema.enum) && schema.enum.length > 0) {
        return schema.enum.map((value) => choice(value));
    }

    if ("const" in schema) {
        return [choice(schema.const, schema.title)];
    }

    const all = schema.oneOf ?? schema.anyOf;

    if (
        Array.isArray(all) &&
        all.length > 0 &&
        all.every((one) => isSchema(one) && "const" in one)
    ) {
        return all.map((one) => choice(one.const, one.title));
    }

    return null;
}

/** The one type beside null, and whether null is allowed. */
function typeOf(schema: Schema): { type: string | null; nullable: boolean } {
    const types = (
        Array.isArray(schema.type) ? schema.type : [schema.type]
    ).filter((type): type is string => typeof type === "string");
    const others = types.filter((type) => type !== "null");

    return {
        type: others.length === 1 ? (others[0] ?? null) : null,
        nullable: types.includes("null"),
    };
}

/** Keywords that make one value depend on another: not for a simple field. */
const COMPOUND = ["allOf", "anyOf", "oneOf", "not", "if"];

function isCompound(schema: Schema): boolean {
    return COMPOUND.some((keyword) => keyword in schema);
}

function scalarOf(schema: Schema, type: string | null): Scalar | null {
    const choices = choicesOf(schema);

    if (choices) {
        return { kind: "choice", choices };
    }

    if (isCompound(schema)) {
        return null;
    }

    switch (type) {
        case "string":
            return {
                kind: "text",
                format: schema.format === "date" ? "date" : "text",
                long:
                    schema.format === undefined &&
                    !(numberAt(schema, "maxLength") <= 100),
            };

        case "number":
        case "integer":
            return { kind: "number", integer: type === "integer" };

        default:
            return null;
    }
}

function shapeOf(schema: Schema, root: Schema, path: string[]): Shape {
    const { type } = typeOf(schema);
    const scalar = scalarOf(schema, type);

    if (scalar) {
        return scalar;
    }

    if (isCompound(schema)) {
        return { kind: "json" };
    }

    if (type === "boolean") {
        return { kind: "boolean" };
    }

    if (type === "object" && path.length < NESTING) {
        const fields = fieldsOf(schema, root, path);

        return fields.length > 0
            ? { kind: "object", fields }
            : { kind: "json" };
    }

    if (type === "array" && isSchema(schema.items)) {
        const items = followed(schema.items, root);
        const item = items && scalarOf(items, typeOf(items).type);

        if (item && !typeOf(items).nullable) {
            return { kind: "list", item };
        }
    }

    return { kind: "json" };
}

function bounds(schema: Schema): string[] {
    const number = (name: string) => {
        const value = schema[name];

        return value instanceof JsonNumber ? value.text : null;
    };
    const range = (least: string, most: string, unit: string) => {
        const [from, to] = [number(least), number(most)];

        return from !== null && to !== null
            ? `${from} to ${to}${unit}`
            : from !== null && !(unit !== "" && from === "0")
              ? `at least ${from}${unit}`
              : to !== null
                ? `at most ${to}${unit}`
                : null;
    };

    return [
        range("minimum", "maximum", ""),
        number("exclusiveMinimum") && `above ${number("exclusiveMinimum")}`,
        number("exclusiveMaximum") && `below ${number("exclusiveMaximum")}`,
        number("multipleOf") && `a multiple of ${number("multipleOf")}`,
        range("minLength", "maxLength", " characters"),
        range("minItems", "maxItems", " items"),
        typeof schema.pattern === "string" && `matching ${schema.pattern}`,
        typeof schema.format === "string" && schema.format,
    ].filter((part): part is string => typeof part === "string");
}

const SAMPLES: Record<string, string> = {
    email: "somebody@example.com",
    uri: "https://example.com/",
    date: "2026-01-31",
    time: "12:00:00Z",
    "date-time": "2026-01-31T12:00:00Z",
    uuid: "01234567-89ab-7def-8123-456789abcdef",
};

function sampleOf(schema: Schema): string | undefined {
    if (Array.isArray(schema.examples) && schema.examples.length > 0) {
        return writeJson(toJson(schema.examples[0]));
    }

    if (typeof schema.format === "string" && SAMPLES[schema.format]) {
        return JSON.stringify(SAMPLES[schema.format]);
    }

    const least = schema.minimum ?? schema.multipleOf;

    return least instanceof JsonNumber ? least.text : undefined;
}

function helpOf(schema: Schema): string {
    const title = typeof schema.title === "string" ? schema.title : "";
    const description =
        typeof schema.description === "string" ? schema.description : "";
    const parts = bounds(schema);
    const facts = parts.length > 0 ? `${parts.join(", ")}.` : "";
    const fallback =
        "default" in schema
            ? `Default: ${writeJson(toJson(schema.default))}`
            : "";

    return [
        title && description
            ? `${title}: ${description}`
            : title || description,
        facts.charAt(0).toUpperCase() + facts.slice(1),
        fallback,
    ]
        .filter(Boolean)
        .join(" ");
}

function plainField(path: string[], shape: Shape, required: boolean): Field {
    return {
        path,
        key: keyOf(path),
        label: path.at(-1) ?? "",
        help: "",
        required,
        nullable: false,
        ...shape,
    };
}

function fieldsOf(schema: Schema, root: Schema, path: string[]): Field[] {
    if (!isSchema(schema.properties)) {
        return [];
    }

    const required = Array.isArray(schema.required) ? schema.required : [];

    return Object.entries(schema.properties).map(([name, value]) => {
        const own = [...path, name];
        const below = isSchema(value) ? followed(value, root) : null;

        if (!below) {
            return plainField(own, { kind: "json" }, required.includes(name));
        }

        return {
            ...plainField(
                own,
                shapeOf(below, root, own),
                required.includes(name),
            ),
            help: helpOf(below),
            nullable: typeOf(below).nullable,
            sample: sampleOf(below),
            ...("default" in below
                ? { fallback: writeJson(toJson(below.default)) }
                : {}),
        };
    });
}

/** A placeholder that the schema does not have needs a value all the same. */
function addPlaceholder(fields: Field[], path: string[], depth = 0): void {
    const own = path.slice(0, depth + 1);
    const found = fields.find((field) => field.key === keyOf(own));
    const last = path.length === depth + 1;

    if (found) {
        if (!last && found.kind === "object") {
            addPlaceholder(found.fields, path, depth + 1);
        }
    } else if (last) {
        fields.push(
            plainField(own, { kind: "text", format: "text", long: true }, true),
        );
    } else if (/^\d+$/.test(path[depth + 1] ?? "") || depth + 1 >= NESTING) {
        fields.push(plainField(own, { kind: "json" }, true));
    } else {
        const below: Field[] = [];

        fields.push(plainField(own, { kind: "object", fields: below }, true));
        addPlaceholder(below, path, depth + 1);
    }
}

/**
 * The fields of a version's input, which has inputSchema (JSON) or none; no
 * fields where it takes no input that is known.
 */
export function formOf(
    inputSchema: string | null,
    templates: readonly Template[],
): Field[] {
    const schema = inputSchema === null ? null : plain(readJson(inputSchema));
    const root = isSchema(schema) ? schema : {};
    const fields = fieldsOf(followed(root, root) ?? {}, root, []);

    for (const { content, images } of templates) {
        for (const text of [content ?? "", ...(images ?? [])]) {
            for (const path of placeholders(text)) {
                addPlaceholder(fields, path);
            }
        }
    }

    for (const { placeholder } of templates) {
        if (typeof placeholder === "string") {
            const at = fields.findIndex(
                (field) => field.key === keyOf([placeholder]),
            );
            const listed = fields[at];
            const field = {
                ...plainField(
                    [placeholder],
                    { kind: "messages" },
                    listed?.required ?? false,
                ),
                help: listed?.help ?? "",
            };

            fields.splice(at >= 0 ? at : fields.length, at >= 0 ? 1 : 0, field);
        }
    }

    return fields;
}
