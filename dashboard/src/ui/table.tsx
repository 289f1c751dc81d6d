// A table of many rows.  Rows come by pages (onMore), and only those near the
// window are in the document, so that 10,000 are as quick as 50.

import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { ApiError } from "../data/errors.ts";
import { Heights } from "./heights.ts";
import { ErrorNote, Skeleton } from "./say.tsx";

export interface Column<T> {
    name: string;
    cell: (row: T, index: number) => ComponentChildren;
    /** to the right, digits of one width */
    numeric?: boolean;
    /** goes first where the window is narrow: 1 stays longest; 0 always */
    priority?: 0 | 1 | 2 | 3;
    /** the row's own name: a row header */
    header?: boolean;
    /** takes what is left */
    grow?: boolean;
    /** its head is for screen readers only */
    hideName?: boolean;
}

export interface TableProps<T> {
    label: string;
    columns: readonly Column<T>[];
    rows: readonly T[];
    rowKey: (row: T) => string;
    /** a press anywhere in the row; its link or button is for the keyboard */
    onOpen?: (row: T) => void;
    /** there are more: asks for the next page; absent: these are all */
    onMore?: (() => void) | undefined;
    loading?: boolean;
    error?: ApiError | undefined;
    onRetry?: () => void;
    /** rows that have come near the window */
    onSeen?: (rows: readonly T[]) => void;
    /** pixels of a row before one was measured */
    rowHeight?: number;
    /** scrolls sideways, and has rows without anything to reach by Tab */
    wide?: boolean;
}

/** rows kept in the document above and below what is seen */
const margin = 15;
/** below this many rows all are in the document */
const few = 120;

export function Table<T>({
    label,
    columns,
    rows,
    rowKey,
    onOpen,
    onMore,
    loading,
    error,
    onRetry,
    onSeen,
    rowHeight = 49,
    wide = false,
}: TableProps<T>) {
    const body = useRef<HTMLTableSectionElement>(null);
    const heights = useMemo(() => new Heights(rowHeight), [rowHeight]);
    const range = useSignal<readonly [number, number]>([0, few]);
    const all = rows.length <= few;
    const [from, to] = all
        ? [0, rows.length]
        : [
              Math.min(range.value[0], Math.max(0, rows.length - few)),
              Math.min(rows.length, range.value[1]),
          ];
    const state = useRef({ rows, onMore, onSeen, loading, error });

    state.current = { rows, onMore, onSeen, loading, error };

    function look() {
        const here = body.current;

        if (here === null) {
            return;
        }

        const { rows, onMore, onSeen, loading, error } = state.current;
        const box = here.getBoundingClientRect();
        const first = heights.at(-box.top, rows.length);
        const last = heights.at(innerHeight - box.top, rows.length) + 1;
        const start = Math.max(0, first - margin);
        const end = Math.min(rows.length, Math.max(last, 0) + margin);

        if (
            rows.length > few &&
            (Math.abs(start - range.peek()[0]) > 4 ||
                Math.abs(end - range.peek()[1]) > 4 ||
                start === 0)
        ) {
            range.value = [start, Math.max(end, start + 2 * margin)];
        }

        if (rows.length > 0) {
            onSeen?.(rows.slice(Math.max(0, first - 2), Math.max(0, last + 5)));
        }

        if (onMore && !loading && !error && last + margin >= rows.length) {
            onMore();
        }
    }

    useLayoutEffect(() => {
        const shown = body.current?.querySelectorAll("tr[data-row]") ?? [];

        heights.put(
            from,
            [...shown].map((row) => row.getBoundingClientRect().height),
        );
    });

    useEffect(look, [rows, loading, error]);

    useEffect(() => {
        let frame = 0;
        const later = () => {
            cancelAnimationFrame(frame);
            frame = requestAnimationFrame(look);
        };

        addEventListener("scroll", later, { passive: true });
        let width = innerWidth;
        const resized = () => {
            if (width !== innerWidth) {
                width = innerWidth;
                heights.forget();
            }

            later();
        };

        addEventListener("resize", resized);
        return () => {
            cancelAnimationFrame(frame);
            removeEventListener("scroll", later);
            removeEventListener("resize", resized);
        };
    }, [heights]);

    const space = (start: number, end: number) =>
        end > start && (
            <tr class="space">
                <td
                    colSpan={columns.length}
                    ref={(cell) => {
                        if (cell) {
                            cell.style.height = `${heights.sum(start, end)}px`;
                        }
                    }}
                />
            </tr>
        );

    return (
        <>
            <div class="table-frame" tabIndex={wide ? 0 : undefined}>
                <table
                    aria-label={label}
                    aria-rowcount={onMore ? -1 : rows.length + 1}
                    aria-busy={loading ? "true" : undefined}
                >
                    <thead>
                        <tr>
                            {columns.map((c) => (
                                <th key={c.name} scope="col" class={style(c)}>
                                    {c.hideName ? (
                                        <span class="visually-hidden">
                                            {c.name}
                                        </span>
                                    ) : (
                                        c.name
                                    )}
                                </th>
                            ))}
                        </tr>
                    </thead>
                    <tbody ref={body}>
                        {space(0, from)}
                        {rows.slice(from, to).map((row, i) => (
                            <Row
                                key={rowKey(row)}
                                {...{ row, columns, onOpen }}
                                index={from + i}
                            />
                        ))}
                        {space(to, rows.length)}
                    </tbody>
                </table>
            </div>
            {loading && <Skeleton lines={rows.length === 0 ? 6 : 2} />}
            {error && (
                <ErrorNote error={error} {...(onRetry ? { onRetry } : {})} />
            )}
        </>
    );
}

function style<T>(column: Column<T>): string {
    return [
        column.numeric && "numeric",
        column.grow && "grow",
        column.priority ? `p${column.priority}` : "",
    ]
        .filter(Boolean)
        .join(" ");
}

function Row<T>({
    row,
    index,
    columns,
    onOpen,
}: {
    row: T;
    index: number;
    columns: readonly Column<T>[];
    onOpen: ((row: T) => void) | undefined;
}) {
    return (
        <tr
            data-row
            aria-rowindex={index + 2}
            class={onOpen ? "opens" : undefined}
            onClick={(event) => {
                const target = event.target as HTMLElement;

                // what is in the row has its own use, and text can be selected
                if (
                    onOpen &&
                    !target.closest("a, button, input, label") &&
                    String(getSelection()) === ""
                ) {
                    onOpen(row);
                }
            }}
        >
            {columns.map((c) =>
                c.header ? (
                    <th key={c.name} scope="row" class={style(c)}>
                        {c.cell(row, index)}
                    </th>
                ) : (
                    <td key={c.name} class={style(c)}>
                        {c.cell(row, index)}
                    </td>
                ),
            )}
        </tr>
    );
}
