/*
 * What a job, or a change that nobody waits for, knows of positions: for
 * standby.h only, to stand in a job.
 */

#ifndef NGX_HTTP_PROMPT_FOLLOW_H
#define NGX_HTTP_PROMPT_FOLLOW_H

#include <ngx_config.h>
#include <ngx_core.h>

#include "io/ngx_http_prompt_postgres.h"
#include "io/ngx_http_prompt_redis_servers.h"
#include "io/ngx_http_prompt_timer.h"
#include "metrics/metrics.h"


/* a change whose position is being told to all hosts */
typedef struct {
    struct ngx_http_prompt_standby_s  *standby;  /* NULL: it is over */
    ngx_queue_t                        queue;
    u_char                             user[16];
    ngx_msec_t                         start;
    ngx_http_prompt_postgres_task_t   *task;     /* asks for it */
    ngx_http_prompt_redis_call_t      *command;  /* tells it */
    ngx_http_prompt_timer_t            timer;    /* it need not be told then */
    prompt_position_t                  position;
    struct ngx_http_prompt_job_s      *job;      /* that waits for it */
    void                             (*done)(struct ngx_http_prompt_job_s *job);
                                                 /* NULL: nobody does */
    unsigned                           reads:1;  /* for a token only: nobody
                                                    is told */
} ngx_http_prompt_mark_t;


/* Zeroed, it has seen nothing and may not read from standbys. */
typedef struct {
    prompt_str_t                       token;    /* of the client, or absent */
    prompt_position_t                  needed;   /* what it must see */
    uint64_t                           floor;    /* where the primary was
                                                    max_lag ago */
    prompt_position_t                  reached;  /* what it was shown, or has
                                                    written */
    ngx_http_prompt_redis_call_t      *command;  /* asks for the mark */
    ngx_http_prompt_mark_t             mark;
    ngx_http_prompt_count_e            passed;   /* why no standby is read */
    unsigned                           reads:1;  /* one may be */
    unsigned                           changes:1;
    unsigned                           told:1;
    unsigned                           mixed:1;  /* the primary has shown what
                                                    reached does not say */
} ngx_http_prompt_follow_t;

#endif /* NGX_HTTP_PROMPT_FOLLOW_H */
