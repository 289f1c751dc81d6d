/*
 * Inside the PostgreSQL pool: what its parts know of each other.
 *
 * The pool (ngx_http_prompt_postgres.c) has the tasks: it takes them,
 * queues them (ngx_http_prompt_postgres_queue.c), lets them go again
 * (ngx_http_prompt_postgres_again.c), tells their owners, frees them.
 * A connection (ngx_http_prompt_postgres_connection.c, _send.c,
 * _pipeline.c and _break.c) has libpq: it connects, sends tasks, reads
 * their results, and sees to what is in flight when it ends.
 * Nobody else includes this header but the test of src/io.
 */

#ifndef NGX_HTTP_PROMPT_POSTGRES_IMPL_H
#define NGX_HTTP_PROMPT_POSTGRES_IMPL_H

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_event.h>

#include <libpq-fe.h>

#include "base/row_store.h"
#include "io/ngx_http_prompt_names.h"
#include "io/ngx_http_prompt_postgres.h"
#include "io/ngx_http_prompt_state.h"
#include "io/ngx_http_prompt_timer.h"
#include "store/prepared.h"


typedef struct ngx_http_prompt_postgres_connection_s
    ngx_http_prompt_postgres_connection_t;


/*
 * The life of a task.
 *
 *     BLOCKED ◄──────────────┐
 *      │                     │ another one has its row, or the turn of its
 *      │ that one is through │ user
 *      ▼                     │
 *     QUEUED ────────────────┘
 *      │  ▲
 *      │  │ nothing of it was done: again
 *      ▼  │         its time is over, or its rows are too long
 *     SENT ────────────────────────────────────────────────────► LATE
 *      │ its transaction is over, or its connection               │
 *      ▼                                                          │
 *     ENDED ◄─────────────────────────────────────────────────────┘
 *
 * A task begins as QUEUED.  BLOCKED and QUEUED become ENDING where it is not
 * sent at all, and ENDED where its time is over or its owner left before;
 * ENDING becomes ENDED in the next round of the event loop, when it is told.
 */
typedef enum {
    POSTGRES_TASK_QUEUED = 0,        /* in one of the pool's queues */
    POSTGRES_TASK_BLOCKED,           /* in a line behind another task */
    POSTGRES_TASK_SENT,              /* in its connection's queue */
    POSTGRES_TASK_LATE,              /* the same; its owner was told, and what
                                        comes yet is thrown away */
    POSTGRES_TASK_ENDING,            /* in the pool's list: to be told */
    POSTGRES_TASK_ENDED              /* in no list; the owner's */
} ngx_http_prompt_postgres_task_state_e;


/*
 * Who gave a task.  It waits, is told, and goes; or goes without being told.
 * Where it has gone the pool frees the task.
 */
typedef enum {
    POSTGRES_OWNER_WAITS = 0,
    POSTGRES_OWNER_TOLD,             /* and reads the result yet */
    POSTGRES_OWNER_LEFT
} ngx_http_prompt_postgres_owner_e;


/*
 * What becomes of a task's statements while it is SENT or LATE: the first
 * error counts, and stays.
 */
typedef enum {
    POSTGRES_OUTCOME_OPEN = 0,       /* no error so far */
    POSTGRES_OUTCOME_UNPREPARED,     /* refused, when it was prepared */
    POSTGRES_OUTCOME_REFUSED,        /* a statement of its own was */
    POSTGRES_OUTCOME_ROLLED_BACK     /* its connection has ended, and nothing
                                        of it can have been committed */
} ngx_http_prompt_postgres_outcome_e;


/* How a task has its rows. */
typedef enum {
    POSTGRES_ROWS_WHOLE = 0,         /* a PGresult a statement */
    POSTGRES_ROWS_STORED,            /* a row store a statement: one by one,
                                        within the budget */
    POSTGRES_ROWS_SHARED             /* a row of another's PGresult */
} ngx_http_prompt_postgres_rows_e;


