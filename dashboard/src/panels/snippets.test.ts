// Snippets are run, each by what it is written for, against a server here.

import { execFile } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Json, JsonNumber, readJson } from "./json.ts";
import { type Call, curlCommand, type Pick, snippet } from "./snippets.ts";

const run = promisify(execFile);

interface Seen {
    body: string;
    authorization: string | undefined;
    type: string | undefined;
}

let server: Server;
let endpoint: string;
let folder: string;
let seen: Seen[] = [];

const OUTPUT = 'It\'s "said"\n$HOME \\ `id` ü';

beforeAll(async () => {
    server = createServer((request, response) => {
        const parts: Buffer[] = [];

        request.on("data", (part: Buffer) => parts.push(part));
        request.on("end", () => {
            seen.push({
                body: Buffer.concat(parts).toString(),
                authorization: request.headers.authorization,
                type: request.headers["content-type"],
            });

            const refused = request.headers.authorization === "Bearer bad";

            response.writeHead(refused ? 401 : 200, {
                "Content-Type": "application/json",
            });
            response.end(
                refused
                    ? '{"errors":[{"message":"Unauthorized."}]}'
                    : JSON.stringify({
                          data: { executePrompt: { output: OUTPUT } },
                      }),
            );
        });
    });
    await new Promise<void>((resolve) => {
        server.listen(0, "127.0.0.1", resolve);
    });
    endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}/it's?a=$b`;
    folder = mkdtempSync(join(tmpdir(), "snippets-"));

    // tells what it was called with, as JSON
    writeFileSync(
        join(folder, "promptctl"),
        `#!/usr/bin/env node
const fs = require("node:fs");
const args = process.argv.slice(2);
const stdin = args.includes("-") ? fs.readFileSync(0, "utf8") : "";
console.log(JSON.stringify({ args, stdin, url: process.env.PROMPT_URL }));
`,
    );
    chmodSync(join(folder, "promptctl"), 0o755);
});

afterAll(() => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
});

const environment = (key = "pmt_key") => ({
    ...process.env,
    PATH: `${folder}:${process.env.PATH}`,
    PROMPT_API_KEY: key,
});

const sh = (text: string, key?: string) =>
    run("sh", ["-euc", text], { env: environment(key) });

const NASTY = [
    "it's",
    'a "quoted" word',
    "two\nlines\r\nand\ttabs",
    "$HOME `id` $(id) !! \\ \\n %s %d",
    `\`$${"{process.exit(3)}"}\``,
    "\"\"\"\n'''",
    "日本語 😀 \u2028 \u2029 \u007f \ufeff",
    "</script><!-- {{name}} #{x} {x}",
    "-n",
    "",
];

const INPUTS: [string, string][] = [
    ["nothing", "{}"],
    ["plain", '{"text":"Hello","count":3,"ok":true,"none":null}'],
    [
        "nasty texts",
        JSON.stringify(Object.fromEntries(NASTY.map((t, i) => [`v${i}`, t]))),
    ],
    [
        "nasty names",
        JSON.stringify(Object.fromEntries(NASTY.map((t, i) => [t, i]))),
    ],
    [
        "nested",
        '{"customer":{"e-mail":"a@b","tags":["x\'y",[],{}]},"f":false,"x":-1.50}',
    ],
    ["digits", '{"n":9007199254740993,"f":0.1,"e":1e3}'],
    ["prototypes", '{"__proto__":{"a":1},"constructor":"c"}'],
];

const PICKS: Pick[] = [
    { kind: "latest" },
    { kind: "label", label: "production" },
    { kind: "version", version: 7 },
];

/** All for the one that is quick to run, for others one of them. */
function picksFor(input: string): Pick[] {
    return input === "{}" ? PICKS : [{ kind: "label", label: "production" }];
}

function call(input: string, pick: Pick): Call {
    return {
        endpoint,
        promptId: "0190-id",
        name: "naïve-name",
        pick,
        input: readJson(input),
    };
}

/** What the service gets, with numbers as they were written. */
function variablesSeen(): unknown {
    const body = readJson(seen.at(-1)?.body ?? "");

    return body instanceof Map ? body.get("variables") : undefined;
}

function wanted(input: string, pick: Pick): Map<string, unknown> {
    const variables = new Map<string, unknown>([
        ["promptId", "0190-id"],
        ["input", readJson(input)],
    ]);

    if (pick.kind === "label") {
        variables.set("label", pick.label);
    } else if (pick.kind === "version") {
        variables.set("version", readJson(String(pick.version)));
    }

    return variables;
}

