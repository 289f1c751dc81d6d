/*
 * Makes docs/dashboard.png, the picture of README.md: the dashboard of `make
 * demo', which has to run, with prompts and a month of executions that are put
 * there for it.
 *
 *     make picture
 *
 * PICTURE=FILE puts it elsewhere.  Wants what `make test-browser' installs.
 */

import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const require = createRequire(`${root}t/browser/package.json`);
const { chromium } = require("playwright-core");
const file = process.env.PICTURE || `${root}docs/dashboard.png`;

const { PROMPT_URL, PROMPT_API_KEY, PROMPT_DATABASE_URL, PROMPT_EMAIL,
        PROMPT_PASSWORD } = process.env;

if (!PROMPT_PASSWORD) {
    console.error("picture: . build/demo/env first (make demo)");
    process.exit(2);
}

const prompts = [
    { name: "summarize-ticket", description: "A support ticket in two sentences",
      category: "SUMMARIZATION", a_day: 240, failing: 0.004, latency: 640 },
    { name: "route-request", description: "Which team a request is for",
      category: "ROUTING", a_day: 410, failing: 0.002, latency: 280 },
    { name: "extract-invoice", description: "Lines and totals of an invoice",
      category: "EXTRACTION", a_day: 90, failing: 0.03, latency: 1900 },
    { name: "draft-reply", description: "A first answer to a customer",
      category: "GENERATION", a_day: 130, failing: 0.01, latency: 2400 },
    { name: "classify-feedback", description: "Praise, complaint or wish",
      category: "CLASSIFICATION", a_day: 320, failing: 0.001, latency: 310 },
];

const content = "Summarize this ticket of {{customer.name}} in at most "
    + "{{sentences}} sentences.\nSay what they want, and how urgent it is.\n\n"
    + "{{ticket}}\n";


async function graphql(query, variables) {
    const response = await fetch(PROMPT_URL, {
        method: "POST",
        headers: { "Content-Type": "application/json",
                   "X-API-Key": PROMPT_API_KEY },
        body: JSON.stringify({ query, variables }),
    });
    const { data, errors } = await response.json();

    if (errors) {
        throw new Error(errors[0].message);
    }

    return data;
}

function sql(text) {
    execFileSync("psql", ["-X", "-q", "-v", "ON_ERROR_STOP=1",
                          PROMPT_DATABASE_URL], { input: text });
}

/* the id of an execution of that moment, in ms */
function uuid(ms) {
    const hex = ms.toString(16).padStart(12, "0") + "7"
        + randomBytes(2).toString("hex").slice(1) + "8"
        + randomBytes(8).toString("hex").slice(1);

    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16),
            hex.slice(16, 20), hex.slice(20)].join("-");
}

/* a number of the log-normal kind around its median */
function spread(median, by) {
    const u = Math.sqrt(-2 * Math.log(1 - Math.random()))
              * Math.cos(2 * Math.PI * Math.random());

    return Math.max(1, Math.round(median * Math.exp(u * by)));
}

async function make(prompt) {
    const existing = await graphql("{ prompts { id name } }");
    const found = existing.prompts.find(({ name }) => name === prompt.name);

    if (found) {
        return found.id;
    }

    const { createPrompt } = await graphql(
        "mutation ($input: CreatePromptInput!) { createPrompt(input: $input) "
        + "{ id } }",
        { input: { name: prompt.name, description: prompt.description,
                   category: prompt.category } });
    const id = createPrompt.id;

    for (const temperature of [0.7, 0.4, 0.2]) {
        await graphql(
            "mutation ($input: CreatePromptVersionInput!) { "
            + "createPromptVersion(input: $input) { id } }",
            { input: { promptId: id, content,
                       params: { model: "gpt-4o-mini", temperature } } });
    }

    for (const [label, version] of [["production", 2], ["staging", 3]]) {
        await graphql(
            "mutation ($id: ID!, $label: String!, $version: Int!) { "
            + "setPromptLabel(promptId: $id, label: $label, version: $version)"
            + " { label } }", { id, label, version });
    }

    fill(id, prompt);

    return id;
}

/* thirty days of executions, by the day's hours and fewer at weekends */
function fill(id, prompt) {
    const now = Date.now();
    const rows = [];

    for (let day = 0; day < 30; day++) {
        const weekday = new Date(now - day * 86400000).getUTCDay();
        const n = spread(prompt.a_day * (weekday % 6 === 0 ? 0.35 : 1), 0.12);

        for (let i = 0; i < n; i++) {
            const hour = 13 + 4 * (Math.random() + Math.random() - 1);
            const ms = Math.floor(now / 86400000 - day) * 86400000
                       + Math.floor(hour * 3600000);

            if (ms > now - 600000) {
                continue;
            }

            const failed = Math.random() < prompt.failing;
            const latency = spread(prompt.latency, 0.35);
            const tokens = [spread(420, 0.4), spread(90, 0.5)];
            const cost = (BigInt(tokens[0]) * 15n + BigInt(tokens[1]) * 60n)
                .toString().padStart(9, "0");

            rows.push([
                uuid(ms), id, i % 9 === 0 ? 3 : 2, "$USER", "t",
                new Date(ms).toISOString(), failed ? "failed" : "succeeded",
                i % 9 === 0 ? "staging" : "production", "gpt-4o-mini",
                failed ? "\\N" : latency, failed ? "\\N" : tokens[0],
                failed ? "\\N" : tokens[1],
                failed ? "\\N" : `${cost.slice(0, -8)}.${cost.slice(-8)}`,
                new Date(ms + latency).toISOString(), "{}",
            ].join("\t"));
        }
    }

    sql(`CREATE TEMP TABLE filled AS SELECT id, prompt_id, version, executed_by,
             by_owner, created_at, status, label, model, latency_ms, token_in,
             token_out, cost_usd, finished_at, input::text
         FROM executions LIMIT 0;
         ALTER TABLE filled ALTER executed_by TYPE text;
         COPY filled FROM STDIN;
${rows.join("\n")}
\\.
         INSERT INTO executions (id, prompt_id, version, executed_by, by_owner,
             created_at, status, label, model, latency_ms, token_in, token_out,
             cost_usd, finished_at, input)
         SELECT f.id, prompt_id, version, p.owner_id, by_owner, f.created_at,
             status, label, model, latency_ms, token_in, token_out, cost_usd,
             finished_at, input::json
         FROM filled f JOIN prompts p ON p.id = f.prompt_id;`);
}


let id = null;

for (const prompt of prompts) {
    const made = await make(prompt);

    id ??= made;
}

const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM || "/usr/bin/chromium",
    args: ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic",
           "--no-first-run", "--disable-background-networking",
           "--disable-component-update", "--disable-sync"],
});

try {
    const page = await browser.newPage({
        viewport: { width: 1280, height: 860 }, deviceScaleFactor: 1.5,
        locale: "en-GB", reducedMotion: "reduce",
    });
    const at = (where) => new URL(`/dashboard/${where}`, PROMPT_URL).href;

    await page.goto(at("login"));
    await page.getByRole("textbox", { name: "Email" }).fill(PROMPT_EMAIL);
    await page.getByRole("textbox", { name: "Password" }).fill(PROMPT_PASSWORD);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("heading", { name: "Prompts" }).waitFor();
    await page.goto(at(process.env.PICTURE_OF || `prompts/${id}/executions`));
    await page.getByRole("button", { name: "30 d" }).click();
    await page.waitForLoadState("networkidle");
    await page.screenshot({ path: file });
} finally {
    await browser.close();
}
