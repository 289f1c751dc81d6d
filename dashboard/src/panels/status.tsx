// How an execution ended.

import { Badge } from "../ui/index.ts";

const KINDS: Record<string, "good" | "bad" | "warn" | "accent"> = {
    succeeded: "good",
    failed: "bad",
    lost: "bad",
    cancelled: "warn",
    running: "accent",
    refused: "bad",
};

const ABOUT: Record<string, string> = {
    succeeded: "The model answered",
    failed: "It ended in an error",
    lost: "The server stopped in the middle of it",
    cancelled: "Its caller left, and it was stopped",
    running: "It is still running",
    refused: "Nothing was asked",
};

export function Status({ status }: { status: string }) {
    return (
        <Badge kind={KINDS[status] ?? "warn"} title={ABOUT[status] ?? status}>
            {status}
        </Badge>
    );
}
