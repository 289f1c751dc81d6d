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
#include "io/ngx_http_prompt_provider.h"
#include "provider/provider.h"
#include "service/worker/worker.h"


/* room for what is written: the text of an id is the longest */
#define NGX_HTTP_PROMPT_VARIABLE_ROOM  PROMPT_UUID_TEXT_LEN


/*
 * member: of the context, or NULL where the request has none.  Absent: it is
 * not known.
 */
typedef prompt_str_t (*ngx_http_prompt_variable_pt)(ngx_http_request_t *r,
    const void *member, char room[NGX_HTTP_PROMPT_VARIABLE_ROOM]);


typedef struct {
    ngx_str_t                    name;
    ngx_http_prompt_variable_pt  read;
    size_t                       member;
} ngx_http_prompt_variable_t;


static ngx_int_t ngx_http_prompt_variable(ngx_http_request_t *r,
    ngx_http_variable_value_t *v, uintptr_t data);
static prompt_str_t ngx_http_prompt_variable_id(ngx_http_request_t *r,
    const void *member, char *room);
static prompt_str_t ngx_http_prompt_variable_credential(ngx_http_request_t *r,
    const void *member, char *room);
static prompt_str_t ngx_http_prompt_variable_text(ngx_http_request_t *r,
    const void *member, char *room);
static prompt_str_t ngx_http_prompt_variable_number(ngx_http_request_t *r,
    const void *member, char *room);
static prompt_str_t ngx_http_prompt_variable_call(ngx_http_request_t *r,
    bool uri);
static prompt_str_t ngx_http_prompt_variable_uri(ngx_http_request_t *r,
    const void *member, char *room);
static prompt_str_t ngx_http_prompt_variable_model(ngx_http_request_t *r,
    const void *member, char *room);
static prompt_str_t ngx_http_prompt_variable_trace(ngx_http_request_t *r,
    const void *member, char *room);
static ngx_int_t ngx_http_prompt_variables_zone(ngx_conf_t *cf,
    ngx_shm_zone_t *zone);
static ngx_uint_t ngx_http_prompt_variables_in(ngx_pool_t *pool,
    const ngx_str_t *text);
static ngx_uint_t ngx_http_prompt_variables_late(const ngx_str_t *text);


/* a model's name, each byte of which may become three, and what is around it */
#define NGX_HTTP_PROMPT_VARIABLE_CALL  (3 * 4 * PROMPT_LIMIT_MODEL + 256)


#define ngx_http_prompt_variable_of(member)                                   \
    offsetof(ngx_http_prompt_ctx_t, op.job.member)


static const ngx_http_prompt_variable_t  ngx_http_prompt_variables[] = {
    { ngx_string("prompt_user_id"), ngx_http_prompt_variable_id,
      ngx_http_prompt_variable_of(identity.user_id) },
    { ngx_string("prompt_project_id"), ngx_http_prompt_variable_id,
      ngx_http_prompt_variable_of(identity.project_id) },
    { ngx_string("prompt_key_id"), ngx_http_prompt_variable_id,
      ngx_http_prompt_variable_of(identity.key_id) },
    { ngx_string("prompt_credential"), ngx_http_prompt_variable_credential,
      ngx_http_prompt_variable_of(identity) },
    { ngx_string("prompt_operation"), ngx_http_prompt_variable_text,
      ngx_http_prompt_variable_of(log.operation) },
    { ngx_string("prompt_error_code"), ngx_http_prompt_variable_text,
      ngx_http_prompt_variable_of(log.error_code) },
    { ngx_string("prompt_model"), ngx_http_prompt_variable_text,
      ngx_http_prompt_variable_of(log.model) },
    { ngx_string("prompt_cost_usd"), ngx_http_prompt_variable_text,
      ngx_http_prompt_variable_of(log.cost_usd) },
    { ngx_string("prompt_tokens_in"), ngx_http_prompt_variable_number,
      ngx_http_prompt_variable_of(log.tokens_in) },
    { ngx_string("prompt_tokens_out"), ngx_http_prompt_variable_number,
      ngx_http_prompt_variable_of(log.tokens_out) },
    { ngx_string("prompt_provider_ms"), ngx_http_prompt_variable_number,
      ngx_http_prompt_variable_of(log.provider_ms) },
    { ngx_string("prompt_prompt_id"), ngx_http_prompt_variable_id,
      ngx_http_prompt_variable_of(log.prompt_id) },
    { ngx_string("prompt_version"), ngx_http_prompt_variable_number,
      ngx_http_prompt_variable_of(log.version) },
    { ngx_string("prompt_execution_id"), ngx_http_prompt_variable_id,
      ngx_http_prompt_variable_of(log.execution_id) },
    { ngx_string("prompt_call_uri"), ngx_http_prompt_variable_uri, 0 },
    { ngx_string("prompt_call_model"), ngx_http_prompt_variable_model, 0 },
    { ngx_string("prompt_trace_id"), ngx_http_prompt_variable_trace,
      ngx_http_prompt_variable_of(trace.context.trace_id) },
    { ngx_string("prompt_span_id"), ngx_http_prompt_variable_trace,
      ngx_http_prompt_variable_of(trace.span_id) }
};

