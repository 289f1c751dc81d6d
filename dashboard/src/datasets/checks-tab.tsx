// The tab "Checks": what is wanted of outputs.

import { type Signal, useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { mutate } from "../data/client.ts";
import { type ApiError, toApiError } from "../data/errors.ts";
import { may } from "../data/project.ts";
import { usePromptChoices } from "../executions/prompts.ts";
import {
    Button,
    ErrorNote,
    focusFirstError,
    IconButton,
    SelectField,
    TextField,
    toast,
} from "../ui/index.ts";
import { useItemFocus } from "../ui/item-focus.ts";
import { JsonArea, jsonFault } from "../ui/json-area.tsx";
import {
    type Check,
    type CheckType,
    faultsOf,
    isJson,
    type Member,
    membersOf,
    readChecks,
    typeChoices,
    writeChecks,
} from "./checks.ts";
import { type Dataset, UpdateDataset } from "./queries.ts";

const LABELS: Record<Member, { label: string; help?: string }> = {
    value: {
        label: "Value",
        help: "Empty: what the item has as expected.",
    },
    path: {
        label: "Path",
        help: "A member of the output, such as answer.0.text; empty: all of it.",
    },
    pattern: { label: "Pattern" },
    schema: { label: "Schema" },
    usd: { label: "US dollars" },
    ms: { label: "Milliseconds" },
    promptId: { label: "Prompt" },
    label: { label: "Label", help: "Empty: its latest version." },
};

/** What is typed; another tab does not lose it. */
export function useChecks(dataset: Dataset): Signal<readonly Check[]> {
    return useSignal<readonly Check[]>(readChecks(dataset.checks.text));
}

export function Checks({
    dataset,
    checks,
    changed,
}: {
    dataset: Dataset;
    checks: Signal<readonly Check[]>;
    changed: () => Promise<void>;
}) {
    const mine = may("EDITOR");
    const faults = useSignal<Record<string, string>>({});
    const error = useSignal<ApiError | undefined>(undefined);
    const busy = useSignal(false);
    const form = useRef<HTMLFormElement>(null);
    const { place, removed } = useItemFocus();

    function put(at: number, change: Partial<Check>) {
        checks.value = checks.value.map((one, i) =>
            i === at ? { ...one, ...change } : one,
        );
        faults.value = {};
    }

    async function save() {
        if (busy.value) {
            return;
        }

        error.value = undefined;
        faults.value = faultsOf(checks.value, jsonFault);

        if (Object.keys(faults.value).length > 0) {
            focusFirstError(form.current);
            return;
        }

        busy.value = true;

        try {
            await mutate(UpdateDataset, {
                id: dataset.id,
                checks: writeChecks(checks.value),
            });
            toast("The checks are saved.", "good");
            await changed();
        } catch (thrown) {
            const failure = toApiError(thrown);
            const [, which] =
                /^checks\.(\d+\.\w+)/.exec(failure.field ?? "") ?? [];

            if (which === undefined) {
                error.value = failure;
            } else {
                faults.value = { [which]: failure.message };
                focusFirstError(form.current);
            }
        } finally {
            busy.value = false;
        }
    }

    return (
        <form
            class="stack"
            ref={form}
            noValidate
            onSubmit={(event) => {
                event.preventDefault();
                void save();
            }}
        >
            <p class="muted">
                Each check gives an output a score of 1 or 0, in runs on this
                dataset.
            </p>
            {error.value && <ErrorNote error={error.value} />}
            <fieldset class="checks stack" disabled={!mine}>
                <div class="stack" ref={place}>
                    {checks.value.map((check, at) => (
                        <CheckFields
                            // its place is all that tells it from the others
                            key={at}
                            {...{ check, at }}
                            faults={faults.value}
                            onChange={(change) => put(at, change)}
                            onRemove={() => {
                                checks.value = checks.value.filter(
                                    (_, i) => i !== at,
                                );
                                faults.value = {};
                                removed();
                            }}
                        />
                    ))}
                    {mine && (
                        <div class="row">
                            <Button
                                icon="plus"
                                onClick={() => {
                                    checks.value = [
                                        ...checks.value,
                                        {
                                            name: "",
                                            type: "contains",
                                            members: {},
                                        },
                                    ];
                                    requestAnimationFrame(() =>
                                        [
                                            ...(form.current?.querySelectorAll<HTMLElement>(
                                                ".check-fields",
                                            ) ?? []),
                                        ]
                                            .at(-1)
                                            ?.querySelector("input")
                                            ?.focus(),
                                    );
                                }}
                            >
                                Add check
                            </Button>
                            <Button
                                kind="primary"
                                type="submit"
                                busy={busy.value}
                            >
                                Save checks
                            </Button>
                        </div>
                    )}
                </div>
            </fieldset>
        </form>
    );
}

function CheckFields({
    check,
    at,
    faults,
    onChange,
    onRemove,
}: {
    check: Check;
    at: number;
    faults: Record<string, string>;
    onChange: (change: Partial<Check>) => void;
    onRemove: () => void;
}) {
    const put = (member: Member, text: string) =>
        onChange({ members: { ...check.members, [member]: text } });

    return (
        <fieldset class="check-fields" aria-label={`Check ${at + 1}`}>
            <TextField
                label="Name"
                value={check.name}
                maxlength={64}
                error={faults[`${at}.name`]}
                onValue={(name) => onChange({ name })}
            />
            <SelectField
                label="Type"
                choices={typeChoices}
                value={check.type}
                error={faults[`${at}.type`]}
                onValue={(type) => onChange({ type: type as CheckType })}
            />
            {membersOf(check.type).map(({ member, must }) => (
                <MemberField
                    key={member}
                    type={check.type}
                    {...{ member, must }}
                    value={check.members[member] ?? ""}
                    error={faults[`${at}.${member}`]}
                    onValue={(text) => put(member, text)}
                />
            ))}
            <IconButton
                label={`Remove check ${at + 1}`}
                icon="trash"
                onClick={onRemove}
            />
        </fieldset>
    );
}

function MemberField({
    type,
    member,
    must,
    ...rest
}: {
    type: CheckType;
    member: Member;
    must: boolean;
    value: string;
    error: string | undefined;
    onValue: (text: string) => void;
}) {
    const common = { ...LABELS[member], optional: !must, ...rest };

    if (member === "promptId") {
        return <PromptField {...common} />;
    }

    return isJson(type, member) ? (
        <JsonArea {...common} />
    ) : (
        <TextField
            {...common}
            inputMode={
                member === "ms"
                    ? "numeric"
                    : member === "usd"
                      ? "decimal"
                      : "text"
            }
        />
    );
}

function PromptField(props: {
    label: string;
    value: string;
    error: string | undefined;
    onValue: (text: string) => void;
}) {
    const prompts = usePromptChoices();
    const known = prompts.some(({ value }) => value === props.value);

    return (
        <SelectField
            {...props}
            help="With an output schema of score and comment; it is given input, output and expected."
            choices={[
                { value: "", text: "Choose a prompt" },
                ...(known || props.value === ""
                    ? []
                    : [{ value: props.value, text: props.value }]),
                ...prompts,
            ]}
        />
    );
}
