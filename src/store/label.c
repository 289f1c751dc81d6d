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
    column(set_by, UUID, PROMPT_COLUMN_NULLABLE),
    column(split, OBJECTS, PROMPT_COLUMN_SHORT|PROMPT_COLUMN_NULLABLE),
    column(guard, OBJECTS, PROMPT_COLUMN_SHORT|PROMPT_COLUMN_NULLABLE)
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

    /* NULL is somebody */

    { prompt_column(prompt_label_move_t, moved_by), PROMPT_KIND_UUID,
      PROMPT_COLUMN_NULLABLE,
      "CASE WHEN m.reason IS NULL THEN m.moved_by ELSE m.id END" },
    column(split, OBJECTS, PROMPT_COLUMN_SHORT|PROMPT_COLUMN_NULLABLE),

    /* it tells of the owner's executions and their costs */

    { prompt_column(prompt_label_move_t, reason), PROMPT_KIND_TEXT,
      PROMPT_COLUMN_SHORT|PROMPT_COLUMN_NULLABLE,
      "CASE WHEN m.owner_id = @ THEN m.reason END" }
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
    "SELECT id, owner_id, name, last_version FROM prompts"                   \
    " WHERE id = $1 AND owner_id = $2 AND state = 0), "                      \
    PROMPT_PROTECTED ", "                                                    \
    "g AS MATERIALIZED ("                                                    \
    "SELECT true AS yes FROM protected WHERE $3 = ANY (labels)), "           \
    "p AS (SELECT * FROM o WHERE NOT EXISTS (SELECT FROM g)), "              \
    PROMPT_LABEL_LAST

#define PROMPT_LABEL_LAST                                                    \
    "last AS ("                                                              \
    "SELECT x.number, x.moved_at + interval '1 millisecond' AS after"        \
    " FROM prompt_label_moves x"                                             \
    " WHERE x.owner_id = $2 AND x.prompt_id = $1"                            \
    " ORDER BY x.number DESC LIMIT 1), "

/* Later than the one before by what a client can see, whatever clocks say. */
#define PROMPT_LABEL_MOVED(author)                                           \
    "INSERT INTO prompt_label_moves (id, prompt_id, owner_id, label, number,"\
    " moved_at, moved_by, version, previous_version, split, reason)"         \
    " SELECT $4, p.id, p.owner_id, $3,"                                      \
    " coalesce((SELECT number FROM last), 0) + 1,"                           \
    " greatest($5, (SELECT after FROM last)), " author ", "

#define PROMPT_LABEL_OTHERWISE                                               \
    " WHEN o.id IS NULL THEN " PROMPT_OTHERWISE                              \
    " WHEN p.id IS NULL THEN 9"

#define PROMPT_LABEL_AUDIT(version, previous)                                \
    "json_build_object('label', $3, 'before', " previous                     \
    ", 'after', " version


/*
 * A label that stands where it should is no move; a new one has to fit.  u is
 * the first version that is not there.
 */
