// /runs/:id: a run, done while it is watched.

import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { mutate } from "../data/client.ts";
import { type ApiError, toApiError } from "../data/errors.ts";
import { number } from "../data/format.ts";
import { may } from "../data/project.ts";
import { isGone, useSought } from "../data/sought.ts";
import { pathTo } from "../paths.ts";
import { CompareDialog } from "../runs/compare.tsx";
import {
    CancelRun,
    isOpen,
    isRunning,
    RaiseRun,
    type RunData,
} from "../runs/queries.ts";
import { Results, Summary } from "../runs/results.tsx";
import css from "../runs/runs.sheet.css";
import { RunState } from "../runs/state.tsx";
import { Watching } from "../runs/watching.ts";
import { useTitle } from "../title.ts";
import {
    adoptSheet,
    Button,
    ButtonLink,
    ErrorNote,
    Icon,
    Money,
    PageHead,
    Skeleton,
    TextField,
    Time,
} from "../ui/index.ts";

adoptSheet(css);

/**
 * What is not watched here is looked at so often while others watch it; else
 * less and less, until what ran when they left has surely ended.
 */
const [FIRST_LOOK, LOOKS, LAST_LOOK] = [1000, 3000, 60_000];

export default function RunPage({ params }: { params?: { id: string } }) {
    const id = params?.id ?? "";

    useTitle("Run");

    return <Page key={id} id={id} />;
}

function Page({ id }: { id: string }) {
    const state = useMemo(() => new Watching(id), [id]);
    const asked = useSignal(false);
    const run = state.run.value;
    const error = state.error.value;
    const gone = asked.value && (isGone(error) || (!error && !run));
    const nowhere = useSought("run", id, gone);
    const wait = useRef(FIRST_LOOK);
    const cells = state.cells.value;
    const runs =
        run?.state === "RUNNING" ||
        [...cells.values()].some(
            ({ execution }) => execution && isRunning(execution),
        );

    useEffect(() => {
        void state.read().then(() => {
            asked.value = true;

            const now = state.run.peek();

            if (now) {
                void state.readMore();

                if (isOpen(now.state) && may("EDITOR")) {
                    void state.watch();
                }
            }
        });

        return () => state.stop();
    }, [state]);

    useEffect(() => {
        if (state.watched.value || (!runs && !(run && isOpen(run.state)))) {
            wait.current = FIRST_LOOK;
            return;
        }

        if (wait.current > LAST_LOOK) {
            return;
        }

        const timer = setTimeout(() => {
            wait.current = runs ? LOOKS : wait.current * 2;
            void state.look();
        }, wait.current);

        return () => clearTimeout(timer);
    }, [runs, run, cells, state.watched.value]);

    if (run) {
        return <Detail run={run} state={state} />;
    }

    if (nowhere) {
        return (
            <>
                <PageHead title="Run not found">
                    It was deleted with its dataset, or it belongs to a project
                    of which you are not a member.
                </PageHead>
                <ButtonLink href={pathTo("datasets")}>All datasets</ButtonLink>
            </>
        );
    }

    return error && !gone ? (
        <>
            <PageHead title="Run" />
            <ErrorNote error={error} onRetry={() => void state.read()} />
        </>
    ) : (
        <Skeleton lines={8} />
    );
}

