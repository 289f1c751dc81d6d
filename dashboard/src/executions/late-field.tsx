// A text that is asked for when the typing has come to rest.

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { TextField } from "../ui/index.ts";

const REST = 400;

export function LateField({
    value,
    onValue,
    ...rest
}: {
    label: string;
    placeholder: string;
    value: string;
    error?: string | undefined;
    onValue: (value: string) => void;
}) {
    const typed = useSignal(value);
    const timer = useRef<number | undefined>(undefined);
    const tell = () => {
        clearTimeout(timer.current);

        if (typed.peek().trim() !== value) {
            onValue(typed.peek().trim());
        }
    };

    useEffect(() => {
        typed.value = value;

        return () => clearTimeout(timer.current);
    }, [value, typed]);

    return (
        <TextField
            {...rest}
            value={typed.value}
            onValue={(text) => {
                typed.value = text;
                clearTimeout(timer.current);
                timer.current = window.setTimeout(tell, REST);
            }}
            onKeyDown={(event) => {
                if (event.key === "Enter") {
                    tell();
                }
            }}
        />
    );
}