#define NGX_HTTP_PROMPT_NVARIABLES                                            \
    (sizeof(ngx_http_prompt_variables) / sizeof(ngx_http_prompt_variables[0]))


ngx_int_t
ngx_http_prompt_variables_init(ngx_conf_t *cf)
{
    ngx_str_t             name;
    ngx_uint_t            i;
    ngx_http_variable_t  *var;

    for (i = 0; i < NGX_HTTP_PROMPT_NVARIABLES; i++) {
        name = ngx_http_prompt_variables[i].name;

        var = ngx_http_add_variable(cf, &name, NGX_HTTP_VAR_NOCACHEABLE);
        if (var == NULL) {
            return NGX_ERROR;
        }

        var->get_handler = ngx_http_prompt_variable;
        var->data = i;
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
            return ngx_http_prompt_conf_error(cf,
                       "the key \"%V\" of the zone \"%V\" would limit nothing, "
                       "as it is not known before the request is handled: "
                       "write \"$prompt_credential\"", &text, &zone->shm.name);
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
 * All of ours are, but the one that is made of headers alone, and those that a
 * call of a provider has from its beginning.  A name that
 * only begins as ours do may be a map's.
 */
static ngx_uint_t
ngx_http_prompt_variables_late(const ngx_str_t *text)
{
    size_t                             len;
    u_char                            *p, *last;
    ngx_uint_t                         i;
    const ngx_http_prompt_variable_t  *v;

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

        for (i = 0; i < NGX_HTTP_PROMPT_NVARIABLES; i++) {
            v = &ngx_http_prompt_variables[i];

            if (v->read != ngx_http_prompt_variable_credential
                && v->read != ngx_http_prompt_variable_uri
                && v->read != ngx_http_prompt_variable_model
                && v->name.len == len
                && ngx_strncasecmp(p + 1, v->name.data, len) == 0)
            {
                return 1;
            }
        }
    }

    return 0;
}


/* of a subrequest, too: that of the client, but for a call's own */
static ngx_int_t
ngx_http_prompt_variable(ngx_http_request_t *r, ngx_http_variable_value_t *v,
    uintptr_t data)
{
    char                              *room, *ctx;
    prompt_str_t                       text;
    const ngx_http_prompt_variable_t  *variable;

    variable = &ngx_http_prompt_variables[data];
    ctx = ngx_http_get_module_ctx(r->main, ngx_http_prompt_module);

    room = ngx_pnalloc(r->pool, NGX_HTTP_PROMPT_VARIABLE_ROOM);
    if (room == NULL) {
        return NGX_ERROR;
    }

    text = variable->read(r, ctx != NULL ? ctx + variable->member : NULL,
                          room);
    if (text.data == NULL) {
        v->not_found = 1;
        return NGX_OK;
    }

    v->data = (u_char *) text.data;
    v->len = text.len;
    v->valid = 1;
    v->no_cacheable = 0;
    v->not_found = 0;

    return NGX_OK;
}


/* an id of 16 bytes; all zero: not known */
static prompt_str_t
ngx_http_prompt_variable_id(ngx_http_request_t *r, const void *member,
    char *room)
{
    prompt_uuid_t  id;

    static const prompt_uuid_t  unknown;

    if (member == NULL
        || ngx_memcmp(member, unknown.bytes, sizeof(id.bytes)) == 0)
    {
        return prompt_str_absent;
    }

    ngx_memcpy(id.bytes, member, sizeof(id.bytes));
    prompt_uuid_format(&id, room);

    return prompt_str_of(room, PROMPT_UUID_TEXT_LEN);
}


static prompt_str_t
ngx_http_prompt_variable_credential(ngx_http_request_t *r, const void *member,
    char *room)
{
    return ngx_http_prompt_credential(r->main, (u_char *) room) == NGX_OK
           ? prompt_str_of(room, NGX_HTTP_PROMPT_CREDENTIAL_LEN)
           : prompt_str_absent;
}


static prompt_str_t
ngx_http_prompt_variable_text(ngx_http_request_t *r, const void *member,
    char *room)
{
    const prompt_str_t  *text = member;

    return text != NULL ? *text : prompt_str_absent;
}


/* -1: not known */
static prompt_str_t
ngx_http_prompt_variable_number(ngx_http_request_t *r, const void *member,
    char *room)
{
    const int64_t  *number = member;

    if (number == NULL || *number < 0) {
        return prompt_str_absent;
    }

    return prompt_str_of(room, ngx_sprintf((u_char *) room, "%L", *number)
                               - (u_char *) room);
}


/* of the call that a subrequest is made for: written when it is asked for */
static prompt_str_t
ngx_http_prompt_variable_call(ngx_http_request_t *r, bool uri)
{
    u_char                           *copy;
    prompt_str_t                      text;
    prompt_buf_t                      out;
    const prompt_provider_request_t  *named;

    named = ngx_http_prompt_provider_called(r);

    if (named == NULL) {
        return prompt_str_absent;
    }

    prompt_buf_init(&out, NGX_HTTP_PROMPT_VARIABLE_CALL);

    if (uri) {
        prompt_provider_uri(named, &out);

    } else {
        prompt_provider_segment(named->model, &out);
    }

    text = prompt_str_absent;
    copy = out.status == PROMPT_BUF_OK ? ngx_pnalloc(r->pool, out.len) : NULL;

    if (copy != NULL) {
        ngx_memcpy(copy, out.data, out.len);
        text = prompt_str_of((char *) copy, out.len);
    }

    prompt_buf_free(&out);

    return text;
}


static prompt_str_t
ngx_http_prompt_variable_uri(ngx_http_request_t *r, const void *member,
    char *room)
{
    return ngx_http_prompt_variable_call(r, true);
}


static prompt_str_t
ngx_http_prompt_variable_model(ngx_http_request_t *r, const void *member,
    char *room)
{
    return ngx_http_prompt_variable_call(r, false);
}


/* it is made where nobody has asked for it before */
static prompt_str_t
ngx_http_prompt_variable_trace(ngx_http_request_t *r, const void *member,
    char *room)
{
    size_t                    len;
    ngx_http_prompt_ctx_t    *ctx;
    ngx_http_prompt_trace_t  *trace;

    r = r->main;

    ctx = ngx_http_get_module_ctx(r, ngx_http_prompt_module);
    if (ctx == NULL) {
        return prompt_str_absent;
    }

    trace = &ctx->op.job.trace;
    ngx_http_prompt_trace_find(r, trace);

    if (!trace->there) {
        return prompt_str_absent;
    }

    len = member == trace->span_id ? PROMPT_SPAN_ID_LEN : PROMPT_TRACE_ID_LEN;
    (void) prompt_hex_write(room, member, len);

    return prompt_str_of(room, 2 * len);
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

    if (worker == NULL || ctx->session != NULL || ctx->inner) {
        return;                          /* no request to the endpoint */
    }

    tp = ngx_timeofday();

    ms = (ngx_msec_int_t) ((tp->sec - r->start_sec) * 1000
                           + (tp->msec - r->start_msec));

    ngx_http_prompt_span(ctx);

    ngx_http_prompt_metrics_request(worker->metrics,
                                    ctx->op.job.log.protocol,
                                    ctx->op.job.log.error_code,
                                    ctx->op.job.log.number, ngx_max(ms, 0));
}
