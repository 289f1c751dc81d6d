// What each version did in 30 days: runs, cost, failures, and how it was rated.

import { useMemo } from "preact/hooks";
import { graphql } from "../data/graphql.ts";
import { useQuery } from "../data/query.ts";

const DAYS = 30;

const VersionFigures = graphql(`
    query VersionFigures($id: ID!, $since: DateTime!) {
        statistics(promptId: $id, since: $since, by: ALL, groupBy: VERSION) {
            group
            executions
            failed
            costUsd
        }
        rated: executions(
            promptId: $id
            since: $since
            score: "rating"
            first: 1000
        ) {
            version
            scores {
                name
                value
            }
        }
    }
`);

export interface FiguresOfVersion {
    executions: number;
    failed: number;
    costUsd: string;
    /** the mean of "rating"; null: nobody rated it */
    rating: number | null;
}

/** By version; undefined: not there yet. */
export function useVersionFigures(
    id: string,
): ReadonlyMap<number, FiguresOfVersion> | undefined {
    const since = useMemo(
        () => new Date(Date.now() - DAYS * 86_400_000).toISOString(),
        [id],
    );
    const data = useQuery(VersionFigures, { id, since }).data.value;

    return useMemo(() => {
        if (data === undefined) {
            return undefined;
        }

        const ratings = new Map<number, number[]>();

        for (const { version, scores } of data.rated) {
            ratings.set(version, [
                ...(ratings.get(version) ?? []),
                ...scores
                    .filter(({ name }) => name === "rating")
                    .map(({ value }) => value),
            ]);
        }

        return new Map(
            data.statistics.map(({ group, ...figures }) => {
                const all = ratings.get(Number(group)) ?? [];

                return [
                    Number(group),
                    {
                        ...figures,
                        rating:
                            all.length === 0
                                ? null
                                : all.reduce((sum, one) => sum + one, 0) /
                                  all.length,
                    },
                ];
            }),
        );
    }, [data]);
}
