// Params: the form fields and the JSON are two views of one text.
//
// The text is the state.  A field shows what the text has for it and writes
// it there, touching nothing else; numbers stay as they were typed.

import {
    compactJson,
    type JsonNode,
    type JsonObject,
    memberOf,
    readJson,
    setMember,
} from "./json.ts";
import { bytes, characters, type Fault } from "./position.ts";

/** Fields that are text; the others are numbers. */
const TEXTS = ["model", "reasoning_effort"] as const;

export type ParamField =
    | (typeof TEXTS)[number]
    | "temperature"
    | "max_tokens"
    | "top_p"
    | "seed";

const LIMIT = 256 * 1024;
const MODEL_LIMIT = 256;
const FALLBACK_LIMIT = 4;
const OWN_WORDS = ["messages", "prompt", "input", "stream", "n"];
const NUMBER = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/;

/** What a field shows: the string, or the number as it is written. */
export function readField(text: string, field: ParamField): string {
    const value = memberOf(readJson(text).node, field)?.value;

    if (value === undefined) {
        return "";
    }

    return value.type === "string"
        ? value.value
        : text.slice(value.from, value.to);
}

/**
 * The text with a field set to what was typed; empty takes it out.  Null
 * where that is no value for it: the text then stays, and the caller keeps
 * what was typed and shows fieldFault().
 */
export function writeField(
    text: string,
    field: ParamField,
    typed: string,
): string | null {
    if (typed === "") {
        return setMember(text, field, null);
    }

    if (TEXTS.some((one) => one === field)) {
        return setMember(text, field, JSON.stringify(typed));
    }

    const number = typed.trim();

    return NUMBER.test(number) ? setMember(text, field, number) : null;
}

/**
 * What is wrong with what was typed into a field; null where nothing is.  Of
 * other names than ParamField, what was typed is to be JSON.
 */
export function fieldFault(field: string, typed: string): string | null {
    if (typed === "") {
        return null;
    }

    const number = typed.trim();
    const value = NUMBER.test(number) ? Number(number) : Number.NaN;

    switch (field) {
        case "model":
            return characters(typed) > MODEL_LIMIT
                ? `A model's name has at most ${MODEL_LIMIT} characters.`
                : null;

        case "reasoning_effort":
            return null;

        case "temperature":
            return value >= 0 && value <= 2
                ? null
                : "Temperature is a number from 0 to 2.";

        case "top_p":
            return Number.isNaN(value) ? "Top P is a number." : null;

        case "max_tokens":
            return Number.isInteger(value) && value > 0
                ? null
                : "Max tokens is a whole number above 0.";

        case "seed":
            return Number.isInteger(value) ? null : "Seed is a whole number.";

        default:
            return readJson(typed).node === null
                ? "This is not JSON yet."
                : null;
    }
}

const ESCAPES: Record<string, string> = { n: "\n", r: "\r", t: "\t" };

/** `stop` as lines, in which \n is a line end; null: it is something else. */
export function readStop(text: string): string | null {
    const value = memberOf(readJson(text).node, "stop")?.value;
    const all =
        value === undefined
            ? []
            : value.type === "array"
              ? value.items
              : [value];

    return all.every((one) => one.type === "string")
        ? all
              .map((one) =>
                  one.value.replace(/[\\\n\r\t]/g, (c) =>
                      JSON.stringify(c).slice(1, -1),
                  ),
              )
              .join("\n")
        : null;
}

/** The text with `stop` as those lines say: one string, or a list. */
export function writeStop(text: string, lines: string): string {
    const all = lines
        .split("\n")
        .filter((line) => line !== "")
        .map((line) =>
            JSON.stringify(
                line.replace(/\\([\\nrt])/g, (_, c: string) => ESCAPES[c] ?? c),
            ),
        );
    const before = memberOf(readJson(text).node, "stop")?.value;
    const value =
        all.length === 1 && before?.type !== "array"
            ? (all[0] ?? null)
            : `[${all.join(", ")}]`;

    return setMember(text, "stop", all.length === 0 ? null : value);
}

/** Whether the fields can be written: the text is an object, or nothing. */
export function isWritable(text: string): boolean {
    return text.trim() === "" || readJson(text).node?.type === "object";
}

