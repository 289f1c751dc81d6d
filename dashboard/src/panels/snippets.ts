// How a program runs a prompt: commands and programs that work as they stand,
// with the key in the environment as PROMPT_API_KEY.  Names, labels and inputs
// hold whatever people write; each language's quoting keeps it text.

import { type Json, JsonNumber, prettyJson, writeJson } from "./json.ts";

export type Pick =
    | { kind: "latest" }
    | { kind: "label"; label: string }
    | { kind: "version"; version: number };

export interface Call {
    /** The endpoint's whole address. */
    endpoint: string;
    promptId: string;
    /** The name of one's own prompt; promptctl finds others by id alone. */
    name?: string;
    pick: Pick;
    input: Json;
    /** what else is given: subject, metadata, overrides */
    more?: ReadonlyMap<string, Json>;
}

export const LANGUAGES = ["curl", "JavaScript", "Python", "promptctl"] as const;

export type Language = (typeof LANGUAGES)[number];

/** For sh: text in single quotes, where nothing means anything. */
export function shellQuote(text: string): string {
    return `'${text.replace(/'/g, "'\\''")}'`;
}

/** A word that means itself in sh stays bare. */
function shellWord(text: string): string {
    return /^[A-Za-z0-9_./:=@%+-]+$/.test(text) ? text : shellQuote(text);
}

const TYPES: Record<string, string> = { subject: "String" };

function documentOf({ pick, more = new Map() }: Call): string {
    const beside = [...more.keys()];
    const [declared, passed] = {
        latest: ["", ""],
        label: [", $label: String", ", label: $label"],
        version: [", $version: Int", ", version: $version"],
    }[pick.kind] as [string, string];

    return [
        `mutation Run($promptId: ID!, $input: JSON!${declared}${beside
            .map((name) => `, $${name}: ${TYPES[name] ?? "JSON"}`)
            .join("")}) {`,
        `  executePrompt(promptId: $promptId, input: $input${passed}${beside
            .map((name) => `, ${name}: $${name}`)
            .join("")}) {`,
        "    output versionUsed model latencyMs tokenIn tokenOut costUsd",
        "    executionId",
        "  }",
        "}",
    ].join("\n");
}

function variablesOf({ promptId, pick, input, more }: Call): Map<string, Json> {
    const variables = new Map<string, Json>([
        ["promptId", promptId],
        ["input", input],
    ]);

    if (pick.kind === "label") {
        variables.set("label", pick.label);
    } else if (pick.kind === "version") {
        variables.set("version", new JsonNumber(String(pick.version)));
    }

    for (const [name, value] of more ?? []) {
        variables.set(name, value);
    }

    return variables;
}

function bodyOf(call: Call): Map<string, Json> {
    return new Map<string, Json>([
        ["query", documentOf(call).replace(/\s+/g, " ")],
        ["variables", variablesOf(call)],
    ]);
}

/** Any POST of JSON; body is laid out for people where it is JSON. */
export function curlCommand(endpoint: string, body: string): string {
    return [
        `curl -sS ${shellQuote(endpoint)}`,
        '-H "Authorization: Bearer $PROMPT_API_KEY"',
        "-H 'Content-Type: application/json'",
        `--data-binary ${shellQuote(body)}`,
    ].join(" \\\n  ");
}

function curl(call: Call): string {
    return curlCommand(call.endpoint, prettyJson(writeJson(bodyOf(call))));
}

function indented(text: string, by: string): string {
    return text.replace(/\n/g, `\n${by}`);
}

/** A literal: objects by open and close, constants and members by their own. */
interface Dialect {
    constants: { true: string; false: string; null: string };
    name(name: string): string;
}

function written(value: Json, dialect: Dialect, indent: string): string {
    const inner = `${indent}    `;
    const lines = (open: string, parts: string[], close: string) =>
        parts.length === 0
            ? open + close
            : `${open}\n${parts.map((part) => `${inner}${part},\n`).join("")}${indent}${close}`;

    if (value instanceof JsonNumber) {
        return value.text;
    }

    if (Array.isArray(value)) {
        return lines(
            "[",
            value.map((item) => written(item, dialect, inner)),
            "]",
        );
    }

    if (value instanceof Map) {
        return lines(
            "{",
            [...value].map(
                ([name, member]) =>
                    `${dialect.name(name)}: ${written(member, dialect, inner)}`,
            ),
            "}",
        );
    }

    return typeof value === "string"
        ? JSON.stringify(value)
        : dialect.constants[String(value) as "true" | "false" | "null"];
}

