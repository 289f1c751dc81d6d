// How programs that speak OpenAI's API or the Model Context Protocol run a
// prompt, as they stand, with the key in the environment as PROMPT_API_KEY.

import { type Json, writeJson } from "./json.ts";
import { type Call, literal, type Pick } from "./snippets.ts";

export const PROTOCOLS = [
    "openai (Node.js)",
    "openai (Python)",
    "AI SDK",
    "MCP",
    "LiteLLM",
] as const;

export type Protocol = (typeof PROTOCOLS)[number];

export interface ProtocolCall extends Omit<Call, "endpoint" | "more"> {
    /** The whole addresses of both locations. */
    openai: string;
    mcp: string;
}

/** What stands for a version or label, also behind the name's "@". */
function versionOf(pick: Pick): string {
    switch (pick.kind) {
        case "label":
            return pick.label;

        case "version":
            return String(pick.version);

        default:
            return "latest";
    }
}

const nameOf = ({ name, promptId }: ProtocolCall) => name ?? promptId;

/** NAME@LABEL; others' prompts have their id there. */
const modelOf = (call: ProtocolCall) =>
    `${nameOf(call)}@${versionOf(call.pick)}`;

/** Their addresses end without a slash, or with one. */
const based = (address: string) => address.replace(/\/*$/, "");

/** Variables are texts there: the service reads the JSON of others. */
function textsOf(input: Json): Map<string, Json> {
    return new Map(
        [...(input instanceof Map ? input : [])].map(([name, value]) => [
            name,
            typeof value === "string" ? value : writeJson(value),
        ]),
    );
}

function promptOf(call: ProtocolCall): Map<string, Json> {
    return new Map<string, Json>([
        ["id", nameOf(call)],
        ["version", versionOf(call.pick)],
        ["variables", textsOf(call.input)],
    ]);
}

function node(call: ProtocolCall): string {
    return `import OpenAI from "openai";

const client = new OpenAI({
    baseURL: ${JSON.stringify(based(call.openai))},
    apiKey: process.env.PROMPT_API_KEY,
});

const response = await client.responses.create({
    prompt: ${literal(promptOf(call), "JavaScript", "    ")},
});

console.log(response.output_text);
`;
}

function python(call: ProtocolCall): string {
    return `import os

from openai import OpenAI

client = OpenAI(
    base_url=${JSON.stringify(based(call.openai))},
    api_key=os.environ["PROMPT_API_KEY"],
)

response = client.responses.create(
    prompt=${literal(promptOf(call), "Python", "    ")},
)

print(response.output_text)
`;
}

function sdk(call: ProtocolCall): string {
    const options = new Map<string, Json>([
        [
            "prompts",
            new Map<string, Json>([["prompt_variables", textsOf(call.input)]]),
        ],
    ]);

    return `import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText } from "ai";

const prompts = createOpenAICompatible({
    name: "prompts",
    baseURL: ${JSON.stringify(based(call.openai))},
    apiKey: process.env.PROMPT_API_KEY,
});

// what stands in "prompt" goes behind the messages of the stored one
const { text } = await generateText({
    model: prompts(${JSON.stringify(modelOf(call))}),
    providerOptions: ${literal(options, "JavaScript", "    ")},
    prompt: "Begin.",
});

console.log(text);
`;
}

function mcp(call: ProtocolCall): string {
    return `${JSON.stringify(
        {
            mcpServers: {
                prompts: {
                    type: "http",
                    url: call.mcp,
                    headers: {
                        // biome-ignore lint/suspicious/noTemplateCurlyInString: for the client
                        Authorization: "Bearer ${PROMPT_API_KEY}",
                    },
                },
            },
        },
        null,
        4,
    )}\n`;
}

function litellm(call: ProtocolCall): string {
    const name = JSON.stringify(modelOf(call));
    const base = JSON.stringify(based(call.openai));

    return `# runs here: a request has "extra_body": {"prompt_variables": {…}}
model_list:
  - model_name: ${JSON.stringify(nameOf(call))}
    litellm_params:
      model: ${JSON.stringify(`openai/${modelOf(call)}`)}
      api_base: ${base}
      api_key: os.environ/PROMPT_API_KEY

# its text alone, for LiteLLM's own models: "prompt_id" in a request
prompts:
  - prompt_id: ${name}
    litellm_params:
      prompt_id: ${name}
      prompt_integration: generic_prompt_management
      api_base: ${base}
      api_key: os.environ/PROMPT_API_KEY
`;
}

export function protocolSnippet(
    protocol: Protocol,
    call: ProtocolCall,
): string {
    return {
        "openai (Node.js)": node,
        "openai (Python)": python,
        "AI SDK": sdk,
        MCP: mcp,
        LiteLLM: litellm,
    }[protocol](call);
}
