import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

export default defineConfig({
    esbuild: { jsx: "automatic", jsxImportSource: "preact" },
    resolve: {
        alias: [
            {
                // the one that its users in node_modules get from node
                find: /^graphql$/,
                replacement: fileURLToPath(
                    new URL("node_modules/graphql/index.js", import.meta.url),
                ),
            },
        ],
    },
    // a machine that has much to do takes its time
    test: { include: ["src/**/*.test.{ts,tsx}"], testTimeout: 60_000 },
});
