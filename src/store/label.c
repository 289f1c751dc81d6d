/*
 * Labels: their statements.
 */

#include "store/label.h"
#include "store/statement_impl.h"


#define column(member, kind, flags)                                          \
    prompt_column_is(prompt_label_t, member, kind, flags)

static const prompt_column_t  prompt_label_columns[] = {
    column(prompt_id, UUID, 0),
    column(label, TEXT, PROMPT_COLUMN_SHORT),
    column(version, INT, 0),
    column(set_at, TIME, 0),
    column(set_by, UUID, PROMPT_COLUMN_NULLABLE)
};

#undef column

const prompt_resource_t  prompt_label_resource = {
    "label", 'l', prompt_columns(prompt_label_columns)
};


#define column(member, kind, flags)                                          \
    prompt_column_is(prompt_label_move_t, member, kind, flags)

static const prompt_column_t  prompt_move_columns[] = {
    column(prompt_id, UUID, 0),
    column(id, UUID, 0),
    column(label, TEXT, PROMPT_COLUMN_SHORT),
    column(version, INT, PROMPT_COLUMN_NULLABLE),
    column(previous_version, INT, PROMPT_COLUMN_NULLABLE),
    column(moved_at, TIME, 0),
    column(moved_by, UUID, PROMPT_COLUMN_NULLABLE)
};

#undef column

const prompt_resource_t  prompt_move_resource = {
    "move", 'm', prompt_columns(prompt_move_columns)
};


/*
 * One prompt after the other, as PROMPT_VERSIONS_OF_EACH has versions.  But
 * without the owner: no index has it beside this order, and PostgreSQL, which
 * takes a prompt and its owner for independent, would expect one row and sort.
 */
#define PROMPT_LABELS_OF_EACH(rows)                                          \
    " CROSS JOIN LATERAL (SELECT x.* FROM prompt_labels x"                   \
    " WHERE x.prompt_id = p.id ORDER BY x.label LIMIT " rows ") l"

const prompt_family_t  prompt_label_families[PROMPT_RANGE_STATEMENTS] = {
    { "label_by_id", &prompt_label_resource, "$2", "",
      PROMPT_GUARD("$4") "prompts p" PROMPT_LABELS_OF_EACH("$3")
      " WHERE p.id = $1 AND p.state = 0 AND (p.owner_id = $2 OR p.is_public)"
      " ORDER BY l.label LIMIT $3" },

    { "label_by_name", &prompt_label_resource, "$1", "",
      PROMPT_GUARD("$4") "prompts p" PROMPT_LABELS_OF_EACH("$3")
      " WHERE p.owner_id = $1 AND p.name = $2 AND p.state = 0"
      " ORDER BY l.label LIMIT $3" },

    { "label_all", &prompt_label_resource, "$1", "",
      PROMPT_GUARD("$3") "(SELECT p.id FROM " PROMPT_RANGE_ALL_SQL("$2") ") p"
      PROMPT_LABELS_OF_EACH("$2") " ORDER BY p.id DESC, l.label LIMIT $2" },

    { "label_page", &prompt_label_resource, "$1", "",
      PROMPT_GUARD("$6") "(SELECT p.id FROM " PROMPT_RANGE_PAGE_SQL ") p"
      PROMPT_LABELS_OF_EACH("$5") " ORDER BY p.id DESC, l.label LIMIT $5" },

    { "label_ids", &prompt_label_resource, "$1", "",
      PROMPT_GUARD("$4") "(SELECT p.id FROM " PROMPT_RANGE_IDS_SQL ") p"
      PROMPT_LABELS_OF_EACH("$3") " ORDER BY p.id DESC, l.label LIMIT $3" }
};


#define PROMPT_MOVES_OF_EACH(after, first)                                   \
    " CROSS JOIN LATERAL (SELECT x.* FROM prompt_label_moves x"              \
    " WHERE x.prompt_id = p.id AND x.number < CASE"                          \
    " WHEN " after "::uuid IS NULL THEN 2147483648 ELSE"                     \
    " (SELECT a.number FROM prompt_label_moves a"                            \
    " WHERE a.id = " after "::uuid AND a.prompt_id = p.id) END"              \
    " ORDER BY x.number DESC LIMIT " first ") m"

