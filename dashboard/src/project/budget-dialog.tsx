// The dialog "Set budget", of the project or of one of its keys.

import { useSignal } from "@preact/signals";
import { mutate } from "../data/client.ts";
import { graphql } from "../data/graphql.ts";
import { useQuery } from "../data/query.ts";
import { useForm } from "../ui/form.ts";
import { FormDialog } from "../ui/form-dialog.tsx";
import {
    type Choice,
    ErrorNote,
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
    const form = useForm(["limitUsd", "warnAtPercent"]);
    const known = keys.data.value?.apiKeys ?? (apiKey ? [apiKey] : []);
    const choices: readonly Choice[] = [
        { value: "", text: "Project" },
        ...known.map(({ id, name }) => ({ value: id, text: name })),
    ];

    async function set() {
        const sound = form.check({
            limitUsd: limitError(limit.value),
            warnAtPercent: warnError(warn.value),
        });

        if (!sound) {
            return;
        }

        const done = await form.run(() =>
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
        <FormDialog
            title="Set budget"
            action="Set"
            form={form}
            onSubmit={set}
            onClose={onClose}
        >
            {keys.error.value && <ErrorNote error={keys.error.value} />}
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
                error={form.wrong.limitUsd}
                onValue={(value) => {
                    limit.value = value;
                    form.clear("limitUsd");
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
                error={form.wrong.warnAtPercent}
                onValue={(value) => {
                    warn.value = value;
                    form.clear("warnAtPercent");
                }}
            />
        </FormDialog>
    );
}
