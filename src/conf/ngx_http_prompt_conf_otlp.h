/*
 * prompt_otlp: where spans are sent.
 */

#ifndef NGX_HTTP_PROMPT_CONF_OTLP_H
#define NGX_HTTP_PROMPT_CONF_OTLP_H

#include <ngx_config.h>
#include <ngx_core.h>


/* all texts are ended by NUL */
typedef struct {
    ngx_str_t     url;               /* empty: nothing is sent */
    ngx_str_t     resolve;           /* HOST:PORT:ADDRESS,…; empty: url has
                                        an address */
    ngx_array_t   headers;           /* ngx_str_t, "NAME: VALUE": secrets */
    ngx_msec_t    interval;
    ngx_uint_t    queue;             /* spans that a worker holds */
    ngx_flag_t    content;
    ngx_str_t     service;
    ngx_str_t     certificate_file;
    ngx_str_t     certificate;       /* PEM; empty: the system's are trusted */
} ngx_http_prompt_otlp_conf_t;


char *ngx_http_prompt_conf_otlp(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);

#endif /* NGX_HTTP_PROMPT_CONF_OTLP_H */
