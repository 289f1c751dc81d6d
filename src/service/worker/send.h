/*
 * Queries of the worker's own: no root field completes with them, or it may
 * be gone when they end.
 */

#ifndef NGX_HTTP_PROMPT_SEND_H
#define NGX_HTTP_PROMPT_SEND_H

#include "io/ngx_http_prompt_postgres.h"


/* Told once how it ended; result and its rows go when this returns. */
typedef void (*ngx_http_prompt_sent_pt)(void *data,
    const ngx_http_prompt_postgres_result_t *result);


/* A query that is sent, in the memory of whom it is for.  Zeroed: none is. */
typedef struct {
    ngx_http_prompt_postgres_task_t  *task;      /* NULL: none is in flight */
    ngx_http_prompt_sent_pt           done;
    void                             *data;
} ngx_http_prompt_sent_t;


/* a query of the worker's own, a few parameters and rows; NULL: memory */
#define ngx_http_prompt_send_create()  prompt_query_create(256 * 1024)

/*
 * Sends query, unless it is NULL or bound is false: memory was short.  The
 * rest is as with ngx_http_prompt_postgres_query().  sent stays until done is
 * called, and may go in it; NULL: nobody leaves before.  NGX_ERROR: memory;
 * done is not called, and query is gone.
 */
ngx_int_t ngx_http_prompt_send_query(ngx_http_prompt_sent_t *sent,
    ngx_http_prompt_postgres_t *postgres, prompt_query_t *query, bool bound,
    ngx_msec_t timeout, ngx_http_prompt_sent_pt done, void *data);

/* Its owner leaves: done is not called.  Where nothing was sent, nothing. */
void ngx_http_prompt_send_leave(ngx_http_prompt_sent_t *sent);

#endif /* NGX_HTTP_PROMPT_SEND_H */
