// What can be given to a run beside its input, and a look at what it would send.

import { useComputed, useSignal, useSignalEffect } from "@preact/signals";
import { RawJson } from "../data/raw.ts";
import { TextArea, TextField } from "../ui/index.ts";
import { type Json, objectFault, readJson } from "./json.ts";
import { pickArguments, pickOf } from "./pick.ts";
import { RenderedMessages } from "./rendered.tsx";
import type { More, RunState } from "./running.ts";

const JSONS = ["metadata", "overrides"] as const;

/** What was typed as it is sent, or null: then it is said what is wrong. */
export function moreOf({ more, moreFaults }: RunState): More | null {
    const typed = more.peek();
    const faults: typeof moreFaults.value = {};
    const sent: More = {};

    if (typed.subject !== "") {
        sent.subject = typed.subject;
    }

    for (const name of JSONS) {
        const text = typed[name];

        if (text.trim() !== "") {
            const fault = objectFault(text);

            if (fault !== null) {
                faults[name] = fault.message;
            }

            sent[name] = new RawJson(text);
        }
    }

    moreFaults.value = faults;

    return Object.keys(faults).length > 0 ? null : sent;
}

/** For commands that do the same. */
export function moreAsJson(state: RunState): Map<string, Json> {
    return new Map(
        Object.entries(moreOf(state) ?? {}).map(([name, value]) => [
            name,
            value instanceof RawJson ? readJson(value.text) : (value as string),
        ]),
    );
}

/** The field that the service found wrong; overrides are as params must be. */
export function moreField(field: string | undefined): keyof More | undefined {
    const name = field?.split(".")[0];

    return name === "params"
        ? "overrides"
        : (["subject", ...JSONS] as const).find((one) => one === name);
}

export function RunMore({ state }: { state: RunState }) {
    const more = state.more.value;
    const faults = state.moreFaults.value;
    const wrong = Object.keys(faults).length > 0;
    const open = useSignal(Object.values(more).some((text) => text !== ""));
    const field = (name: keyof More) => ({
        value: more[name],
        error: faults[name],
        onValue: (text: string) => {
            const { [name]: _, ...others } = state.moreFaults.peek();

            state.more.value = { ...state.more.peek(), [name]: text };
            state.moreFaults.value = others;
        },
    });
    const json = { class: "mono", rows: 2, spellcheck: false };

    return (
        <details
            class="run-more"
            open={open.value || wrong}
            onToggle={(event) => {
                open.value = event.currentTarget.open;
            }}
        >
            <summary>More</summary>
            <div class="stack">
                <TextField
                    label="Subject"
                    help="On whose behalf it runs; kept with the execution."
                    {...field("subject")}
                />
                <TextArea
                    label="Metadata (JSON)"
                    help={'Kept with it, too: { "name": "text" }.'}
                    {...json}
                    {...field("metadata")}
                />
                <TextArea
                    label="Overrides (JSON)"
                    help="Replace members of the version's parameters for this run; null takes one away."
                    {...json}
                    {...field("overrides")}
                />
            </div>
        </details>
    );
}

/** how long typing rests before it is rendered anew */
const REST = 300;

/** The messages of a run as it stands, while that changes. */
export function Preview({
    id,
    promptId,
    pick,
    input,
}: {
    id: string;
    promptId: string;
    pick: string;
    /** reads signals */
    input: () => string;
}) {
    const now = useComputed(input);
    const shown = useSignal(now.peek());

    useSignalEffect(() => {
        const text = now.value;
        const timer = setTimeout(() => {
            shown.value = text;
        }, REST);

        return () => clearTimeout(timer);
    });

    return (
        <RenderedMessages
            id={id}
            class="card"
            promptId={promptId}
            input={shown.value}
            {...pickArguments(pickOf(pick))}
        />
    );
}
