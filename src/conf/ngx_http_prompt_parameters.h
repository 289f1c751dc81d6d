/*
 * The parameters of a directive, NAME=VALUE each: a table says which there
 * are, what they may be and what to write instead of a wrong one.
 *
 * A message names directive, parameter and what was found; nginx adds file
 * and line.  What belongs to no known parameter is not repeated: where a
 * connection string was not quoted it may be a piece of a password.
 */

#ifndef NGX_HTTP_PROMPT_PARAMETERS_H
#define NGX_HTTP_PROMPT_PARAMETERS_H

#include <ngx_config.h>
#include <ngx_core.h>


typedef struct ngx_http_prompt_parameter_s  ngx_http_prompt_parameter_t;

/*
 * NGX_ERROR where the value is not what the parameter takes, NGX_BUSY where
 * the field has one from an earlier directive.
 */
typedef ngx_int_t (*ngx_http_prompt_parameter_set_pt)(ngx_str_t *value,
    void *field, const ngx_http_prompt_parameter_t *parameter);

struct ngx_http_prompt_parameter_s {
    ngx_str_t                          name;   /* without "=" */
    ngx_http_prompt_parameter_set_pt   set;
    size_t                             offset; /* of the field in conf */
    ngx_int_t                          min;
    ngx_int_t                          max;
    const char                        *advice; /* "a time from …, such as …" */
};


/* ends a table; hint: goes with the message about an unknown one, or "" */
#define ngx_http_prompt_no_parameter(hint)                                   \
    { ngx_null_string, NULL, 0, 0, 0, hint }


/*
 * Reads the arguments from the first on into the fields of conf.  NGX_ERROR
 * where one is wrong, which is then logged.
 */
ngx_int_t ngx_http_prompt_parameters(ngx_conf_t *cf, ngx_uint_t first,
    const ngx_http_prompt_parameter_t *table, void *conf);

/* the ordinary kinds; min and max are numbers, ms, s and lengths */
ngx_int_t ngx_http_prompt_parameter_number(ngx_str_t *value, void *field,
    const ngx_http_prompt_parameter_t *parameter);        /* ngx_uint_t */
ngx_int_t ngx_http_prompt_parameter_msec(ngx_str_t *value, void *field,
    const ngx_http_prompt_parameter_t *parameter);        /* ngx_msec_t */
ngx_int_t ngx_http_prompt_parameter_sec(ngx_str_t *value, void *field,
    const ngx_http_prompt_parameter_t *parameter);        /* time_t */
ngx_int_t ngx_http_prompt_parameter_flag(ngx_str_t *value, void *field,
    const ngx_http_prompt_parameter_t *parameter);        /* ngx_flag_t */
ngx_int_t ngx_http_prompt_parameter_text(ngx_str_t *value, void *field,
    const ngx_http_prompt_parameter_t *parameter);        /* ngx_str_t */

#endif /* NGX_HTTP_PROMPT_PARAMETERS_H */
