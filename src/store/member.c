/*
 * Members and invitations: their statements.
 */

#include "store/member.h"
#include "store/api_key.h"
#include "store/statement_impl.h"


/*
 * The first statement of each change: a statement sees other rows as they were
 * when it began, so the next one begins when these are held.  A key is made
 * under a lock of its maker's row, a session under one of its user's: what ends
 * them, or what they may, sees all that were made.
 */
#define PROMPT_MEMBER_LOCK(project, members)                                 \
    "SELECT (SELECT true FROM projects WHERE id = " project                  \
    " FOR NO KEY UPDATE),"                                                   \
    " (SELECT count(*) FROM (SELECT FROM users WHERE id = ANY (ARRAY("       \
    "SELECT user_id FROM project_members"                                    \
    " WHERE project_id = " project members "))"                              \
    " ORDER BY id FOR NO KEY UPDATE) u),"                                    \
    " (SELECT count(*) FROM (SELECT FROM project_members"                    \
    " WHERE project_id = " project members                                   \
    " ORDER BY user_id FOR UPDATE) m)"

#define PROMPT_INVITED                                                       \
    "(SELECT project_id FROM project_invitations WHERE hash = $1)"

const prompt_source_t  prompt_sql_member_lock = {
    PROMPT_MEMBER_LOCK("$1", " AND user_id = $2"),
    "uu", 3, PROMPT_STATEMENT_COMMITS
};

const prompt_source_t  prompt_sql_member_lock_invited = {
    PROMPT_MEMBER_LOCK(PROMPT_INVITED, " AND user_id = $2"),
    "yu", 3, PROMPT_STATEMENT_COMMITS
};

/* of a project that is none of $2's, nobody is held */
const prompt_source_t  prompt_sql_member_lock_all = {
    PROMPT_MEMBER_LOCK("$1", " AND EXISTS (SELECT FROM project_members o"
                             " WHERE o.project_id = $1 AND o.user_id = $2)"),
    "uu", 3, PROMPT_STATEMENT_COMMITS
};


/* what came of it, and a row for each hash */
#define PROMPT_MEMBERSHIP(outcome, project, since, hashes)                   \
    "SELECT " outcome ", " project ", " since ", h"                          \
    " FROM (VALUES (1)) AS one " hashes

/* of the roles an actor must have: for ADMIN and OWNER that of an OWNER */
#define PROMPT_ROLE_WANTED(role)                                             \
    "CASE WHEN " role " >= 3 THEN 4 ELSE 3 END"

/* the role of a user in a project; 0: none */
#define PROMPT_ROLE_THERE(project, user)                                     \
    "coalesce((SELECT r.role FROM project_members r"                         \
    " WHERE r.project_id = " project " AND r.user_id = " user "), 0)"


/*
 * $3: the role; $4: who does it, NULL: an operator.  Whoever was removed before
 * is removed again, as the caches may not know yet.
 */
