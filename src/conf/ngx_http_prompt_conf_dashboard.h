/*
 * What nginx.conf says of the locations for people: the dashboard's, and that
 * of its console alone.
 */

#ifndef NGX_HTTP_PROMPT_CONF_DASHBOARD_H
#define NGX_HTTP_PROMPT_CONF_DASHBOARD_H

#include "conf/ngx_http_prompt_parameters.h"


typedef struct {
    ngx_str_t    path;        /* of the built dashboard: absolute, ends in 0 */
    ngx_str_t    graphql;     /* URIs of locations of the same host */
    ngx_str_t    session;
    ngx_str_t    openai;
    ngx_str_t    mcp;
} ngx_http_prompt_dashboard_conf_t;


/* PREFIX/share/prompt-dashboard: where "make install" puts it */
extern const char  ngx_http_prompt_dashboard_path[];


/* The arguments of prompt_dashboard and prompt_console.  NGX_ERROR: logged. */
ngx_int_t ngx_http_prompt_conf_dashboard(ngx_conf_t *cf,
    ngx_http_prompt_dashboard_conf_t *conf);
ngx_int_t ngx_http_prompt_conf_console(ngx_conf_t *cf,
    ngx_http_prompt_dashboard_conf_t *conf);

#endif /* NGX_HTTP_PROMPT_CONF_DASHBOARD_H */
