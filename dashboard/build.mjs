// node build.mjs [DIR]: builds the dashboard into DIR (../build/dashboard).
//
// What comes out: index.html (with marks that prompt_dashboard fills), assets/
// with the hash of their content in their names and .gz beside each, and
// "manifest": the routes, and each file with its type.  nginx serves what
// stands there and nothing else.  console.html, console.css and console.js are
// what prompt_console makes one page of; copyright says whose work is in them.

import {
    mkdirSync,
    readFileSync,
    renameSync,
    rmSync,
    writeFileSync,
} from "node:fs";
import { dirname, join, relative, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { constants, gzipSync } from "node:zlib";
import * as esbuild from "esbuild";
import { licences } from "./licences.mjs";
import { checkSchema } from "./schema.mjs";

const root = dirname(fileURLToPath(import.meta.url));
const out = resolve(process.argv[2] ?? join(root, "../build/dashboard"));
const types = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
};

/** `import css from "./x.sheet.css"`: its text, for ui/sheet.ts. */
const sheets = {
    name: "sheets",
    setup(build) {
        build.onLoad({ filter: /\.sheet\.css$/ }, async (args) => {
            const made = await esbuild.build({
                entryPoints: [args.path],
                bundle: true,
                minify: true,
                write: false,
            });

            return {
                contents: made.outputFiles[0].text,
                loader: "text",
                watchFiles: [args.path],
            };
        });
    },
};

/**
 * What is imported later finds the frame of the page there: said to esbuild,
 * all that the frame is made of is one file, instead of one for each set of
 * routes that share something of it.
 */
const frame = {
    name: "frame",
    setup(build) {
        const app = join(root, "src/app.tsx");
        const later = new Set();

        build.onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
            if (kind === "dynamic-import") {
                later.add(resolve(resolveDir, path));
            }
        });
        build.onLoad({ filter: /\.tsx?$/ }, ({ path }) =>
            later.has(path)
                ? {
                      contents: `import ${JSON.stringify(app)};\n${readFileSync(path, "utf8")}`,
                      loader: "tsx",
                      resolveDir: dirname(path),
                      watchFiles: [path],
                  }
                : undefined,
        );
    },
};

/** what holds for both bundles */
const common = {
    absWorkingDir: root,
    write: false,
    bundle: true,
    format: "esm",
    target: ["chrome114", "firefox115", "safari17"],
    minify: true,
    charset: "utf8",
    legalComments: "none",
    jsx: "automatic",
    jsxImportSource: "preact",
    define: { "process.env.NODE_ENV": '"production"' },
    plugins: [sheets],
    logLevel: "warning",
};

async function bundle() {
    return esbuild.build({
        ...common,
        plugins: [...common.plugins, frame],
        entryPoints: { main: "src/main.tsx" },
        outdir: join(root, "assets"),
        loader: { ".woff2": "file" },
        splitting: true,
        entryNames: "[name]-[hash]",
        chunkNames: "[name]-[hash]",
        assetNames: "[name]-[hash]",
        metafile: true,
    });
}

/** one script and one style, to stand inside of a page */
async function bundleConsole() {
    const result = await esbuild.build({
        ...common,
        entryPoints: { console: "src/console-alone.tsx" },
        outdir: root,
        metafile: true,
    });

    for (const { path, text } of result.outputFiles) {
        if (/<\/(?:script|style)|<!--/i.test(text)) {
            throw new Error(`${path} would end the element it stands in`);
        }
    }

    return result;
}

/** index.html with the names of script, style and what they import at once */
function page(result) {
    const outputs = result.metafile.outputs;
    const [main, entry] = Object.entries(outputs).find(
        ([, o]) => o.entryPoint === "src/main.tsx",
    );
    const first = new Set();
    const follow = (name) => {
        for (const i of outputs[name].imports) {
            if (i.kind === "import-statement" && !first.has(i.path)) {
                first.add(i.path);
                follow(i.path);
            }
        }
    };

    follow(main);

    const preloads = [...first].map(
        (name) => `<link rel="modulepreload" href="{{base}}${name}">`,
    );

    return readFileSync(join(root, "index.html"), "utf8")
        .replace("{{style}}", `{{base}}${entry.cssBundle}`)
        .replace("{{script}}", `{{base}}${main}`)
        .replace("{{preloads}}", preloads.join("\n    "));
}

/** the patterns of routes, from the one place that has them */
function routes() {
    return [
        ...readFileSync(join(root, "src/paths.ts"), "utf8").matchAll(
            /^\s+\w+: "([^"]*)",$/gm,
        ),
    ].map((m) => m[1]);
}

function write(dir, name, bytes) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), bytes);
}

function writeAll(result, alone) {
    const dir = `${out}.new`;
    const files = result.outputFiles.map((f) => ({
        name: relative(root, f.path),
        bytes: f.contents,
    }));
    const lines = ["prompt-dashboard 1", "page index.html"];

    rmSync(dir, { recursive: true, force: true });
    write(dir, "index.html", page(result));

    write(dir, "console.html", readFileSync(join(root, "console.html")));

    for (const { path, contents } of alone.outputFiles) {
        write(dir, relative(root, path), contents);
    }

    for (const route of routes()) {
        lines.push(`route /${route.replace(/:\w+/g, ":")}`);
    }

    for (const { name, bytes } of files.sort((a, b) =>
        a.name < b.name ? -1 : 1,
    )) {
        const type = types[name.slice(name.lastIndexOf("."))];

        if (type === undefined) {
            throw new Error(`${name} has no media type in build.mjs`);
        }

        write(dir, name, bytes);
        write(
            dir,
            `${name}.gz`,
            gzipSync(bytes, { level: constants.Z_BEST_COMPRESSION }),
        );
        lines.push(`asset ${name} ${type}`);
    }

    write(
        dir,
        "copyright",
        licences(root, [
            ...Object.keys(result.metafile.inputs),
            ...Object.keys(alone.metafile.inputs),
        ]),
    );
    write(dir, "manifest", `${lines.join("\n")}\n`);
    write(dirname(out), "dashboard.meta.json", JSON.stringify(result.metafile));

    rmSync(out, { recursive: true, force: true });
    renameSync(dir, out);
}

checkSchema();
writeAll(await bundle(), await bundleConsole());
console.log(`dashboard: ${relative(process.cwd(), out) || "."}`);