const prompt_family_t  prompt_move_families[PROMPT_RANGE_STATEMENTS] = {
    { "move_by_id", &prompt_move_resource, "$2", "ul",
      PROMPT_GUARD("$6") "prompts p" PROMPT_MOVES_OF_EACH("$3", "$4")
      " WHERE p.id = $1 AND p.state = 0 AND (p.owner_id = $2 OR p.is_public)"
      " ORDER BY m.number DESC LIMIT $5" },

    { "move_by_name", &prompt_move_resource, "$1", "ul",
      PROMPT_GUARD("$6") "prompts p" PROMPT_MOVES_OF_EACH("$3", "$4")
      " WHERE p.owner_id = $1 AND p.name = $2 AND p.state = 0"
      " ORDER BY m.number DESC LIMIT $5" },

    { "move_all", &prompt_move_resource, "$1", "ul",
      PROMPT_GUARD("$5") "(SELECT p.id FROM " PROMPT_RANGE_ALL_SQL("$4") ") p"
      PROMPT_MOVES_OF_EACH("$2", "$3")
      " ORDER BY p.id DESC, m.number DESC LIMIT $4" },

    { "move_page", &prompt_move_resource, "$1", "ul",
      PROMPT_GUARD("$8") "(SELECT p.id FROM " PROMPT_RANGE_PAGE_SQL ") p"
      PROMPT_MOVES_OF_EACH("$5", "$6")
      " ORDER BY p.id DESC, m.number DESC LIMIT $7" },

    { "move_ids", &prompt_move_resource, "$1", "ul",
      PROMPT_GUARD("$6") "(SELECT p.id FROM " PROMPT_RANGE_IDS_SQL ") p"
      PROMPT_MOVES_OF_EACH("$3", "$4")
      " ORDER BY p.id DESC, m.number DESC LIMIT $5" }
};


/*
 * Whoever moves a label holds the prompt's row until its transaction ends, as
 * who adds a version does.  A statement sees the labels as they were when it
 * began: so the row is held by one of its own, and the next begins when it is.
 */
const prompt_source_t  prompt_sql_label_lock = {
    "SELECT true FROM prompts WHERE id = $1 AND owner_id = $2 AND state = 0"
    " FOR NO KEY UPDATE",
    "uu", 1, PROMPT_STATEMENT_COMMITS
};


/* p: the prompt, where its label may be moved; g: where it is protected */
#define PROMPT_LABEL_SEEN                                                    \
    "WITH o AS ("                                                            \
    "SELECT id, owner_id, name FROM prompts"                                 \
    " WHERE id = $1 AND owner_id = $2 AND state = 0), "                      \
    PROMPT_PROTECTED ", "                                                    \
    "g AS MATERIALIZED ("                                                    \
    "SELECT true AS yes FROM protected WHERE $3 = ANY (labels)), "           \
    "p AS (SELECT * FROM o WHERE NOT EXISTS (SELECT FROM g)), "              \
    "last AS ("                                                              \
    "SELECT x.number, x.moved_at + interval '1 millisecond' AS after"        \
    " FROM prompt_label_moves x"                                             \
    " WHERE x.owner_id = $2 AND x.prompt_id = $1"                            \
    " ORDER BY x.number DESC LIMIT 1), "

/* Later than the one before by what a client can see, whatever clocks say. */
#define PROMPT_LABEL_MOVED                                                   \
    "INSERT INTO prompt_label_moves (id, prompt_id, owner_id, label, number,"\
    " moved_at, moved_by, version, previous_version)"                        \
    " SELECT $4, p.id, p.owner_id, $3,"                                      \
    " coalesce((SELECT number FROM last), 0) + 1,"                           \
    " greatest($5, (SELECT after FROM last)), {by author}, "

#define PROMPT_LABEL_OTHERWISE                                               \
    " WHEN o.id IS NULL THEN " PROMPT_OTHERWISE                              \
    " WHEN p.id IS NULL THEN 9"

#define PROMPT_LABEL_AUDIT(version, previous)                                \
    "'Prompt', p.id, p.name, json_build_object('label', $3, 'before', "      \
    previous ", 'after', " version ")"


