// What somebody, or something, says of an execution: "Good" and "Bad", and the
// region "Scores".

import { useSignal } from "@preact/signals";
import { mutate } from "../data/client.ts";
import { toApiError } from "../data/errors.ts";
import { graphql } from "../data/graphql.ts";
import { may } from "../data/project.ts";
import { session } from "../data/session.ts";
import { Button, IconButton, Table, Time, toast } from "../ui/index.ts";
import { type Execution, isPaidHere } from "./one.ts";

const ScoreExecution = graphql(`
    mutation ScoreExecution($executionId: ID!, $name: String!, $value: Float!) {
        scoreExecution(executionId: $executionId, name: $name, value: $value) {
            id
        }
    }
`);

const RemoveScore = graphql(`
    mutation RemoveScore($id: ID!) {
        removeScore(id: $id)
    }
`);

const RATING = "rating";
const RATINGS = [
    { text: "Good", value: 1 },
    { text: "Bad", value: 0 },
];

interface Props {
    execution: Execution;
    /** reads it again */
    changed: () => Promise<void>;
}

/** Does one thing at a time; what goes wrong is said. */
function useChange(changed: () => Promise<void>) {
    const busy = useSignal(false);

    return async (change: () => Promise<unknown>) => {
        if (busy.peek()) {
            return;
        }

        busy.value = true;

        try {
            await change();
            await changed();
        } catch (thrown) {
            toast(toApiError(thrown).message, "bad");
        } finally {
            busy.value = false;
        }
    };
}

/** Pressed is what the reader said; pressed again it is taken back. */
export function Rating({ execution, changed }: Props) {
    const change = useChange(changed);
    const me = session.value?.user.id;
    const mine = execution.scores.find(
        (one) => one.name === RATING && one.createdBy?.id === me,
    );

    if (!may("EDITOR") || !isPaidHere(execution)) {
        return null;
    }

    return (
        <fieldset class="group" aria-label="Rating">
            {RATINGS.map(({ text, value }) => (
                <Button
                    key={text}
                    aria-pressed={mine?.value === value}
                    onClick={() =>
                        void change(() =>
                            mine?.value === value
                                ? mutate(RemoveScore, { id: mine.id })
                                : mutate(ScoreExecution, {
                                      executionId: execution.id,
                                      name: RATING,
                                      value,
                                  }),
                        )
                    }
                >
                    {text}
                </Button>
            ))}
        </fieldset>
    );
}

const SOURCES = {
    HUMAN: "a person",
    API: "a program",
    CHECK: "a check",
    JUDGE: "a judge",
} as const;

export function Scores({ execution, changed }: Props) {
    const change = useChange(changed);
    const { scores } = execution;
    const mayRemove = may("EDITOR");

    return (
        <section class="stack tight" aria-label="Scores">
            <h2>Scores</h2>
            {scores.length === 0 ? (
                <p class="muted">
                    None yet
                    {mayRemove && isPaidHere(execution)
                        ? ": say whether this was good or bad."
                        : "."}
                </p>
            ) : (
                <Table
                    label="Scores"
                    rows={scores}
                    rowKey={(one) => one.id}
                    columns={[
                        {
                            name: "Name",
                            header: true,
                            cell: (one) => one.name,
                        },
                        {
                            name: "Value",
                            numeric: true,
                            cell: (one) => one.value,
                        },
                        {
                            name: "By",
                            grow: true,
                            cell: (one) => (
                                <>
                                    {one.createdBy?.email ??
                                        SOURCES[one.source]}
                                    {one.comment && (
                                        <span class="row-about">
                                            {one.comment}
                                        </span>
                                    )}
                                </>
                            ),
                        },
                        {
                            name: "When",
                            priority: 1,
                            cell: (one) => <Time iso={one.createdAt} />,
                        },
                        ...(mayRemove
                            ? [
                                  {
                                      name: "Remove",
                                      hideName: true,
                                      cell: (
                                          one: Execution["scores"][number],
                                      ) => (
                                          <IconButton
                                              label={`Remove score ${one.name}`}
                                              icon="trash"
                                              small
                                              onClick={() =>
                                                  void change(() =>
                                                      mutate(RemoveScore, {
                                                          id: one.id,
                                                      }),
                                                  )
                                              }
                                          />
                                      ),
                                  },
                              ]
                            : []),
                    ]}
                />
            )}
        </section>
    );
}
