// How high the rows of a long table are, though few of them are in the
// document: as they were when they were there, the others as usual.

export class Heights {
    private readonly known: number[] = [];
    private usual: number | undefined;
    private readonly guess: number;

    constructor(guess: number) {
        this.guess = guess;
    }

    /** Rows from `from` on, as they are now. */
    put(from: number, heights: readonly number[]): void {
        heights.forEach((height, i) => {
            this.known[from + i] = height;
        });

        // once: if it changed, all that is above would move
        if (this.usual === undefined && heights.length > 0) {
            this.usual =
                heights.reduce((sum, height) => sum + height, 0) /
                heights.length;
        }
    }

    /** Another width: all of them are others. */
    forget(): void {
        this.known.length = 0;
        this.usual = undefined;
    }

    of(row: number): number {
        return this.known[row] ?? this.usual ?? this.guess;
    }

    /** Rows from `from` up to, not with, `to`. */
    sum(from: number, to: number): number {
        let sum = 0;

        for (let row = from; row < to; row++) {
            sum += this.of(row);
        }

        return sum;
    }

    /** The row, of so many, that is `y` below the first one's top. */
    at(y: number, rows: number): number {
        let row = 0;

        for (let top = this.of(0); row < rows && top <= y; row++) {
            top += this.of(row + 1);
        }

        return row;
    }
}
