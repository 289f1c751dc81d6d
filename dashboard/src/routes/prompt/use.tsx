// The tab "Use it": how a program runs this prompt.

import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { meta, page } from "../../data/page.ts";
import type { PromptTabProps } from "../../data/prompt.ts";
import { exampleOf } from "../../panels/example.ts";
import { formOf } from "../../panels/form.ts";
import { LATEST, pickChoices, pickOf } from "../../panels/pick.ts";
import {
    PROTOCOLS,
    type Protocol,
    protocolSnippet,
} from "../../panels/protocols.ts";
import {
    type Call,
    LANGUAGES,
    type Language,
    snippet,
} from "../../panels/snippets.ts";
import css from "../../panels/use.sheet.css";
import { usePicked } from "../../panels/version.ts";
import { pathTo } from "../../paths.ts";
import {
    adoptSheet,
    CopyButton,
    Empty,
    ErrorNote,
    SelectField,
    Skeleton,
} from "../../ui/index.ts";

adoptSheet(css);

const OPENAI = meta("openai", "/openai/v1/");
const MCP = meta("mcp", "/mcp");

const whole = (uri: string) => new URL(uri, location.href).href;

const ABOUT: Record<Language | Protocol, string> = {
    curl: "In a shell. What comes back is JSON.",
    JavaScript:
        "Node.js 18 or later, as a script or a module; nothing to install.",
    Python: "Python 3, its standard library alone.",
    promptctl:
        "The command that comes with this service. It prints the output.",
    "openai (Node.js)": "OpenAI's library, as a module: npm install openai.",
    "openai (Python)": "OpenAI's library: pip install openai.",
    "AI SDK":
        "A module: npm install ai @ai-sdk/openai-compatible. Streams and tools work, too.",
    MCP: "The configuration of a client: prompts to choose from, and as tools those that have an input schema. The key needs the scopes read and execute.",
    LiteLLM:
        "For the proxy's config.yaml. Its second part needs the scope read, too.",
};

export default function UseTab(props: PromptTabProps) {
    const latest = props.prompt.value.versions.at(-1)?.version ?? 0;

    return latest === 0 ? (
        <Empty title="There is nothing to call yet" icon="code">
            A program can call a prompt once it has a version.
        </Empty>
    ) : (
        <Loaded {...props} latest={latest} />
    );
}

function Loaded({
    promptId,
    prompt,
    mine,
    latest,
}: PromptTabProps & { latest: number }) {
    const { labels, name } = prompt.value;
    const label = labels.find((one) => one.label === "production") ?? labels[0];
    const chosen = useSignal(label ? `label ${label.label}` : LATEST);
    const { version, error, reload } = usePicked(
        promptId,
        chosen.value,
        latest,
    );
    const input = useMemo(
        () =>
            version &&
            exampleOf(
                formOf(version.inputSchema?.text ?? null, [
                    ...version.messages,
                    { content: version.content },
                ]),
            ),
        [version],
    );

    return (
        <div class="stack loose">
            <div class="use-head">
                <div class="stack tight">
                    <p>
                        The key is taken from the environment, as{" "}
                        <code class="code">PROMPT_API_KEY</code>: make one under{" "}
                        <a href={pathTo("keys")}>API Keys</a>, limited to the
                        scope <code class="code">execute</code> (promptctl reads
                        the prompt, too: add <code class="code">read</code>).
                    </p>
                    <p class="muted">
                        By a label, a program gets whatever version the label
                        stands at when it calls: moving the label is enough to
                        put another version live.
                    </p>
                </div>
                <SelectField
                    label="Version or label"
                    choices={pickChoices(latest, labels)}
                    value={chosen.value}
                    onValue={(value) => {
                        chosen.value = value;
                    }}
                />
            </div>
            {error && <ErrorNote error={error} onRetry={reload} />}
            {input === undefined ? (
                !error && <Skeleton lines={8} />
            ) : (
                <Snippets
                    call={{
                        endpoint: whole(page.graphql),
                        promptId,
                        ...(mine ? { name } : {}),
                        pick: pickOf(chosen.value),
                        input,
                    }}
                />
            )}
        </div>
    );
}

function Snippets({ call }: { call: Call }) {
    return (
        <>
            {LANGUAGES.map((language) => (
                <Snippet
                    key={language}
                    language={language}
                    text={snippet(language, call)}
                />
            ))}
            <p class="muted">
                As OpenAI's API and as an MCP server: at{" "}
                <code class="code">{OPENAI}</code> and{" "}
                <code class="code">{MCP}</code>, where nginx.conf has{" "}
                <code class="code">prompt_openai</code> and{" "}
                <code class="code">prompt_mcp</code>.
            </p>
            {PROTOCOLS.map((protocol) => (
                <Snippet
                    key={protocol}
                    language={protocol}
                    text={protocolSnippet(protocol, {
                        ...call,
                        openai: whole(OPENAI),
                        mcp: whole(MCP),
                    })}
                />
            ))}
        </>
    );
}

function Snippet({
    language,
    text,
}: {
    language: Language | Protocol;
    text: string;
}) {
    return (
        <section class="snippet" aria-label={language}>
            <div class="snippet-head">
                <div>
                    <h2>{language}</h2>
                    <p class="muted small-text">{ABOUT[language]}</p>
                </div>
                <CopyButton small text={text} />
            </div>
            <pre
                class="pre"
                // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
                tabIndex={0}
            >
                {text}
            </pre>
        </section>
    );
}
