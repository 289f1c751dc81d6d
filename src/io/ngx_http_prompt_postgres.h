/*
 * PostgreSQL on nginx's event loop: a pool of pipelined connections a worker.
 *
 * The caller gives a query of the store (one or more statements, sent as one
 * pipeline with one Sync and so one implicit transaction) and a function that
 * is told how it ended.  The task belongs to the pool and not to a
 * request: a request that ends detaches from it.  README.md says why it is
 * built like this.
 */

#ifndef NGX_HTTP_PROMPT_POSTGRES_H
#define NGX_HTTP_PROMPT_POSTGRES_H

#include <ngx_config.h>
#include <ngx_core.h>

#include "base/histogram.h"
#include "conf/ngx_http_prompt_conf_postgres.h"
#include "store/position.h"
#include "store/query.h"


#define NGX_HTTP_PROMPT_POSTGRES_DEPTH           16      /* a connection */
#define NGX_HTTP_PROMPT_POSTGRES_MAX_STATEMENTS  PROMPT_PREPARED_IDS


/*
 * What is asked on every new connection before it is used, say for the
 * version of the schema.  verdict(data, rows) returns NGX_OK where the
 * connection may be used; rows is NULL where the statement failed, and sqlstate
 * then says why.  On NGX_ERROR the connection is closed and tried again later.
 */
typedef struct {
    const prompt_statement_t  *statement;        /* without parameters */
    ngx_int_t                (*verdict)(void *data, const prompt_rows_t *rows,
                                        const char *sqlstate);
    void                      *data;

    /*
     * For a pool of servers that only read, else NULL: each query asks first
     * how far its server is (prompt_position_row()), by the second one where
     * the timeline is not known to be the one expected.  What such a server
     * does not answer is not tried there again and again: its owner has
     * another pool.
     */
    const prompt_statement_t  *here;
    const prompt_statement_t  *place;

    /*
     * NULL: a pool has its connections for itself.  Else it asks for each
     * before it is made, where it is not NGX_OK asks again a little later, and
     * says when it is closed.
     */
    ngx_int_t                (*take)(void *data);
    void                     (*give)(void *data);
} ngx_http_prompt_postgres_check_t;


typedef enum {
    NGX_HTTP_PROMPT_POSTGRES_OK = 0, /* committed; rows for every statement */
    NGX_HTTP_PROMPT_POSTGRES_ERROR,  /* refused by PostgreSQL: rolled back */
    NGX_HTTP_PROMPT_POSTGRES_TIMED_OUT,
    NGX_HTTP_PROMPT_POSTGRES_UNAVAILABLE,  /* no connection, or it broke */
    NGX_HTTP_PROMPT_POSTGRES_BUSY,   /* the queue is full; nothing was sent */
    NGX_HTTP_PROMPT_POSTGRES_TOO_LONG  /* its rows exceed query->budget; only
                                          for queries that read */
} ngx_http_prompt_postgres_status_e;


/* How a task ended; lives as long as the task. */
typedef struct {
    ngx_http_prompt_postgres_status_e  status;

    /*
     * TIMED_OUT, UNAVAILABLE: it was sent, so that it may have been
     * committed, may yet be, or not.
     */
    unsigned          unknown:1;

    /* ERROR */
    char              sqlstate[6];   /* NUL-terminated */
    ngx_uint_t        failed;        /* index of the statement */
    ngx_str_t         constraint;    /* its name, or empty */
    ngx_str_t         message;       /* may repeat values: for the debug log,
                                        never for a client */

    /*
     * Where the pool asks for it: how far the server was before it looked at
     * anything.  Zeroed: it did not say.
     */
    prompt_position_t  position;

    /* OK: a set of rows a statement, in the query's order */
    ngx_uint_t        count;
    prompt_rows_t     rows[PROMPT_STORE_MAX_STATEMENTS];
} ngx_http_prompt_postgres_result_t;


/* For the log, without any value: what is said of a task that failed. */
const char *ngx_http_prompt_postgres_why(
    const ngx_http_prompt_postgres_result_t *result);


typedef struct ngx_http_prompt_postgres_s       ngx_http_prompt_postgres_t;
typedef struct ngx_http_prompt_postgres_task_s  ngx_http_prompt_postgres_task_t;

/*
 * Told once how a task ended.  The owner then calls
 * ngx_http_prompt_postgres_free() when it has read result, here or later.
 * It runs on the event loop below no request: who writes to one calls
 * ngx_http_run_posted_requests() last.
 */
typedef void (*ngx_http_prompt_postgres_done_pt)(void *data,
    ngx_http_prompt_postgres_task_t *task,
    const ngx_http_prompt_postgres_result_t *result);


/* The queues of the pool: what a task is to others. */
#define NGX_HTTP_PROMPT_POSTGRES_CLASSES  5


/* Counted since the worker began; what begins with up is as it is now. */
typedef struct {
    uint64_t      tasks;             /* taken */
    uint64_t      errors;            /* refused by PostgreSQL */
    uint64_t      timeouts;
    uint64_t      unavailable;
    uint64_t      overflows;         /* answered BUSY */
    uint64_t      retries;           /* sent again */
    uint64_t      connects;          /* connections that became ready */
    uint64_t      failures;          /* connections that failed or broke */
    prompt_histogram_t  waits;       /* until a task was sent */
    prompt_histogram_t  times;       /* of all that got an answer */
    ngx_uint_t    up;                /* connections ready */
    ngx_uint_t    busy;              /* of them */
    ngx_uint_t    connecting;
    ngx_uint_t    connections;       /* all */
    ngx_uint_t    in_flight;
    ngx_uint_t    queued;
    ngx_uint_t    waiting[NGX_HTTP_PROMPT_POSTGRES_CLASSES];  /* of them, by
                                                                 class */
} ngx_http_prompt_postgres_stats_t;


