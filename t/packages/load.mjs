// node load.mjs URL KEY PROMPT STOP: executes a prompt and asks for the account
// by turns, from eight clients, until the file STOP is there.  Prints how often
// and what was no success; fails where anything was none, or too little was
// done to say so.
//
// Each request has a connection of its own: whether one that is kept open and
// idle is closed by the server a moment before it is used is nobody's loss.

import { existsSync } from "node:fs";
import { Agent, request } from "node:http";

const [url, key, prompt, stop] = process.argv.slice(2);
const execute =
    "mutation ($id: ID!) { executePrompt(promptId: $id, " +
    'input: {name: "World"}) { output } }';
const counts = { good: 0, bad: 0 };
const faults = new Map();

function ask(body) {
    return new Promise((resolve) => {
        const r = request(url, {
            method: "POST",
            agent: new Agent({ keepAlive: false }),
            timeout: 60_000,
            headers: {
                authorization: `Bearer ${key}`,
                "content-type": "application/json",
                connection: "close",
            },
        });

        r.on("response", (answer) => {
            let text = "";

            answer.on("data", (piece) => {
                text += piece;
            });
            answer.on("end", () => resolve(`${answer.statusCode} ${text}`));
            answer.on("error", (e) => resolve(`cut: ${e.code}`));
        });
        r.on("timeout", () => r.destroy(new Error("no answer in time")));
        r.on("error", (e) => resolve(`failed: ${e.code ?? e.message}`));
        r.end(JSON.stringify(body));
    });
}

async function client(n) {
    for (let turn = n; !existsSync(stop); turn++) {
        const executes = turn % 2 === 0;
        const answer = await ask(
            executes
                ? { query: execute, variables: { id: prompt } }
                : { query: "{ me { email } }" },
        );
        const wanted = executes
            ? '200 {"data":{"executePrompt":{"output":"Say hello to World."}}}'
            : '200 {"data":{"me":{"email":"alice@example.com"}}}';

        if (answer === wanted) {
            counts.good++;
        } else {
            counts.bad++;
            faults.set(answer, (faults.get(answer) ?? 0) + 1);
        }
    }
}

await Promise.all(Array.from({ length: 8 }, (_, n) => client(n)));

console.log(`${counts.good} answered, ${counts.bad} not`);

for (const [fault, times] of [...faults].slice(0, 10)) {
    console.log(`${times} x ${fault.slice(0, 300)}`);
}

process.exit(counts.bad > 0 || counts.good < 50 ? 1 : 0);
