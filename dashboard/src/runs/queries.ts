// Runs: versions of a prompt on a dataset, each cell an execution.

import { graphql, type ResultOf } from "../data/graphql.ts";

export const RunFields = graphql(`
    fragment RunFields on Run {
        id
        state
        repetitions
        costCapUsd
        costUsd
        done
        total
        createdAt
        finishedAt
        dataset {
            id
            name
        }
        prompt {
            id
            name
        }
        arms {
            version
            model
            done
            failed
            costUsd
            latencyP50Ms
            scores {
                name
                count
                mean
                min
                max
            }
        }
    }
`);

export const CellFields = graphql(`
    fragment CellFields on RunCell {
        id
        version
        repetition
        error
        item {
            id
            input
            expected
        }
        execution {
            id
            status
            output
            error
            latencyMs
            costUsd
        }
        scores {
            name
            value
        }
    }
`);

export const OneRun = graphql(
    `
    query OneRun($id: ID!) {
        run(id: $id) {
            ...RunFields
        }
    }
`,
    [RunFields],
);

export type RunData = NonNullable<ResultOf<typeof OneRun>["run"]>;

export const RunCells = graphql(
    `
    query RunCells($id: ID!, $first: Int!, $after: ID) {
        run(id: $id) {
            cells(first: $first, after: $after) {
                ...CellFields
            }
        }
    }
`,
    [CellFields],
);

export type Cell = NonNullable<
    ResultOf<typeof RunCells>["run"]
>["cells"][number];

export const WatchRun = graphql(
    `
    subscription WatchRun($id: ID!) {
        watchRun(id: $id) {
            cell {
                ...CellFields
            }
            run {
                ...RunFields
            }
        }
    }
`,
    [RunFields, CellFields],
);

export const CreateRun = graphql(`
    mutation CreateRun(
        $datasetId: ID!
        $promptId: ID!
        $versions: [Int!]!
        $repetitions: Int
        $costCapUsd: String
    ) {
        createRun(
            datasetId: $datasetId
            promptId: $promptId
            versions: $versions
            repetitions: $repetitions
            costCapUsd: $costCapUsd
        ) {
            id
        }
    }
`);

export const CancelRun = graphql(
    `
    mutation CancelRun($id: ID!) {
        cancelRun(id: $id) {
            ...RunFields
        }
    }
`,
    [RunFields],
);

export const RaiseRun = graphql(
    `
    mutation RaiseRun($id: ID!, $costCapUsd: String!) {
        updateRun(id: $id, costCapUsd: $costCapUsd) {
            ...RunFields
        }
    }
`,
    [RunFields],
);

export const DatasetRuns = graphql(`
    query DatasetRuns($id: ID!, $first: Int!, $after: ID) {
        dataset(id: $id) {
            runs(first: $first, after: $after) {
                id
                state
                done
                total
                costUsd
                createdAt
                prompt {
                    name
                }
                arms {
                    version
                }
            }
        }
    }
`);

export type RunRow = NonNullable<
    ResultOf<typeof DatasetRuns>["dataset"]
>["runs"][number];

/** Nothing is known of it yet that stays. */
export function isOpenCell({ execution, error }: Cell): boolean {
    return error === null && (execution === null || isRunning(execution));
}

export function isRunning({ status }: { status: string }): boolean {
    return status === "running";
}

/** What is left of it is done while somebody watches. */
export function isOpen(state: RunData["state"]): boolean {
    return state === "READY" || state === "RUNNING";
}
