/*
 * Hooks: the list of a worker, called in its order.
 */

#include "service/frame/hook.h"


/* of what belongs to an operation */
#define ngx_http_prompt_hooks_of(root)                                       \
    (ngx_http_prompt_get_worker((root)->job->request)->hooks)


bool
ngx_http_prompt_hooks_start(ngx_http_prompt_root_t *root)
{
    const ngx_http_prompt_hook_t *const  *hook;

    for (hook = ngx_http_prompt_hooks_of(root); *hook != NULL; hook++) {
        if ((*hook)->start != NULL && !(*hook)->start(root)) {
            return false;
        }
    }

    return true;
}


bool
ngx_http_prompt_hooks_send(ngx_http_prompt_root_t *root, prompt_query_t *query,
    prompt_str_t id)
{
    const ngx_http_prompt_hook_t *const  *hook;

    for (hook = ngx_http_prompt_hooks_of(root); *hook != NULL; hook++) {
        if ((*hook)->send != NULL && !(*hook)->send(root, query, id)) {
            return false;
        }
    }

    return true;
}


ngx_http_prompt_postgres_t *
ngx_http_prompt_hooks_pool(ngx_http_prompt_root_t *root, ngx_msec_t *limit)
{
    ngx_http_prompt_postgres_t           *pool;
    const ngx_http_prompt_hook_t *const  *hook;

    for (hook = ngx_http_prompt_hooks_of(root); *hook != NULL; hook++) {
        pool = (*hook)->pool != NULL ? (*hook)->pool(root, limit) : NULL;

        if (pool != NULL) {
            return pool;
        }
    }

    return NULL;
}


ngx_int_t
ngx_http_prompt_hooks_answered(ngx_http_prompt_root_t *root)
{
    const ngx_http_prompt_hook_t *const  *hook;

    for (hook = ngx_http_prompt_hooks_of(root); *hook != NULL; hook++) {
        if ((*hook)->answered != NULL && (*hook)->answered(root) != NGX_OK) {
            return NGX_DECLINED;
        }
    }

    return NGX_OK;
}


void
ngx_http_prompt_hooks_changed(ngx_http_prompt_worker_t *worker,
    const uint8_t *user)
{
    const ngx_http_prompt_hook_t *const  *hook;

    for (hook = worker->hooks; *hook != NULL; hook++) {
        if ((*hook)->changed != NULL) {
            (*hook)->changed(worker, user);
        }
    }
}
