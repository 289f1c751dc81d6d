/*
 * Errors that nginx itself finds in a prompt_graphql location (a body that is
 * too large, a limit on requests) are answered as JSON, too.
 */

#ifndef NGX_HTTP_PROMPT_ERROR_FILTER_H
#define NGX_HTTP_PROMPT_ERROR_FILTER_H

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>


/* For postconfiguration: installs the header and body filters. */
ngx_int_t ngx_http_prompt_error_filter_init(ngx_conf_t *cf);

#endif /* NGX_HTTP_PROMPT_ERROR_FILTER_H */
