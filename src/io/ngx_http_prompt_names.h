/*
 * Host names that are looked up again, in a worker: by nginx's resolver, or by
 * libc in a thread.  Nobody waits for it; what is known stays until something
 * else is.
 */

#ifndef NGX_HTTP_PROMPT_NAMES_H
#define NGX_HTTP_PROMPT_NAMES_H

#include "conf/ngx_http_prompt_conf_names.h"


typedef struct ngx_http_prompt_names_s  ngx_http_prompt_names_t;


/*
 * A name has other addresses than when it was looked up last, or was not looked
 * up before: n of them, without ports; place is as in the
 * configuration, from 1.  They are there until the next call for that name.
 * From the event loop.
 */
typedef void (*ngx_http_prompt_names_pt)(void *data, ngx_uint_t place,
    const ngx_addr_t *addrs, ngx_uint_t n);


/*
 * For init_process; conf lives as long as the worker.  NULL in *made where
 * there is nothing to be looked up.  NGX_ERROR: memory.
 */
ngx_int_t ngx_http_prompt_names_create(ngx_http_prompt_names_t **made,
    ngx_cycle_t *cycle, const ngx_http_prompt_names_conf_t *conf,
    ngx_http_prompt_names_pt changed, void *data);

/* For exit_process; NULL is allowed. */
void ngx_http_prompt_names_destroy(ngx_http_prompt_names_t *names);

/*
 * A connection could not be made, or broke: they are looked up soon, at most
 * once a second.  NULL is allowed.
 */
void ngx_http_prompt_names_soon(ngx_http_prompt_names_t *names);

/* The worker quits.  NULL is allowed. */
void ngx_http_prompt_names_stop(ngx_http_prompt_names_t *names);

#endif /* NGX_HTTP_PROMPT_NAMES_H */