/*
 * Starts connecting; for init_process of a worker (never the master, nor the
 * cache helpers).  conf and check (NULL: none) must live as long as the
 * worker.  Returns NULL only where memory is short.  A connection that fails
 * or breaks is made again after a pause that doubles from 50 ms to 1 s, with
 * jitter, beginning with the next host where one did not answer in time.
 */
ngx_http_prompt_postgres_t *ngx_http_prompt_postgres_create(
    ngx_cycle_t *cycle, ngx_http_prompt_postgres_conf_t *conf,
    const ngx_http_prompt_postgres_check_t *check) PROMPT_WARN_UNUSED;

/*
 * For exit_process: closes all connections and frees what is in flight or
 * queued.  No callback is called.  NULL is allowed.  Tasks that ended
 * and were not freed yet stay the owner's.
 */
void ngx_http_prompt_postgres_close(ngx_http_prompt_postgres_t *pool);

/*
 * For a worker that quits, as often as keep changes, and now and then:
 * connections close as soon as nothing is in flight on them; one stays, or is
 * made again, while keep is set, or a task waits.  Not from inside a callback
 * of its own.
 */
void ngx_http_prompt_postgres_quit(ngx_http_prompt_postgres_t *pool,
    ngx_uint_t keep);

/*
 * Starts a task.  query lives in query->arena, which the task owns
 * from now on: parameters, rows and texts are valid until the task is
 * freed.  done(data, …) is called once, from the event loop and never from
 * inside this call, at the latest after timeout (0: the configured one),
 * which counts from now and includes the time in the queue.
 * Returns NULL where memory is short: done is not called and the arena stays
 * the caller's.
 */
ngx_http_prompt_postgres_task_t *ngx_http_prompt_postgres_query(
    ngx_http_prompt_postgres_t *pool, prompt_query_t *query,
    ngx_msec_t timeout, ngx_http_prompt_postgres_done_pt done, void *data)
    PROMPT_WARN_UNUSED;

/*
 * The owner goes away before done was called: done is not called any more,
 * and the pool frees the task when it is over.  What only waits in the
 * queue is dropped, unless its query is unconditional; what was sent runs
 * on.
 */
void ngx_http_prompt_postgres_detach(ngx_http_prompt_postgres_task_t *task);

/*
 * The owner has something better before done was called.  NGX_OK: the task only
 * waited yet, and is freed; nothing of it was done, nor will be.  NGX_DECLINED:
 * it is under way, or over, and done will be called.
 */
ngx_int_t ngx_http_prompt_postgres_withdraw(
    ngx_http_prompt_postgres_task_t *task) PROMPT_WARN_UNUSED;

/*
 * The pool leads to another database than before: what waits, and what would
 * be sent again, ends as UNAVAILABLE, and each connection that is ready is
 * made anew when what it has in flight is over.  May be called from anywhere,
 * also from a verdict; done is not called from inside.
 */
void ngx_http_prompt_postgres_forget(ngx_http_prompt_postgres_t *pool);

/* After done: frees the task, its result and its arena.  NULL allowed. */
void ngx_http_prompt_postgres_free(ngx_http_prompt_postgres_task_t *task);

/*
 * After done, for a query that only reads: frees the task with its result, and
 * gives the query back, to be sent again.
 */
prompt_query_t *ngx_http_prompt_postgres_take_back(
    ngx_http_prompt_postgres_task_t *task) PROMPT_WARN_UNUSED;

/*
 * For a pool that asks for positions: whether that of the query can be asked
 * for.  It cannot where it takes a transaction of its own, and a pooler may
 * have another server for the next one.
 */
ngx_uint_t ngx_http_prompt_postgres_can_ask(
    const ngx_http_prompt_postgres_t *pool, const prompt_query_t *query);

/* For a pool that asks for positions: the timeline that is expected. */
void ngx_http_prompt_postgres_expect(ngx_http_prompt_postgres_t *pool,
    uint32_t timeline);

/*
 * After done, for a task whose query has a budget: the rows before upto
 * of a statement (its index in the query) are not read any more, and the
 * memory of those in front is given back.  The cells of the others stay where
 * they are.  Nothing happens where rows were read as a whole.
 */
void ngx_http_prompt_postgres_drop_rows(ngx_http_prompt_postgres_task_t *task,
    ngx_uint_t statement, unsigned upto);

/* the configured limit of a task, ms */
ngx_msec_t ngx_http_prompt_postgres_timeout(ngx_http_prompt_postgres_t *pool);

/*
 * How long ago PostgreSQL said something, ms; ..._NEVER where no connection is
 * up.  It is silent where nothing is asked, and where it hangs.
 */
#define NGX_HTTP_PROMPT_POSTGRES_NEVER  NGX_MAX_INT32_VALUE

ngx_msec_t ngx_http_prompt_postgres_heard(ngx_http_prompt_postgres_t *pool);

/* how many connections are ready */
ngx_uint_t ngx_http_prompt_postgres_up(ngx_http_prompt_postgres_t *pool);

void ngx_http_prompt_postgres_stats(ngx_http_prompt_postgres_t *pool,
    ngx_http_prompt_postgres_stats_t *stats);

#endif /* NGX_HTTP_PROMPT_POSTGRES_H */
