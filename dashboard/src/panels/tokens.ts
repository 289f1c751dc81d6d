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

function partsOf(parts: readonly Part[]): string {
    const said = parts.flatMap(([count, what]) =>
        count ? [`${number(count)} ${what}`] : [],
    );

    return said.length > 0 ? ` (${said.join(", ")})` : "";
}

/** " (800 cached, 100 written to the cache)" */
export function partsIn(of: Tokens): string {
    return partsOf([
        [of.tokenCached, "cached"],
        [of.tokenCacheWrite, "written to the cache"],
    ]);
}

/** " (300 reasoning)" */
export function partsOut(of: Tokens): string {
    return partsOf([[of.tokenReasoning, "reasoning"]]);
}

export function tokens(count: number | null): string {
    return count === null ? "–" : number(count);
}

/** "1,000 (800 cached)" */
export function tokensIn(of: Tokens): string {
    return tokens(of.tokenIn) + partsIn(of);
}

export function tokensOut(of: Tokens): string {
    return tokens(of.tokenOut) + partsOut(of);
}

export function tokensText(of: Tokens): string {
    return `${tokensIn(of)} in, ${tokensOut(of)} out`;
}