const prompt_source_t  prompt_sql_member_set = {
    "WITH t AS ("
    "SELECT p.user_id IS NOT NULL AS personal,"
    " coalesce(m.role, CASE WHEN $4 IS NULL AND $3 > 0 THEN 0 END) AS role,"
    " m.since"
    " FROM projects p LEFT JOIN project_members m"
    " ON m.project_id = p.id AND m.user_id = $2"
    " AND (m.role > 0 OR $3 = 0 OR $4 IS NULL)"
    " WHERE p.id = $1 AND p.state = 0), "
    "o AS ("
    "SELECT CASE WHEN t.personal THEN 20"
    " WHEN t.role IS NULL THEN 1"
    " WHEN $4 IS NOT NULL AND NOT ($3 = 0 AND $2 = $4) AND "
    PROMPT_ROLE_THERE("$1", "$4") " < "
    PROMPT_ROLE_WANTED("greatest(t.role, $3)") " THEN 2"
    " WHEN t.role = 4 AND $3 < 4 AND NOT EXISTS ("
    "SELECT FROM project_members x WHERE x.project_id = $1"
    " AND x.user_id <> $2 AND x.role = 4) THEN 21"
    " ELSE 0 END AS outcome, t.since FROM t), "
    "c AS ("
    "INSERT INTO project_members AS m (project_id, user_id, role, since)"
    " SELECT $1, $2, $3, date_trunc('milliseconds', now())"
    " FROM o WHERE o.outcome = 0"
    " ON CONFLICT (project_id, user_id) DO UPDATE SET role = excluded.role,"
    " since = CASE WHEN m.role = 0 THEN excluded.since ELSE m.since END"
    " RETURNING m.since), "
    "i AS ("
    "DELETE FROM project_invitations x USING o"
    " WHERE o.outcome = 0 AND x.project_id = $1 AND x.invited_by = $2"
    " AND $3 < " PROMPT_ROLE_WANTED("x.role") "), "
    PROMPT_AUDIT_OF("$1", "{by user}",
                    "'User', u.id, u.email, json_build_object('before', "
                    PROMPT_ROLE_NAME("t.role") ", 'after', "
                    PROMPT_ROLE_NAME("$3") ")"
                    " FROM c CROSS JOIN t JOIN users u ON u.id = $2"
                    " WHERE t.role <> $3")
    PROMPT_MEMBERSHIP("coalesce(o.outcome, 1)", "$1", "c.since",
        "LEFT JOIN o ON true LEFT JOIN c ON true LEFT JOIN LATERAL ("
        "SELECT prompt_member_hashes($1, $2) WHERE o.outcome = 0"
        " UNION ALL SELECT prompt_keys_end(ARRAY("
        "SELECT k.id FROM api_keys k WHERE k.user_id = $2"
        " AND k.project_id = $1 AND k.kind = 'key' AND k.deleted_at IS NULL))"
        " WHERE o.outcome = 0 AND $3 = 0) h (h) ON true"),
    "uuiu", 4, PROMPT_STATEMENT_COMMITS
};


/*
 * A member keeps a greater role.  $3: projects that one may be a member of.
 * What is in a personal project cannot be invited to.
 */
#define PROMPT_MEMBERS_FULL                                                  \
    "((SELECT count(*) FROM project_members y WHERE y.project_id"            \
    " = x.project_id AND y.role > 0 AND y.user_id <> $2)"                    \
    " >= {by quota_members})"

const prompt_source_t  prompt_sql_member_accept = {
    "WITH i AS ("
    "DELETE FROM project_invitations x USING users u, projects p"
    " WHERE x.hash = $1 AND x.expires_at > now() AND u.id = $2"
    " AND " PROMPT_EMAIL("u.email") " = " PROMPT_EMAIL("x.email")
    " AND p.id = x.project_id AND p.state = 0 AND $3 >"
    " (SELECT count(*) FROM project_members WHERE user_id = $2 AND role > 0)"
    " AND NOT " PROMPT_MEMBERS_FULL
    " RETURNING x.project_id, x.role), "
    "m AS ("
    "INSERT INTO project_members AS m (project_id, user_id, role)"
    " SELECT project_id, $2, role FROM i"
    " ON CONFLICT (project_id, user_id) DO UPDATE"
    " SET role = greatest(m.role, excluded.role),"
    " since = CASE WHEN m.role = 0 THEN excluded.since ELSE m.since END"
    " RETURNING m.project_id, m.since), "
    PROMPT_AUDIT_OF("m.project_id", "$2",
                    "'Project', p.id, p.name, json_build_object('after', "
                    PROMPT_ROLE_NAME("i.role") ")"
                    " FROM m JOIN i USING (project_id)"
                    " JOIN projects p ON p.id = m.project_id")
    PROMPT_MEMBERSHIP("CASE WHEN m.since IS NOT NULL THEN 0"
        " ELSE coalesce((SELECT CASE WHEN " PROMPT_EMAIL("u.email") " = "
        PROMPT_EMAIL("x.email") " THEN CASE WHEN " PROMPT_MEMBERS_FULL
        " THEN 15 ELSE 7 END ELSE 2 END"
        " FROM project_invitations x JOIN projects p"
        " ON p.id = x.project_id AND p.state = 0 JOIN users u ON u.id = $2"
        " WHERE x.hash = $1 AND x.expires_at > now()), 1) END",
        "m.project_id", "m.since",
        "LEFT JOIN m ON true LEFT JOIN LATERAL ("
        "SELECT prompt_member_hashes(m.project_id, $2)"
        " WHERE m.project_id IS NOT NULL) h (h) ON true"),
    "yul", 4, PROMPT_STATEMENT_COMMITS
};


