/*
 * What answers in a location of its own: prompt_health, whether this worker can
 * serve, for load balancers; prompt_metrics; prompt_echo, a stand-in for a
 * model provider.
 */

#ifndef NGX_HTTP_PROMPT_LOCATIONS_H
#define NGX_HTTP_PROMPT_LOCATIONS_H

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>


/* handlers, for the directives */
ngx_int_t ngx_http_prompt_health_handler(ngx_http_request_t *r);
ngx_int_t ngx_http_prompt_metrics_handler(ngx_http_request_t *r);
ngx_int_t ngx_http_prompt_echo_handler(ngx_http_request_t *r);

#endif /* NGX_HTTP_PROMPT_LOCATIONS_H */
