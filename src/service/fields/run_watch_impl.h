/*
 * Watching a run: what its life (run_watch.c) and its steps (run_step.c) know
 * of each other.  Nobody else includes this header.
 */

#ifndef NGX_HTTP_PROMPT_RUN_WATCH_IMPL_H
#define NGX_HTTP_PROMPT_RUN_WATCH_IMPL_H

#include "io/ngx_http_prompt_timer.h"
#include "service/fields/run_impl.h"
#include "service/worker/send.h"
#include "service/worker/worker.h"


#define NGX_HTTP_PROMPT_WATCH_CONCURRENCY  4

#define NGX_HTTP_PROMPT_WATCH_POLL     1000      /* ms */
#define NGX_HTTP_PROMPT_WATCH_BATCH    10        /* ms */
#define NGX_HTTP_PROMPT_WATCH_RENEW    8000      /* ms; a lease is 30 s */

/* steps that fail in a row before cells in hand are left to their leases */
#define NGX_HTTP_PROMPT_WATCH_TRIES    60

#define NGX_HTTP_PROMPT_WATCH_MEMORY   (32 * 1024 * 1024)

/* cells that are told at once, and bytes of these; of one more may be */
#define NGX_HTTP_PROMPT_WATCH_PAGE     32
#define NGX_HTTP_PROMPT_WATCH_BYTES    (4 * 1024 * 1024)


/* in an arena of its own; root has it as its data */
typedef struct {
    ngx_http_prompt_root_t         *root;    /* NULL: it was completed, or its
                                                client has left */
    prompt_arena_t                 *arena;
    ngx_http_prompt_run_work_t      work;
    ngx_http_prompt_runs_t          runs;    /* as they are told */
    ngx_http_prompt_cells_t         cells;
    char                            project[PROMPT_UUID_LEN];
    prompt_uuid_t                   holder;
    int32_t                         concurrency;
    int32_t                         told;    /* the last cell that was */
    int32_t                         seq;     /* that is known to be done */

    ngx_queue_t                     running;
    ngx_queue_t                     over;    /* to be given back */
    ngx_queue_t                     sent;    /* with the step under way */
    int32_t                         nrunning;
    int32_t                         nover;

    ngx_http_prompt_sent_t          query;
    ngx_http_prompt_lookup_t       *lookup;
    ngx_event_t                     turn;
    ngx_http_prompt_timer_t         timer;
    ngx_msec_t                      stepped;
    ngx_msec_t                      renewed;
    ngx_msec_t                      read;
    ngx_msec_t                      first;   /* of those to be given back */
    ngx_msec_t                      paused;  /* until then none is taken */
    ngx_uint_t                      failures;
    uint32_t                        page;

    prompt_str_t                    code;    /* why it ends; absent: it does
                                                not, or well */
    prompt_str_t                    error;
    unsigned                        full:1;  /* the run's budget is: one cell
                                                at a time */
    unsigned                        spent:1; /* it has no room for any */
    unsigned                        behind:1;    /* the client is */
    unsigned                        gone:1;  /* it can be told nothing more */
    unsigned                        last:1;  /* there is nothing more to do */
} ngx_http_prompt_watch_t;


/* Sees in the next turn what is to be next. */
void ngx_http_prompt_watch_wake(ngx_http_prompt_watch_t *watch);

/* Why it ends, unless that is known; copies. */
void ngx_http_prompt_watch_fail(ngx_http_prompt_watch_t *watch,
    prompt_str_t code, prompt_str_t error);

/* for how many cells there is, now */
int32_t ngx_http_prompt_watch_room(const ngx_http_prompt_watch_t *watch);

/*
 * Gives back and takes; while it lasts watch->query is under way.  ..._ask():
 * after a look whether who watches still may.
 */
void ngx_http_prompt_watch_step(ngx_http_prompt_watch_t *watch);
void ngx_http_prompt_watch_ask(ngx_http_prompt_watch_t *watch);

#endif /* NGX_HTTP_PROMPT_RUN_WATCH_IMPL_H */
