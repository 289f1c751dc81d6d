/*
 * Versions: their statements.
 */

#include "store/version.h"
#include "store/statement_impl.h"


#define column(member, kind, flags)                                          \
    prompt_column_is(prompt_version_t, member, kind, flags)

static const prompt_column_t  prompt_version_columns[] = {
    column(prompt_id, UUID, 0),
    column(version, INT, 0),
    column(id, UUID, PROMPT_COLUMN_ID|PROMPT_COLUMN_CREATE),
    column(content, TEXT,
           PROMPT_COLUMN_LARGE|PROMPT_COLUMN_CREATE|PROMPT_COLUMN_COPY),
    column(params, JSON,
           PROMPT_COLUMN_LARGE|PROMPT_COLUMN_CREATE|PROMPT_COLUMN_COPY),
    column(input_schema, JSON,
           PROMPT_COLUMN_NULLABLE|PROMPT_COLUMN_LARGE|PROMPT_COLUMN_CREATE
           |PROMPT_COLUMN_COPY),
    column(output_schema, JSON,
           PROMPT_COLUMN_NULLABLE|PROMPT_COLUMN_LARGE|PROMPT_COLUMN_CREATE
           |PROMPT_COLUMN_COPY),
    column(messages, OBJECTS,
           PROMPT_COLUMN_NULLABLE|PROMPT_COLUMN_LARGE|PROMPT_COLUMN_CREATE
           |PROMPT_COLUMN_COPY),
    column(note, TEXT,
           PROMPT_COLUMN_NULLABLE|PROMPT_COLUMN_SHORT|PROMPT_COLUMN_CREATE
           |PROMPT_COLUMN_COPY),
    column(created_at, TIME, PROMPT_COLUMN_OF_ID),
    column(created_by, UUID, PROMPT_COLUMN_NULLABLE)
};

#undef column

const prompt_resource_t  prompt_version_resource = {
    "version", 'v', prompt_columns(prompt_version_columns)
};


/*
 * By id: only of a prompt that the caller may read.  All of an owner's: one
 * range of one index, no join.
 */
const prompt_family_t  prompt_version_families[PROMPT_VERSIONS_STATEMENTS] = {
    { "version_by_id", &prompt_version_resource, "$2", "",
      PROMPT_GUARD("$4") "prompts p"
      " JOIN prompt_versions v"
      " ON v.owner_id = p.owner_id AND v.prompt_id = p.id"
      " WHERE p.id = $1 AND p.state = 0 AND (p.owner_id = $2 OR p.is_public)"
      " ORDER BY v.version LIMIT $3" },

    { "version_by_name", &prompt_version_resource, "$1", "",
      PROMPT_GUARD("$4") "prompts p"
      " JOIN prompt_versions v"
      " ON v.owner_id = p.owner_id AND v.prompt_id = p.id"
      " WHERE p.owner_id = $1 AND p.name = $2 AND p.state = 0"
      " ORDER BY v.version LIMIT $3" },

    { "version_all", &prompt_version_resource, "$1", "",
      PROMPT_GUARD("$3") "prompt_versions v WHERE v.owner_id = $1"
      " AND " PROMPT_RANGE_SHOWN_SQL("v.prompt_id")
      " ORDER BY v.prompt_id DESC, v.version LIMIT $2" },

    { "version_page", &prompt_version_resource, "$1", "",
      PROMPT_GUARD("$6") "(SELECT p.id FROM " PROMPT_RANGE_PAGE_SQL ") p"
      PROMPT_VERSIONS_OF_EACH("$1", "$5")
      " ORDER BY p.id DESC, v.version LIMIT $5" },

    { "version_ids", &prompt_version_resource, "$1", "",
      PROMPT_GUARD("$4") "(SELECT p.id FROM " PROMPT_RANGE_IDS_SQL ") p"
      PROMPT_VERSIONS_OF_EACH("$1", "$3")
      " ORDER BY p.id DESC, v.version LIMIT $3" },

    { "version_some_by_id", &prompt_version_resource, "$2", "",
      PROMPT_GUARD("$7") "prompts p"
      PROMPT_VERSIONS_SQL("p.owner_id", "$3", "$4", "$5")
      "WHERE p.id = $1 AND p.state = 0 AND (p.owner_id = $2 OR p.is_public)"
      " ORDER BY v.version LIMIT $6" },

    { "version_some_by_name", &prompt_version_resource, "$1", "",
      PROMPT_GUARD("$7") "prompts p" PROMPT_VERSIONS_SQL("$1", "$3", "$4", "$5")
      "WHERE p.owner_id = $1 AND p.name = $2 AND p.state = 0"
      " ORDER BY v.version LIMIT $6" },

    { "version_some_page", &prompt_version_resource, "$1", "",
      PROMPT_GUARD("$9") "(SELECT p.id FROM " PROMPT_RANGE_PAGE_SQL ") p"
      PROMPT_VERSIONS_SQL("$1", "$5", "$6", "$7")
      "ORDER BY p.id DESC, v.version LIMIT $8" },

    { "version_some_ids", &prompt_version_resource, "$1", "",
      PROMPT_GUARD("$7") "(SELECT p.id FROM " PROMPT_RANGE_IDS_SQL ") p"
      PROMPT_VERSIONS_SQL("$1", "$3", "$4", "$5")
      "ORDER BY p.id DESC, v.version LIMIT $6" },

    { "version_one_by_id", &prompt_version_resource, "$2", "",
      PROMPT_GUARD("$6") "prompts p"
      PROMPT_VERSION_ONE_SQL("p.owner_id", "$3", "$4")
      " WHERE p.id = $1 AND p.state = 0 AND (p.owner_id = $2 OR p.is_public)"
      " LIMIT $5" },

    { "version_one_by_name", &prompt_version_resource, "$1", "",
      PROMPT_GUARD("$6") "prompts p" PROMPT_VERSION_ONE_SQL("$1", "$3", "$4")
      " WHERE p.owner_id = $1 AND p.name = $2 AND p.state = 0 LIMIT $5" },

    { "version_one_page", &prompt_version_resource, "$1", "",
      PROMPT_GUARD("$8")
      "(SELECT p.id, p.last_version FROM " PROMPT_RANGE_PAGE_SQL ") p"
      PROMPT_VERSION_ONE_SQL("$1", "$5", "$6") " ORDER BY p.id DESC LIMIT $7" },

    { "version_one_ids", &prompt_version_resource, "$1", "",
      PROMPT_GUARD("$6")
      "(SELECT p.id, p.last_version FROM " PROMPT_RANGE_IDS_SQL ") p"
      PROMPT_VERSION_ONE_SQL("$1", "$3", "$4") " ORDER BY p.id DESC LIMIT $5" }
};


