/*
 * The console: the dashboard's page for GraphQL by hand, alone.
 *
 * It is one document without a single reference to anything else, so that an
 * exact location is enough.  Its pieces were built by "make dashboard"; the
 * page is put together when nginx reads its configuration, and what it is
 * allowed to do is said by a Content-Security-Policy that names its script and
 * style by their hashes.
 */

#ifndef NGX_HTTP_PROMPT_CONSOLE_H
#define NGX_HTTP_PROMPT_CONSOLE_H

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>


/* The page of one location; in the configuration's pool. */
typedef struct ngx_http_prompt_console_s {
    ngx_str_t    page;
    ngx_str_t    policy;             /* Content-Security-Policy */
    ngx_str_t    etag;
} ngx_http_prompt_console_t;


/* The handler of the directive "prompt_console [URI]". */
char *ngx_http_prompt_console(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);

#endif /* NGX_HTTP_PROMPT_CONSOLE_H */
