/*
 * Queries of the worker's own.
 */

#include "service/worker/send.h"


ngx_http_prompt_postgres_task_t *
ngx_http_prompt_send_query(ngx_http_prompt_postgres_t *postgres,
    prompt_query_t *query, bool bound, ngx_msec_t timeout,
    ngx_http_prompt_postgres_done_pt done, void *data)
{
    ngx_http_prompt_postgres_task_t  *root;

    root = NULL;

    if (query != NULL && bound) {
        root = ngx_http_prompt_postgres_query(postgres, query, timeout, done,
                                              data);
    }

    if (root == NULL && query != NULL) {
        prompt_query_destroy(query);
    }

    return root;
}