/*
 * $2: by whom; $3: the project in which they act, and $4: by a key, which may
 * end no other.  What is being deleted is deleted again, as the caches may not
 * know yet.
 */
const prompt_source_t  prompt_sql_project_delete = {
    "WITH o AS ("
    "SELECT CASE WHEN p.user_id IS NOT NULL THEN 20 WHEN p.state = 1 THEN 0"
    " WHEN m.role = 0 THEN 1 WHEN m.role < 4 OR ($4 AND $3 <> $1) THEN 2"
    " ELSE 0 END AS outcome"
    " FROM projects p JOIN project_members m"
    " ON m.project_id = p.id AND m.user_id = $2 WHERE p.id = $1), "
    "c AS ("
    "UPDATE projects p SET state = 1 FROM o WHERE o.outcome = 0 AND p.id = $1),"
    " m AS ("
    "UPDATE project_members m SET role = 0 FROM o"
    " WHERE o.outcome = 0 AND m.project_id = $1 AND m.role > 0), "
    "i AS ("
    "DELETE FROM project_invitations x USING o"
    " WHERE o.outcome = 0 AND x.project_id = $1), "
    "x AS ("
    "UPDATE prompts p SET state = 1, name = '/' || p.id, is_public = false"
    " FROM o WHERE o.outcome = 0 AND p.owner_id = $1 AND p.state <> 1), "
    "k AS ("
    "UPDATE api_keys k SET deleted_at = least(k.deleted_at, now()) FROM o"
    " WHERE o.outcome = 0 AND k.project_id = $1 AND k.kind = 'key'"
    " RETURNING k.hash), "
    PROMPT_AUDIT_OF("$1", "$2", "'Project', p.id, p.name, NULL"
                    " FROM o JOIN projects p ON p.id = $1 AND p.state = 0"
                    " WHERE o.outcome = 0")
    PROMPT_MEMBERSHIP("coalesce(o.outcome, 1)", "$1", "NULL::timestamptz",
        "LEFT JOIN o ON true LEFT JOIN LATERAL ("
        "SELECT k.hash FROM k UNION ALL"
        " SELECT prompt_member_hashes($1, x.user_id) FROM project_members x"
        " WHERE o.outcome = 0 AND x.project_id = $1) h (h) ON true"),
    "uuub", 4, PROMPT_STATEMENT_COMMITS
};


