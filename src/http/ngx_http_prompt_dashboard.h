/*
 * The dashboard: pages for people, as "make dashboard" built them.
 *
 * Its files are read when nginx reads its configuration: those that the
 * manifest names, and no others.  A request is answered from memory; what it
 * asks for is looked up in the lists and never becomes the name of a file.
 *
 * The manifest has a line for each route ("route /prompts/:", in which ":"
 * stands for a segment) and each file ("asset NAME TYPE").  The page has
 * marks, which are filled with where this location and the two it speaks with
 * are.
 */

#ifndef NGX_HTTP_PROMPT_DASHBOARD_H
#define NGX_HTTP_PROMPT_DASHBOARD_H

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "conf/ngx_http_prompt_conf_dashboard.h"


/* what is said to a browser of each text that it is given */
typedef struct {
    ngx_str_t    name;      /* below the location, without a slash before */
    ngx_str_t    type;      /* media type */
    ngx_str_t    text;
    ngx_str_t    etag;
    ngx_str_t    gzip;      /* the text compressed; empty: there is none */
    ngx_str_t    gzip_etag;
} ngx_http_prompt_dashboard_file_t;


/* One location's; in the configuration's pool. */
typedef struct ngx_http_prompt_dashboard_s {
    ngx_str_t    base;      /* of all routes, as requests have it; ends in / */
    ngx_array_t  routes;    /* of ngx_str_t, each beginning with a slash */
    ngx_array_t  files;     /* of ngx_http_prompt_dashboard_file_t, by name */

    ngx_http_prompt_dashboard_file_t  page;
} ngx_http_prompt_dashboard_t;


/* The handler of the directive "prompt_dashboard". */
char *ngx_http_prompt_dashboard(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);

/*
 * Reads what is in the folder: routes, files and the page, whose marks are
 * still there.  NGX_ERROR: logged.
 */
ngx_int_t ngx_http_prompt_dashboard_read(ngx_conf_t *cf,
    ngx_http_prompt_dashboard_t *dashboard, ngx_str_t *path);

/* The file of that name, or NULL. */
ngx_http_prompt_dashboard_file_t *ngx_http_prompt_dashboard_find(
    const ngx_http_prompt_dashboard_t *dashboard, const ngx_str_t *name);

#endif /* NGX_HTTP_PROMPT_DASHBOARD_H */
