// A label as a chip: its colour is its name's, the same on all pages.

const COLOURS = 6;

function colourOf(label: string): number {
    let hash = 0;

    for (const c of label) {
        hash = (hash * 31 + (c.codePointAt(0) ?? 0)) >>> 0;
    }

    return hash % COLOURS;
}

/** production first, then by name */
export function byLabel(a: string, b: string): number {
    const last = (label: string) => (label === "production" ? 0 : 1);

    return last(a) - last(b) || (a < b ? -1 : a > b ? 1 : 0);
}

export function LabelChip({ label, title }: { label: string; title?: string }) {
    return (
        <span
            class={`badge label l${label === "production" ? "p" : colourOf(label)}`}
            title={title ?? label}
        >
            {label}
        </span>
    );
}
