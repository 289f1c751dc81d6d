// What was run in a period, in five numbers.

import { compact, number } from "../data/format.ts";
import { Money } from "../ui/index.ts";
import { latencyText } from "./latency.ts";
import { tokensText } from "./tokens.ts";
import type { Total } from "./total.ts";

export function Totals({ total }: { total: Total }) {
    const facts: [string, preact.ComponentChildren][] = [
        ["Executions", number(total.executions)],
        ["Failed", number(total.failed)],
        ["Cost", <Money key="cost" usd={total.costUsd} />],
        ["Latency p50", latencyText(total.latencyP50Ms)],
        [
            "Tokens",
            <span key="tokens" title={tokensText(total)}>
                {compact(total.tokenIn + total.tokenOut)}
            </span>,
        ],
    ];

    return (
        <dl class="stats">
            {facts.map(([name, value]) => (
                <div key={name} class="stat">
                    <dt>{name}</dt>
                    <dd>{value}</dd>
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
