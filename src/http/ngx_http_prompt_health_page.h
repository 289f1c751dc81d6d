/*
 * prompt_health: whether this worker can serve, for load balancers.
 */

#ifndef NGX_HTTP_PROMPT_HEALTH_PAGE_H
#define NGX_HTTP_PROMPT_HEALTH_PAGE_H

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>


/* The directive. */
char *ngx_http_prompt_health(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);

#endif /* NGX_HTTP_PROMPT_HEALTH_PAGE_H */
