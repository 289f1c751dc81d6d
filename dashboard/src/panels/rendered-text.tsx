// Text that somebody or something wrote, as it is meant: Markdown, or JSON as a
// tree; "Raw" is byte for byte.  Both begin with a piece of what is long, so that
// no text holds the page up.
//
//     <Rendered text={output} />            with its radios "Show as"
//     <ShowAs /> … <Rendered text bare />   one choice for many texts

import { signal, useSignal } from "@preact/signals";
import { createElement } from "preact";
import { useMemo } from "preact/hooks";
import { number } from "../data/format.ts";
import { alsoForget } from "../data/kept.ts";
import { adoptSheet, Button } from "../ui/index.ts";
import { Radios } from "../ui/radios.tsx";
import { laidOut } from "./json.ts";
import { wholeOf } from "./json-parts.ts";
import { JsonTree } from "./json-tree.tsx";
import { type Block, type Inline, parseMarkdown } from "./markdown.ts";
import css from "./rendered-text.sheet.css";

adoptSheet(css);

type Way = "rendered" | "raw";

const PLACE = "prompt-show-as";
const WAYS = [
    { value: "rendered", text: "Rendered" },
    { value: "raw", text: "Raw" },
];

/** characters that are shown at once, and twice as many with each press */
const SOME = 50_000;

const way = signal<Way>(keptWay());

function keptWay(): Way {
    try {
        return localStorage.getItem(PLACE) === "raw" ? "raw" : "rendered";
    } catch {
        return "rendered";
    }
}

alsoForget(() => {
    way.value = "rendered";
});

function choose(next: Way) {
    way.value = next;

    try {
        localStorage.setItem(PLACE, next);
    } catch {
        // it lasts as long as the page
    }
}

export function ShowAs() {
    return (
        <Radios
            label="Show as"
            hideLabel
            choices={WAYS}
            value={way.value}
            onValue={(next) => choose(next as Way)}
        />
    );
}

export interface RenderedProps {
    text: string;
    /** of its headings, at least */
    level?: number;
    /** without radios: they stand elsewhere */
    bare?: boolean;
    /** it is neither Markdown nor a tree: JSON is laid out */
    mono?: boolean;
}

export function Rendered({ text, level = 3, bare, mono }: RenderedProps) {
    const raw = way.value === "raw";

    return (
        <>
            {!bare && <ShowAs />}
            <Shown
                key={String(raw)}
                {...{ text, level, raw }}
                mono={mono ?? false}
            />
        </>
    );
}

function Shown({
    text,
    level,
    raw,
    mono,
}: {
    text: string;
    level: number;
    raw: boolean;
    mono: boolean;
}) {
    const most = useSignal(SOME);
    const piece = useMemo(
        () =>
            text.length > most.value
                ? pieceOf(text, most.value)
                : mono && !raw
                  ? laidOut(text)
                  : text,
        [text, most.value, mono, raw],
    );
    const whole = useMemo(
        () => (raw || mono ? undefined : wholeOf(text)),
        [raw, mono, text],
    );

    if (whole) {
        return <JsonTree text={text} whole={whole} />;
    }

    return (
        <>
            {raw || mono ? (
                // the arrow keys scroll it
                <pre
                    class="pre"
                    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
                    tabIndex={0}
                >
                    {piece}
                </pre>
            ) : (
                <Markdown text={piece} level={level} />
            )}
            {text.length > most.value && (
                <p class="muted small-text row">
                    {number(piece.length)} of {number(text.length)} characters.
                    <Button
                        small
                        onClick={() => {
                            most.value *= 2;
                        }}
                    >
                        Show more
                    </Button>
                </p>
            )}
        </>
    );
}

/** At the end of a line, where one is near; never within a character. */
function pieceOf(text: string, most: number): string {
    const line = text.lastIndexOf("\n", most);

    if (line > most / 2) {
        return text.slice(0, line);
    }

    const half = /[\uD800-\uDBFF]/.test(text[most - 1] ?? "");

    return text.slice(0, half ? most - 1 : most);
}

