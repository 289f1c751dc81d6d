/*
 * The end of keys and sessions.
 */

#include "service/keys/ending.h"

#include "prompt/key.h"
#include "service/keys/keys.h"


/* a few parameters, and a hash of each: a project may have very many */
#define NGX_HTTP_PROMPT_ENDING_MEMORY  (16 * 1024 * 1024)


static void ngx_http_prompt_ending_marked(void *data,
    ngx_http_prompt_postgres_task_t *task,
    const ngx_http_prompt_postgres_result_t *result);
static void ngx_http_prompt_ending_revoked(void *data);
static void ngx_http_prompt_ending_end(ngx_http_prompt_ending_t *ending,
    ngx_http_prompt_ended_e how,
    const ngx_http_prompt_postgres_result_t *result);


ngx_http_prompt_ending_t *
ngx_http_prompt_ending_create(ngx_http_prompt_worker_t *worker, size_t size,
    prompt_query_t **query)
{
    ngx_http_prompt_ending_t  *ending;

    *query = prompt_query_create(NGX_HTTP_PROMPT_ENDING_MEMORY);
    if (*query == NULL) {
        return NULL;
    }

    (*query)->unconditional = true;

    ending = prompt_arena_zalloc((*query)->arena, size);
    if (ending == NULL) {
        prompt_query_destroy(*query);
        return NULL;
    }

    ending->arena = (*query)->arena;
    ending->worker = worker;

    return ending;
}


ngx_int_t
ngx_http_prompt_ending_send(ngx_http_prompt_ending_t *ending,
    prompt_query_t *query, bool bound)
{
    if (bound) {
        ending->task =
            ngx_http_prompt_postgres_query(ending->worker->postgres, query, 0,
                                           ngx_http_prompt_ending_marked,
                                           ending);
        if (ending->task != NULL) {
            return NGX_OK;
        }
    }

    prompt_query_destroy(query);

    return NGX_ERROR;
}


void
ngx_http_prompt_ending_leave(void *data)
{
    ngx_http_prompt_ending_t  *ending = data;

    ending->owner = NULL;
}


static void
ngx_http_prompt_ending_marked(void *data,
    ngx_http_prompt_postgres_task_t *task,
    const ngx_http_prompt_postgres_result_t *result)
{
    ngx_http_prompt_ending_t  *ending = data;

    ngx_int_t     rc;
    prompt_str_t  hashes;

    rc = result->status == NGX_HTTP_PROMPT_POSTGRES_OK
         ? ending->read(ending, result->rows, &hashes) : NGX_DECLINED;

    if (rc == NGX_DECLINED) {
        ngx_http_prompt_ending_end(ending, NGX_HTTP_PROMPT_ENDED_NONE, result);

    } else if (rc != NGX_OK
               || ngx_http_prompt_keys_revoke_all(ending->worker->keys,
                      (const uint8_t *) hashes.data,
                      hashes.len / PROMPT_KEY_HASH_LEN,
                      ngx_http_prompt_ending_revoked, ending)
                  != NGX_OK)
    {
        ngx_http_prompt_ending_end(ending, NGX_HTTP_PROMPT_ENDED_CACHED,
                                   result);
    }
}


static void
ngx_http_prompt_ending_revoked(void *data)
{
    ngx_http_prompt_ending_end(data, NGX_HTTP_PROMPT_ENDED, NULL);
}


static void
ngx_http_prompt_ending_end(ngx_http_prompt_ending_t *ending,
    ngx_http_prompt_ended_e how,
    const ngx_http_prompt_postgres_result_t *result)
{
    if (ending->owner != NULL) {
        ending->done(ending, how, result);
    }

    ngx_http_prompt_postgres_free(ending->task);
}
