/*
 * The log: executions that a project may read, newest first: those that it
 * paid for, and those that others ran of its prompts.
 *
 * A page is derived from the filters alone, so that the executions, their
 * prompts and the owners of these can be asked for in one pipeline, behind
 * prompt_snapshot().
 *
 * Functions append one statement to the query; false: memory is short, or the
 * query is full.  Views in rows live as long as the rows.
 */

#ifndef PROMPT_STORE_LOG_H
#define PROMPT_STORE_LOG_H

#include "store/execution.h"
#include "store/prompt.h"
#include "store/user.h"


/* executions that a step of the sweep goes over */
#define PROMPT_LOG_SWEEP  1000


/* Which executions; absent, zeroed or unknown where not given; ids: 16 bytes */
typedef struct {
    prompt_str_t    caller;
    prompt_str_t    id;              /* that one alone, or as follows */
    prompt_str_t    key_id;          /* with id: if this key made it */

    prompt_str_t    lower;           /* ids from here on; always given */
    prompt_str_t    upper;           /* ids below; always given */
    uint32_t        first;           /* always given */
    prompt_str_t    prompt_id;
    prompt_maybe_t  version;         /* with prompt_id */
    prompt_texts_t  statuses;        /* any of them; none: all */
    prompt_str_t    model;
    prompt_str_t    label;
    prompt_str_t    subject;         /* with either, what the caller ran */
    prompt_str_t    metadata;        /* JSON text: that has these members */
    prompt_str_t    score;           /* its name; of what the caller ran */
    prompt_str_t    min_score;       /* with score: numbers as texts */
    prompt_str_t    max_score;

    /* of known costs and times: from and to, plain decimal text */
    prompt_str_t    min_cost_usd;
    prompt_str_t    max_cost_usd;
    prompt_maybe_t  min_latency_ms;
    prompt_maybe_t  max_latency_ms;
} prompt_log_t;


/*
 * Whether the caller may read the prompt of the filter, or the execution of
 * that id: a row for prompt_log_allowed_row(), where either was given.
 */
bool prompt_log_allowed(prompt_query_t *query, const prompt_log_t *log)
    PROMPT_WARN_UNUSED;

/* NOT_FOUND, FORBIDDEN or DONE */
prompt_outcome_t prompt_log_allowed_row(const prompt_rows_t *rows);

/* The executions of a page, id descending: prompt_execution_row(). */
bool prompt_log_read(prompt_query_t *query, const prompt_log_t *log,
    prompt_mask_t mask) PROMPT_WARN_UNUSED;

/*
 * The prompts of the same page that may be read, id descending: prompt_row().
 */
bool prompt_log_prompts(prompt_query_t *query, const prompt_log_t *log,
    prompt_mask_t mask) PROMPT_WARN_UNUSED;

/*
 * Who created these prompts, and all of the caller's project: for
 * prompt_user_find().
 */
bool prompt_log_people(prompt_query_t *query, const prompt_log_t *log)
    PROMPT_WARN_UNUSED;


/*
 * The 16 bytes that all ids of a time or later are not below; out is what the
 * view is of.
 */
prompt_str_t prompt_log_id(int64_t time, char out[PROMPT_UUID_LEN]);


/*
 * A step of the sweep: puts executions that are five minutes old into lists
 * and sums, and looks again at those that had not ended; so many of each at
 * most.  That goes by any clock, as it goes back with it.  Hours of more than
 * ninety days ago leave the sums, but for those of their days; not where the
 * clock jumped.
 */
bool prompt_log_sweep(prompt_query_t *query, int32_t most,
    prompt_maybe_t clock) PROMPT_WARN_UNUSED;

/* whether the next step is to follow at once */
bool prompt_log_sweep_row(const prompt_rows_t *rows);


/*
 * For promptctl, as texts: the id of $1 ms ago; how many executions have ids
 * below $1 and do not run; whether the sweep has not come so far, and will; a
 * step of it; a step of deleting those above $2 and below $1: the id of the
 * last that it looked at (NULL: there was none), and how many it deleted.
 *
 * Whole months: whether there is one below $1 (a row), and how many are in it;
 * whether it could be dropped, or what is in it has to go one by one.
 *
 * How many sums there are of days that were over at the time of the id $1; a
 * step of forgetting them for $2, and of taking what went with its month out of
 * lists for $1, either NULL for none, from the kind $3 on: the next kind, or
 * NULL, and how many sums went.
 */
#define PROMPT_PRUNE_MONTH(table)                                            \
    "SELECT (SELECT count(*) FROM " table " x WHERE x.id < o.high"           \
    " AND x.id >= coalesce(o.low, '00000000-0000-0000-0000-000000000000'))"  \
    " FROM prompt_months_old($1::uuid, '" table "') o"                       \
    " WHERE o.part IS NOT NULL"

extern const char  prompt_prune_below_sql[];
extern const char  prompt_prune_count_sql[];
extern const char  prompt_prune_behind_sql[];
extern const char  prompt_prune_sweep_sql[];
extern const char  prompt_prune_step_sql[];
extern const char  prompt_prune_empty_sql[];
extern const char  prompt_prune_full_sql[];
extern const char  prompt_prune_sums_sql[];
extern const char  prompt_prune_month_sql[];
extern const char  prompt_prune_drop_sql[];
extern const char  prompt_prune_forget_sql[];

#endif /* PROMPT_STORE_LOG_H */
