// The table "Members": who is one, as what, and no more.

import { useSignal } from "@preact/signals";
import { useLocation } from "preact-iso/router";
import { mutate, query } from "../data/client.ts";
import { graphql, type ResultOf } from "../data/graphql.ts";
import { actIn, doubt, type Role } from "../data/project.ts";
import { session } from "../data/session.ts";
import { usePages } from "../panels/pages.ts";
import { pathTo } from "../paths.ts";
import { refocus, useAction } from "../ui/action.ts";
import {
    Badge,
    Button,
    type Column,
    Dialog,
    ErrorNote,
    SelectField,
    Table,
    Time,
    toast,
} from "../ui/index.ts";
import { choicesOf, roleHelp, rolesGivenBy, roleTexts } from "./role.ts";
import type { ProjectData } from "./settings.ts";

const ProjectMembers = graphql(`
    query ProjectMembers($first: Int!, $after: ID) {
        project {
            members(first: $first, after: $after) {
                user {
                    id
                    email
                    name
                }
                role
                since
            }
        }
    }
`);

const SetMemberRole = graphql(`
    mutation SetMemberRole($userId: ID!, $role: ProjectRole!) {
        setMemberRole(userId: $userId, role: $role) {
            role
        }
    }
`);

const RemoveMember = graphql(`
    mutation RemoveMember($userId: ID!) {
        removeMember(userId: $userId)
    }
`);

type Member = ResultOf<typeof ProjectMembers>["project"]["members"][number] & {
    id: string;
};

const PAGE = 100;

export function Members({ project }: { project: ProjectData }) {
    const { route } = useLocation();
    const me = session.value?.user.id;
    const leaving = useSignal(false);
    const action = useAction();
    const pages = usePages<Member>("", PAGE, async (after, signal) =>
        (
            await query(ProjectMembers, { first: PAGE, after }, { signal })
        ).project.members.map((member) => ({ ...member, id: member.user.id })),
    );

    async function setRole({ user }: Member, role: Role) {
        const done = await action.run(() =>
            mutate(SetMemberRole, { userId: user.id, role }),
        );

        if (done) {
            toast(
                `${user.email} is ${roleTexts[role].toLowerCase()} now.`,
                "good",
            );
        }

        // what was refused is shown as it was
        void pages.reload();

        if (user.id === me) {
            doubt();
        }
    }

    async function remove({ user }: Member) {
        const done = await action.run(() =>
            mutate(RemoveMember, { userId: user.id }),
        );

        if (!done) {
            return;
        }

        if (user.id === me) {
            toast(`You have left ${project.name}.`, "good");
            route(pathTo("prompts"));
            actIn(null);
            doubt();
            return;
        }

        toast(`${user.email} is no member any more.`, "good");
        await pages.reload();
        refocus();
    }

    return (
        <section class="stack tight" aria-labelledby="members">
            <h2 id="members">Members</h2>
            {!project.personal && <p class="help">{roleHelp}</p>}
            {action.error && <ErrorNote error={action.error} />}
            <Table
                label="Members"
                columns={columnsOf({
                    project,
                    me,
                    onRole: (member, role) => void setRole(member, role),
                    onRemove: (member) => {
                        if (member.id === me) {
                            leaving.value = true;
                        } else {
                            void remove(member);
                        }
                    },
                })}
                rows={pages.rows}
                rowKey={(member) => member.id}
                onMore={pages.more}
                loading={pages.loading}
                error={pages.error}
                onRetry={pages.retry}
            />
            {leaving.value && (
                <Dialog
                    title="Leave this project?"
                    onClose={() => {
                        leaving.value = false;
                    }}
                    actions={
                        <>
                            <Button
                                onClick={() => {
                                    leaving.value = false;
                                }}
                            >
                                Cancel
                            </Button>
                            <Button
                                kind="danger"
                                busy={action.busy}
                                onClick={async () => {
                                    const mine = pages.rows.find(
                                        (member) => member.id === me,
                                    );

                                    if (mine) {
                                        await remove(mine);
                                    }

                                    leaving.value = false;
                                }}
                            >
                                Leave project
                            </Button>
                        </>
                    }
                >
                    <p>
                        You see nothing of <strong>{project.name}</strong> then,
                        and the API keys that you made in it are refused at
                        once.
                    </p>
                </Dialog>
            )}
        </section>
    );
}

interface Cells {
    project: ProjectData;
    me: string | undefined;
    onRole: (member: Member, role: Role) => void;
    onRemove: (member: Member) => void;
}

function columnsOf({
    project,
    me,
    onRole,
    onRemove,
}: Cells): readonly Column<Member>[] {
    const given = project.personal ? [] : rolesGivenBy(project.role);
    const removes = !project.personal;

    return [
        {
            name: "Member",
            header: true,
            grow: true,
            cell: ({ user }) => (
                <>
                    <span class="row-name">{user.email}</span>{" "}
                    {user.id === me && <Badge kind="good">you</Badge>}
                    {user.name && <span class="row-about">{user.name}</span>}
                </>
            ),
        },
        {
            name: "Role",
            cell: (member) =>
                given.includes(member.role) ? (
                    <SelectField
                        label={`Role of ${member.user.email}`}
                        hideLabel
                        value={member.role}
                        choices={choicesOf(given)}
                        onValue={(role) => onRole(member, role as Role)}
                    />
                ) : (
                    roleTexts[member.role]
                ),
        },
        {
            name: "Since",
            priority: 2,
            cell: ({ since }) => (
                <span class="nowrap">
                    <Time iso={since} />
                </span>
            ),
        },
        ...(removes
            ? [
                  {
                      name: "Remove a member",
                      hideName: true,
                      cell: (member: Member) =>
                          (member.id === me || given.includes(member.role)) && (
                              <Button
                                  kind="danger"
                                  small
                                  aria-description={member.user.email}
                                  onClick={() => onRemove(member)}
                              >
                                  {member.id === me ? "Leave" : "Remove"}
                              </Button>
                          ),
                  },
              ]
            : []),
    ];
}
