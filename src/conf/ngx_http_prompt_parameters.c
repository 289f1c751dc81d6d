/*
 * The parameters of a directive.
 */

#include <ngx_config.h>
#include <ngx_core.h>

#include "conf/ngx_http_prompt_parameters.h"


/* bytes of a value in a message */
#define NGX_HTTP_PROMPT_SHOWN  ((size_t) 64)


static const ngx_http_prompt_parameter_t *ngx_http_prompt_parameter_find(
    ngx_conf_t *cf, ngx_uint_t i, const ngx_http_prompt_parameter_t *table,
    size_t *len);
static ngx_uint_t ngx_http_prompt_parameter_twice(ngx_conf_t *cf,
    ngx_uint_t first, ngx_uint_t i, size_t len);
static ngx_int_t ngx_http_prompt_parameter_unknown(ngx_conf_t *cf,
    ngx_uint_t i, const ngx_http_prompt_parameter_t *table, size_t len);


ngx_int_t
ngx_http_prompt_parameters(ngx_conf_t *cf, ngx_uint_t first,
    const ngx_http_prompt_parameter_t *table, void *conf)
{
    size_t                              len;
    ngx_int_t                           rc;
    ngx_str_t                          *arg, value;
    ngx_uint_t                          i;
    const ngx_http_prompt_parameter_t  *parameter;

    arg = cf->args->elts;

    for (i = first; i < cf->args->nelts; i++) {

        parameter = ngx_http_prompt_parameter_find(cf, i, table, &len);

        if (parameter == NULL) {
            return ngx_http_prompt_parameter_unknown(cf, i, table, len);
        }

        if (len == arg[i].len) {
            ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                               "parameter \"%V\" of \"%V\" has no value: "
                               "write %s", &parameter->name, &arg[0],
                               parameter->advice);
            return NGX_ERROR;
        }

        value.data = arg[i].data + len + 1;
        value.len = arg[i].len - len - 1;

        rc = ngx_http_prompt_parameter_twice(cf, first, i, len)
             ? NGX_BUSY
             : parameter->set(&value, (u_char *) conf + parameter->offset,
                              parameter);

        if (rc == NGX_BUSY) {
            ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                               "parameter \"%V\" of \"%V\" is given twice: "
                               "leave one of them", &parameter->name,
                               &arg[0]);
            return NGX_ERROR;
        }

        if (rc != NGX_OK) {

            /* a message is cut behind 1024 characters: the advice stays */

            ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                               "invalid value \"%*s%s\" of the parameter "
                               "\"%V\" of \"%V\": write %s",
                               ngx_min(value.len, NGX_HTTP_PROMPT_SHOWN),
                               value.data,
                               value.len > NGX_HTTP_PROMPT_SHOWN ? "…" : "",
                               &parameter->name, &arg[0],
                               parameter->advice);
            return NGX_ERROR;
        }
    }

    return NGX_OK;
}


/* len: of the name, up to "=" or the end of the argument */

static const ngx_http_prompt_parameter_t *
ngx_http_prompt_parameter_find(ngx_conf_t *cf, ngx_uint_t i,
    const ngx_http_prompt_parameter_t *table, size_t *len)
{
    ngx_str_t                          *arg;
    const ngx_http_prompt_parameter_t  *parameter;

    arg = cf->args->elts;
    arg += i;

    for (*len = 0; *len < arg->len && arg->data[*len] != '='; (*len)++) {
        /* void */
    }

    for (parameter = table; parameter->name.len != 0; parameter++) {

        if (parameter->name.len == *len
            && ngx_strncmp(parameter->name.data, arg->data, *len) == 0)
        {
            return parameter;
        }
    }

    return NULL;
}


