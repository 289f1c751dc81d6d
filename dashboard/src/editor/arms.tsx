// A split, its versions side by side: what each did since it was split, whether
// the difference is more than chance, and the next step.

import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { mutate, query } from "../data/client.ts";
import { type ApiError, toApiError } from "../data/errors.ts";
import { duration, money, number } from "../data/format.ts";
import { graphql } from "../data/graphql.ts";
import { isProtected } from "../data/project.ts";
import {
    compare,
    type Interval,
    meanInterval,
    rateInterval,
    type Verdict,
} from "../logic/interval.ts";
import { type Total, totalOf } from "../panels/total.ts";
import {
    Badge,
    Button,
    type Column,
    ErrorNote,
    Skeleton,
    Table,
    Time,
} from "../ui/index.ts";
import { LabelChip, percent, sharesOf } from "../ui/label-chip.tsx";
import {
    changeOf,
    type LabelData,
    type LabelSet,
    SetLabel,
} from "./label-change.ts";

const SplitFigures = graphql(`
    query SplitFigures($id: ID!, $label: String!, $since: DateTime!) {
        statistics(
            promptId: $id
            label: $label
            since: $since
            by: ALL
            groupBy: VERSION
        ) {
            group
            executions
            failed
            latencyP50Ms
            latencyP95Ms
        }
    }
`);

const ArmSample = graphql(`
    query ArmSample(
        $id: ID!
        $version: Int!
        $label: String!
        $since: DateTime!
    ) {
        executions(
            promptId: $id
            version: $version
            label: $label
            since: $since
            first: 1000
        ) {
            status
            latencyMs
            costUsd
            scores {
                name
                value
            }
        }
    }
`);

type Figures = Pick<
    Total,
    "executions" | "failed" | "latencyP50Ms" | "latencyP95Ms"
>;

interface Arm {
    version: number;
    permille: number;
    figures: Figures;
    failures: Interval | null;
    latency: Interval | null;
    cost: Interval | null;
    score: Interval | null;
}

/** the share of the version that is tried, in permille */
const STEPS = [10, 100, 500, 1000];

const HOUR = 3_600_000;

/**
 * Sums begin with an hour, and what was before the split is none of it: they are
 * those of the hours after, where that is more than the last 1,000.
 */
async function readArms(id: string, of: LabelData): Promise<Arm[]> {
    const { label, setAt: since } = of;
    const whole = new Date(Math.ceil(Date.parse(since) / HOUR) * HOUR);
    const [{ statistics }, samples] = await Promise.all([
        query(SplitFigures, { id, label, since: whole.toISOString() }),
        Promise.all(
            of.split.map(({ version }) =>
                query(ArmSample, { id, version, label, since }),
            ),
        ),
    ]);

    return of.split.map(({ version, permille }, i) => {
        const sample = samples[i]?.executions ?? [];
        const last = totalOf(sample);
        const sums = statistics.find((one) => one.group === String(version));
        const figures = sums && sums.executions > last.executions ? sums : last;

        return {
            version,
            permille,
            figures,
            failures: rateInterval(figures.failed, figures.executions),
            latency: meanInterval(
                sample.flatMap(({ latencyMs }) => latencyMs ?? []),
            ),
            cost: meanInterval(
                sample.flatMap(({ costUsd }) =>
                    costUsd === null ? [] : [Number(costUsd)],
                ),
            ),
            score: meanInterval(
                sample.flatMap(({ scores }) =>
                    scores
                        .filter(({ name }) => name === "rating")
                        .map(({ value }) => value),
                ),
            ),
        };
    });
}

export default function Arms({
    promptId,
    label,
    mine,
    onSet,
}: {
    promptId: string;
    label: LabelData;
    mine: boolean;
    onSet: (set: LabelSet) => void;
}) {
    const arms = useSignal<readonly Arm[] | undefined>(undefined);
    const error = useSignal<ApiError | undefined>(undefined);
    const shares = label.split
        .map((one) => `${one.version} ${one.permille}`)
        .join();

    async function load() {
        error.value = undefined;

        try {
            arms.value = await readArms(promptId, label);
        } catch (thrown) {
            error.value = toApiError(thrown);
        }
    }

    useEffect(() => {
        void load();
    }, [promptId, label.label, label.setAt, shares]);

    const main = arms.value?.find((one) => one.version === label.version);

    return (
        <section class="arms" aria-label={`Split of ${label.label}`}>
            <div class="row apart">
                <h2>
                    <LabelChip label={label.label}>{sharesOf(label)}</LabelChip>{" "}
                    <span class="muted small-text">
                        since <Time iso={label.setAt} />
                    </span>
                </h2>
                {mine && !isProtected(label.label) && (
                    <Steps {...{ promptId, label, onSet }} />
                )}
            </div>
            {error.value && (
                <ErrorNote error={error.value} onRetry={() => void load()} />
            )}
            {arms.value === undefined ? (
                !error.value && <Skeleton lines={3} />
            ) : (
                <>
                    <ArmTable label={label.label} arms={arms.value} />
                    {main && (
                        <ul class="plain-list">
                            {arms.value
                                .filter((arm) => arm !== main)
                                .map((arm) => (
                                    <Verdicts
                                        key={arm.version}
                                        {...{ arm, main }}
                                    />
                                ))}
                        </ul>
                    )}
                    <p class="help">
                        Runs by this label since then; in brackets what is 95 %
                        sure. Means are of the last 1,000 of each version, and
                        so is the rest until whole hours have more.
                    </p>
                </>
            )}
        </section>
    );
}

