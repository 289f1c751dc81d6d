/*
 * Scores: what people and programs say of executions.  They belong to the
 * project that paid; what an execution has is a column of it (execution.h).
 *
 * Functions append one statement to the query; false: memory is short, or the
 * query is full.
 */

#ifndef PROMPT_STORE_SCORE_H
#define PROMPT_STORE_SCORE_H

#include "store/outcome.h"


typedef struct {
    prompt_str_t  id;                /* 16 bytes */
    prompt_str_t  execution_id;      /* 16 bytes */
    prompt_str_t  name;
    prompt_str_t  value;             /* a number as text */
    prompt_str_t  comment;           /* absent: none */
} prompt_scoring_t;


/*
 * Adds a score of the actor's, in the place of the one that they gave by that
 * name, to an execution that has `most` at most: NOT_FOUND, FORBIDDEN, TOO_MANY
 * or DONE, and the list of that one, as an execution has it.
 */
bool prompt_score_set(prompt_query_t *query, prompt_str_t project,
    const prompt_scoring_t *score, uint32_t most) PROMPT_WARN_UNUSED;
prompt_outcome_t prompt_score_set_row(const prompt_rows_t *rows,
    prompt_objects_t *list);

/* Removes one: a row, or none where the project has none of that id. */
bool prompt_score_remove(prompt_query_t *query, prompt_str_t id,
    prompt_str_t project) PROMPT_WARN_UNUSED;

#endif /* PROMPT_STORE_SCORE_H */
