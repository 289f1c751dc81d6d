// The console behind its page: its texts, who asks, the schema, and what is
// being run.

import { isolateHistory } from "@codemirror/commands";
import type { EditorView } from "@codemirror/view";
import { effect, signal } from "@preact/signals";
import { updateSchema } from "cm6-graphql";
import {
    buildClientSchema,
    type GraphQLField,
    type GraphQLNamedType,
    type GraphQLSchema,
    getIntrospectionQuery,
    type IntrospectionQuery,
} from "graphql";
import { ApiError, isAbort } from "../data/errors.ts";
import { alsoForget } from "../data/kept.ts";
import { page } from "../data/page.ts";
import { acting } from "../data/project.ts";
import { setText, showFaults } from "../editor/codemirror.ts";
import { type Fault, offsetOf, positionOf } from "../logic/position.ts";
import {
    JsonFault,
    objectFault,
    prettyJson,
    readJson,
} from "../panels/json.ts";
import { documentFaults, tokenEnd } from "./assist.ts";
import { show } from "./code-box.tsx";
import {
    type Answer,
    type AnswerError,
    apiKey,
    listen,
    requestBody,
    send,
} from "./connection.ts";
import type { Place } from "./docs.tsx";
import type { Entry } from "./history.ts";
import { addToHistory, openHistory } from "./history-list.tsx";
import { layOut } from "./layout.ts";
import {
    type Operation,
    operationsOf,
    rootKind,
    sampleOf,
} from "./operation.ts";

export const WELCOME = `# Ctrl-Enter runs, Ctrl-Space completes, F1 explains.

query Welcome {
  me {
    email
    name
  }
  prompts(first: 10) {
    id
    name
    category
    versions(last: 1) {
      version
      createdAt
    }
  }
}
`;

/** ms after the last key */
const CHECK_DELAY = 250;

/** Beyond, laying an answer out takes longer than it helps. */
const LAYOUT_LIMIT = 4_000_000;

/** Texts outlive a reload; they are the tab's alone. */
export const memory = {
    get(name: string): string | null {
        try {
            return sessionStorage.getItem(`prompt-console-${name}`);
        } catch {
            return null;
        }
    },

    set(name: string, text: string): void {
        try {
            sessionStorage.setItem(`prompt-console-${name}`, text);
        } catch {
            // it lasts as long as the page
        }
    },
};

export interface Shown {
    status: number;
    state: "good" | "warn" | "bad";
    ms: number;
    bytes: number;
}

/** Why there is no documentation, and what could be done. */
export interface SchemaNote {
    text: string;
    action: "key" | "again";
}

class ConsoleModel {
    readonly query = signal(memory.get("query") ?? WELCOME);
    readonly variables = signal(memory.get("variables") ?? "");
    readonly queryFault = signal("");
    readonly variablesFault = signal("");
    readonly operations = signal<readonly Operation[]>([]);
    readonly chosen = signal("");
    readonly schema = signal<GraphQLSchema | null>(null);
    readonly schemaNote = signal<SchemaNote | null>(null);
    readonly account = signal<{ id: string; email: string } | null>(null);
    /** the key was refused, by the endpoint */
    readonly refused = signal(false);
    readonly running = signal(false);
    readonly shown = signal<Shown | null>(null);
    readonly answer = signal("");
    readonly errors = signal<readonly AnswerError[]>([]);
    readonly trail = signal<Place[]>([]);

    queryView: EditorView | null = null;
    variablesView: EditorView | null = null;
    answerView: EditorView | null = null;

    #checking: ReturnType<typeof setTimeout> | undefined;
    #running: AbortController | undefined;
    #connection = 0;

    // texts ----------------------------------------------------------------

    setQuery(text: string) {
        this.query.value = text;
        this.#later();
    }

    setVariables(text: string) {
        this.variables.value = text;
        this.#later();
    }

