/*
 * Queries of the worker's own.
 */

#include "service/worker/send.h"


static void ngx_http_prompt_sent(void *data,
    ngx_http_prompt_postgres_task_t *task,
    const ngx_http_prompt_postgres_result_t *result);


ngx_int_t
ngx_http_prompt_send_query(ngx_http_prompt_sent_t *sent,
    ngx_http_prompt_postgres_t *postgres, prompt_query_t *query, bool bound,
    ngx_msec_t timeout, ngx_http_prompt_sent_pt done, void *data)
{
    if (query == NULL) {
        return NGX_ERROR;
    }

    if (bound && sent == NULL) {
        sent = prompt_arena_zalloc(query->arena,
                                   sizeof(ngx_http_prompt_sent_t));
    }

    if (bound && sent != NULL) {
        sent->done = done;
        sent->data = data;
        sent->task = ngx_http_prompt_postgres_query(postgres, query, timeout,
                                                    ngx_http_prompt_sent, sent);
        if (sent->task != NULL) {
            return NGX_OK;
        }
    }

    prompt_query_destroy(query);

    return NGX_ERROR;
}


/* Another one may be sent from inside done, or sent be gone after it. */
static void
ngx_http_prompt_sent(void *data, ngx_http_prompt_postgres_task_t *task,
    const ngx_http_prompt_postgres_result_t *result)
{
    ngx_http_prompt_sent_t  *sent = data;

    sent->task = NULL;
    sent->done(sent->data, result);

    ngx_http_prompt_postgres_free(task);
}


void
ngx_http_prompt_send_leave(ngx_http_prompt_sent_t *sent)
{
    if (sent->task != NULL) {
        ngx_http_prompt_postgres_detach(sent->task);
        sent->task = NULL;
    }
}
