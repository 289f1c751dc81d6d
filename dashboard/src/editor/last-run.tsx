// What the last run of a prompt says of some of its versions.  Runs are found
// by their datasets: the newest ten of each of the newest fifty.

import { graphql } from "../data/graphql.ts";
import { useQuery } from "../data/query.ts";
import { pathTo } from "../paths.ts";
import { OneRun } from "../runs/queries.ts";
import { Summary } from "../runs/results.tsx";
import { Time } from "../ui/index.ts";

const LastRuns = graphql(`
    query LastRuns {
        datasets(first: 50) {
            runs(first: 10) {
                id
                createdAt
                prompt {
                    id
                }
            }
        }
    }
`);

interface Versions {
    versions: readonly number[];
}

/** Nothing where there was none of these. */
export default function LastRun({
    promptId,
    versions,
}: Versions & { promptId: string }) {
    const { data } = useQuery(LastRuns, {});
    const last = data.value?.datasets
        .flatMap(({ runs }) => runs)
        .filter(({ prompt }) => prompt?.id === promptId)
        .reduce<{ id: string; createdAt: string } | undefined>(
            (newest, one) =>
                newest === undefined || one.createdAt > newest.createdAt
                    ? one
                    : newest,
            undefined,
        );

    return last === undefined ? null : (
        <Figures key={last.id} id={last.id} versions={versions} />
    );
}

function Figures({ id, versions }: Versions & { id: string }) {
    const { data } = useQuery(OneRun, { id });
    const run = data.value?.run;
    const arms = run?.arms.filter((arm) => versions.includes(arm.version));

    if (run == null || arms === undefined || arms.length === 0) {
        return null;
    }

    return (
        <section class="stack tight" aria-label="Last run">
            <h3>
                The last run, on{" "}
                <a href={pathTo("run", { id })}>{run.dataset.name}</a>,{" "}
                <Time iso={run.createdAt} />
            </h3>
            <Summary run={{ ...run, arms }} />
        </section>
    );
}
