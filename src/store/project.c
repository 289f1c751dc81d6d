/*
 * Projects: their statements.
 */

#include "store/project.h"
#include "store/statement_impl.h"


#define column(member, kind, flags)                                          \
    prompt_column_is(prompt_project_t, member, kind, flags)

static const prompt_column_t  prompt_project_columns[] = {
    column(id, UUID, PROMPT_COLUMN_ID),
    column(name, TEXT, PROMPT_COLUMN_SHORT|PROMPT_COLUMN_CHANGE),
    { prompt_column(prompt_project_t, personal), PROMPT_KIND_BOOL, 0,
      "p.user_id IS NOT NULL" },
    { prompt_column(prompt_project_t, role), PROMPT_KIND_INT, 0,
      "m.role::integer" },
    column(created_at, TIME, PROMPT_COLUMN_OF_ID),
    column(protected_labels, TEXTS, PROMPT_COLUMN_SHORT|PROMPT_COLUMN_CHANGE),
    column(records_content, BOOL, PROMPT_COLUMN_CHANGE)
};

#undef column

const prompt_resource_t  prompt_project_resource = {
    "project", 'p', prompt_columns(prompt_project_columns)
};


#define column(member, kind, flags)                                          \
    prompt_column_is(prompt_invitation_t, member, kind, flags)

static const prompt_column_t  prompt_invitation_columns[] = {
    column(id, UUID, PROMPT_COLUMN_ID),
    column(email, TEXT, PROMPT_COLUMN_SHORT),
    { prompt_column(prompt_invitation_t, role), PROMPT_KIND_INT, 0,
      "i.role::integer" },
    column(created_at, TIME, PROMPT_COLUMN_OF_ID),
    column(expires_at, TIME, 0)
};

#undef column

const prompt_resource_t  prompt_invitation_resource = {
    "invitation", 'i', prompt_columns(prompt_invitation_columns)
};


/* p, of which user $1 is the member m; of these $2 alone, unless NULL */
#define PROMPT_PROJECTS_OF                                                   \
    "project_members m JOIN projects p ON p.id = m.project_id"               \
    " AND p.state = 0"                                                       \
    " WHERE m.user_id = $1 AND m.role > 0 AND ($2 IS NULL OR p.id = $2)"     \
    " ORDER BY p.user_id IS NULL, p.id DESC LIMIT $3"

#define PROMPT_PROJECTS_EACH                                                 \
    "FROM (SELECT p.id, p.user_id, m.role AS own FROM " PROMPT_PROJECTS_OF   \
    ") p CROSS JOIN LATERAL "

const prompt_source_t  prompt_sql_project_read = {
    "SELECT {project select p} FROM " PROMPT_PROJECTS_OF,
    "uul", 0, PROMPT_STATEMENT_READS
};


/*
 * What slots count, where there are any; versions are those of prompts that are
 * there.  Of what runs, the last two hours alone: few calls last longer.
 */
const prompt_source_t  prompt_sql_project_usage = {
    "SELECT p.id, coalesce(r.prompts, v.prompts), v.versions,"
    " (SELECT count(*) FROM api_keys k WHERE k.project_id = p.id"
    " AND k.kind = 'key' AND k.deleted_at IS NULL"
    " AND coalesce(k.expires_at, 'infinity') > now()),"
    " (SELECT count(*) FROM project_members x WHERE x.project_id = p.id"
    " AND x.role > 0), coalesce(r.bytes, v.bytes +"
    " (SELECT coalesce(sum(x.bytes), 0)::bigint FROM datasets x"
    " WHERE x.project_id = p.id AND x.state = 0)),"
    " (SELECT count(*) FROM executions x WHERE x.executed_by = p.id"
    " AND x.id >= prompt_id_of(now() - interval '2 hours')"
    " AND x.status = 'running') "
    PROMPT_PROJECTS_EACH
    "(SELECT sum(x.prompts)::bigint AS prompts, sum(x.bytes)::bigint AS bytes"
    " FROM project_room x WHERE x.project_id = p.id) r CROSS JOIN LATERAL"
    " (SELECT count(*) AS prompts, coalesce(sum(x.last_version), 0)::bigint"
    " AS versions, coalesce(sum(x.bytes), 0)::bigint AS bytes FROM prompts x"
    " WHERE x.owner_id = p.id AND x.state <> 1) v",
    "uul", 7, PROMPT_STATEMENT_READS
};


