/*
 * Prompts: their statements.
 *
 * A change is one statement that finds, checks and does, and answers with one
 * row: the outcome, and the prompt as it is now.  PROMPT_OTHERWISE sees the
 * row as it was when the statement began; the change itself waits for whoever
 * holds the row and looks again.  So where the change found nothing though the
 * prompt was the caller's, the row was deleted in between: NOT_FOUND.
 */

#include "store/prompt.h"
#include "store/label.h"
#include "store/statement_impl.h"


/* later than it was by what a client can see, whatever the clocks say */
#define PROMPT_TOUCH                                                         \
    "updated_at = greatest(now(), updated_at + interval '1 millisecond')"


#define column(member, kind, flags)                                          \
    prompt_column_is(prompt_record_t, member, kind, flags)

static const prompt_column_t  prompt_prompt_columns[] = {
    column(id, UUID, PROMPT_COLUMN_ID|PROMPT_COLUMN_CREATE),
    { prompt_column(prompt_record_t, allowed), PROMPT_KIND_BOOL,
      PROMPT_COLUMN_CALLER, "p.owner_id = @ OR p.is_public" },
    column(owner_id, UUID, PROMPT_COLUMN_CREATE),
    column(name, TEXT,
           PROMPT_COLUMN_SHORT|PROMPT_COLUMN_CREATE|PROMPT_COLUMN_CHANGE),
    column(description, TEXT,
           PROMPT_COLUMN_NULLABLE|PROMPT_COLUMN_LARGE|PROMPT_COLUMN_CREATE
           |PROMPT_COLUMN_CHANGE|PROMPT_COLUMN_COPY),
    column(category, TEXT,
           PROMPT_COLUMN_SHORT|PROMPT_COLUMN_CREATE|PROMPT_COLUMN_CHANGE
           |PROMPT_COLUMN_COPY),
    column(is_public, BOOL, PROMPT_COLUMN_CREATE|PROMPT_COLUMN_CHANGE),
    column(created_at, TIME, PROMPT_COLUMN_OF_ID),
    column(updated_at, TIME, 0),
    column(last_version, INT, 0),
    column(created_by, UUID, PROMPT_COLUMN_NULLABLE)
};

#undef column

const prompt_resource_t  prompt_prompt_resource = {
    "prompt", 'p', prompt_columns(prompt_prompt_columns)
};


/*
 * By id and by name there is one row at most, and max_rows is not looked at;
 * all of an owner's are found as in PROMPT_RANGE_PAGE_SQL.
 */
const prompt_family_t  prompt_prompt_families[PROMPT_RANGE_STATEMENTS] = {
    { "prompt_by_id", &prompt_prompt_resource, "$2", "",
      PROMPT_GUARD("$4") "prompts p WHERE p.id = $1 AND p.state = 0" },

    { "prompt_by_name", &prompt_prompt_resource, "$1", "",
      PROMPT_GUARD("$4") "prompts p WHERE p.owner_id = $1 AND p.name = $2"
      " AND p.state = 0" },

    { "prompt_all", &prompt_prompt_resource, "$1", "",
      PROMPT_GUARD("$3") "prompts p WHERE p.owner_id = ANY (ARRAY[$1])"
      " AND p.state = 0 ORDER BY p.owner_id DESC, p.id DESC LIMIT $2" },

    { "prompt_page", &prompt_prompt_resource, "$1", "",
      PROMPT_GUARD("$6") "(SELECT p.* FROM " PROMPT_RANGE_PAGE_SQL ") p"
      " ORDER BY p.id DESC LIMIT $5" },

    { "prompt_ids", &prompt_prompt_resource, "$1", "",
      PROMPT_GUARD("$4") PROMPT_RANGE_IDS_SQL " ORDER BY p.id DESC LIMIT $3" }
};


/*
 * Lower case as prompt_fold() has it, which goes through ICU and takes long;
 * for ASCII there is a shorter way.
 */
#define PROMPT_FOLD(text)                                                    \
    "CASE WHEN octet_length(" text ") = char_length(" text ")"               \
    " THEN lower(" text " COLLATE \"C\") ELSE prompt_fold(" text ") END"