/* A label that stands where it should is no move; a new one has to fit. */
const prompt_source_t  prompt_sql_label_set = {
    PROMPT_LABEL_SEEN
    "v AS ("
    "SELECT x.version FROM p JOIN prompt_versions x"
    " ON x.owner_id = $2 AND x.prompt_id = p.id AND x.version = $6), "
    "l AS ("
    "SELECT x.version, x.set_at, x.set_by FROM p JOIN prompt_labels x"
    " ON x.owner_id = $2 AND x.prompt_id = p.id AND x.label = $3), "
    "m AS ("
    PROMPT_LABEL_MOVED
    "v.version, l.version"
    " FROM p CROSS JOIN v LEFT JOIN l ON true"
    " WHERE v.version <> l.version OR (l.version IS NULL AND $7 >"
    " (SELECT count(*) FROM prompt_labels x"
    " WHERE x.owner_id = $2 AND x.prompt_id = $1))"
    " RETURNING prompt_id, owner_id, label, version, moved_at, moved_by), "
    "c AS ("
    "INSERT INTO prompt_labels (prompt_id, owner_id, label, version, set_at,"
    " set_by)"
    " SELECT prompt_id, owner_id, label, version, moved_at, moved_by FROM m"
    " ON CONFLICT ON CONSTRAINT prompt_labels_pkey DO UPDATE"
    " SET version = excluded.version, set_at = excluded.set_at,"
    " set_by = excluded.set_by), "
    PROMPT_AUDIT(PROMPT_LABEL_AUDIT("m.version", "l.version")
                 " FROM p CROSS JOIN m LEFT JOIN l ON true")
    "SELECT CASE" PROMPT_LABEL_OTHERWISE
    " WHEN v.version IS NULL THEN 4"
    " WHEN m.version IS NULL AND l.version IS NULL THEN 7 ELSE 0 END,"
    " coalesce(m.moved_at, l.set_at),"
    " CASE WHEN m.version IS NULL THEN l.set_by ELSE m.moved_by END"
    " FROM (VALUES (1)) AS one LEFT JOIN o ON true LEFT JOIN p ON true"
    " LEFT JOIN v ON true LEFT JOIN l ON true LEFT JOIN m ON true",
    "uutuzil", 3, PROMPT_STATEMENT_COMMITS
};


const prompt_source_t  prompt_sql_label_remove = {
    PROMPT_LABEL_SEEN
    "c AS ("
    "DELETE FROM prompt_labels x USING p"
    " WHERE x.owner_id = $2 AND x.prompt_id = p.id AND x.label = $3"
    " RETURNING x.version), "
    "m AS ("
    PROMPT_LABEL_MOVED
    "NULL, c.version FROM p CROSS JOIN c), "
    PROMPT_AUDIT(PROMPT_LABEL_AUDIT("NULL::integer", "c.version")
                 " FROM p CROSS JOIN c")
    "SELECT CASE" PROMPT_LABEL_OTHERWISE
    " WHEN c.version IS NULL THEN 8 ELSE 0 END"
    " FROM (VALUES (1)) AS one LEFT JOIN o ON true LEFT JOIN p ON true"
    " LEFT JOIN c ON true",
    "uutuz", 1, PROMPT_STATEMENT_COMMITS
};


bool
prompt_label_read(prompt_query_t *query, const prompt_range_t *range,
    prompt_mask_t mask)
{
    return prompt_append_family(query, PROMPT_FAMILY_LABEL_BY_ID, range,
                                NULL, mask);
}


bool
prompt_label_moves(prompt_query_t *query, const prompt_range_t *range,
    prompt_mask_t mask, uint32_t first, prompt_str_t after)
{
    return prompt_append_family(query, PROMPT_FAMILY_MOVE_BY_ID, range,
                                NULL, mask, prompt_as_maybe_uuid(after),
                                prompt_as_limit(first));
}


bool
prompt_label_lock(prompt_query_t *query, prompt_str_t id, prompt_str_t caller)
{
    return prompt_append(query, PROMPT_STATEMENT_LABEL_LOCK,
                         prompt_as_uuid(id), prompt_as_uuid(caller));
}


bool
prompt_label_set(prompt_query_t *query, prompt_str_t caller,
    const prompt_label_t *label, prompt_str_t move, uint32_t most)
{
    return prompt_label_lock(query, label->prompt_id, caller)
           && prompt_append(query, PROMPT_STATEMENT_LABEL_SET,
                            prompt_as_uuid(label->prompt_id),
                            prompt_as_uuid(caller),
                            prompt_as_text(label->label), prompt_as_uuid(move),
                            prompt_as_id_time(move),
                            prompt_as_int4(label->version),
                            prompt_as_int8(most));
}


bool
prompt_label_remove(prompt_query_t *query, prompt_str_t id,
    prompt_str_t caller, prompt_str_t label, prompt_str_t move)
{
    return prompt_label_lock(query, id, caller)
           && prompt_append(query, PROMPT_STATEMENT_LABEL_REMOVE,
                            prompt_as_uuid(id), prompt_as_uuid(caller),
                            prompt_as_text(label), prompt_as_uuid(move),
                            prompt_as_id_time(move));
}


prompt_outcome_t
prompt_label_set_row(const prompt_rows_t *rows, prompt_label_t *label)
{
    prompt_outcome_t  outcome;

    outcome = prompt_outcome_row(rows);

    if (outcome == PROMPT_OUTCOME_DONE) {
        label->set_at = prompt_cell_time(prompt_rows_cell(rows, 0, 1));
        label->set_by = prompt_rows_cell(rows, 0, 2);
    }

    return outcome;
}
