// Tools in params: forms over the same text.  Each change touches the member
// that it is of and nothing else.

import {
    type JsonNode,
    memberOf,
    prettyJson,
    readJson,
    setMember,
} from "./json.ts";

export type Tool = {
    name: string;
    description: string;
    /** JSON, as it stands there */
    parameters: string;
};

export type ToolPart = keyof Tool;

const NEW = `{"type": "function", "function": {"name": "", "description": "", "parameters": {"type": "object", "properties": {}}}}`;

function listOf(text: string) {
    const value = memberOf(readJson(text).node, "tools")?.value;

    return value?.type === "array" ? value : undefined;
}

function functionOf(item: JsonNode | undefined): JsonNode | undefined {
    const value = item && memberOf(item, "function")?.value;

    return value?.type === "object" ? value : undefined;
}

/** null, each: it is no function, and has no form; no list: none at all. */
export function readTools(text: string): (Tool | null)[] {
    return (listOf(text)?.items ?? []).map((item) => {
        const made = functionOf(item);

        if (made === undefined) {
            return null;
        }

        const string = (name: string) => {
            const value = memberOf(made, name)?.value;

            return value?.type === "string" ? value.value : "";
        };
        const parameters = memberOf(made, "parameters")?.value;

        return {
            name: string("name"),
            description: string("description"),
            parameters: parameters
                ? text.slice(parameters.from, parameters.to)
                : "",
        };
    });
}

function spliced(text: string, { from, to }: JsonNode, by: string): string {
    return text.slice(0, from) + by + text.slice(to);
}

/** typed: text, of parameters JSON; empty takes it out, but a name stays. */
export function writeTool(
    text: string,
    index: number,
    part: ToolPart,
    typed: string,
): string {
    const made = functionOf(listOf(text)?.items[index]);

    if (made === undefined) {
        return text;
    }

    const before = part === "name" ? readTools(text)[index]?.name : undefined;
    const written = spliced(
        text,
        made,
        setMember(
            text.slice(made.from, made.to),
            part,
            typed === "" && part !== "name"
                ? null
                : part === "parameters"
                  ? typed
                  : JSON.stringify(typed),
        ),
    );

    // who is called by its name is called by the new one
    return before !== undefined &&
        before !== "" &&
        readChoice(text) === `=${before}`
        ? writeChoice(written, `=${typed}`)
        : written;
}

export function addTool(text: string): string {
    const { node } = readJson(NEW);
    const made = node ? prettyJson(NEW, node, "    ") : NEW;
    const list = listOf(text);
    const last = list?.items.at(-1);

    return last === undefined
        ? setMember(text, "tools", `[\n    ${made}\n  ]`)
        : `${text.slice(0, last.to)},\n    ${made}${text.slice(last.to)}`;
}

export function removeTool(text: string, index: number): string {
    const items = listOf(text)?.items ?? [];
    const item = items[index];
    const name = readTools(text)[index]?.name;

    if (item === undefined) {
        return text;
    }

    const before = items[index - 1];
    const after = items[index + 1];
    const without =
        before !== undefined
            ? text.slice(0, before.to) + text.slice(item.to)
            : after !== undefined
              ? text.slice(0, item.from) + text.slice(after.from)
              : setMember(text, "tools", null);

    return items.length === 1 || readChoice(text) === `=${name}`
        ? setMember(without, "tool_choice", null)
        : without;
}

/** "" for none, a word, "=NAME" for one tool; null: it is something else. */
export function readChoice(text: string): string | null {
    const value = memberOf(readJson(text).node, "tool_choice")?.value;

    if (value === undefined) {
        return "";
    }

    if (value.type === "string") {
        return value.value;
    }

    const made = functionOf(value);
    const name = made && memberOf(made, "name")?.value;

    return name?.type === "string" ? `=${name.value}` : null;
}

export function writeChoice(text: string, choice: string): string {
    return setMember(
        text,
        "tool_choice",
        choice === ""
            ? null
            : choice.startsWith("=")
              ? `{"type": "function", "function": {"name": ${JSON.stringify(choice.slice(1))}}}`
              : JSON.stringify(choice),
    );
}
