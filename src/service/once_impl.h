/*
 * Inside of once: what its two files share.
 */

#ifndef NGX_HTTP_PROMPT_ONCE_IMPL_H
#define NGX_HTTP_PROMPT_ONCE_IMPL_H

#include "service/arguments.h"
#include "service/once.h"
#include "service/send.h"
#include "service/service.h"
#include "service/worker.h"


/* hashes, steps and ids; the answer besides */
#define NGX_HTTP_PROMPT_ONCE_MEMORY  (1024 * 1024)


/* PostgreSQL did not do what was asked of it. */
void ngx_http_prompt_once_log(ngx_http_prompt_once_t *once,
    const ngx_http_prompt_postgres_result_t *result);

/* The handler of the timer that renews the lease. */
void ngx_http_prompt_once_renew(ngx_event_t *ev);

/* 0: lets go.  Where it fails, it is done again, or the lease runs out. */
void ngx_http_prompt_once_lease(ngx_http_prompt_once_t *once, int64_t lease);

/*
 * Of those who come with the key now none is behind this one any more: it is
 * over, or the row is not held.  Who waits already asks PostgreSQL.
 */
void ngx_http_prompt_once_forget(ngx_http_prompt_once_t *once);

/* of its row, among those that are changed in one transaction */
prompt_str_t ngx_http_prompt_once_order(const ngx_http_prompt_once_t *once);

#endif /* NGX_HTTP_PROMPT_ONCE_IMPL_H */