/* Expired ones go, and leave room. */
const prompt_source_t  prompt_sql_member_invite = {
    "WITH old AS ("
    "DELETE FROM project_invitations x WHERE x.project_id = $1"
    " AND x.expires_at <= now()"
    " AND " PROMPT_EMAIL("x.email") " <> " PROMPT_EMAIL("$3") "), "
    "o AS ("
    "SELECT CASE WHEN p.user_id IS NOT NULL THEN 20 WHEN "
    PROMPT_ROLE_THERE("$1", "$6") " < " PROMPT_ROLE_WANTED("$4") " THEN 2"
    " WHEN EXISTS (SELECT FROM users u JOIN project_members m"
    " ON m.user_id = u.id AND m.project_id = $1 AND m.role > 0"
    " WHERE " PROMPT_EMAIL("u.email") " = " PROMPT_EMAIL("$3") ") THEN 22"
    " WHEN $8 <= (SELECT count(*) FROM project_invitations x"
    " WHERE x.project_id = $1 AND x.expires_at > now()"
    " AND " PROMPT_EMAIL("x.email") " <> " PROMPT_EMAIL("$3") ") THEN 7"
    " ELSE 0 END AS outcome"
    " FROM projects p WHERE p.id = $1 AND p.state = 0), "
    "c AS ("
    "INSERT INTO project_invitations AS x (id, project_id, email, role, hash,"
    " invited_by, created_at, expires_at)"
    " SELECT $2, $1, $3, $4, $5, $6, $7, now() + interval '7 days'"
    " FROM o WHERE o.outcome = 0"
    " ON CONFLICT (project_id, " PROMPT_EMAIL("email") ") DO UPDATE"
    " SET id = excluded.id, email = excluded.email, role = excluded.role,"
    " hash = excluded.hash, invited_by = excluded.invited_by,"
    " created_at = excluded.created_at, expires_at = excluded.expires_at"
    " RETURNING x.id, x.email, x.role, x.expires_at), "
    PROMPT_AUDIT_OF("$1", "{by user}", "'Invitation', id, email,"
                    " json_build_object('role', " PROMPT_ROLE_NAME("role") ")"
                    " FROM c")
    "SELECT coalesce(o.outcome, 1), c.expires_at FROM (VALUES (1)) AS one"
    " LEFT JOIN o ON true LEFT JOIN c ON true",
    "uutiyuzl", 2, PROMPT_STATEMENT_COMMITS
};


const prompt_source_t  prompt_sql_member_uninvite = {
    "WITH c AS ("
    "DELETE FROM project_invitations WHERE id = $1 AND project_id = $2"
    " RETURNING id, email), "
    PROMPT_AUDIT_OF("$2", "{by user}", "'Invitation', id, email, NULL FROM c")
    "SELECT true FROM c",
    "uu", 1, PROMPT_STATEMENT_COMMITS
};


const prompt_source_t  prompt_sql_invitation_ask = {
    "SELECT true FROM project_invitations i JOIN projects p"
    " ON p.id = i.project_id AND p.state = 0"
    " WHERE i.hash = $1 AND i.expires_at > now()",
    "y", 1, PROMPT_STATEMENT_READS
};


const prompt_source_t  prompt_sql_member_sign_up = {
    "SELECT prompt_invited($1, $2, $3, $4, {by quota_members})",
    "yutt", 1, PROMPT_STATEMENT_COMMITS
};


bool
prompt_member_set(prompt_query_t *query, prompt_str_t project,
    prompt_str_t user, prompt_role_e role, prompt_str_t by)
{
    return prompt_append(query, PROMPT_STATEMENT_MEMBER_LOCK,
                         prompt_as_uuid(project), prompt_as_uuid(user))
           && prompt_append(query, PROMPT_STATEMENT_MEMBER_SET,
                            prompt_as_uuid(project), prompt_as_uuid(user),
                            prompt_as_int4(role), prompt_as_maybe_uuid(by));
}


bool
prompt_member_accept(prompt_query_t *query, prompt_str_t hash,
    prompt_str_t user)
{
    return prompt_append(query, PROMPT_STATEMENT_MEMBER_LOCK_INVITED,
                         prompt_as_text(hash), prompt_as_uuid(user))
           && prompt_append(query, PROMPT_STATEMENT_MEMBER_ACCEPT,
                            prompt_as_text(hash), prompt_as_uuid(user),
                            prompt_as_int8(PROMPT_PROJECTS_MAX));
}


