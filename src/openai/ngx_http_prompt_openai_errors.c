/*
 * Errors in OpenAI's form, with what its clients go by: the status, whether
 * they should ask again, and which member of the body is at fault.
 */

#include "openai/ngx_http_prompt_openai_impl.h"

#include "http/ngx_http_prompt_response.h"


/* bytes of an error */
#define OPENAI_ERROR_SIZE  (64 * 1024)

#define OPENAI_NO_PROXY                                                       \
    " This endpoint runs stored prompts: it is no proxy for models."


/* what a status, or one below it down to the line before, stands for */
static const struct {
    ngx_uint_t      status;
    const char     *type;
    const char     *code;
} openai_types[] = {
    { 400, "invalid_request_error", NULL },
    { 401, "authentication_error", "invalid_api_key" },
    { 403, "permission_error", "insufficient_permissions" },
    { 404, "invalid_request_error", "unknown_url" },
    { 408, "invalid_request_error", NULL },
    { 409, "invalid_request_error", "idempotency_key_in_use" },
    { 428, "invalid_request_error", NULL },
    { 429, "rate_limit_error", "rate_limit_exceeded" },
    { 499, "invalid_request_error", NULL },
    { 599, "server_error", NULL }
};

/* what GraphQL's reason or code stands for */
static const struct {
    prompt_str_t    word;
    ngx_uint_t      status;
    const char     *type;
    const char     *code;
} openai_reasons[] = {
    { prompt_str_init("PROVIDER"), 502, NULL, "provider_error" },
    { prompt_str_init("QUOTA_EXCEEDED"), 429, "insufficient_quota",
      "insufficient_quota" },
    { prompt_str_init("BUDGET_EXCEEDED"), 429, "insufficient_quota",
      "insufficient_quota" },
    { prompt_str_init("UNAUTHENTICATED"), 401, NULL, NULL },
    { prompt_str_init("FORBIDDEN"), 403, NULL, NULL },
    { prompt_str_init("NOT_FOUND"), 404, NULL, "prompt_not_found" },
    { prompt_str_init("BAD_USER_INPUT"), 400, NULL, NULL }
};

/* what a provider's status is here, where it is not 502 */
static const struct {
    int64_t         provider;
    ngx_uint_t      status;
} openai_statuses[] = {
    { 400, 400 }, { 413, 400 }, { 422, 400 }, { 429, 429 }, { 503, 503 },
    { 529, 503 }
};


static ngx_uint_t
openai_type(ngx_uint_t status)
{
    ngx_uint_t  i;

    for (i = 0; openai_types[i].status < status && i < 9; i++) { /* void */ }

    return i;
}


const char *
openai_error_type(const openai_error_t *error)
{
    return error->type != NULL ? error->type
                               : openai_types[openai_type(error->status)].type;
}


static void
openai_error_member(const char *name, prompt_str_t text, prompt_buf_t *out)
{
    prompt_buf_printf(out, "\"%s\":", name);

    if (text.data != NULL) {
        prompt_json_write_string(out, text);

    } else {
        prompt_buf_literal(out, "null");
    }
}


void
openai_error_write(const openai_error_t *error, prompt_buf_t *out)
{
    const char  *code;

    code = error->code != NULL ? error->code
                               : openai_types[openai_type(error->status)].code;

    prompt_buf_literal(out, "{\"error\":{");
    openai_error_member("message", error->message, out);
    prompt_buf_char(out, ',');
    openai_error_member("type", prompt_str_from(openai_error_type(error)), out);
    prompt_buf_char(out, ',');
    openai_error_member("param", error->param, out);
    prompt_buf_char(out, ',');
    openai_error_member("code", prompt_str_from(code), out);
    prompt_buf_literal(out, "}}");
}


static prompt_str_t
openai_string(const prompt_json_t *object, const char *name)
{
    object = openai_get(object, name);

    return object != NULL ? object->text : prompt_str_absent;
}


