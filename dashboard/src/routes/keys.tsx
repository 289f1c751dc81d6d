// /settings/keys: the project's API keys; of an editor, their own.

import { useSignal } from "@preact/signals";
import { useCallback, useMemo, useRef } from "preact/hooks";
import { mutate, query } from "../data/client.ts";
import { ApiError } from "../data/errors.ts";
import { money } from "../data/format.ts";
import { graphql, type ResultOf, type VariablesOf } from "../data/graphql.ts";
import { may } from "../data/project.ts";
import { announce, type Changed, useChanges } from "../data/watch.ts";
import { usePages } from "../panels/pages.ts";
import { BudgetFields, stateOf } from "../project/budget.tsx";
import { BudgetDialog } from "../project/budget-dialog.tsx";
import { type MadeRow, underTheirMakers } from "../project/made-by.ts";
import css from "../project/project.sheet.css";
import { useTitle } from "../title.ts";
import { ConfirmDialog } from "../ui/confirm-dialog.tsx";
import { useForm } from "../ui/form.ts";
import { FormDialog } from "../ui/form-dialog.tsx";
import {
    adoptSheet,
    Badge,
    Button,
    Checkbox,
    type Column,
    Empty,
    Note,
    PageHead,
    SelectField,
    Table,
    TextField,
    Time,
    toast,
} from "../ui/index.ts";
import { ShownOnce } from "../ui/shown-once.tsx";

adoptSheet(css);

const ApiKeys = graphql(
    `
    query ApiKeys($first: Int!, $after: ID) {
        apiKeys(first: $first, after: $after) {
            id
            parentId
            createdBy {
                id
                email
                name
            }
            name
            hint
            scopes
            createdAt
            lastUsedAt
            expiresAt
            budgets {
                ...BudgetFields
            }
        }
    }
`,
    [BudgetFields],
);

const CreateApiKey = graphql(`
    mutation CreateApiKey($input: CreateApiKeyInput!) {
        createApiKey(input: $input) {
            key
            apiKey {
                id
            }
        }
    }
`);

const DeleteApiKey = graphql(`
    mutation DeleteApiKey($id: ID!) {
        deleteApiKey(id: $id)
    }
`);

/**
 * The id of a key whose answer, with the only sight of it, was lost: the
 * service makes no second one for the same request, and says which it was.
 */
function lostKey(thrown: unknown): string | undefined {
    return thrown instanceof ApiError && thrown.code === "BAD_USER_INPUT"
        ? /Idempotency-Key was about the key with the id ([0-9a-f-]{36})/.exec(
              thrown.message,
          )?.[1]
        : undefined;
}

/** A key that can be shown: one that nobody has seen is of no use. */
async function createKey(variables: VariablesOf<typeof CreateApiKey>) {
    for (let tries = 1; ; tries++) {
        try {
            return await mutate(CreateApiKey, variables);
        } catch (thrown) {
            const id = lostKey(thrown);

            if (id === undefined || tries > 3) {
                throw thrown;
            }

            await mutate(DeleteApiKey, { id });
        }
    }
}

type Key = ResultOf<typeof ApiKeys>["apiKeys"][number];

type KeyRow = MadeRow<Key>;

const PAGE = 200;

export default function Keys() {
    useTitle("API Keys");

    return may("EDITOR") ? (
        <Loaded />
    ) : (
        <>
            <PageHead title="API Keys" />
            <Note>
                Viewers have no API keys. Ask an admin of this project for the
                role of an editor.
            </Note>
        </>
    );
}