/*
 * What a task is to others in a pipeline.  All but short reads have
 * their connection for themselves, or in a batch of their class.
 */
typedef enum {
    POSTGRES_READS = 0,              /* short: together, each by itself */
    POSTGRES_COMMITS,                /* writes that wait for no row: in one
                                        transaction that waits for the disk */
    POSTGRES_STARTS,                 /* the same, not waiting for the disk */
    POSTGRES_ALONE,                  /* writes that may wait for others */
    POSTGRES_LONG                    /* takes long, whatever it does */
} ngx_http_prompt_postgres_class_e;

#define POSTGRES_CLASSES  NGX_HTTP_PROMPT_POSTGRES_CLASSES
#define POSTGRES_COMPANY  16         /* tasks in one transaction */
#define POSTGRES_TWICE    "42P05"    /* a name that is there already */


#define POSTGRES_KEY_LEN  16

/*
 * Tasks of one key, of which only the first is let on: the others stand
 * behind it, and the next one takes its place when it leaves.
 */
typedef enum {
    POSTGRES_LINE_NONE = 0,          /* it has no key, or has left */
    POSTGRES_LINE_WAITING,
    POSTGRES_LINE_GRANTED            /* it is the first */
} ngx_http_prompt_postgres_place_e;

typedef struct {
    ngx_str_node_t                          node;   /* where GRANTED */
    ngx_queue_t                             behind;
    u_char                                  key[POSTGRES_KEY_LEN];
    ngx_http_prompt_postgres_place_e        place;
} ngx_http_prompt_postgres_line_t;


/*
 * A task.  It has up to two holders: its owner (until it detaches or
 * frees it) and, while sent, its connection, which must see all its results,
 * also where the owner was told already that they come too late.
 */
struct ngx_http_prompt_postgres_task_s {
    ngx_http_prompt_postgres_t             *pool;
    ngx_http_prompt_postgres_connection_t  *connection;
    void                                   *data;

    ngx_http_prompt_postgres_done_pt        done;
    prompt_query_t                         *query;
    ngx_msec_t                              start;
    ngx_msec_t                              timeout;
    ngx_msec_t                              sent;   /* when, last */
    ngx_msec_t                              limit;  /* PostgreSQL's, where it
                                                       needs one of its own */
    ngx_http_prompt_timer_t                 timer;  /* or posted: ENDING */
    ngx_queue_t                             queue;

    u_char                                  order[POSTGRES_KEY_LEN];
    ngx_http_prompt_postgres_line_t         lock;   /* for its row */
    ngx_http_prompt_postgres_line_t         turn;   /* of its user's that wait,
                                                       LONG only */

    ngx_http_prompt_postgres_task_state_e   state;
    ngx_http_prompt_postgres_owner_e        owner;
    ngx_http_prompt_postgres_outcome_e      outcome;
    ngx_http_prompt_postgres_class_e        class;
    ngx_uint_t                              database;  /* as the pool counted
                                                          when it began */
    ngx_uint_t                              statements;
    ngx_uint_t                              results;   /* to come for them */
    const prompt_statement_t               *many;   /* sent in their place,
                                                       for this task and those
                                                       behind it that follow */
    ngx_uint_t                              prepares;  /* sent before them */
    ngx_uint_t                              step;   /* results seen whole */
    ngx_uint_t                              asked;  /* which of the prepares
                                                       asks for the position,
                                                       from 1; 0: none */

    /* what it is, from the beginning */
    unsigned                                reads:1;  /* changes nothing */
    unsigned                                tree:1;   /* of several statements
                                                         that see one moment;
                                                         where others begin so,
                                                         the same one */

    /* its place in the transaction that was sent */
    unsigned                                joined:1;  /* the next one's Sync
                                                          is its own, too */
    unsigned                                follows:1;  /* a row of the task's
                                                           before it */
    unsigned                                synced:1;  /* preparations have a
                                                          Sync of their own */
    unsigned                                whole:1;  /* asked for with the
                                                         server's place */

