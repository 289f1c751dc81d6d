// /settings/project: the project that is acted in, and who may do what in it.

import { useCallback } from "preact/hooks";
import { may } from "../data/project.ts";
import { useQuery } from "../data/query.ts";
import { pathTo } from "../paths.ts";
import { About } from "../project/about.tsx";
import { Budgets } from "../project/budgets.tsx";
import { Delete } from "../project/delete.tsx";
import { Invitations } from "../project/invitations.tsx";
import { Members } from "../project/members.tsx";
import css from "../project/project.sheet.css";
import { ProjectSettings } from "../project/settings.ts";
import { Usage } from "../project/usage.tsx";
import { useTitle } from "../title.ts";
import {
    adoptSheet,
    ButtonLink,
    ErrorNote,
    PageHead,
    Skeleton,
} from "../ui/index.ts";

adoptSheet(css);

export default function ProjectPage() {
    useTitle("Project");

    const { data, error, reload } = useQuery(ProjectSettings, {});
    const project = data.value?.project;
    const again = useCallback(() => void reload(), [reload]);

    return (
        <>
            <PageHead
                title="Project"
                actions={
                    may("ADMIN") && (
                        <ButtonLink href={pathTo("audit")}>Audit</ButtonLink>
                    )
                }
            >
                {project?.personal
                    ? "Your personal project: nobody else is a member of it."
                    : "What is in a project belongs to all of its members."}
            </PageHead>
            {error.value && <ErrorNote error={error.value} onRetry={again} />}
            {project ? (
                <div class="stack loose">
                    <About project={project} onSaved={again} />
                    <Members project={project} />
                    {may("ADMIN") && !project.personal && (
                        <Invitations project={project} />
                    )}
                    <Budgets />
                    <Usage />
                    {project.role === "OWNER" && !project.personal && (
                        <Delete project={project} />
                    )}
                </div>
            ) : (
                !error.value && <Skeleton lines={8} />
            )}
        </>
    );
}
