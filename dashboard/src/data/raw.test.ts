import { describe, expect, it } from "vitest";
import { parseKeeping, RawJson, stringify } from "./raw.ts";

const names = new Set(["params"]);

describe("parseKeeping", () => {
    it("keeps the text of the members named", () => {
        const text =
            '{"data":{"v":[{"params": {"a" : 1.0, "b":"}\\"]"},"n":1},{"params":null}]}}';
        const value = parseKeeping(text, names) as {
            data: { v: { params: RawJson | null; n?: number }[] };
        };

        expect(value.data.v[0]?.params?.text).toBe('{"a" : 1.0, "b":"}\\"]"}');
        expect(value.data.v[0]?.n).toBe(1);
        expect(value.data.v[1]?.params).toBeNull();
    });

    it("reads the rest as JSON.parse does", () => {
        const text =
            ' {"a":[],"b":{},"c":[1,-2.5e3,true,false,null,"\\u00e9\\n"],"d":{"e":{"f":[[]]}}} ';

        expect(parseKeeping(text, names)).toEqual(JSON.parse(text));
        expect(parseKeeping("3", names)).toBe(3);
    });

    it("refuses what is no JSON", () => {
        for (const text of ["", "{", '{"a":1,}', "[1 2]", '{"params":}']) {
            expect(() => parseKeeping(text, names)).toThrow(SyntaxError);
        }
    });
});

describe("stringify", () => {
    it("writes raw text as it is", () => {
        expect(
            stringify({
                a: new RawJson("1.0"),
                b: [undefined, new RawJson("{ }")],
                c: undefined,
                d: null,
            }),
        ).toBe('{"a":1.0,"b":[null,{ }],"d":null}');
    });
});