const prompt_source_t  prompt_sql_project_members = {
    "SELECT p.id, m.role::integer, m.since, {user select u} "
    PROMPT_PROJECTS_EACH
    "(SELECT x.* FROM project_members x WHERE x.project_id = p.id"
    " AND x.user_id > coalesce($5, '00000000-0000-0000-0000-000000000000')"
    " AND x.role > 0 ORDER BY x.user_id LIMIT $4) m"
    " JOIN users u ON u.id = m.user_id"
    " ORDER BY p.user_id IS NULL, p.id DESC, m.user_id",
    "uullu", 3, PROMPT_STATEMENT_READS
};


const prompt_source_t  prompt_sql_project_invitations = {
    "SELECT p.id, {invitation select i}, {user select u} "
    PROMPT_PROJECTS_EACH
    "(SELECT x.* FROM project_invitations x WHERE x.project_id = p.id"
    " AND p.own >= 3 AND x.expires_at > now()) i"
    " JOIN users u ON u.id = i.invited_by"
    " ORDER BY p.user_id IS NULL, p.id DESC, i.id DESC",
    "uul", 1, PROMPT_STATEMENT_READS
};


/*
 * Of keys those of who may see the key; those of deleted ones are on their way
 * out.
 */
const prompt_source_t  prompt_sql_project_budgets = {
    "SELECT p.id, {budget select b}, {user select u}, {api_key select k} "
    PROMPT_PROJECTS_EACH
    "(SELECT x.* FROM budgets x WHERE x.project_id = p.id"
    " AND x.run_id IS NULL) b"
    " LEFT JOIN api_keys k ON k.id = b.key_id"
    " LEFT JOIN users u ON u.id = k.user_id"
    " WHERE b.key_id IS NULL"
    " OR (k.deleted_at IS NULL AND (p.own >= 3 OR k.user_id = $1))"
    " ORDER BY p.user_id IS NULL, p.id DESC, b.key_id NULLS FIRST, b.per",
    "uul", 1, PROMPT_STATEMENT_READS
};


const prompt_source_t  prompt_sql_project_create = {
    "WITH p AS ("
    "INSERT INTO projects (id, name, created_at)"
    " SELECT $1, $2, $4 WHERE $5 >"
    " (SELECT count(*) FROM project_members WHERE user_id = $3 AND role > 0)"
    " RETURNING id), "
    "m AS ("
    "INSERT INTO project_members (project_id, user_id, role, since)"
    " SELECT id, $3, 4, $4 FROM p RETURNING 1), "
    PROMPT_AUDIT_OF("$1", "{by user}", "'Project', $1, $2, NULL FROM m")
    "SELECT CASE WHEN EXISTS (SELECT FROM m) THEN 0 ELSE 7 END",
    "utuzl", 1, PROMPT_STATEMENT_COMMITS
};


const prompt_source_t  prompt_sql_project_update = {
    "WITH o AS ("
    "SELECT name, protected_labels, records_content FROM projects"
    " WHERE id = $1 AND state = 0 FOR NO KEY UPDATE), "
    "c AS ("
    "UPDATE projects AS p SET {project change}"
    " WHERE id = $1 AND state = 0 AND EXISTS (TABLE o)"
    " RETURNING id, name, protected_labels, records_content), "
    PROMPT_AUDIT("'Project', c.id, c.name, json_strip_nulls("
                 "json_build_object('before', json_build_object("
                 PROMPT_AUDIT_BEFORE("name", "name") ", "
                 PROMPT_AUDIT_BEFORE("protectedLabels", "protected_labels") ", "
                 PROMPT_AUDIT_BEFORE("recordsContent", "records_content") "),"
                 " 'after', json_build_object("
                 PROMPT_AUDIT_AFTER("name", "name") ", "
                 PROMPT_AUDIT_AFTER("protectedLabels", "protected_labels") ", "
                 PROMPT_AUDIT_AFTER("recordsContent", "records_content")
                 "))) FROM c CROSS JOIN o"
                 " WHERE (c.name, c.protected_labels, c.records_content)"
                 " IS DISTINCT FROM"
                 " (o.name, o.protected_labels, o.records_content)")
    "SELECT 0 FROM c",
    "u", 1, PROMPT_STATEMENT_COMMITS
};