function Loaded() {
    const pages = usePages<Key>(
        "",
        PAGE,
        async (after, signal) =>
            (await query(ApiKeys, { first: PAGE, after }, { signal })).apiKeys,
    );
    const creating = useSignal(false);
    const deleting = useSignal<Key | undefined>(undefined);
    const spending = useSignal<Key | undefined>(undefined);
    const { reload } = pages;
    const latest = useRef(reload);
    const rows = useMemo(() => underTheirMakers(pages.rows), [pages.rows]);

    latest.current = reload;
    useChanges(
        useCallback((changed: Changed) => {
            if (changed === "keys") {
                void latest.current();
            }
        }, []),
    );

    const create = (
        <Button
            kind="primary"
            icon="plus"
            onClick={() => {
                creating.value = true;
            }}
        >
            Create New Key
        </Button>
    );

    return (
        <>
            <PageHead title="API Keys" actions={create}>
                Programs send a key with each request. Delete one, and it is
                refused everywhere at once.
            </PageHead>
            {rows.length === 0 && !pages.loading && !pages.error ? (
                <Empty title="No keys yet" icon="key">
                    Create one for each program that runs prompts, so that you
                    can take it away from one without the others.
                </Empty>
            ) : (
                <Table
                    label="API Keys"
                    columns={columns(
                        (key) => {
                            deleting.value = key;
                        },
                        (key) => {
                            spending.value = key;
                        },
                    )}
                    rows={rows}
                    rowKey={({ key }) => key.id}
                    onMore={pages.more}
                    loading={pages.loading && rows.length === 0}
                    error={pages.error}
                    onRetry={pages.retry}
                />
            )}
            {creating.value && (
                <Create
                    onMade={() => {
                        void reload();
                        announce("keys");
                    }}
                    onClose={() => {
                        creating.value = false;
                    }}
                />
            )}
            {spending.value && (
                <BudgetDialog
                    apiKey={spending.value}
                    onSet={() => void reload()}
                    onClose={() => {
                        spending.value = undefined;
                    }}
                />
            )}
            {deleting.value && (
                <Delete
                    apiKey={deleting.value}
                    onDeleted={() => {
                        announce("keys");
                        return reload();
                    }}
                    onClose={() => {
                        deleting.value = undefined;
                    }}
                />
            )}
        </>
    );
}

const inPeriod = { DAY: "a day", MONTH: "a month", TOTAL: "in all" };

function columns(
    onDelete: (key: Key) => void,
    onBudget: (key: Key) => void,
): readonly Column<KeyRow>[] {
    return [
        {
            name: "Name",
            header: true,
            grow: true,
            cell: ({ key, depth }) => (
                <span
                    class="row-name"
                    style={{ paddingLeft: `${Math.min(depth, 4) * 16}px` }}
                >
                    {depth > 0 && (
                        <span class="muted" title="Made by the key above">
                            ↳{" "}
                        </span>
                    )}
                    {key.name}
                    {key.budgets.map((budget) => (
                        <span
                            key={budget.id}
                            class={`key-budget ${stateOf(budget)}`}
                        >
                            {money(budget.spentUsd)} of {money(budget.limitUsd)}{" "}
                            {inPeriod[budget.per]}
                        </span>
                    ))}
                </span>
            ),
        },
        {
            name: "Made by",
            priority: 2,
            cell: ({ key: { createdBy } }) => (
                <span title={createdBy.email}>
                    {createdBy.name ?? createdBy.email}
                </span>
            ),
        },
        {
            name: "Key",
            cell: ({ key }) => <code class="key-hint">{key.hint}</code>,
        },
        {
            name: "Scopes",
            priority: 3,
            cell: ({ key }) =>
                key.scopes.length === 0 ? (
                    <Badge title="It may do all that you may">all</Badge>
                ) : (
                    <span class="badges">
                        {key.scopes.map((scope) => (
                            <Badge key={scope}>{scope}</Badge>
                        ))}
                    </span>
                ),
        },
        {
            name: "Created",
            priority: 3,
            cell: ({ key }) => (
                <span class="nowrap">
                    <Time iso={key.createdAt} />
                </span>
            ),
        },
        {
            name: "Last used",
            priority: 2,
            cell: ({ key }) =>
                key.lastUsedAt === null ? (
                    <span class="muted">never</span>
                ) : (
                    <span class="nowrap">
                        <Time iso={key.lastUsedAt} />
                    </span>
                ),
        },
        {
            name: "Expires",
            priority: 2,
            cell: ({ key }) =>
                key.expiresAt === null ? (
                    <span class="muted">never</span>
                ) : Date.parse(key.expiresAt) <= Date.now() ? (
                    <Badge kind="bad">expired</Badge>
                ) : (
                    <span class="nowrap">
                        <Time iso={key.expiresAt} />
                    </span>
                ),
        },
        {
            name: "Actions",
            hideName: true,
            cell: ({ key }) => (
                <div class="key-tools">
                    {may("ADMIN") && (
                        <Button
                            small
                            aria-description={key.name}
                            onClick={() => onBudget(key)}
                        >
                            Set budget
                        </Button>
                    )}
                    <Button
                        kind="danger"
                        small
                        aria-description={key.name}
                        onClick={() => onDelete(key)}
                    >
                        Delete
                    </Button>
                </div>
            ),
        },
    ];
}