bool
prompt_invitation_ask(prompt_query_t *query, prompt_str_t hash)
{
    return prompt_append(query, PROMPT_STATEMENT_INVITATION_ASK,
                         prompt_as_text(hash));
}


bool
prompt_member_sign_up(prompt_query_t *query, prompt_str_t hash,
    prompt_str_t user, prompt_str_t name, prompt_str_t password)
{
    return prompt_append(query, PROMPT_STATEMENT_MEMBER_LOCK_INVITED,
                         prompt_as_text(hash), prompt_as_uuid(user))
           && prompt_append(query, PROMPT_STATEMENT_MEMBER_SIGN_UP,
                            prompt_as_text(hash), prompt_as_uuid(user),
                            prompt_as_text(name), prompt_as_text(password))
           && prompt_append(query, PROMPT_STATEMENT_MEMBER_ACCEPT,
                            prompt_as_text(hash), prompt_as_uuid(user),
                            prompt_as_int8(PROMPT_PROJECTS_MAX));
}


prompt_outcome_t
prompt_member_signed_up(const prompt_rows_t *rows)
{
    return prompt_outcome_row(&rows[1]);
}


bool
prompt_project_delete(prompt_query_t *query, prompt_str_t id, prompt_str_t by,
    prompt_str_t acting, bool key)
{
    return prompt_append(query, PROMPT_STATEMENT_MEMBER_LOCK_ALL,
                         prompt_as_uuid(id), prompt_as_uuid(by))
           && prompt_append(query, PROMPT_STATEMENT_PROJECT_DELETE,
                            prompt_as_uuid(id), prompt_as_uuid(by),
                            prompt_as_uuid(acting), prompt_as_bool(key));
}


void
prompt_membership_row(const prompt_rows_t *rows, unsigned row,
    prompt_membership_t *membership)
{
    prompt_str_t  hash;

    membership->outcome = rows->count > row
                          ? (prompt_outcome_t) prompt_cell_int(
                                               prompt_rows_cell(rows, row, 0))
                          : PROMPT_OUTCOME_BROKEN;

    if (membership->outcome != PROMPT_OUTCOME_DONE) {
        return;
    }

    hash = prompt_rows_cell(rows, row, 3);

    membership->project_id = prompt_rows_cell(rows, row, 1);
    membership->since = prompt_cell_time(prompt_rows_cell(rows, row, 2));
    membership->hash = hash.len == PROMPT_API_KEY_HASH_LEN ? hash
                                                      : prompt_str_absent;
}


bool
prompt_member_invite(prompt_query_t *query, prompt_str_t project,
    const prompt_invitation_t *invitation, prompt_str_t by)
{
    return prompt_append(query, PROMPT_STATEMENT_MEMBER_LOCK,
                         prompt_as_uuid(project), prompt_as_uuid(by))
           && prompt_append(query, PROMPT_STATEMENT_MEMBER_INVITE,
                            prompt_as_uuid(project),
                            prompt_as_uuid(invitation->id),
                            prompt_as_text(invitation->email),
                            prompt_as_int4(invitation->role),
                            prompt_as_text(invitation->hash),
                            prompt_as_uuid(by),
                            prompt_as_id_time(invitation->id),
                            prompt_as_int8(PROMPT_INVITATIONS_MAX));
}


prompt_outcome_t
prompt_member_invite_row(const prompt_rows_t *rows, int64_t *expires_at)
{
    prompt_outcome_t  outcome;

    outcome = prompt_outcome_row(rows);

    if (outcome == PROMPT_OUTCOME_DONE) {
        *expires_at = prompt_cell_time(prompt_rows_cell(rows, 0, 1));
    }

    return outcome;
}


bool
prompt_member_uninvite(prompt_query_t *query, prompt_str_t id,
    prompt_str_t project)
{
    return prompt_append(query, PROMPT_STATEMENT_MEMBER_UNINVITE,
                         prompt_as_uuid(id), prompt_as_uuid(project));
}
