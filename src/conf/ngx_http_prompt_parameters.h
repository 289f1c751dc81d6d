/*
 * The parameters of a directive, NAME=VALUE each: a table has a row for every
 * parameter, and all that is done with parameters comes from it: reading,
 * defaults, and what to write instead of what is wrong.
 *
 * These are the parameters in nginx.conf.  The model's configuration, which
 * the API calls params, is src/prompt/params.h; what a request over HTTP
 * brings is src/graphql_http/params.h.
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


/* What a parameter takes. */
typedef struct {
    /*
     * NGX_ERROR where the value is not what the parameter takes, NGX_BUSY
     * where the field has one from an earlier directive.
     */
    ngx_int_t  (*set)(ngx_str_t *value, void *field,
                      const ngx_http_prompt_parameter_t *parameter);

    /*
     * What a value, or a bound, says as a number, or NGX_ERROR.  NULL where
     * rows of the kind have no bounds.
     */
    ngx_int_t  (*parse)(ngx_str_t *value);

    /* the words for it in a message, "a time" */
    const char  *what;

    unsigned     several:1;          /* may be given more than once */
    unsigned     secret:1;           /* the value stands in no message */
} ngx_http_prompt_kind_t;


/* A row.  Values are as one writes them in nginx.conf. */
struct ngx_http_prompt_parameter_s {
    ngx_str_t                      name;     /* without "=" */
    const ngx_http_prompt_kind_t  *kind;
    size_t                         offset;   /* of the field in conf */
    const char                    *value;    /* the default; NULL: none */
    const char                    *min;      /* NULL: not bounded */
    const char                    *max;
    const char                    *advice;   /* what to write; NULL: said by
                                                kind, bounds and default */
};


/* ends a table; hint: goes with the message about an unknown one, or "" */
#define ngx_http_prompt_no_parameter(hint)                                   \
    { ngx_null_string, NULL, 0, NULL, NULL, NULL, hint }


/* the ordinary kinds, and the fields that they fill */
extern const ngx_http_prompt_kind_t
    ngx_http_prompt_number,          /* ngx_uint_t */
    ngx_http_prompt_limit,           /* uint32_t; 0: was not given */
    ngx_http_prompt_limit_size,      /* the same */
    ngx_http_prompt_msec,            /* ngx_msec_t */
    ngx_http_prompt_sec,             /* ngx_uint_t */
    ngx_http_prompt_size,            /* size_t */
    ngx_http_prompt_flag,            /* ngx_flag_t */
    ngx_http_prompt_text;            /* ngx_str_t; bounds: of its length */


/*
 * What is wrong in nginx.conf is said, with file and line, and is the end of
 * what reads it: of a function, and of the handler of a directive.
 */
#define ngx_http_prompt_conf_error(cf, ...)                                  \
    (ngx_conf_log_error(NGX_LOG_EMERG, cf, 0, __VA_ARGS__), NGX_ERROR)
#define ngx_http_prompt_conf_wrong(cf, ...)                                  \
    (ngx_conf_log_error(NGX_LOG_EMERG, cf, 0, __VA_ARGS__), NGX_CONF_ERROR)


/*
 * Reads the arguments from the first on into the fields of conf.  NGX_ERROR
 * where one is wrong, which is then logged.
 */
ngx_int_t ngx_http_prompt_parameters(ngx_conf_t *cf, ngx_uint_t first,
    const ngx_http_prompt_parameter_t *table, void *conf);

/* Sets the fields of conf to their defaults, before anything is read. */
void ngx_http_prompt_parameters_default(
    const ngx_http_prompt_parameter_t *table, void *conf);

#endif /* NGX_HTTP_PROMPT_PARAMETERS_H */
