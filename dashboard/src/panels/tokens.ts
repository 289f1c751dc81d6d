// Tokens in words: how many, and which part of them was cached or reasoning.
// A part that is nothing or not known is not said.

import { number } from "../data/format.ts";

export interface Tokens {
    tokenIn: number | null;
    tokenCached?: number | null;
    tokenCacheWrite?: number | null;
    tokenOut: number | null;
    tokenReasoning?: number | null;
}

type Part = [count: number | null | undefined, what: string];

function withParts(all: number | null, parts: readonly Part[]): string {
    const said = parts.flatMap(([count, what]) =>
        count ? [`${number(count)} ${what}`] : [],
    );

    return (
        (all === null ? "–" : number(all)) +
        (said.length > 0 ? ` (${said.join(", ")})` : "")
    );
}

/** "1,000 (800 cached, 100 written to the cache)" */
export function tokensIn(of: Tokens): string {
    return withParts(of.tokenIn, [
        [of.tokenCached, "cached"],
        [of.tokenCacheWrite, "written to the cache"],
    ]);
}

/** "500 (300 reasoning)" */
export function tokensOut(of: Tokens): string {
    return withParts(of.tokenOut, [[of.tokenReasoning, "reasoning"]]);
}

export function tokensText(of: Tokens): string {
    return `${tokensIn(of)} in, ${tokensOut(of)} out`;
}
