import { duration } from "../data/format.ts";

export function latencyText(ms: number | null): string {
    return ms === null ? "–" : duration(ms);
}
