// What was run, for putting it back into the editors.

import { signal } from "@preact/signals";
import { alsoForget } from "../data/kept.ts";
import { Button, Icon, Time } from "../ui/index.ts";
import { type Entry, read, remembered, titleOf } from "./history.ts";

export const entries = signal<readonly Entry[]>([]);

let place = "";

alsoForget(() => {
    // what was under way ends after this, and is nobody's then
    place = "";
    entries.value = [];
});

function storage(): Storage | null {
    try {
        return localStorage;
    } catch {
        return null;
    }
}

/** Of an account: what one ran is not for the next one at this browser. */
export function openHistory(account: string): void {
    place = `prompt-console-history ${account}`;

    try {
        entries.value = read(storage()?.getItem(place) ?? null);
    } catch {
        entries.value = [];
    }
}

function save(list: readonly Entry[]): void {
    if (place === "") {
        return;
    }

    entries.value = list;

    try {
        storage()?.setItem(place, JSON.stringify(list));
    } catch {
        // it is full: this page remembers, the next one does not
    }
}

export function addToHistory(entry: Entry): void {
    save(remembered(entries.peek(), entry));
}

export function HistoryList({ onUse }: { onUse: (entry: Entry) => void }) {
    if (entries.value.length === 0) {
        return <p class="muted">Nothing was run here yet.</p>;
    }

    return (
        <>
            <ol class="console-history">
                {entries.value.map((entry) => (
                    <li key={entry.time + entry.query}>
                        <button type="button" onClick={() => onUse(entry)}>
                            <Icon name={entry.ok ? "check" : "warning"} />
                            <span class="visually-hidden">
                                {entry.ok ? "succeeded:" : "failed:"}
                            </span>
                            <span class="grow">{titleOf(entry)}</span>
                            <span class="muted small-text">
                                <Time iso={entry.time} />
                            </span>
                        </button>
                    </li>
                ))}
            </ol>
            <Button small kind="danger" icon="trash" onClick={() => save([])}>
                Forget all
            </Button>
        </>
    );
}
