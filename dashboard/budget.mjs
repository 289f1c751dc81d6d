// Sizes of what was built, minified and brotli, against their limits: what the
// first route brings, and what each other one brings beside it.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync } from "node:zlib";

const root = dirname(fileURLToPath(import.meta.url));
const dir = resolve(process.argv[2] ?? join(root, "../build/dashboard"));
const metafile = join(dirname(dir), "dashboard.meta.json");
const KiB = 1024;

if (!existsSync(metafile)) {
    console.error(`no ${metafile}: build the dashboard first`);
    process.exit(1);
}

const { outputs } = JSON.parse(readFileSync(metafile, "utf8"));

function size(names) {
    return [...names].reduce(
        (sum, name) =>
            sum + brotliCompressSync(readFileSync(join(dir, name))).length,
        0,
    );
}

function outputOf(source) {
    return Object.entries(outputs).find(
        ([, o]) => o.entryPoint === source,
    )?.[0];
}

/** an output and all that it imports at once */
function withImports(name, all = new Set()) {
    if (name === undefined || all.has(name)) {
        return all;
    }

    all.add(name);

    if (outputs[name].cssBundle) {
        all.add(outputs[name].cssBundle);
    }

    for (const i of outputs[name].imports) {
        if (i.kind === "import-statement") {
            withImports(i.path, all);
        }
    }

    return all;
}

const first = withImports(outputOf("src/main.tsx"));

/** what comes with parts of a route beside what is there already */
function beside(...sources) {
    const all = new Set();

    for (const source of sources) {
        withImports(outputOf(source), all);
    }

    return [...all].filter((n) => !first.has(n));
}

/** routes that neither edit nor are the console */
const further = readdirSync(join(root, "src/routes"), { recursive: true })
    .filter((name) => name.endsWith(".tsx"))
    .map((name) => name.slice(0, -".tsx".length))
    .filter(
        (name) =>
            outputOf(`src/routes/${name}.tsx`) !== undefined &&
            !/^(console|prompt\/(edit|page|run|settings|versions))$/.test(name),
    )
    .sort();

const budgets = [
    ["first route, script and style", first, 30],
    ["route that edits, beside it", beside("src/routes/prompt/edit.tsx"), 120],
    [
        "/prompts/:id as it opens, beside it",
        beside(
            "src/routes/prompt/page.tsx",
            "src/routes/prompt/edit.tsx",
            "src/editor/playground.tsx",
        ),
        130,
    ],
    ["console, beside it", beside("src/routes/console.tsx"), undefined],
    ...further.map((route) => [
        `${route}, beside it`,
        beside(`src/routes/${route}.tsx`),
        40,
    ]),
];
let over = 0;

for (const [name, names, limit] of budgets) {
    const bytes = size(names);
    const bad = limit !== undefined && bytes > limit * KiB;

    over += bad ? 1 : 0;
    console.log(
        `${(bytes / KiB).toFixed(1).padStart(7)} KiB  ${name}` +
            (limit === undefined ? "" : ` (at most ${limit})`) +
            (bad ? ": OVER" : ""),
    );
}

process.exit(over > 0 ? 1 : 0);