const scopes = [
    { name: "read", help: "read prompts, versions and executions" },
    { name: "write", help: "create and change prompts, move labels" },
    { name: "execute", help: "run prompts, which costs money" },
    { name: "keys", help: "create and delete API keys" },
    {
        name: "admin",
        help: "members, invitations, budgets, the project itself",
        role: "ADMIN",
    },
    {
        name: "promote",
        help: "move protected labels, together with write",
        role: "ADMIN",
    },
] as const;

/** what no role above EDITOR is needed for */
const usual = scopes.filter((scope) => !("role" in scope));

const lifetimes = [
    { value: "", text: "Never" },
    { value: "7", text: "In 7 days" },
    { value: "30", text: "In 30 days" },
    { value: "90", text: "In 90 days" },
    { value: "365", text: "In a year" },
];

function Create({
    onMade,
    onClose,
}: {
    onMade: () => void;
    onClose: () => void;
}) {
    const name = useSignal("");
    const offered = may("ADMIN") ? scopes : usual;
    const chosen = useSignal<readonly string[]>(usual.map((s) => s.name));
    const days = useSignal("");
    const key = useSignal<string | undefined>(undefined);
    const form = useForm(["name", "scopes"]);

    async function submit() {
        const sound = form.check({
            name:
                name.value.trim() === ""
                    ? "Enter what the key is for."
                    : undefined,
            scopes:
                chosen.value.length === 0 ? "Choose at least one." : undefined,
        });

        if (!sound) {
            return;
        }

        await form.run(async () => {
            const { createApiKey } = await createKey({
                input: {
                    name: name.value.trim(),
                    ...(chosen.value.length < offered.length && {
                        scopes: [...chosen.value],
                    }),
                    ...(days.value !== "" && {
                        expiresAt: new Date(
                            Date.now() + Number(days.value) * 86_400_000,
                        ).toISOString(),
                    }),
                },
            });

            if (createApiKey === null) {
                throw new ApiError({}, 200);
            }

            key.value = createApiKey.key;
            onMade();
        });
    }

    if (key.value !== undefined) {
        return <Made apiKey={key.value} name={name.value} onClose={onClose} />;
    }

    return (
        <FormDialog
            title="Create New Key"
            action="Create"
            form={form}
            onSubmit={submit}
            onClose={onClose}
        >
            <TextField
                label="Name"
                autofocus
                placeholder="billing service, production"
                help="What it is for: a program, a person, a place."
                value={name.value}
                error={form.wrong.name}
                onValue={(value) => {
                    name.value = value;
                    form.clear("name");
                }}
            />
            <fieldset class="stack tight">
                <legend>It may</legend>
                {offered.map((scope, i) => (
                    <Checkbox
                        key={scope.name}
                        label={scope.name}
                        help={scope.help}
                        checked={chosen.value.includes(scope.name)}
                        error={i === 0 ? form.wrong.scopes : undefined}
                        onChecked={(checked) => {
                            chosen.value = checked
                                ? [...chosen.value, scope.name]
                                : chosen.value.filter((s) => s !== scope.name);
                            form.clear();
                        }}
                    />
                ))}
            </fieldset>
            <SelectField
                label="Expires"
                value={days.value}
                choices={lifetimes}
                onValue={(value) => {
                    days.value = value;
                }}
            />
        </FormDialog>
    );
}

function Made({
    apiKey,
    name,
    onClose,
}: {
    apiKey: string;
    name: string;
    onClose: () => void;
}) {
    return (
        <ShownOnce
            title="Your new key"
            text={apiKey}
            warning="Whoever has it can do what it may, in your name."
            onClose={onClose}
        >
            <div>
                <p class="muted small-text">{name}</p>
                <div class="secret">{apiKey}</div>
            </div>
        </ShownOnce>
    );
}

function Delete({
    apiKey,
    onDeleted,
    onClose,
}: {
    apiKey: Key;
    onDeleted: () => Promise<void>;
    onClose: () => void;
}) {
    async function remove() {
        await mutate(DeleteApiKey, { id: apiKey.id });
        toast(`“${apiKey.name}” is deleted and refused everywhere.`, "good");
        // its row goes first: the focus is not to go back there
        await onDeleted();
        onClose();
    }

    return (
        <ConfirmDialog
            title="Delete this key?"
            action="Delete key"
            onConfirm={remove}
            onClose={onClose}
        >
            <p>
                <strong>{apiKey.name}</strong>{" "}
                <code class="code">{apiKey.hint}</code>
            </p>
            <p>
                Every program that uses it is refused from that moment on, and
                so is every key that was made with it. This cannot be taken
                back.
            </p>
        </ConfirmDialog>
    );
}
