/*
 * Usage: notes, and the statement that takes them along.
 */

#include "service/keys/usage.h"

#include "service/worker/worker.h"
#include "store/api_key.h"


static void ngx_http_prompt_usage_send(ngx_event_t *ev);
static void ngx_http_prompt_usage_sent(void *data,
    const ngx_http_prompt_postgres_result_t *result);


ngx_int_t
ngx_http_prompt_usage_init(ngx_http_prompt_worker_t *worker,
    ngx_cycle_t *cycle)
{
    ngx_http_prompt_usage_t  *usage;

    usage = worker->usage;

    usage->known = ngx_pcalloc(cycle->pool,
                               NGX_HTTP_PROMPT_USAGE_KNOWN
                               * sizeof(ngx_http_prompt_used_t));
    if (usage->known == NULL) {
        return NGX_ERROR;
    }

    /* holds a worker that quits: it is a moment only */

    ngx_http_prompt_timer_init(&usage->timer, ngx_http_prompt_usage_send,
                               worker, worker->log);

    return NGX_OK;
}


void
ngx_http_prompt_usage_forget(ngx_http_prompt_worker_t *worker)
{
    ngx_http_prompt_usage_t  *usage;

    usage = worker->usage;

    ngx_http_prompt_timer_stop(&usage->timer);
    usage->nbatch = 0;
    ngx_memzero(usage->known, NGX_HTTP_PROMPT_USAGE_KNOWN
                              * sizeof(ngx_http_prompt_used_t));
}


/*
 * Two ids of one place push each other out, and are told more often than they
 * need be.  The last bytes of an id are random.
 */
void
ngx_http_prompt_usage_note(ngx_http_prompt_worker_t *worker, const u_char *id)
{
    uint32_t                  number;
    ngx_http_prompt_used_t   *used;
    ngx_http_prompt_usage_t  *usage;

    usage = worker->usage;

    ngx_memcpy(&number, id + PROMPT_UUID_LEN - sizeof(number),
               sizeof(number));

    used = &usage->known[number % NGX_HTTP_PROMPT_USAGE_KNOWN];

    if ((used->used
         && ngx_memcmp(used->id, id, PROMPT_UUID_LEN) == 0
         && ngx_current_msec - used->told < NGX_HTTP_PROMPT_USAGE_AGAIN)
        || usage->nbatch == NGX_HTTP_PROMPT_USAGE_BATCH)
    {
        return;
    }

    used->used = 1;
    used->told = ngx_current_msec;
    ngx_memcpy(used->id, id, PROMPT_UUID_LEN);

    ngx_memcpy(usage->batch[usage->nbatch++], id, PROMPT_UUID_LEN);

    if (!usage->timer.event.timer_set && usage->sent.task == NULL) {
        ngx_add_timer(&usage->timer.event, NGX_HTTP_PROMPT_USAGE_PAUSE);
    }
}


static void
ngx_http_prompt_usage_send(ngx_event_t *ev)
{
    bool                       bound;
    prompt_query_t            *query;
    ngx_http_prompt_usage_t   *usage;
    ngx_http_prompt_worker_t  *worker;

    worker = ngx_http_prompt_timer_owner(ev);
    usage = worker->usage;

    query = ngx_http_prompt_send_create();
    bound = query != NULL
            && prompt_api_key_used(query,
                                   prompt_str_of((char *) usage->batch,
                                                 usage->nbatch
                                                 * PROMPT_UUID_LEN));

    usage->nbatch = 0;

    if (ngx_http_prompt_send_query(&usage->sent, worker->postgres, query, bound,
                                   0, ngx_http_prompt_usage_sent, worker)
        != NGX_OK)
    {
        ngx_memzero(usage->known, NGX_HTTP_PROMPT_USAGE_KNOWN
                                  * sizeof(ngx_http_prompt_used_t));
    }
}


/* What was not taken is told with the next request. */
static void
ngx_http_prompt_usage_sent(void *data,
    const ngx_http_prompt_postgres_result_t *result)
{
    ngx_http_prompt_worker_t  *worker = data;

    ngx_http_prompt_usage_t  *usage;

    usage = worker->usage;

    if (result->status != NGX_HTTP_PROMPT_POSTGRES_OK) {
        ngx_memzero(usage->known, NGX_HTTP_PROMPT_USAGE_KNOWN
                                  * sizeof(ngx_http_prompt_used_t));
    }

    if (usage->nbatch != 0) {
        ngx_add_timer(&usage->timer.event, NGX_HTTP_PROMPT_USAGE_PAUSE);
    }
}
