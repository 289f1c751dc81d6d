/*
 * The audit log: its statements.
 */

#include "store/audit.h"
#include "store/log.h"
#include "store/statement_impl.h"


#define column(member, kind, flags)                                          \
    prompt_column_is(prompt_audit_t, member, kind, flags)

static const prompt_column_t  prompt_audit_columns[] = {
    column(id, UUID, PROMPT_COLUMN_ID),
    column(at, TIME, PROMPT_COLUMN_OF_ID),
    column(key_id, UUID, PROMPT_COLUMN_NULLABLE),
    column(address, TEXT, PROMPT_COLUMN_SHORT|PROMPT_COLUMN_NULLABLE),
    column(action, TEXT, PROMPT_COLUMN_SHORT),
    column(subject, TEXT, PROMPT_COLUMN_SHORT|PROMPT_COLUMN_NULLABLE),
    column(subject_id, UUID, PROMPT_COLUMN_NULLABLE),
    column(subject_name, TEXT, PROMPT_COLUMN_SHORT|PROMPT_COLUMN_NULLABLE),
    column(detail, JSON, PROMPT_COLUMN_SHORT|PROMPT_COLUMN_NULLABLE),
    column(trace_id, BYTES, PROMPT_COLUMN_SHORT|PROMPT_COLUMN_NULLABLE)
};

#undef column

const prompt_resource_t  prompt_audit_resource = {
    "audit", 'a', prompt_columns(prompt_audit_columns)
};


const prompt_source_t  prompt_sql_audit_read = {
    "SELECT {audit select a}, {user select u}"
    " FROM audit a LEFT JOIN users u ON u.id = a.user_id"
    " WHERE a.project_id = $1 AND a.id >= $2 AND a.id < $3"
    " AND ($4 IS NULL OR a.user_id = $4) AND ($5 IS NULL OR a.action = $5)"
    " AND ($6 IS NULL OR a.subject_id = $6) ORDER BY a.id DESC LIMIT $7",
    "uuuutul", 0, PROMPT_STATEMENT_READS
};


/* parameters: subject, its id and name, detail */
#define PROMPT_AUDIT_ADD                                                     \
    PROMPT_AUDIT_ROW("{by audit}", "{by project}", "{by user}",              \
                     "$1, $2, $3, $4")

const prompt_source_t  prompt_sql_audit_add = {
    PROMPT_AUDIT_ADD, "tutj", 0, PROMPT_STATEMENT_COMMITS
};


/* who has not signed in is known by the address */
#define PROMPT_AUDIT_LATELY(where)                                           \
    " NOT EXISTS (SELECT FROM audit a WHERE " where                          \
    " AND a.id > prompt_id_of(now() - interval '1 minute')"                  \
    " AND a.id >= {recent} AND a.action = {by action}"                       \
    " AND a.user_id IS NOT DISTINCT FROM {by user}"                          \
    " AND (a.user_id IS NOT NULL OR a.address = {by address}))"

const prompt_source_t  prompt_sql_audit_refused = {
    PROMPT_AUDIT_ADD
    " WHERE" PROMPT_AUDIT_LATELY("a.project_id = {by project}") " AND"
    PROMPT_AUDIT_LATELY("{by project} IS NULL AND a.project_id IS NULL"),
    "tutj", 0, PROMPT_STATEMENT_WRITES
};


const char  prompt_audit_all_sql[] =
    "SELECT json_build_object('id', a.id, 'at', to_char(prompt_id_time(a.id)"
    " AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS.MS\"Z\"'),"
    " 'projectId', a.project_id, 'actor', u.email, 'actorId', a.user_id,"
    " 'keyId', a.key_id, 'address', a.address, 'action', a.action,"
    " 'subject', a.subject, 'subjectId', a.subject_id,"
    " 'subjectName', a.subject_name, 'detail', CASE WHEN $3::boolean"
    " THEN a.detail ELSE to_json(a.detail::text) END,"
    " 'traceId', encode(a.trace_id, 'hex'))"
    " FROM audit a LEFT JOIN users u ON u.id = a.user_id"
    " WHERE a.id >= $1::uuid AND ($2::uuid IS NULL OR a.project_id = $2::uuid)"
    " ORDER BY a.id";

const char  prompt_audit_count_sql[] =
    "SELECT count(*) FROM audit WHERE id < $1::uuid";

const char  prompt_audit_month_sql[] = PROMPT_PRUNE_MONTH("audit");

const char  prompt_audit_drop_sql[] = "SELECT prompt_audit_drop($1::uuid)";

/* nobody waits for rows that nobody changes */
const char  prompt_audit_delete_sql[] =
    "WITH c AS (DELETE FROM audit WHERE id < $1::uuid RETURNING 1)"
    " SELECT count(*) FROM c";


bool
prompt_audit_read(prompt_query_t *query, const prompt_audit_page_t *page)
{
    return prompt_append(query, PROMPT_STATEMENT_AUDIT_READ,
                         prompt_as_uuid(page->project_id),
                         prompt_as_uuid(page->lower),
                         prompt_as_uuid(page->upper),
                         prompt_as_maybe_uuid(page->actor_id),
                         prompt_as_text(page->action),
                         prompt_as_maybe_uuid(page->subject_id),
                         prompt_as_limit(page->first));
}


void
prompt_audit_row(const prompt_rows_t *rows, unsigned row,
    prompt_audit_t *audit, prompt_user_t *user)
{
    unsigned  cell;

    cell = prompt_columns_read_returned(&prompt_audit_resource, rows, row, 0,
                                        audit);
    prompt_columns_read_returned(&prompt_user_resource, rows, row, cell, user);
}


static bool
prompt_audit_append(prompt_query_t *query, prompt_statement_id_t id,
    const prompt_audit_t *what)
{
    return prompt_append(query, id, prompt_as_text(what->subject),
                         prompt_as_maybe_uuid(what->subject_id),
                         prompt_as_text(what->subject_name),
                         prompt_as_text(what->detail));
}


bool
prompt_audit_add(prompt_query_t *query, const prompt_audit_t *what)
{
    return prompt_audit_append(query, PROMPT_STATEMENT_AUDIT_ADD, what);
}


bool
prompt_audit_refused(prompt_query_t *query, const prompt_audit_t *what)
{
    return prompt_audit_append(query, PROMPT_STATEMENT_AUDIT_REFUSED, what);
}