    /* how it was sent before */
    unsigned                                retried:1;
    unsigned                                tries:3;
    unsigned                                apart:1;  /* by its own statement,
                                                         as one for several was
                                                         refused */

    PGresult                               *error;  /* freed where LATE */
    ngx_http_prompt_postgres_result_t       result;
    ngx_http_prompt_postgres_rows_e         rows;
    ngx_queue_t                             sharers;  /* of its rows: a ring,
                                                         where SHARED */
    prompt_row_budget_t                     budget;  /* where STORED */
    size_t                                  discarded;  /* bytes of rows */

    ngx_log_t                               log;     /* for debug lines: a
                                                        copy, as whose it is
                                                        may be gone */
};


/*
 * The life of a connection.
 *
 *    WAITING ──► CONNECTING ──► CHECKING ──► READY ──► DRAINING
 *       ▲                                                  │
 *       └──────────────────────────────────────────────────┘
 *
 * Each of them becomes WAITING when it breaks; DRAINING does so by no fault of
 * the server, as soon as nothing is in flight.
 */
typedef enum {
    POSTGRES_WAITING = 0,            /* timer: try again */
    POSTGRES_CONNECTING,             /* timer: give up */
    POSTGRES_CHECKING,               /* timer: give up */
    POSTGRES_READY,
    POSTGRES_DRAINING                /* the same, but takes no new work */
} ngx_http_prompt_postgres_state_e;

#define ngx_http_prompt_postgres_is_up(pc)  ((pc)->state >= POSTGRES_READY)


struct ngx_http_prompt_postgres_connection_s {
    ngx_http_prompt_postgres_t             *pool;
    ngx_connection_t                       *connection;
    PGconn                                 *pg;

    ngx_http_prompt_postgres_state_e        state;
    ngx_http_prompt_timer_t                 timer;     /* of the state */
    ngx_event_t                             results;   /* posted: look */

    ngx_uint_t                              host;      /* to begin with */
    prompt_position_t                       place;     /* its timeline and
                                                          cluster, when last
                                                          asked for */
    ngx_uint_t                              attempts;  /* failed since ready */
    ngx_uint_t                              in_flight;
    ngx_uint_t                              held;      /* by one of them that
                                                          is no short read */
    ngx_uint_t                              longs;     /* of them */
    ngx_uint_t                              late;      /* of them */
    ngx_queue_t                             tasks;     /* as sent */

    unsigned                                broken:1;  /* a send failed, or
                                                          it has ended: breaks
                                                          when what came before
                                                          is handed out */
    unsigned                                reading:1; /* the end may come */
    unsigned                                settings:1;   /* asked for */
    unsigned                                taken:1;   /* to be given back */
    ngx_uint_t                              renewals;  /* in a row */
    ngx_msec_t                              renewed;   /* when, if any */
    unsigned                                paused:1;  /* posted: go on */
    ngx_uint_t                              turn_rows;   /* in this turn of */
    size_t                                  turn_bytes;  /* the event loop */
    PGresult                               *verdict;   /* CHECKING: of the */
    PGresult                               *probe;     /* check, and what it
                                                          says of names */
    unsigned                                checks:1;  /* the check's is to
                                                          come */
    ngx_uint_t                              probes;    /* refused in a row */
    unsigned                                skewed:1;  /* a preparation failed:
                                                          prepared may say too
                                                          little */
    unsigned                                keeps:1;   /* a pooler has names
                                                          of its own: it lets
                                                          statements go, and
                                                          we cannot */

    prompt_prepared_t                       prepared;
};


struct ngx_http_prompt_postgres_s {
    ngx_http_prompt_postgres_conf_t         *conf;
    const ngx_http_prompt_postgres_check_t  *check;
    ngx_log_t                                log;

    ngx_http_prompt_names_t                 *names;    /* NULL: none moves */
    ngx_http_prompt_postgres_host_t         *hosts;    /* at present */
    ngx_uint_t                               nhosts;
    void                                    *moved;    /* their memory; NULL:
                                                          as configured */

