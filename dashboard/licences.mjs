// Whose work the bundles have in them: their licences ask that it goes along.
// What comes out is in the form of Debian's copyright files (DEP-5).

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** the words of a licence, without whose it is and how its lines break */
function words(text) {
    return text
        .replace(/^.*?(?=Permission is hereby granted)/s, "")
        .replace(/\*AS IS\*/, '"AS IS"')
        .replace(/\s+/g, " ")
        .trim();
}

function licenceOf(dir, name) {
    const file = readdirSync(dir).find((f) => /^licen[cs]e(\.|$)/i.test(f));

    if (file === undefined) {
        throw new Error(`${name} has no licence`);
    }

    return readFileSync(join(dir, file), "utf8");
}

/** a text in DEP-5's form */
function indented(text) {
    return text
        .trim()
        .split("\n")
        .map((line) => ` ${line.trim() === "" ? "." : line.trimEnd()}`)
        .join("\n");
}

/** the font's: its licence goes along as it is */
function fontStanza(name, version, text) {
    const [, holder] = /^Copyright (.+?\))/.exec(text) ?? [];

    if (holder === undefined || !text.includes("SIL OPEN FONT LICENSE")) {
        throw new Error(`${name} has another licence than it says`);
    }

    return [
        `Files: dashboard/node_modules/${name}/*`,
        `Copyright: ${holder}`,
        "License: OFL-1.1",
        indented(text.slice(text.indexOf("\n"))),
        `Comment: ${name} ${version}, the font of the pages.`,
        "",
    ].join("\n");
}

/** a stanza of one package; but for the font all of them say the same */
function stanza(dir, name, expat) {
    const text = licenceOf(dir, name);
    const { version, license } = JSON.parse(
        readFileSync(join(dir, "package.json"), "utf8"),
    );

    if (license === "OFL-1.1") {
        return fontStanza(name, version, text);
    }

    const holders = [
        ...text.matchAll(/^\s*Copyright +(?:\(c\) +)?(.*?)\s*$/gim),
    ]
        .map((m) => m[1])
        .filter((holder) => !/^holders\b/i.test(holder));

    if (license !== "MIT" || words(text) !== expat || holders.length === 0) {
        throw new Error(
            `${name} has another licence than those of debian/copyright`,
        );
    }

    return [
        `Files: dashboard/node_modules/${name}/*`,
        `Copyright: ${holders.join("\n           ")}`,
        "License: Expat",
        `Comment: ${name} ${version}, a part of the pages.`,
        "",
    ].join("\n");
}

/** the packages of what esbuild says that it has put into bundles */
export function licences(root, inputs) {
    const copyright = readFileSync(join(root, "../debian/copyright"), "utf8");
    const expat = copyright
        .split(/^License: Expat\n(?= )/m)[1]
        .replace(/^ \.?/gm, "");
    const names = new Set();

    for (const input of inputs) {
        const found = input.match(/.*node_modules\/((?:@[^/]+\/)?[^/]+)/);

        if (found !== null) {
            names.add(found[1]);
        }
    }

    return [...names]
        .sort()
        .map((name) =>
            stanza(join(root, "node_modules", name), name, words(expat)),
        )
        .join("\n");
}
