/*
 * What lines of the error log say of a request beside what nginx does.
 */

#ifndef NGX_HTTP_PROMPT_ERROR_LOG_H
#define NGX_HTTP_PROMPT_ERROR_LOG_H

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>


/*
 * From now on each line about r, nginx's own included, ends with the ids of
 * its user and key, once these are known.  r has the module's context.
 */
void ngx_http_prompt_error_log(ngx_http_request_t *r);

#endif /* NGX_HTTP_PROMPT_ERROR_LOG_H */
