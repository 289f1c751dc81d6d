// The page of the console: two editors, the answer, and at the side the
// documentation or what was run before.

import { useComputed, useSignal } from "@preact/signals";
import { updateSchema } from "cm6-graphql";
import { useEffect, useMemo } from "preact/hooks";
import { number } from "../data/format.ts";
import { page } from "../data/page.ts";
import { session, sessionError } from "../data/session.ts";
import { json } from "../editor/codemirror.ts";
import { curlCommand } from "../panels/snippets.ts";
import { useTitle } from "../title.ts";
import {
    adoptSheet,
    Badge,
    Button,
    CopyButton,
    Empty,
    IconButton,
    SelectField,
} from "../ui/index.ts";
import { CodeBox } from "./code-box.tsx";
import { apiKey } from "./connection.ts";
import css from "./console.sheet.css";
import { Docs, Keyboard, placeOf } from "./docs.tsx";
import { graphqlExtensions, variablesExtensions } from "./extensions.ts";
import { HistoryList } from "./history-list.tsx";
import { KeyDialog } from "./key-dialog.tsx";
import { memory, model } from "./model.ts";
import { Splitter } from "./splitter.tsx";

adoptSheet(css);

type Side = "docs" | "history" | null;

/** alone: prompt_console serves it, perhaps without a session. */
export default function ConsolePage({ alone }: { alone?: boolean }) {
    const asking = useSignal(false);
    const side = useSignal<Side>(null);
    const user = session.value?.user ?? null;
    const key = apiKey.value;
    const known =
        session.value !== undefined || sessionError.value !== undefined;
    const nobody = known && user === null && key === "";

    useTitle("Console");

    useEffect(() => {
        if (known || key !== "") {
            void model.connect(user);
        }
    }, [key, known, user?.id]);

    // without anybody to ask as, the first thing is a key
    useEffect(() => {
        if (alone && nobody) {
            asking.value = true;
        }
    }, [alone, nobody, asking]);

    const run = () => {
        if (nobody) {
            asking.value = true;
        } else {
            void model.run();
        }
    };

    return (
        // biome-ignore lint/a11y/noStaticElementInteractions: keys of its parts
        <div
            class="console"
            onKeyDown={(event) => {
                if (event.shiftKey && event.altKey && event.code === "KeyF") {
                    event.preventDefault();
                    model.prettify();
                } else if (
                    (event.ctrlKey || event.metaKey) &&
                    event.key === "Enter" &&
                    !event.defaultPrevented
                ) {
                    event.preventDefault();
                    run();
                }
            }}
        >
            <Bar
                side={side.value}
                onSide={(which) => {
                    side.value = side.value === which ? null : which;
                }}
                onRun={run}
                onKey={() => {
                    asking.value = true;
                }}
            />
            <div
                class={`console-work${side.value === null ? "" : " with-side"}`}
            >
                <Panes
                    onRun={run}
                    onExplain={(field, type, parent) => {
                        const schema = model.schema.peek();
                        const place =
                            schema && placeOf(schema, field, type, parent);

                        side.value = "docs";

                        if (place) {
                            model.trail.value = [...model.trail.peek(), place];
                        }
                    }}
                />
                {side.value !== null && (
                    <SidePane
                        side={side.value}
                        onClose={() => {
                            side.value = null;
                            model.queryView?.focus();
                        }}
                        onKey={() => {
                            asking.value = true;
                        }}
                        onAgain={() => void model.connect(user)}
                    />
                )}
            </div>
            {asking.value && (
                <KeyDialog
                    email={user?.email ?? null}
                    onClose={() => {
                        asking.value = false;
                    }}
                />
            )}
        </div>
    );
}