#define PROMPT_FOUND(column)                                                 \
    "strpos(" PROMPT_FOLD(column) ", (SELECT " PROMPT_FOLD("$4") ")) > 0"

/* as many as $5 are looked at, however few are found */
const prompt_source_t  prompt_sql_prompt_search = {
    "SELECT p.id, coalesce(" PROMPT_FOUND("p.name")
    " OR " PROMPT_FOUND("p.description") ", false)"
    " FROM prompts p WHERE p.owner_id = ANY (ARRAY[$1])"
    " AND p.owner_id BETWEEN $1 AND $1"
    " AND (p.owner_id, p.id) < ($1, $2) AND p.state = 0"
    " AND ($3::text IS NULL OR p.category = $3)"
    " ORDER BY p.owner_id DESC, p.id DESC LIMIT $5",
    "uuttl", 2, PROMPT_STATEMENT_READS
};


#define PROMPT_CREATE_TAKEN                                                  \
    "EXISTS (SELECT FROM prompts o WHERE o.owner_id = $3 AND o.name = $2)"

const prompt_source_t  prompt_sql_prompt_create = {
    "WITH r AS ("
    PROMPT_ROOM_SQL("$3", "1", "0", "",
                    "prompts_quota = {by quota_prompts}"
                    " AND NOT " PROMPT_CREATE_TAKEN)
    "), t AS MATERIALIZED (SELECT "
    PROMPT_ROOM_ANEW("$3", "1", "0", "NOT " PROMPT_CREATE_TAKEN)
    " AS room), c AS ("
    "INSERT INTO prompts AS p ({prompt create}, created_at, updated_at,"
    " created_by) SELECT {prompt create_values}, $1, $1, {by author}"
    " FROM t WHERE t.room = 0"
    " ON CONFLICT (owner_id, name) DO NOTHING"
    " RETURNING {prompt all}), "
    PROMPT_AUDIT("'Prompt', id, name, CASE WHEN is_public THEN"
                 " json_build_object('after', json_build_object('isPublic',"
                 " true)) END FROM c")
    "SELECT CASE WHEN c.id IS NOT NULL THEN 0"
    " WHEN t.room = 0 THEN prompt_room_lost()"
    " WHEN " PROMPT_CREATE_TAKEN " THEN 3 ELSE t.room END, {prompt row c}"
    " FROM t LEFT JOIN c ON true",
    "ztu", 1, PROMPT_STATEMENT_COMMITS
};


/* of prompt $1 the first label that the actor may not move */
#define PROMPT_PROTECTED_LABEL                                               \
    "l AS MATERIALIZED ("                                                    \
    "SELECT x.label FROM protected g JOIN prompts p"                         \
    " ON p.id = $1 AND p.owner_id = $2 AND p.state = 0 JOIN prompt_labels x" \
    " ON x.owner_id = $2 AND x.prompt_id = $1 AND x.label = ANY (g.labels)"

/*
 * The row is held first, so that o is what it was just before the change.  Who
 * runs a protected label of that name is not to get another prompt's: so $4,
 * the name, stays.
 */
const prompt_source_t  prompt_sql_prompt_update = {
    "WITH " PROMPT_PROTECTED ", "
    PROMPT_PROTECTED_LABEL " WHERE $4 IS NOT NULL AND p.name <> $4"
    " ORDER BY x.label LIMIT 1), "
    "o AS ("
    "SELECT name, category, is_public, description FROM prompts"
    " WHERE id = $1 AND owner_id = $2 AND state = 0 FOR NO KEY UPDATE), "
    "c AS ("
    "UPDATE prompts AS p SET {prompt change}, " PROMPT_TOUCH
    " WHERE id = $1 AND owner_id = $2 AND state = 0 AND EXISTS (TABLE o)"
    " AND NOT EXISTS (TABLE l) RETURNING {prompt all}), "
    PROMPT_AUDIT("'Prompt', c.id, c.name, json_strip_nulls(json_build_object("
                 "'before', json_build_object("
                 PROMPT_AUDIT_BEFORE("name", "name") ", "
                 PROMPT_AUDIT_BEFORE("category", "category") ", "
                 PROMPT_AUDIT_BEFORE("isPublic", "is_public") "),"
                 " 'after', json_build_object("
                 PROMPT_AUDIT_AFTER("name", "name") ", "
                 PROMPT_AUDIT_AFTER("category", "category") ", "
                 PROMPT_AUDIT_AFTER("isPublic", "is_public") "),"
                 " 'changed', CASE WHEN o.description"
                 " IS DISTINCT FROM c.description"
                 " THEN json '[\"description\"]' END)) FROM c, o")
    "SELECT CASE WHEN c.id IS NOT NULL THEN 0"
    " WHEN l.label IS NOT NULL THEN 9"
    " ELSE " PROMPT_OTHERWISE " END, {prompt row c}, l.label"
    " FROM (VALUES (1)) AS one LEFT JOIN c ON true LEFT JOIN l ON true",
    "uu", 2, PROMPT_STATEMENT_COMMITS
};


