// Tools that a model may call, a form each.

import { fieldFault, isWritable } from "../logic/params.ts";
import {
    addTool,
    readChoice,
    readTools,
    removeTool,
    type Tool,
    type ToolPart,
    writeChoice,
    writeTool,
} from "../logic/tools.ts";
import { Button, IconButton, SelectField, TextField } from "../ui/index.ts";
import { useItemFocus } from "../ui/item-focus.ts";
import { CodeField } from "./code-field.tsx";
import type { Model } from "./model.ts";

const WORDS = ["auto", "none", "required"];
const PLACE = /^tools\.(\d+)\.parameters$/;

export function Tools({
    model,
    readOnly,
}: {
    model: Model;
    readOnly: boolean;
}) {
    const text = model.params.value;
    const tools = readTools(text);
    const writable = isWritable(text);
    const focus = useItemFocus();

    function remove(index: number) {
        model.params.value = removeTool(text, index);
        // what was typed for those behind it moves up
        model.pending.value = Object.fromEntries(
            Object.entries(model.pending.value).flatMap(([field, typed]) => {
                const at = Number(PLACE.exec(field)?.[1] ?? -1);

                return at === index
                    ? []
                    : [
                          [
                              at > index ? `tools.${at - 1}.parameters` : field,
                              typed,
                          ],
                      ];
            }),
        );
        focus.removed();
    }

    return (
        <section class="editor-part" aria-label="Tools">
            <div class="editor-part-head">
                <h2>Tools</h2>
            </div>
            <div class="editor-part" ref={focus.place}>
                {tools.map((tool, i) =>
                    tool === null ? (
                        <p key={i} class="muted small-text">
                            Tool {i + 1} is no function: see the parameters as
                            JSON.
                        </p>
                    ) : (
                        <One
                            key={i}
                            {...{ model, tool, readOnly }}
                            index={i}
                            onRemove={() => remove(i)}
                        />
                    ),
                )}
                {!readOnly && (
                    <div>
                        <Button
                            small
                            icon="plus"
                            disabled={!writable}
                            onClick={() => {
                                model.params.value = addTool(text);
                                focus.added("fieldset:last-of-type input");
                            }}
                        >
                            Add tool
                        </Button>
                    </div>
                )}
            </div>
            {tools.length > 0 && (
                <Choice {...{ model, readOnly }} tools={tools} />
            )}
        </section>
    );
}

function One({
    model,
    tool,
    index,
    readOnly,
    onRemove,
}: {
    model: Model;
    tool: Tool;
    index: number;
    readOnly: boolean;
    onRemove: () => void;
}) {
    const place = `tools.${index}.parameters`;
    const pending = model.pending.value[place];
    const write = (part: ToolPart, typed: string) => {
        model.params.value = writeTool(model.params.peek(), index, part, typed);
    };
    const wrong = (part: string) =>
        model.paramsWrong.value.find(({ field }) =>
            field?.startsWith(`params.tools.${index}.function.${part}`),
        )?.message;
    const fault = pending === undefined ? null : fieldFault(place, pending);
    const said = fault ?? wrong("parameters");

    return (
        <fieldset class="message-call" aria-label={`Tool ${tool.name}`.trim()}>
            <div class="message-beside">
                <TextField
                    label="Tool name"
                    spellcheck={false}
                    value={tool.name}
                    readonly={readOnly}
                    error={wrong("name")}
                    onValue={(typed) => write("name", typed)}
                />
                {!readOnly && (
                    <IconButton
                        small
                        icon="trash"
                        label="Remove tool"
                        onClick={onRemove}
                    />
                )}
            </div>
            <TextField
                label="Tool description"
                value={tool.description}
                readonly={readOnly}
                error={wrong("description")}
                onValue={(typed) => write("description", typed)}
            />
            <CodeField
                label="Tool parameters"
                language="json"
                lines={2}
                value={pending ?? tool.parameters}
                readOnly={readOnly}
                faults={
                    said === undefined
                        ? []
                        : [{ from: 0, to: 0, message: said }]
                }
                onValue={(typed) => {
                    const { [place]: _, ...others } = model.pending.peek();
                    const bad = fieldFault(place, typed) !== null;

                    model.pending.value = bad
                        ? { ...others, [place]: typed }
                        : others;

                    if (!bad) {
                        write("parameters", typed.trim());
                    }
                }}
            />
        </fieldset>
    );
}

function Choice({
    model,
    readOnly,
    tools,
}: {
    model: Model;
    readOnly: boolean;
    tools: readonly (Tool | null)[];
}) {
    const choice = readChoice(model.params.value);
    const names = tools.flatMap((tool) => (tool?.name ? [tool.name] : []));
    const known = ["", ...WORDS, ...names.map((name) => `=${name}`)];

    return (
        <SelectField
            label="Tool choice"
            choices={[
                { value: "", text: "Default" },
                ...WORDS.map((value) => ({ value, text: value })),
                ...names.map((name) => ({ value: `=${name}`, text: name })),
                ...(choice === null || known.includes(choice)
                    ? []
                    : [{ value: choice, text: choice.replace(/^=/, "") }]),
                ...(choice === null
                    ? [{ value: "?", text: "As in the JSON" }]
                    : []),
            ]}
            value={choice ?? "?"}
            disabled={readOnly || choice === null}
            error={
                model.paramsWrong.value.find(({ field }) =>
                    field?.startsWith("params.tool_choice"),
                )?.message
            }
            onValue={(value) => {
                model.params.value = writeChoice(model.params.peek(), value);
            }}
        />
    );
}
