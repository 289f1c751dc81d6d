/*
 * Host names that are looked up again: by what, and how often.
 */

#ifndef NGX_HTTP_PROMPT_CONF_NAMES_H
#define NGX_HTTP_PROMPT_CONF_NAMES_H

#include <ngx_config.h>
#include <ngx_core.h>


/* a string of nginx (a pointer to it) as all that has no nginx takes it */
#define ngx_http_prompt_str(s)  prompt_str_of((char *) (s)->data, (s)->len)


/* In the main configuration; set when all has been read. */
typedef struct {
    ngx_resolver_t  *resolver;       /* of the http block; NULL: none */
    ngx_msec_t       timeout;        /* its own */
    void            *threads;        /* in which libc looks them up; NULL: they
                                        are not looked up again */
} ngx_http_prompt_lookups_t;


/*
 * The host names of a directive, ngx_str_t ended by NUL; how often each is
 * looked up.
 */
typedef struct {
    ngx_array_t                 names;
    ngx_msec_t                  every;
    ngx_http_prompt_lookups_t  *lookups;  /* NULL: never */
} ngx_http_prompt_names_conf_t;


/* whether a host, ended by NUL, is an address; as libc reads it, with a zone */
ngx_uint_t ngx_http_prompt_names_numeric(const ngx_str_t *host);

/*
 * Adds a host, where it is a name that may move, which an address or
 * "localhost" is not.  Returns its place, counted from 1; 0: it is none.
 * NGX_ERROR: no memory.
 */
ngx_int_t ngx_http_prompt_names_add(ngx_pool_t *pool,
    ngx_http_prompt_names_conf_t *conf, const ngx_str_t *host);

/*
 * The http block was read: what looks up its names, if there are any.
 * NGX_ERROR: no memory.
 */
ngx_int_t ngx_http_prompt_names_init(ngx_conf_t *cf,
    ngx_http_prompt_lookups_t *lookups, ngx_http_prompt_names_conf_t *conf);

#endif /* NGX_HTTP_PROMPT_CONF_NAMES_H */