/*
 * The name: 116 characters of the original's, "-fork-" and six, which makes
 * 128; no hyphen before "-fork", since names have no double ones.
 *
 * The ids of the versions: random ones of PostgreSQL's (version 4), with the
 * time of the new prompt's id in front and the version digit of UUIDv7.
 *
 * What is large is copied in steps, and only begun here: the copy is hidden
 * (state 2) until all of its versions are there.  Sizes are known without
 * reading the texts.
 */
#define PROMPT_COPY_SQL(copy)                                                \
    "INSERT INTO prompt_versions"                                            \
    " (id, prompt_id, owner_id, version, created_at, created_by,"             \
    " {version copy})"                                                       \
    " SELECT (substr(c.id::text, 1, 14) || '7'"                              \
    " || substr(gen_random_uuid()::text, 16))::uuid,"                        \
    " c.id, c.owner_id, v.version, c.created_at, c.created_by,"              \
    " {version copy v} "                                                     \
    copy

#define PROMPT_FORKED(from)                                                  \
    "'Prompt', id, name, json_build_object('from', " from "::uuid,"          \
    " 'versions', last_version) FROM c"

const prompt_source_t  prompt_sql_prompt_fork = {
    "WITH target AS ("
    "SELECT owner_id, name, {prompt copy}, last_version, bytes,"
    " (owner_id = $2 OR is_public) AS allowed,"
    " CASE WHEN last_version <= $5 THEN ("
    "SELECT coalesce(sum({version size v}), 0) > $6"
    " FROM prompt_versions v"
    " WHERE v.owner_id = o.owner_id AND v.prompt_id = $1)"
    " ELSE true END AS large"
    " FROM prompts o WHERE id = $1 AND state = 0), "
    "r AS ("
    PROMPT_ROOM_SQL("$2", "1", "o.bytes", "FROM target o ",
                    "prompts_quota = {by quota_prompts}"
                    " AND bytes_quota = {by quota_bytes} AND o.allowed"
                    " AND o.last_version <= {by quota_versions}")
    "), t AS MATERIALIZED (SELECT o.*, "
    PROMPT_ROOM_ANEW("$2", "1", "o.bytes",
                     "o.allowed AND o.last_version <= {by quota_versions}")
    " AS room FROM target o), "
    "c AS ("
    "INSERT INTO prompts AS p (id, owner_id, name, {prompt copy},"
    " is_public, last_version, bytes, created_at, updated_at, state,"
    " created_by)"
    " SELECT $3, $2, rtrim(left(name, 116), '-') || '-fork-' || $4,"
    " {prompt copy}, false, last_version, bytes,"
    " $7, CASE WHEN large THEN now() ELSE $7 END,"
    " CASE WHEN large THEN 2 ELSE 0 END, {by author}"
    " FROM t WHERE room = 0"
    " ON CONFLICT (owner_id, name) DO NOTHING"
    " RETURNING {prompt all}, created_at, state), "
    "versions AS ("
    PROMPT_COPY_SQL("FROM c CROSS JOIN target t JOIN prompt_versions v"
                    " ON v.owner_id = t.owner_id AND v.prompt_id = $1"
                    " WHERE c.state = 0")
    "), "
    PROMPT_AUDIT(PROMPT_FORKED("$1") " WHERE state = 0")
    "SELECT CASE WHEN c.state = 2 THEN 6 WHEN c.id IS NOT NULL THEN 0"
    " WHEN t.allowed IS NULL THEN 1 WHEN NOT t.allowed THEN 2"
    " WHEN t.last_version > {by quota_versions} THEN 13"
    " WHEN t.room = 0 THEN prompt_room_lost() ELSE t.room END,"
    " {prompt row c}"
    " FROM (VALUES (1)) AS one LEFT JOIN t ON true LEFT JOIN c ON true",
    "uuutilz", 1, PROMPT_STATEMENT_COMMITS
};


