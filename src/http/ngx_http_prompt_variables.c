/*
 * Variables: what a request was, for the access log.
 *
 * They are read when the request is over, so they look only at what lives as
 * long as the request itself.
 */

#include "http/ngx_http_prompt_variables.h"

#include "base/digits.h"
#include "base/uuid.h"
#include "conf/ngx_http_prompt_conf.h"
#include "http/ngx_http_prompt_credential.h"
#include "http/ngx_http_prompt_span.h"
#include "service/worker/worker.h"


static ngx_int_t ngx_http_prompt_variable_id(ngx_http_request_t *r,
    ngx_http_variable_value_t *v, uintptr_t data);
static ngx_int_t ngx_http_prompt_variable_credential(ngx_http_request_t *r,
    ngx_http_variable_value_t *v, uintptr_t data);
static ngx_int_t ngx_http_prompt_variable_text(ngx_http_request_t *r,
    ngx_http_variable_value_t *v, uintptr_t data);
static ngx_int_t ngx_http_prompt_variable_number(ngx_http_request_t *r,
    ngx_http_variable_value_t *v, uintptr_t data);
static ngx_int_t ngx_http_prompt_variable_trace(ngx_http_request_t *r,
    ngx_http_variable_value_t *v, uintptr_t data);
static ngx_int_t ngx_http_prompt_variables_zone(ngx_conf_t *cf,
    ngx_shm_zone_t *zone);
static ngx_uint_t ngx_http_prompt_variables_in(ngx_pool_t *pool,
    const ngx_str_t *text);
static ngx_uint_t ngx_http_prompt_variables_late(const ngx_str_t *text);


static ngx_http_variable_t  ngx_http_prompt_variables[] = {

    { ngx_string("prompt_user_id"), NULL, ngx_http_prompt_variable_id,
      offsetof(ngx_http_prompt_ctx_t, op.job.identity.user_id),
      NGX_HTTP_VAR_NOCACHEABLE, 0 },

    { ngx_string("prompt_key_id"), NULL, ngx_http_prompt_variable_id,
      offsetof(ngx_http_prompt_ctx_t, op.job.identity.key_id),
      NGX_HTTP_VAR_NOCACHEABLE, 0 },

    { ngx_string("prompt_credential"), NULL,
      ngx_http_prompt_variable_credential, 0, NGX_HTTP_VAR_NOCACHEABLE, 0 },

    { ngx_string("prompt_operation"), NULL, ngx_http_prompt_variable_text,
      offsetof(ngx_http_prompt_ctx_t, op.job.log.operation),
      NGX_HTTP_VAR_NOCACHEABLE, 0 },

    { ngx_string("prompt_error_code"), NULL, ngx_http_prompt_variable_text,
      offsetof(ngx_http_prompt_ctx_t, op.job.log.error_code),
      NGX_HTTP_VAR_NOCACHEABLE, 0 },

    { ngx_string("prompt_model"), NULL, ngx_http_prompt_variable_text,
      offsetof(ngx_http_prompt_ctx_t, op.job.log.model),
      NGX_HTTP_VAR_NOCACHEABLE, 0 },

    { ngx_string("prompt_cost_usd"), NULL, ngx_http_prompt_variable_text,
      offsetof(ngx_http_prompt_ctx_t, op.job.log.cost_usd),
      NGX_HTTP_VAR_NOCACHEABLE, 0 },

    { ngx_string("prompt_tokens_in"), NULL, ngx_http_prompt_variable_number,
      offsetof(ngx_http_prompt_ctx_t, op.job.log.tokens_in),
      NGX_HTTP_VAR_NOCACHEABLE, 0 },

    { ngx_string("prompt_tokens_out"), NULL, ngx_http_prompt_variable_number,
      offsetof(ngx_http_prompt_ctx_t, op.job.log.tokens_out),
      NGX_HTTP_VAR_NOCACHEABLE, 0 },

    { ngx_string("prompt_provider_ms"), NULL, ngx_http_prompt_variable_number,
      offsetof(ngx_http_prompt_ctx_t, op.job.log.provider_ms),
      NGX_HTTP_VAR_NOCACHEABLE, 0 },

    { ngx_string("prompt_trace_id"), NULL, ngx_http_prompt_variable_trace,
      PROMPT_TRACE_ID_LEN, NGX_HTTP_VAR_NOCACHEABLE, 0 },

    { ngx_string("prompt_span_id"), NULL, ngx_http_prompt_variable_trace,
      PROMPT_SPAN_ID_LEN, NGX_HTTP_VAR_NOCACHEABLE, 0 },

      ngx_http_null_variable
};


