// /executions/:id: one execution, what went in and what came out, what it took,
// what is said of it; and the same again, beside it.

import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { useLocation } from "preact-iso/router";
import { isAbort } from "../data/errors.ts";
import { may } from "../data/project.ts";
import { useQuery } from "../data/query.ts";
import { isGone, useSought } from "../data/sought.ts";
import { AddToDatasetDialog } from "../executions/add-to-dataset.tsx";
import { appendedMessages } from "../executions/appended.ts";
import { Facts } from "../executions/facts.tsx";
import { type Address, filtersOf } from "../executions/filters.ts";
import { type Neighbours, neighboursOf } from "../executions/log.ts";
import { type Execution, isPaidHere, OneExecution } from "../executions/one.ts";
import { RunAgainDialog } from "../executions/run-again.tsx";
import { Rating, Scores } from "../executions/scores.tsx";
import css from "../panels/executions.sheet.css";
import { Output as NewOutput } from "../panels/output.tsx";
import { LATEST } from "../panels/pick.ts";
import { MessagesOf } from "../panels/rendered.tsx";
import { Rendered } from "../panels/rendered-text.tsx";
import runCss from "../panels/run.sheet.css";
import { Run } from "../panels/running.ts";
import {
    Messages,
    OutputCheck,
    ProviderMessage,
    ToolCalls,
} from "../panels/said.tsx";
import { useSpan } from "../panels/span.ts";
import { pathTo } from "../paths.ts";
import { useTitle } from "../title.ts";
import {
    adoptSheet,
    Button,
    ButtonLink,
    CopyButton,
    ErrorNote,
    Note,
    PageHead,
    Skeleton,
} from "../ui/index.ts";

adoptSheet(css);
adoptSheet(runCss);

export default function ExecutionPage({ params }: { params?: { id: string } }) {
    const id = params?.id ?? "";

    useTitle("Execution");

    return <Page key={id} id={id} />;
}

function Page({ id }: { id: string }) {
    const { data, error, loading, reload } = useQuery(OneExecution, { id });
    const execution = data.value?.execution;
    const gone =
        !loading.value &&
        (isGone(error.value) || (!error.value && execution == null));
    const nowhere = useSought("execution", id, gone);

    // what runs is looked at until it has ended
    useEffect(() => {
        if (execution?.status !== "running") {
            return;
        }

        const timer = setTimeout(() => void reload(), 2000);

        return () => clearTimeout(timer);
    }, [execution, reload]);

    if (execution) {
        return <Detail execution={execution} changed={reload} />;
    }

    if (error.value && !gone) {
        return (
            <>
                <PageHead title="Execution" />
                <ErrorNote error={error.value} onRetry={() => void reload()} />
            </>
        );
    }

    return nowhere ? (
        <>
            <PageHead title="Execution not found">
                It was deleted, or it belongs to a project of which you are not
                a member.
            </PageHead>
            <ButtonLink href={pathTo("executions")}>All executions</ButtonLink>
        </>
    ) : (
        <Skeleton lines={8} />
    );
}

type Open = "run" | "dataset" | undefined;

function Detail({
    execution,
    changed,
}: {
    execution: Execution;
    changed: () => Promise<void>;
}) {
    const open = useSignal<Open>(undefined);
    const again = useSignal<Run | undefined>(undefined);
    const { id, prompt, input, version, output } = execution;
    const close = () => {
        open.value = undefined;
    };

    useEffect(() => () => again.peek()?.stop(), [again]);

    return (
        <>
            <PageHead
                title="Execution"
                actions={
                    <Actions
                        execution={execution}
                        changed={changed}
                        onOpen={(next) => {
                            open.value = next;
                        }}
                    />
                }
            >
                {prompt && (
                    <p>
                        of{" "}
                        <a href={pathTo("prompt", { id: prompt.id })}>
                            {prompt.name}
                        </a>
                    </p>
                )}
            </PageHead>
            <Beside execution={execution} />
            <div class="execution">
                <Facts execution={execution} />
                <div class="stack loose">
                    <Hidden execution={execution} />
                    <ProviderMessage
                        status={execution.providerStatus}
                        text={execution.providerMessage}
                        level={2}
                    />
                    <Sent execution={execution} />
                    {input !== null && <Part name="Input" text={input.text} />}
                    <div class={again.value ? "outputs two" : "outputs"}>
                        <Said execution={execution} />
                        {again.value && prompt && (
                            <NewOutput
                                run={again.value}
                                label="New output"
                                title="New output"
                                promptId={prompt.id}
                            />
                        )}
                    </div>
                    {execution.metadata && (
                        <Part name="Metadata" text={execution.metadata.text} />
                    )}
                    <Scores execution={execution} changed={changed} />
                </div>
            </div>
            {open.value === "run" && prompt && input && (
                <RunAgainDialog
                    promptId={prompt.id}
                    version={version}
                    onClose={close}
                    onRun={(pick) => {
                        const run = new Run(pick || LATEST);

                        again.peek()?.stop();
                        again.value = run;
                        void run.start(prompt.id, input.text, {
                            ...(execution.subject !== null && {
                                subject: execution.subject,
                            }),
                        });
                        close();
                    }}
                />
            )}
            {open.value === "dataset" && (
                <AddToDatasetDialog
                    executionId={id}
                    output={output}
                    onClose={close}
                />
            )}
        </>
    );
}

