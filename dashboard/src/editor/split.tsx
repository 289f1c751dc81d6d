// A label over several versions: their shares, and what takes a version its
// share.

import type { Signal } from "@preact/signals";
import { Button, FieldError, IconButton, SelectField } from "../ui/index.ts";
import { useItemFocus } from "../ui/item-focus.ts";
import { percent } from "../ui/label-chip.tsx";
import { NumberField } from "../ui/number-field.tsx";
import type { Guard, LabelData, Part } from "./label-change.ts";

/** As typed. */
export interface SplitForm {
    parts: readonly { version: number; share: string }[];
    guard: Readonly<Record<GuardField, string>>;
}

type GuardField = "failure" | "latency" | "cost" | "least";

const GUARD: { field: GuardField; label: string; max: number }[] = [
    { field: "failure", label: "Failures at most (%)", max: 99.9 },
    { field: "latency", label: "Latency at most (×)", max: 1000 },
    { field: "cost", label: "Cost at most (×)", max: 1000 },
    { field: "least", label: "Executions at least", max: 1000 },
];

const PARTS = 8;
const NO_GUARD = { failure: "", latency: "", cost: "", least: "100" };

/** Most stays where it is; a new label begins with one version. */
export function emptyForm(
    standing: number | undefined,
    version: number,
): SplitForm {
    return {
        parts:
            standing === undefined || standing === version
                ? [{ version, share: "100" }]
                : [
                      { version: standing, share: "90" },
                      { version, share: "10" },
                  ],
        guard: NO_GUARD,
    };
}

export function formOfLabel({ split, guard }: LabelData): SplitForm {
    return {
        parts: split.map(({ version, permille }) => ({
            version,
            share: percent(permille),
        })),
        guard:
            guard === null
                ? NO_GUARD
                : {
                      failure:
                          guard.maxFailurePermille === null
                              ? ""
                              : percent(guard.maxFailurePermille),
                      latency: String(guard.maxLatencyRatio ?? ""),
                      cost: String(guard.maxCostRatio ?? ""),
                      least: String(guard.minExecutions),
                  },
    };
}

/** In permille; null: it is no share. */
function permilleOf(share: string): number | null {
    return /^\d{1,3}(\.\d)?$/.test(share.trim()) && Number(share) <= 100
        ? Math.round(Number(share) * 10)
        : null;
}

function guardFault(field: GuardField, typed: string): string | undefined {
    const value = Number(typed);

    if (typed.trim() === "") {
        return undefined;
    }

    switch (field) {
        case "failure":
            return (permilleOf(typed) ?? 1000) < 1000
                ? undefined
                : "A share from 0 to 99.9, with one decimal.";

        case "least":
            return Number.isInteger(value) && value >= 1 && value <= 1000
                ? undefined
                : "A whole number from 1 to 1,000.";

        default:
            return value >= 1 && value <= 1000
                ? undefined
                : "A number from 1 to 1,000.";
    }
}

function totalFault(form: SplitForm): string | undefined {
    const shares = form.parts.map(({ share }) => permilleOf(share));
    const total = shares.reduce<number>((sum, one) => sum + (one ?? 0), 0);
    const versions = new Set(form.parts.map(({ version }) => version));

    return versions.size < form.parts.length
        ? "Each version stands there once."
        : shares.includes(null) || total === 1000
          ? undefined
          : `Together they are ${percent(total)} %, and not 100 %.`;
}

export type ReadSplit =
    | { ok: false }
    | { ok: true; parts: Part[]; guard: Guard | null };

