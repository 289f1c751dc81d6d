// What is different between two versions, section by section.

import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { type Sections, sectionNames } from "../logic/sections.ts";
import { Badge, Skeleton } from "../ui/index.ts";
import type { DiffWay } from "./diff.ts";

export const NAMES = {
    content: "Text",
    messages: "Messages",
    params: "Settings of the model",
    inputSchema: "Schema of the input",
    outputSchema: "Schema of the output",
} as const;

/** unified below this: two columns have no room */
const NARROW = 720;

export function DiffView({
    before,
    after,
    way,
}: {
    before: Sections;
    after: Sections;
    way: DiffWay;
}) {
    const changed = sectionNames.filter((name) => before[name] !== after[name]);
    const same = sectionNames.filter((name) => before[name] === after[name]);

    return (
        <div class="diffs">
            {changed.map((name) => (
                <section key={name} class="diff">
                    <h3>{NAMES[name]}</h3>
                    <Difference
                        label={`Changes: ${NAMES[name].toLowerCase()}`}
                        before={before[name]}
                        after={after[name]}
                        json={name !== "content" && name !== "messages"}
                        way={way}
                    />
                </section>
            ))}
            {same.length > 0 && (
                <p class="same">
                    <span class="muted">No change in</span>{" "}
                    {same.map((name) => (
                        <Badge key={name}>{NAMES[name].toLowerCase()}</Badge>
                    ))}
                </p>
            )}
        </div>
    );
}

function Difference({
    label,
    before,
    after,
    json,
    way,
}: {
    label: string;
    before: string;
    after: string;
    json: boolean;
    way: DiffWay;
}) {
    const place = useRef<HTMLDivElement>(null);
    const ready = useSignal(false);

    useEffect(() => {
        let hide: (() => void) | undefined;
        let gone = false;

        void import("./diff.ts").then(({ showDiff }) => {
            const host = place.current;

            if (!gone && host !== null) {
                ready.value = true;
                hide = showDiff(host, {
                    label,
                    before,
                    after,
                    language: json ? "json" : "text",
                    way: host.clientWidth < NARROW ? "unified" : way,
                });
            }
        });

        return () => {
            gone = true;
            hide?.();
        };
    }, [label, before, after, json, way]);

    return (
        <>
            {!ready.value && <Skeleton lines={3} />}
            <div class="diff-host" ref={place} />
        </>
    );
}
