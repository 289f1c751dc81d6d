/*
 * Inside the PostgreSQL pool: what its two halves know of each other.
 *
 * The pool (ngx_http_prompt_postgres.c) has the operations: it takes them,
 * queues them, tells their owners, frees them.  A connection
 * (ngx_http_prompt_postgres_connection.c and _pipeline.c) has libpq: it
 * connects, sends an operation, reads its results.  Nobody else includes this
 * header.
 */

#ifndef NGX_HTTP_PROMPT_POSTGRES_POOL_H
#define NGX_HTTP_PROMPT_POSTGRES_POOL_H

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_event.h>

#include <libpq-fe.h>

#include "base/row_store.h"
#include "io/ngx_http_prompt_postgres.h"


typedef struct ngx_http_prompt_postgres_connection_s
    ngx_http_prompt_postgres_connection_t;


typedef enum {
    POSTGRES_OP_QUEUED = 0,          /* in the pool's queue */
    POSTGRES_OP_SENT,                /* in its connection's queue */
    POSTGRES_OP_ENDING,              /* in the pool's list: to be told */
    POSTGRES_OP_ENDED                /* in no list; the owner's */
} ngx_http_prompt_postgres_op_state_e;


/*
 * An operation.  It has up to two holders: its owner (until it detaches or
 * frees it) and, while sent, its connection, which must see all its results,
 * also where the owner was told already that they come too late.
 *
 * Debug logging of timers takes ev->data for a connection, hence the three
 * pointers and the descriptor in front, here and below.
 */
struct ngx_http_prompt_postgres_op_s {
    ngx_http_prompt_postgres_t             *pool;
    ngx_http_prompt_postgres_connection_t  *connection;
    void                                   *data;
    ngx_socket_t                            fd;

    ngx_http_prompt_postgres_done_pt        done;   /* NULL: told, or nobody
                                                       wants to know */
    prompt_query_t                         *query;
    ngx_msec_t                              start;
    ngx_msec_t                              timeout;
    ngx_event_t                             timer;  /* or posted: ENDING */
    ngx_queue_t                             queue;

    ngx_http_prompt_postgres_op_state_e     state;
    ngx_uint_t                              statements;
    ngx_uint_t                              prepares;  /* sent before them */
    ngx_uint_t                              step;   /* results seen whole */

    unsigned                                owned:1;
    unsigned                                finish:1;
    unsigned                                durable:1;    /* holds its
                                                             connection */
    unsigned                                reads:1;  /* changes nothing */
    unsigned                                late:1;
    unsigned                                retried:1;
    unsigned                                preparing:1;  /* what failed was
                                                             a preparation */
    unsigned                                synced:1;  /* preparations have a
                                                          Sync of their own */
    PGresult                               *error;
    ngx_http_prompt_postgres_result_t       result;

    prompt_row_budget_t                     budget;  /* limit not 0: results
                                                        are row stores */
    size_t                                  discarded;  /* bytes of rows */
};


typedef enum {
    POSTGRES_WAITING = 0,            /* timer: try again */
    POSTGRES_CONNECTING,             /* timer: give up */
    POSTGRES_CHECKING,               /* timer: give up */
    POSTGRES_READY
} ngx_http_prompt_postgres_state_e;


struct ngx_http_prompt_postgres_connection_s {
    ngx_http_prompt_postgres_t             *pool;
    ngx_connection_t                       *connection;
    PGconn                                 *pg;
    ngx_socket_t                            fd;

    ngx_http_prompt_postgres_state_e        state;
    ngx_event_t                             timer;     /* of the state */
    ngx_event_t                             results;   /* posted: look */

    ngx_uint_t                              host;      /* to begin with */
    ngx_uint_t                              attempts;  /* failed since ready */
    ngx_uint_t                              in_flight;
    ngx_uint_t                              durable;   /* of them */
    ngx_uint_t                              late;      /* of them */
    ngx_queue_t                             ops;       /* as sent */

    unsigned                                broken:1;  /* a send failed */
    unsigned                                stale:1;   /* drain, then close */
    unsigned                                paused:1;  /* posted: go on */
    ngx_uint_t                              turn_rows;   /* in this turn of */
    size_t                                  turn_bytes;  /* the event loop */
    PGresult                               *verdict;   /* CHECKING */

    uint8_t           prepared[NGX_HTTP_PROMPT_POSTGRES_MAX_STATEMENTS / 8];
};


struct ngx_http_prompt_postgres_s {
    ngx_http_prompt_postgres_conf_t         *conf;
    const ngx_http_prompt_postgres_check_t  *check;
    ngx_log_t                                log;

    ngx_http_prompt_postgres_connection_t   *connections;
    ngx_uint_t                               up;
    ngx_msec_t                               down;     /* since, where !up */

    ngx_queue_t                              waiting;
    ngx_queue_t                              ending;

    ngx_http_prompt_postgres_stats_t         stats;
};