const prompt_source_t  prompt_sql_label_set = {
    PROMPT_LABEL_SEEN
    "u AS MATERIALIZED ("
    "SELECT x.version FROM p CROSS JOIN LATERAL (SELECT $6 AS version"
    " UNION ALL SELECT (e ->> 'version')::integer"
    " FROM json_array_elements($8) e) x"
    " WHERE x.version NOT BETWEEN 1 AND p.last_version LIMIT 1), "
    "l AS ("
    "SELECT x.version, x.set_at, x.set_by, x.split, x.slots, x.guard"
    " FROM p JOIN prompt_labels x"
    " ON x.owner_id = $2 AND x.prompt_id = p.id AND x.label = $3), "
    "m AS ("
    PROMPT_LABEL_MOVED("{by author}")
    "$6, l.version, $8, NULL"
    " FROM p LEFT JOIN l ON true"
    " WHERE NOT EXISTS (SELECT FROM u) AND ($6 <> l.version"
    " OR (l.version IS NOT NULL"
    " AND ($8::text IS DISTINCT FROM l.split::text"
    " OR $9::text IS DISTINCT FROM l.guard::text))"
    " OR (l.version IS NULL AND $7 >"
    " (SELECT count(*) FROM prompt_labels x"
    " WHERE x.owner_id = $2 AND x.prompt_id = $1)))"
    " RETURNING prompt_id, owner_id, label, version, moved_at, moved_by,"
    " split), "
    "c AS ("
    "INSERT INTO prompt_labels AS x (prompt_id, owner_id, label, version,"
    " set_at, set_by, split, split_at, guard, salt, slots)"
    " SELECT m.prompt_id, m.owner_id, m.label, m.version, m.moved_at,"
    " m.moved_by, m.split, CASE WHEN m.split IS NOT NULL THEN m.moved_at END,"
    " $9, CASE WHEN m.split IS NOT NULL THEN $4 END,"
    " CASE WHEN m.split IS NOT NULL THEN"
    " prompt_split_slots(l.version, l.split, l.slots, m.split) END"
    " FROM m LEFT JOIN l ON true"
    " ON CONFLICT ON CONSTRAINT prompt_labels_pkey DO UPDATE"
    " SET version = excluded.version, set_at = excluded.set_at,"
    " set_by = excluded.set_by, split = excluded.split,"
    " split_at = excluded.split_at, guard = excluded.guard,"
    " salt = coalesce(x.salt, excluded.salt), slots = excluded.slots), "
    PROMPT_AUDIT("'Prompt', p.id, p.name,"
                 " CASE WHEN l.split IS NULL AND m.split IS NULL THEN "
                 PROMPT_LABEL_AUDIT("m.version", "l.version") ")"
                 " ELSE " PROMPT_LABEL_AUDIT("m.version", "l.version")
                 ", 'splitBefore', l.split, 'split', m.split, 'guard', $9)"
                 " END FROM p CROSS JOIN m LEFT JOIN l ON true")
    "SELECT CASE" PROMPT_LABEL_OTHERWISE
    " WHEN u.version IS NOT NULL THEN 4"
    " WHEN m.version IS NULL AND l.version IS NULL THEN 7 ELSE 0 END,"
    " coalesce(m.moved_at, l.set_at),"
    " CASE WHEN m.version IS NULL THEN l.set_by ELSE m.moved_by END, u.version"
    " FROM (VALUES (1)) AS one LEFT JOIN o ON true LEFT JOIN p ON true"
    " LEFT JOIN u ON true LEFT JOIN l ON true LEFT JOIN m ON true",
    "uutuziljj", 4, PROMPT_STATEMENT_COMMITS
};


const prompt_source_t  prompt_sql_label_remove = {
    PROMPT_LABEL_SEEN
    "c AS ("
    "DELETE FROM prompt_labels x USING p"
    " WHERE x.owner_id = $2 AND x.prompt_id = p.id AND x.label = $3"
    " RETURNING x.version), "
    "m AS ("
    PROMPT_LABEL_MOVED("{by author}")
    "NULL, c.version, NULL, NULL FROM p CROSS JOIN c), "
    PROMPT_AUDIT("'Prompt', p.id, p.name, "
                 PROMPT_LABEL_AUDIT("NULL::integer", "c.version")
                 ") FROM p CROSS JOIN c")
    "SELECT CASE" PROMPT_LABEL_OTHERWISE
    " WHEN c.version IS NULL THEN 8 ELSE 0 END"
    " FROM (VALUES (1)) AS one LEFT JOIN o ON true LEFT JOIN p ON true"
    " LEFT JOIN c ON true",
    "uutuz", 1, PROMPT_STATEMENT_COMMITS
};


/* What a guard moves is what somebody set, and stays set by them. */
const prompt_source_t  prompt_sql_label_guard = {
    "WITH p AS ("
    "SELECT id, owner_id, name FROM prompts"
    " WHERE id = $1 AND owner_id = $2 AND state = 0), "
    PROMPT_LABEL_LAST
    "l AS ("
    "SELECT x.version, x.split, x.slots, e.permille FROM p"
    " JOIN prompt_labels x"
    " ON x.owner_id = $2 AND x.prompt_id = p.id AND x.label = $3"
    " CROSS JOIN json_to_recordset(x.split) e (version integer,"
    " permille integer)"
    " WHERE x.split_at = $6 AND x.version <> $7 AND e.version = $7"
    " AND e.permille > 0), "
    "n AS ("
    "SELECT ('[' || string_agg(row_to_json(r)::text, ',' ORDER BY e.n)"
    " || ']')::json AS split FROM l CROSS JOIN LATERAL ROWS FROM"
    " (json_to_recordset(l.split) AS (version integer, permille integer))"
    " WITH ORDINALITY e (version, permille, n) CROSS JOIN LATERAL ("
    "SELECT e.version, CASE e.version WHEN $7 THEN 0"
    " WHEN l.version THEN e.permille + l.permille ELSE e.permille END"
    " AS permille) r HAVING count(*) > 0), "
    "m AS ("
    PROMPT_LABEL_MOVED("NULL")
    "l.version, l.version, n.split, $8"
    " FROM p CROSS JOIN l CROSS JOIN n RETURNING moved_at, split), "
    "c AS ("
    "UPDATE prompt_labels x SET split = m.split, set_at = m.moved_at,"
    " slots = prompt_split_slots(l.version, l.split, l.slots, m.split)"
    " FROM l CROSS JOIN m"
    " WHERE x.owner_id = $2 AND x.prompt_id = $1 AND x.label = $3), "
    PROMPT_AUDIT("'Prompt', p.id, p.name, "
                 PROMPT_LABEL_AUDIT("l.version", "l.version")
                 ", 'splitBefore', l.split, 'split', m.split, 'reason', $8)"
                 " FROM p CROSS JOIN l CROSS JOIN m")
    "SELECT true FROM m",
    "uutuzzit", 1, PROMPT_STATEMENT_COMMITS
};