function ArmTable({ label, arms }: { label: string; arms: readonly Arm[] }) {
    const columns = useMemo((): Column<Arm>[] => {
        const ms = (value: number | null | undefined) =>
            value == null ? "–" : duration(value);

        return [
            {
                name: "Version",
                header: true,
                cell: ({ version }) => `Version ${version}`,
            },
            {
                name: "Share",
                numeric: true,
                cell: ({ permille }) => `${percent(permille)} %`,
            },
            {
                name: "Executions",
                numeric: true,
                priority: 1,
                cell: ({ figures }) => number(figures.executions),
            },
            {
                name: "Failures",
                numeric: true,
                cell: ({ failures }) =>
                    shown(failures, (value) => `${(value * 100).toFixed(1)} %`),
            },
            {
                name: "Latency",
                numeric: true,
                priority: 1,
                cell: ({ latency }) =>
                    shown(latency, (value) =>
                        duration(Math.round(Math.max(0, value))),
                    ),
            },
            {
                name: "p50",
                numeric: true,
                priority: 2,
                cell: ({ figures }) => ms(figures.latencyP50Ms),
            },
            {
                name: "p95",
                numeric: true,
                priority: 2,
                cell: ({ figures }) => ms(figures.latencyP95Ms),
            },
            {
                name: "Cost",
                numeric: true,
                priority: 1,
                cell: ({ cost }) =>
                    shown(cost, (value) => money(plain(Math.max(0, value)))),
            },
            {
                name: "Score",
                numeric: true,
                priority: 1,
                cell: ({ score }) => shown(score, (value) => value.toFixed(2)),
            },
        ];
    }, []);

    return (
        <Table
            label={`Versions of ${label}`}
            columns={columns}
            rows={arms}
            rowKey={(arm) => String(arm.version)}
        />
    );
}

/** A number without an exponent, as prices are written. */
function plain(value: number): string {
    return value.toFixed(9).replace(/\.?0+$/, "");
}

function shown(interval: Interval | null, text: (value: number) => string) {
    return interval === null ? (
        "–"
    ) : (
        <>
            {text(interval.value)}{" "}
            {Number.isFinite(interval.low) && (
                <small class="muted">
                    ({text(interval.low)} to {text(interval.high)})
                </small>
            )}
        </>
    );
}

const FIGURES = [
    { figure: "failures", name: "failures", good: "less" },
    { figure: "latency", name: "latency", good: "less" },
    { figure: "cost", name: "cost", good: "less" },
    { figure: "score", name: "score", good: "more" },
] as const;

/** What is said of an arm beside the main version. */
function Verdicts({ arm, main }: { arm: Arm; main: Arm }) {
    const found = FIGURES.map(({ figure, name, good }) => ({
        name,
        good,
        verdict: compare(arm[figure], main[figure]),
    })).filter(
        (one): one is typeof one & { verdict: Verdict } => one.verdict !== null,
    );

    return (
        <li class="row">
            <span>
                Version {arm.version} beside version {main.version}:
            </span>
            {found.length === 0 && (
                <span class="muted">nothing to say yet</span>
            )}
            {found.map(({ name, good, verdict }) => (
                <Badge
                    key={name}
                    kind={
                        verdict === "noise"
                            ? "plain"
                            : verdict === good
                              ? "good"
                              : "bad"
                    }
                >
                    {verdict === "noise"
                        ? `${name}: noise`
                        : `${verdict} ${name}`}
                </Badge>
            ))}
        </li>
    );
}

/** Of two versions, the share of the one that is tried, step by step. */
function Steps({
    promptId,
    label,
    onSet,
}: {
    promptId: string;
    label: LabelData;
    onSet: (set: LabelSet) => void;
}) {
    const busy = useSignal<number | undefined>(undefined);
    const error = useSignal<ApiError | undefined>(undefined);
    // the newer one is tried
    const [tried, other] = label.split.toSorted(
        (a, b) => b.version - a.version,
    );

    if (tried === undefined || other === undefined || label.split.length > 2) {
        return null;
    }

    const go = async (permille: number) => {
        busy.value = permille;
        error.value = undefined;

        try {
            const { setPromptLabel } = await mutate(SetLabel, {
                promptId,
                label: label.label,
                ...changeOf(
                    [
                        { version: other.version, permille: 1000 - permille },
                        { version: tried.version, permille },
                    ],
                    label.guard,
                ),
            });

            if (setPromptLabel !== null) {
                onSet(setPromptLabel);
            }
        } catch (thrown) {
            error.value = toApiError(thrown);
        } finally {
            busy.value = undefined;
        }
    };

    return (
        <>
            {/* biome-ignore lint/a11y/useSemanticElements: no fieldset of a form */}
            <div
                class="row"
                role="group"
                aria-label={`Share of version ${tried.version}`}
            >
                <span class="small-text">Version {tried.version}</span>
                <div class="group">
                    {STEPS.map((permille) => (
                        <Button
                            key={permille}
                            small
                            aria-pressed={tried.permille === permille}
                            busy={busy.value === permille}
                            onClick={() => {
                                if (tried.permille !== permille) {
                                    void go(permille);
                                }
                            }}
                        >
                            {percent(permille)} %
                        </Button>
                    ))}
                </div>
            </div>
            {error.value && <ErrorNote error={error.value} />}
        </>
    );
}
