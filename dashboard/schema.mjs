// Types of the schema for gql.tada (src/data/schema.d.ts, made), and the check
// that every document of the sources is valid: a query that the schema does
// not know fails the build.

import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import {
    minifyIntrospection,
    outputIntrospectionFile,
} from "@gql.tada/internal";
import {
    buildSchema,
    introspectionFromSchema,
    NoUnusedFragmentsRule,
    parse,
    specifiedRules,
    validate,
} from "graphql";
import { schemaFile } from "./schema.config.mjs";

const root = dirname(fileURLToPath(import.meta.url));
const made = join(root, "src/data/schema.d.ts");

/** Writes the types, where they are not what they would be. */
function writeTypes(schema) {
    const text = outputIntrospectionFile(
        minifyIntrospection(introspectionFromSchema(schema)),
        { fileType: ".d.ts", shouldPreprocess: true },
    );
    let before = "";

    try {
        before = readFileSync(made, "utf8");
    } catch {
        // there is none yet
    }

    if (before !== text) {
        writeFileSync(made, text);
    }
}

function sources(dir) {
    return readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
        const path = join(dir, entry.name);

        if (entry.isDirectory()) {
            return sources(path);
        }

        return /\.tsx?$/.test(entry.name) ? [path] : [];
    });
}

/** All documents, each with the file it stands in. */
function documents() {
    return sources(join(root, "src")).flatMap((file) =>
        [
            ...readFileSync(file, "utf8").matchAll(/\bgraphql\(\s*`([^`]*)`/g),
        ].map((match) => ({ file, text: match[1] })),
    );
}

function check(schema) {
    const all = documents().map((d) => ({ ...d, ast: parse(d.text) }));
    const fragments = all.flatMap((d) =>
        d.ast.definitions.filter((n) => n.kind === "FragmentDefinition"),
    );
    const rules = specifiedRules.filter((r) => r !== NoUnusedFragmentsRule);
    let wrong = 0;

    for (const { file, ast } of all) {
        const own = new Set(ast.definitions.map((d) => d.name?.value));
        const errors = validate(
            schema,
            {
                ...ast,
                definitions: [
                    ...ast.definitions,
                    ...fragments.filter((f) => !own.has(f.name.value)),
                ],
            },
            rules,
        );

        for (const error of errors) {
            wrong++;
            console.error(`${relative(root, file)}: ${error.message}`);
        }
    }

    if (wrong > 0) {
        throw new Error(`${wrong} errors in GraphQL documents`);
    }
}

export function checkSchema() {
    const schema = buildSchema(readFileSync(schemaFile, "utf8"));

    writeTypes(schema);
    check(schema);
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
    checkSchema();
}
