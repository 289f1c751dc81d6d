/*
 * Spans on their way to a collector (prompt_otlp).
 *
 * Whoever has done something puts a span into the worker's queue, and that is
 * all: what cannot be sent, or sent in time, is dropped and counted.
 */

#ifndef NGX_HTTP_PROMPT_OTLP_H
#define NGX_HTTP_PROMPT_OTLP_H

#include "conf/ngx_http_prompt_conf.h"
#include "metrics/metrics.h"
#include "trace/span.h"


typedef struct ngx_http_prompt_otlp_s  ngx_http_prompt_otlp_t;


/* For init_process; NULL: memory is short, or libcurl cannot be used. */
ngx_http_prompt_otlp_t *ngx_http_prompt_otlp_create(ngx_cycle_t *cycle,
    const ngx_http_prompt_otlp_conf_t *conf,
    ngx_http_prompt_metrics_t *metrics);

/* For exit_process: what still waits is dropped.  NULL is none. */
void ngx_http_prompt_otlp_destroy(ngx_http_prompt_otlp_t *otlp);

/* For a worker that quits: what is not used is closed. */
void ngx_http_prompt_otlp_quit(ngx_http_prompt_otlp_t *otlp);

/* Puts a copy of the span into the queue. */
void ngx_http_prompt_otlp_put(ngx_http_prompt_otlp_t *otlp,
    const prompt_span_t *span);

/* whether what a model was sent, and said, is part of a span */
ngx_uint_t ngx_http_prompt_otlp_content(const ngx_http_prompt_otlp_t *otlp);

#endif /* NGX_HTTP_PROMPT_OTLP_H */
