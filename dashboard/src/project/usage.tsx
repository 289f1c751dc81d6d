// The region "Usage": how much there is of what quotas bound.

import { number, size } from "../data/format.ts";
import { graphql } from "../data/graphql.ts";
import { useQuery } from "../data/query.ts";
import { ErrorNote, Skeleton } from "../ui/index.ts";

const ProjectUsage = graphql(`
    query ProjectUsage {
        project {
            usage {
                prompts
                versions
                keys
                members
                bytes
                inFlight
            }
        }
    }
`);

export function Usage() {
    const { data, error, reload } = useQuery(ProjectUsage, {});
    const usage = data.value?.project.usage;

    return (
        <section class="stack tight" aria-labelledby="usage">
            <h2 id="usage">Usage</h2>
            {error.value && (
                <ErrorNote error={error.value} onRetry={() => void reload()} />
            )}
            {usage ? (
                <dl class="stats">
                    {(
                        [
                            ["Prompts", number(usage.prompts)],
                            ["Versions", number(usage.versions)],
                            ["Contents", size(usage.bytes)],
                            ["API keys", number(usage.keys)],
                            ["Members", number(usage.members)],
                            ["Running now", number(usage.inFlight)],
                        ] as const
                    ).map(([name, value]) => (
                        <div key={name} class="stat">
                            <dt>{name}</dt>
                            <dd>{value}</dd>
                        </div>
                    ))}
                </dl>
            ) : (
                !error.value && <Skeleton lines={2} />
            )}
        </section>
    );
}
