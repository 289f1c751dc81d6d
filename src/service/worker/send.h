/*
 * Queries of the worker's own: no root field completes with them, or it may
 * be gone when they end.
 */

#ifndef NGX_HTTP_PROMPT_SEND_H
#define NGX_HTTP_PROMPT_SEND_H

#include "io/ngx_http_prompt_postgres.h"


/*
 * Sends query, unless it is NULL or bound is false: memory was short.  The
 * rest is as with ngx_http_prompt_postgres_query(), but that query is
 * destroyed where NULL is returned.
 */
ngx_http_prompt_postgres_task_t *ngx_http_prompt_send_query(
    ngx_http_prompt_postgres_t *postgres, prompt_query_t *query, bool bound,
    ngx_msec_t timeout, ngx_http_prompt_postgres_done_pt done, void *data)
    PROMPT_WARN_UNUSED;

#endif /* NGX_HTTP_PROMPT_SEND_H */
