/*
 * What came of a statement that may find nothing, or something that the
 * caller must not touch.  The statements themselves answer with these
 * numbers, in one row, so that the distinction and the deed are one atomic
 * step.
 */

#ifndef PROMPT_STORE_OUTCOME_H
#define PROMPT_STORE_OUTCOME_H

#include "store/value.h"


typedef enum {
    PROMPT_OUTCOME_DONE = 0,
    PROMPT_OUTCOME_NOT_FOUND = 1,    /* no such prompt */
    PROMPT_OUTCOME_FORBIDDEN = 2,    /* there, but not for this caller */
    PROMPT_OUTCOME_NAME_TAKEN = 3,   /* the owner has another of that name */
    PROMPT_OUTCOME_NO_VERSION = 4,   /* the prompt lacks that (any) version */
    PROMPT_OUTCOME_BROKEN = 5,       /* a result that no statement gives */
    PROMPT_OUTCOME_MORE = 6,         /* begun: there are further steps */
    PROMPT_OUTCOME_TOO_MANY = 7,     /* the prompt has so many already */
    PROMPT_OUTCOME_NO_LABEL = 8,     /* the prompt lacks that label */
    PROMPT_OUTCOME_PROTECTED = 9,    /* a label that others may move */
    PROMPT_OUTCOME_ROOM = 10,        /* nothing was done: room of the project
                                        is to be shared out anew */
    PROMPT_OUTCOME_PROMPTS = 11,     /* a quota: the project has so many */
    PROMPT_OUTCOME_BYTES = 12,       /* likewise */
    PROMPT_OUTCOME_VERSIONS = 13,    /* likewise, the prompt */
    PROMPT_OUTCOME_RUNNING = 14,     /* the execution */
    PROMPT_OUTCOME_MEMBERS = 15,     /* a quota: the project has so many */
    PROMPT_OUTCOME_PERSONAL = 20,    /* not with a personal project */
    PROMPT_OUTCOME_LAST_OWNER = 21,  /* which would be left without one */
    PROMPT_OUTCOME_MEMBER = 22,      /* who is one already */
    PROMPT_OUTCOME_ELSEWHERE = 23,   /* no right in the other project */
    PROMPT_OUTCOME_NO_EXECUTION = 24,    /* no such execution */
    PROMPT_OUTCOME_NOT_PAID = 25,    /* one that another project paid for */
    PROMPT_OUTCOME_NO_INPUT = 26,    /* one whose input was not recorded */
    PROMPT_OUTCOME_NO_CAP = 27       /* a run that may cost anything */
} prompt_outcome_t;


/*
 * What a change of prompt $1 by its owner $2 answers with that found nothing
 * to change.  It is looked at then only.
 */
#define PROMPT_OTHERWISE                                                     \
    "coalesce((SELECT CASE WHEN t.owner_id <> $2 THEN 2 END"                 \
    " FROM prompts t WHERE t.id = $1 AND t.state = 0), 1)"


/*
 * Of the project $2 the labels that the actor may not move, which whoever
 * changes them waits to change until the transaction is over.  A prompt's row
 * is held before that.
 */
#define PROMPT_PROTECTED_OF(project)                                         \
    "protected AS MATERIALIZED ("                                            \
    "SELECT protected_labels AS labels FROM projects WHERE id = " project    \
    " AND NOT {by promotes} FOR SHARE)"
#define PROMPT_PROTECTED  PROMPT_PROTECTED_OF("$2")


static inline prompt_outcome_t
prompt_outcome_row(const prompt_rows_t *rows)
{
    return rows->count == 1
           ? (prompt_outcome_t) prompt_cell_int(prompt_rows_cell(rows, 0, 0))
           : PROMPT_OUTCOME_BROKEN;
}


/* how many rows a sweep removed */
static inline int64_t
prompt_swept_row(const prompt_rows_t *rows)
{
    return rows->count == 1 ? prompt_cell_int(prompt_rows_cell(rows, 0, 0))
                            : 0;
}

#endif /* PROMPT_STORE_OUTCOME_H */
