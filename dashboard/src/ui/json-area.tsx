// JSON as it is typed, without the weight of an editor.

import { TextArea } from "./field.tsx";

/** What is wrong with a text that is to be JSON; undefined: nothing. */
export function jsonFault(text: string, object = false): string | undefined {
    try {
        const value: unknown = JSON.parse(text);

        return object &&
            (typeof value !== "object" ||
                value === null ||
                Array.isArray(value))
            ? 'Enter a JSON object: {"name": "value"}.'
            : undefined;
    } catch (thrown) {
        return `This is not JSON: ${(thrown as Error).message}.`;
    }
}

export function JsonArea(props: {
    label: string;
    value: string;
    onValue: (value: string) => void;
    error?: string | undefined;
    help?: preact.ComponentChildren;
    optional?: boolean;
    rows?: number;
}) {
    return <TextArea {...props} class="mono" spellcheck={false} />;
}
