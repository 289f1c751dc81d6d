/*
 * Once: a job whose request carries an Idempotency-Key.
 *
 * Its row in PostgreSQL (store/idempotency.h) is taken before the first root
 * field starts, and held by a lease that is renewed.  Each change says in its
 * own transaction that it was made, and fails where the row is not held any
 * more.  So who takes over a row that was left finds in it all that was done
 * and, what is not in it, undone for good:
 *
 *     nothing in it        the job is done as if it were the first
 *     something in it      nothing is done; each root field is completed with
 *                          an error that says what is known of it
 *
 * The job goes on without its client, since its answer is kept for the next.
 */

#ifndef NGX_HTTP_PROMPT_ONCE_H
#define NGX_HTTP_PROMPT_ONCE_H

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "base/uuid.h"
#include "conf/ngx_http_prompt_conf.h"
#include "io/ngx_http_prompt_timer.h"
#include "service/hash_tree.h"
#include "service/root.h"
#include "store/idempotency.h"


/*
 * Of who works on it; how often it is renewed.  What is left then is more than
 * PROMPT_JUMP_STEP, and all of it no more than PROMPT_JUMP_STEP_PAUSE.
 */
#define NGX_HTTP_PROMPT_ONCE_LEASE   15000                   /* ms */
#define NGX_HTTP_PROMPT_ONCE_RENEW   4000                    /* ms */

/* bytes of an answer that are kept; of a longer one only what was done */
#define NGX_HTTP_PROMPT_ONCE_ANSWER  (4 * 1024 * 1024)


/* how it stands with a key that was asked for */
typedef enum {
    NGX_HTTP_PROMPT_ONCE_RUN = 0,    /* run the job; root fields see to it
                                        that nothing is done twice */
    NGX_HTTP_PROMPT_ONCE_ANSWERED,   /* once->answer is the answer */
    NGX_HTTP_PROMPT_ONCE_BUSY,       /* somebody works on it */
    NGX_HTTP_PROMPT_ONCE_OTHER,      /* it belongs to another request */
    NGX_HTTP_PROMPT_ONCE_FAILED      /* PostgreSQL did not say; logged */
} ngx_http_prompt_once_e;


/* what is known of a root field that an earlier request executed */
typedef struct {
    prompt_str_t    id;              /* 16 bytes; absent: it has none */
    prompt_str_t    state;           /* see prompt_idempotency_look() */
    unsigned        done:1;          /* it was executed */
    unsigned        is_key:1;        /* what the state says of the id */
    unsigned        is_execution:1;
} ngx_http_prompt_known_t;


/* Lives in r->pool. */
typedef struct ngx_http_prompt_once_s {
    ngx_http_prompt_hashed_t          hashed;    /* where it leads: in the
                                                    worker's tree */
    ngx_queue_t                       waiting;   /* for what it finds */
    ngx_queue_t                       queue;     /* where it waits */

    ngx_http_prompt_job_t            *job;
    ngx_http_prompt_worker_t         *worker;

    prompt_idempotency_t              row;       /* views of what follows */
    char                              user[PROMPT_UUID_LEN];
    uint8_t                           key[PROMPT_IDEMPOTENCY_HASH_LEN];
    uint8_t                           fingerprint[PROMPT_IDEMPOTENCY_HASH_LEN];
    prompt_uuid_t                     holder;

    ngx_http_prompt_timer_t           renew;
    ngx_http_prompt_postgres_task_t  *renewal;   /* in flight */
    ngx_http_prompt_postgres_task_t  *query;     /* taking, looking, keeping */

    /* told from the event loop; who is told runs posted requests */
    void                            (*taken)(void *data,
                                             ngx_http_prompt_once_e how);
    void                            (*kept)(void *data, ngx_uint_t held);
    void                             *data;

    prompt_str_t                      answer;    /* a view of the query */
    ngx_array_t                      *shows;     /* ids; NULL: none yet */
    ngx_http_prompt_known_t          *known;     /* a root field each, in the
                                                    request's arena */

    unsigned                          held:1;
    unsigned                          leads:1;
    unsigned                          waits:1;
    unsigned                          told:1;    /* root fields are told of,
                                                    not executed */
    unsigned                          secret:1;  /* the answer is not kept */
    unsigned                          unknown:1; /* nor does it settle what
                                                    was done: ask again */
} ngx_http_prompt_once_t;


/*
 * Asks for the row of a key.  job->identity and job->plan are set, and so are
 * key and fingerprint.  NGX_OK: taken(data, …) is told once, unless the
 * request ends before; NGX_DONE: it is known already, *how is BUSY or OTHER;
 * NGX_ERROR: memory.
 */
ngx_int_t ngx_http_prompt_once_take(ngx_http_prompt_once_t *once,
    ngx_http_prompt_job_t *job, ngx_http_prompt_once_e *how,
    void (*taken)(void *data, ngx_http_prompt_once_e how), void *data);

/*
 * Appends to the query of a change of root what says that it was made; id: 16
 * bytes, of what it makes or changes, or absent.  Nothing where the request
 * has no key.  False: memory.
 */
bool ngx_http_prompt_once_mark(ngx_http_prompt_root_t *root,
    prompt_query_t *query, prompt_str_t id) PROMPT_WARN_UNUSED;

/*
 * root shows what has this id (16 bytes; absent: nothing): the answer is kept
 * as long as that is there.  Nothing where the request has no key.
 */
void ngx_http_prompt_once_shows(const ngx_http_prompt_root_t *root,
    prompt_str_t id);

/* Whether root is only told of. */
ngx_uint_t ngx_http_prompt_once_over(const ngx_http_prompt_root_t *root);

/* Completes such a one with an error that says what an earlier request did. */
void ngx_http_prompt_once_tell(ngx_http_prompt_root_t *root);

/*
 * Keeps the answer, or that it is not kept.  NGX_OK: kept(data, held) is told
 * once, from the event loop; held is 0 where another request has the row by
 * now.  NGX_DECLINED: there is nothing to wait for.
 */
ngx_int_t ngx_http_prompt_once_keep(ngx_http_prompt_once_t *once,
    ngx_uint_t status, const prompt_str_t *pieces, size_t npieces,
    void (*kept)(void *data, ngx_uint_t held));

/* The request ends: the row is left to the next when its lease runs out. */
void ngx_http_prompt_once_leave(ngx_http_prompt_once_t *once);

#endif /* NGX_HTTP_PROMPT_ONCE_H */
