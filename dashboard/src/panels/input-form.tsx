// The form of a prompt's input.  What is wrong stands at its field.

import { useId } from "preact/hooks";
import {
    Button,
    Checkbox,
    FieldError,
    Field as Frame,
    IconButton,
    SelectField,
    TextArea,
    TextField,
} from "../ui/index.ts";
import { useItemFocus } from "../ui/item-focus.ts";
import type { Field, Scalar } from "./form.ts";
import {
    type Faults,
    itemsAt,
    type Message,
    messagesAt,
    textAt,
    type Value,
    type Values,
} from "./values.ts";

export interface FormProps {
    fields: readonly Field[];
    values: Values;
    faults: Faults;
    onValue: (key: string, value: Value) => void;
}

export function InputForm(props: FormProps) {
    return (
        <div class="stack">
            {props.fields.map((field) => (
                <One key={field.key} {...props} field={field} />
            ))}
        </div>
    );
}

type OneProps = FormProps & { field: Field };

function One(props: OneProps) {
    const { field, values, faults, onValue } = props;
    const common = {
        label: field.label,
        optional: !field.required,
        help: field.help || undefined,
        error: faults[field.key],
    };

    switch (field.kind) {
        case "object":
            return <Group {...props} fields={field.fields} />;

        case "list":
            return <List {...props} item={field.item} />;

        case "messages":
            return <Messages {...props} />;

        case "boolean": {
            const text = textAt(values, field.key) || field.fallback;

            return (
                <Checkbox
                    {...common}
                    checked={text === "true"}
                    onChecked={(on) => onValue(field.key, String(on))}
                />
            );
        }

        case "json":
            return (
                <TextArea
                    {...common}
                    class="mono"
                    spellcheck={false}
                    help={["JSON.", field.help].filter(Boolean).join(" ")}
                    value={textAt(values, field.key)}
                    onValue={(text) => onValue(field.key, text)}
                />
            );

        default:
            return (
                <Control
                    {...common}
                    shape={field}
                    required={field.required}
                    value={textAt(values, field.key)}
                    onValue={(text) => onValue(field.key, text)}
                />
            );
    }
}

interface ControlProps {
    shape: Scalar;
    label: string;
    value: string;
    onValue: (text: string) => void;
    help?: string | undefined;
    error?: string | undefined;
    optional?: boolean;
    required?: boolean;
    hideLabel?: boolean;
}

/** One line, several, a number, a date or a choice. */
function Control({ shape, required, ...props }: ControlProps) {
    switch (shape.kind) {
        case "choice":
            return (
                <SelectField
                    {...props}
                    aria-required={required}
                    choices={[
                        { value: "", text: required ? "Choose…" : "—" },
                        ...shape.choices.map(({ label, json }) => ({
                            value: json,
                            text: label,
                        })),
                    ]}
                />
            );

        case "number":
            // not type=number, which hides what it does not understand
            return (
                <TextField
                    {...props}
                    aria-required={required}
                    inputMode={shape.integer ? "numeric" : "decimal"}
                />
            );

        default:
            return shape.format === "date" ? (
                <DateField {...props} required={required} />
            ) : shape.long ? (
                <TextArea {...props} rows={2} />
            ) : (
                <TextField {...props} />
            );
    }
}

function DateField({
    value,
    onValue,
    required,
    ...props
}: Omit<ControlProps, "shape">) {
    return (
        <Frame {...props}>
            {(described) => (
                <input
                    {...described}
                    type="date"
                    required={required}
                    value={value}
                    onInput={(event) => onValue(event.currentTarget.value)}
                />
            )}
        </Frame>
    );
}

/** A fieldset with what is wrong with it as a whole. */
function FieldSet({
    field,
    error,
    place,
    children,
}: {
    field: Field;
    error: string | undefined;
    /** what holds the children */
    place?: preact.RefObject<HTMLDivElement | null>;
    children: preact.ComponentChildren;
}) {
    const id = useId();

    return (
        <fieldset
            class="input-set"
            aria-describedby={error ? `${id}-error` : undefined}
        >
            <legend>
                {field.label}
                {!field.required && <span class="muted"> optional</span>}
            </legend>
            {field.help && <p class="help">{field.help}</p>}
            <div class="stack" ref={place}>
                {children}
            </div>
            <FieldError id={`${id}-error`} error={error} />
        </fieldset>
    );
}

