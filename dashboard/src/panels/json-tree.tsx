// JSON as a tree: arrow keys go and open, as in any tree.

import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { type Part, partsOf } from "./json-parts.ts";

/** members that are shown at once, and more with each press */
const SOME = 100;

/** characters of a string */
const LONG = 2000;

/** a value within one that is open is open, too, where it is as short */
const SHORT = 600;

export default function JsonTree({
    text,
    whole,
}: {
    text: string;
    whole: Part;
}) {
    return (
        <div
            class="json-tree"
            role="tree"
            aria-label="JSON"
            onKeyDown={onKeyDown}
        >
            <Value text={text} part={whole} open first />
        </div>
    );
}

function onKeyDown(event: KeyboardEvent) {
    const tree = event.currentTarget as HTMLElement;
    const here = (event.target as HTMLElement).closest<HTMLElement>(
        "[role=treeitem]",
    );

    if (here === null || event.target !== here) {
        return;
    }

    const items = [...tree.querySelectorAll<HTMLElement>("[role=treeitem]")];
    const at = items.indexOf(here);
    const open = here.getAttribute("aria-expanded");
    let to: HTMLElement | null | undefined;

    switch (event.key) {
        case "ArrowDown":
            to = items[at + 1];
            break;
        case "ArrowUp":
            to = items[at - 1];
            break;
        case "Home":
            to = items[0];
            break;
        case "End":
            to = items.at(-1);
            break;
        case "ArrowRight":
            if (open === "false") {
                here.click();
            } else if (open === "true") {
                to = items[at + 1];
            }
            break;
        case "ArrowLeft":
            if (open === "true") {
                here.click();
            } else {
                to =
                    here.parentElement?.closest<HTMLElement>("[role=treeitem]");
            }
            break;
        case "Enter":
        case " ":
            here.click();
            break;
        default:
            return;
    }

    event.preventDefault();

    if (to) {
        for (const item of items) {
            item.tabIndex = item === to ? 0 : -1;
        }

        to.focus();
    }
}

function Value({
    text,
    part,
    open: opened = false,
    first,
}: {
    text: string;
    part: Part;
    open?: boolean;
    first?: boolean;
}) {
    const open = useSignal(opened);
    const mark = text[part.start];
    const key = part.key !== undefined && (
        <>
            <span class="json-key">{part.key}</span>:{" "}
        </>
    );

    if (mark !== "{" && mark !== "[") {
        return (
            <Leaf>
                {key}
                <Scalar text={text.slice(part.start, part.end)} />
            </Leaf>
        );
    }

    const close = mark === "{" ? "}" : "]";

    return (
        // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has them
        <div
            role="treeitem"
            aria-expanded={open.value}
            tabIndex={first ? 0 : -1}
            onClick={(event) => {
                const target = event.target as HTMLElement;

                if (
                    target.closest("[role=treeitem]") === event.currentTarget &&
                    String(getSelection()) === ""
                ) {
                    open.value = !open.value;
                }
            }}
        >
            <span class="json-open">
                {key}
                {mark}
                {!open.value && `…${close}`}
            </span>
            {open.value && (
                <>
                    <Members text={text} part={part} />
                    {close}
                </>
            )}
        </div>
    );
}

function Leaf({ children }: { children: preact.ComponentChildren }) {
    return (
        <div role="treeitem" tabIndex={-1}>
            {children}
        </div>
    );
}

function Members({ text, part }: { text: string; part: Part }) {
    const count = useSignal(SOME);
    const { parts, next } = useMemo(
        () => partsOf(text, part, count.value),
        [text, part, count.value],
    );

    return (
        // biome-ignore lint/a11y/useSemanticElements: as trees have it
        <div role="group">
            {parts.map((one) => (
                <Value
                    key={one.start}
                    text={text}
                    part={one}
                    open={one.end - one.start <= SHORT}
                />
            ))}
            {next !== undefined && (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the tree has them
                <div
                    role="treeitem"
                    class="json-more"
                    tabIndex={-1}
                    onClick={() => {
                        count.value *= 2;
                    }}
                >
                    Show more
                </div>
            )}
        </div>
    );
}

/** Lines of a string are lines; what else it has stays as it is written. */
function Scalar({ text }: { text: string }) {
    const long = useSignal(false);
    const kind = text.startsWith('"')
        ? "string"
        : /^[-\d]/.test(text)
          ? "number"
          : "constant";
    const cut = text.length > LONG && !long.value;
    const shown = cut ? text.slice(0, LONG) : text;

    return (
        <>
            <span class={`json-${kind}`}>
                {kind === "string" ? lines(shown) : shown}
            </span>
            {cut && (
                <button
                    type="button"
                    class="button quiet small"
                    onClick={() => {
                        long.value = true;
                    }}
                >
                    Show all of it
                </button>
            )}
        </>
    );
}

function lines(string: string): string {
    return string.replace(/\\(.)/g, (all, c) =>
        c === "n" ? "\n" : c === "t" ? "\t" : all,
    );
}
