// What a model said, and what the call took: text, whatever is in it.

import { duration, number } from "../data/format.ts";
import { pathTo } from "../paths.ts";
import { CopyButton, ErrorNote, Money, Note } from "../ui/index.ts";
import type { Phase, Result, Run } from "./running.ts";

export function Output({
    run,
    label,
    title,
    promptId,
}: {
    run: Run;
    /** accessible name of the region */
    label: string;
    /** which version it is of; absent where there is one alone */
    title?: string | undefined;
    promptId: string;
}) {
    const phase = run.phase.value;
    const text = run.output.value;
    const error = run.error.value;
    const result = run.result.value;

    return (
        <section
            class="card run-output"
            aria-label={label}
            // said once, when it is whole
            aria-live="polite"
            aria-busy={phase === "running"}
        >
            <div class="row apart">
                <h2>{title ?? "Output"}</h2>
                {text !== "" && phase !== "running" && (
                    <CopyButton small label="Copy output" text={text} />
                )}
            </div>
            {phase === "idle" ? (
                <p class="muted">
                    What the model says appears here while it says it.
                </p>
            ) : (
                (text !== "" || error === null) && (
                    <Said text={text} phase={phase} result={result} />
                )
            )}
            {phase === "stopped" && (
                <Note>
                    Stopped here. What was asked for may still be answered,
                    recorded and paid for.
                </Note>
            )}
            {error && <ErrorNote error={error} title="The run failed." />}
            {result && <Facts result={result} promptId={promptId} />}
        </section>
    );
}

function Said({
    text,
    phase,
    result,
}: {
    text: string;
    phase: Phase;
    result: Result | null;
}) {
    const empty =
        phase === "running"
            ? "Waiting for the model…"
            : result?.toolCalls?.length
              ? "The model said nothing and called tools."
              : "The model said nothing.";

    return (
        // the arrow keys scroll it
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
        <div class={`pre${text === "" ? " waiting" : ""}`} tabIndex={0}>
            {text === "" ? empty : text}
        </div>
    );
}

function Facts({ result, promptId }: { result: Result; promptId: string }) {
    const tokens = (count: number | null) =>
        count === null ? "–" : number(count);

    return (
        <>
            <dl class="run-facts">
                <div>
                    <dt>Latency</dt>
                    <dd title={`${number(result.latencyMs)} ms`}>
                        {duration(result.latencyMs)}
                    </dd>
                </div>
                <div>
                    <dt>Tokens in</dt>
                    <dd>{tokens(result.tokenIn)}</dd>
                </div>
                <div>
                    <dt>Tokens out</dt>
                    <dd>{tokens(result.tokenOut)}</dd>
                </div>
                <div>
                    <dt>Cost</dt>
                    <dd>
                        <Money usd={result.costUsd} />
                    </dd>
                </div>
                <div>
                    <dt>Model</dt>
                    <dd>{result.model}</dd>
                </div>
                <div>
                    <dt>Version</dt>
                    <dd>{result.versionUsed}</dd>
                </div>
                <div>
                    <dt>Finish reason</dt>
                    <dd>{result.finishReason ?? "–"}</dd>
                </div>
            </dl>
            {result.toolCalls && result.toolCalls.length > 0 && (
                <ToolCalls calls={result.toolCalls} />
            )}
            <p class="small-text">
                <a
                    href={pathTo(
                        "promptTab",
                        { id: promptId, tab: "executions" },
                        { execution: result.executionId },
                    )}
                >
                    Show this execution
                </a>
            </p>
        </>
    );
}

export function ToolCalls({
    calls,
}: {
    calls: readonly { id: string; name: string; arguments: string }[];
}) {
    return (
        <section aria-label="Tool calls">
            <h3>Tool calls</h3>
            {calls.map((call, i) => (
                <div key={call.id || i} class="tool-call stack tight">
                    <p>
                        <code class="code">{call.name}</code>{" "}
                        {call.id !== "" && (
                            <span class="muted small-text">{call.id}</span>
                        )}
                    </p>
                    <div class="pre">{call.arguments}</div>
                </div>
            ))}
        </section>
    );
}
