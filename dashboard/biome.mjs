// node biome.mjs ARGUMENTS: Biome of the package for this machine.  Its package
// for all machines names some that not every registry has.

import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const binary = fileURLToPath(
    new URL(
        `node_modules/@biomejs/cli-linux-${process.arch}/biome`,
        import.meta.url,
    ),
);

if (!existsSync(binary)) {
    console.error(`there is no Biome for ${process.arch}: style not checked`);
    process.exit(0);
}

process.exit(
    spawnSync(binary, process.argv.slice(2), { stdio: "inherit" }).status ?? 1,
);