    ngx_uint_t                               up;
    ngx_msec_t                               down;     /* since, where !up */
    ngx_msec_t                               heard;    /* when it said what a
                                                          pooler cannot */

    ngx_event_t                              turn;     /* posted: dispatch */
    ngx_queue_t                              waiting[POSTGRES_CLASSES];
    ngx_rbtree_t                             locks;    /* lines, by key */
    ngx_rbtree_t                             turns;
    ngx_rbtree_node_t                        sentinel;
    ngx_http_prompt_postgres_class_e         held;     /* given last */
    ngx_uint_t                               longs;    /* in flight */
    ngx_uint_t                               patient;  /* queued, that take
                                                          long or stand behind
                                                          another's row */
    ngx_queue_t                              ending;
    ngx_msec_t                               slow;     /* trees are, until */

    ngx_uint_t                               database; /* which one of those
                                                          that it has led to */
    ngx_uint_t                               plain;    /* a pooler refuses
                                                          the settings */
    unsigned                                 reader:1; /* positions are asked
                                                          for */
    unsigned                                 quits:1;  /* the worker does */
    unsigned                                 keep:1;   /* one stays all the
                                                          same */
    uint32_t                                 timeline; /* expected */

    unsigned          nameless:1;    /* a pooler has no names of its own for
                                        statements */

    /* statements that are sent without a name, and until when */
    ngx_msec_t        unnamed_until;
    uint8_t           unnamed[NGX_HTTP_PROMPT_POSTGRES_MAX_STATEMENTS / 8];

    ngx_http_prompt_postgres_stats_t         stats;
    ngx_http_prompt_postgres_connection_t    connections[];
};


/* The queues, as the pool sees them. */

void ngx_http_prompt_postgres_queue_init(ngx_http_prompt_postgres_t *pool);

/* the class of a new task, its row, its user */
void ngx_http_prompt_postgres_queue_task(ngx_http_prompt_postgres_task_t *task);

/* The one place where the state of a task changes. */
void ngx_http_prompt_postgres_task_become(
    ngx_http_prompt_postgres_task_t *task,
    ngx_http_prompt_postgres_task_state_e state);

/* A new task waits; it has its row, or waits for that first. */
void ngx_http_prompt_postgres_enqueue(ngx_http_prompt_postgres_task_t *task);

/*
 * One that was sent already waits again: before those that came later, behind
 * those that came earlier.
 */
void ngx_http_prompt_postgres_requeue(ngx_http_prompt_postgres_task_t *task);

/* It waits no more, for whatever reason; its row stays its own. */
void ngx_http_prompt_postgres_dequeue(ngx_http_prompt_postgres_task_t *task);

/* It is over, or will never be sent: its row is the next one's. */
void ngx_http_prompt_postgres_unlock(ngx_http_prompt_postgres_task_t *task);

/* whether others may share its transaction */
ngx_uint_t ngx_http_prompt_postgres_joins(
    const ngx_http_prompt_postgres_task_t *task);

/*
 * Takes from the queues what goes with a task in one transaction, over that
 * connection; tasks has room for POSTGRES_COMPANY.  Returns how many there
 * are, task included.
 */
ngx_uint_t ngx_http_prompt_postgres_batched(
    ngx_http_prompt_postgres_connection_t *pc,
    ngx_http_prompt_postgres_task_t *task,
    ngx_http_prompt_postgres_task_t **tasks);

/* All of it was answered: whether the next ones may be batched. */
void ngx_http_prompt_postgres_took(
    const ngx_http_prompt_postgres_task_t *task);

/*
 * Whether a new task is one too many.  Those that take long, or all want
 * one row, have no more than half of the queue: it is not one user's.
 */
ngx_uint_t ngx_http_prompt_postgres_queue_full(
    ngx_http_prompt_postgres_task_t *task);

/*
 * Who is next, still in its queue, and the connection that it goes to.  NULL:
 * nobody waits, or no connection has room.
 */
