// What is different between two texts, by lines: hunks of equal lines, and of
// lines that were taken out, put in, or both.

export type Hunk = {
    /** as many of both, where they are equal */
    before: readonly string[];
    after: readonly string[];
    same: boolean;
};

/** beyond so many differences all between the common ends is one */
const MOST = 2000;

/** A text as lines; none where there is no text. */
export function linesOf(text: string): string[] {
    return text === "" ? [] : text.split("\n");
}

export function diffLines(before: string, after: string): Hunk[] {
    const a = linesOf(before);
    const b = linesOf(after);
    const most = Math.min(a.length, b.length);
    let head = 0;
    let tail = 0;

    while (head < most && a[head] === b[head]) {
        head++;
    }

    while (tail < most - head && a.at(-1 - tail) === b.at(-1 - tail)) {
        tail++;
    }

    const hunks: Hunk[] = [];
    const put = (from: string[], to: string[], same: boolean) => {
        if (from.length + to.length > 0) {
            hunks.push({ before: from, after: to, same });
        }
    };
    const endA = a.length - tail;
    const endB = b.length - tail;
    let [x, y] = [head, head];

    put(a.slice(0, head), b.slice(0, head), true);

    for (const [from, to, length] of common(
        a.slice(head, endA),
        b.slice(head, endB),
    )) {
        put(a.slice(x, head + from), b.slice(y, head + to), false);
        x = head + from + length;
        y = head + to + length;
        put(a.slice(x - length, x), b.slice(y - length, y), true);
    }

    put(a.slice(x, endA), b.slice(y, endB), false);
    put(a.slice(endA), b.slice(endB), true);

    return hunks;
}

type Run = [from: number, to: number, length: number];

/** Runs of lines that both have, in order: the shortest script of Myers. */
function common(a: readonly string[], b: readonly string[]): Run[] {
    const limit = Math.min(a.length + b.length, MOST);
    const trace: Int32Array[] = [];
    const v = new Int32Array(2 * limit + 3);

    for (let d = 0; d <= limit; d++) {
        trace.push(v.slice());

        for (let k = -d; k <= d; k += 2) {
            let x = isDown(v, k, d, limit)
                ? at(v, limit + 2 + k)
                : at(v, limit + k) + 1;

            while (x < a.length && x - k < b.length && a[x] === b[x - k]) {
                x++;
            }

            v[limit + 1 + k] = x;

            if (x >= a.length && x - k >= b.length) {
                return runsOf(trace, d, a.length, b.length, limit);
            }
        }
    }

    return [];
}

const at = (v: Int32Array, i: number) => v[i] ?? 0;

/** Whether a line of b comes before that diagonal, and not one of a. */
function isDown(v: Int32Array, k: number, d: number, limit: number): boolean {
    return k === -d || (k !== d && at(v, limit + k) < at(v, limit + 2 + k));
}

function runsOf(
    trace: readonly Int32Array[],
    last: number,
    fromEnd: number,
    toEnd: number,
    limit: number,
): Run[] {
    const runs: Run[] = [];
    let [x, y] = [fromEnd, toEnd];

    for (let d = last; d >= 0; d--) {
        const v = trace[d] as Int32Array;
        const k = x - y;
        const down = isDown(v, k, d, limit);
        const beforeX = d === 0 ? 0 : at(v, limit + (down ? 2 : 0) + k);
        const startX = d === 0 ? 0 : beforeX + (down ? 0 : 1);

        if (x > startX) {
            runs.unshift([startX, startX - k, x - startX]);
        }

        x = beforeX;
        y = d === 0 ? 0 : beforeX - (k + (down ? 1 : -1));
    }

    return runs;
}

/** Of two lines, how much they have in common at both ends. */
export function commonEnds(a: string, b: string): [head: number, tail: number] {
    const most = Math.min(a.length, b.length);
    let head = 0;
    let tail = 0;

    while (head < most && a[head] === b[head]) {
        head++;
    }

    while (tail < most - head && a.at(-1 - tail) === b.at(-1 - tail)) {
        tail++;
    }

    return [head, tail];
}
