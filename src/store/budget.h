/*
 * Budgets: what a project, or a key of it, may spend in a day, a month, or
 * ever.
 *
 *     reserve   with the start of an execution (execution.h): the most that it
 *               may cost, of each budget that it is under, or it is not started
 *     settle    with its end: what it did cost, in the place of that
 *
 * What nobody settles counts as spent when the execution is given up, as lost.
 *
 * At first each connection to the database reserves in its own part of the
 * budgets.  Where that has no room a start is refused without saying by which,
 * and is to be sent once more, exact: then all parts are looked at, by one
 * query of the project at a time (`locks`).
 *
 * Functions that read or change append one statement to the query; false:
 * memory is short, or the query is full.  Views in rows live as long as the
 * rows.
 */

#ifndef PROMPT_STORE_BUDGET_H
#define PROMPT_STORE_BUDGET_H

#include "store/column.h"


typedef struct {
    prompt_str_t    id;              /* 16 bytes */
    prompt_str_t    key_id;          /* 16 bytes; absent: of the project */
    prompt_str_t    limit_usd;       /* decimal text */
    prompt_str_t    per;             /* DAY, MONTH, TOTAL */
    prompt_str_t    spent_usd;       /* decimal text, in this period */
    prompt_str_t    reserved_usd;    /* the same, of calls that run */
    prompt_maybe_t  warn_at_percent; /* 1 to 100; unknown: never */
    prompt_maybe_t  resets_at;       /* time; unknown: never */
} prompt_budget_t;


/* why an execution was not started */
typedef struct {
    prompt_str_t    per;
    bool            of_key;
    prompt_str_t    limit_usd;
    prompt_maybe_t  resets_at;       /* unknown: never */
} prompt_budget_refusal_t;


/* its columns */
extern const prompt_resource_t  prompt_budget_resource;


/*
 * Makes a budget of the project, id being a new one; or changes limit and
 * warning of the one that there is for the same key and period.  One row, its
 * id; none where the key is not one of the project's.
 */
bool prompt_budget_set(prompt_query_t *query, prompt_str_t project,
    const prompt_budget_t *budget) PROMPT_WARN_UNUSED;

/* One row, true; none where the project has none of that id. */
bool prompt_budget_remove(prompt_query_t *query, prompt_str_t id,
    prompt_str_t project) PROMPT_WARN_UNUSED;

/*
 * Those of the project and its keys: the project's first, then by key; of each
 * by day, month, total.
 */
bool prompt_budget_list(prompt_query_t *query, prompt_str_t project)
    PROMPT_WARN_UNUSED;

/* a row of the list */
void prompt_budget_row(const prompt_rows_t *rows, unsigned row,
    prompt_budget_t *budget);

/*
 * The hashes by which the caches know who acts in the project, a row each: to
 * be revoked after one was set, as they say that there is none.
 */
bool prompt_budget_hashes(prompt_query_t *query, prompt_str_t project)
    PROMPT_WARN_UNUSED;

/*
 * What a start that reserves came to, of its only row.  True: there was room.
 * False: there was none, and refusal->per is absent where it was not exact.
 */
bool prompt_budget_reserved_row(const prompt_rows_t *rows,
    prompt_budget_refusal_t *refusal);

/*
 * What is to be told where the end of an execution settled what it had
 * reserved, of its only row: that of some budgets as much is spent by now as
 * they warn of, which and how much; once a period.  Absent: nothing.
 */
static inline prompt_str_t
prompt_budget_warning(const prompt_rows_t *rows)
{
    return prompt_rows_cell(rows, 0, 1);
}

#endif /* PROMPT_STORE_BUDGET_H */