    /** What was typed and answered, which is another account's. */
    forget() {
        this.forgetAnswer();
        show(this.queryView, WELCOME);
        show(this.variablesView, "");
        clearTimeout(this.#checking);
        this.query.value = WELCOME;
        this.variables.value = "";
        this.trail.value = [];
    }

    /** What was answered is of one project, what is typed is not. */
    forgetAnswer() {
        this.stop();
        show(this.answerView, "");
        this.answer.value = "";
        this.shown.value = null;
        this.errors.value = [];
    }

    #later() {
        clearTimeout(this.#checking);
        this.#checking = setTimeout(() => this.check(), CHECK_DELAY);
    }

    /** What is wrong before it is sent. */
    check() {
        const query = this.query.peek();
        const variables = this.variables.peek();
        const fault = variables.trim() === "" ? null : objectFault(variables);

        clearTimeout(this.#checking);
        memory.set("query", query);
        memory.set("variables", variables);
        this.operations.value = operationsOf(query);
        this.#markQuery(documentFaults(query, this.schema.peek()));

        if (this.variablesView) {
            showFaults(
                this.variablesView,
                fault
                    ? [
                          {
                              from: fault.start,
                              to: fault.end,
                              message: fault.message,
                          },
                      ]
                    : [],
            );
        }

        this.variablesFault.value = fault
            ? `Line ${positionOf(variables, fault.start).line}: ${fault.message}`
            : "";
    }

    #markQuery(faults: readonly Fault[]) {
        const [first] = faults;

        if (this.queryView) {
            showFaults(this.queryView, faults);
        }

        this.queryFault.value = first
            ? `Line ${positionOf(this.query.peek(), first.from).line}: ${first.message}`
            : "";
    }

    /** Lays document and variables out anew; what is wrong stays as it is. */
    prettify() {
        const variables = this.variables.peek();

        try {
            if (this.queryView) {
                const pretty = layOut(this.query.peek());

                // a step of its own to undo
                this.queryView.dispatch({
                    annotations: isolateHistory.of("full"),
                });
                setText(this.queryView, pretty);
            }

            if (this.variablesView && variables.trim() !== "") {
                readJson(variables);
                setText(this.variablesView, prettyJson(variables));
            }
        } catch (thrown) {
            // too deep a document is no reason to break, either
            if (
                !(
                    thrown instanceof JsonFault ||
                    thrown instanceof RangeError ||
                    (thrown as Error).name === "GraphQLError"
                )
            ) {
                throw thrown;
            }

            this.check();
        }
    }

    /** The operation to run: the one under the caret, else the chosen one. */
    operation(): Operation | null {
        const all = operationsOf(this.query.peek());
        const view = this.queryView;
        const head = view?.state.selection.main.head ?? 0;
        const under =
            all.length > 1 && view?.hasFocus
                ? all.find((one) => one.start <= head && head <= one.end)
                : undefined;

        if (under?.name) {
            this.chosen.value = under.name;
        }

        return (
            under ??
            all.find((one) => one.name === this.chosen.peek()) ??
            all[0] ??
            null
        );
    }

    /** Its name, where there are others beside it. */
    #operationName(): string | null {
        const operation = this.operation();

        return operationsOf(this.query.peek()).length > 1
            ? (operation?.name ?? null)
            : null;
    }

    body(): string {
        return requestBody(
            this.query.peek(),
            this.variables.peek(),
            this.#operationName(),
        );
    }

    // who asks, and the schema -----------------------------------------------

    /** user: who is signed in; with a key that does not matter. */
    async connect(user: { id: string; email: string } | null): Promise<void> {
        const mine = ++this.#connection;
        const key = apiKey.peek();
        const now = () => mine === this.#connection;

        this.refused.value = false;
        this.schema.value = null;
        this.schemaNote.value = null;
        this.account.value = key === "" ? user : null;

        if (key === "" && user === null) {
            this.schemaNote.value = {
                text: "Documentation and completion come from the endpoint, which needs an API key.",
                action: "key",
            };
            return;
        }

        if (key === "" && user !== null) {
            openHistory(user.id);
        } else {
            await this.#readAccount(key, now);
        }

        if (now()) {
            await this.#readSchema(key, now);
        }
    }