static ngx_uint_t
ngx_http_prompt_parameter_twice(ngx_conf_t *cf, ngx_uint_t first,
    ngx_uint_t i, size_t len)
{
    ngx_str_t   *arg;
    ngx_uint_t   j;

    arg = cf->args->elts;

    for (j = first; j < i; j++) {

        if (arg[j].len > len
            && ngx_strncmp(arg[j].data, arg[i].data, len + 1) == 0)
        {
            return 1;
        }
    }

    return 0;
}


static ngx_int_t
ngx_http_prompt_parameter_unknown(ngx_conf_t *cf, ngx_uint_t i,
    const ngx_http_prompt_parameter_t *table, size_t len)
{
    u_char                             *p, *last;
    ngx_str_t                          *arg, name;
    const ngx_http_prompt_parameter_t  *parameter;
    u_char                              known[NGX_MAX_CONF_ERRSTR / 2];

    arg = cf->args->elts;

    p = known;
    last = known + sizeof(known);

    for (parameter = table; parameter->name.len != 0; parameter++) {

        if (parameter != table) {
            p = ngx_slprintf(p, last, parameter[1].name.len != 0
                                      ? ", " : " and ");
        }

        p = ngx_slprintf(p, last, "\"%V=\"", &parameter->name);
    }

    if (len == arg[i].len) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "argument %ui of \"%V\" is no parameter: it takes "
                           "%*s%s", i, &arg[0], (size_t) (p - known), known,
                           parameter->advice);
        return NGX_ERROR;
    }

    name.data = arg[i].data;
    name.len = len;

    ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                       "unknown parameter \"%V\" of \"%V\": it takes %*s%s",
                       &name, &arg[0], (size_t) (p - known), known,
                       parameter->advice);

    return NGX_ERROR;
}


ngx_int_t
ngx_http_prompt_parameter_number(ngx_str_t *value, void *field,
    const ngx_http_prompt_parameter_t *parameter)
{
    ngx_uint_t  *number = field;

    ngx_int_t  n;

    n = ngx_atoi(value->data, value->len);

    if (n == NGX_ERROR || n < parameter->min || n > parameter->max) {
        return NGX_ERROR;
    }

    *number = n;

    return NGX_OK;
}


ngx_int_t
ngx_http_prompt_parameter_msec(ngx_str_t *value, void *field,
    const ngx_http_prompt_parameter_t *parameter)
{
    ngx_msec_t  *time = field;

    ngx_int_t  n;

    n = ngx_parse_time(value, 0);

    if (n == NGX_ERROR || n < parameter->min || n > parameter->max) {
        return NGX_ERROR;
    }

    *time = (ngx_msec_t) n;

    return NGX_OK;
}


ngx_int_t
ngx_http_prompt_parameter_sec(ngx_str_t *value, void *field,
    const ngx_http_prompt_parameter_t *parameter)
{
    time_t  *time = field;

    ngx_int_t  n;

    n = ngx_parse_time(value, 1);

    if (n == NGX_ERROR || n < parameter->min || n > parameter->max) {
        return NGX_ERROR;
    }

    *time = n;

    return NGX_OK;
}


ngx_int_t
ngx_http_prompt_parameter_flag(ngx_str_t *value, void *field,
    const ngx_http_prompt_parameter_t *parameter)
{
    ngx_flag_t  *flag = field;

    (void) parameter;

    if (value->len == 2 && ngx_strncmp(value->data, "on", 2) == 0) {
        *flag = 1;
        return NGX_OK;
    }

    if (value->len == 3 && ngx_strncmp(value->data, "off", 3) == 0) {
        *flag = 0;
        return NGX_OK;
    }

    return NGX_ERROR;
}


ngx_int_t
ngx_http_prompt_parameter_text(ngx_str_t *value, void *field,
    const ngx_http_prompt_parameter_t *parameter)
{
    ngx_str_t  *text = field;

    if (value->len < (size_t) parameter->min
        || value->len > (size_t) parameter->max)
    {
        return NGX_ERROR;
    }

    *text = *value;

    return NGX_OK;
}
