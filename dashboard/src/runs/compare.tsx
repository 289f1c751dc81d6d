// The dialog "Compare results": two outputs, and what they were asked.

import { Difference } from "../editor/diff-view.tsx";
import { Rendered, ShowAs } from "../panels/rendered-text.tsx";
import { Dialog } from "../ui/index.ts";
import type { Cell } from "./queries.ts";

function name({ version, repetition }: Cell): string {
    return `version ${version}, repetition ${repetition}`;
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
    const items = [before.item, after.item].filter(
        (item, i) => item !== null && (i === 0 || item.id !== before.item?.id),
    ) as NonNullable<Cell["item"]>[];

    return (
        <Dialog title="Compare results" size="wide" light onClose={onClose}>
            <p class="muted">
                From {name(before)} to {name(after)}.
            </p>
            <Difference
                label="Changes: output"
                before={before.execution?.output ?? ""}
                after={after.execution?.output ?? ""}
                beside={false}
            />
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
