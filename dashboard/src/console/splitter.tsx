// The border between two panes: moved by pointer and by arrow keys.

import { useRef } from "preact/hooks";

export function Splitter({
    label,
    vertical,
    value,
    onValue,
}: {
    label: string;
    /** it stands between left and right */
    vertical?: boolean;
    /** the part of the first pane, in percent */
    value: number;
    onValue: (value: number) => void;
}) {
    const bar = useRef<HTMLDivElement>(null);
    const set = (to: number) =>
        onValue(Math.round(Math.min(80, Math.max(20, to))));

    function follow(event: PointerEvent) {
        const here = bar.current;
        const around = here?.parentElement?.getBoundingClientRect();

        if (here?.hasPointerCapture(event.pointerId) && around) {
            set(
                vertical
                    ? ((event.clientX - around.left) / around.width) * 100
                    : ((event.clientY - around.top) / around.height) * 100,
            );
        }
    }

    return (
        // biome-ignore lint/a11y/useSemanticElements: this one can be moved
        <div
            ref={bar}
            class={vertical ? "splitter vertical" : "splitter"}
            role="separator"
            tabIndex={0}
            aria-label={label}
            aria-orientation={vertical ? "vertical" : "horizontal"}
            aria-valuemin={20}
            aria-valuemax={80}
            aria-valuenow={value}
            onPointerDown={(event) => {
                event.preventDefault();
                bar.current?.setPointerCapture(event.pointerId);
            }}
            onPointerMove={follow}
            onKeyDown={(event) => {
                const step = {
                    ArrowLeft: -4,
                    ArrowRight: 4,
                    ArrowUp: -4,
                    ArrowDown: 4,
                }[event.key];

                if (step !== undefined) {
                    event.preventDefault();
                    set(value + step);
                }
            }}
        />
    );
}
