/*
 * Root fields that are endings.
 */

#include "service/fields/root_ending.h"

#include "service/frame/arguments.h"
#include "service/frame/hook.h"
#include "service/worker/worker.h"


static void ngx_http_prompt_root_ending_done(ngx_http_prompt_ending_t *ending,
    ngx_http_prompt_ended_e how,
    const ngx_http_prompt_postgres_result_t *result);


void *
ngx_http_prompt_root_ending_create(ngx_http_prompt_root_t *root,
    const ngx_http_prompt_root_ending_kind_t *kind, size_t size,
    prompt_query_t **query)
{
    ngx_http_prompt_root_ending_t  *own;

    own = (ngx_http_prompt_root_ending_t *)
        ngx_http_prompt_ending_create(
            ngx_http_prompt_get_worker(root->job->request), size, query);

    if (own == NULL) {
        ngx_http_prompt_root_fail_nomem(root);
        return NULL;
    }

    own->kind = kind;
    own->ending.owner = root;
    own->ending.read = kind->read;
    own->ending.done = ngx_http_prompt_root_ending_done;

    (*query)->actor = ngx_http_prompt_actor(root);

    return own;
}


void
ngx_http_prompt_root_ending_send(ngx_http_prompt_root_t *root, void *ending,
    prompt_query_t *query, bool bound, prompt_str_t id)
{
    bound = bound && ngx_http_prompt_hooks_send(root, query, id);

    if (ngx_http_prompt_ending_send(ending, query, bound) != NGX_OK) {
        ngx_http_prompt_root_fail_nomem(root);
        return;
    }

    root->data = ending;
    root->detach = ngx_http_prompt_ending_leave;
}


static void
ngx_http_prompt_root_ending_done(ngx_http_prompt_ending_t *ending,
    ngx_http_prompt_ended_e how,
    const ngx_http_prompt_postgres_result_t *result)
{
    ngx_http_prompt_job_t          *job;
    ngx_http_prompt_root_t         *root;
    ngx_http_prompt_root_ending_t  *own;

    own = (ngx_http_prompt_root_ending_t *) ending;
    root = ending->owner;
    job = root->job;

    switch (how) {

    case NGX_HTTP_PROMPT_ENDED:
        own->kind->done(root);
        break;

    case NGX_HTTP_PROMPT_ENDED_CACHED:
        ngx_http_prompt_root_broken(root, "%s", own->kind->cached);
        break;

    case NGX_HTTP_PROMPT_ENDED_NONE:
        root->result = result;

        if (ngx_http_prompt_root_succeeded(root)) {
            own->kind->none(root);
        }
    }

    ngx_http_prompt_job_resume(job);
}
