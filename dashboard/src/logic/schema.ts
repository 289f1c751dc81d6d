// Input schemas: whether a text is one, before the service says so.
//
// What is checked is JSON, and the form of each keyword's value.  What needs
// more (references to other places by $id, the size of patterns) is left to
// the service, whose answer is put at its place as well.

import {
    compactJson,
    type JsonNode,
    type JsonObject,
    memberOf,
    nodeAt,
    readJson,
} from "./json.ts";
import { bytes, type Fault } from "./position.ts";

const LIMIT = 256 * 1024;

const TYPES = [
    "null",
    "boolean",
    "number",
    "string",
    "array",
    "object",
    "integer",
];

type Kind =
    | "any"
    | "boolean"
    | "count"
    | "dependencies"
    | "divisor"
    | "list"
    | "map"
    | "names"
    | "namesMap"
    | "number"
    | "one"
    | "oneOrSeveral"
    | "reference"
    | "regex"
    | "regexMap"
    | "several"
    | "string"
    | "types";

const KEYWORDS: Record<string, Kind> = {
    type: "types",
    properties: "map",
    required: "names",
    description: "string",
    title: "string",
    default: "any",
    examples: "list",
    format: "string",
    enum: "list",
    const: "any",
    maxLength: "count",
    minLength: "count",
    pattern: "regex",
    multipleOf: "divisor",
    maximum: "number",
    exclusiveMaximum: "number",
    minimum: "number",
    exclusiveMinimum: "number",
    items: "one",
    maxItems: "count",
    minItems: "count",
    uniqueItems: "boolean",
    contains: "one",
    maxProperties: "count",
    minProperties: "count",
    patternProperties: "regexMap",
    additionalProperties: "one",
    propertyNames: "one",
    dependencies: "dependencies",
    allOf: "several",
    anyOf: "several",
    oneOf: "several",
    not: "one",
    if: "one",
    // biome-ignore lint/suspicious/noThenProperty: a keyword, never awaited
    then: "one",
    else: "one",
    $ref: "reference",
    $defs: "map",
    definitions: "map",
    $schema: "string",
    $id: "string",
    $comment: "string",
    readOnly: "boolean",
    writeOnly: "boolean",
    contentEncoding: "string",
    contentMediaType: "string",
};

const NEW_KEYWORDS: Record<string, Kind> = {
    prefixItems: "several",
    maxContains: "count",
    minContains: "count",
    dependentRequired: "namesMap",
    dependentSchemas: "map",
    $anchor: "string",
    $dynamicRef: "reference",
    $dynamicAnchor: "string",
    $vocabulary: "any",
    deprecated: "boolean",
    contentSchema: "one",
    unevaluatedItems: "one",
    unevaluatedProperties: "one",
};

const OLD_KEYWORDS: Record<string, Kind> = {
    items: "oneOrSeveral",
    additionalItems: "one",
};

const NEW_DIALECT = "https://json-schema.org/draft/2020-12/schema";
const OLD_DIALECT = "http://json-schema.org/draft-07/schema";

/** Names of all keywords, for those who write them. */
export const KEYWORD_NAMES = [
    ...Object.keys(KEYWORDS),
    ...Object.keys(NEW_KEYWORDS),
];

export { TYPES as TYPE_NAMES };

class Checker {
    readonly faults: Fault[] = [];
    old = false;

    constructor(
        readonly text: string,
        readonly root: JsonObject,
    ) {}

    wrong(node: { from: number; to: number }, path: string, message: string) {
        this.faults.push({
            from: node.from,
            to: node.to,
            field: path,
            message,
        });
    }

    kindOf(name: string): Kind | undefined {
        const own = this.old ? OLD_KEYWORDS : NEW_KEYWORDS;

        return Object.hasOwn(own, name)
            ? own[name]
            : Object.hasOwn(KEYWORDS, name)
              ? KEYWORDS[name]
              : undefined;
    }