/*
 * Whoever adds a version holds the prompt's row until its transaction ends;
 * the next one then reads the number anew.  A number that is not committed
 * goes back with the row.  Room of the project is taken behind the prompt's
 * row, as by whatever takes both: so nobody waits in a circle.
 *
 * updated_at tells versions of one number apart, where a failover lost the
 * first: also where clocks are behind it, by chance then.
 */
const prompt_source_t  prompt_sql_version_create = {
    "WITH o AS MATERIALIZED ("
    "SELECT last_version FROM prompts"
    " WHERE id = $1 AND owner_id = $2 AND state = 0 FOR NO KEY UPDATE), "
    "r AS ("
    PROMPT_ROOM_SQL("$2", "0", "$4", "FROM o ",
                    "bytes_quota = {by quota_bytes}"
                    " AND o.last_version < {by quota_versions}")
    "), t AS MATERIALIZED (SELECT"
    " CASE WHEN o.last_version >= {by quota_versions} THEN 13 ELSE "
    PROMPT_ROOM_ANEW("$2", "0", "$4", "true") " END AS room FROM o), "
    "p AS ("
    "UPDATE prompts SET last_version = last_version + 1, bytes = bytes + $4,"
    " updated_at = greatest(now(),"
    " updated_at + interval '1 millisecond' * (1 + random()))"
    " FROM t WHERE t.room = 0 AND id = $1 AND owner_id = $2 AND state = 0"
    " RETURNING id, owner_id, name, last_version), "
    "c AS ("
    "INSERT INTO prompt_versions AS v"
    " (prompt_id, owner_id, version, created_at, created_by, {version create})"
    " SELECT p.id, p.owner_id, p.last_version, $3, {by author},"
    " {version create_values} FROM p"
    " RETURNING {version made}), "
    PROMPT_AUDIT("'Prompt', p.id, p.name,"
                 " json_build_object('version', p.last_version) FROM p")
    "SELECT CASE WHEN c.version IS NOT NULL THEN 0"
    " WHEN t.room IS NOT NULL THEN t.room ELSE " PROMPT_OTHERWISE " END,"
    " {version made_row c}"
    " FROM (VALUES (1)) AS one LEFT JOIN t ON true LEFT JOIN c ON true",
    "uuzl", 1, PROMPT_STATEMENT_COMMITS
};


bool
prompt_version_read(prompt_query_t *query, const prompt_range_t *range,
    const prompt_versions_t *versions, prompt_mask_t mask)
{
    return prompt_append_family(query, PROMPT_FAMILY_VERSION_BY_ID, range,
                                versions, mask);
}


size_t
prompt_version_bytes(const prompt_version_t *version)
{
    return version->content.len + version->params.len
           + version->input_schema.len + version->output_schema.len
           + version->messages.cell.len;
}


bool
prompt_version_create(prompt_query_t *query, prompt_str_t caller,
    const prompt_version_t *version)
{
    return prompt_append(query, PROMPT_STATEMENT_VERSION_CREATE,
                         prompt_as_uuid(version->prompt_id),
                         prompt_as_uuid(caller), prompt_as_id_time(version->id),
                         prompt_as_int8(prompt_version_bytes(version)),
                         prompt_as_create(&prompt_version_resource, version));
}


prompt_outcome_t
prompt_version_created_row(const prompt_rows_t *rows,
    prompt_version_t *version)
{
    prompt_outcome_t  outcome;

    outcome = prompt_outcome_row(rows);

    if (outcome == PROMPT_OUTCOME_DONE) {
        prompt_columns_read(&prompt_version_resource,
                            prompt_columns_made(&prompt_version_resource),
                            rows, 0, 1, version);
    }

    return outcome;
}