ngx_http_prompt_postgres_task_t *ngx_http_prompt_postgres_next(
    ngx_http_prompt_postgres_t *pool,
    ngx_http_prompt_postgres_connection_t **pc);


/* The pool, as a connection sees it. */

/* A connection became ready, or has room again: sends what waits. */
void ngx_http_prompt_postgres_dispatch(ngx_http_prompt_postgres_t *pool);

/*
 * The worker quits: of connections that wait to be made again there is one at
 * most, and that only where it is needed.  (…_quit.c)
 */
void ngx_http_prompt_postgres_rest(ngx_http_prompt_postgres_t *pool);

/*
 * Where PostgreSQL is, as configured; then, in a worker's life, where its names
 * lead.  NGX_ERROR: memory.  (…_hosts.c)
 */
ngx_int_t ngx_http_prompt_postgres_hosts_init(ngx_http_prompt_postgres_t *pool,
    ngx_cycle_t *cycle);

/* A connection became ready: the others need not wait their pause out. */
void ngx_http_prompt_postgres_wake(ngx_http_prompt_postgres_t *pool);

/*
 * The connection is done with a task, which is in no list any more: it
 * ended with that status.  Tells the owner, or frees it where there is none.
 */
void ngx_http_prompt_postgres_over(ngx_http_prompt_postgres_task_t *task,
    ngx_http_prompt_postgres_status_e status, ngx_uint_t unknown);

/*
 * Nothing of the task was done, and another connection may do better:
 * back to the queue.  Only once for a task; NGX_DECLINED
 * where that is used up, or nobody waits for it any more.
 */
ngx_int_t ngx_http_prompt_postgres_retry(ngx_http_prompt_postgres_task_t *task);

/*
 * The same, but alone, after a conflict with another transaction, a
 * few times; or after an error in a batch.
 */
ngx_int_t ngx_http_prompt_postgres_again(ngx_http_prompt_postgres_task_t *task);

/* Frees the results that a task has so far. */
void ngx_http_prompt_postgres_clear(ngx_http_prompt_postgres_task_t *task);

/*
 * The rows of a task that is sent exceed its budget: frees them and
 * tells the owner.  What comes yet is for nobody.
 */
void ngx_http_prompt_postgres_too_long(ngx_http_prompt_postgres_task_t *task);


/* A connection, as the pool sees it. */

/* The one place where the state of a connection changes. */
void ngx_http_prompt_postgres_become(
    ngx_http_prompt_postgres_connection_t *pc,
    ngx_http_prompt_postgres_state_e state);

void ngx_http_prompt_postgres_connect(
    ngx_http_prompt_postgres_connection_t *pc);

/* Closes it for good; tasks in flight are the pool's to free. */
void ngx_http_prompt_postgres_disconnect(
    ngx_http_prompt_postgres_connection_t *pc);

/* whether it is sound, and nothing in flight keeps it for itself */
ngx_uint_t ngx_http_prompt_postgres_usable(
    ngx_http_prompt_postgres_connection_t *pc);

/*
 * How long PostgreSQL may take for a task that is sent now, where that
 * is less, or more, than the session's limit: ms, else 0.  NGX_DECLINED: too
 * little of its time is left.
 */
ngx_int_t ngx_http_prompt_postgres_limit(
    const ngx_http_prompt_postgres_task_t *task, ngx_msec_t *limit);

/*
 * Sends n tasks as one transaction; the first one's limit is for all.  No
 * callback is called from here.  NGX_OK: they are the connection's.
 * NGX_ERROR: nothing of them will be done, the connection is not usable any
 * more, and they are still the pool's.
 */
ngx_int_t ngx_http_prompt_postgres_send(
    ngx_http_prompt_postgres_connection_t *pc,
    ngx_http_prompt_postgres_task_t **tasks, ngx_uint_t n);

/*
 * A part of that: prepares a statement where it is not yet, and sends it.
 * NGX_ERROR: the connection is to be broken.
 */