ngx_int_t
ngx_http_prompt_variables_init(ngx_conf_t *cf)
{
    ngx_http_variable_t  *var, *v;

    for (v = ngx_http_prompt_variables; v->name.len; v++) {
        var = ngx_http_add_variable(cf, &v->name, v->flags);
        if (var == NULL) {
            return NGX_ERROR;
        }

        var->get_handler = v->get_handler;
        var->data = v->data;
    }

    return NGX_OK;
}


ngx_int_t
ngx_http_prompt_variables_check(ngx_conf_t *cf)
{
    char              *name;
    ngx_uint_t         i, j;
    ngx_shm_zone_t    *zone;
    ngx_list_part_t   *part;

    part = &cf->cycle->shared_memory.part;

    for (/* void */; part != NULL; part = part->next) {
        zone = part->elts;

        for (i = 0; i < part->nelts; i++) {

            for (j = 0; cf->cycle->modules[j] != NULL; j++) {
                name = cf->cycle->modules[j]->name;

                if (zone[i].tag == cf->cycle->modules[j]
                    && (ngx_strcmp(name, "ngx_http_limit_req_module") == 0
                        || ngx_strcmp(name, "ngx_http_limit_conn_module") == 0)
                    && ngx_http_prompt_variables_zone(cf, &zone[i]) != NGX_OK)
                {
                    return NGX_ERROR;
                }
            }
        }
    }

    return NGX_OK;
}


/*
 * What the zones of other modules point to is in no header, and of each
 * version its own.  The key is among the first words of it, as a string that
 * nginx took from the configuration, and so in a block of cf->pool: no other
 * memory is looked at.
 */

static ngx_int_t
ngx_http_prompt_variables_zone(ngx_conf_t *cf, ngx_shm_zone_t *zone)
{
    void        **words;
    ngx_str_t     text;
    ngx_uint_t    i;

    words = zone->data;

    text.data = (u_char *) words;
    text.len = 6 * sizeof(void *);

    if (!ngx_http_prompt_variables_in(cf->pool, &text)) {
        return NGX_OK;
    }

    for (i = 0; i < 5; i++) {
        text.len = (size_t) words[i];
        text.data = words[i + 1];

        if (ngx_http_prompt_variables_in(cf->pool, &text)
            && ngx_http_prompt_variables_late(&text))
        {
            ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                               "the key \"%V\" of the zone \"%V\" would limit "
                               "nothing, as it is not known before the request "
                               "is handled: write \"$prompt_credential\"",
                               &text, &zone->shm.name);
            return NGX_ERROR;
        }
    }

    return NGX_OK;
}


static ngx_uint_t
ngx_http_prompt_variables_in(ngx_pool_t *pool, const ngx_str_t *text)
{
    for (/* void */; pool != NULL; pool = pool->d.next) {

        if (text->data >= (u_char *) pool && text->data < pool->d.last
            && text->len <= (size_t) (pool->d.last - text->data))
        {
            return 1;
        }
    }

    return 0;
}


/*
 * All of ours are, but the one that is made of headers alone.  A name that
 * only begins as ours do may be a map's.
 */

static ngx_uint_t
ngx_http_prompt_variables_late(const ngx_str_t *text)
{
    size_t                      len;
    u_char                     *p, *last;
    const ngx_http_variable_t  *v;

    last = text->data + text->len;

    for (p = text->data; p < last; p++) {

        if (*p != '$') {
            continue;
        }

        if (p + 1 < last && p[1] == '{') {
            p++;
        }

        for (len = 0;
             p + 1 + len < last
             && (p[1 + len] == '_' || (p[1 + len] >= '0' && p[1 + len] <= '9')
                 || ((p[1 + len] | 0x20) >= 'a' && (p[1 + len] | 0x20) <= 'z'));
             len++)
        {
            /* void */
        }

        for (v = ngx_http_prompt_variables; v->name.len; v++) {

            if (v->get_handler != ngx_http_prompt_variable_credential
                && v->name.len == len
                && ngx_strncasecmp(p + 1, v->name.data, len) == 0)
            {
                return 1;
            }
        }
    }

    return 0;
}


/* an id of 16 bytes; all zero: not known */

static ngx_int_t
ngx_http_prompt_variable_id(ngx_http_request_t *r,
    ngx_http_variable_value_t *v, uintptr_t data)
{
    prompt_uuid_t           id;
    ngx_http_prompt_ctx_t  *ctx;

    static const prompt_uuid_t  unknown;

    ctx = ngx_http_get_module_ctx(r->main, ngx_http_prompt_module);

    if (ctx != NULL) {
        ngx_memcpy(id.bytes, (char *) ctx + data, sizeof(id.bytes));
    }

    if (ctx == NULL
        || ngx_memcmp(id.bytes, unknown.bytes, sizeof(id.bytes)) == 0)
    {
        v->not_found = 1;
        return NGX_OK;
    }

    v->data = ngx_pnalloc(r->pool, PROMPT_UUID_TEXT_LEN);
    if (v->data == NULL) {
        return NGX_ERROR;
    }

    prompt_uuid_format(&id, (char *) v->data);

    v->len = PROMPT_UUID_TEXT_LEN;
    v->valid = 1;
    v->no_cacheable = 0;
    v->not_found = 0;

    return NGX_OK;
}


