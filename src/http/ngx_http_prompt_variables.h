/*
 * Variables for log_format and add_header: $prompt_user_id and the others.
 */

#ifndef NGX_HTTP_PROMPT_VARIABLES_H
#define NGX_HTTP_PROMPT_VARIABLES_H

#include "http/ngx_http_prompt_request.h"


/* For preconfiguration: declares the variables. */
ngx_int_t ngx_http_prompt_variables_init(ngx_conf_t *cf);

/*
 * For postconfiguration: refuses those that are known too late as keys of
 * limit_req_zone and limit_conn_zone, where they stand in the key itself.
 */
ngx_int_t ngx_http_prompt_variables_check(ngx_conf_t *cf);

/* Counts a request to the endpoint that has ended, for the metrics. */
void ngx_http_prompt_count(ngx_http_prompt_ctx_t *ctx);

#endif /* NGX_HTTP_PROMPT_VARIABLES_H */