static void
openai_error_provider(const prompt_json_t *extensions, openai_error_t *error)
{
    size_t                i;
    int64_t               status;
    const prompt_json_t  *value;

    value = openai_get(extensions, "providerStatus");

    if (openai_get(extensions, "timedOut") != NULL) {
        error->status = NGX_HTTP_GATEWAY_TIME_OUT;
        error->code = "provider_timeout";

    } else if (value != NULL && prompt_json_integer(value, &status)) {

        for (i = 0; i < sizeof(openai_statuses) / sizeof(openai_statuses[0]);
             i++)
        {
            if (openai_statuses[i].provider == status) {
                error->status = openai_statuses[i].status;
                error->code = error->status == 429 ? NULL : error->code;
            }
        }
    }

    value = openai_get(extensions, "retryAfter");

    if (value != NULL) {
        (void) prompt_json_integer(value, &error->retry_after);
    }
}


/* messages.3.content: messages[3].content */

static void
openai_error_path(prompt_str_t path, prompt_buf_t *param)
{
    size_t  i, end;

    for (i = 0; i < path.len; i = end) {

        for (end = i + 1; end < path.len && path.data[end] != '.'; end++) {
            /* void */
        }

        if (path.data[i] == '.'
            && ngx_atoi((u_char *) path.data + i + 1, end - i - 1)
               != NGX_ERROR)
        {
            prompt_buf_printf(param, "[%.*s]", (int) (end - i - 1),
                              path.data + i + 1);

        } else {
            prompt_buf_append(param, path.data + i, end - i);
        }
    }
}


/* Takes name off the front of a path. */

static bool
openai_error_below(prompt_str_t *path, const char *name)
{
    size_t  len;

    len = ngx_strlen(name);

    if (path->len < len || ngx_memcmp(path->data, name, len) != 0
        || (path->len > len && path->data[len] != '.'))
    {
        return false;
    }

    path->data += len;
    path->len -= len;

    return true;
}


/* An appended message is the item that it was made of, where there are such. */

static void
openai_error_item(const openai_request_t *rq, prompt_str_t path,
    prompt_buf_t *param)
{
    size_t      len;
    ngx_int_t   n;

    for (len = 1; len < path.len && path.data[len] != '.'; len++) {
        /* void */
    }

    n = path.len > 1 ? ngx_atoi((u_char *) path.data + 1, len - 1)
                     : NGX_ERROR;

    if (n == NGX_ERROR || (size_t) n >= rq->nitems) {
        prompt_buf_literal(param, "input");

    } else if (rq->items[n] == UINT32_MAX) {
        prompt_buf_literal(param, "instructions");

    } else {
        prompt_buf_printf(param, "input[%u]", (unsigned) rq->items[n]);
    }
}


/*
 * The body's own word for a field: of what was appended, of params, of notes,
 * which prompt is meant, else of the input.
 */

static void
openai_error_param(openai_request_t *rq, prompt_str_t path,
    prompt_buf_t *param)
{
    size_t        dot;
    prompt_str_t  name;

    if (rq->items == NULL && openai_error_below(&path, "messages")) {
        prompt_buf_literal(param, "messages");

    } else if (rq->items != NULL && openai_error_below(&path, "items")) {
        openai_error_item(rq, path, param);
        return;

    } else if (openai_error_below(&path, "params")) {

        if (path.len == 0) {
            prompt_buf_literal(param, "body");
            return;
        }

        for (dot = 1; dot < path.len && path.data[dot] != '.'; dot++) {
            /* void */
        }

        name = prompt_str_of(path.data + 1, dot - 1);
        prompt_buf_str(param, rq->items != NULL ? openai_param(name) : name);
        path = prompt_str_of(path.data + dot, path.len - dot);

    } else if (rq->subject_at != NULL && openai_error_below(&path, "subject"))
    {
        prompt_buf_str(param, prompt_str_from(rq->subject_at));

    } else if (openai_error_below(&path, "metadata")) {
        prompt_buf_literal(param, "metadata");

    } else if (openai_error_below(&path, "promptId")) {
        prompt_buf_str(param, prompt_str_from(rq->prompt_at));

    } else {
        prompt_buf_str(param, prompt_str_from(rq->input_at));

        if (!openai_error_below(&path, "input")) {
            prompt_buf_char(param, '.');
        }
    }

    openai_error_path(path, param);
}


