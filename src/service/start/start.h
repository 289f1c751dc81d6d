/*
 * Start: a worker process begins and ends, and what it says of itself.
 */

#ifndef NGX_HTTP_PROMPT_START_H
#define NGX_HTTP_PROMPT_START_H

#include "service/frame/service.h"
#include "service/worker/worker.h"


/* that part of the memory for versions is for those that are executed */
#define NGX_HTTP_PROMPT_TARGETS_SHARE   4

/* how often a worker adds to the metrics what its connections have done */
#define NGX_HTTP_PROMPT_COUNT_INTERVAL  1000                 /* ms */


/* the fields of all resources, to be bound when the configuration is read */
extern ngx_http_prompt_field_t *const  ngx_http_prompt_tables[];

/* For init_module: gives each model its numbers in the metrics. */
void ngx_http_prompt_worker_count_models(ngx_http_prompt_main_conf_t *pmcf);

/* For init_process: connects and starts the timers. */
ngx_int_t ngx_http_prompt_worker_init(ngx_cycle_t *cycle,
    ngx_http_prompt_main_conf_t *pmcf);

/*
 * PostgreSQL said which database it is (store/schema_version.h): where that is
 * another one than before, what the worker knows of that is forgotten, and no
 * connection to it is used any more.
 */
void ngx_http_prompt_worker_enter(ngx_http_prompt_worker_t *worker,
    uint64_t database);

/* For exit_process. */
void ngx_http_prompt_worker_exit(ngx_http_prompt_main_conf_t *pmcf);

/*
 * Adds to the metrics what the connections have done since the last time, and
 * says how it is with them (worker_count.c).
 */
void ngx_http_prompt_worker_count(ngx_http_prompt_worker_t *worker);

#endif /* NGX_HTTP_PROMPT_START_H */
