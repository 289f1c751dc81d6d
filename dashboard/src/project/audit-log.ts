// Entries of the audit log, and what they are about.

import { graphql, type ResultOf } from "../data/graphql.ts";

export const AuditLog = graphql(`
    query AuditLog(
        $since: DateTime
        $actorId: ID
        $action: String
        $first: Int!
        $after: ID
    ) {
        auditLog(
            since: $since
            actorId: $actorId
            action: $action
            first: $first
            after: $after
        ) {
            id
            at
            actor {
                id
                email
                name
            }
            keyId
            address
            action
            subject
            subjectId
            subjectName
            detail
            traceId
        }
    }
`);

export type AuditRow = ResultOf<typeof AuditLog>["auditLog"][number];

/** What was changed, by kind and name; null: nothing that has either. */
export function onWhat({ subject, subjectName }: AuditRow) {
    return subject === null ? null : `${subject} ${subjectName ?? ""}`.trim();
}
