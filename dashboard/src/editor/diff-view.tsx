// What is different between two versions, section by section: what was taken
// out and put in, as one text or beside each other; what stays is folded.

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useMemo } from "preact/hooks";
import { commonEnds, diffLines, type Hunk } from "../logic/lines.ts";
import { type Sections, sectionNames } from "../logic/sections.ts";
import { adoptSheet, Badge } from "../ui/index.ts";
import css from "./diff.sheet.css";

adoptSheet(css);

export type DiffWay = "unified" | "side by side";

export const NAMES = {
    content: "Text",
    messages: "Messages",
    params: "Settings of the model",
    inputSchema: "Schema of the input",
    outputSchema: "Schema of the output",
} as const;

/** unified below this: two columns have no room */
const narrow = matchMedia("(max-width: 760px)");

/** lines around a change; as many more are folded */
const AROUND = 3;

export function DiffView({
    before,
    after,
    way,
}: {
    before: Sections;
    after: Sections;
    way: DiffWay;
}) {
    const changed = sectionNames.filter((name) => before[name] !== after[name]);
    const same = sectionNames.filter((name) => before[name] === after[name]);

    return (
        <div class="diffs">
            {changed.map((name) => (
                <section key={name} class="diff">
                    <h3>{NAMES[name]}</h3>
                    <Difference
                        label={`Changes: ${NAMES[name].toLowerCase()}`}
                        before={before[name]}
                        after={after[name]}
                        beside={way === "side by side" && !narrow.matches}
                    />
                </section>
            ))}
            {same.length > 0 && (
                <p class="same">
                    <span class="muted">No change in</span>{" "}
                    {same.map((name) => (
                        <Badge key={name}>{NAMES[name].toLowerCase()}</Badge>
                    ))}
                </p>
            )}
        </div>
    );
}

/** What is different between two texts. */
export function Difference({
    label,
    before,
    after,
    beside,
}: {
    label: string;
    before: string;
    after: string;
    beside: boolean;
}) {
    const hunks = useMemo(() => diffLines(before, after), [before, after]);
    let [a, b] = [1, 1];

    return (
        // biome-ignore lint/a11y/useSemanticElements: no fieldset of a form
        <div
            class={beside ? "diff-lines beside" : "diff-lines"}
            role="group"
            aria-label={label}
        >
            {hunks.map((hunk, i) => {
                const from = [a, b] as const;

                a += hunk.before.length;
                b += hunk.after.length;

                return hunk.same ? (
                    <Same
                        key={i}
                        {...{ hunk, from, beside }}
                        first={i === 0}
                        last={i === hunks.length - 1}
                    />
                ) : (
                    <Changed key={i} {...{ hunk, from }} />
                );
            })}
        </div>
    );
}

type From = readonly [before: number, after: number];

/** Lines with their numbers, which are no part of the text. */
function Lines({
    lines,
    from,
    others,
}: {
    lines: readonly string[];
    from: number;
    /** those in whose place they stand */
    others?: readonly string[];
}) {
    return (
        <>
            {lines.map((line, i) => (
                <span class="diff-line" key={i} data-number={from + i}>
                    <span>
                        {others?.length === lines.length
                            ? marked(line, others[i] ?? "")
                            : line}
                        {i < lines.length - 1 && "\n"}
                    </span>
                </span>
            ))}
        </>
    );
}

/** What another line does not have, unless that is nearly all. */
function marked(line: string, other: string): ComponentChildren {
    const [head, tail] = commonEnds(line, other);
    const end = line.length - tail;

    return head + tail < 3 || head === end ? (
        line
    ) : (
        <>
            {line.slice(0, head)}
            <b>{line.slice(head, end)}</b>
            {line.slice(end)}
        </>
    );
}

function Changed({ hunk, from }: { hunk: Hunk; from: From }) {
    const { before, after } = hunk;

    return (
        <div class="diff-pair">
            {before.length > 0 && (
                <del>
                    <Lines lines={before} from={from[0]} others={after} />
                </del>
            )}
            {after.length > 0 && (
                <ins>
                    <Lines lines={after} from={from[1]} others={before} />
                </ins>
            )}
        </div>
    );
}

function Same({
    hunk,
    from,
    beside,
    first,
    last,
}: {
    hunk: Hunk;
    from: From;
    beside: boolean;
    first: boolean;
    last: boolean;
}) {
    const open = useSignal(false);
    const count = hunk.before.length;
    const head = first ? 0 : AROUND;
    const tail = last ? 0 : AROUND;
    const folded = count - head - tail;
    const part = (begin: number, end: number) => (
        <div class="diff-pair">
            <div>
                <Lines
                    lines={hunk.after.slice(begin, end)}
                    from={(beside ? from[0] : from[1]) + begin}
                />
            </div>
            {beside && (
                // the same again, for the eye
                <div aria-hidden="true">
                    <Lines
                        lines={hunk.after.slice(begin, end)}
                        from={from[1] + begin}
                    />
                </div>
            )}
        </div>
    );

    if (open.value || folded < 2) {
        return part(0, count);
    }

    return (
        <>
            {head > 0 && part(0, head)}
            <button
                type="button"
                class="diff-fold"
                onClick={() => {
                    open.value = true;
                }}
            >
                {folded} unchanged lines
            </button>
            {tail > 0 && part(count - tail, count)}
        </>
    );
}