static void
openai_error_field(openai_request_t *rq, prompt_arena_t *arena,
    prompt_str_t field, openai_error_t *error)
{
    size_t        len;
    prompt_buf_t  param;

    field = openai_short(field);

    prompt_buf_init(&param, OPENAI_ERROR_SIZE);
    openai_error_param(rq, field, &param);
    error->param = prompt_arena_copy(arena, prompt_buf_view(&param));
    prompt_buf_free(&param);

    len = error->message.len - ngx_min(field.len, error->message.len);

    if (len != 0
        && ngx_memcmp(error->message.data, field.data, field.len) == 0
        && error->message.data[field.len] == ' ')
    {
        error->message = prompt_arena_printf(arena, "%.*s%.*s",
                             prompt_str_arg(error->param), (int) len,
                             error->message.data + field.len);
    }
}


void
openai_error_of(openai_request_t *rq, prompt_arena_t *arena,
    const prompt_json_t *answer, openai_error_t *error)
{
    size_t                i;
    prompt_str_t          reason, code, field;
    const prompt_json_t  *first, *extensions;

    ngx_memzero(error, sizeof(openai_error_t));

    first = prompt_json_at(openai_get(answer, "errors"), 0);
    extensions = openai_get(first, "extensions");
    reason = openai_string(extensions, "reason");
    code = openai_string(extensions, "code");
    field = openai_string(extensions, "field");

    error->message = openai_string(first, "message");
    error->execution = openai_string(extensions, "executionId");
    error->final = rq->route->form != NULL
                   && (rq->ctx->op.job.did || rq->ctx->op.replayed);
    error->status = error->final ? NGX_HTTP_INTERNAL_SERVER_ERROR
                                 : NGX_HTTP_SERVICE_UNAVAILABLE;

    if (first == NULL) {
        error->message = prompt_str("The prompt has no versions yet.");
        code = prompt_str("NOT_FOUND");
    }

    for (i = 0; i < sizeof(openai_reasons) / sizeof(openai_reasons[0]); i++) {

        if (prompt_str_eq(openai_reasons[i].word, reason)
            || prompt_str_eq(openai_reasons[i].word, code))
        {
            error->status = openai_reasons[i].status;
            error->type = openai_reasons[i].type;
            error->code = openai_reasons[i].code;
            break;
        }
    }

    error->final |= error->type != NULL;          /* it stays exceeded */

    if (i == 0) {
        openai_error_provider(extensions, error);
    }

    if (error->status == NGX_HTTP_NOT_FOUND) {
        error->message = prompt_arena_printf(arena, "%.*s" OPENAI_NO_PROXY,
                                             prompt_str_arg(error->message));
    }

    if (error->status == NGX_HTTP_NOT_FOUND
        || error->status == NGX_HTTP_FORBIDDEN)
    {
        error->param = prompt_str_from(rq->prompt_at);

    } else if (field.data != NULL) {
        openai_error_field(rq, arena, field, error);
    }
}


