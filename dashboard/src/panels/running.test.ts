import { afterEach, describe, expect, test, vi } from "vitest";
import { Run, runStateOf } from "./running.ts";

const RESULT = {
    latencyMs: 5,
    tokenIn: 1,
    tokenOut: 2,
    costUsd: "0.1",
    executionId: "id",
    versionUsed: 3,
    model: "m",
    finishReason: "stop",
    output: "Hello there",
    toolCalls: null,
};

const next = (data: unknown) =>
    `event: next\ndata: ${JSON.stringify(data)}\n\n`;
const event = (delta: string | null, result: unknown = null) =>
    next({ data: { executePromptStream: { delta, result } } });

/** Answers each request with these pieces; the last null: it stays open. */
function answering(pieces: (string | null)[], status = 200) {
    const asked: { body: string; signal: AbortSignal }[] = [];

    vi.stubGlobal("fetch", async (_: string, init: RequestInit) => {
        const signal = init.signal as AbortSignal;

        asked.push({ body: String(init.body), signal });

        const body = new ReadableStream({
            start(controller) {
                const encoder = new TextEncoder();

                signal.addEventListener("abort", () =>
                    controller.error(signal.reason),
                );

                for (const piece of pieces) {
                    if (piece === null) {
                        return;
                    }

                    controller.enqueue(encoder.encode(piece));
                }

                controller.close();
            },
        });

        return new Response(body, {
            status,
            headers: { "Content-Type": "text/event-stream" },
        });
    });

    return asked;
}

afterEach(() => {
    vi.unstubAllGlobals();
});

describe("a run", () => {
    test("by its deltas, then whole", async () => {
        const asked = answering([
            event("Hello "),
            event("there"),
            event(null, RESULT),
            "event: complete\ndata:\n\n",
        ]);
        const run = new Run("label production");

        await run.start("p", '{"n":9007199254740993}');
        expect(run.phase.value).toBe("done");
        expect(run.output.value).toBe("Hello there");
        expect(run.result.value).toEqual(RESULT);
        expect(asked[0]?.body).toContain('"input":{"n":9007199254740993}');
        expect(asked[0]?.body).toContain('"label":"production"');
        expect(asked[0]?.body).not.toContain('"version":');
    });

    test("that fails keeps what was said", async () => {
        answering([
            event("Hel"),
            next({
                errors: [
                    {
                        message: "Timed out.",
                        extensions: {
                            code: "INTERNAL_SERVER_ERROR",
                            executionId: "id",
                        },
                    },
                ],
            }),
        ]);

        const run = new Run("version 2");

        await run.start("p", "{}");
        expect(run.phase.value).toBe("failed");
        expect(run.output.value).toBe("Hel");
        expect(run.error.value?.extensions.executionId).toBe("id");
        expect(run.result.value).toBeNull();
    });

    test("that breaks off", async () => {
        answering([event("Hel")]);

        const run = new Run("latest");

        await run.start("p", "{}");
        expect(run.phase.value).toBe("failed");
        expect(run.error.value?.message).toContain("broke off");
    });

    test("that is stopped", async () => {
        const asked = answering([event("Hel"), null]);
        const run = new Run("latest");
        const running = run.start("p", "{}");

        await vi.waitFor(() => expect(run.output.value).toBe("Hel"));
        expect(run.phase.value).toBe("running");
        run.stop();
        await running;
        expect(run.phase.value).toBe("stopped");
        expect(run.output.value).toBe("Hel");
        expect(asked[0]?.signal.aborted).toBe(true);
    });

    test("that is followed by another", async () => {
        answering([event("old"), null]);

        const run = new Run("latest");
        const first = run.start("p", "{}");

        await vi.waitFor(() => expect(run.output.value).toBe("old"));
        answering([event(null, RESULT), "event: complete\ndata:\n\n"]);
        await Promise.all([first, run.start("p", "{}")]);
        expect(run.phase.value).toBe("done");
        expect(run.output.value).toBe("Hello there");
    });
});

test("what was typed is a prompt's", () => {
    const state = runStateOf("one");

    state.values.value = { "/text": "typed" };
    expect(runStateOf("one").values.value).toEqual({ "/text": "typed" });
    expect(runStateOf("two").values.value).toEqual({});
});