/*
 * The versions of a step are one range, by their number and by their sizes
 * added up, at least one.  Nobody waits for the disk: the last statement of a
 * copy does.
 *
 * Versions do not change and none goes alone, so that the copy is what the
 * original was when it was begun.  Where one is missing the original is gone.
 */
const prompt_source_t  prompt_sql_prompt_fork_step = {
    "WITH c AS ("
    "SELECT id, owner_id, last_version, created_at, created_by FROM prompts"
    " WHERE id = $1 AND owner_id = $2 AND state = 2"
    " AND set_config('synchronous_commit', 'off', true) IS NOT NULL), "
    "source AS ("
    "SELECT v.owner_id, v.version, {version size v} AS size,"
    " sum({version size v}) OVER (ORDER BY v.version) AS total"
    " FROM (SELECT x.* FROM prompt_versions x JOIN prompts o"
    " ON o.owner_id = x.owner_id AND o.id = x.prompt_id AND o.state = 0"
    " WHERE x.prompt_id = $3 AND x.version > $4"
    " AND x.version <= (SELECT last_version FROM c)"
    " ORDER BY x.version LIMIT $5) v), "
    "copied AS ("
    PROMPT_COPY_SQL("FROM c, source s JOIN prompt_versions v"
                    " ON v.owner_id = s.owner_id AND v.prompt_id = $3"
                    " AND v.version = s.version"
                    " WHERE s.total - s.size < $6")
    " RETURNING version) "
    "SELECT CASE WHEN c.id IS NULL OR n.last IS NULL THEN 1"
    " WHEN n.last < c.last_version THEN 6 ELSE 0 END, n.last"
    " FROM (SELECT max(version) AS last FROM copied) n LEFT JOIN c ON true",
    "uuuill", 2, PROMPT_STATEMENT_WRITES
};


const prompt_source_t  prompt_sql_prompt_fork_end = {
    "WITH c AS ("
    "UPDATE prompts AS p SET state = 0, updated_at = created_at"
    " WHERE id = $1 AND owner_id = $2 AND state = 2 AND last_version ="
    " (SELECT count(*) FROM prompt_versions"
    " WHERE owner_id = $2 AND prompt_id = $1)"
    " RETURNING {prompt all}), "
    PROMPT_AUDIT(PROMPT_FORKED("$3"))
    "SELECT CASE WHEN c.id IS NULL THEN 1 ELSE 0 END, {prompt row c}"
    " FROM (VALUES (1)) AS one LEFT JOIN c ON true",
    "uuu", 1, PROMPT_STATEMENT_COMMITS
};


const prompt_source_t  prompt_sql_prompt_fork_abandon = {
    "UPDATE prompts SET state = 1"
    " WHERE id = $1 AND owner_id = $2 AND state = 2 RETURNING id",
    "uu", 1, PROMPT_STATEMENT_WRITES
};


/*
 * Hides the prompt and frees its name: no name begins with a slash.  What
 * belongs to it is removed by the statement behind this one, or where that is
 * much, after it.  The row is held by the one before, so that labels are as
 * they will be.
 */
const prompt_source_t  prompt_sql_prompt_delete = {
    "WITH " PROMPT_PROTECTED ", "
    PROMPT_PROTECTED_LABEL " ORDER BY x.label LIMIT 1), "
    "c AS ("
    "UPDATE prompts SET state = 1, name = '/' || id, is_public = false"
    " WHERE id = $1 AND owner_id = $2 AND state = 0"
    " AND NOT EXISTS (SELECT FROM l) RETURNING id), "
    PROMPT_AUDIT("'Prompt', o.id, o.name, NULL"
                 " FROM c JOIN prompts o USING (id)")
    "SELECT CASE WHEN c.id IS NOT NULL THEN 0"
    " WHEN l.label IS NOT NULL THEN 9"
    " ELSE " PROMPT_OTHERWISE " END, l.label"
    " FROM (VALUES (1)) AS one LEFT JOIN c ON true LEFT JOIN l ON true",
    "uu", 2, PROMPT_STATEMENT_COMMITS
};