/** All that is wrong with the text, each at its place. */
export function paramsFaults(text: string): Fault[] {
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
                field: "params",
                message: "Parameters are a JSON object: { … }.",
            },
        ];
    }

    const all = [...faults, ...membersFaults(text, node, "params")];

    if (bytes(compactJson(text, node)) > LIMIT) {
        all.push({
            from: node.from,
            to: node.from + 1,
            field: "params",
            message: "Parameters have at most 256 KiB.",
        });
    }

    return all;
}

function membersFaults(text: string, node: JsonObject, at: string): Fault[] {
    const faults: Fault[] = [];

    for (const { name, nameFrom, nameTo, value } of node.members) {
        const field = `${at}.${name}`;

        if (
            OWN_WORDS.includes(name) ||
            (name === "fallbacks" && at !== "params")
        ) {
            faults.push({
                from: nameFrom,
                to: nameTo,
                field,
                message: `"${name}" is set by the service and cannot be given here.`,
            });
            continue;
        }

        if (name === "fallbacks") {
            faults.push(...fallbacksFaults(text, value));
            continue;
        }

        if (name === "tools") {
            faults.push(...toolsFaults(value, field));
            continue;
        }

        const message = valueFault(text, name, value);

        if (message !== null) {
            faults.push({ from: value.from, to: value.to, field, message });
        }
    }

    return faults;
}

/** Of functions alone: what else there is, the service knows. */
function toolsFaults(value: JsonNode, at: string): Fault[] {
    const items = value.type === "array" ? value.items : [];

    return items.flatMap((item, i) => {
        const made = memberOf(item, "function")?.value;
        const name = made && memberOf(made, "name")?.value;

        return made?.type !== "object" ||
            (name?.type === "string" && name.value !== "")
            ? []
            : [
                  {
                      from: made.from,
                      to: made.to,
                      field: `${at}.${i}.function.name`,
                      message: "A tool needs a name.",
                  },
              ];
    });
}

function valueFault(
    text: string,
    name: string,
    value: JsonNode,
): string | null {
    switch (name) {
        case "model":
            return value.type !== "string" || value.value === ""
                ? "The model is a string that is not empty."
                : fieldFault("model", value.value);

        case "temperature":
        case "max_tokens": {
            const typed = text.slice(value.from, value.to);

            return value.type === "number"
                ? fieldFault(name, typed)
                : name === "temperature"
                  ? "Temperature is a number from 0 to 2."
                  : "Max tokens is a whole number above 0.";
        }

        default:
            return null;
    }
}

function fallbacksFaults(text: string, value: JsonNode): Fault[] {
    if (value.type !== "array" || value.items.length > FALLBACK_LIMIT) {
        return [
            {
                from: value.from,
                to: value.to,
                field: "params.fallbacks",
                message: `Fallbacks are a list of at most ${FALLBACK_LIMIT} objects, each with a model.`,
            },
        ];
    }

    return value.items.flatMap((item, i) => {
        const at = `params.fallbacks.${i}`;

        if (item.type !== "object") {
            return [
                {
                    from: item.from,
                    to: item.to,
                    field: at,
                    message: "A fallback is an object with a model.",
                },
            ];
        }

        const faults = membersFaults(text, item, at);

        if (memberOf(item, "model") === undefined) {
            faults.unshift({
                from: item.from,
                to: item.to,
                field: `${at}.model`,
                message: "A fallback needs a model.",
            });
        }

        return faults;
    });
}

/** The models that are named: the first, and those to fall back to. */
export function modelsIn(text: string): string[] {
    const { node } = readJson(text);
    const fallbacks = memberOf(node, "fallbacks")?.value;

    return [
        node,
        ...(fallbacks?.type === "array" ? fallbacks.items : []),
    ].flatMap((one) => {
        const model = memberOf(one, "model")?.value;

        return model?.type === "string" ? [model.value] : [];
    });
}

/** The value that is sent: as written, without white space. */
export function paramsValue(text: string): string {
    const { node } = readJson(text);

    return node === null ? "{}" : compactJson(text, node);
}