const JAVASCRIPT: Dialect = {
    constants: { true: "true", false: "false", null: "null" },

    // "__proto__": would not be a member
    name: (name) =>
        name === "__proto__"
            ? '["__proto__"]'
            : /^[A-Za-z_]\w*$/.test(name)
              ? name
              : JSON.stringify(name),
};

const PYTHON: Dialect = {
    constants: { true: "True", false: "False", null: "None" },
    name: (name) => JSON.stringify(name),
};

/** A value in a program, in lines that begin with indent. */
export function literal(
    value: Json,
    language: "JavaScript" | "Python",
    indent: string,
): string {
    return written(value, language === "Python" ? PYTHON : JAVASCRIPT, indent);
}

/** Whether JavaScript keeps all numbers of a value. */
function isExact(value: Json): boolean {
    if (value instanceof JsonNumber) {
        const number = Number(value.text);

        return /^-?\d+$/.test(value.text)
            ? Number.isSafeInteger(number)
            : Number.isFinite(number);
    }

    if (Array.isArray(value)) {
        return value.every(isExact);
    }

    return value instanceof Map ? [...value.values()].every(isExact) : true;
}

function javascript(call: Call): string {
    const query = indented(documentOf(call), "    ");
    const variables = variablesOf(call);

    // numbers that it would change go out as text
    const body = isExact(variables)
        ? "JSON.stringify({ query, variables })"
        : // biome-ignore lint/suspicious/noTemplateCurlyInString: for the program
          '`{"query":${JSON.stringify(query)},"variables":${variables}}`';
    const value = isExact(variables)
        ? literal(variables, "JavaScript", "")
        : JSON.stringify(writeJson(variables));

    return `const query = \`
    ${query}
\`;

const variables = ${value};

async function run() {
    const response = await fetch(${JSON.stringify(call.endpoint)}, {
        method: "POST",
        headers: {
            "Authorization": \`Bearer \${process.env.PROMPT_API_KEY}\`,
            "Content-Type": "application/json",
        },
        body: ${body},
    });
    const { data, errors } = await response.json();

    if (errors) {
        throw new Error(errors[0].message);
    }

    return data.executePrompt.output;
}

run().then(console.log, (error) => {
    console.error(error.message);
    process.exitCode = 1;
});
`;
}

function python(call: Call): string {
    const query = indented(documentOf(call), "    ");

    return `import json
import os
import sys
import urllib.error
import urllib.request

query = """
    ${query}
"""

variables = ${literal(variablesOf(call), "Python", "")}

request = urllib.request.Request(
    ${JSON.stringify(call.endpoint)},
    data=json.dumps({"query": query, "variables": variables}).encode(),
    headers={
        "Authorization": "Bearer " + os.environ["PROMPT_API_KEY"],
        "Content-Type": "application/json",
    },
)

try:
    with urllib.request.urlopen(request) as response:
        answer = json.load(response)
except urllib.error.HTTPError as error:
    answer = json.load(error)

if "errors" in answer:
    sys.exit(answer["errors"][0]["message"])

print(answer["data"]["executePrompt"]["output"])
`;
}

/** Whether promptctl takes the member by -i: its name ends at the first "=". */
function isOption([name, value]: [string, Json]): boolean {
    return (
        /^[A-Za-z_][\w.-]*$/.test(name) &&
        !(typeof value === "string" && value.length > 2000)
    );
}

function promptctl(call: Call): string {
    const { pick, input } = call;
    const command = ["promptctl run", shellWord(call.name ?? call.promptId)];
    const members = input instanceof Map ? [...input] : [];

    if (pick.kind === "label") {
        command.push("--label", shellWord(pick.label));
    } else if (pick.kind === "version") {
        command.push("--version", String(pick.version));
    }

    const head = `export PROMPT_URL=${shellQuote(call.endpoint)}\n\n`;

    if (!members.every(isOption)) {
        const json = shellQuote(prettyJson(writeJson(input)));

        return `${head}printf %s ${json} |\n  ${command.join(" ")} --input -\n`;
    }

    const options = members.map(
        ([name, value]) =>
            `-i ${
                typeof value === "string"
                    ? shellWord(`${name}=${value}`)
                    : shellQuote(`${name}:=${writeJson(value)}`)
            }`,
    );

    return `${head}${[command.join(" "), ...options].join(" \\\n  ")}\n`;
}

export function snippet(language: Language, call: Call): string {
    return { curl, JavaScript: javascript, Python: python, promptctl }[
        language
    ](call);
}
