// What the programs give to their libraries: these stand in the way here, and
// say what they were called with.  t/clients runs them with the real ones.

import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Json, readJson, writeJson } from "./json.ts";
import { PROTOCOLS, type ProtocolCall, protocolSnippet } from "./protocols.ts";
import type { Pick } from "./snippets.ts";

const run = promisify(execFile);
let folder: string;

const MODULES: Record<string, string> = {
    openai: `export default class {
    constructor(options) {
        this.responses = { create: async (body) => ({
            output_text: JSON.stringify({ options, body }) }) };
    }
}`,
    "@ai-sdk/openai-compatible": `export const createOpenAICompatible =
    (options) => (model) => ({ options, model });`,
    ai: `export const generateText =
    async (call) => ({ text: JSON.stringify(call) });`,
};

const PYTHON = `import json

class Answer:
    pass

class OpenAI:
    def __init__(self, **options):
        self.options = options
        self.responses = self

    def create(self, **body):
        answer = Answer()
        answer.output_text = json.dumps(
            {"options": self.options, "body": body})
        return answer
`;

beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "protocols-"));

    for (const [name, text] of Object.entries(MODULES)) {
        const at = join(folder, "node_modules", name);

        mkdirSync(at, { recursive: true });
        writeFileSync(join(at, "index.mjs"), text);
        writeFileSync(
            join(at, "package.json"),
            '{"type":"module","exports":"./index.mjs"}',
        );
    }

    writeFileSync(join(folder, "openai.py"), PYTHON);
});

afterAll(() => {
    rmSync(folder, { recursive: true, force: true });
});

async function told(program: string, name: string, text: string) {
    writeFileSync(join(folder, name), text);

    const { stdout } = await run(program, [join(folder, name)], {
        env: { ...process.env, PROMPT_API_KEY: "pmt_key" },
    });

    return JSON.parse(stdout);
}

const INPUTS = [
    "{}",
    '{"text":"it\'s \\"$HOME\\" `id`\\n\\\\ $\\u007bx} \\u2028 😀","a-b":"","__proto__":"p"}',
    '{"n":9007199254740993,"f":0.10,"ok":true,"none":null,"list":["x",{"y":1}]}',
];

const PICKS: [Pick, string][] = [
    [{ kind: "latest" }, "latest"],
    [{ kind: "label", label: "production" }, "production"],
    [{ kind: "version", version: 7 }, "7"],
];

const call = (input: string, pick: Pick): ProtocolCall => ({
    openai: "https://a.example/it's/v1/",
    mcp: "https://a.example/mcp",
    promptId: "0190-id",
    name: "naïve-name",
    pick,
    input: readJson(input),
});

/** Texts as they are, others as their JSON. */
function texts(input: string): [string, string][] {
    const members = readJson(input) as Map<string, Json>;

    return [...members].map(([name, value]) => [
        name,
        typeof value === "string" ? value : writeJson(value),
    ]);
}

describe.each(INPUTS)("%s", (input) => {
    test.each(PICKS)("openai, %o", async (pick, version) => {
        for (const [protocol, program, file, base, key] of [
            ["openai (Node.js)", "node", "run.mjs", "baseURL", "apiKey"],
            ["openai (Python)", "python3", "run.py", "base_url", "api_key"],
        ] as const) {
            const text = protocolSnippet(protocol, call(input, pick));
            const { options, body } = await told(program, file, text);

            expect(options).toEqual({
                [base]: "https://a.example/it's/v1",
                [key]: "pmt_key",
            });
            expect(body.prompt.id).toBe("naïve-name");
            expect(body.prompt.version).toBe(version);
            expect(Object.entries(body.prompt.variables)).toEqual(texts(input));
        }
    });

    test("AI SDK", async () => {
        const text = protocolSnippet(
            "AI SDK",
            call(input, { kind: "label", label: "x" }),
        );
        const { model, providerOptions } = await told("node", "ai.mjs", text);

        expect(model.model).toBe("naïve-name@x");
        expect(
            Object.entries(providerOptions[model.options.name]),
        ).toHaveLength(1);
        expect(
            Object.entries(
                providerOptions[model.options.name].prompt_variables,
            ),
        ).toEqual(texts(input));
    });
});

test("configurations", () => {
    const one = call("{}", { kind: "version", version: 3 });

    expect(JSON.parse(protocolSnippet("MCP", one)).mcpServers.prompts.url).toBe(
        one.mcp,
    );

    const text = protocolSnippet("LiteLLM", one);

    expect(text).toContain('model: "openai/naïve-name@3"');
    expect(text).toContain('- prompt_id: "naïve-name@3"');
    expect(
        text.match(/api_base: "https:\/\/a.example\/it's\/v1"/g),
    ).toHaveLength(2);
});

test("others' prompts are named by their ids", () => {
    const { name: _, ...unnamed } = call("{}", { kind: "latest" });

    for (const protocol of PROTOCOLS) {
        expect(protocolSnippet(protocol, unnamed)).not.toContain("undefined");
    }

    expect(protocolSnippet("AI SDK", unnamed)).toContain('"0190-id@latest"');
});
