/*
 * Scores: their statements.
 */

#include "store/score.h"
#include "store/statement_impl.h"


/* n: how many there are, and the one that this takes the place of */
const prompt_source_t  prompt_sql_score_set = {
    "WITH t AS MATERIALIZED ("
    "SELECT prompt_execution_paid($1, $2) AS outcome), "
    "n AS MATERIALIZED ("
    "SELECT count(*) AS scores, max(s.value) FILTER (WHERE s.name = $4"
    " AND s.created_by = {by user}) AS before"
    " FROM scores s WHERE s.execution_id = $1), "
    "c AS ("
    "INSERT INTO scores AS s (id, execution_id, project_id, name, value,"
    " comment, source, created_by)"
    " SELECT $3, $1, $2, $4, $5::float8, $6,"
    " CASE WHEN {by key}::uuid IS NULL THEN 'HUMAN' ELSE 'API' END, {by user}"
    " FROM t, n WHERE t.outcome = 0"
    " AND (n.scores < $7 OR n.before IS NOT NULL)"
    " ON CONFLICT (execution_id, name, created_by) DO UPDATE"
    " SET id = excluded.id, value = excluded.value,"
    " comment = excluded.comment, source = excluded.source"
    " RETURNING s.*), "
    PROMPT_AUDIT("'Execution', c.execution_id, NULL,"
                 " json_strip_nulls(json_build_object('score', c.name,"
                 " 'before', n.before, 'after', c.value)) FROM c, n")
    "SELECT CASE WHEN c.id IS NOT NULL THEN 0 WHEN t.outcome = 0 THEN 7"
    " ELSE t.outcome END, json_build_array(prompt_score_json(c.id, c.name,"
    " c.value, c.comment, c.source, c.created_by))"
    " FROM t LEFT JOIN c ON true",
    "uuutttl", 2, PROMPT_STATEMENT_COMMITS
};


const prompt_source_t  prompt_sql_score_remove = {
    "WITH c AS ("
    "DELETE FROM scores s WHERE s.id = $1 AND s.project_id = $2"
    " RETURNING s.execution_id, s.name, s.value), "
    PROMPT_AUDIT("'Execution', execution_id, NULL, json_build_object("
                 "'score', name, 'before', value) FROM c")
    "SELECT true FROM c",
    "uu", 1, PROMPT_STATEMENT_COMMITS
};


bool
prompt_score_set(prompt_query_t *query, prompt_str_t project,
    const prompt_scoring_t *score, uint32_t most)
{
    return prompt_append(query, PROMPT_STATEMENT_SCORE_SET,
                         prompt_as_uuid(score->execution_id),
                         prompt_as_uuid(project), prompt_as_uuid(score->id),
                         prompt_as_text(score->name),
                         prompt_as_text(score->value),
                         prompt_as_text(score->comment),
                         prompt_as_int8(most));
}


prompt_outcome_t
prompt_score_set_row(const prompt_rows_t *rows, prompt_objects_t *list)
{
    memset(list, 0, sizeof(prompt_objects_t));

    if (rows->count == 1) {
        list->cell = prompt_rows_cell(rows, 0, 1);
    }

    return prompt_outcome_row(rows);
}


bool
prompt_score_remove(prompt_query_t *query, prompt_str_t id,
    prompt_str_t project)
{
    return prompt_append(query, PROMPT_STATEMENT_SCORE_REMOVE,
                         prompt_as_uuid(id), prompt_as_uuid(project));
}
