/*
 * Pages that are kept in memory: reading what was built, filling its marks,
 * and the headers of its answers.
 *
 * Files are read when nginx reads its configuration, by one process without
 * haste, so that they are read at once.
 */

#ifndef NGX_HTTP_PROMPT_PAGE_H
#define NGX_HTTP_PROMPT_PAGE_H

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>


/* the largest file that is read */
#define NGX_HTTP_PROMPT_PAGE_FILE  (8 * 1024 * 1024)


/* "{{name}}" in a page, and what goes there */
typedef struct {
    ngx_str_t    mark;
    ngx_str_t    text;
} ngx_http_prompt_page_mark_t;


/*
 * The file NAME + ending of the folder, in the configuration's pool.
 * NGX_DECLINED: it is not there; NGX_ERROR: logged.
 */
ngx_int_t ngx_http_prompt_page_read(ngx_conf_t *cf, ngx_str_t *folder,
    ngx_str_t *name, const char *ending, ngx_str_t *text);

/*
 * All marks of the page become their texts, which are not looked at again.
 * NGX_ERROR: memory.
 */
ngx_int_t ngx_http_prompt_page_fill(ngx_conf_t *cf, ngx_str_t *page,
    ngx_http_prompt_page_mark_t *marks, ngx_uint_t nmarks);

/*
 * A value for an attribute of the page; uri: a path that is not yet escaped.
 * NGX_ERROR: memory.
 */
ngx_int_t ngx_http_prompt_page_escape(ngx_conf_t *cf, ngx_str_t *value,
    ngx_uint_t uri, ngx_str_t *text);

/* A path as a URI, in pool.  NGX_ERROR: memory. */
ngx_int_t ngx_http_prompt_page_uri(ngx_pool_t *pool, ngx_str_t *path,
    ngx_str_t *uri);

/* The ETag of a text, for r->headers_out.  NGX_ERROR: memory. */
ngx_int_t ngx_http_prompt_page_etag(ngx_pool_t *pool, ngx_str_t *text,
    ngx_str_t *etag);

/*
 * Answers a request that only reads, and has no use for its body.  NGX_OK:
 * it does; else what ngx_http_finalize_request() wants.
 */
ngx_int_t ngx_http_prompt_page_request(ngx_http_request_t *r);

/*
 * Sends the text with an ETag, and the headers that keep a page to itself;
 * policy: its Content-Security-Policy; cache: its Cache-Control, static.
 * Status is set.  Returns what ngx_http_finalize_request() wants.
 */
ngx_int_t ngx_http_prompt_page_send(ngx_http_request_t *r, ngx_str_t *policy,
    const char *cache, ngx_str_t *type, ngx_str_t *etag, ngx_str_t *text);

/* A header with a value that is not static.  NULL: memory. */
ngx_table_elt_t *ngx_http_prompt_page_header(ngx_http_request_t *r,
    const char *name, ngx_str_t *value);

#endif /* NGX_HTTP_PROMPT_PAGE_H */