ngx_int_t ngx_http_prompt_postgres_prepare_one(
    ngx_http_prompt_postgres_connection_t *pc,
    ngx_http_prompt_postgres_task_t *task, const prompt_statement_t *st);
ngx_int_t ngx_http_prompt_postgres_execute(
    ngx_http_prompt_postgres_connection_t *pc, const prompt_bound_t *bound);

/*
 * Tasks of a batch with the same statement, which can be one statement for
 * them all (…_many.c).  Decides which are, before anything is sent; sends that
 * of the first of them, which is followed; shares out what it answered: takes
 * res.  Each then has the rows that it would have had alone; of no columns,
 * unless they were read.  Such rows are freed with the last task that has one.
 */
void ngx_http_prompt_postgres_gather(
    ngx_http_prompt_postgres_connection_t *pc,
    ngx_http_prompt_postgres_task_t **tasks, ngx_uint_t n);
ngx_int_t ngx_http_prompt_postgres_send_many(
    ngx_http_prompt_postgres_connection_t *pc,
    ngx_http_prompt_postgres_task_t **tasks, ngx_uint_t n);
void ngx_http_prompt_postgres_share(
    ngx_http_prompt_postgres_connection_t *pc,
    ngx_http_prompt_postgres_task_t *first, PGresult *res);
void ngx_http_prompt_postgres_unshare(ngx_http_prompt_postgres_task_t *task);

/* n parameters as libpq has them.  NGX_ERROR: one is too long. */
ngx_int_t ngx_http_prompt_postgres_params(const prompt_param_t *params,
    ngx_uint_t n, const char **values, int *lengths, int *formats);

/*
 * Sends a statement that was prepared, where it can be, with its parameters:
 * their lengths and formats are in arrays, too.
 */
ngx_int_t ngx_http_prompt_postgres_send_statement(
    ngx_http_prompt_postgres_connection_t *pc, const prompt_statement_t *st,
    const char *const *values, const int *lengths, const int *formats);

/*
 * Asks how far the server is, in front of the task's statements; and takes the
 * answer: NGX_OK, res was cleared.  NGX_DECLINED: it is another result.
 */
ngx_int_t ngx_http_prompt_postgres_ask_position(
    ngx_http_prompt_postgres_connection_t *pc,
    ngx_http_prompt_postgres_task_t *task);
ngx_int_t ngx_http_prompt_postgres_got_position(
    ngx_http_prompt_postgres_task_t *task, PGresult *res);

/* The time of a task that it has sent is over; the owner was told. */
void ngx_http_prompt_postgres_late(ngx_http_prompt_postgres_connection_t *pc);

/*
 * A connection, as its own parts see it: connecting (connection.c), sending
 * (send.c), reading (pipeline.c) and breaking (break.c).
 */

/* the next step of connecting, when the socket is ready for it */
void ngx_http_prompt_postgres_step(
    ngx_http_prompt_postgres_connection_t *pc);

/* A result of the check or of what a pooler is found out by; NULL: all are. */
void ngx_http_prompt_postgres_got_check(
    ngx_http_prompt_postgres_connection_t *pc, PGresult *res);

/* The answers to those are there. */
void ngx_http_prompt_postgres_checked(
    ngx_http_prompt_postgres_connection_t *pc);

/*
 * The connection is of no use any more: ends what is in flight and tries
 * again later.  reason is for the log.
 */
void ngx_http_prompt_postgres_break(
    ngx_http_prompt_postgres_connection_t *pc, const char *reason);

/*
 * By no fault of the server it is not wanted any more: it takes no new work,
 * and breaks when nothing is in flight, which may be now.  One that WAITS
 * stays so.
 */
void ngx_http_prompt_postgres_retire(
    ngx_http_prompt_postgres_connection_t *pc, const char *reason);

/*
 * Something that belongs to the connection is out of date: it takes no new
 * work, drains, and is made afresh.  NGX_DECLINED: that was done a moment ago
 * and was of no use; it stays as it is.
 */
