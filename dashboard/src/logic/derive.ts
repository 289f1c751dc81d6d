// Placeholders and input schema, each seen from the other: which schema a
// template needs, and which placeholders a schema offers.

import {
    type JsonNode,
    type JsonObject,
    memberOf,
    prettyJson,
    readJson,
    setMember,
} from "./json.ts";

/** What templates need: a tree of the segments of their paths. */
type Need = Map<string, Need>;

export type Derived = {
    text: string;
    /** the paths that the schema did not list */
    added: string[];
};

const INDEX = /^(?:0|[1-9][0-9]{0,8})$/;

const HISTORY = `{
  "type": "array",
  "items": {
    "type": "object",
    "properties": {
      "role": { "enum": ["system", "user", "assistant"] },
      "content": { "type": "string" }
    },
    "required": ["role", "content"],
    "additionalProperties": false
  }
}`;

function needOf(paths: readonly string[]): Need {
    const root: Need = new Map();

    for (const path of paths) {
        let need = root;

        for (const segment of path.split(".")) {
            const child: Need = need.get(segment) ?? new Map();

            need.set(segment, child);
            need = child;
        }
    }

    return root;
}

function isList(need: Need): boolean {
    return need.size > 0 && [...need.keys()].every((name) => INDEX.test(name));
}

/** What all elements of a list need together. */
function itemsOf(need: Need): Need {
    const items: Need = new Map();

    for (const child of need.values()) {
        for (const [name, below] of child) {
            items.set(name, new Map([...(items.get(name) ?? []), ...below]));
        }
    }

    return items;
}

/** The schema of something new. */
function fresh(need: Need): string {
    if (need.size === 0) {
        return '{ "type": "string" }';
    }

    if (isList(need)) {
        const least = Math.max(...[...need.keys()].map(Number)) + 1;

        return `{ "type": "array", "items": ${fresh(itemsOf(need))}, "minItems": ${least} }`;
    }

    const members = [...need].map(
        ([name, below]) => `${JSON.stringify(name)}: ${fresh(below)}`,
    );

    return `{ "type": "object", "properties": { ${members.join(", ")} }, "required": ${JSON.stringify([...need.keys()])} }`;
}

function objectOf(text: string): JsonObject | null {
    const { node } = readJson(text);

    return node?.type === "object" ? node : null;
}

/** Whether the schema says by itself what its properties are. */
function isPlain(node: JsonObject): boolean {
    return !node.members.some((member) =>
        [
            "$ref",
            "$dynamicRef",
            "allOf",
            "anyOf",
            "oneOf",
            "if",
            "patternProperties",
        ].includes(member.name),
    );
}

function isObjectSchema(node: JsonObject, text: string): boolean {
    const type = memberOf(node, "type")?.value;

    return (
        memberOf(node, "properties")?.value.type === "object" ||
        type === undefined ||
        text.slice(type.from, type.to).includes('"object"')
    );
}

class Deriver {
    readonly added: string[] = [];

    /** The text of an object's schema that lists what is needed. */
    object(text: string, need: Need, at: string): string {
        const node = objectOf(text);

        if (node === null || !isObjectSchema(node, text)) {
            return text;
        }

        const given = memberOf(node, "properties")?.value;
        let properties =
            given === undefined ? "{}" : text.slice(given.from, given.to);
        const missing: string[] = [];

        for (const [name, below] of need) {
            const path = at === "" ? name : `${at}.${name}`;
            const before = objectOf(properties);
            const old = memberOf(before, name)?.value;

            if (old === undefined) {
                properties = setMember(properties, name, fresh(below));
                missing.push(name);
                this.added.push(path);
            } else if (below.size > 0) {
                properties = setMember(
                    properties,
                    name,
                    this.below(properties.slice(old.from, old.to), below, path),
                );
            }
        }

        return requireAll(setMember(text, "properties", properties), missing);
    }

