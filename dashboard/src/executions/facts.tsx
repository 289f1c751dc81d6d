// What an execution took, and whose it was.

import { duration, number } from "../data/format.ts";
import { Status } from "../panels/status.tsx";
import { tokensText } from "../panels/tokens.ts";
import { Money, Time } from "../ui/index.ts";
import { LabelChip } from "../ui/label-chip.tsx";
import type { Execution } from "./one.ts";
import { versionName } from "./rows.tsx";

export function Facts({ execution }: { execution: Execution }) {
    const { executedBy } = execution;
    const code = (text: string | null) =>
        text === null ? null : <code class="small-text">{text}</code>;
    const facts: [string, preact.ComponentChildren][] = [
        ["Status", <Status key="status" status={execution.status} />],
        ["When", <Time key="when" iso={execution.createdAt} full />],
        [
            "Latency",
            execution.latencyMs === null ? "–" : duration(execution.latencyMs),
        ],
        ["Tokens", tokensText(execution)],
        ["Cost", <Money key="cost" usd={execution.costUsd} />],
        ["Model", execution.model ?? "–"],
        ["Version", versionName(execution)],
        [
            "Label",
            execution.label && (
                <LabelChip key="label" label={execution.label} />
            ),
        ],
        ["Attempts", number(execution.attempts)],
        ["Finish reason", execution.finishReason],
        [
            "Finished",
            execution.finishedAt && (
                <Time key="finished" iso={execution.finishedAt} full />
            ),
        ],
        ["Run by", executedBy && (executedBy.name ?? executedBy.email)],
        ["Key", code(execution.keyId)],
        ["Subject", execution.subject],
        ["Trace id", code(execution.traceId)],
        ["Execution id", code(execution.id)],
    ];

    return (
        <dl class="execution-facts">
            {facts
                .filter(([, value]) => value != null && value !== "")
                .map(([name, value]) => (
                    <div key={name}>
                        <dt>{name}</dt>
                        <dd>{value}</dd>
                    </div>
                ))}
        </dl>
    );
}