const prompt_source_t  prompt_sql_label_sweep = {
    "SELECT prompt_id, owner_id, name, label, split_at,"
    " (guard ->> 'minExecutions')::bigint,"
    " (guard ->> 'maxFailurePermille')::bigint,"
    " (guard ->> 'maxLatencyRatio')::float8,"
    " (guard ->> 'maxCostRatio')::float8,"
    " version, arm,"
    " runs, failed, timed, slower, priced, mean, variance, base_timed,"
    " base_priced, base_mean, base_variance FROM prompt_guards_sweep()",
    "", 22, PROMPT_STATEMENT_COMMITS
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
                            prompt_as_int8(most),
                            prompt_as_text(label->split.cell),
                            prompt_as_text(label->guard.cell));
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

    } else if (outcome == PROMPT_OUTCOME_NO_VERSION) {
        label->version = (int32_t)
                         prompt_cell_int(prompt_rows_cell(rows, 0, 3));
    }

    return outcome;
}


bool
prompt_label_guard(prompt_query_t *query,
    const prompt_label_figures_t *figures, prompt_str_t move,
    prompt_str_t reason)
{
    return prompt_label_lock(query, figures->prompt_id, figures->owner_id)
           && prompt_append(query, PROMPT_STATEMENT_LABEL_GUARD,
                            prompt_as_uuid(figures->prompt_id),
                            prompt_as_uuid(figures->owner_id),
                            prompt_as_text(figures->label),
                            prompt_as_uuid(move), prompt_as_id_time(move),
                            prompt_as_maybe_time(
                                           prompt_maybe(figures->split_at)),
                            prompt_as_int4(figures->arm),
                            prompt_as_text(reason));
}


bool
prompt_label_sweep(prompt_query_t *query, int32_t most, prompt_maybe_t clock)
{
    (void) most;
    (void) clock;

    return prompt_append_plain(query, PROMPT_STATEMENT_LABEL_SWEEP);
}


void
prompt_label_sweep_row(const prompt_rows_t *rows, unsigned row,
    prompt_label_figures_t *figures)
{
#define cell(column)  prompt_rows_cell(rows, row, column)

    figures->prompt_id = cell(0);
    figures->owner_id = cell(1);
    figures->name = cell(2);
    figures->label = cell(3);
    figures->split_at = prompt_cell_time(cell(4));
    figures->least = prompt_cell_int(cell(5));
    figures->max_failure = prompt_cell_maybe(cell(6));
    figures->max_latency = prompt_cell_double(cell(7));
    figures->max_cost = prompt_cell_double(cell(8));
    figures->version = (int32_t) prompt_cell_int(cell(9));
    figures->arm = (int32_t) prompt_cell_int(cell(10));
    figures->runs = prompt_cell_int(cell(11));
    figures->failed = prompt_cell_int(cell(12));
    figures->timed = prompt_cell_int(cell(13));
    figures->slower = prompt_cell_int(cell(14));
    figures->priced = prompt_cell_int(cell(15));
    figures->mean = prompt_cell_double(cell(16));
    figures->variance = prompt_cell_double(cell(17));
    figures->base_timed = prompt_cell_int(cell(18));
    figures->base_priced = prompt_cell_int(cell(19));
    figures->base_mean = prompt_cell_double(cell(20));
    figures->base_variance = prompt_cell_double(cell(21));

#undef cell
}
