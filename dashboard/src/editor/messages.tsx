// The messages before a version's content: roles, texts, places for a history,
// their order; what stands beside a text is in beside.tsx.

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import {
    isHistory,
    type Message,
    moved,
    newKey,
    ROLES,
    type Role,
    type TextMessage,
} from "../logic/messages.ts";
import type { Fault } from "../logic/position.ts";
import {
    Button,
    FieldError,
    IconButton,
    Note,
    SelectField,
    TextField,
} from "../ui/index.ts";
import { Beside, splitFaults } from "./beside.tsx";
import { CodeField } from "./code-field.tsx";
import type { Model } from "./model.ts";

const HISTORY = "HISTORY";
const CHOICES = [
    ...ROLES.map(({ value, name }) => ({ value, text: name })),
    { value: HISTORY, text: "History" },
];

/** What was taken out, and where it stood. */
type Removed = { index: number; message: Message };

export function Messages({
    model,
    readOnly,
}: {
    model: Model;
    readOnly: boolean;
}) {
    const { messages } = model;
    const list = useRef<HTMLOListElement>(null);
    const add = useRef<HTMLDivElement>(null);
    const removed = useSignal<Removed | undefined>(undefined);

    function change(key: number, to: Message) {
        messages.value = messages.value.map((message) =>
            message.key === key ? to : message,
        );
    }

    /** Moving a button takes the focus off it: it is given back. */
    function focusLater(selector: string) {
        requestAnimationFrame(() => {
            (
                list.current?.querySelector<HTMLElement>(selector) ??
                add.current?.querySelector<HTMLElement>("button")
            )?.focus();
        });
    }

    function move(index: number, by: -1 | 1) {
        const key = messages.value[index]?.key;

        messages.value = moved(messages.value, index, by);
        focusLater(`[data-key="${key}"] [data-move="${by}"]`);
    }

    function remove(index: number) {
        const message = messages.value[index];

        if (message === undefined) {
            return;
        }

        const next = messages.value[index + 1] ?? messages.value[index - 1];

        removed.value = { index, message };
        messages.value = messages.value.filter((one) => one !== message);
        focusLater(`[data-key="${next?.key}"] select`);
    }

    function undo({ index, message }: Removed) {
        messages.value = messages.value.toSpliced(index, 0, message);
        removed.value = undefined;
        focusLater(`[data-key="${message.key}"] select`);
    }

    function append() {
        const key = newKey();
        const role = messages.value.length === 0 ? "SYSTEM" : "USER";

        messages.value = [...messages.value, { key, role, content: "" }];
        removed.value = undefined;
        focusLater(`[data-key="${key}"] select`);
    }

    return (
        <section class="editor-part" aria-label="Messages">
            <div class="editor-part-head">
                <h2>Messages</h2>
                {!readOnly && (
                    <div ref={add}>
                        <Button small icon="plus" onClick={append}>
                            Add message
                        </Button>
                    </div>
                )}
            </div>
            {messages.value.length > 0 && (
                <ol class="messages" ref={list}>
                    {messages.value.map((message, index) => (
                        <One
                            key={message.key}
                            {...{ model, message, index, readOnly, change }}
                            faults={
                                model.messagesWrong.value.get(message.key) ?? []
                            }
                            last={index === messages.value.length - 1}
                            onMove={(by) => move(index, by)}
                            onRemove={() => remove(index)}
                        />
                    ))}
                </ol>
            )}
            {removed.value && (
                <Note
                    action={
                        <Button
                            small
                            onClick={() => removed.value && undo(removed.value)}
                        >
                            Undo
                        </Button>
                    }
                >
                    Message {removed.value.index + 1} was removed.
                </Note>
            )}
            <FieldError error={model.listWrong.value ?? undefined} />
        </section>
    );
}

function One({
    model,
    message,
    index,
    faults,
    readOnly,
    last,
    change,
    onMove,
    onRemove,
}: {
    model: Model;
    message: Message;
    index: number;
    faults: readonly Fault[];
    readOnly: boolean;
    last: boolean;
    change: (key: number, to: Message) => void;
    onMove: (by: -1 | 1) => void;
    onRemove: () => void;
}) {
    const role = isHistory(message) ? HISTORY : message.role;
    const spoken = CHOICES.find(({ value }) => value === role)?.text ?? role;
    /** what was typed before it became a history */
    const text = useRef<TextMessage | undefined>(undefined);
    const { own, others } = splitFaults(faults);

    function choose(next: string) {
        const { key } = message;

        if (!isHistory(message)) {
            text.current = message;
        }

        change(
            key,
            next === HISTORY
                ? { key, placeholder: "history" }
                : { content: "", ...text.current, key, role: next as Role },
        );
    }

    return (
        <li class={`message ${role.toLowerCase()}`} data-key={message.key}>
            <fieldset
                class="message-parts"
                aria-label={`Message ${index + 1}: ${spoken}`}
            >
                <div class="message-head">
                    <span class="message-number" aria-hidden="true">
                        {index + 1}
                    </span>
                    <SelectField
                        label="Role"
                        hideLabel
                        choices={CHOICES}
                        value={role}
                        disabled={readOnly}
                        onValue={choose}
                    />
                    {!readOnly && (
                        <div class="message-tools">
                            <IconButton
                                small
                                icon="up"
                                label="Move up"
                                data-move="-1"
                                aria-disabled={index === 0 ? "true" : undefined}
                                onClick={() => onMove(-1)}
                            />
                            <IconButton
                                small
                                icon="down"
                                label="Move down"
                                data-move="1"
                                aria-disabled={last ? "true" : undefined}
                                onClick={() => onMove(1)}
                            />
                            <IconButton
                                small
                                icon="trash"
                                label="Remove"
                                onClick={onRemove}
                            />
                        </div>
                    )}
                </div>
                {isHistory(message) ? (
                    <TextField
                        label="Placeholder"
                        help="The member of the input that holds the history: a list of messages in the form of OpenAI's chat completions. Absent means none."
                        value={message.placeholder}
                        readonly={readOnly}
                        error={faults[0]?.message}
                        onValue={(placeholder) =>
                            change(message.key, {
                                key: message.key,
                                placeholder,
                            })
                        }
                    />
                ) : (
                    <CodeField
                        label={`Message ${index + 1}`}
                        hideLabel
                        language="template"
                        lines={2}
                        name={`message:${message.key}`}
                        value={message.content}
                        readOnly={readOnly}
                        faults={own}
                        offers={model.offers.value}
                        onValue={(content) =>
                            change(message.key, { ...message, content })
                        }
                    />
                )}
                {!isHistory(message) && (
                    <Beside
                        {...{ message, readOnly }}
                        faults={others}
                        onBeside={(beside) =>
                            change(message.key, {
                                ...message,
                                beside: { ...message.beside, ...beside },
                            })
                        }
                    />
                )}
            </fieldset>
        </li>
    );
}
