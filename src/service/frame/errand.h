/*
 * Errand: an operation that is done on behalf of a request of a client, and
 * goes on without it.
 *
 * It has a request of its own, as nginx makes one, so that all that an
 * operation needs is there, its provider's subrequests included, and goes with
 * it: with a connection to nobody, from which nothing comes and to which
 * nothing is sent.
 */

#ifndef NGX_HTTP_PROMPT_ERRAND_H
#define NGX_HTTP_PROMPT_ERRAND_H

#include "service/frame/operation.h"


/* what all errands of a request have of it: lives on when that is over */
typedef struct ngx_http_prompt_errands_s  ngx_http_prompt_errands_t;


/*
 * Told once how one ended.  op: its answer is there, errors or not, until this
 * returns.  NULL: there is none, and nobody knows whether anything was done.
 */
typedef void (*ngx_http_prompt_errand_pt)(void *data,
    ngx_http_prompt_operation_t *op);


/* Of an operation of the job's protocol; NULL: memory. */
ngx_http_prompt_errands_t *ngx_http_prompt_errands_create(
    ngx_http_prompt_job_t *job);

/* Errands that are under way have no need of it. */
void ngx_http_prompt_errands_destroy(ngx_http_prompt_errands_t *errands);

/*
 * An operation with the document of the protocol that is meant for this, an
 * arena, and the trace of the request; the caller sets who asks, and what is
 * beside.  NULL: memory, or nginx has no connection left for it, of which all
 * errands have a part; done is not called.
 */
ngx_http_prompt_operation_t *ngx_http_prompt_errand_create(
    ngx_http_prompt_errands_t *errands, ngx_http_prompt_errand_pt done,
    void *data);

/*
 * Runs it, from the event loop: done may be called from inside.  variables:
 * NULL where memory was short.
 */
void ngx_http_prompt_errand_run(ngx_http_prompt_operation_t *op,
    const prompt_json_t *variables);

#endif /* NGX_HTTP_PROMPT_ERRAND_H */