export function readSplit(form: SplitForm): ReadSplit {
    const { parts, guard } = form;
    const bounds = [guard.failure, guard.latency, guard.cost];

    if (
        totalFault(form) !== undefined ||
        parts.some(({ share }) => permilleOf(share) === null) ||
        GUARD.some(({ field }) => guardFault(field, guard[field]) !== undefined)
    ) {
        return { ok: false };
    }

    const ratio = (typed: string) =>
        typed.trim() === "" ? null : Number(typed);

    return {
        ok: true,
        parts: parts.map(({ version, share }) => ({
            version,
            permille: permilleOf(share) ?? 0,
        })),
        guard: bounds.every((typed) => typed.trim() === "")
            ? null
            : {
                  maxFailurePermille:
                      guard.failure.trim() === ""
                          ? null
                          : permilleOf(guard.failure),
                  maxLatencyRatio: ratio(guard.latency),
                  maxCostRatio: ratio(guard.cost),
                  minExecutions: ratio(guard.least) ?? 100,
              },
    };
}

export function Split({
    form,
    tried,
    latest,
}: {
    form: Signal<SplitForm | null>;
    tried: boolean;
    latest: number;
}) {
    const focus = useItemFocus();
    const now = form.value;

    if (now === null) {
        return null;
    }

    const { parts, guard } = now;
    const put = (next: SplitForm["parts"]) => {
        form.value = { ...now, parts: next };
    };
    const total = totalFault(now);
    const free = Array.from({ length: latest }, (_, i) => latest - i).find(
        (version) => !parts.some((one) => one.version === version),
    );

    return (
        <>
            <fieldset class="input-set" aria-label="Split">
                <legend>Split</legend>
                <div class="stack tight" ref={focus.place}>
                    {parts.map((part, i) => (
                        <div class="split-part" key={i}>
                            <SelectField
                                label={`Part ${i + 1}`}
                                choices={Array.from(
                                    { length: latest },
                                    (_, n) => ({
                                        value: String(latest - n),
                                        text: `Version ${latest - n}`,
                                    }),
                                )}
                                value={String(part.version)}
                                onValue={(value) =>
                                    put(
                                        parts.with(i, {
                                            ...part,
                                            version: Number(value),
                                        }),
                                    )
                                }
                            />
                            <NumberField
                                label={`Share of version ${part.version} (%)`}
                                min={0}
                                max={100}
                                value={part.share}
                                error={
                                    permilleOf(part.share) === null
                                        ? "A share from 0 to 100, with one decimal."
                                        : tried && i === 0
                                          ? total
                                          : undefined
                                }
                                onValue={(share) =>
                                    put(parts.with(i, { ...part, share }))
                                }
                            />
                            {parts.length > 1 && (
                                <IconButton
                                    small
                                    icon="trash"
                                    label={`Remove version ${part.version}`}
                                    onClick={() => {
                                        put(parts.toSpliced(i, 1));
                                        focus.removed();
                                    }}
                                />
                            )}
                        </div>
                    ))}
                    {parts.length < PARTS && free !== undefined && (
                        <div>
                            <Button
                                small
                                icon="plus"
                                onClick={() => {
                                    put([
                                        ...parts,
                                        { version: free, share: "0" },
                                    ]);
                                    focus.added();
                                }}
                            >
                                Add version
                            </Button>
                        </div>
                    )}
                </div>
                {!tried && <FieldError error={total} />}
                <p class="help">
                    Who gives a subject gets the same version each time; others
                    get one by chance.
                </p>
            </fieldset>
            <fieldset class="input-set" aria-label="Guard">
                <legend>Guard</legend>
                <p class="help">
                    A version that passes one of these loses its share at once.
                    Latency and cost are compared with the version that has the
                    greatest share.
                </p>
                <div class="split-guard">
                    {GUARD.map(({ field, label, max }) => (
                        <NumberField
                            key={field}
                            label={label}
                            min={field === "failure" ? 0 : 1}
                            max={max}
                            value={guard[field]}
                            error={guardFault(field, guard[field])}
                            onValue={(typed) => {
                                form.value = {
                                    ...now,
                                    guard: { ...guard, [field]: typed },
                                };
                            }}
                        />
                    ))}
                </div>
            </fieldset>
        </>
    );
}