function Group(props: OneProps) {
    return (
        <FieldSet field={props.field} error={props.faults[props.field.key]}>
            <InputForm {...props} />
        </FieldSet>
    );
}

function List({
    field,
    item,
    values,
    faults,
    onValue,
}: OneProps & { item: Scalar }) {
    const items = itemsAt(values, field.key);
    const change = (list: string[]) => onValue(field.key, list);
    const focus = useItemFocus();

    return (
        <FieldSet field={field} error={faults[field.key]} place={focus.place}>
            {items.map((text, i) => (
                <div key={i} class="input-item">
                    <Control
                        shape={item}
                        label={`${field.label} ${i + 1}`}
                        hideLabel
                        value={text}
                        error={faults[`${field.key}/${i}`]}
                        onValue={(value) => change(items.with(i, value))}
                    />
                    <IconButton
                        icon="trash"
                        label={`Remove ${field.label} ${i + 1}`}
                        onClick={() => {
                            change(items.toSpliced(i, 1));
                            focus.removed();
                        }}
                    />
                </div>
            ))}
            <div>
                <Button
                    small
                    icon="plus"
                    onClick={() => {
                        change([...items, ""]);
                        focus.added();
                    }}
                >
                    Add to {field.label}
                </Button>
            </div>
        </FieldSet>
    );
}

const ROLES = ["user", "assistant", "system"].map((value) => ({
    value,
    text: value.charAt(0).toUpperCase() + value.slice(1),
}));

function Messages({ field, values, faults, onValue }: OneProps) {
    const messages = messagesAt(values, field.key);
    const change = (list: Message[]) => onValue(field.key, list);
    const focus = useItemFocus();
    const set = (i: number, part: Partial<Message>) => {
        const message = messages[i];

        if (message !== undefined) {
            change(messages.with(i, { ...message, ...part }));
        }
    };

    return (
        <FieldSet field={field} error={faults[field.key]} place={focus.place}>
            {messages.length === 0 && (
                <p class="help">
                    No messages stand here: the conversation begins.
                </p>
            )}
            {messages.map((message, i) => (
                <div key={i} class="input-message">
                    <SelectField
                        label={`Role of ${field.label} ${i + 1}`}
                        hideLabel
                        choices={ROLES}
                        value={message.role}
                        onValue={(role) =>
                            set(i, { role: role as Message["role"] })
                        }
                    />
                    <TextArea
                        label={`${field.label} ${i + 1}`}
                        hideLabel
                        rows={2}
                        value={message.content}
                        onValue={(content) => set(i, { content })}
                    />
                    <IconButton
                        icon="trash"
                        label={`Remove ${field.label} ${i + 1}`}
                        onClick={() => {
                            change(messages.toSpliced(i, 1));
                            focus.removed();
                        }}
                    />
                </div>
            ))}
            <div>
                <Button
                    small
                    icon="plus"
                    onClick={() => {
                        change([
                            ...messages,
                            {
                                role:
                                    messages.at(-1)?.role === "user"
                                        ? "assistant"
                                        : "user",
                                content: "",
                            },
                        ]);
                        focus.added();
                    }}
                >
                    Add to {field.label}
                </Button>
            </div>
        </FieldSet>
    );
}

/** All of the input as JSON. */
export function JsonInput({
    value,
    onValue,
    error,
}: {
    value: string;
    onValue: (text: string) => void;
    error: string | undefined;
}) {
    return (
        <Frame label="Input (JSON)" error={error}>
            {(described) => (
                <textarea
                    {...described}
                    class="mono input-json"
                    rows={12}
                    spellcheck={false}
                    autocapitalize="off"
                    value={value}
                    onInput={(event) => onValue(event.currentTarget.value)}
                />
            )}
        </Frame>
    );
}
