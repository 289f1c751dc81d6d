// How a difference is shown: as one text, or as two.

import { Button } from "../ui/index.ts";
import type { DiffWay } from "./diff-view.tsx";

const WAYS: readonly { way: DiffWay; text: string }[] = [
    { way: "unified", text: "Unified" },
    { way: "side by side", text: "Side by side" },
];

export function WaySwitch({
    way,
    onWay,
}: {
    way: DiffWay;
    onWay: (way: DiffWay) => void;
}) {
    return (
        // biome-ignore lint/a11y/useSemanticElements: no fieldset of a form
        <div class="group" role="group" aria-label="View">
            {WAYS.map((one) => (
                <Button
                    key={one.way}
                    small
                    aria-pressed={one.way === way}
                    onClick={() => onWay(one.way)}
                >
                    {one.text}
                </Button>
            ))}
        </div>
    );
}
