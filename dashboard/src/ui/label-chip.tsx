// A label as a chip: of a colour of its own, the same on all pages, and of its
// name, as colours alone say nothing.

import type { ComponentChildren } from "preact";

export interface Labelled {
    label: string;
    version: number;
    split?: readonly { version: number; permille: number }[];
}

/** As many colours as are told apart; production has the first to itself. */
const HUES = [150, 30, 75, 200, 235, 270, 305, 340];

function hueOf(label: string): number {
    if (label === "production") {
        return HUES[0] ?? 0;
    }

    let sum = 0;

    for (const c of label) {
        sum = (sum * 31 + (c.codePointAt(0) ?? 0)) % 9973;
    }

    return HUES[1 + (sum % (HUES.length - 1))] ?? 0;
}

/** `production` first, then by name. */
export function sortLabels<T extends { label: string }>(
    labels: readonly T[],
): T[] {
    const rank = ({ label }: T) => (label === "production" ? 0 : 1);

    return labels.toSorted(
        (a, b) =>
            rank(a) - rank(b) ||
            (a.label < b.label ? -1 : a.label > b.label ? 1 : 0),
    );
}

/** In percent, as few digits as it takes: "90", "12.5". */
export function percent(permille: number): string {
    return String(permille / 10);
}

/** "90 / 10"; "" where it names one version. */
export function sharesOf({ split = [] }: Labelled): string {
    return split.map(({ permille }) => percent(permille)).join(" / ");
}

export function LabelChip({
    label,
    title,
    children,
}: {
    label: string;
    title?: string | undefined;
    /** beside the name */
    children?: ComponentChildren;
}) {
    return (
        <span
            class="label-chip"
            title={title ?? label}
            style={{ "--hue": String(hueOf(label)) }}
        >
            <span>{label}</span>
            {children}
        </span>
    );
}