const numbers = (value: unknown): unknown =>
    JSON.parse(
        JSON.stringify(value, (_, one) =>
            one instanceof Map
                ? [...one]
                : one !== null && typeof one === "object" && "text" in one
                  ? /^-?\d+$/.test(one.text)
                      ? one.text
                      : Number(one.text)
                  : one,
        ),
    );

const programs: Record<
    "curl" | "JavaScript" | "Python",
    (text: string, key?: string) => Promise<{ stdout: string }>
> = {
    curl: sh,

    JavaScript: (text, key) => {
        // as a script and as a module alike
        const name = join(folder, `run.${seen.length % 2 ? "mjs" : "cjs"}`);

        writeFileSync(name, text);

        return run("node", [name], { env: environment(key) });
    },

    Python: (text, key) => {
        const name = join(folder, "run.py");

        writeFileSync(name, text);

        return run("python3", [name], { env: environment(key) });
    },
};

describe.each(["curl", "JavaScript", "Python"] as const)("%s", (language) => {
    test.each(INPUTS)(
        "sends %s",
        async (_, input) => {
            for (const pick of picksFor(input)) {
                const text = snippet(language, call(input, pick));
                const { stdout } = await programs[language](text);

                expect(numbers(variablesSeen())).toEqual(
                    numbers(wanted(input, pick)),
                );
                expect(seen.at(-1)?.authorization).toBe("Bearer pmt_key");
                expect(seen.at(-1)?.type).toBe("application/json");

                if (language === "curl") {
                    expect(JSON.parse(stdout).data.executePrompt.output).toBe(
                        OUTPUT,
                    );
                } else {
                    expect(stdout).toBe(`${OUTPUT}\n`);
                }
            }
        },
        60_000,
    );
});

test.each(["JavaScript", "Python"] as const)(
    "%s says what the service says",
    async (language) => {
        const text = snippet(language, call("{}", { kind: "latest" }));

        await expect(programs[language](text, "bad")).rejects.toMatchObject({
            code: 1,
            stderr: expect.stringContaining("Unauthorized."),
        });
    },
    60_000,
);

/** As promptctl reads its options. */
function inputOf({ args, stdin }: { args: string[]; stdin: string }) {
    const input = readJson(stdin || "{}") as Map<string, unknown>;

    args.forEach((arg, i) => {
        if (args[i - 1] === "-i") {
            const at = arg.indexOf("=");
            const json = arg[at - 1] === ":";

            input.set(
                arg.slice(0, json ? at - 1 : at),
                json ? readJson(arg.slice(at + 1)) : arg.slice(at + 1),
            );
        }
    });

    return input;
}

describe("promptctl", () => {
    test.each(INPUTS)(
        "passes %s",
        async (_, input) => {
            for (const pick of picksFor(input)) {
                const { stdout } = await sh(
                    snippet("promptctl", call(input, pick)),
                );
                const told = JSON.parse(stdout);

                expect(inputOf(told)).toEqual(readJson(input));
                expect(told.url).toBe(endpoint);
                expect(told.args.slice(0, 2)).toEqual(["run", "naïve-name"]);

                if (pick.kind === "latest") {
                    expect(told.args).not.toContain("--version");
                    expect(told.args).not.toContain("--label");
                } else if (pick.kind === "label") {
                    expect(told.args.slice(2, 4)).toEqual([
                        "--label",
                        "production",
                    ]);
                } else {
                    expect(told.args.slice(2, 4)).toEqual(["--version", "7"]);
                }
            }
        },
        60_000,
    );

    test("names another's prompt by its id", () => {
        const { name: _, ...unnamed } = call("{}", { kind: "latest" });

        expect(snippet("promptctl", unnamed)).toContain(
            "promptctl run 0190-id\n",
        );
    });
});

test("a body goes through sh as it is", async () => {
    for (const text of NASTY) {
        await sh(curlCommand(endpoint, text));
        expect(seen.at(-1)?.body).toBe(text);
    }

    seen = [];
}, 60_000);

test("a command gives what a run is given beside its input", () => {
    const text = snippet("curl", {
        endpoint: "https://a/graphql",
        promptId: "p",
        pick: { kind: "latest" },
        input: new Map(),
        more: new Map<string, Json>([
            ["subject", "it's"],
            ["overrides", new Map([["top_p", new JsonNumber("0.10")]])],
        ]),
    });

    expect(text).toContain(
        "$input: JSON!, $subject: String, $overrides: JSON)",
    );
    expect(text).toContain("subject: $subject, overrides: $overrides)");
    expect(text).toContain('"top_p": 0.10');
});
