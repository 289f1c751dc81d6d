// What a version asks of its inputs, and which inputs of one version another
// would refuse.

import { unlisted } from "./derive.ts";
import type { ApiMessage } from "./messages.ts";
import { pathsOf } from "./template.ts";

/** Of a version, what takes inputs. */
export interface Taking {
    content: string;
    messages: readonly ApiMessage[];
    /** JSON; null: none */
    inputSchema: string | null;
}

export interface Failing {
    /** dotted */
    field: string;
    why: string;
}

type Schema = Record<string, unknown>;

const DEPTH = 8;

function isSchema(value: unknown): value is Schema {
    return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** All that its texts name, and the histories, each once. */
export function namesOf({ content, messages }: Taking): string[] {
    const texts = messages.flatMap((message) => [
        message.content ?? "",
        ...(message.images ?? []),
    ]);

    return [
        ...new Set([
            ...[...texts, content].flatMap(pathsOf),
            ...messages.flatMap(({ placeholder }) =>
                typeof placeholder === "string" ? [placeholder] : [],
            ),
        ]),
    ];
}

function schemaOf({ inputSchema }: Taking): Schema {
    const schema: unknown = JSON.parse(inputSchema ?? "{}");

    return isSchema(schema) ? schema : {};
}

/** Properties by their paths, with whether an input must have them. */
function propertiesOf(taking: Taking) {
    const found = new Map<string, { schema: Schema; needed: boolean }>();

    function walk(schema: Schema, at: string, needed: boolean, depth: number) {
        const properties = isSchema(schema.properties) ? schema.properties : {};
        const required = Array.isArray(schema.required) ? schema.required : [];

        for (const [name, value] of Object.entries(properties)) {
            const below = isSchema(value) ? value : {};
            const must =
                needed && required.includes(name) && !("default" in below);

            found.set(at + name, { schema: below, needed: must });

            if (depth < DEPTH) {
                walk(below, `${at}${name}.`, must, depth + 1);
            }
        }

        for (const name of required) {
            if (typeof name === "string" && !Object.hasOwn(properties, name)) {
                found.set(at + name, { schema: {}, needed });
            }
        }
    }

    walk(schemaOf(taking), "", true, 0);

    return found;
}

function typesOf(schema: Schema): string[] | undefined {
    const { type } = schema;

    return typeof type === "string"
        ? [type]
        : Array.isArray(type)
          ? type.filter((one) => typeof one === "string")
          : undefined;
}

function choicesOf(schema: Schema): string[] | undefined {
    return Array.isArray(schema.enum)
        ? schema.enum.map((one) => JSON.stringify(one))
        : "const" in schema
          ? [JSON.stringify(schema.const)]
          : undefined;
}

function lessOf(before: Schema, after: Schema): string | undefined {
    const types = typesOf(after);
    const choices = choicesOf(after);
    const had = choicesOf(before);
    const gone = choices && had?.filter((one) => !choices.includes(one));

    if (
        types !== undefined &&
        !typesOf(before)?.every(
            (type) =>
                types.includes(type) ||
                (type === "integer" && types.includes("number")),
        )
    ) {
        return `takes ${types.join(" or ")} alone now`;
    }

    if (choices !== undefined && had === undefined) {
        return `takes ${choices.join(", ")} alone now`;
    }

    return gone && gone.length > 0
        ? `does not take ${gone.join(", ")} any more`
        : undefined;
}

/** What of inputs for `before` fails with `after`, a field each. */
export function wouldFail(before: Taking, after: Taking): Failing[] {
    const had = propertiesOf(before);
    const has = propertiesOf(after);
    const failing = new Map<string, string>();
    const valueless = (taking: Taking) =>
        unlisted(
            taking.inputSchema ?? "{}",
            [
                taking.content,
                ...taking.messages.flatMap(({ content, images }) => [
                    content ?? "",
                    ...(images ?? []),
                ]),
            ].flatMap(pathsOf),
        );
    const needed = valueless(before);

    for (const [field, { schema, needed: must }] of has) {
        const old = had.get(field);

        if (must && !old?.needed && !needed.has(field)) {
            failing.set(field, "is required and has no default");
        } else if (old !== undefined) {
            const less = lessOf(old.schema, schema);

            if (less !== undefined) {
                failing.set(field, less);
            }
        }
    }

    for (const path of valueless(after)) {
        if (!needed.has(path) && !had.get(path)?.needed) {
            failing.set(path, "is a placeholder that needs a value");
        }
    }

    if (schemaOf(after).additionalProperties === false) {
        for (const field of had.keys()) {
            if (!field.includes(".") && !has.has(field)) {
                failing.set(field, "is not taken any more");
            }
        }
    }

    return [...failing].map(([field, why]) => ({ field, why }));
}
