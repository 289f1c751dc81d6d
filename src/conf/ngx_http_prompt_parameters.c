/*
 * The parameters of a directive.
 */

#include "conf/ngx_http_prompt_parameters.h"


/* bytes of a value in a message */
#define NGX_HTTP_PROMPT_SHOWN  ((size_t) 64)


static ngx_int_t ngx_http_prompt_parameter(ngx_conf_t *cf, ngx_uint_t first,
    ngx_uint_t i, const ngx_http_prompt_parameter_t *table, void *conf);
static const ngx_http_prompt_parameter_t *ngx_http_prompt_parameter_find(
    ngx_conf_t *cf, ngx_uint_t i, const ngx_http_prompt_parameter_t *table,
    size_t *len);
static ngx_uint_t ngx_http_prompt_parameter_twice(ngx_conf_t *cf,
    ngx_uint_t first, ngx_uint_t i, size_t len);
static ngx_int_t ngx_http_prompt_parameter_unknown(ngx_conf_t *cf,
    ngx_uint_t i, const ngx_http_prompt_parameter_t *table, size_t len);
static ngx_str_t ngx_http_prompt_parameter_advice(
    const ngx_http_prompt_parameter_t *parameter, u_char *text, u_char *last);
static ngx_int_t ngx_http_prompt_parameter_bounded(ngx_int_t n,
    const ngx_http_prompt_parameter_t *parameter);
static ngx_int_t ngx_http_prompt_parameter_bound(
    const ngx_http_prompt_parameter_t *parameter, const char *bound);
static ngx_str_t ngx_http_prompt_parameter_text(const char *text);
static ngx_int_t ngx_http_prompt_set_word(ngx_str_t *value, void *field,
    const ngx_http_prompt_parameter_t *parameter);
static ngx_int_t ngx_http_prompt_set_limit(ngx_str_t *value, void *field,
    const ngx_http_prompt_parameter_t *parameter);
static ngx_int_t ngx_http_prompt_set_text(ngx_str_t *value, void *field,
    const ngx_http_prompt_parameter_t *parameter);
static ngx_int_t ngx_http_prompt_parse_number(ngx_str_t *value);
static ngx_int_t ngx_http_prompt_parse_msec(ngx_str_t *value);
static ngx_int_t ngx_http_prompt_parse_sec(ngx_str_t *value);
static ngx_int_t ngx_http_prompt_parse_size(ngx_str_t *value);
static ngx_int_t ngx_http_prompt_parse_flag(ngx_str_t *value);


const ngx_http_prompt_kind_t
    ngx_http_prompt_number = {
        ngx_http_prompt_set_word, ngx_http_prompt_parse_number,
        "a whole number", 0, 0
    },
    ngx_http_prompt_limit = {
        ngx_http_prompt_set_limit, ngx_http_prompt_parse_number,
        "a whole number", 0, 0
    },
    ngx_http_prompt_limit_size = {
        ngx_http_prompt_set_limit, ngx_http_prompt_parse_size, "a size", 0, 0
    },
    ngx_http_prompt_msec = {
        ngx_http_prompt_set_word, ngx_http_prompt_parse_msec, "a time", 0, 0
    },
    ngx_http_prompt_sec = {
        ngx_http_prompt_set_word, ngx_http_prompt_parse_sec, "whole seconds",
        0, 0
    },
    ngx_http_prompt_size = {
        ngx_http_prompt_set_word, ngx_http_prompt_parse_size, "a size", 0, 0
    },
    ngx_http_prompt_flag = {
        ngx_http_prompt_set_word, ngx_http_prompt_parse_flag,
        "\"on\" or \"off\"", 0, 0
    },
    ngx_http_prompt_text = {
        ngx_http_prompt_set_text, ngx_http_prompt_parse_number, "text", 0, 0
    };


ngx_int_t
ngx_http_prompt_parameters(ngx_conf_t *cf, ngx_uint_t first,
    const ngx_http_prompt_parameter_t *table, void *conf)
{
    ngx_uint_t  i;

    for (i = first; i < cf->args->nelts; i++) {
        if (ngx_http_prompt_parameter(cf, first, i, table, conf) != NGX_OK) {
            return NGX_ERROR;
        }
    }

    return NGX_OK;
}


void
ngx_http_prompt_parameters_default(const ngx_http_prompt_parameter_t *table,
    void *conf)
{
    ngx_str_t                           value;
    const ngx_http_prompt_parameter_t  *parameter;

    for (parameter = table; parameter->name.len != 0; parameter++) {

        if (parameter->value == NULL) {
            continue;
        }

        value = ngx_http_prompt_parameter_text(parameter->value);

        (void) parameter->kind->set(&value,
                                    (u_char *) conf + parameter->offset,
                                    parameter);
    }
}


