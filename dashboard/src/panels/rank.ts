// The most expensive prompts and those with the most failures.  Statistics tell
// apart a thousand prompts at most; where more ran, some are looked at, and what
// they do not account for tells whether another could be ahead of them.

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

export function mostExpensive(
    counted: readonly Counted[],
    total: { costUsd: string },
    count = 5,
): Ranking {
    return ranking(counted, total.costUsd, count, (one) => one.costUsd);
}

export function mostFailures(
    counted: readonly Counted[],
    total: { failed: number },
    count = 5,
): Ranking {
    return ranking(counted, String(total.failed), count, (one) =>
        String(one.failed),
    );
}

export interface Sampled {
    /** null: it was made private since */
    prompt: { id: string; name: string } | null;
    costUsd?: string | null;
}

/** Prompts by what their samples weigh together, the heaviest first. */
function heaviest(
    samples: readonly Sampled[],
    weight: (one: Sampled) => number,
): { id: string; name: string }[] {
    const sums = new Map<
        string,
        { id: string; name: string; weight: number }
    >();

    for (const one of samples) {
        if (one.prompt === null) {
            continue;
        }

        const { id, name } = one.prompt;
        const sum = sums.get(id) ?? { id, name, weight: 0 };

        sum.weight += weight(one);
        sums.set(id, sum);
    }

    return [...sums.values()]
        .sort((a, b) => b.weight - a.weight)
        .map(({ id, name }) => ({ id, name }));
}

/**
 * At most so many prompts that are worth a look: in turn the most expensive by the
 * samples, those that failed most, and those that ran most.  Which they are is
 * a guess, so that here money may be a float.
 */
export function candidates(
    ran: readonly Sampled[],
    failed: readonly Sampled[],
    most: number,
): { id: string; name: string }[] {
    const lists = [
        heaviest(ran, (one) => Number(one.costUsd ?? 0)),
        heaviest(failed, () => 1),
        heaviest(ran, () => 1),
    ];
    const chosen = new Map<string, { id: string; name: string }>();
    const longest = Math.max(...lists.map((list) => list.length));

    for (let i = 0; i < longest; i++) {
        for (const list of lists) {
            const one = list[i];

            if (one && chosen.size < most) {
                chosen.set(one.id, one);
            }
        }
    }

    return [...chosen.values()];
}
