// Markdown as headings, lists, tables and code: no HTML, no pictures.

import { createElement } from "preact";
import { useMemo } from "preact/hooks";
import { type Block, type Inline, parseMarkdown } from "./markdown.ts";

export interface Written {
    text: string;
    /** of its first headings */
    level: number;
}

export default function Markdown({ text, level }: Written) {
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
