// The dearest prompts and those that fail most.  The service has statistics
// of one prompt or of all; so some are asked for (those that ran of late), and
// what they do not account for tells whether one among the others could be
// ahead of them.

import { sumMoney } from "../data/format.ts";
import { compareMoney, subtractMoney } from "./money.ts";

export interface Counted {
    id: string;
    name: string;
    executions: number;
    failed: number;
    costUsd: string;
}

export interface Ranking {
    top: Counted[];
    /** Whether no other prompt can be among them. */
    exact: boolean;
    /** What prompts that were not looked at account for. */
    rest: string;
}

/** What two requests at different moments may disagree in is no rest. */
function atLeastNothing(text: string): string {
    return text.startsWith("-") ? "0" : text;
}

function ranking(
    counted: readonly Counted[],
    total: string,
    count: number,
    value: (one: Counted) => string,
): Ranking {
    const sorted = counted
        .filter((one) => compareMoney(value(one), "0") > 0)
        .sort((a, b) => compareMoney(value(b), value(a)));
    const top = sorted.slice(0, count);
    const rest = atLeastNothing(
        subtractMoney(total, sumMoney(counted.map(value))),
    );
    const last = top[count - 1];

    return {
        top,
        rest,
        exact:
            rest === "0" ||
            (last !== undefined && compareMoney(rest, value(last)) <= 0),
    };
}

export function dearest(
    counted: readonly Counted[],
    total: { costUsd: string },
    count = 5,
): Ranking {
    return ranking(counted, total.costUsd, count, (one) => one.costUsd);
}

export function failing(
    counted: readonly Counted[],
    total: { failed: number },
    count = 5,
): Ranking {
    return ranking(counted, String(total.failed), count, (one) =>
        String(one.failed),
    );
}

/** Each prompt once, those that were seen most often first. */
export function candidates(
    pages: readonly (readonly { prompt: { id: string; name: string } }[])[],
    most: number,
): { id: string; name: string }[] {
    const seen = new Map<string, { id: string; name: string; times: number }>();

    for (const { prompt } of pages.flat()) {
        const one = seen.get(prompt.id);

        if (one) {
            one.times++;
        } else {
            seen.set(prompt.id, { ...prompt, times: 1 });
        }
    }

    return [...seen.values()]
        .sort((a, b) => b.times - a.times)
        .slice(0, most)
        .map(({ id, name }) => ({ id, name }));
}
