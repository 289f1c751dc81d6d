// One execution, in a dialog: what went in, what came out, and what it took.

import { duration, number } from "../data/format.ts";
import { graphql, type ResultOf } from "../data/graphql.ts";
import { useQuery } from "../data/query.ts";
import {
    Badge,
    CopyButton,
    Dialog,
    ErrorNote,
    Money,
    Note,
    Skeleton,
    Time,
} from "../ui/index.ts";
import { laidOut, prettyJson } from "./json.ts";
import { RenderedMessages } from "./rendered.tsx";
import { OutputCheck, ProviderMessage, Text, ToolCalls } from "./said.tsx";
import { tokensText } from "./tokens.ts";

const OneExecution = graphql(`
    query OneExecution($id: ID!) {
        execution(id: $id) {
            id
            status
            latencyMs
            tokenIn
            tokenCached
            tokenCacheWrite
            tokenOut
            tokenReasoning
            costUsd
            version
            model
            label
            attempts
            input
            appended
            output
            error
            finishReason
            traceId
            outputErrors
            providerStatus
            providerMessage
            subject
            metadata
            prompt {
                id
            }
            createdAt
            finishedAt
            toolCalls {
                id
                name
                arguments
            }
        }
    }
`);

type Execution = NonNullable<ResultOf<typeof OneExecution>["execution"]>;

const KINDS: Record<string, "good" | "bad" | "warn" | "accent"> = {
    succeeded: "good",
    failed: "bad",
    lost: "bad",
    cancelled: "warn",
    running: "accent",
};

const ABOUT: Record<string, string> = {
    succeeded: "The model answered",
    failed: "It ended in an error",
    lost: "The server went away in the middle of it",
    cancelled: "Its caller left, and it was stopped",
    running: "It is not over yet",
};

export function Status({ status }: { status: string }) {
    return (
        <Badge kind={KINDS[status] ?? "warn"} title={ABOUT[status] ?? status}>
            {status}
        </Badge>
    );
}

export function ExecutionDialog({
    id,
    onClose,
}: {
    id: string;
    onClose: () => void;
}) {
    const state = useQuery(OneExecution, { id });
    const execution = state.data.value?.execution;
    const error = state.error.value;

    return (
        <Dialog title="Execution" size="wide" light onClose={onClose}>
            {error && (
                <ErrorNote error={error} onRetry={() => void state.reload()} />
            )}
            {execution ? (
                <Detail execution={execution} />
            ) : (
                !error &&
                (state.loading.value ? (
                    <Skeleton lines={6} />
                ) : (
                    <Note>This execution is not there any more.</Note>
                ))
            )}
        </Dialog>
    );
}

function Detail({ execution }: { execution: Execution }) {
    const { input, output, error, toolCalls, outputErrors } = execution;
    const hidden = input === null && output === null && error === null;

    return (
        <>
            <Facts execution={execution} />
            {execution.prompt === null && (
                <Note>
                    Its prompt is private now: what was run of it stays, the
                    prompt itself is its owner's.
                </Note>
            )}
            {hidden && (
                <Note>
                    Input, output and error are shown to the project that ran it
                    alone, where it keeps them.
                </Note>
            )}
            {error !== null && <Part name="Error" text={error} />}
            <ProviderMessage
                status={execution.providerStatus}
                text={execution.providerMessage}
            />
            {input !== null && (
                <>
                    <Part name="Input" text={prettyJson(input.text)} mono />
                    {execution.prompt !== null && (
                        <RenderedMessages
                            class="execution-part"
                            promptId={execution.prompt.id}
                            input={input.text}
                            version={execution.version}
                        />
                    )}
                </>
            )}
            {execution.appended !== null && (
                <Part
                    name="Messages of the call"
                    text={prettyJson(execution.appended.text)}
                    mono
                />
            )}
            {output !== null && (
                <Part
                    name="Output"
                    text={outputErrors === null ? output : laidOut(output)}
                    mono={outputErrors !== null}
                />
            )}
            <OutputCheck errors={outputErrors} />
            <ToolCalls calls={toolCalls} />
            {execution.metadata !== null && (
                <Part
                    name="Metadata"
                    text={prettyJson(execution.metadata.text)}
                    mono
                />
            )}
        </>
    );
}

function Facts({ execution }: { execution: Execution }) {
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
        ["Version", String(execution.version)],
        ["Label", execution.label ?? "–"],
        ["Attempts", number(execution.attempts)],
        ["Finish reason", execution.finishReason ?? "–"],
        [
            "Finished",
            execution.finishedAt === null ? (
                "–"
            ) : (
                <Time key="finished" iso={execution.finishedAt} full />
            ),
        ],
        [
            "Id",
            <code key="id" class="small-text">
                {execution.id}
            </code>,
        ],
    ];

    if (execution.subject !== null) {
        facts.push(["Subject", execution.subject]);
    }

    if (execution.traceId !== null) {
        facts.push([
            "Trace",
            <code key="trace" class="small-text">
                {execution.traceId}
            </code>,
        ]);
    }

    return (
        <dl class="execution-facts">
            {facts.map(([name, value]) => (
                <div key={name}>
                    <dt>{name}</dt>
                    <dd>{value}</dd>
                </div>
            ))}
        </dl>
    );
}

function Part({
    name,
    text,
    mono,
}: {
    name: string;
    text: string;
    mono?: boolean;
}) {
    return (
        <section class="execution-part" aria-label={name}>
            <div class="row apart">
                <h3>{name}</h3>
                {text !== "" && (
                    <CopyButton
                        small
                        label={`Copy ${name.toLowerCase()}`}
                        text={text}
                    />
                )}
            </div>
            {text === "" ? (
                <p class="muted">Nothing.</p>
            ) : (
                <Text {...{ mono }}>{text}</Text>
            )}
        </section>
    );
}
