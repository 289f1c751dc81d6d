import { describe, expect, it } from "vitest";
import { EventReader } from "./stream.ts";

const stream =
    ': hello\n\nevent: next\ndata: {"a":1}\n\nevent:next\r\ndata:two\r\ndata: lines\r\n\r\nevent: complete\ndata:\n\n';
const expected = [
    { event: "next", data: '{"a":1}' },
    { event: "next", data: "two\nlines" },
    { event: "complete", data: "" },
];

describe("EventReader", () => {
    it("reads events in one piece", () => {
        expect(new EventReader().push(stream)).toEqual(expected);
    });

    it("reads them cut anywhere", () => {
        for (let size = 1; size < 9; size++) {
            const reader = new EventReader();
            const events = [];

            for (let at = 0; at < stream.length; at += size) {
                events.push(...reader.push(stream.slice(at, at + size)));
            }

            expect(events).toEqual(expected);
        }
    });
});