/* The pool, as a connection sees it. */

/* A connection became ready, or has room again: sends what waits. */
void ngx_http_prompt_postgres_dispatch(ngx_http_prompt_postgres_t *pool);

/* A connection became ready: the others need not wait their pause out. */
void ngx_http_prompt_postgres_wake(ngx_http_prompt_postgres_t *pool);

/*
 * The connection is done with an operation, which is in no list any more: it
 * ended with that status.  Tells the owner, or frees it where there is none.
 */
void ngx_http_prompt_postgres_over(ngx_http_prompt_postgres_op_t *op,
    ngx_http_prompt_postgres_status_e status, ngx_uint_t unknown);

/*
 * Nothing of the operation was done, and another connection may do better:
 * back to the head of the queue.  Only once for an operation; NGX_DECLINED
 * where that is used up, or nobody waits for it any more.
 */
ngx_int_t ngx_http_prompt_postgres_retry(ngx_http_prompt_postgres_op_t *op);

/*
 * The rows of an operation that is sent exceed its budget: frees them and
 * tells the owner.  What comes yet is for nobody.
 */
void ngx_http_prompt_postgres_too_long(ngx_http_prompt_postgres_op_t *op);


/* A connection, as the pool sees it. */

void ngx_http_prompt_postgres_connect(
    ngx_http_prompt_postgres_connection_t *pc);

/* Closes it for good; operations in flight are the pool's to free. */
void ngx_http_prompt_postgres_disconnect(
    ngx_http_prompt_postgres_connection_t *pc);

/* whether it takes another operation now */
ngx_uint_t ngx_http_prompt_postgres_usable(
    ngx_http_prompt_postgres_connection_t *pc);

/*
 * Sends an operation.  No callback is called from here.  NGX_OK: it is the
 * connection's.  NGX_ERROR: nothing of it will be done, the connection is
 * not usable any more, and the operation is still the pool's.
 */
ngx_int_t ngx_http_prompt_postgres_send(
    ngx_http_prompt_postgres_connection_t *pc,
    ngx_http_prompt_postgres_op_t *op);

/* The time of an operation that it has sent is over; the owner was told. */
void ngx_http_prompt_postgres_late(ngx_http_prompt_postgres_connection_t *pc);

/*
 * A connection, as its own two halves see it: connecting and breaking
 * (connection.c), sending and reading (pipeline.c).
 */

/* the next step of connecting, when the socket is ready for it */
void ngx_http_prompt_postgres_step(
    ngx_http_prompt_postgres_connection_t *pc);

/* The answer to the check is there. */
void ngx_http_prompt_postgres_checked(
    ngx_http_prompt_postgres_connection_t *pc);

/*
 * The connection is of no use any more: ends what is in flight and tries
 * again later.  reason is for the log.
 */
void ngx_http_prompt_postgres_break(
    ngx_http_prompt_postgres_connection_t *pc, const char *reason);

/* Reading stays armed once it was wanted; writing is armed or disarmed. */
ngx_int_t ngx_http_prompt_postgres_want(
    ngx_http_prompt_postgres_connection_t *pc, ngx_uint_t read,
    ngx_uint_t write);

void ngx_http_prompt_postgres_read_handler(ngx_event_t *rev);
void ngx_http_prompt_postgres_write_handler(ngx_event_t *wev);
void ngx_http_prompt_postgres_results_handler(ngx_event_t *ev);

/*
 * Sends what libpq holds back.  NGX_ERROR: the connection is to be broken.
 */
ngx_int_t ngx_http_prompt_postgres_flush(
    ngx_http_prompt_postgres_connection_t *pc);

/*
 * Results that are there are left to the next turn of the event loop, and
 * nothing is read until then.
 */
void ngx_http_prompt_postgres_pause(ngx_http_prompt_postgres_connection_t *pc);

/* Before libpq parses what came: rows come one by one, where that is asked. */
void ngx_http_prompt_postgres_rows_mode(
    ngx_http_prompt_postgres_connection_t *pc);

/*
 * Takes a result of an operation with a budget, the oldest one.  NGX_OK: took
 * and cleared it; owners may have been told, the connection may be gone, and
 * op with it.  NGX_DECLINED: it has no rows and is still the caller's.
 * NGX_ERROR: cleared, and no memory; the connection is to be broken.
 */
ngx_int_t ngx_http_prompt_postgres_rows_take(
    ngx_http_prompt_postgres_connection_t *pc,
    ngx_http_prompt_postgres_op_t *op, PGresult *res);

/* Frees the rows of an operation, of either kind. */
void ngx_http_prompt_postgres_rows_free(ngx_http_prompt_postgres_op_t *op);

/* the cell function of rows; rows->result is a PGresult */
prompt_str_t ngx_http_prompt_postgres_cell(const prompt_rows_t *rows,
    unsigned row, unsigned column);

#endif /* NGX_HTTP_PROMPT_POSTGRES_POOL_H */
