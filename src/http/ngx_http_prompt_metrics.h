/*
 * prompt_metrics: a location that answers with the metrics.
 */

#ifndef NGX_HTTP_PROMPT_METRICS_H
#define NGX_HTTP_PROMPT_METRICS_H

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>


/* The directive's handler. */
char *ngx_http_prompt_metrics(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);

#endif /* NGX_HTTP_PROMPT_METRICS_H */