    /** The text of a property's schema that lists what is below it. */
    below(text: string, need: Need, at: string): string {
        const node = objectOf(text);
        const items = memberOf(node, "items")?.value;

        if (node === null || !isPlain(node)) {
            return text;
        }

        if (isList(need) && items !== undefined) {
            const all = itemsOf(need);

            return all.size === 0
                ? text
                : setMember(
                      text,
                      "items",
                      this.below(
                          text.slice(items.from, items.to),
                          all,
                          `${at}.0`,
                      ),
                  );
        }

        return this.object(text, need, at);
    }
}

function requireAll(text: string, names: string[]): string {
    if (names.length === 0) {
        return text;
    }

    const value = memberOf(objectOf(text), "required")?.value;
    const given =
        value?.type === "array"
            ? value.items.flatMap((item) =>
                  item.type === "string" ? [item.value] : [],
              )
            : [];

    return setMember(
        text,
        "required",
        JSON.stringify([...new Set([...given, ...names])]),
    );
}

/**
 * The schema that templates need, made from the one that is there: what it
 * says already stays.  Null where the text is no JSON object.
 */
export function deriveSchema(
    text: string,
    paths: readonly string[],
    histories: readonly string[],
): Derived | null {
    const start =
        text.trim() === "" ? '{"type":"object","properties":{}}' : text;

    if (objectOf(start) === null) {
        return null;
    }

    const deriver = new Deriver();
    let derived = deriver.object(start, needOf(paths), "");

    for (const name of histories) {
        const node = objectOf(derived);
        const properties = memberOf(node, "properties")?.value;

        if (properties === undefined || memberOf(properties, name)) {
            continue;
        }

        derived = setMember(
            derived,
            "properties",
            setMember(
                derived.slice(properties.from, properties.to),
                name,
                HISTORY,
            ),
        );
        deriver.added.push(name);
    }

    const { node } = readJson(derived);

    return {
        text: node === null ? derived : prettyJson(derived, node),
        added: deriver.added,
    };
}

export type Offer = { path: string; type: string; description: string };

const OFFERS = 300;

/** The paths that a schema offers to templates, in its order. */
export function offersOf(text: string): Offer[] {
    const offers: Offer[] = [];
    const root = objectOf(text);

    function walk(node: JsonNode, path: string, depth: number) {
        if (node.type !== "object" || depth > 6) {
            return;
        }

        const properties = memberOf(node, "properties")?.value;
        const items = memberOf(node, "items")?.value;

        if (properties?.type === "object") {
            for (const { name, value } of properties.members) {
                // a name that no placeholder can say
                if (/[\s.{}]/.test(name) || name === "") {
                    continue;
                }

                offer(value, path === "" ? name : `${path}.${name}`, depth);
            }
        } else if (items !== undefined && path !== "") {
            offer(items, `${path}.0`, depth);
        }
    }

    function offer(node: JsonNode, path: string, depth: number) {
        if (offers.length >= OFFERS) {
            return;
        }

        const type = memberOf(node, "type")?.value;
        const description = memberOf(node, "description")?.value;

        offers.push({
            path,
            type: type?.type === "string" ? type.value : "",
            description:
                description?.type === "string" ? description.value : "",
        });
        walk(node, path, depth + 1);
    }

    if (root !== null) {
        walk(root, "", 0);
    }

    return offers;
}

/**
 * Those of the paths whose property a schema surely does not list, so that a
 * value is needed for them whenever the prompt runs.
 */
export function unlisted(
    text: string,
    paths: readonly string[],
): ReadonlySet<string> {
    const root = objectOf(text);

    return new Set(
        root === null ? [] : paths.filter((path) => !isListed(root, path)),
    );
}

function isListed(root: JsonObject, path: string): boolean {
    let node: JsonNode = root;

    for (const segment of path.split(".")) {
        if (node.type !== "object" || !isPlain(node)) {
            return true;
        }

        const properties: JsonNode | undefined = memberOf(
            node,
            "properties",
        )?.value;
        const next: JsonNode | undefined = memberOf(properties, segment)?.value;

        if (next === undefined) {
            // elements have no names, and a type alone says nothing
            return (
                INDEX.test(segment) ||
                (properties === undefined && node !== root)
            );
        }

        node = next;
    }

    return true;
}
