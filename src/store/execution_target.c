/*
 * Executions: what is to be executed.
 */

#include "store/execution.h"
#include "store/statement_impl.h"


/*
 * The latest version is the prompt's last_version, that of a label stands
 * beside it: all come from the same snapshot.  One row, or none where there is
 * no such prompt.
 *
 * OFFSET: the version is looked up by its number.  Joined as a table, all of
 * a prompt were read where most prompts have one.
 */
#define PROMPT_EXECUTION_TARGET_SQL(none, version, more, from, which, owner) \
    "SELECT CASE WHEN p.owner_id <> $2 AND NOT p.is_public THEN 2"           \
    " WHEN v.id IS NULL THEN " none " ELSE 0 END,"                           \
    " p.owner_id, p.updated_at, v.version, v.content, v.params,"             \
    " v.input_schema, v.messages, p.id, v.output_schema" more                \
    " FROM prompts p" from " LEFT JOIN LATERAL"                              \
    " (SELECT x.id, x.version, x.content, x.params, x.input_schema,"         \
    " x.messages, x.output_schema FROM prompt_versions x"                    \
    " WHERE x.owner_id = " owner " AND x.prompt_id = p.id"                   \
    " AND x.version = " version " OFFSET 0) v"                               \
    " ON p.owner_id = $2 OR p.is_public"                                     \
    " WHERE " which " AND p.state = 0"

#define PROMPT_EXECUTION_LATEST(which, owner)                                \
    PROMPT_EXECUTION_TARGET_SQL("4", "coalesce($3, p.last_version)",         \
                                ", NULL, NULL, NULL, NULL", "", which, owner)

/*
 * $4: where the label names none, it is the latest.  Of a split it is the
 * version of $5's slot: as prompt_split_slot() has it.
 */
#define PROMPT_EXECUTION_SLOT                                                \
    "(('x' || left(encode(sha256(uuid_send(l.salt) || $5), 'hex'), 8))"      \
    "::bit(32)::bigint % 1000)::integer"

#define PROMPT_EXECUTION_LABEL(which, owner)                                 \
    PROMPT_EXECUTION_TARGET_SQL("CASE WHEN $4 THEN 4 ELSE 8 END",            \
        "coalesce(CASE WHEN l.slots IS NULL THEN l.version"                  \
        " ELSE (l.split -> get_byte(l.slots, " PROMPT_EXECUTION_SLOT ")"     \
        " ->> 'version')::integer END,"                                      \
        " CASE WHEN $4 THEN p.last_version END)",                            \
        ", l.set_at, l.split, l.salt, l.slots",                              \
        " LEFT JOIN LATERAL (SELECT x.version, x.set_at, x.split, x.salt,"   \
        " x.slots FROM prompt_labels x WHERE x.owner_id = " owner            \
        " AND x.prompt_id = p.id AND x.label = $3 OFFSET 0) l ON true",      \
        which, owner)

/* which prompt, and whose: of a name, the caller's */
#define PROMPT_EXECUTION_BY_ID    "p.id = $1", "p.owner_id"
#define PROMPT_EXECUTION_BY_NAME  "p.owner_id = $2 AND p.name = $1", "$2"

#define PROMPT_EXECUTION_MAKE(make, of)  make(of)

const prompt_source_t  prompt_sql_execution_target = {
    PROMPT_EXECUTION_MAKE(PROMPT_EXECUTION_LATEST,
                          PROMPT_EXECUTION_BY_ID),
    "uui", 14, PROMPT_STATEMENT_READS
};

const prompt_source_t  prompt_sql_execution_named = {
    PROMPT_EXECUTION_MAKE(PROMPT_EXECUTION_LATEST,
                          PROMPT_EXECUTION_BY_NAME),
    "tui", 14, PROMPT_STATEMENT_READS
};

const prompt_source_t  prompt_sql_execution_labelled = {
    PROMPT_EXECUTION_MAKE(PROMPT_EXECUTION_LABEL,
                          PROMPT_EXECUTION_BY_ID),
    "uutby", 14, PROMPT_STATEMENT_READS
};

const prompt_source_t  prompt_sql_execution_named_labelled = {
    PROMPT_EXECUTION_MAKE(PROMPT_EXECUTION_LABEL,
                          PROMPT_EXECUTION_BY_NAME),
    "tutby", 14, PROMPT_STATEMENT_READS
};


bool
prompt_execution_target(prompt_query_t *query, prompt_str_t prompt_id,
    prompt_str_t caller, prompt_maybe_t version)
{
    return prompt_append(query, PROMPT_STATEMENT_EXECUTION_TARGET,
                         prompt_as_uuid(prompt_id), prompt_as_uuid(caller),
                         prompt_as_maybe_int4(version));
}


bool
prompt_execution_labelled(prompt_query_t *query, prompt_str_t prompt_id,
    prompt_str_t caller, prompt_str_t label, bool or_latest,
    prompt_str_t subject)
{
    return prompt_append(query, PROMPT_STATEMENT_EXECUTION_LABELLED,
                         prompt_as_uuid(prompt_id), prompt_as_uuid(caller),
                         prompt_as_text(label), prompt_as_bool(or_latest),
                         prompt_as_text(subject));
}


bool
prompt_execution_named(prompt_query_t *query, prompt_str_t name,
    prompt_str_t caller, prompt_maybe_t version, prompt_str_t label,
    bool or_latest, prompt_str_t subject)
{
    if (label.data != NULL) {
        return prompt_append(query, PROMPT_STATEMENT_EXECUTION_NAMED_LABELLED,
                             prompt_as_text(name), prompt_as_uuid(caller),
                             prompt_as_text(label), prompt_as_bool(or_latest),
                             prompt_as_text(subject));
    }

    return prompt_append(query, PROMPT_STATEMENT_EXECUTION_NAMED,
                         prompt_as_text(name), prompt_as_uuid(caller),
                         prompt_as_maybe_int4(version));
}


prompt_outcome_t
prompt_execution_target_row(const prompt_rows_t *rows,
    prompt_execution_target_t *target)
{
    int64_t  outcome;

    if (rows->count == 0) {
        return PROMPT_OUTCOME_NOT_FOUND;
    }

    outcome = prompt_cell_int(prompt_rows_cell(rows, 0, 0));

    target->owner_id = prompt_rows_cell(rows, 0, 1);
    target->prompt_id = prompt_rows_cell(rows, 0, 8);

    if (outcome != PROMPT_OUTCOME_DONE) {
        return (prompt_outcome_t) outcome;
    }

    target->updated_at = prompt_cell_time(prompt_rows_cell(rows, 0, 2));
    target->version = (int32_t) prompt_cell_int(prompt_rows_cell(rows, 0, 3));
    target->content = prompt_rows_cell(rows, 0, 4);
    target->params = prompt_rows_cell(rows, 0, 5);
    target->input_schema = prompt_rows_cell(rows, 0, 6);
    target->messages = prompt_rows_cell(rows, 0, 7);
    target->output_schema = prompt_rows_cell(rows, 0, 9);
    target->set_at = prompt_cell_maybe_time(prompt_rows_cell(rows, 0, 10));
    target->split = prompt_rows_cell(rows, 0, 11);
    target->salt = prompt_rows_cell(rows, 0, 12);
    target->slots = prompt_rows_cell(rows, 0, 13);

    return PROMPT_OUTCOME_DONE;
}
