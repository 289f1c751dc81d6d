// Import and export of a dataset's items.

import { mutate, query } from "../data/client.ts";
import { toApiError } from "../data/errors.ts";
import { number } from "../data/format.ts";
import { readLines, TOGETHER, together, writeLine } from "./jsonl.ts";
import { AddItems, DatasetItems, type Item } from "./queries.ts";

/** What a dataset has at most. */
const MOST = 100_000;
const LARGEST = 256 << 20;
const NAMED = 20;

/** What keeps a file from being imported, in lines to show. */
export class Refused extends Error {
    readonly lines: readonly string[];

    constructor(message: string, lines: readonly string[] = []) {
        super(message);
        this.lines = lines;
    }
}

/** Adds the items of a file, all of them in order; how many there were. */
export async function importFile(
    datasetId: string,
    file: File,
    there: number,
    onDone: (done: number, of: number) => void,
): Promise<number> {
    if (file.size > LARGEST) {
        throw new Refused("This file is larger than 256 MiB: split it.");
    }

    const { items, numbers, wrong } = readLines(await file.text());

    if (wrong.length > 0) {
        throw new Refused(
            `Nothing was imported: ${number(wrong.length)} ${wrong.length === 1 ? "line is" : "lines are"} wrong.`,
            [
                ...wrong
                    .slice(0, NAMED)
                    .map(({ line, why }) => `Line ${line} ${why}.`),
                ...(wrong.length > NAMED
                    ? [`And ${number(wrong.length - NAMED)} more.`]
                    : []),
            ],
        );
    }

    if (items.length === 0) {
        throw new Refused("This file has no items.");
    }

    if (there + items.length > MOST) {
        throw new Refused(
            `A dataset has at most ${number(MOST)} items: this one has ${number(there)}, the file ${number(items.length)}.`,
        );
    }

    for (let at = 0; at < items.length; ) {
        const count = together(items, at);

        try {
            await mutate(AddItems, {
                datasetId,
                items: items.slice(at, at + count),
            });
        } catch (thrown) {
            const error = toApiError(thrown);
            const [, which] = /^items\.(\d+)/.exec(error.field ?? "") ?? [];
            const line =
                which === undefined ? undefined : numbers[at + Number(which)];

            throw new Refused(
                at === 0
                    ? "Nothing was imported."
                    : `${number(at)} of ${number(items.length)} items were imported, up to line ${numbers[at - 1]}.`,
                [
                    line === undefined
                        ? error.message
                        : `Line ${line}: ${error.message}`,
                ],
            );
        }

        at += count;
        onDone(at, items.length);
    }

    return items.length;
}

/** Reads all items and gives them to the browser as a file. */
export async function exportFile(
    dataset: { id: string; name: string },
    signal: AbortSignal,
): Promise<number> {
    const parts: string[] = [];
    let after: string | null = null;

    for (;;) {
        const answer: { dataset: { items: Item[] } | null } = await query(
            DatasetItems,
            { id: dataset.id, first: TOGETHER, after },
            { signal },
        );
        const items = answer.dataset?.items ?? [];

        parts.push(...items.map(writeLine));
        after = items.at(-1)?.id ?? null;

        if (items.length < TOGETHER) {
            break;
        }
    }

    const link = document.createElement("a");
    const address = URL.createObjectURL(
        new Blob(parts, { type: "application/x-ndjson" }),
    );

    link.href = address;
    link.download = `${dataset.name.replace(/[/\\:*?"<>|\p{Cc}]/gu, "-")}.jsonl`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);

    return parts.length;
}
