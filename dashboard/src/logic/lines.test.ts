import { expect, test } from "vitest";
import { diffLines } from "./lines.ts";

/** "=N" lines that stay, "-a" one taken out, "+a" one put in */
function script(before: string, after: string): string[] {
    return diffLines(before, after).flatMap((hunk) =>
        hunk.same
            ? [`=${hunk.before.length}`]
            : [
                  ...hunk.before.map((line) => `-${line}`),
                  ...hunk.after.map((line) => `+${line}`),
              ],
    );
}

test("a line added at the end is one insertion", () => {
    expect(script("a\nb", "a\nb\nc")).toEqual(["=2", "+c"]);
    expect(script("a\nb\n", "a\nb\nc\n")).toEqual(["=2", "+c", "=1"]);
    expect(script("a\nb", "a\nb\n")).toEqual(["=2", "+"]);
});

test("nothing before, nothing after", () => {
    expect(script("", "a\nb")).toEqual(["+a", "+b"]);
    expect(script("a", "")).toEqual(["-a"]);
    expect(script("", "")).toEqual([]);
    expect(script("a\nb", "a\nb")).toEqual(["=2"]);
});

test("changes in the middle", () => {
    expect(script("a\nb\nc\nd", "a\nx\nc\ny\nd")).toEqual([
        "=1",
        "-b",
        "+x",
        "=1",
        "+y",
        "=1",
    ]);
    expect(script("a\nb\na\nb\na", "b\na\nb\nc\na")).toEqual([
        "-a",
        "=3",
        "+c",
        "=1",
    ]);
});

test("whatever it is, both texts are in it", () => {
    let seed = 7;
    const random = (n: number) => {
        seed = (seed * 1103515245 + 12345) % 2147483648;
        return seed % n;
    };

    for (let i = 0; i < 500; i++) {
        const text = () =>
            Array.from({ length: 1 + random(12) }, () => random(4)).join("\n");
        const [before, after] = [text(), text()];
        const hunks = diffLines(before, after);

        expect(hunks.flatMap((h) => h.before).join("\n")).toBe(before);
        expect(hunks.flatMap((h) => h.after).join("\n")).toBe(after);
        expect(
            hunks.every((h) => !h.same || h.before.join() === h.after.join()),
        ).toBe(true);
        expect(hunks.every((h, n) => h.same !== hunks[n + 1]?.same)).toBe(true);
    }
});

test("too many differences are one", () => {
    const before = Array.from({ length: 3000 }, (_, i) => `a${i}`).join("\n");
    const after = Array.from({ length: 3000 }, (_, i) => `b${i}`).join("\n");

    expect(diffLines(before, after)).toHaveLength(1);
});