function Actions({
    execution,
    changed,
    onOpen,
}: {
    execution: Execution;
    changed: () => Promise<void>;
    onOpen: (open: Open) => void;
}) {
    const { prompt, input } = execution;
    const mine = isPaidHere(execution);

    return (
        <>
            <Rating execution={execution} changed={changed} />
            {may("EDITOR") && mine && input && (
                <Button onClick={() => onOpen("dataset")}>
                    Add to dataset
                </Button>
            )}
            {may("EDITOR") && prompt && input && (
                <Button icon="play" onClick={() => onOpen("run")}>
                    Run again…
                </Button>
            )}
        </>
    );
}

/** Within the filters that the reader came from. */
function Beside({ execution }: { execution: Execution }) {
    const { query: address } = useLocation();
    const filters = filtersOf(address as Address);
    const { since } = useSpan(filters.period);
    const found = useSignal<Neighbours | undefined>(undefined);
    const { id, createdAt } = execution;
    const key = JSON.stringify([id, createdAt, filters, since]);

    useEffect(() => {
        const mine = new AbortController();

        neighboursOf(execution, filters, since, mine.signal)
            .then((neighbours) => {
                found.value = neighbours;
            })
            .catch((thrown) => {
                if (!isAbort(thrown)) {
                    found.value = { newer: undefined, older: undefined };
                }
            });

        return () => mine.abort();
    }, [key]);

    const link = (to: string | undefined, text: string) =>
        to && (
            <a
                class="button small"
                href={pathTo("execution", { id: to }, address)}
            >
                <span>{text}</span>
            </a>
        );

    return (
        <nav class="row beside" aria-label="Executions beside this one">
            <a
                class="button small quiet"
                href={pathTo("executions", {}, address)}
            >
                <span>All executions</span>
            </a>
            {link(found.value?.newer, "Newer")}
            {link(found.value?.older, "Older")}
        </nav>
    );
}

function Hidden({ execution }: { execution: Execution }) {
    const { prompt, input, output, error, status } = execution;

    return (
        <>
            {prompt === null && (
                <Note>
                    Its prompt is private now, or was deleted: what was run of
                    it stays here.
                </Note>
            )}
            {input === null &&
                output === null &&
                error === null &&
                status !== "running" && (
                    <Note>
                        Input, output and error are shown only to the project
                        that ran it, and only where it keeps them.
                    </Note>
                )}
        </>
    );
}

/** As they were sent; what a call brought along comes after the prompt's own. */
function Sent({ execution }: { execution: Execution }) {
    const { prompt, input, version, draft, appended } = execution;
    const brought = useMemo(
        () => appendedMessages(appended?.value),
        [appended],
    );

    if (input === null) {
        return null;
    }

    return (
        <section class="stack tight" aria-label="Messages">
            <h2>Messages</h2>
            {prompt === null || draft ? (
                <p class="muted">
                    {draft
                        ? "A draft is not kept: its messages cannot be shown."
                        : "They cannot be made without the prompt."}
                </p>
            ) : (
                <MessagesOf
                    promptId={prompt.id}
                    input={input.text}
                    version={version}
                />
            )}
            {brought.length > 0 && <Messages messages={brought} />}
        </section>
    );
}

function Said({ execution }: { execution: Execution }) {
    const { output, error, toolCalls, outputErrors } = execution;

    return (
        <section class="stack tight" aria-label="Output">
            <Head name="Output" text={output} />
            {error !== null && (
                <div class="note bad">
                    <div class="note-text note-message">{error}</div>
                </div>
            )}
            {output === "" ? (
                <p class="muted">
                    {toolCalls?.length
                        ? "The model said nothing and called tools."
                        : "The model said nothing."}
                </p>
            ) : (
                output !== null && <Rendered text={output} />
            )}
            {output === null && error === null && (
                <p class="muted">
                    {execution.status === "running"
                        ? "It is still running."
                        : "Not kept."}
                </p>
            )}
            <OutputCheck errors={outputErrors} />
            <ToolCalls calls={toolCalls} />
        </section>
    );
}

function Head({ name, text }: { name: string; text: string | null }) {
    return (
        <div class="row apart">
            <h2>{name}</h2>
            {text && (
                <CopyButton
                    small
                    label={`Copy ${name.toLowerCase()}`}
                    text={text}
                />
            )}
        </div>
    );
}

function Part({ name, text }: { name: string; text: string }) {
    return (
        <section class="stack tight" aria-label={name}>
            <Head name={name} text={text} />
            <Rendered text={text} />
        </section>
    );
}
