// A run of a prompt, and what is typed for it: kept beside the page, so that
// both outlive a change of the tab and a sign-in.

import { effect, type Signal, signal } from "@preact/signals";
import { type ApiError, isAbort, toApiError } from "../data/errors.ts";
import { graphql, type ResultOf, type VariablesOf } from "../data/graphql.ts";
import { alsoForget, isOurs } from "../data/kept.ts";
import { RawJson } from "../data/raw.ts";
import { session, signedOut } from "../data/session.ts";
import { subscribe } from "../data/stream.ts";
import { LATEST, pickArguments, pickOf } from "./pick.ts";
import type { Faults, Values } from "./values.ts";

const RunEvent = graphql(`
    fragment RunEvent on ExecutionEvent {
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
`);

const RunPrompt = graphql(
    `
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
            ...RunEvent
        }
    }
`,
    [RunEvent],
);

const RunDraft = graphql(
    `
    subscription RunDraft($promptId: ID!, $draft: DraftInput!, $input: JSON!) {
        executeDraftStream(promptId: $promptId, draft: $draft, input: $input) {
            ...RunEvent
        }
    }
`,
    [RunEvent],
);

type Event = ResultOf<typeof RunEvent>;
type Draft = VariablesOf<typeof RunDraft>["draft"];

export type Result = NonNullable<Event["result"]>;

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

    /** Runs what its pick names. */
    start(promptId: string, input: string, more: More = {}): Promise<void> {
        return this.#follow((signal) =>
            subscribe(
                RunPrompt,
                {
                    promptId,
                    input: new RawJson(input),
                    ...pickArguments(pickOf(this.pick.peek())),
                    ...more,
                },
                { signal },
            ),
        );
    }

    /** Runs what is not saved. */
    startDraft(promptId: string, draft: Draft, input: string): Promise<void> {
        return this.#follow((signal) =>
            subscribe(
                RunDraft,
                { promptId, draft, input: new RawJson(input) },
                { signal },
            ),
        );
    }

    async #follow(
        begin: (signal: AbortSignal) => AsyncIterable<Record<string, Event>>,
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
            for await (const root of begin(mine.signal)) {
                if (this.#abort !== mine) {
                    return;
                }

                for (const event of Object.values(root)) {
                    if (event.delta != null) {
                        this.#say(event.delta);
                    }

                    if (event.result != null) {
                        this.#text = event.result.output;
                        this.result.value = event.result;
                    }
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

const PREFIX = "prompt.input.";

/** What was typed as an input, which outlives the page. */
interface Typed {
    values: Values;
    json: string | null;
}

function readTyped(place: string): Typed {
    try {
        const { values, json } = JSON.parse(
            localStorage.getItem(place) ?? "{}",
        ) as Partial<Typed>;

        return {
            values: typeof values === "object" && values ? values : {},
            json: typeof json === "string" ? json : null,
        };
    } catch {
        return { values: {}, json: null };
    }
}

function keepTyped(place: string, typed: Typed): void {
    if (signedOut.peek() || !isOurs()) {
        return;
    }

    try {
        if (typed.json === null && Object.keys(typed.values).length === 0) {
            localStorage.removeItem(place);
        } else {
            localStorage.setItem(place, JSON.stringify(typed));
        }
    } catch {
        // it lasts as long as the page
    }
}

export class RunState {
    readonly values: Signal<Values>;
    /** the whole input as JSON, where it is edited so; null: by the form */
    readonly json: Signal<string | null>;
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
    /** of what is not saved */
    readonly draft = new Run("");
    /** the playground is to be shown, as somebody asked for it elsewhere */
    playgroundWanted = false;
    readonly forget: () => void;

    constructor(promptId: string) {
        const place = PREFIX + promptId;
        const { values, json } = readTyped(place);

        this.values = signal(values);
        this.json = signal(json);
        this.forget = effect(() =>
            keepTyped(place, {
                values: this.values.value,
                json: this.json.value,
            }),
        );
    }
}

const states = new Map<string, RunState>();

alsoForget(() => {
    for (const state of states.values()) {
        state.forget();
    }

    states.clear();
});

/** Of a prompt, for who is signed in. */
export function runStateOf(promptId: string): RunState {
    const key = `${session.peek()?.user.id ?? ""} ${promptId}`;
    let state = states.get(key);

    if (state === undefined) {
        state = new RunState(promptId);
        states.set(key, state);
    }

    return state;
}