const prompt_source_t  prompt_sql_prompt_remove = {
    "SELECT prompt, version, execution"
    " FROM prompt_remove($1, NULL, NULL, $2, $3)",
    "uii", 3, PROMPT_STATEMENT_WRITES
};


/* waits for the disk: what is not there for good is not marked as dead */
const prompt_source_t  prompt_sql_prompt_sweep = {
    "SELECT prompt, version, execution"
    " FROM prompt_remove($1, $2, $3, 0, $4)",
    "uiui", 3, PROMPT_STATEMENT_COMMITS
};


bool
prompt_read(prompt_query_t *query, const prompt_range_t *range,
    prompt_mask_t mask)
{
    return prompt_append_family(query, PROMPT_FAMILY_PROMPT_BY_ID, range,
                                NULL, mask);
}


bool
prompt_search(prompt_query_t *query, const prompt_range_t *range,
    prompt_str_t text, uint32_t limit)
{
    return prompt_append(query, PROMPT_STATEMENT_PROMPT_SEARCH,
                         prompt_as_uuid(range->caller),
                         prompt_as_below(range->after),
                         prompt_as_text(range->category), prompt_as_text(text),
                         prompt_as_limit(limit));
}


bool
prompt_search_row(const prompt_rows_t *rows, unsigned row, prompt_str_t *id)
{
    *id = prompt_rows_cell(rows, row, 0);

    return prompt_cell_bool(prompt_rows_cell(rows, row, 1));
}


bool
prompt_create(prompt_query_t *query, const prompt_record_t *prompt)
{
    return prompt_append(query, PROMPT_STATEMENT_PROMPT_CREATE,
                         prompt_as_id_time(prompt->id),
                         prompt_as_text(prompt->name),
                         prompt_as_uuid(prompt->owner_id),
                         prompt_as_create(&prompt_prompt_resource, prompt));
}


bool
prompt_update(prompt_query_t *query, prompt_str_t id, prompt_str_t caller,
    prompt_mask_t given, const prompt_record_t *prompt)
{
    return prompt_append(query, PROMPT_STATEMENT_PROMPT_UPDATE,
                         prompt_as_uuid(id), prompt_as_uuid(caller),
                         prompt_as_change(&prompt_prompt_resource, given,
                                          prompt));
}


bool
prompt_fork(prompt_query_t *query, prompt_str_t id, prompt_str_t caller,
    prompt_str_t new_id, prompt_str_t suffix)
{
    if (suffix.len != PROMPT_FORK_SUFFIX_LEN) {
        return false;
    }

    return prompt_append(query, PROMPT_STATEMENT_PROMPT_FORK,
                         prompt_as_uuid(id), prompt_as_uuid(caller),
                         prompt_as_uuid(new_id), prompt_as_text(suffix),
                         prompt_as_int4(PROMPT_FORK_VERSIONS),
                         prompt_as_int8(PROMPT_FORK_BYTES),
                         prompt_as_id_time(new_id));
}


bool
prompt_fork_step(prompt_query_t *query, prompt_str_t id, prompt_str_t caller,
    prompt_str_t new_id, int32_t last)
{
    return prompt_append(query, PROMPT_STATEMENT_PROMPT_FORK_STEP,
                         prompt_as_uuid(new_id), prompt_as_uuid(caller),
                         prompt_as_uuid(id), prompt_as_int4(last),
                         prompt_as_int8(PROMPT_FORK_STEP),
                         prompt_as_int8(PROMPT_FORK_BYTES));
}


prompt_outcome_t
prompt_fork_step_row(const prompt_rows_t *rows, int32_t *last)
{
    if (rows->count == 1) {
        *last = (int32_t) prompt_cell_int(prompt_rows_cell(rows, 0, 1));
    }

    return prompt_outcome_row(rows);
}