function Bar({
    side,
    onSide,
    onRun,
    onKey,
}: {
    side: Side;
    onSide: (side: "docs" | "history") => void;
    onRun: () => void;
    onKey: () => void;
}) {
    const running = model.running.value;
    const named = model.operations.value.filter((one) => one.name !== null);
    const account = model.account.value;
    const who = model.refused.value
        ? "Key refused"
        : account
          ? `${apiKey.value === "" ? "Session" : "API key"}: ${account.email}`
          : "API key";

    return (
        <div class="console-bar">
            <h1 class="visually-hidden" tabIndex={-1}>
                Console
            </h1>
            <Button
                kind={running ? "danger" : "primary"}
                icon={running ? "stop" : "play"}
                title="Ctrl-Enter"
                onClick={() => (running ? model.stop() : onRun())}
            >
                {running ? "Stop" : "Run"}
            </Button>
            {named.length > 1 && (
                <SelectField
                    label="Operation"
                    hideLabel
                    choices={named.map(({ name }) => ({
                        value: name ?? "",
                        text: name ?? "",
                    }))}
                    value={model.chosen.value}
                    onValue={(name) => {
                        model.chosen.value = name;
                    }}
                />
            )}
            <Button
                kind="quiet"
                title="Shift-Alt-F"
                onClick={() => model.prettify()}
            >
                Prettify
            </Button>
            <CopyButton
                kind="quiet"
                label="Copy as curl"
                text={() =>
                    curlCommand(
                        new URL(page.graphql, location.href).href,
                        model.body(),
                    )
                }
            />
            <span class="gap" />
            <code class="muted small-text" title="Where requests go">
                {page.graphql}
            </code>
            <Button
                aria-expanded={side === "history"}
                onClick={() => onSide("history")}
            >
                History
            </Button>
            <Button
                aria-expanded={side === "docs"}
                onClick={() => onSide("docs")}
            >
                Documentation
            </Button>
            <Button icon="key" aria-haspopup="dialog" onClick={onKey}>
                {who}
            </Button>
        </div>
    );
}

function Panes({
    onRun,
    onExplain,
}: {
    onRun: () => void;
    onExplain: (field?: string, type?: string, parent?: string) => void;
}) {
    const left = useSignal(Number(memory.get("left") ?? 50));
    const top = useSignal(Number(memory.get("top") ?? 66));
    const extensions = useMemo(
        () => ({
            query: graphqlExtensions(() => model.schema.peek(), onExplain),
            variables: variablesExtensions(
                () => model.schema.peek(),
                () => model.query.peek(),
            ),
        }),
        [],
    );
    const columns = `minmax(0, ${left.value}fr) auto minmax(0, ${100 - left.value}fr)`;

    return (
        <div
            class="console-panes"
            style={{
                "--columns": columns,
                "--query-height": `calc(var(--tall) * ${top.value / 100})`,
                "--variables-height": `calc(var(--tall) * ${(100 - top.value) / 100} - 62px)`,
                "--answer-height": "var(--tall)",
            }}
        >
            <div class="console-request">
                <section class="console-pane query" aria-label="Request">
                    <h2>Query</h2>
                    <CodeBox
                        label="Query"
                        text={model.query.peek()}
                        extensions={extensions.query}
                        onText={(text) => model.setQuery(text)}
                        onRun={onRun}
                        onView={(view) => {
                            const schema = model.schema.peek();

                            model.queryView = view;

                            if (view && schema) {
                                updateSchema(view, schema);
                            }
                        }}
                    />
                    <p class="console-status" role="status">
                        {model.queryFault.value}
                    </p>
                </section>
                <Splitter
                    label="Height of the query"
                    value={top.value}
                    onValue={(value) => {
                        top.value = value;
                        memory.set("top", String(value));
                    }}
                />
                <section
                    class="console-pane variables"
                    aria-label="Variables of the request"
                >
                    <h2>
                        Variables <span class="muted">JSON</span>
                    </h2>
                    <CodeBox
                        label="Variables"
                        text={model.variables.peek()}
                        extensions={extensions.variables}
                        onText={(text) => model.setVariables(text)}
                        onRun={onRun}
                        onView={(view) => {
                            model.variablesView = view;

                            if (view) {
                                model.check();
                            }
                        }}
                    />
                    <p class="console-status" role="status">
                        {model.variablesFault.value}
                    </p>
                </section>
            </div>
            <Splitter
                vertical
                label="Width of the request"
                value={left.value}
                onValue={(value) => {
                    left.value = value;
                    memory.set("left", String(value));
                }}
            />
            <AnswerPane onRun={onRun} />
        </div>
    );
}

