/*
 * Quotas: their statement; what is taken stands where it is used
 * (PROMPT_ROOM_SQL).
 */

#include "store/quota.h"
#include "store/statement_impl.h"


/*
 * By slots, as whoever takes something counts, where there are any.  Of what
 * runs, the last days alone: no call is older.
 */
const prompt_source_t  prompt_sql_project_usage = {
    "SELECT coalesce(r.prompts, p.prompts), p.versions,"
    " (SELECT count(*) FROM api_keys k WHERE k.project_id = $1"
    " AND k.kind = 'key' AND k.deleted_at IS NULL"
    " AND coalesce(k.expires_at, 'infinity') > now()),"
    " (SELECT count(*) FROM project_members m WHERE m.project_id = $1"
    " AND m.role > 0), coalesce(r.bytes, p.bytes),"
    " (SELECT count(*) FROM executions x WHERE x.executed_by = $1"
    " AND x.id >= prompt_id_of(now() - interval '2 hours')"
    " AND x.status = 'running')"
    " FROM (SELECT sum(r.prompts)::bigint AS prompts,"
    " sum(r.bytes)::bigint AS bytes FROM project_room r"
    " WHERE r.project_id = $1) r,"
    " (SELECT count(*) AS prompts, coalesce(sum(last_version), 0)::bigint"
    " AS versions, coalesce(sum(bytes), 0)::bigint AS bytes FROM prompts"
    " WHERE owner_id = ANY (ARRAY[$1]) AND state <> 1) p",
    "u", 6, PROMPT_STATEMENT_READS
};


bool
prompt_project_usage(prompt_query_t *query, prompt_str_t project)
{
    return prompt_append(query, PROMPT_STATEMENT_PROJECT_USAGE,
                         prompt_as_uuid(project));
}


void
prompt_project_usage_row(const prompt_rows_t *rows, prompt_usage_t *usage)
{
    unsigned  i;
    int64_t   counts[6];

    for (i = 0; i < 6; i++) {
        counts[i] = rows->count != 1
                    ? 0 : prompt_cell_int(prompt_rows_cell(rows, 0, i));
    }

    usage->prompts = (int32_t) counts[0];
    usage->versions = (int32_t) counts[1];
    usage->keys = (int32_t) counts[2];
    usage->members = (int32_t) counts[3];
    usage->bytes = (double) counts[4];
    usage->in_flight = (int32_t) counts[5];
}
