/*
 * Budgets: what a project, or a key of it, may spend in a day, a month, or
 * ever.
 *
 *     reserve   with the start of an execution (execution.h): the most that it
 *               may cost, of each budget that it is under, or it is not started
 *     settle    with its end: what it did cost, in the place of that; once,
 *               however often it is sent
 *     sweep     what nobody settled long after its time counts as spent
 *
 * Sums of a project are changed by one at a time.  So queries that reserve or
 * settle have the project as `locks`, are `shared`, and settle before they
 * change anything else.
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
    prompt_str_t    per;             /* absent: no budget refused it */
    bool            of_key;
    prompt_str_t    limit_usd;
    prompt_maybe_t  resets_at;       /* unknown: never */
} prompt_budget_refusal_t;


/* its columns */
extern const prompt_resource_t  prompt_budget_resource;


/*
 * Makes a budget of the project, id being a new one; or changes limit and
 * warning of the one that there is for the same key and period.  One row, the
 * budget; none where the key is not one of the project's.
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

/* a row of what was set, or of the list */
void prompt_budget_row(const prompt_rows_t *rows, unsigned row,
    prompt_budget_t *budget);

/*
 * The hashes by which the caches know who acts in the project, a row each: to
 * be revoked after one was set, as they say that there is none.
 */
bool prompt_budget_hashes(prompt_query_t *query, prompt_str_t project)
    PROMPT_WARN_UNUSED;

/*
 * What a start that reserves came to; rows has one row.  True: something was
 * reserved, which is to be settled.
 */
bool prompt_budget_reserved_row(const prompt_rows_t *rows,
    prompt_budget_refusal_t *refusal);

/*
 * Settles what an execution of the project has reserved.  spent: decimal text;
 * absent: all of it.  A row for each budget of which as much is spent by now as
 * it warns of: once a period.
 */
bool prompt_budget_settle(prompt_query_t *query, prompt_str_t execution,
    prompt_str_t project, prompt_str_t spent) PROMPT_WARN_UNUSED;
void prompt_budget_warning_row(const prompt_rows_t *rows, unsigned row,
    prompt_budget_t *budget);

/* A step, of so many rows at most: prompt_swept_row(). */
bool prompt_budget_sweep(prompt_query_t *query, int32_t most,
    prompt_maybe_t clock) PROMPT_WARN_UNUSED;

#endif /* PROMPT_STORE_BUDGET_H */