function sizeText(bytes: number): string {
    return bytes < 1024
        ? `${bytes} B`
        : `${number(Math.round(bytes / 102.4) / 10)} KB`;
}

function timeText(ms: number): string {
    return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(2)} s`;
}

function AnswerPane({ onRun }: { onRun: () => void }) {
    const shown = model.shown.value;
    const text = useComputed(() => model.answer.value);

    return (
        <section
            class="console-pane answer"
            aria-label="Answer"
            aria-busy={model.running.value}
        >
            <div class="answer-head">
                <h2>Answer</h2>
                <div class="badges" role="status">
                    {shown && (
                        <>
                            <Badge kind={shown.state}>{shown.status}</Badge>
                            <Badge>{timeText(shown.ms)}</Badge>
                            <Badge>{sizeText(shown.bytes)}</Badge>
                        </>
                    )}
                </div>
                <span class="grow" />
                {shown && (
                    <CopyButton
                        small
                        kind="quiet"
                        label="Copy answer"
                        text={() => text.value}
                    />
                )}
            </div>
            <Errors />
            <CodeBox
                label="Answer"
                text={model.answer.peek()}
                extensions={json}
                readOnly
                onRun={onRun}
                onView={(view) => {
                    model.answerView = view;
                }}
            />
        </section>
    );
}

/** What the answer says went wrong, and where. */
function Errors() {
    const errors = model.errors.value;

    if (errors.length === 0) {
        return null;
    }

    return (
        <ul class="answer-errors" aria-label="Errors" aria-live="polite">
            {errors.map((error, i) => (
                <li key={`${i} ${String(error.message)}`}>
                    {typeof error.extensions?.code === "string" && (
                        <code class="code">{error.extensions.code}</code>
                    )}{" "}
                    {String(error.message)}{" "}
                    {Array.isArray(error.path) && (
                        <code class="muted">{error.path.join(".")}</code>
                    )}{" "}
                    {(error.locations ?? []).map((at) => (
                        <button
                            key={`${at.line}:${at.column}`}
                            type="button"
                            class="docs-link"
                            title="Show it in the document"
                            onClick={() => model.select(model.range(at))}
                        >
                            line {at.line}, column {at.column}
                        </button>
                    ))}
                </li>
            ))}
        </ul>
    );
}

function SidePane({
    side,
    onClose,
    onKey,
    onAgain,
}: {
    side: "docs" | "history";
    onClose: () => void;
    onKey: () => void;
    onAgain: () => void;
}) {
    const name = side === "docs" ? "Documentation" : "History";
    const schema = model.schema.value;
    const note = model.schemaNote.value;

    return (
        <aside
            class="console-side card"
            aria-label={name}
            onKeyDown={(event) => {
                if (event.key === "Escape") {
                    event.preventDefault();
                    onClose();
                }
            }}
        >
            <div class="row apart">
                <h2>{name}</h2>
                <IconButton
                    small
                    icon="close"
                    label={`Close ${name.toLowerCase()}`}
                    onClick={onClose}
                />
            </div>
            {side === "history" ? (
                <HistoryList onUse={(entry) => model.restore(entry)} />
            ) : schema ? (
                <Docs
                    schema={schema}
                    trail={model.trail.value}
                    onTrail={(trail) => {
                        model.trail.value = trail;
                    }}
                    onUse={(parent, field) => model.use(parent, field)}
                />
            ) : note ? (
                <>
                    <Empty
                        title="No documentation"
                        icon="info"
                        action={
                            <Button
                                kind="primary"
                                onClick={
                                    note.action === "key" ? onKey : onAgain
                                }
                            >
                                {note.action === "key"
                                    ? "Enter a key"
                                    : "Try again"}
                            </Button>
                        }
                    >
                        {note.text}
                    </Empty>
                    <Keyboard />
                </>
            ) : (
                <p class="muted">Reading the schema…</p>
            )}
        </aside>
    );
}
