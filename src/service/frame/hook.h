/*
 * Hooks: what stands around operations, and the queries of their root fields,
 * without fields knowing of it: an Idempotency-Key (service/once), servers
 * that follow the primary (service/standby).
 *
 * A worker has a list of them (worker->hooks), which are called in its order.
 * What a hook keeps of an operation hangs on its job.  Members may be NULL.
 */

#ifndef NGX_HTTP_PROMPT_HOOK_H
#define NGX_HTTP_PROMPT_HOOK_H

#include "service/frame/operation.h"
#include "service/frame/root.h"
#include "service/worker/worker.h"


struct ngx_http_prompt_hook_s {

    /*
     * Before root fields start.  NGX_OK: go on.  NGX_AGAIN:
     * ngx_http_prompt_operation_go_on() is called later, or what ends it.
     * NGX_DONE: the operation was ended.  NGX_ERROR: memory.
     */
    ngx_int_t                   (*begin)(ngx_http_prompt_operation_t *op);

    /* Before a root field starts.  False: it was completed. */
    bool                        (*start)(ngx_http_prompt_root_t *root);

    /*
     * Before a query of a change is sent, of what has this id (16 bytes) or
     * absent: appends to it.  False: memory.
     */
    bool                        (*send)(ngx_http_prompt_root_t *root,
                                        prompt_query_t *query,
                                        prompt_str_t id);

    /*
     * Where the root field's query goes first, and its limit; NULL: to the
     * primary.  The first hook that says so decides.
     */
    ngx_http_prompt_postgres_t *(*pool)(ngx_http_prompt_root_t *root,
                                        ngx_msec_t *limit);

    /* What was answered there.  NGX_DECLINED: the primary is to be asked. */
    ngx_int_t                   (*answered)(ngx_http_prompt_root_t *root);

    /* The answer is there, in op->pieces, and not sent.  As begin. */
    ngx_int_t                   (*end)(ngx_http_prompt_operation_t *op);

    /* A change of this user (16 bytes), for whose answer nobody waits. */
    void                        (*changed)(ngx_http_prompt_worker_t *worker,
                                           const uint8_t *user);

    /* The request ends: nothing is called any more. */
    void                        (*leave)(ngx_http_prompt_operation_t *op);
};


/* The hooks of all workers, up to NULL: service/start. */
extern const ngx_http_prompt_hook_t *const  ngx_http_prompt_hooks[];


/* Calls them for root; what they return is as above. */
bool ngx_http_prompt_hooks_start(ngx_http_prompt_root_t *root)
    PROMPT_WARN_UNUSED;
bool ngx_http_prompt_hooks_send(ngx_http_prompt_root_t *root,
    prompt_query_t *query, prompt_str_t id) PROMPT_WARN_UNUSED;
ngx_http_prompt_postgres_t *ngx_http_prompt_hooks_pool(
    ngx_http_prompt_root_t *root, ngx_msec_t *limit);
ngx_int_t ngx_http_prompt_hooks_answered(ngx_http_prompt_root_t *root);

/* And for what no operation waits for. */
void ngx_http_prompt_hooks_changed(ngx_http_prompt_worker_t *worker,
    const uint8_t *user);

#endif /* NGX_HTTP_PROMPT_HOOK_H */
