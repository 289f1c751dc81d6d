/*
 * What is known of requests that carry an Idempotency-Key.
 *
 *     take     the row is the caller's to work on, or somebody's
 *     mark     appended to a change: it was made, while the row was held
 *     renew    the lease of who works on it; 0: lets go
 *     finish   the answer is there
 *     look     what became of what the steps name
 *     sweep    what is older than 24 hours, and not held
 *
 * Functions append statements to the query; false: memory is short, or the
 * query is full.  Ids have 16 bytes, hashes 32.
 */

#ifndef PROMPT_STORE_IDEMPOTENCY_H
#define PROMPT_STORE_IDEMPOTENCY_H

#include "store/value.h"


#define PROMPT_IDEMPOTENCY_HASH_LEN  32

/* "12345 " and an id */
#define PROMPT_IDEMPOTENCY_STEP_LEN  48

/* statements of a query that takes; the last one's row says how it is */
#define PROMPT_IDEMPOTENCY_TAKES     4


/* whose row it is; views */
typedef struct {
    prompt_str_t  user_id;
    prompt_str_t  key;               /* SHA-256 of user and key */
    prompt_str_t  fingerprint;
    prompt_str_t  holder;            /* an id for this attempt */
} prompt_idempotency_t;


/* how a row is after it was asked for; views live as long as the rows */
typedef struct {
    bool            mine;            /* held by who asked */
    bool            same;            /* it has the same fingerprint */
    prompt_maybe_t  status;          /* unknown: it is being done */
    prompt_texts_t  steps;           /* those of an earlier holder, too */
    prompt_str_t    answer;          /* absent: not kept, or not there (yet) */
} prompt_idempotency_row_t;


/*
 * Takes the row: where there is none, where it is older than 24 hours and not
 * held, or where its lease has run out and it has no answer.  lease:
 * milliseconds; clock, near: what PostgreSQL's must say now, within a minute
 * for the 24 hours, within seconds for the lease of somebody else.
 */
bool prompt_idempotency_take(prompt_query_t *query,
    const prompt_idempotency_t *key, int64_t lease, prompt_maybe_t clock,
    prompt_maybe_t near)
    PROMPT_WARN_UNUSED;

/* rows: of the last statement.  False: there is no row (any more). */
bool prompt_idempotency_take_row(const prompt_rows_t *rows,
    prompt_idempotency_row_t *row) PROMPT_WARN_UNUSED;

/*
 * Behind the statements of a change, in its transaction: step is kept.  Where
 * the row is held by somebody else now, the transaction fails.
 */
bool prompt_idempotency_mark(prompt_query_t *query,
    const prompt_idempotency_t *key, prompt_str_t step) PROMPT_WARN_UNUSED;

/* One row where it was held. */
bool prompt_idempotency_renew(prompt_query_t *query,
    const prompt_idempotency_t *key, int64_t lease) PROMPT_WARN_UNUSED;

/*
 * answer absent: it is not kept; else it is for as long as all is there that it
 * shows (ids, 16 bytes each).  One row where it was held.
 */
bool prompt_idempotency_finish(prompt_query_t *query,
    const prompt_idempotency_t *key, int32_t status, prompt_str_t answer,
    prompt_str_t shows) PROMPT_WARN_UNUSED;

/* Gives back a row that is held, as if nobody had asked; as finish. */
bool prompt_idempotency_release(prompt_query_t *query,
    const prompt_idempotency_t *key) PROMPT_WARN_UNUSED;

/*
 * A row for each id (16 bytes each in ids), in their order: the status of an
 * execution, else "key" for an API key, "there" for a prompt or a version, or
 * NULL where there is nothing of that id, or its prompt is being removed.
 */
bool prompt_idempotency_look(prompt_query_t *query, prompt_str_t ids)
    PROMPT_WARN_UNUSED;

/*
 * Deletes at most so many rows, and passes over those that somebody holds:
 * prompt_swept_row() says how many; equal to that: there may be more.
 */
bool prompt_idempotency_sweep(prompt_query_t *query, int32_t most,
    prompt_maybe_t clock) PROMPT_WARN_UNUSED;

#endif /* PROMPT_STORE_IDEMPOTENCY_H */
