// The dialog "Compare results": two outputs, and what they were asked.

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Rendered, ShowAs } from "../panels/rendered-text.tsx";
import { Dialog, Skeleton } from "../ui/index.ts";
import type { Cell } from "./queries.ts";

function name({ version, repetition }: Cell): string {
    return `version ${version}, repetition ${repetition}`;
}

/** Loaded with the editor it is made of. */
function Difference({ before, after }: { before: Cell; after: Cell }) {
    const place = useRef<HTMLDivElement>(null);
    const ready = useSignal(false);

    useEffect(() => {
        let hide: (() => void) | undefined;
        let gone = false;

        void import("../editor/diff.ts").then(({ showDiff }) => {
            if (!gone && place.current) {
                ready.value = true;
                hide = showDiff(place.current, {
                    label: `Output: ${name(before)}, then ${name(after)}`,
                    before: before.execution?.output ?? "",
                    after: after.execution?.output ?? "",
                    language: "text",
                    way: "unified",
                });
            }
        });

        return () => {
            gone = true;
            hide?.();
        };
    }, [before, after]);

    return (
        <>
            {!ready.value && <Skeleton lines={3} />}
            <div class="diff-host" ref={place} />
        </>
    );
}

export function CompareDialog({
    before,
    after,
    onClose,
}: {
    before: Cell;
    after: Cell;
    onClose: () => void;
}) {
    const items =
        before.item.id === after.item.id
            ? [before.item]
            : [before.item, after.item];

    return (
        <Dialog title="Compare results" size="wide" light onClose={onClose}>
            <p class="muted">
                From {name(before)} to {name(after)}.
            </p>
            <Difference before={before} after={after} />
            <ShowAs />
            {items.map((item) => (
                <div key={item.id} class="columns">
                    <section class="stack tight" aria-label="Input">
                        <h3>Input</h3>
                        <Rendered text={item.input.text} bare level={4} />
                    </section>
                    {item.expected && (
                        <section class="stack tight" aria-label="Expected">
                            <h3>Expected</h3>
                            <Rendered
                                text={item.expected.text}
                                bare
                                level={4}
                            />
                        </section>
                    )}
                </div>
            ))}
        </Dialog>
    );
}
