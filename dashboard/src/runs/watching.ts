// A run that is watched: what is left of it is done meanwhile.

import { signal } from "@preact/signals";
import { query } from "../data/client.ts";
import { type ApiError, isAbort, toApiError } from "../data/errors.ts";
import { subscribe } from "../data/stream.ts";
import {
    type Cell,
    isOpen,
    isOpenCell,
    OneRun,
    RunCells,
    type RunData,
    WatchRun,
} from "./queries.ts";

const PAGE = 200;

/** A connection that broke off is made again, some seconds later. */
const LONGEST_WAIT = 10_000;

/** Events come faster than a page can be drawn. */
const DRAWN = 100;

/**
 * Whether another connection may do better; one whose session has ended in the
 * middle of it asks to sign in, unless that was refused.
 */
function mayReturn(error: ApiError): boolean {
    return (
        error.code === "OFFLINE" ||
        error.status >= 500 ||
        (error.code === "UNAUTHENTICATED" && error.status !== 401)
    );
}

export class Watching {
    readonly run = signal<RunData | undefined>(undefined);
    /** by their ids, in the order in which they came */
    readonly cells = signal<ReadonlyMap<string, Cell>>(new Map());
    /** there are cells that were not read yet */
    readonly more = signal(true);
    readonly reading = signal(false);
    readonly watched = signal(false);
    readonly error = signal<ApiError | undefined>(undefined);

    #id: string;
    #stop = new AbortController();
    #watch: AbortController | undefined;
    #last: string | null = null;
    #come: Cell[] = [];
    /** heard of while they are read, which may not know it yet */
    #early = new Map<string, Cell>();
    #newest: RunData | undefined;
    #timer: ReturnType<typeof setTimeout> | undefined;

    constructor(id: string) {
        this.#id = id;
    }

    async read(): Promise<void> {
        this.error.value = undefined;

        try {
            const { run } = await query(
                OneRun,
                { id: this.#id },
                { signal: this.#stop.signal },
            );

            this.run.value = run ?? undefined;
        } catch (thrown) {
            this.#fail(thrown);
        }
    }

    /** The next cells. */
    async readMore(): Promise<void> {
        if (this.reading.peek() || !this.more.peek()) {
            return;
        }

        this.reading.value = true;

        try {
            const { run } = await query(
                RunCells,
                { id: this.#id, first: PAGE, after: this.#last },
                { signal: this.#stop.signal },
            );
            const cells = run?.cells ?? [];

            this.#last = cells.at(-1)?.id ?? this.#last;
            this.more.value = cells.length === PAGE;
            this.#put(cells.map((cell) => this.#early.get(cell.id) ?? cell));
        } catch (thrown) {
            this.more.value = false;
            this.#fail(thrown);
        } finally {
            this.#early.clear();
            this.reading.value = false;
        }
    }

    /** How it stands, with the cells here that may have been done unwatched. */
    async look(): Promise<void> {
        await this.read();

        const here = [...this.cells.peek().values()];
        const last = here.findLastIndex(isOpenCell);
        let at = here.findIndex(isOpenCell);

        try {
            while (at >= 0 && at <= last) {
                const { run } = await query(
                    RunCells,
                    {
                        id: this.#id,
                        first: PAGE,
                        after: here[at - 1]?.id ?? null,
                    },
                    { signal: this.#stop.signal },
                );

                this.#put(
                    (run?.cells ?? []).filter(
                        ({ id }) =>
                            // what was heard meanwhile is newer
                            this.cells.peek().get(id) ===
                            here.find((one) => one.id === id),
                    ),
                );
                at += PAGE;
            }
        } catch (thrown) {
            this.#fail(thrown);
        }
    }

    /** Watches until it has ended, or pause() is called. */
    async watch(): Promise<void> {
        if (this.watched.peek()) {
            return;
        }

        const mine = new AbortController();

        this.#watch = mine;
        this.watched.value = true;
        this.error.value = undefined;

        for (let wait = 500; !mine.signal.aborted; wait *= 2) {
            try {
                for await (const { watchRun } of subscribe(
                    WatchRun,
                    { id: this.#id },
                    { signal: mine.signal },
                )) {
                    wait = 500;
                    this.#hear(watchRun.cell ?? undefined, watchRun.run);
                }

                this.#show();
                await this.look();

                // a server that goes ends the stream, too
                if (!isOpen(this.run.peek()?.state ?? "DONE")) {
                    break;
                }
            } catch (thrown) {
                const error = toApiError(thrown);

                if (mine.signal.aborted || isAbort(thrown)) {
                    break;
                }

                if (!mayReturn(error)) {
                    this.error.value = error;
                    break;
                }
            }

            await new Promise((done) =>
                setTimeout(done, Math.min(wait, LONGEST_WAIT)),
            );
        }

        this.#show();

        if (this.#watch === mine) {
            this.#watch = undefined;
            this.watched.value = false;
        }
    }

    /** Stops watching; what runs is finished. */
    async pause(): Promise<void> {
        this.#watch?.abort();
        this.#watch = undefined;
        this.watched.value = false;
        await this.look();
    }

    stop(): void {
        this.#watch?.abort();
        this.#stop.abort();
        clearTimeout(this.#timer);
    }

    /** What a mutation answered. */
    set(run: RunData | null): void {
        if (run) {
            this.run.value = run;
        }
    }

    #hear(cell: Cell | undefined, run: RunData): void {
        if (cell) {
            this.#come.push(cell);
        }

        this.#newest = run;
        this.#timer ??= setTimeout(() => this.#show(), DRAWN);
    }

    #show(): void {
        clearTimeout(this.#timer);
        this.#timer = undefined;

        for (const cell of this.#come) {
            this.#early.set(cell.id, cell);
        }

        // the others are read when somebody comes to them
        this.#put(this.#come.filter(({ id }) => this.cells.peek().has(id)));

        if (!this.reading.peek()) {
            this.#early.clear();
        }

        this.#come = [];
        this.run.value = this.#newest ?? this.run.peek();
        this.#newest = undefined;
    }

    #put(cells: readonly Cell[]): void {
        if (cells.length > 0) {
            const all = new Map(this.cells.peek());

            for (const cell of cells) {
                all.set(cell.id, cell);
            }

            this.cells.value = all;
        }
    }

    #fail(thrown: unknown): void {
        if (!isAbort(thrown)) {
            this.error.value = toApiError(thrown);
        }
    }
}

export interface ItemRow {
    id: string;
    item: Cell["item"];
    /** by version, repetitions below each other */
    cells: ReadonlyMap<number, readonly Cell[]>;
}

/** A row for each item. */
export function rowsOf(cells: Iterable<Cell>): ItemRow[] {
    const rows = new Map<
        string,
        { item: Cell["item"]; cells: Map<number, Cell[]> }
    >();

    for (const cell of cells) {
        // whose item is gone is a row of its own
        const id = cell.item?.id ?? cell.id;
        const row = rows.get(id) ?? {
            item: cell.item,
            cells: new Map<number, Cell[]>(),
        };
        const list = row.cells.get(cell.version) ?? [];

        list.push(cell);
        list.sort((a, b) => a.repetition - b.repetition);
        row.cells.set(cell.version, list);
        rows.set(id, row);
    }

    return [...rows].map(([id, row]) => ({ id, ...row }));
}
