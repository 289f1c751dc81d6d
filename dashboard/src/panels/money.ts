// Differences and order of money, without floating point: decimals as the
// service writes them, "0.000165", to the last digit.

import { sumMoney } from "../data/format.ts";

export function subtractMoney(from: string, text: string): string {
    return sumMoney([from, text.startsWith("-") ? text.slice(1) : `-${text}`]);
}

/** Below, at or above 0, as sort() wants it. */
export function compareMoney(one: string, other: string): number {
    const difference = subtractMoney(one, other);

    return difference === "0" ? 0 : difference.startsWith("-") ? -1 : 1;
}
