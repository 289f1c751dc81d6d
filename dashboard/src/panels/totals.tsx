// What was run in a period, in five numbers.

import { compact, number } from "../data/format.ts";
import { Money } from "../ui/index.ts";
import { Change } from "./change.tsx";
import { latencyText } from "./latency.ts";
import { tokensText } from "./tokens.ts";
import type { Total } from "./total.ts";

interface Figure {
    name: string;
    value: preact.ComponentChildren;
    of: (total: Total) => number | null;
    moreIs: "bad" | "plain";
}

export function figuresOf(total: Total): Figure[] {
    return [
        {
            name: "Executions",
            value: number(total.executions),
            of: (one) => one.executions,
            moreIs: "plain",
        },
        {
            name: "Failed",
            value: number(total.failed),
            of: (one) => one.failed,
            moreIs: "bad",
        },
        {
            name: "Cost",
            value: <Money usd={total.costUsd} />,
            of: (one) => Number(one.costUsd),
            moreIs: "bad",
        },
        {
            name: "Latency p50",
            value: latencyText(total.latencyP50Ms),
            of: (one) => one.latencyP50Ms,
            moreIs: "bad",
        },
        {
            name: "Tokens",
            value: (
                <span title={tokensText(total)}>
                    {compact(total.tokenIn + total.tokenOut)}
                </span>
            ),
            of: (one) => one.tokenIn + one.tokenOut,
            moreIs: "plain",
        },
    ];
}

/** before: of the period before, where that is compared. */
export function Totals({ total, before }: { total: Total; before?: Total }) {
    return (
        <dl class="stats">
            {figuresOf(total).map(({ name, value, of, moreIs }) => (
                <div key={name} class="stat">
                    <dt>{name}</dt>
                    <dd>{value}</dd>
                    {before && (
                        <dd class="stat-change">
                            <Change
                                now={of(total)}
                                before={of(before)}
                                moreIs={moreIs}
                            />
                        </dd>
                    )}
                </div>
            ))}
        </dl>
    );
}

/** What is in no sum. */
export function CostUnknown({ total }: { total: Total }) {
    return total.costUnknown > 0 ? (
        <p class="muted small-text">
            The cost of {number(total.costUnknown)} executions is not known: it
            is in no sum.
        </p>
    ) : null;
}
