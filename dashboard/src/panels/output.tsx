// What a model said, and what the call took: text, whatever is in it.

import type { ApiError } from "../data/errors.ts";
import { duration, number } from "../data/format.ts";
import { graphql } from "../data/graphql.ts";
import { useQuery } from "../data/query.ts";
import { pathTo } from "../paths.ts";
import { Badge, CopyButton, ErrorNote, Money, Note } from "../ui/index.ts";
import { Rendered } from "./rendered-text.tsx";
import type { Phase, Result, Run } from "./running.ts";
import { OutputCheck, ProviderMessage, ToolCalls } from "./said.tsx";
import { partsIn, partsOut, tokens } from "./tokens.ts";

export function Output({
    run,
    label,
    title,
    promptId,
    draft,
}: {
    run: Run;
    /** accessible name of the region */
    label: string;
    /** which version it is of; absent where there is one alone */
    title?: string | undefined;
    promptId: string;
    /** of what is not saved */
    draft?: boolean;
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
                <h2>
                    {title ?? "Output"} {draft && <Badge>Draft</Badge>}
                </h2>
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
            {error?.extensions.reason === "PROVIDER" && (
                <Blame key={executionOf(error)} error={error} />
            )}
            {result && (
                <>
                    <ToolCalls calls={result.toolCalls} />
                    <OutputCheck errors={result.outputErrors} />
                </>
            )}
            {result && <Facts result={result} promptId={promptId} />}
        </section>
    );
}

const ProviderSaid = graphql(`
    query ProviderSaid($id: ID!) {
        execution(id: $id) {
            providerStatus
            providerMessage
        }
    }
`);

function executionOf(error: ApiError): string {
    return String(error.extensions.executionId ?? "");
}

/** The provider's own words are in the log, for who may see them. */
function Blame({ error }: { error: ApiError }) {
    const id = executionOf(error);
    const { data } = useQuery(ProviderSaid, { id }, { enabled: id !== "" });
    const status = error.extensions.providerStatus;
    const logged = data.value?.execution;

    return (
        <ProviderMessage
            status={
                typeof status === "number"
                    ? status
                    : (logged?.providerStatus ?? null)
            }
            text={logged?.providerMessage ?? null}
        />
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

    // as it is meant where it is whole
    return phase === "done" && text !== "" ? (
        <Rendered text={text} level={3} />
    ) : (
        // the arrow keys scroll it
        <div
            class={`pre${text === "" ? " waiting" : ""}`}
            // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
            tabIndex={0}
        >
            {text === "" ? empty : text}
        </div>
    );
}

function Facts({ result, promptId }: { result: Result; promptId: string }) {
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
                    <dd>
                        {tokens(result.tokenIn)}
                        <small class="muted">{partsIn(result)}</small>
                    </dd>
                </div>
                <div>
                    <dt>Tokens out</dt>
                    <dd>
                        {tokens(result.tokenOut)}
                        <small class="muted">{partsOut(result)}</small>
                    </dd>
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
                {result.versionUsed > 0 && (
                    <div>
                        <dt>Version</dt>
                        <dd>{result.versionUsed}</dd>
                    </div>
                )}
                <div>
                    <dt>Finish reason</dt>
                    <dd>{result.finishReason ?? "–"}</dd>
                </div>
            </dl>
            <p class="small-text">
                <a
                    href={pathTo(
                        "execution",
                        { id: result.executionId },
                        { prompt: promptId },
                    )}
                >
                    Show this execution
                </a>
            </p>
        </>
    );
}
