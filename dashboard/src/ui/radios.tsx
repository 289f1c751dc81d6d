// One of a few: radios beside each other.

import { useId } from "preact/hooks";
import type { Choice } from "./field.tsx";

export function Radios({
    label,
    hideLabel,
    choices,
    value,
    onValue,
}: {
    label: string;
    hideLabel?: boolean;
    choices: readonly Choice[];
    value: string;
    onValue: (value: string) => void;
}) {
    const name = useId();

    return (
        <div class="radios" role="radiogroup" aria-label={label}>
            {!hideLabel && <span aria-hidden="true">{label}</span>}
            {choices.map((one) => (
                <label key={one.value}>
                    <input
                        type="radio"
                        name={name}
                        checked={value === one.value}
                        onChange={() => onValue(one.value)}
                    />
                    {one.text}
                </label>
            ))}
        </div>
    );
}
