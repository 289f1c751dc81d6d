/*
 * Whether providers have locations.
 */

#include "http/ngx_http_prompt_routes.h"


static ngx_http_prompt_route_t *ngx_http_prompt_routes_find(ngx_conf_t *cf,
    ngx_http_prompt_main_conf_t *pmcf);
static ngx_uint_t ngx_http_prompt_routes_serves(ngx_http_core_loc_conf_t *clcf,
    ngx_str_t *uri);
static ngx_uint_t ngx_http_prompt_routes_called(
    ngx_http_prompt_main_conf_t *pmcf,
    ngx_http_prompt_provider_conf_t *provider);
static ngx_uint_t ngx_http_prompt_routes_has(
    const ngx_http_prompt_route_t *route,
    const ngx_http_prompt_provider_conf_t *provider, ngx_uint_t closed);


char *
ngx_http_prompt_routes_expect(ngx_conf_t *cf,
    ngx_http_prompt_main_conf_t *pmcf)
{
    ngx_http_prompt_route_t  *route;

    if (ngx_http_prompt_routes_find(cf, pmcf) != NULL) {
        return NGX_CONF_OK;
    }

    route = ngx_array_push(&pmcf->routes);
    if (route == NULL) {
        return NGX_CONF_ERROR;
    }

    route->server = ngx_http_conf_get_module_srv_conf(cf,
                                                      ngx_http_core_module);
    route->file = cf->conf_file->file.name;
    route->line = cf->conf_file->line;

    return ngx_array_init(&route->found, cf->pool, 4,
                          sizeof(ngx_http_prompt_found_t)) == NGX_OK
           ? NGX_CONF_OK : NGX_CONF_ERROR;
}


static ngx_http_prompt_route_t *
ngx_http_prompt_routes_find(ngx_conf_t *cf, ngx_http_prompt_main_conf_t *pmcf)
{
    ngx_uint_t                 i;
    ngx_http_prompt_route_t   *route;
    ngx_http_core_srv_conf_t  *server;

    server = ngx_http_conf_get_module_srv_conf(cf, ngx_http_core_module);
    route = pmcf->routes.elts;

    for (i = 0; i < pmcf->routes.nelts; i++) {
        if (route[i].server == server) {
            return &route[i];
        }
    }

    return NULL;
}


ngx_int_t
ngx_http_prompt_routes_found(ngx_conf_t *cf, ngx_http_prompt_main_conf_t *pmcf)
{
    ngx_uint_t                        i;
    ngx_http_prompt_found_t          *found;
    ngx_http_prompt_route_t          *route;
    ngx_http_core_loc_conf_t         *clcf;
    ngx_http_prompt_provider_conf_t  *provider;

    route = ngx_http_prompt_routes_find(cf, pmcf);
    if (route == NULL) {
        return NGX_OK;
    }

    clcf = ngx_http_conf_get_module_loc_conf(cf, ngx_http_core_module);
    provider = pmcf->providers.elts;

    for (i = 0; i < pmcf->providers.nelts; i++) {

        if (!ngx_http_prompt_routes_serves(clcf, &provider[i].uri)) {
            continue;
        }

        found = ngx_array_push(&route->found);
        if (found == NULL) {
            return NGX_ERROR;
        }

        found->provider = &provider[i];
        found->closed = clcf->internal;
    }

    return NGX_OK;
}


/* The server itself has no name, nor anything of a location. */
static ngx_uint_t
ngx_http_prompt_routes_serves(ngx_http_core_loc_conf_t *clcf, ngx_str_t *uri)
{
    if (clcf->noname || clcf->named || clcf->name.len == 0) {
        return 0;
    }

#if (NGX_PCRE)
    if (clcf->regex != NULL) {
        return ngx_regex_exec(clcf->regex->regex, uri, NULL, 0) >= 0;
    }
#endif

    if (clcf->exact_match) {
        return clcf->name.len == uri->len
               && ngx_strncmp(clcf->name.data, uri->data, uri->len) == 0;
    }

    return clcf->name.len <= uri->len
           && ngx_strncmp(clcf->name.data, uri->data, clcf->name.len) == 0;
}


void
ngx_http_prompt_routes_check(ngx_conf_t *cf, ngx_http_prompt_main_conf_t *pmcf)
{
    ngx_uint_t                        i, j;
    ngx_http_prompt_route_t          *route;
    ngx_http_prompt_provider_conf_t  *provider;

    route = pmcf->routes.elts;
    provider = pmcf->providers.elts;

    for (i = 0; i < pmcf->routes.nelts; i++) {

        for (j = 0; j < pmcf->providers.nelts; j++) {

            if (!ngx_http_prompt_routes_called(pmcf, &provider[j])
                || ngx_http_prompt_routes_has(&route[i], &provider[j], 1))
            {
                continue;
            }

            if (ngx_http_prompt_routes_has(&route[i], &provider[j], 0)) {
                ngx_log_error(NGX_LOG_WARN, cf->log, 0,
                              "the location of \"%V\" of the provider \"%V\" "
                              "in %V:%ui is not internal, so clients may call "
                              "the provider without a key: add \"internal;\"",
                              &provider[j].uri, &provider[j].name,
                              &provider[j].file, provider[j].line);
                continue;
            }

            ngx_log_error(NGX_LOG_WARN, cf->log, 0,
                          "no location serves \"%V\" of the provider \"%V\" "
                          "in %V:%ui: add \"location = %V { internal; "
                          "proxy_pass ...; }\" to the server of the "
                          "\"prompt_graphql\" in %V:%ui", &provider[j].uri,
                          &provider[j].name, &provider[j].file,
                          provider[j].line, &provider[j].uri, &route[i].file,
                          route[i].line);
        }
    }
}


static ngx_uint_t
ngx_http_prompt_routes_called(ngx_http_prompt_main_conf_t *pmcf,
    ngx_http_prompt_provider_conf_t *provider)
{
    ngx_uint_t                     i;
    ngx_http_prompt_model_conf_t  *model;

    model = pmcf->models.elts;

    for (i = 0; i < pmcf->models.nelts; i++) {
        if (model[i].provider == provider) {
            return 1;
        }
    }

    return 0;
}


/* closed: whether it must not be open to clients */
static ngx_uint_t
ngx_http_prompt_routes_has(const ngx_http_prompt_route_t *route,
    const ngx_http_prompt_provider_conf_t *provider, ngx_uint_t closed)
{
    ngx_uint_t                      i;
    const ngx_http_prompt_found_t  *found;

    found = route->found.elts;

    for (i = 0; i < route->found.nelts; i++) {
        if (found[i].provider == provider && found[i].closed >= closed) {
            return 1;
        }
    }

    return 0;
}
