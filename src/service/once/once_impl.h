/*
 * Inside of once: what its files share.  What makes two requests the same is
 * in once_fingerprint.c, taking a row in once_take.c, a row that is held in
 * once.c, and what becomes of the operation in once_hook.c.
 */

#ifndef NGX_HTTP_PROMPT_ONCE_IMPL_H
#define NGX_HTTP_PROMPT_ONCE_IMPL_H

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "base/sha256.h"
#include "base/uuid.h"
#include "io/ngx_http_prompt_timer.h"
#include "service/frame/arguments.h"
#include "service/frame/service.h"
#include "service/once/once.h"
#include "service/worker/hash_tree.h"
#include "service/worker/send.h"
#include "service/worker/worker.h"
#include "store/idempotency.h"


/*
 * Of who works on it; how often it is renewed.  What is left then is more than
 * PROMPT_JUMP_STEP, and all of it no more than PROMPT_JUMP_STEP_PAUSE.
 */
#define NGX_HTTP_PROMPT_ONCE_LEASE   15000                   /* ms */
#define NGX_HTTP_PROMPT_ONCE_RENEW   4000                    /* ms */

/* bytes of an answer that are kept; of a longer one only what was done */
#define NGX_HTTP_PROMPT_ONCE_ANSWER  (4 * 1024 * 1024)

/* hashes, steps and ids; the answer besides */
#define NGX_HTTP_PROMPT_ONCE_MEMORY  (1024 * 1024)


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

    ngx_http_prompt_operation_t      *op;
    ngx_http_prompt_job_t            *job;       /* its own */
    ngx_http_prompt_worker_t         *worker;

    prompt_idempotency_t              row;       /* views of what follows */
    char                              user[PROMPT_UUID_LEN];
    uint8_t                           key[PROMPT_IDEMPOTENCY_HASH_LEN];
    uint8_t                           fingerprint[PROMPT_IDEMPOTENCY_HASH_LEN];
    prompt_uuid_t                     holder;

    ngx_http_prompt_timer_t           renew;
    ngx_http_prompt_sent_t            renewal;
    ngx_http_prompt_sent_t            query;     /* taking, looking, keeping */

    prompt_str_t                      answer;    /* a view of the query, while
                                                    that tells of it */
    ngx_http_prompt_known_t          *known;     /* a root field each, in the
                                                    request's arena */

    unsigned                          held:1;
    unsigned                          leads:1;
    unsigned                          waits:1;
    unsigned                          over:1;    /* root fields are told of,
                                                    not executed */
} ngx_http_prompt_once_t;


/* What makes two requests the same.  NGX_ERROR: memory. */
ngx_int_t ngx_http_prompt_once_fingerprint(
    const ngx_http_prompt_operation_t *op, uint8_t out[PROMPT_SHA256_LEN]);

/*
 * Asks for the row of a key.  op, key and fingerprint are set.  NGX_OK:
 * ..._taken() is called once, from the event loop, unless the request ends
 * before; NGX_DONE: it is known already, *how is BUSY or OTHER; NGX_ERROR:
 * memory.
 */
ngx_int_t ngx_http_prompt_once_take(ngx_http_prompt_once_t *once,
    ngx_http_prompt_once_e *how);
void ngx_http_prompt_once_taken(ngx_http_prompt_once_t *once,
    ngx_http_prompt_once_e how);

/*
 * Keeps the answer, or that it is not kept; where nothing was done, nothing
 * more.  NGX_OK: ..._kept() is called
 * once, from the event loop; held is 0 where another request has the row by
 * now.  NGX_DECLINED: there is nothing to wait for.
 */
ngx_int_t ngx_http_prompt_once_keep(ngx_http_prompt_once_t *once);
void ngx_http_prompt_once_kept(ngx_http_prompt_once_t *once, ngx_uint_t held);

/* Of hooks: see there. */
bool ngx_http_prompt_once_start(ngx_http_prompt_root_t *root)
    PROMPT_WARN_UNUSED;
bool ngx_http_prompt_once_mark(ngx_http_prompt_root_t *root,
    prompt_query_t *query, prompt_str_t id) PROMPT_WARN_UNUSED;
void ngx_http_prompt_once_leave(ngx_http_prompt_operation_t *op);

/* PostgreSQL did not do what was asked of it. */
void ngx_http_prompt_once_log(ngx_http_prompt_once_t *once,
    const ngx_http_prompt_postgres_result_t *result);

/* The handler of the timer that renews the lease. */
void ngx_http_prompt_once_renew(ngx_event_t *ev);

/* 0: lets go.  Where it fails, it is done again, or the lease runs out. */
void ngx_http_prompt_once_lease(ngx_http_prompt_once_t *once, int64_t lease);

/*
 * Of those who come with the key now none is behind this one any more: it is
 * over, or the row is not held.  Who waits already asks PostgreSQL.
 */
void ngx_http_prompt_once_forget(ngx_http_prompt_once_t *once);

/* of its row, among those that are changed in one transaction */
prompt_str_t ngx_http_prompt_once_order(const ngx_http_prompt_once_t *once);

#endif /* NGX_HTTP_PROMPT_ONCE_IMPL_H */
