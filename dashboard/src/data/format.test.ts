import { describe, expect, it } from "vitest";
import { ago, compact, duration, money, size, sumMoney } from "./format.ts";

describe("money", () => {
    it.each([
        ["0", "$0"],
        ["12", "$12.00"],
        ["1234567.891", "$1,234,567.89"],
        ["0.000165", "$0.000165"],
        ["0.00016549", "$0.000165"],
        ["0.5", "$0.50"],
        ["0.999999", "$1.00"],
        ["99.995", "$100.00"],
    ])("%s is written %s", (exact, written) => {
        expect(money(exact)).toBe(written);
    });

    it("is summed to the last digit", () => {
        expect(sumMoney(["0.1", "0.2", "0.0000000003"])).toBe("0.3000000003");
        expect(sumMoney(["1", "2.50"])).toBe("3.5");
        expect(sumMoney([])).toBe("0");
    });
});

describe("numbers and moments", () => {
    it("is short where it is large", () => {
        expect(compact(9999)).toBe("9,999");
        expect(compact(1_234_567)).toBe("1.23M");
        expect(duration(999)).toBe("999 ms");
        expect(duration(1234)).toBe("1.23 s");
        expect(duration(61_000)).toBe("1 min 1 s");
        expect(size(0)).toBe("0 bytes");
        expect(size(1023)).toBe("1,023 bytes");
        expect(size(1536)).toBe("1.5 KiB");
        expect(size(2 ** 31)).toBe("2 GiB");
        expect(size(2 ** 42)).toBe("4,096 GiB");
    });

    it("says how long ago", () => {
        const now = Date.parse("2026-11-22T12:00:00Z");

        expect(ago("2026-11-22T11:59:50Z", now)).toBe("just now");
        expect(ago("2026-11-22T11:55:00Z", now)).toBe("5 min. ago");
        expect(ago("2026-11-21T12:00:00Z", now)).toBe("yesterday");
        expect(ago("2026-11-01T12:00:00Z", now)).toContain("2026");
    });
});
