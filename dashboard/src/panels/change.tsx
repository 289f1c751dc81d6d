// How a figure compares with that of the period before.

import { number } from "../data/format.ts";

/** "+12 %", "−5 %", "new" where there was nothing; undefined: nothing to say. */
export function changeText(now: number, before: number): string | undefined {
    if (now === before) {
        return now === 0 ? undefined : "±0 %";
    }

    if (before === 0) {
        return "new";
    }

    const percent = Math.round(((now - before) / before) * 100);

    return percent === 0
        ? "±0 %"
        : `${percent > 0 ? "+" : "−"}${number(Math.abs(percent))} %`;
}

/** moreIs: what it means where there is more of it. */
export function Change({
    now,
    before,
    moreIs = "plain",
}: {
    now: number | null;
    before: number | null;
    moreIs?: "bad" | "plain";
}) {
    const text = changeText(now ?? 0, before ?? 0);

    if (text === undefined) {
        return null;
    }

    const kind =
        moreIs === "plain" || text === "±0 %" || before === 0
            ? ""
            : (now ?? 0) > (before ?? 0)
              ? " bad"
              : " good";

    return (
        <span class={`change${kind}`} title="Against the period before">
            {text}
        </span>
    );
}