/* Reads argument i. */
static ngx_int_t
ngx_http_prompt_parameter(ngx_conf_t *cf, ngx_uint_t first, ngx_uint_t i,
    const ngx_http_prompt_parameter_t *table, void *conf)
{
    size_t                              len;
    ngx_int_t                           rc;
    ngx_str_t                          *arg, value, advice;
    const ngx_http_prompt_parameter_t  *parameter;
    u_char                              text[NGX_MAX_CONF_ERRSTR / 2];

    arg = cf->args->elts;
    parameter = ngx_http_prompt_parameter_find(cf, i, table, &len);

    if (parameter == NULL) {
        return ngx_http_prompt_parameter_unknown(cf, i, table, len);
    }

    advice = ngx_http_prompt_parameter_advice(parameter, text,
                                              text + sizeof(text));

    if (len == arg[i].len) {
        return ngx_http_prompt_conf_error(cf,
                   "parameter \"%V\" of \"%V\" has no value: write %V",
                   &parameter->name, &arg[0], &advice);
    }

    value.data = arg[i].data + len + 1;
    value.len = arg[i].len - len - 1;

    rc = !parameter->kind->several
         && ngx_http_prompt_parameter_twice(cf, first, i, len)
         ? NGX_BUSY
         : parameter->kind->set(&value, (u_char *) conf + parameter->offset,
                                parameter);

    if (rc == NGX_OK) {
        return NGX_OK;
    }

    if (rc == NGX_BUSY) {
        return ngx_http_prompt_conf_error(cf,
                   "parameter \"%V\" of \"%V\" is given twice: keep one of "
                   "them", &parameter->name, &arg[0]);
    }

    if (parameter->kind->secret) {
        return ngx_http_prompt_conf_error(cf,
                   "invalid value of the parameter \"%V\" of \"%V\": write %V",
                   &parameter->name, &arg[0], &advice);
    }

    /* a message is cut behind 1024 characters: the advice stays */

    return ngx_http_prompt_conf_error(cf,
               "invalid value \"%*s%s\" of the parameter \"%V\" of \"%V\": "
               "write %V", ngx_min(value.len, NGX_HTTP_PROMPT_SHOWN),
               value.data, value.len > NGX_HTTP_PROMPT_SHOWN ? "…" : "",
               &parameter->name, &arg[0], &advice);
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
        return ngx_http_prompt_conf_error(cf,
                   "argument %ui of \"%V\" is not a parameter: it takes %*s%s",
                   i, &arg[0], (size_t) (p - known), known, parameter->advice);
    }

    name.data = arg[i].data;
    name.len = len;

    return ngx_http_prompt_conf_error(cf,
               "unknown parameter \"%V\" of \"%V\": it takes %*s%s", &name,
               &arg[0], (size_t) (p - known), known, parameter->advice);
}


/* "a whole number from 1 to 64, such as "connections=4"", made in text */
static ngx_str_t
ngx_http_prompt_parameter_advice(const ngx_http_prompt_parameter_t *parameter,
    u_char *text, u_char *last)
{
    u_char     *p;
    ngx_str_t   advice;

    if (parameter->advice != NULL) {
        return ngx_http_prompt_parameter_text(parameter->advice);
    }

    p = ngx_slprintf(text, last, "%s", parameter->kind->what);

    if (parameter->min != NULL && parameter->max != NULL) {
        p = ngx_slprintf(p, last, " from %s to %s", parameter->min,
                         parameter->max);
    }

    if (parameter->value != NULL) {
        p = ngx_slprintf(p, last, ", such as \"%V=%s\"", &parameter->name,
                         parameter->value);
    }

    advice.data = text;
    advice.len = p - text;

    return advice;
}


/* The kinds. */
static ngx_int_t
ngx_http_prompt_parameter_bounded(ngx_int_t n,
    const ngx_http_prompt_parameter_t *parameter)
{
    return n == NGX_ERROR
           || (parameter->min != NULL
               && n < ngx_http_prompt_parameter_bound(parameter,
                                                      parameter->min))
           || (parameter->max != NULL
               && n > ngx_http_prompt_parameter_bound(parameter,
                                                      parameter->max))
           ? NGX_ERROR : NGX_OK;
}


static ngx_int_t
ngx_http_prompt_parameter_bound(const ngx_http_prompt_parameter_t *parameter,
    const char *bound)
{
    ngx_str_t  text;

    text = ngx_http_prompt_parameter_text(bound);

    return parameter->kind->parse(&text);
}


static ngx_str_t
ngx_http_prompt_parameter_text(const char *text)
{
    ngx_str_t  s;

    s.data = (u_char *) text;
    s.len = ngx_strlen(text);

    return s;
}


static ngx_int_t
ngx_http_prompt_set_word(ngx_str_t *value, void *field,
    const ngx_http_prompt_parameter_t *parameter)
{
    ngx_int_t  *word = field;

    *word = parameter->kind->parse(value);

    return ngx_http_prompt_parameter_bounded(*word, parameter);
}


/* several directives of one level may name different limits */
static ngx_int_t
ngx_http_prompt_set_limit(ngx_str_t *value, void *field,
    const ngx_http_prompt_parameter_t *parameter)
{
    uint32_t  *limit = field;

    ngx_int_t  n;

    if (*limit != 0) {
        return NGX_BUSY;
    }

    n = parameter->kind->parse(value);
    *limit = (uint32_t) n;

    return ngx_http_prompt_parameter_bounded(n, parameter);
}


static ngx_int_t
ngx_http_prompt_set_text(ngx_str_t *value, void *field,
    const ngx_http_prompt_parameter_t *parameter)
{
    ngx_str_t  *text = field;

    *text = *value;

    return ngx_http_prompt_parameter_bounded((ngx_int_t) value->len,
                                             parameter);
}


static ngx_int_t
ngx_http_prompt_parse_number(ngx_str_t *value)
{
    return ngx_atoi(value->data, value->len);
}


static ngx_int_t
ngx_http_prompt_parse_msec(ngx_str_t *value)
{
    return ngx_parse_time(value, 0);
}


static ngx_int_t
ngx_http_prompt_parse_sec(ngx_str_t *value)
{
    return ngx_parse_time(value, 1);
}


static ngx_int_t
ngx_http_prompt_parse_size(ngx_str_t *value)
{
    return (ngx_int_t) ngx_parse_offset(value);        /* knows g, too */
}


static ngx_int_t
ngx_http_prompt_parse_flag(ngx_str_t *value)
{
    if (ngx_strcmp(value->data, "on") == 0) {
        return 1;
    }

    return ngx_strcmp(value->data, "off") == 0 ? 0 : NGX_ERROR;
}