    async #readAccount(key: string, now: () => boolean): Promise<void> {
        try {
            const answer = await send(
                key,
                requestBody("query ConsoleAccount { me { id email } }"),
            );
            const data = answer.json?.data as
                | { me?: { id: string; email: string } }
                | undefined;

            if (!now()) {
                return;
            }

            if (answer.status === 401) {
                this.refused.value = true;
            } else if (data?.me) {
                this.account.value = data.me;
                openHistory(data.me.id);
            }
        } catch {
            // what reads the schema says it
        }
    }

    async #readSchema(key: string, now: () => boolean): Promise<void> {
        let answer: Answer;

        try {
            answer = await send(
                key,
                requestBody(
                    getIntrospectionQuery().replace(
                        "IntrospectionQuery",
                        "ConsoleSchema",
                    ),
                ),
            );
        } catch {
            if (now()) {
                this.schemaNote.value = {
                    text: `${page.graphql} cannot be reached.`,
                    action: "again",
                };
            }

            return;
        }

        if (now()) {
            this.#takeSchema(answer);
        }
    }

    #takeSchema(answer: Answer) {
        const { data, errors } = answer.json ?? {};

        if (answer.status === 401) {
            this.refused.value = true;
            this.schemaNote.value = {
                text: "The endpoint does not accept the key.",
                action: "key",
            };
        } else if (data && "__schema" in (data as object)) {
            try {
                const schema = buildClientSchema(data as IntrospectionQuery);

                this.schema.value = schema;
                this.trail.value = [];

                if (this.queryView) {
                    updateSchema(this.queryView, schema);
                }

                this.check();
            } catch (thrown) {
                this.schemaNote.value = {
                    text: `The schema cannot be read: ${(thrown as Error).message}`,
                    action: "again",
                };
            }
        } else if (errors) {
            this.schemaNote.value = {
                text: `Introspection is off at this endpoint, so there is no documentation and no completion here. Operations run all the same. (${String(errors[0]?.message)})`,
                action: "again",
            };
        } else {
            this.schemaNote.value = {
                text: `${page.graphql} answered with status ${answer.status}, and no GraphQL.`,
                action: "again",
            };
        }
    }

    // running -----------------------------------------------------------------

    stop() {
        this.#running?.abort();
    }

    async run(): Promise<void> {
        if (this.running.peek()) {
            return;
        }

        const variables = this.variables.peek();
        const operation = this.operation();

        if (variables.trim() !== "" && objectFault(variables) !== null) {
            this.check();
            this.variablesView?.focus();
            return;
        }

        const mine = new AbortController();
        const key = apiKey.peek();
        const body = this.body();
        const entry: Entry = {
            query: this.query.peek(),
            variables,
            operation: this.#operationName(),
            time: new Date().toISOString(),
            ok: false,
        };

        this.#running = mine;
        this.running.value = true;

        try {
            const answer =
                operation?.kind === "subscription"
                    ? await listen(
                          key,
                          body,
                          (text) => show(this.answerView, text),
                          mine.signal,
                      )
                    : await send(key, body, mine.signal);

            entry.ok = answer.ok && !answer.json?.errors?.length;
            this.#show(answer, entry.query);
        } catch (thrown) {
            this.#showFailure(
                isAbort(thrown)
                    ? "Stopped. What the endpoint had begun may still be done."
                    : thrown instanceof ApiError && thrown.code !== "OFFLINE"
                      ? thrown.message
                      : `${page.graphql} cannot be reached.`,
            );
        }

        this.#running = undefined;
        this.running.value = false;
        addToHistory(entry);
    }

    #show(answer: Answer, query: string) {
        const errors = answer.json?.errors ?? [];
        const pretty =
            answer.json !== undefined &&
            answer.text.length <= LAYOUT_LIMIT &&
            !answer.text.includes("\n{");

        this.shown.value = {
            status: answer.status,
            state: !answer.ok ? "bad" : errors.length > 0 ? "warn" : "good",
            ms: answer.ms,
            bytes: new Blob([answer.text]).size,
        };
        this.answer.value = pretty ? prettyJson(answer.text) : answer.text;
        show(this.answerView, this.answer.peek());
        this.errors.value = errors.slice(0, 100);

        if (answer.status === 401 && apiKey.peek() !== "") {
            this.refused.value = true;
        }

        if (errors.length > 0 && query === this.query.peek()) {
            this.#markQuery(
                errors.flatMap((error) =>
                    (error.locations ?? []).map((at) => ({
                        ...this.range(at),
                        message: String(error.message),
                    })),
                ),
            );
        }
    }

    #showFailure(text: string) {
        this.shown.value = null;
        this.answer.value = "";
        show(this.answerView, "");
        this.errors.value = [{ message: text }];
    }

    /** What a place of an error is in the document. */
    range({ line, column }: { line: number; column: number }): {
        from: number;
        to: number;
    } {
        const query = this.query.peek();
        const from = offsetOf(query, line, column);

        return { from, to: tokenEnd(query, from) };
    }

    select({ from, to }: { from: number; to: number }) {
        const view = this.queryView;

        if (view) {
            const end = view.state.doc.length;

            view.dispatch({
                selection: {
                    anchor: Math.min(from, end),
                    head: Math.min(to, end),
                },
                scrollIntoView: true,
            });
            view.focus();
        }
    }

    // from the side ---------------------------------------------------------

    /** An operation for a root field, after what is there. */
    use(parent: GraphQLNamedType, field: GraphQLField<unknown, unknown>) {
        const schema = this.schema.peek();
        const kind = schema && rootKind(schema, parent);

        if (!kind) {
            return;
        }

        const sample = sampleOf(kind, field);
        const text = this.query.peek();
        const before =
            text.trim() === "" || text === WELCOME
                ? ""
                : `${text.trimEnd()}\n\n`;

        this.#addVariables(sample.variables);

        if (this.queryView) {
            setText(this.queryView, before + sample.text);
            this.select({ from: before.length, to: before.length });
        }

        this.check();
    }

    #addVariables(wanted: Record<string, unknown>) {
        const text = this.variables.peek();
        let there: Record<string, unknown>;

        try {
            there = text.trim() === "" ? {} : JSON.parse(text);
        } catch {
            return;
        }

        const missing = Object.entries(wanted).filter(
            ([name]) => !(name in there),
        );

        if (missing.length > 0 && this.variablesView) {
            // what is there keeps its digits
            const body = text.trim().replace(/^\{\s*|\s*\}$/g, "");
            const added = missing.map(
                ([name, value]) =>
                    `${JSON.stringify(name)}:${JSON.stringify(value)}`,
            );

            setText(
                this.variablesView,
                prettyJson(`{${[body, ...added].filter(Boolean).join(",")}}`),
            );
        }
    }

    restore(entry: Entry) {
        if (this.variablesView && this.queryView) {
            setText(this.variablesView, entry.variables);
            setText(this.queryView, entry.query);
            this.queryView.focus();
        }

        this.chosen.value = entry.operation ?? "";
        this.check();
    }
}

export const model = new ConsoleModel();

alsoForget(() => model.forget());

let project = acting.peek()?.id;

effect(() => {
    const now = acting.value?.id;

    if (now !== project) {
        project = now;
        model.forgetAnswer();
    }
});
