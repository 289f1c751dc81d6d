// A field for a number, which keeps what was typed as it was typed: an input of
// type number hides what it does not understand.

import { Field, type FieldProps } from "./field.tsx";

/** digits that steps of 0.1 do not add to */
const DIGITS = 6;

export function NumberField({
    value,
    onValue,
    step = 1,
    min,
    max,
    readonly,
    ...field
}: FieldProps & {
    value: string;
    onValue: (value: string) => void;
    /** what the arrow keys add and take */
    step?: number;
    min?: number;
    max?: number;
    readonly?: boolean;
}) {
    const number = value.trim() === "" ? Number.NaN : Number(value);

    function go(by: number) {
        const from = Number.isNaN(number) ? (min ?? 0) - by : number;
        const to = Number((from + by).toFixed(DIGITS));

        onValue(
            String(
                Math.min(
                    max ?? Number.POSITIVE_INFINITY,
                    Math.max(min ?? Number.NEGATIVE_INFINITY, to),
                ),
            ),
        );
    }

    return (
        <Field {...field}>
            {(described) => (
                <input
                    {...described}
                    type="text"
                    role="spinbutton"
                    aria-valuenow={Number.isNaN(number) ? undefined : number}
                    aria-valuemin={min}
                    aria-valuemax={max}
                    inputMode="decimal"
                    autocomplete="off"
                    readonly={readonly}
                    value={value}
                    onInput={(event) => onValue(event.currentTarget.value)}
                    onKeyDown={(event) => {
                        const way = { ArrowUp: step, ArrowDown: -step }[
                            event.key
                        ];

                        if (way !== undefined && !readonly) {
                            event.preventDefault();
                            go(way);
                        }
                    }}
                />
            )}
        </Field>
    );
}
