// Text that somebody or something wrote, as it is meant: Markdown, or JSON as a
// tree; "Raw" is byte for byte.  Both begin with a piece of what is long, so that
// no text holds the page up.
//
//     <Rendered text={output} />            with its radios "Show as"
//     <ShowAs /> … <Rendered text bare />   one choice for many texts

import { signal, useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { number } from "../data/format.ts";
import { alsoForget } from "../data/kept.ts";
import { adoptSheet, Button } from "../ui/index.ts";
import { part } from "../ui/part.tsx";
import { Radios } from "../ui/radios.tsx";
import { laidOut } from "./json.ts";
import { type Part, wholeOf } from "./json-parts.ts";
import type { Written } from "./markdown-text.tsx";
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

/** as it is, until they come */
const AsItIs = ({ text }: { text: string }) => (
    <pre class="pre">{text.slice(0, SOME)}</pre>
);

const Markdown = part<Written>(() => import("./markdown-text.tsx"), AsItIs);
const JsonTree = part<{ text: string; whole: Part }>(
    () => import("./json-tree.tsx"),
    AsItIs,
);

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
