// Invitations: made, shown once as a link, withdrawn.

import { useSignal } from "@preact/signals";
import { mutate } from "../data/client.ts";
import { graphql, type ResultOf } from "../data/graphql.ts";
import type { Role } from "../data/project.ts";
import { useQuery } from "../data/query.ts";
import { pathTo } from "../paths.ts";
import { refocus, useAction } from "../ui/action.ts";
import { useForm } from "../ui/form.ts";
import { FormDialog } from "../ui/form-dialog.tsx";
import {
    Button,
    type Column,
    ErrorNote,
    SelectField,
    Table,
    TextField,
    Time,
    toast,
} from "../ui/index.ts";
import { ShownOnce } from "../ui/shown-once.tsx";
import { choicesOf, roleHelp, rolesGivenBy, roleTexts } from "./role.ts";
import type { ProjectData } from "./settings.ts";

const OpenInvitations = graphql(`
    query OpenInvitations {
        project {
            invitations {
                id
                email
                role
                createdAt
                expiresAt
                invitedBy {
                    email
                    name
                }
            }
        }
    }
`);

const InviteMember = graphql(`
    mutation InviteMember($email: String!, $role: ProjectRole!) {
        inviteMember(email: $email, role: $role) {
            token
            invitation {
                expiresAt
            }
        }
    }
`);

const RemoveInvitation = graphql(`
    mutation RemoveInvitation($id: ID!) {
        removeInvitation(id: $id)
    }
`);

type Invitation = ResultOf<
    typeof OpenInvitations
>["project"]["invitations"][number];

const none: readonly Invitation[] = [];

export function Invitations({ project }: { project: ProjectData }) {
    const inviting = useSignal(false);
    const action = useAction();
    const { data, error, loading, reload } = useQuery(OpenInvitations, {});
    const rows = data.value?.project.invitations ?? none;

    async function withdraw({ id, email }: Invitation) {
        if (await action.run(() => mutate(RemoveInvitation, { id }))) {
            toast(`The invitation of ${email} is withdrawn.`, "good");
        }

        await reload();
        refocus();
    }

    return (
        <section class="stack tight" aria-labelledby="invitations">
            <div class="row apart">
                <h2 id="invitations">Invitations</h2>
                <Button
                    icon="plus"
                    onClick={() => {
                        inviting.value = true;
                    }}
                >
                    Invite
                </Button>
            </div>
            {action.error && <ErrorNote error={action.error} />}
            {data.value && rows.length === 0 ? (
                <p class="muted">
                    None is open. Invite somebody: they get in by a link that
                    you give them.
                </p>
            ) : (
                <Table
                    label="Invitations"
                    columns={columnsOf((one) => void withdraw(one))}
                    rows={rows}
                    rowKey={(one) => one.id}
                    loading={loading.value && !data.value}
                    error={error.value}
                    onRetry={() => void reload()}
                />
            )}
            {inviting.value && (
                <Invite
                    project={project}
                    onMade={() => void reload()}
                    onClose={() => {
                        inviting.value = false;
                    }}
                />
            )}
        </section>
    );
}

function columnsOf(
    onWithdraw: (invitation: Invitation) => void,
): readonly Column<Invitation>[] {
    return [
        {
            name: "Email",
            header: true,
            grow: true,
            cell: ({ email }) => <span class="row-name">{email}</span>,
        },
        { name: "Role", cell: ({ role }) => roleTexts[role] },
        {
            name: "Invited by",
            priority: 2,
            cell: ({ invitedBy }) => invitedBy.name ?? invitedBy.email,
        },
        {
            name: "Expires",
            priority: 1,
            cell: ({ expiresAt }) => (
                <span class="nowrap">
                    <Time iso={expiresAt} />
                </span>
            ),
        },
        {
            name: "Withdraw an invitation",
            hideName: true,
            cell: (one) => (
                <Button
                    kind="danger"
                    small
                    aria-description={one.email}
                    onClick={() => onWithdraw(one)}
                >
                    Withdraw
                </Button>
            ),
        },
    ];
}

function Invite({
    project,
    onMade,
    onClose,
}: {
    project: ProjectData;
    onMade: () => void;
    onClose: () => void;
}) {
    const email = useSignal("");
    const role = useSignal<Role>("EDITOR");
    const link = useSignal<string | undefined>(undefined);
    const form = useForm(["email"]);

    async function invite() {
        const given = email.value.trim();

        const sound = form.check({
            email: /^[^\s@]+@[^\s@]+$/.test(given)
                ? undefined
                : "Enter an e-mail address.",
        });

        if (!sound) {
            return;
        }

        await form.run(async () => {
            const { inviteMember } = await mutate(InviteMember, {
                email: given,
                role: role.value,
            });

            if (inviteMember) {
                link.value = `${location.origin}${pathTo("invitation")}#${inviteMember.token}`;
                onMade();
            }
        });
    }

    if (link.value !== undefined) {
        return (
            <ShownOnce
                title="Invitation link"
                text={link.value}
                warning={
                    <>
                        Give it to {email.value} alone; it works once, for seven
                        days.
                    </>
                }
                onClose={onClose}
            >
                <TextField
                    label="Invitation link"
                    readonly
                    value={link.value}
                    onValue={() => undefined}
                />
            </ShownOnce>
        );
    }

    return (
        <FormDialog
            title="Invite"
            action="Create link"
            form={form}
            onSubmit={invite}
            onClose={onClose}
        >
            <TextField
                label="Email"
                type="email"
                autofocus
                help="No mail is sent: you get a link to give them. An account is made where they have none."
                value={email.value}
                error={form.wrong.email}
                onValue={(value) => {
                    email.value = value;
                    form.clear("email");
                }}
            />
            <SelectField
                label="Role"
                value={role.value}
                choices={choicesOf(rolesGivenBy(project.role))}
                help={roleHelp}
                onValue={(value) => {
                    role.value = value as Role;
                }}
            />
        </FormDialog>
    );
}