ngx_int_t ngx_http_prompt_postgres_renew(
    ngx_http_prompt_postgres_connection_t *pc);

/*
 * A transaction of n tasks was rolled back.  Takes from tasks what is done
 * again: all of a batch, each alone, or a task that failed by no fault
 * of its own.  Where a statement for several was refused, they are done again
 * together, each by its own.  Returns how many are left.  (…_again.c)
 */
ngx_uint_t ngx_http_prompt_postgres_undone(
    ngx_http_prompt_postgres_connection_t *pc,
    ngx_http_prompt_postgres_task_t **tasks, ngx_uint_t n,
    ngx_http_prompt_postgres_task_t *failed);

/* whether statements are prepared at all */
#define ngx_http_prompt_postgres_prepares(pool)                              \
    ((pool)->conf->prepare != NGX_HTTP_PROMPT_PREPARE_OFF                    \
     && !(pool)->nameless)

/* whether it takes two transactions, where one goes at a time */
#define ngx_http_prompt_postgres_is_twofold(task)                            \
    ((task)->pool->reader && (task)->tree                                    \
     && !ngx_http_prompt_postgres_prepares((task)->pool))

/*
 * Asks what becomes of names, before the Sync of the check.  NGX_ERROR: the
 * connection is to be broken.  (…_pooler.c)
 */
ngx_int_t ngx_http_prompt_postgres_send_probe(
    ngx_http_prompt_postgres_connection_t *pc);

/*
 * Takes what was answered.  NGX_ERROR: it says nothing, and the connection was
 * broken, to ask again.
 */
ngx_int_t ngx_http_prompt_postgres_probed(
    ngx_http_prompt_postgres_connection_t *pc);

/* From now on nothing is prepared; state is the SQLSTATE that says why. */
void ngx_http_prompt_postgres_unprepared(ngx_http_prompt_postgres_t *pool,
    const char *state);

/* whether a statement is sent without a name for now */
ngx_uint_t ngx_http_prompt_postgres_is_unnamed(
    ngx_http_prompt_postgres_t *pool, unsigned id);

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
 * Results that are there are left to the next round of the event loop, and
 * nothing is read until then.
 */
void ngx_http_prompt_postgres_pause(ngx_http_prompt_postgres_connection_t *pc);

/* Before libpq parses what came: rows come one by one, where that is asked. */
void ngx_http_prompt_postgres_rows_mode(
    ngx_http_prompt_postgres_connection_t *pc);

/*
 * Takes a result of a task with a budget, the oldest one.  NGX_OK: took
 * and cleared it; owners may have been told, the connection may be gone, and
 * task with it.  NGX_DECLINED: it has no rows and is still the caller's.
 * NGX_ERROR: cleared, and no memory; the connection is to be broken.
 */
ngx_int_t ngx_http_prompt_postgres_rows_take(
    ngx_http_prompt_postgres_connection_t *pc,
    ngx_http_prompt_postgres_task_t *task, PGresult *res);

/*
 * Where the rows of the result that is to come go; NULL: it is that of a
 * preparation, or comes after them all.
 */
static ngx_inline prompt_rows_t *
ngx_http_prompt_postgres_rows_now(ngx_http_prompt_postgres_task_t *task)
{
    return task->step >= task->prepares
           && task->step - task->prepares < task->statements
           ? &task->result.rows[task->step - task->prepares] : NULL;
}

/* Frees the rows of a task, of either kind. */
void ngx_http_prompt_postgres_rows_free(ngx_http_prompt_postgres_task_t *task);

/* rows of all sets, for the debug log */
ngx_uint_t ngx_http_prompt_postgres_rows_count(
    const ngx_http_prompt_postgres_result_t *result);

/* the cell function of rows; rows->result is a PGresult */
prompt_str_t ngx_http_prompt_postgres_cell(const prompt_rows_t *rows,
    unsigned row, unsigned column);

#endif /* NGX_HTTP_PROMPT_POSTGRES_IMPL_H */
