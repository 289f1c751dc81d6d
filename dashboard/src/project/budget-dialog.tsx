// The dialog "Set budget", of the project or of one of its keys.

import { useSignal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { mutate } from "../data/client.ts";
import { graphql } from "../data/graphql.ts";
import { useQuery } from "../data/query.ts";
import { useAction } from "../ui/action.ts";
import {
    Button,
    type Choice,
    Dialog,
    ErrorNote,
    focusFirstError,
    SelectField,
    TextField,
    toast,
} from "../ui/index.ts";
import { type Budget, perTexts } from "./budget.tsx";
import { limitError, warnError } from "./limit.ts";

const KeyNames = graphql(`
    query KeyNames {
        apiKeys(first: 1000) {
            id
            name
            hint
        }
    }
`);

const SetBudget = graphql(`
    mutation SetBudget(
        $keyId: ID
        $limitUsd: String!
        $per: BudgetPeriod!
        $warnAtPercent: Int
    ) {
        setBudget(
            keyId: $keyId
            limitUsd: $limitUsd
            per: $per
            warnAtPercent: $warnAtPercent
        ) {
            id
        }
    }
`);

const periods = Object.entries(perTexts).map(([value, text]) => ({
    value,
    text,
}));

export function BudgetDialog({
    apiKey,
    onSet,
    onClose,
}: {
    /** of which one it is, unless another is chosen */
    apiKey?: { id: string; name: string };
    onSet: () => void;
    onClose: () => void;
}) {
    const keys = useQuery(KeyNames, {});
    const of = useSignal(apiKey?.id ?? "");
    const limit = useSignal("");
    const per = useSignal<Budget["per"]>("MONTH");
    const warn = useSignal("");
    const wrong = useSignal<Record<string, string | undefined>>({});
    const body = useRef<HTMLDivElement>(null);
    const action = useAction((error) => {
        if (error.field !== "limitUsd" && error.field !== "warnAtPercent") {
            return false;
        }

        wrong.value = { [error.field]: error.message };
        focusFirstError(body.current);
        return true;
    });
    const known = keys.data.value?.apiKeys ?? (apiKey ? [apiKey] : []);
    const choices: readonly Choice[] = [
        { value: "", text: "Project" },
        ...known.map(({ id, name }) => ({ value: id, text: name })),
    ];

    async function set() {
        wrong.value = {
            limitUsd: limitError(limit.value),
            warnAtPercent: warnError(warn.value),
        };

        if (wrong.value.limitUsd || wrong.value.warnAtPercent) {
            focusFirstError(body.current);
            return;
        }

        const done = await action.run(() =>
            mutate(SetBudget, {
                keyId: of.value || null,
                limitUsd: limit.value.trim(),
                per: per.value,
                warnAtPercent: warn.value === "" ? null : Number(warn.value),
            }),
        );

        if (done) {
            toast("The budget is set.", "good");
            onSet();
            onClose();
        }
    }

    return (
        <Dialog
            title="Set budget"
            onClose={onClose}
            onSubmit={() => void set()}
            actions={
                <>
                    <Button onClick={onClose}>Cancel</Button>
                    <Button kind="primary" type="submit" busy={action.busy}>
                        Set
                    </Button>
                </>
            }
        >
            {action.error && <ErrorNote error={action.error} />}
            {keys.error.value && <ErrorNote error={keys.error.value} />}
            <div class="stack" ref={body}>
                <SelectField
                    label="Of"
                    value={of.value}
                    choices={choices}
                    help="A call with a key counts towards its budget and the project's."
                    onValue={(value) => {
                        of.value = value;
                    }}
                />
                <TextField
                    label="Limit (USD)"
                    autofocus
                    inputMode="decimal"
                    placeholder="25.00"
                    value={limit.value}
                    error={wrong.value.limitUsd}
                    onValue={(value) => {
                        limit.value = value;
                        wrong.value = { ...wrong.value, limitUsd: undefined };
                    }}
                />
                <SelectField
                    label="Per"
                    value={per.value}
                    choices={periods}
                    help="Days and months are those of UTC; a total never resets. It replaces an earlier budget of the same."
                    onValue={(value) => {
                        per.value = value as Budget["per"];
                    }}
                />
                <TextField
                    label="Warn at (%)"
                    type="number"
                    optional
                    min={1}
                    max={100}
                    step={1}
                    value={warn.value}
                    error={wrong.value.warnAtPercent}
                    onValue={(value) => {
                        warn.value = value;
                        wrong.value = {
                            ...wrong.value,
                            warnAtPercent: undefined,
                        };
                    }}
                />
            </div>
        </Dialog>
    );
}