static ngx_int_t
openai_error_headers(ngx_http_prompt_ctx_t *ctx, const openai_error_t *error)
{
    u_char              *value;
    ngx_http_request_t  *r;
    openai_request_t    *rq;

    r = ctx->op.job.request;
    rq = ctx->data;

    if (openai_identify(ctx, error->execution) != NGX_OK
        || (error->final
            && ngx_http_prompt_add_header(r, "x-should-retry", "false")
               != NGX_OK))
    {
        return NGX_ERROR;
    }

    if (error->status == NGX_HTTP_SERVICE_UNAVAILABLE && error->final) {
        return ngx_http_prompt_add_header(r, "Cache-Control", "no-store");
    }

    if (error->retry_after > 0) {
        value = ngx_pcalloc(r->pool, NGX_INT64_LEN + 1);
        if (value == NULL) {
            return NGX_ERROR;
        }

        ngx_sprintf(value, "%L", error->retry_after);

        if (ngx_http_prompt_add_header(r, "Retry-After", (char *) value)
            != NGX_OK)
        {
            return NGX_ERROR;
        }
    }

    return ngx_http_prompt_status_headers(r, error->status,
                                          rq != NULL && rq->route != NULL
                                          ? rq->route->allow : "POST");
}


ngx_int_t
openai_error_send(ngx_http_prompt_ctx_t *ctx, const openai_error_t *error)
{
    ngx_int_t     rc;
    prompt_buf_t  out;

    if (openai_error_headers(ctx, error) != NGX_OK) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    prompt_buf_init(&out, OPENAI_ERROR_SIZE);
    openai_error_write(error, &out);

    ctx->answered = 1;
    rc = ngx_http_prompt_send_text(ctx->op.job.request, error->status,
                                   "application/json", &out);
    prompt_buf_free(&out);

    return rc;
}


ngx_int_t
openai_error(ngx_http_prompt_ctx_t *ctx, ngx_uint_t status, prompt_str_t code,
    prompt_str_t message)
{
    openai_error_t  error;

    (void) code;

    ngx_memzero(&error, sizeof(openai_error_t));
    error.status = status;
    error.message = message;

    return openai_error_send(ctx, &error);
}


ngx_buf_t *
openai_status_body(ngx_http_request_t *r, ngx_uint_t status)
{
    ngx_buf_t              *body;
    prompt_buf_t            out;
    openai_error_t          error;
    openai_request_t       *rq;
    ngx_http_prompt_ctx_t  *ctx;

    ctx = ngx_http_get_module_ctx(r, ngx_http_prompt_module);
    rq = ctx->data;

    ngx_memzero(&error, sizeof(openai_error_t));
    error.status = status;
    error.message = ngx_http_prompt_status_words(status);

    prompt_buf_init(&out, OPENAI_ERROR_SIZE);
    openai_error_write(&error, &out);

    /* memory was short behind a provider: who asks again pays again */

    body = out.status == PROMPT_BUF_OK
           && openai_identify(ctx, prompt_str_absent) == NGX_OK
           && (!ctx->op.job.did || rq->route->form == NULL
               || ngx_http_prompt_add_header(r, "x-should-retry", "false")
                  == NGX_OK)
           ? ngx_create_temp_buf(r->pool, out.len) : NULL;

    if (body != NULL) {
        body->last = ngx_cpymem(body->last, out.data, out.len);
        body->last_buf = 1;
        body->last_in_chain = 1;
    }

    prompt_buf_free(&out);

    return body;
}


ngx_int_t
openai_identify(ngx_http_prompt_ctx_t *ctx, prompt_str_t id)
{
    char                       *copy;
    ngx_http_request_t         *r;
    openai_request_t           *rq;
    ngx_http_variable_value_t  *value;

    static ngx_str_t  name = ngx_string("request_id");

    r = ctx->op.job.request;
    rq = ctx->data;

    if (rq != NULL && rq->identified) {
        return NGX_OK;
    }

    if (id.data == NULL) {
        value = ngx_http_get_variable(r, &name,
                                      ngx_hash_key(name.data, name.len));

        if (value == NULL || value->not_found) {
            return NGX_OK;
        }

        id = prompt_str_of((char *) value->data, value->len);
    }

    copy = ngx_pcalloc(r->pool, id.len + 1);
    if (copy == NULL) {
        return NGX_ERROR;
    }

    ngx_memcpy(copy, id.data, id.len);

    if (rq != NULL) {
        rq->identified = 1;
    }

    return ngx_http_prompt_add_header(r, "x-request-id", copy);
}