/*
 * With the rights of the tables' owner: nobody else changes owners.  Both
 * projects have a row of it; $5: the id of that where it comes to.
 */
const prompt_source_t  prompt_sql_prompt_transfer = {
    "WITH c AS MATERIALIZED ("
    "SELECT prompt_transfer($1, $2, $3, $4, {by quota_prompts},"
    " {by quota_bytes}) AS outcome), "
    "there AS ("
    PROMPT_AUDIT_ROW("$5", "$3", "{by user}",
                     "'Prompt', p.id, p.name, json_build_object('from', $2)"
                     " FROM c JOIN prompts p ON p.id = $1 WHERE c.outcome = 0")
    "), "
    PROMPT_AUDIT("'Prompt', p.id, p.name, json_build_object('to', $3)"
                 " FROM c JOIN prompts p ON p.id = $1 WHERE c.outcome = 0")
    "SELECT outcome FROM c",
    "uuuuu", 1, PROMPT_STATEMENT_COMMITS
};


const prompt_source_t  prompt_sql_prompt_transferred = {
    "SELECT 0, {prompt select p} FROM prompts p"
    " WHERE p.id = $1 AND p.owner_id = $2 AND p.state = 0",
    "uu", 1, PROMPT_STATEMENT_COMMITS
};


const prompt_source_t  prompt_sql_project_list = {
    "SELECT p.id, p.name, (SELECT count(*) FROM project_members m"
    " WHERE m.project_id = p.id AND m.role > 0),"
    " (SELECT string_agg(u.email, ', ' ORDER BY m.user_id)"
    " FROM project_members m JOIN users u ON u.id = m.user_id"
    " WHERE m.project_id = p.id AND m.role = 4)"
    " FROM projects p WHERE p.user_id IS NULL AND p.state = 0"
    " AND ($1 IS NULL OR p.id::text = lower($1) OR (p.name = $1"
    " AND NOT EXISTS (SELECT FROM projects x WHERE x.id::text = lower($1))))"
    " ORDER BY p.id",
    "t", 4, PROMPT_STATEMENT_READS
};


#define prompt_as_projects(of)                                               \
    prompt_as_uuid((of)->user_id), prompt_as_maybe_uuid((of)->id),           \
    prompt_as_int8(PROMPT_PROJECTS_MAX)


bool
prompt_project_read(prompt_query_t *query, const prompt_projects_t *of)
{
    return prompt_append(query, PROMPT_STATEMENT_PROJECT_READ,
                         prompt_as_projects(of));
}


bool
prompt_project_members(prompt_query_t *query, const prompt_projects_t *of,
    uint32_t first, prompt_str_t after)
{
    return prompt_append(query, PROMPT_STATEMENT_PROJECT_MEMBERS,
                         prompt_as_projects(of), prompt_as_limit(first),
                         prompt_as_maybe_uuid(after));
}


bool
prompt_project_budgets(prompt_query_t *query, const prompt_projects_t *of)
{
    return prompt_append(query, PROMPT_STATEMENT_PROJECT_BUDGETS,
                         prompt_as_projects(of));
}


bool
prompt_project_invitations(prompt_query_t *query, const prompt_projects_t *of)
{
    return prompt_append(query, PROMPT_STATEMENT_PROJECT_INVITATIONS,
                         prompt_as_projects(of));
}