function Detail({ run, state }: { run: RunData; state: Watching }) {
    const chosen = useSignal<ReadonlySet<string>>(new Set());
    const comparing = useSignal(false);
    const failed = useSignal<ApiError | undefined>(undefined);
    const cells = state.cells.value;
    const [before, after] = [...chosen.value]
        .map((id) => cells.get(id))
        .filter((cell) => cell !== undefined)
        .sort((a, b) => a.version - b.version);
    const error = failed.value ?? state.error.value;

    async function change(act: () => Promise<RunData | null>) {
        failed.value = undefined;

        try {
            const now = await act();

            state.set(now);

            // what a greater cap allows for
            if (now && run.state === "OVER_COST" && isOpen(now.state)) {
                void state.watch();
            }
        } catch (thrown) {
            failed.value = toApiError(thrown);
        }
    }

    return (
        <>
            <PageHead
                title="Run"
                actions={
                    may("EDITOR") &&
                    (isOpen(run.state) || run.state === "OVER_COST") && (
                        <>
                            {isOpen(run.state) &&
                                (state.watched.value ? (
                                    <Button
                                        icon="stop"
                                        onClick={() => void state.pause()}
                                    >
                                        Pause
                                    </Button>
                                ) : (
                                    <Button
                                        kind="primary"
                                        icon="play"
                                        onClick={() => void state.watch()}
                                    >
                                        Go on
                                    </Button>
                                ))}
                            <Button
                                kind="danger"
                                onClick={() =>
                                    void change(
                                        async () =>
                                            (
                                                await mutate(CancelRun, {
                                                    id: run.id,
                                                })
                                            ).cancelRun,
                                    )
                                }
                            >
                                Cancel run
                            </Button>
                        </>
                    )
                }
            >
                <p>
                    {run.prompt ? (
                        <a href={pathTo("prompt", { id: run.prompt.id })}>
                            {run.prompt.name}
                        </a>
                    ) : (
                        "A prompt that is gone"
                    )}{" "}
                    on{" "}
                    <a
                        href={pathTo(
                            "dataset",
                            { id: run.dataset.id },
                            { tab: "runs" },
                        )}
                    >
                        {run.dataset.name}
                    </a>
                    , <Time iso={run.createdAt} />
                </p>
            </PageHead>
            <div class="stack loose">
                <div class="stack tight">
                    <div class="run-progress">
                        <RunState state={run.state} />
                        <progress
                            aria-label="Done"
                            max={Math.max(run.total, 1)}
                            value={run.done}
                        />
                        <span>
                            {number(run.done)} of {number(run.total)}
                        </span>
                        <span>
                            <Money usd={run.costUsd} />
                            {run.costCapUsd && (
                                <>
                                    {" "}
                                    of at most <Money usd={run.costCapUsd} />
                                </>
                            )}
                        </span>
                    </div>
                    {error && <ErrorNote error={error} />}
                    {run.state === "OVER_COST" && may("EDITOR") && (
                        <Raise
                            run={run}
                            onRaise={(cap) =>
                                void change(
                                    async () =>
                                        (
                                            await mutate(RaiseRun, {
                                                id: run.id,
                                                costCapUsd: cap,
                                            })
                                        ).updateRun,
                                )
                            }
                        />
                    )}
                </div>
                <section class="stack tight" aria-labelledby="run-summary">
                    <h2 id="run-summary">Summary</h2>
                    <Summary run={run} />
                </section>
                <section class="stack tight" aria-labelledby="run-results">
                    <div class="row apart">
                        <h2 id="run-results">Results</h2>
                        {before && after && (
                            <Button
                                onClick={() => {
                                    comparing.value = true;
                                }}
                            >
                                Compare
                            </Button>
                        )}
                    </div>
                    <Results
                        run={run}
                        cells={cells}
                        onMore={
                            state.more.value
                                ? () => void state.readMore()
                                : undefined
                        }
                        loading={state.reading.value}
                        chosen={chosen.value}
                        onChoose={(id, on) => {
                            // two at most: the first makes room
                            const rest = [...chosen.value].filter(
                                (one) => one !== id,
                            );

                            chosen.value = new Set(
                                on ? [...rest.slice(-1), id] : rest,
                            );
                        }}
                    />
                </section>
            </div>
            {comparing.value && before && after && (
                <CompareDialog
                    before={before}
                    after={after}
                    onClose={() => {
                        comparing.value = false;
                    }}
                />
            )}
        </>
    );
}

/** A run that may cost no more goes on where it may. */
function Raise({
    run,
    onRaise,
}: {
    run: RunData;
    onRaise: (cap: string) => void;
}) {
    const cap = useSignal(run.costCapUsd ?? "");
    const wrong = useSignal<string | undefined>(undefined);

    return (
        <form
            class="note warn"
            noValidate
            onSubmit={(event) => {
                event.preventDefault();

                if (/^\d+(\.\d+)?$/.test(cap.value.trim())) {
                    onRaise(cap.value.trim());
                } else {
                    wrong.value = "Enter an amount such as 0.50.";
                }
            }}
        >
            <Icon name="warning" />
            <div class="note-text stack tight">
                <p role="status">
                    What is left may cost more than is left of the cap: raise it
                    to go on, or cancel the run.
                </p>
                <div class="row bottom">
                    <TextField
                        label="Cost cap (USD)"
                        inputMode="decimal"
                        value={cap.value}
                        error={wrong.value}
                        onValue={(value) => {
                            cap.value = value;
                            wrong.value = undefined;
                        }}
                    />
                    <Button kind="primary" type="submit">
                        Go on
                    </Button>
                </div>
            </div>
        </form>
    );
}
