/*
 * A POST to a server that is configured once, by libcurl on nginx's event
 * loop: one at a time, over a connection that is kept.
 */

#ifndef NGX_HTTP_PROMPT_POST_H
#define NGX_HTTP_PROMPT_POST_H

#include <ngx_config.h>
#include <ngx_core.h>

#include "base/str.h"
#include "conf/ngx_http_prompt_conf_otlp.h"


/* bytes of an answer that are read */
#define NGX_HTTP_PROMPT_POST_ANSWER  (64 * 1024)


typedef struct ngx_http_prompt_post_s  ngx_http_prompt_post_t;


/* What came of it; valid only while the callback runs. */
typedef struct {
    ngx_uint_t    status;            /* HTTP; 0: there was no answer */
    const char   *failure;           /* libcurl's words; where status is 0 */
    int64_t       retry_after;       /* s; 0: it said nothing */
    prompt_str_t  answer;            /* empty where it is longer than that */
} ngx_http_prompt_posted_t;


typedef void (*ngx_http_prompt_posted_pt)(void *data,
    const ngx_http_prompt_posted_t *posted);


/*
 * In a worker: connects to nothing yet.  conf lives as long as the cycle.
 * NULL: memory is short, or libcurl does not bear what it is told.
 */
ngx_http_prompt_post_t *ngx_http_prompt_post_create(ngx_cycle_t *cycle,
    const ngx_http_prompt_otlp_conf_t *conf);

/* For a worker that quits: closes a connection that is kept. */
void ngx_http_prompt_post_quit(ngx_http_prompt_post_t *post);

/* NULL is none.  Nobody is told of what is in flight. */
void ngx_http_prompt_post_destroy(ngx_http_prompt_post_t *post);

/*
 * Sends the JSON body, which stays as it is until done was called: once, from
 * the event loop, after 10 s at the latest.  None other is in flight.
 * NGX_ERROR: it was not sent, and done is not called.
 */
ngx_int_t ngx_http_prompt_post_send(ngx_http_prompt_post_t *post,
    const char *body, size_t len, ngx_http_prompt_posted_pt done, void *data);

/* What is in flight, if anything is, is given up; done is not called. */
void ngx_http_prompt_post_cancel(ngx_http_prompt_post_t *post);

#endif /* NGX_HTTP_PROMPT_POST_H */
