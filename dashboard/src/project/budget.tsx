// A budget, and how much of it is spent.

import { money } from "../data/format.ts";
import { type FragmentOf, graphql } from "../data/graphql.ts";

export const BudgetFields = graphql(`
    fragment BudgetFields on Budget {
        id
        limitUsd
        per
        spentUsd
        reservedUsd
        warnAtPercent
        resetsAt
    }
`);

export type Budget = FragmentOf<typeof BudgetFields>;

export const perTexts: Record<Budget["per"], string> = {
    DAY: "Day",
    MONTH: "Month",
    TOTAL: "Total",
};

/** Of the limit, in percent: 0 to 100; a limit of 0 is spent. */
export function percentOf(usd: string, limitUsd: string): number {
    const limit = Number(limitUsd);

    return limit > 0 ? Math.min(100, (Number(usd) / limit) * 100) : 100;
}

/** "good" until it warns, "warn" until all is spent */
export function stateOf(budget: Budget): "good" | "warn" | "bad" {
    const spent = percentOf(budget.spentUsd, budget.limitUsd);

    return spent >= 100
        ? "bad"
        : spent >= (budget.warnAtPercent ?? 100)
          ? "warn"
          : "good";
}

export function Meter({ budget, label }: { budget: Budget; label: string }) {
    const spent = percentOf(budget.spentUsd, budget.limitUsd);
    const text = `${money(budget.spentUsd)} of ${money(budget.limitUsd)}`;

    return (
        <div class="meter">
            <div
                class="meter-bar"
                role="progressbar"
                aria-label={label}
                aria-valuemin={0}
                aria-valuemax={100}
                aria-valuenow={Math.floor(spent)}
                aria-valuetext={`${text} spent`}
            >
                <div
                    class={`meter-spent ${stateOf(budget)}`}
                    style={{ width: `${spent}%` }}
                />
                <div
                    class="meter-reserved"
                    style={{
                        width: `${Math.min(100 - spent, percentOf(budget.reservedUsd, budget.limitUsd))}%`,
                    }}
                />
            </div>
            <span class="number small-text" title={`$${budget.spentUsd}`}>
                {money(budget.spentUsd)} ({Math.floor(spent)} %)
            </span>
        </div>
    );
}
