// Protected labels as they are typed: with commas or spaces between them.

import { labelFault } from "../logic/label.ts";

/** The labels in a text, each once. */
export function labelsOf(text: string): string[] {
    return [...new Set(text.split(/[\s,]+/).filter((label) => label !== ""))];
}

const MOST = 64;

/** What is wrong with them; undefined: nothing. */
export function labelsError(text: string): string | undefined {
    const labels = labelsOf(text);

    if (labels.length > MOST) {
        return `At most ${MOST} labels: these are ${labels.length}.`;
    }

    for (const label of labels) {
        const fault = labelFault(label);

        if (fault !== null) {
            return `${label}: ${fault}`;
        }
    }

    return undefined;
}