/* of a subrequest, too: that of the client */

static ngx_int_t
ngx_http_prompt_variable_credential(ngx_http_request_t *r,
    ngx_http_variable_value_t *v, uintptr_t data)
{
    (void) data;

    v->data = ngx_pnalloc(r->pool, NGX_HTTP_PROMPT_CREDENTIAL_LEN);
    if (v->data == NULL) {
        return NGX_ERROR;
    }

    if (ngx_http_prompt_credential(r->main, v->data) != NGX_OK) {
        v->not_found = 1;
        return NGX_OK;
    }

    v->len = NGX_HTTP_PROMPT_CREDENTIAL_LEN;
    v->valid = 1;
    v->no_cacheable = 0;
    v->not_found = 0;

    return NGX_OK;
}


static ngx_int_t
ngx_http_prompt_variable_text(ngx_http_request_t *r,
    ngx_http_variable_value_t *v, uintptr_t data)
{
    prompt_str_t           *text;
    ngx_http_prompt_ctx_t  *ctx;

    ctx = ngx_http_get_module_ctx(r->main, ngx_http_prompt_module);
    text = ctx != NULL ? (prompt_str_t *) ((char *) ctx + data) : NULL;

    if (text == NULL || text->data == NULL) {
        v->not_found = 1;
        return NGX_OK;
    }

    v->data = (u_char *) text->data;
    v->len = text->len;
    v->valid = 1;
    v->no_cacheable = 0;
    v->not_found = 0;

    return NGX_OK;
}


/* -1: not known */

static ngx_int_t
ngx_http_prompt_variable_number(ngx_http_request_t *r,
    ngx_http_variable_value_t *v, uintptr_t data)
{
    int64_t                *number;
    ngx_http_prompt_ctx_t  *ctx;

    ctx = ngx_http_get_module_ctx(r->main, ngx_http_prompt_module);
    number = ctx != NULL ? (int64_t *) ((char *) ctx + data) : NULL;

    if (number == NULL || *number < 0) {
        v->not_found = 1;
        return NGX_OK;
    }

    v->data = ngx_pnalloc(r->pool, NGX_INT64_LEN);
    if (v->data == NULL) {
        return NGX_ERROR;
    }

    v->len = ngx_sprintf(v->data, "%L", *number) - v->data;
    v->valid = 1;
    v->no_cacheable = 0;
    v->not_found = 0;

    return NGX_OK;
}


/* data: the length of the id that is wanted */

static ngx_int_t
ngx_http_prompt_variable_trace(ngx_http_request_t *r,
    ngx_http_variable_value_t *v, uintptr_t data)
{
    const uint8_t            *id;
    ngx_http_prompt_ctx_t    *ctx;
    ngx_http_prompt_trace_t  *trace;

    v->not_found = 1;

    ctx = ngx_http_get_module_ctx(r->main, ngx_http_prompt_module);
    if (ctx == NULL) {
        return NGX_OK;
    }

    trace = &ctx->op.job.trace;
    ngx_http_prompt_trace_find(r->main, trace);

    if (!trace->there) {
        return NGX_OK;
    }

    v->data = ngx_pnalloc(r->pool, 2 * data);
    if (v->data == NULL) {
        return NGX_ERROR;
    }

    id = data == PROMPT_TRACE_ID_LEN ? trace->context.trace_id
                                     : trace->span_id;

    (void) prompt_hex_write((char *) v->data, id, data);

    v->len = 2 * data;
    v->valid = 1;
    v->no_cacheable = 0;
    v->not_found = 0;

    return NGX_OK;
}


void
ngx_http_prompt_count(ngx_http_prompt_ctx_t *ctx)
{
    ngx_time_t                *tp;
    ngx_msec_int_t             ms;
    ngx_http_request_t        *r;
    ngx_http_prompt_worker_t  *worker;

    r = ctx->op.job.request;
    worker = ngx_http_prompt_get_worker(r);

    if (worker == NULL || ctx->session != NULL) {
        return;                          /* no request to the endpoint */
    }

    tp = ngx_timeofday();

    ms = (ngx_msec_int_t) ((tp->sec - r->start_sec) * 1000
                           + (tp->msec - r->start_msec));

    ngx_http_prompt_span(ctx);

    ngx_http_prompt_metrics_request(worker->metrics, ctx->op.job.log.error_code,
                                    ctx->op.job.log.number, ngx_max(ms, 0));
}