bool
prompt_fork_end(prompt_query_t *query, prompt_str_t id, prompt_str_t caller,
    prompt_str_t new_id)
{
    return prompt_append(query, PROMPT_STATEMENT_PROMPT_FORK_END,
                         prompt_as_uuid(new_id), prompt_as_uuid(caller),
                         prompt_as_uuid(id));
}


bool
prompt_fork_abandon(prompt_query_t *query, prompt_str_t caller,
    prompt_str_t new_id)
{
    return prompt_append(query, PROMPT_STATEMENT_PROMPT_FORK_ABANDON,
                         prompt_as_uuid(new_id), prompt_as_uuid(caller));
}


prompt_outcome_t
prompt_changed_row(const prompt_rows_t *rows, prompt_record_t *prompt)
{
    prompt_outcome_t  outcome;

    outcome = prompt_outcome_row(rows);

    if (outcome == PROMPT_OUTCOME_DONE) {
        prompt->allowed = true;
        prompt_columns_read_returned(&prompt_prompt_resource, rows, 0, 1,
                                     prompt);
    }

    return outcome;
}


prompt_str_t
prompt_update_label(const prompt_rows_t *rows)
{
    const prompt_statement_t  *statement;

    statement = prompt_statement_fixed(PROMPT_STATEMENT_PROMPT_UPDATE);

    return prompt_rows_cell(rows, 0, statement->ncolumns - 1);
}


bool
prompt_delete(prompt_query_t *query, prompt_str_t id, prompt_str_t caller)
{
    return prompt_label_lock(query, id, caller)
           && prompt_append(query, PROMPT_STATEMENT_PROMPT_DELETE,
                            prompt_as_uuid(id), prompt_as_uuid(caller))
           && prompt_append(query, PROMPT_STATEMENT_PROMPT_REMOVE,
                            prompt_as_uuid(id),
                            prompt_as_int4(PROMPT_REMOVE_ROWS),
                            prompt_as_int4(PROMPT_REMOVE_TIME));
}


prompt_outcome_t
prompt_delete_row(const prompt_rows_t *rows, prompt_str_t *label)
{
    rows += PROMPT_DELETE_REMOVED - 1;
    *label = rows->count == 1 ? prompt_rows_cell(rows, 0, 1)
                              : prompt_str_absent;

    return prompt_outcome_row(rows);
}


bool
prompt_sweep(prompt_query_t *query, const prompt_removal_t *removal)
{
    prompt_str_t   id, execution;

    id = prompt_str_absent;
    execution = prompt_str_absent;

    if (removal->known) {
        id = prompt_str_of(removal->id, PROMPT_UUID_LEN);
        execution = prompt_str_of(removal->execution, PROMPT_UUID_LEN);
    }

    return prompt_append(query, PROMPT_STATEMENT_PROMPT_SWEEP,
                         prompt_as_text(id), prompt_as_int4(removal->version),
                         prompt_as_text(execution),
                         prompt_as_int4(PROMPT_REMOVE_TIME));
}


prompt_removed_t
prompt_removed_row(const prompt_rows_t *rows, prompt_removal_t *removal)
{
    prompt_str_t  id, version, execution;

    memset(removal, 0, sizeof(prompt_removal_t));

    if (rows->count != 1) {
        return PROMPT_REMOVED_NONE;
    }

    id = prompt_rows_cell(rows, 0, 0);
    version = prompt_rows_cell(rows, 0, 1);
    execution = prompt_rows_cell(rows, 0, 2);

    if (id.len != PROMPT_UUID_LEN) {
        return PROMPT_REMOVED_NONE;
    }

    if (version.data == NULL) {
        return PROMPT_REMOVED_ALL;
    }

    removal->known = true;
    removal->version = (int32_t) prompt_cell_int(version);
    memcpy(removal->id, id.data, PROMPT_UUID_LEN);

    /* none of that version was looked at: all are below this one */

    memset(removal->execution, 0xff, PROMPT_UUID_LEN);

    if (execution.len == PROMPT_UUID_LEN) {
        memcpy(removal->execution, execution.data, PROMPT_UUID_LEN);
    }

    return PROMPT_REMOVED_SOME;
}
