/*
 * Statistics: sums over what a project has paid for, or of all that the log
 * shows it of a prompt, by hours, days or as a whole, and by a group.  What is
 * older than ninety days has no hours any more: it counts where its day begins.
 *
 * They are read from the sums that the sweep of the log has made (log.h), and
 * from the rows of what it has not reached yet: in one statement, and so of
 * one moment.
 */

#ifndef PROMPT_STORE_STATISTICS_H
#define PROMPT_STORE_STATISTICS_H

#include "store/column.h"


#define PROMPT_STATISTICS_DAY  24    /* hours */

/* rows at most; one more comes where there are more */
#define PROMPT_STATISTICS_ROWS  1000


/* What is asked for; hours since 1970, UTC. */
typedef struct {
    prompt_str_t  caller;            /* 16 bytes */
    prompt_str_t  prompt_id;         /* 16 bytes; absent: all */
    prompt_str_t  model;             /* absent: all */
    prompt_str_t  label;             /* absent: all */
    int32_t       since;             /* the first hour */
    int32_t       until;             /* the first that is not */
    int32_t       step;              /* hours of a bucket: 1, 24, or since to
                                        until; days begin at 0 o'clock */
    prompt_str_t  group;             /* MODEL, VERSION, LABEL, KEY or PROMPT is
                                        told apart; absent: nothing is */
} prompt_statistics_t;


typedef struct {
    int64_t         start;           /* time */
    prompt_str_t    group;           /* absent: none */
    int64_t         executions;
    int64_t         succeeded;
    int64_t         failed;
    int64_t         token_in;
    int64_t         token_out;
    int64_t         token_cached;    /* parts of these */
    int64_t         token_cache_write;
    int64_t         token_reasoning;
    prompt_str_t    cost_usd;        /* plain decimal text */
    int64_t         cost_unknown;    /* executions without a cost */
    prompt_maybe_t  latency_p50_ms;
    prompt_maybe_t  latency_p95_ms;
} prompt_bucket_t;


/* Appends one statement; false: memory is short, or the query is full. */
bool prompt_statistics_read(prompt_query_t *query,
    const prompt_statistics_t *statistics) PROMPT_WARN_UNUSED;

/*
 * A row: a bucket, or a group of one, in which something was executed,
 * ascending; those of no group are a bucket's last.  Views live as long as the
 * rows.
 */
void prompt_statistics_row(const prompt_rows_t *rows, unsigned row,
    prompt_bucket_t *bucket);

#endif /* PROMPT_STORE_STATISTICS_H */