function Markdown({ text, level }: { text: string; level: number }) {
    const blocks = useMemo(() => parseMarkdown(text), [text]);

    return (
        <div class="markdown">
            <Blocks
                blocks={blocks}
                levels={{ least: level, last: level - 1 }}
            />
        </div>
    );
}

/** Headings begin at a level, and none is left out on the way down. */
interface Levels {
    least: number;
    last: number;
}

function Blocks({ blocks, levels }: { blocks: Block[]; levels: Levels }) {
    return <>{blocks.map((block, i) => blockOf(block, i, levels))}</>;
}

function blockOf(block: Block, key: number, levels: Levels) {
    switch (block.kind) {
        case "heading":
            levels.last = Math.min(
                levels.least + block.depth - 1,
                levels.last + 1,
                6,
            );
            return createElement(
                `h${levels.last}`,
                { key, class: `md-${block.depth}` },
                <Inlines nodes={block.children} />,
            );
        case "paragraph":
            return (
                <p key={key}>
                    <Inlines nodes={block.children} />
                </p>
            );
        case "code":
            return (
                <pre
                    key={key}
                    class="pre"
                    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
                    tabIndex={0}
                    title={block.language || undefined}
                >
                    <code>{block.text}</code>
                </pre>
            );
        case "quote":
            return (
                <blockquote key={key}>
                    {block.blocks.map((one, i) => blockOf(one, i, levels))}
                </blockquote>
            );
        case "list": {
            const items = block.items.map((item, i) => (
                <li key={i}>{itemOf(item, levels)}</li>
            ));

            return block.start === undefined ? (
                <ul key={key}>{items}</ul>
            ) : (
                <ol key={key} start={block.start}>
                    {items}
                </ol>
            );
        }
        case "table":
            return <MarkdownTable key={key} table={block} />;
        default:
            return <hr key={key} />;
    }
}

/** One paragraph alone is the item's own text. */
function itemOf(blocks: Block[], levels: Levels) {
    return blocks.map((one, i) =>
        one.kind === "paragraph" && i === 0 ? (
            <Inlines key={i} nodes={one.children} />
        ) : (
            blockOf(one, i, levels)
        ),
    );
}

function MarkdownTable({ table }: { table: Block & { kind: "table" } }) {
    const style = (i: number) => ({ class: table.align[i] ?? "left" });

    return (
        // biome-ignore lint/a11y/useSemanticElements: no fieldset of a form
        <div
            class="table-frame"
            role="group"
            aria-label="Table"
            // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
            tabIndex={0}
        >
            <table>
                <thead>
                    <tr>
                        {table.head.map((cell, i) => (
                            <th key={i} scope="col" {...style(i)}>
                                <Inlines nodes={cell} />
                            </th>
                        ))}
                    </tr>
                </thead>
                <tbody>
                    {table.rows.map((row, at) => (
                        <tr key={at}>
                            {row.map((cell, i) => (
                                <td key={i} {...style(i)}>
                                    <Inlines nodes={cell} />
                                </td>
                            ))}
                        </tr>
                    ))}
                </tbody>
            </table>
        </div>
    );
}

function Inlines({ nodes }: { nodes: Inline[] }) {
    return <>{nodes.map(inlineOf)}</>;
}

function inlineOf(node: Inline, key: number): preact.ComponentChildren {
    if (typeof node === "string") {
        return node;
    }

    switch (node.kind) {
        case "code":
            return (
                <code key={key} class="code">
                    {node.text}
                </code>
            );
        case "break":
            return <br key={key} />;
        case "link":
            return (
                <a
                    key={key}
                    href={node.href}
                    title={node.href}
                    target="_blank"
                    rel="noreferrer noopener nofollow"
                >
                    <Inlines nodes={node.children} />
                </a>
            );
        default:
            return createElement(
                node.kind,
                { key },
                <Inlines nodes={node.children} />,
            );
    }
}
