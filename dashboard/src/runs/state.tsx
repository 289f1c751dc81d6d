// How a run stands, in words.

import { Badge } from "../ui/index.ts";
import type { RunData } from "./queries.ts";

const STATES = {
    READY: ["plain", "paused", "It goes on when somebody watches it"],
    RUNNING: ["accent", "running", "Its executions are being made"],
    DONE: ["good", "done", "All of its executions are made"],
    CANCELLED: ["warn", "cancelled", "What was left was not done"],
    OVER_COST: ["bad", "over cost", "Its cost cap does not allow for more"],
} as const;

export function RunState({ state }: { state: RunData["state"] }) {
    const [kind, text, about] = STATES[state];

    return (
        <Badge kind={kind} title={about}>
            {text}
        </Badge>
    );
}