    schema(node: JsonNode, path: string) {
        if (node.type === "boolean") {
            return;
        }

        if (node.type !== "object") {
            this.wrong(node, path, "A schema is an object, or true or false.");
            return;
        }

        const around = this.old;

        this.dialect(node, path);

        // in draft-07 nothing counts that stands beside a $ref
        const alone = this.old && memberOf(node, "$ref") !== undefined;

        for (const member of node.members) {
            const kind = this.kindOf(member.name);

            if (
                kind === undefined ||
                (alone &&
                    !["$ref", "definitions", "$defs"].includes(member.name))
            ) {
                continue;
            }

            this.keyword(kind, member.value, `${path}.${member.name}`);
        }

        this.old = around;
    }

    dialect(node: JsonObject, path: string) {
        const value = memberOf(node, "$schema")?.value;

        if (value?.type !== "string") {
            return;
        }

        const name = value.value.replace(/#$/, "");

        if (name === NEW_DIALECT || name === OLD_DIALECT) {
            this.old = name === OLD_DIALECT;
            return;
        }

        this.wrong(
            value,
            `${path}.$schema`,
            `This must be ${NEW_DIALECT} or ${OLD_DIALECT}#.`,
        );
    }

    keyword(kind: Kind, node: JsonNode, path: string) {
        switch (kind) {
            case "any":
                return;
            case "one":
                this.schema(node, path);
                return;
            case "oneOrSeveral":
                if (node.type === "array") {
                    this.list(node, path, true);
                } else {
                    this.schema(node, path);
                }
                return;
            case "several":
                this.list(node, path, false);
                return;
            case "map":
            case "regexMap":
            case "namesMap":
            case "dependencies":
                this.map(kind, node, path);
                return;
            case "names":
                this.names(node, path);
                return;
            case "types":
                this.types(node, path);
                return;
            case "reference":
                this.reference(node, path);
                return;
            default:
                this.scalar(kind, node, path);
        }
    }

    list(node: JsonNode, path: string, empty: boolean) {
        if (node.type !== "array") {
            this.wrong(node, path, "This is a list of schemas: [ … ].");
            return;
        }

        if (node.items.length === 0 && !empty) {
            this.wrong(node, path, "This list must not be empty.");
        }

        node.items.forEach((item, i) => {
            this.schema(item, `${path}.${i}`);
        });
    }

    map(kind: Kind, node: JsonNode, path: string) {
        if (node.type !== "object") {
            this.wrong(node, path, "This is an object: { … }.");
            return;
        }

        for (const member of node.members) {
            const at = `${path}.${member.name}`;

            if (kind === "regexMap") {
                this.regex(
                    { from: member.nameFrom, to: member.nameTo },
                    member.name,
                    at,
                );
            }

            if (
                kind === "namesMap" ||
                (kind === "dependencies" && member.value.type === "array")
            ) {
                this.names(member.value, at);
            } else {
                this.schema(member.value, at);
            }
        }
    }

    names(node: JsonNode, path: string) {
        if (node.type !== "array") {
            this.wrong(node, path, "This is a list of names: [ … ].");
            return;
        }

        const seen = new Set<string>();

        node.items.forEach((item, i) => {
            if (item.type !== "string") {
                this.wrong(item, `${path}.${i}`, "A name is a string.");
            } else if (seen.has(item.value)) {
                this.wrong(item, path, "This name comes twice.");
            } else {
                seen.add(item.value);
            }
        });
    }

    types(node: JsonNode, path: string) {
        const items = node.type === "array" ? node.items : [node];
        const seen = new Set<string>();

        if (items.length === 0) {
            this.wrong(node, path, "This list must not be empty.");
        }

        items.forEach((item, i) => {
            const at = node.type === "array" ? `${path}.${i}` : path;
            const name = item.type === "string" ? item.value : "";

            if (!TYPES.includes(name)) {
                this.wrong(item, at, `A type is one of ${TYPES.join(", ")}.`);
            } else if (seen.has(name)) {
                this.wrong(item, at, "This type comes twice.");
            }

            seen.add(name);
        });
    }

    reference(node: JsonNode, path: string) {
        if (node.type !== "string") {
            this.wrong(node, path, "This is a string.");
            return;
        }

        // a place of this document that no $id can change
        if (!/^#(\/|$)/.test(node.value) || /"\$id"/.test(this.text)) {
            return;
        }

        if (!this.pointsSomewhere(node.value.slice(1))) {
            this.wrong(node, path, "There is no schema at this place.");
        }
    }

    pointsSomewhere(pointer: string): boolean {
        let node: JsonNode | undefined = this.root;

        for (const segment of pointer.split("/").slice(1)) {
            let name = segment;

            try {
                name = decodeURIComponent(segment);
            } catch {
                return false;
            }

            name = name.replaceAll("~1", "/").replaceAll("~0", "~");
            node =
                node?.type === "array"
                    ? node.items[Number(name)]
                    : memberOf(node, name)?.value;
        }

        return node !== undefined;
    }

    scalar(kind: Kind, node: JsonNode, path: string) {
        const raw = this.text.slice(node.from, node.to);

        switch (kind) {
            case "boolean":
                if (node.type !== "boolean") {
                    this.wrong(node, path, "This is true or false.");
                }
                return;

            case "list":
                if (node.type !== "array") {
                    this.wrong(node, path, "This is a list: [ … ].");
                }
                return;

            case "count":
                if (
                    node.type !== "number" ||
                    !Number.isInteger(Number(raw)) ||
                    Number(raw) < 0
                ) {
                    this.wrong(node, path, "This is a whole number from 0.");
                }
                return;

            case "number":
            case "divisor":
                if (node.type !== "number") {
                    this.wrong(node, path, "This is a number.");
                } else if (kind === "divisor" && !(Number(raw) > 0)) {
                    this.wrong(node, path, "This is a number above 0.");
                }
                return;

            default:
                if (node.type !== "string") {
                    this.wrong(node, path, "This is a string.");
                } else if (kind === "regex") {
                    this.regex(node, node.value, path);
                }
        }
    }

    regex(place: { from: number; to: number }, pattern: string, path: string) {
        // the service takes what either mode takes
        if (!isPattern(pattern, "u") && !isPattern(pattern, "")) {
            this.wrong(place, path, "This is no regular expression.");
        } else if (/\(\?<?[=!]|\\[1-9]|\\k</.test(pattern)) {
            this.faults.push({
                from: place.from,
                to: place.to,
                field: path,
                severity: "warning",
                message:
                    "Back references and look-around are not supported in patterns.",
            });
        }
    }
}

function isPattern(pattern: string, flags: string): boolean {
    try {
        new RegExp(pattern, flags);
        return true;
    } catch {
        return false;
    }
}

/** All that is wrong with the text of a schema; empty text is none. */
export function schemaFaults(
    text: string,
    field: "inputSchema" | "outputSchema" = "inputSchema",
): Fault[] {
    if (text.trim() === "") {
        return [];
    }

    const { node, faults } = readJson(text);

    if (node === null) {
        return faults;
    }

    if (node.type !== "object") {
        return [
            {
                from: node.from,
                to: node.to,
                field,
                message: "A schema is a JSON object: { … }.",
            },
        ];
    }

    const checker = new Checker(text, node);

    checker.schema(node, field);

    if (bytes(compactJson(text, node)) > LIMIT) {
        checker.wrong(
            { from: node.from, to: node.from + 1 },
            field,
            "A schema has at most 256 KiB.",
        );
    }

    return [...faults, ...checker.faults];
}

/** Where something stands that the service found wrong. */
export function placeOf(text: string, path: string): Fault | null {
    const { node } = readJson(text);

    if (node === null) {
        return null;
    }

    const found = nodeAt(node, path);

    return { from: found.from, to: found.to, message: "" };
}
