/*
 * Whether the subrequest of a call would find the provider's location, and
 * whether clients would not: it is looked for in the server of the endpoint.
 *
 * What is missing is only warned of, since a server's own rewrite may lead
 * the URI to another location, and "deny all" does what "internal" does.
 */

#ifndef NGX_HTTP_PROMPT_ROUTES_H
#define NGX_HTTP_PROMPT_ROUTES_H

#include "conf/ngx_http_prompt_conf.h"


/* a provider that has a location; closed: one that is internal */
typedef struct {
    ngx_http_prompt_provider_conf_t  *provider;
    ngx_uint_t                        closed;
} ngx_http_prompt_found_t;


/* a server with an endpoint */
typedef struct {
    ngx_http_core_srv_conf_t  *server;
    ngx_str_t                  file;           /* of the endpoint */
    ngx_uint_t                 line;
    ngx_array_t                found;          /* of
                                                  ngx_http_prompt_found_t */
} ngx_http_prompt_route_t;


/* by prompt_graphql: the server has an endpoint; returns as a directive does */
char *ngx_http_prompt_routes_expect(ngx_conf_t *cf,
    ngx_http_prompt_main_conf_t *pmcf);

/* by the merging of a location: which providers it serves */
ngx_int_t ngx_http_prompt_routes_found(ngx_conf_t *cf,
    ngx_http_prompt_main_conf_t *pmcf);

/* when all was merged: warns of those without a location, and of those whose
   location clients may ask, too */
void ngx_http_prompt_routes_check(ngx_conf_t *cf,
    ngx_http_prompt_main_conf_t *pmcf);

#endif /* NGX_HTTP_PROMPT_ROUTES_H */
