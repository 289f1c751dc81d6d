// A run of a prompt, and what is typed for it: kept beside the page, so that
// both outlive a change of the tab and a sign-in.

import { type Signal, signal } from "@preact/signals";
import { type ApiError, isAbort, toApiError } from "../data/errors.ts";
import { graphql, type ResultOf } from "../data/graphql.ts";
import { RawJson } from "../data/raw.ts";
import { session } from "../data/session.ts";
import { subscribe } from "../data/stream.ts";
import { LATEST, pickArguments, pickOf } from "./pick.ts";
import type { Faults, Values } from "./values.ts";

const RunPrompt = graphql(`
    subscription RunPrompt(
        $promptId: ID!
        $input: JSON!
        $version: Int
        $label: String
        $subject: String
        $metadata: JSON
        $overrides: JSON
    ) {
        executePromptStream(
            promptId: $promptId
            input: $input
            version: $version
            label: $label
            subject: $subject
            metadata: $metadata
            overrides: $overrides
        ) {
            delta
            result {
                latencyMs
                tokenIn
                tokenCached
                tokenCacheWrite
                tokenOut
                tokenReasoning
                costUsd
                executionId
                versionUsed
                model
                finishReason
                output
                outputJson
                outputErrors
                toolCalls {
                    id
                    name
                    arguments
                }
            }
        }
    }
`);

export type Result = NonNullable<
    ResultOf<typeof RunPrompt>["executePromptStream"]["result"]
>;

export type Phase = "idle" | "running" | "done" | "failed" | "stopped";

/** What can be given beside the input. */
export interface More {
    subject?: string;
    metadata?: RawJson;
    overrides?: RawJson;
}

/** One of the two that can stand beside each other. */
export class Run {
    /** a choice of pickChoices() */
    readonly pick: Signal<string>;
    readonly phase = signal<Phase>("idle");
    readonly output = signal("");
    readonly result = signal<Result | null>(null);
    readonly error = signal<ApiError | null>(null);

    #abort: AbortController | undefined;
    #text = "";
    #timer: ReturnType<typeof setTimeout> | undefined;

    constructor(pick: string) {
        this.pick = signal(pick);
    }

    /** A long text is drawn less often: each drawing costs its length. */
    #say(delta: string) {
        this.#text += delta;
        this.#timer ??= setTimeout(
            () => this.#show(),
            30 + this.#text.length / 2000,
        );
    }

    #show() {
        clearTimeout(this.#timer);
        this.#timer = undefined;
        this.output.value = this.#text;
    }

    #end(phase: Phase) {
        this.#show();
        this.#abort = undefined;
        this.phase.value = phase;
    }

    async start(
        promptId: string,
        input: string,
        more: More = {},
    ): Promise<void> {
        this.stop();

        const mine = new AbortController();

        this.#abort = mine;
        this.#text = "";
        this.#show();
        this.result.value = null;
        this.error.value = null;
        this.phase.value = "running";

        try {
            const events = subscribe(
                RunPrompt,
                {
                    promptId,
                    input: new RawJson(input),
                    ...pickArguments(pickOf(this.pick.peek())),
                    ...more,
                },
                { signal: mine.signal },
            );

            for await (const { executePromptStream: event } of events) {
                if (this.#abort !== mine) {
                    return;
                }

                if (event.delta != null) {
                    this.#say(event.delta);
                }

                if (event.result != null) {
                    this.#text = event.result.output;
                    this.result.value = event.result;
                }
            }

            this.#end("done");
        } catch (thrown) {
            if (this.#abort !== mine) {
                return;
            }

            if (isAbort(thrown) || mine.signal.aborted) {
                this.#end("stopped");
            } else {
                this.error.value = toApiError(thrown);
                this.#end("failed");
            }
        }
    }

    stop() {
        this.#abort?.abort();
    }
}

export class RunState {
    readonly values = signal<Values>({});
    /** the whole input as JSON, where it is edited so; null: by the form */
    readonly json = signal<string | null>(null);
    readonly faults = signal<Faults>({});
    /** as typed; of metadata and overrides, JSON */
    readonly more = signal<Record<keyof More, string>>({
        subject: "",
        metadata: "",
        overrides: "",
    });
    readonly moreFaults = signal<Partial<Record<keyof More, string>>>({});
    readonly first = new Run(LATEST);
    /** "" in its pick: there is none */
    readonly second = new Run("");
}

const states = new Map<string, RunState>();

/** Of a prompt, for who is signed in. */
export function runStateOf(promptId: string): RunState {
    const key = `${session.peek()?.user.id ?? ""} ${promptId}`;
    let state = states.get(key);

    if (state === undefined) {
        state = new RunState();
        states.set(key, state);
    }

    return state;
}
