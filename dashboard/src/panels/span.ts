// The period up to now.

import { useMemo } from "preact/hooks";
import { type Period, type Span, spanOf } from "./period.ts";

/** The same until another one is chosen. */
export function useSpan(period: Period): Span {
    return useMemo(() => spanOf(period, Date.now()), [period]);
}
