/*
 * The console: a page for people, with an editor for the endpoint.
 *
 * It is one document without a single reference to anything else.  Its pieces
 * are the files of console/, embedded by the build; the page is put together
 * when nginx reads its configuration, and what it is allowed to do is said by
 * a Content-Security-Policy that names its script and style by their hashes.
 */

#ifndef NGX_HTTP_PROMPT_CONSOLE_H
#define NGX_HTTP_PROMPT_CONSOLE_H

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>


/* the endpoint where prompt_console names none */
#define NGX_HTTP_PROMPT_CONSOLE_ENDPOINT  "/graphql"


/* a file of console/ */
typedef struct {
    const char  *name;
    const char  *text;
    size_t       len;
} ngx_http_prompt_console_file_t;


/* The page of one location; in the configuration's pool. */
typedef struct ngx_http_prompt_console_s {
    ngx_str_t    page;
    ngx_str_t    policy;             /* Content-Security-Policy */
    ngx_str_t    etag;
} ngx_http_prompt_console_t;


/* made by tools/embed.sh: index.html, one style, scripts in their order */
extern const ngx_http_prompt_console_file_t  ngx_http_prompt_console_files[];
extern const size_t  ngx_http_prompt_console_files_count;


/* The handler of the directive "prompt_console [URI]". */
char *ngx_http_prompt_console(ngx_conf_t *cf, ngx_command_t *cmd, void *conf);

#endif /* NGX_HTTP_PROMPT_CONSOLE_H */
