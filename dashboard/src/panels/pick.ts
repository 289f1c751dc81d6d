// Which version of a prompt is meant: the latest, one by its number, or the
// one that a label names.

import type { Choice } from "../ui/index.ts";
import type { Pick } from "./snippets.ts";

/** As many of the newest versions as a list offers. */
const MOST = 1000;

export interface Labelled {
    label: string;
    version: number;
}

export const LATEST = "latest";

/** Versions are numbered from 1 without gaps. */
export function pickChoices(
    latest: number,
    labels: readonly Labelled[],
): Choice[] {
    const count = Math.min(latest, MOST);

    return [
        { value: LATEST, text: `Latest (version ${latest})` },
        ...labels.map(({ label, version }) => ({
            value: `label ${label}`,
            text: `${label} (version ${version})`,
        })),
        ...Array.from({ length: count }, (_, i) => ({
            value: `version ${latest - i}`,
            text: `Version ${latest - i}`,
        })),
    ];
}

/** Of a choice's value; the latest where it is none. */
export function pickOf(value: string): Pick {
    const [, kind, name = ""] = /^(label|version) (.+)$/.exec(value) ?? [];

    if (kind === "label") {
        return { kind, label: name };
    }

    return kind === "version" && /^[1-9]\d{0,8}$/.test(name)
        ? { kind, version: Number(name) }
        : { kind: "latest" };
}

export function pickName(pick: Pick): string {
    switch (pick.kind) {
        case "label":
            return pick.label;

        case "version":
            return `Version ${pick.version}`;

        default:
            return "Latest";
    }
}

/** The arguments of executePrompt. */
export function pickArguments(pick: Pick): {
    version?: number;
    label?: string;
} {
    switch (pick.kind) {
        case "label":
            return { label: pick.label };

        case "version":
            return { version: pick.version };

        default:
            return {};
    }
}
