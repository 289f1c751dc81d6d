// What a message has beside its text: pictures of a user's, calls of the
// assistant's, and which of them a tool's answers.

import type {
    Beside as Parts,
    TextMessage,
    ToolCall,
} from "../logic/messages.ts";
import type { Fault } from "../logic/position.ts";
import { Button, FieldError, IconButton, TextField } from "../ui/index.ts";
import { useItemFocus } from "../ui/item-focus.ts";
import { CodeField } from "./code-field.tsx";

/** Where in its message a fault is: `content`, `images.0`. */
function placeOf(fault: Fault): string {
    return fault.field?.replace(/^messages\.\d+\.?/, "") ?? "";
}

/** Those of a message's text, and those beside it. */
export function splitFaults(faults: readonly Fault[]) {
    const isOther = (fault: Fault) => /^(images|tool)/.test(placeOf(fault));

    return {
        own: faults.filter((fault) => !isOther(fault)),
        others: faults.filter(isOther),
    };
}

interface Props {
    message: TextMessage;
    faults: readonly Fault[];
    readOnly: boolean;
    onBeside: (parts: Parts) => void;
}

const KNOWN = /^(images\.\d+|toolCalls\.\d+\.(id|name|arguments)|toolCallId)$/;

export function Beside(props: Props) {
    const { message, faults, readOnly, onBeside } = props;
    const rest = faults.find((fault) => !KNOWN.test(placeOf(fault)));

    return (
        <>
            {message.role === "USER" && <Images {...props} />}
            {message.role === "ASSISTANT" && <Calls {...props} />}
            {message.role === "TOOL" && (
                <TextField
                    label="Tool call id"
                    help="Of the call that this answers."
                    value={message.beside?.toolCallId ?? ""}
                    readonly={readOnly}
                    error={wrong(faults, "toolCallId")}
                    onValue={(toolCallId) => onBeside({ toolCallId })}
                />
            )}
            <FieldError error={rest?.message} />
        </>
    );
}

function wrong(faults: readonly Fault[], place: string): string | undefined {
    return faults.find((fault) => placeOf(fault) === place)?.message;
}

function Images({ message, faults, readOnly, onBeside }: Props) {
    const images = message.beside?.images ?? [];
    const focus = useItemFocus();
    const put = (at: number, ...to: string[]) =>
        onBeside({ images: images.toSpliced(at, 1, ...to) });

    return (
        <div class="message-parts" ref={focus.place}>
            {images.map((image, i) => (
                <div class="message-beside" key={i}>
                    <TextField
                        label={`Image ${i + 1}`}
                        placeholder="https://… or {{picture}}"
                        value={image}
                        readonly={readOnly}
                        error={wrong(faults, `images.${i}`)}
                        onValue={(value) => put(i, value)}
                    />
                    {!readOnly && (
                        <IconButton
                            small
                            icon="trash"
                            label={`Remove image ${i + 1}`}
                            onClick={() => {
                                put(i);
                                focus.removed();
                            }}
                        />
                    )}
                </div>
            ))}
            <Add
                what="image"
                readOnly={readOnly}
                onAdd={() => {
                    put(images.length, "");
                    focus.added();
                }}
            />
        </div>
    );
}

function Calls({ message, faults, readOnly, onBeside }: Props) {
    const calls = message.beside?.toolCalls ?? [];
    const focus = useItemFocus();
    const put = (at: number, ...to: ToolCall[]) =>
        onBeside({ toolCalls: calls.toSpliced(at, 1, ...to) });

    return (
        <div class="message-parts" ref={focus.place}>
            {calls.map((call, i) => {
                const field = (label: string, name: "id" | "name") => (
                    <TextField
                        label={label}
                        value={call[name]}
                        readonly={readOnly}
                        error={wrong(faults, `toolCalls.${i}.${name}`)}
                        onValue={(value) => put(i, { ...call, [name]: value })}
                    />
                );

                return (
                    <fieldset
                        class="message-call"
                        key={i}
                        aria-label={`Tool call ${call.name}`.trim()}
                    >
                        <div class="message-beside">
                            <div class="editor-pair">
                                {field("Call id", "id")}
                                {field("Tool name", "name")}
                            </div>
                            {!readOnly && (
                                <IconButton
                                    small
                                    icon="trash"
                                    label={`Remove tool call ${i + 1}`}
                                    onClick={() => {
                                        put(i);
                                        focus.removed();
                                    }}
                                />
                            )}
                        </div>
                        <CodeField
                            label="Arguments"
                            language="json"
                            lines={2}
                            value={call.arguments}
                            readOnly={readOnly}
                            faults={faults.filter(
                                (fault) =>
                                    placeOf(fault) ===
                                    `toolCalls.${i}.arguments`,
                            )}
                            onValue={(text) =>
                                put(i, { ...call, arguments: text })
                            }
                        />
                    </fieldset>
                );
            })}
            <Add
                what="tool call"
                readOnly={readOnly}
                onAdd={() => {
                    put(calls.length, { id: "", name: "", arguments: "{}" });
                    focus.added();
                }}
            />
        </div>
    );
}

function Add({
    what,
    readOnly,
    onAdd,
}: {
    what: string;
    readOnly: boolean;
    onAdd: () => void;
}) {
    return readOnly ? null : (
        <div>
            <Button small icon="plus" onClick={onAdd}>
                Add {what}
            </Button>
        </div>
    );
}