bool
prompt_project_usage(prompt_query_t *query, const prompt_projects_t *of)
{
    return prompt_append(query, PROMPT_STATEMENT_PROJECT_USAGE,
                         prompt_as_projects(of));
}


void
prompt_project_usage_row(const prompt_rows_t *rows, unsigned row,
    prompt_project_usage_t *usage)
{
    unsigned  i;
    int64_t   counts[6];

    for (i = 0; i < 6; i++) {
        counts[i] = prompt_cell_int(prompt_rows_cell(rows, row, 1 + i));
    }

    usage->prompts = (int32_t) counts[0];
    usage->versions = (int32_t) counts[1];
    usage->keys = (int32_t) counts[2];
    usage->members = (int32_t) counts[3];
    usage->bytes = (double) counts[4];
    usage->in_flight = (int32_t) counts[5];
}


void
prompt_project_row(const prompt_rows_t *rows, unsigned row,
    prompt_project_t *project)
{
    prompt_columns_read_returned(&prompt_project_resource, rows, row, 0,
                                 project);
}


void
prompt_project_member_row(const prompt_rows_t *rows, unsigned row,
    prompt_member_t *member)
{
    member->role = (int32_t) prompt_cell_int(prompt_rows_cell(rows, row, 1));
    member->since = prompt_cell_time(prompt_rows_cell(rows, row, 2));

    prompt_columns_read_returned(&prompt_user_resource, rows, row, 3,
                                 &member->user);
}


void
prompt_project_invitation_row(const prompt_rows_t *rows, unsigned row,
    prompt_invitation_t *invitation)
{
    unsigned  cell;

    cell = prompt_columns_read_returned(&prompt_invitation_resource, rows, row,
                                        1, invitation);
    prompt_columns_read_returned(&prompt_user_resource, rows, row, cell,
                                 &invitation->by);
}


bool
prompt_project_create(prompt_query_t *query, prompt_str_t id,
    prompt_str_t name, prompt_str_t owner)
{
    return prompt_append(query, PROMPT_STATEMENT_PROJECT_CREATE,
                         prompt_as_uuid(id), prompt_as_text(name),
                         prompt_as_uuid(owner), prompt_as_id_time(id),
                         prompt_as_int8(PROMPT_PROJECTS_MAX));
}


bool
prompt_project_update(prompt_query_t *query, prompt_str_t id,
    prompt_mask_t given, const prompt_project_t *project)
{
    return prompt_append(query, PROMPT_STATEMENT_PROJECT_UPDATE,
                         prompt_as_uuid(id),
                         prompt_as_change(&prompt_project_resource, given,
                                          project));
}


bool
prompt_transfer(prompt_query_t *query, prompt_str_t id, prompt_str_t project,
    prompt_str_t to, prompt_str_t by, prompt_str_t audit)
{
    return prompt_append(query, PROMPT_STATEMENT_PROMPT_TRANSFER,
                         prompt_as_uuid(id), prompt_as_uuid(project),
                         prompt_as_uuid(to), prompt_as_uuid(by),
                         prompt_as_uuid(audit))
           && prompt_append(query, PROMPT_STATEMENT_PROMPT_TRANSFERRED,
                            prompt_as_uuid(id), prompt_as_uuid(to));
}


bool
prompt_project_list(prompt_query_t *query, prompt_str_t which)
{
    return prompt_append(query, PROMPT_STATEMENT_PROJECT_LIST,
                         prompt_as_text(which));
}


void
prompt_project_list_row(const prompt_rows_t *rows, unsigned row,
    prompt_project_summary_t *summary)
{
    memset(summary, 0, sizeof(prompt_project_summary_t));

    summary->project.id = prompt_rows_cell(rows, row, 0);
    summary->project.name = prompt_rows_cell(rows, row, 1);
    summary->project.created_at = prompt_id_time(summary->project.id);
    summary->members = prompt_cell_int(prompt_rows_cell(rows, row, 2));
    summary->owners = prompt_rows_cell(rows, row, 3);
}
