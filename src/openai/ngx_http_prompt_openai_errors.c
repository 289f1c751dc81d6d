/*
 * Errors in OpenAI's form, with what its clients go by: the status, whether
 * they should ask again, and which member of the body is at fault.
 */

#include "openai/ngx_http_prompt_openai_impl.h"

#include "http/ngx_http_prompt_response.h"


/* bytes of an error's JSON */
#define NGX_HTTP_PROMPT_OPENAI_ERROR_SIZE  (64 * 1024)

#define NGX_HTTP_PROMPT_OPENAI_NO_PROXY                                       \
    " This endpoint runs stored prompts: it is no proxy for models."


static void ngx_http_prompt_openai_error_provider(
    const prompt_json_t *extensions, ngx_http_prompt_openai_error_t *error);
static void ngx_http_prompt_openai_error_reason(
    ngx_http_prompt_openai_request_t *rq, prompt_str_t code,
    const prompt_json_t *extensions, ngx_http_prompt_openai_error_t *error);
static ngx_int_t ngx_http_prompt_openai_error_param(
    ngx_http_prompt_openai_request_t *rq, prompt_arena_t *arena,
    prompt_str_t field, ngx_http_prompt_openai_error_t *error);
static bool ngx_http_prompt_openai_error_message(
    ngx_http_prompt_openai_request_t *rq, prompt_str_t *rest,
    prompt_buf_t *param);
static void ngx_http_prompt_openai_error_path(prompt_str_t rest,
    prompt_buf_t *param);


/* what a status stands for */
static const struct {
    ngx_uint_t   status;             /* or less */
    const char  *type;
    const char  *code;
} ngx_http_prompt_openai_types[] = {
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


static ngx_uint_t
ngx_http_prompt_openai_type(ngx_uint_t status)
{
    ngx_uint_t  i;

    for (i = 0; ngx_http_prompt_openai_types[i].status < 599; i++) {
        if (status <= ngx_http_prompt_openai_types[i].status) {
            break;
        }
    }

    return i;
}


const char *
ngx_http_prompt_openai_error_type(const ngx_http_prompt_openai_error_t *error)
{
    return error->type != NULL
           ? error->type
           : ngx_http_prompt_openai_types[
                 ngx_http_prompt_openai_type(error->status)].type;
}


const char *
ngx_http_prompt_openai_error_code(const ngx_http_prompt_openai_error_t *error)
{
    return error->code != NULL
           ? error->code
           : ngx_http_prompt_openai_types[
                 ngx_http_prompt_openai_type(error->status)].code;
}


static void
ngx_http_prompt_openai_error_text(const char *name, prompt_str_t text,
    prompt_buf_t *out)
{
    prompt_buf_str(out, prompt_str_from(name));

    if (text.data != NULL) {
        prompt_json_write_string(out, text);

    } else {
        prompt_buf_literal(out, "null");
    }
}


void
ngx_http_prompt_openai_error_write(const ngx_http_prompt_openai_error_t *error,
    prompt_buf_t *out)
{
    ngx_http_prompt_openai_error_text("{\"error\":{\"message\":",
                                      error->message, out);
    ngx_http_prompt_openai_error_text(",\"type\":",
        prompt_str_from(ngx_http_prompt_openai_error_type(error)), out);
    ngx_http_prompt_openai_error_text(",\"param\":", error->param, out);
    ngx_http_prompt_openai_error_text(",\"code\":",
        prompt_str_from(ngx_http_prompt_openai_error_code(error)), out);
    prompt_buf_literal(out, "}}");
}


/* GraphQL's code, and the reason where there is one */

static void
ngx_http_prompt_openai_error_reason(ngx_http_prompt_openai_request_t *rq,
    prompt_str_t code, const prompt_json_t *extensions,
    ngx_http_prompt_openai_error_t *error)
{
    prompt_str_t           reason;
    const prompt_json_t   *value;
    ngx_http_prompt_job_t *job;

    value = prompt_json_get(extensions, prompt_str("reason"));
    reason = value != NULL ? value->text : prompt_str_absent;
    job = &rq->ctx->op.job;

    error->final = job->did || rq->ctx->op.replayed;

    if (prompt_str_eq(reason, prompt_str("PROVIDER"))) {
        ngx_http_prompt_openai_error_provider(extensions, error);

    } else if (prompt_str_eq(reason, prompt_str("QUOTA_EXCEEDED"))
               || prompt_str_eq(reason, prompt_str("BUDGET_EXCEEDED")))
    {
        error->status = 429;
        error->type = "insufficient_quota";
        error->code = "insufficient_quota";
        error->final = 1;

    } else if (prompt_str_eq(code, ngx_http_prompt_unauthenticated)) {
        error->status = NGX_HTTP_UNAUTHORIZED;

    } else if (prompt_str_eq(code, ngx_http_prompt_forbidden)) {
        error->status = NGX_HTTP_FORBIDDEN;

    } else if (prompt_str_eq(code, ngx_http_prompt_not_found)) {
        error->status = NGX_HTTP_NOT_FOUND;
        error->code = "prompt_not_found";

    } else if (prompt_str_eq(code, ngx_http_prompt_bad_user_input)) {
        error->status = NGX_HTTP_BAD_REQUEST;

    } else if (!error->final) {
        error->status = NGX_HTTP_SERVICE_UNAVAILABLE;
    }
}


/* What is the caller's to change is 400; whatever else, the server's. */

static void
ngx_http_prompt_openai_error_provider(const prompt_json_t *extensions,
    ngx_http_prompt_openai_error_t *error)
{
    int64_t               status;
    const prompt_json_t  *value;

    error->code = "provider_error";
    error->status = NGX_HTTP_BAD_GATEWAY;

    value = prompt_json_get(extensions, prompt_str("timedOut"));

    if (value != NULL) {
        error->status = NGX_HTTP_GATEWAY_TIME_OUT;
        error->code = "provider_timeout";
        return;
    }

    value = prompt_json_get(extensions, prompt_str("providerStatus"));

    if (value == NULL || !prompt_json_integer(value, &status)) {
        return;
    }

    switch (status) {

    case 400:
    case 413:
    case 422:
        error->status = NGX_HTTP_BAD_REQUEST;
        break;

    case 429:
        error->status = 429;
        error->code = "rate_limit_exceeded";
        break;

    case 503:
    case 529:
        error->status = NGX_HTTP_SERVICE_UNAVAILABLE;
        break;
    }

    value = prompt_json_get(extensions, prompt_str("retryAfter"));

    if (value != NULL) {
        (void) prompt_json_integer(value, &error->retry_after);
    }
}


ngx_int_t
ngx_http_prompt_openai_error_of(ngx_http_prompt_openai_request_t *rq,
    prompt_arena_t *arena, const prompt_json_t *answer,
    ngx_http_prompt_openai_error_t *error)
{
    prompt_str_t          code, at;
    const prompt_json_t  *first, *extensions, *value;

    ngx_memzero(error, sizeof(ngx_http_prompt_openai_error_t));
    error->status = NGX_HTTP_INTERNAL_SERVER_ERROR;
    error->retry_after = -1;

    first = prompt_json_at(prompt_json_get(answer, prompt_str("errors")), 0);
    extensions = prompt_json_get(first, prompt_str("extensions"));
    value = prompt_json_get(first, prompt_str("message"));

    if (value == NULL) {
        error->message = prompt_str("The server could not answer this "
                                    "request.");
        return NGX_OK;
    }

    error->message = value->text;

    value = prompt_json_get(extensions, prompt_str("executionId"));
    error->execution = value != NULL ? value->text : prompt_str_absent;

    value = prompt_json_get(extensions, prompt_str("code"));
    code = value != NULL ? value->text : prompt_str_absent;
    ngx_http_prompt_openai_error_reason(rq, code, extensions, error);

    value = prompt_json_get(extensions, prompt_str("field"));
    at = prompt_str_from(rq->prompt_at);

    if (error->status == NGX_HTTP_NOT_FOUND) {
        error->message = prompt_arena_printf(arena, "%.*s%s",
                                             prompt_str_arg(error->message),
                                             NGX_HTTP_PROMPT_OPENAI_NO_PROXY);
    }

    if (error->status == NGX_HTTP_NOT_FOUND
        || error->status == NGX_HTTP_FORBIDDEN)
    {
        error->param = at;
    }

    if (value != NULL
        && ngx_http_prompt_openai_error_param(rq, arena, value->text, error)
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    return error->message.data != NULL ? NGX_OK : NGX_ERROR;
}


/* Whether field is name, or a path below it: then *rest is that. */

static bool
ngx_http_prompt_openai_below(prompt_str_t field, const char *name,
    prompt_str_t *rest)
{
    size_t  len;

    len = ngx_strlen(name);

    if (field.len < len || ngx_memcmp(field.data, name, len) != 0
        || (field.len > len && field.data[len] != '.'))
    {
        return false;
    }

    *rest = prompt_str_of(field.data + len, field.len - len);

    return true;
}


/*
 * The body's own word for a field: of what was appended, of params, of notes,
 * or else of the input.  A message that begins with the one begins with the
 * other then.
 */

static ngx_int_t
ngx_http_prompt_openai_error_param(ngx_http_prompt_openai_request_t *rq,
    prompt_arena_t *arena, prompt_str_t field,
    ngx_http_prompt_openai_error_t *error)
{
    size_t         dot;
    prompt_str_t   rest, name, as;
    prompt_buf_t   param;

    prompt_buf_init(&param, NGX_HTTP_PROMPT_OPENAI_ERROR_SIZE);

    if (ngx_http_prompt_openai_below(field, "params", &rest)) {
        rest = rest.len != 0 ? prompt_str_of(rest.data + 1, rest.len - 1)
                             : rest;

        for (dot = 0; dot < rest.len && rest.data[dot] != '.'; dot++) {
            /* void */
        }

        name = prompt_str_of(rest.data, dot);
        as = rq->items != NULL ? ngx_http_prompt_openai_param(name)
                               : prompt_str_absent;
        prompt_buf_str(&param, as.data != NULL ? as : name);
        rest = prompt_str_of(rest.data + dot, rest.len - dot);

    } else if (ngx_http_prompt_openai_below(field, "subject", &rest)
               && rq->subject_at != NULL)
    {
        prompt_buf_str(&param, prompt_str_from(rq->subject_at));

    } else if (ngx_http_prompt_openai_below(field, "metadata", &rest)) {
        prompt_buf_literal(&param, "metadata");

    } else if (ngx_http_prompt_openai_below(field, "label", &rest)
               || ngx_http_prompt_openai_below(field, "version", &rest))
    {
        prompt_buf_str(&param, prompt_str_from(rq->prompt_at));

    } else if ((rest = field, !ngx_http_prompt_openai_error_message(rq, &rest,
                                                                    &param)))
    {
        prompt_buf_str(&param, prompt_str_from(rq->input_at));

        if (ngx_http_prompt_openai_below(field, "input", &rest)) {
            rest = prompt_str("");

        } else {
            prompt_buf_char(&param, '.');
            rest = field;
        }
    }

    ngx_http_prompt_openai_error_path(rest, &param);

    error->param = prompt_arena_copy(arena, prompt_buf_view(&param));
    prompt_buf_free(&param);

    if (error->param.len != 0 && error->message.len > field.len
        && ngx_memcmp(error->message.data, field.data, field.len) == 0
        && error->message.data[field.len] == ' ')
    {
        error->message = prompt_arena_printf(arena, "%.*s%.*s",
                             prompt_str_arg(error->param),
                             (int) (error->message.len - field.len),
                             error->message.data + field.len);
    }

    return error->param.data != NULL && error->message.data != NULL
           ? NGX_OK : NGX_ERROR;
}


/*
 * Of an appended message.  Of responses it is the item that it was made of,
 * whose parts have the same places as those of the message.
 */

static bool
ngx_http_prompt_openai_error_message(ngx_http_prompt_openai_request_t *rq,
    prompt_str_t *rest, prompt_buf_t *param)
{
    size_t         len;
    ngx_int_t      n;
    prompt_str_t   path;

    if (rq->items == NULL) {

        if (!ngx_http_prompt_openai_below(*rest,
                                          NGX_HTTP_PROMPT_OPENAI_MESSAGES,
                                          rest))
        {
            return false;
        }

        prompt_buf_literal(param, "messages");
        return true;
    }

    if (!ngx_http_prompt_openai_below(*rest, NGX_HTTP_PROMPT_OPENAI_ITEMS,
                                      &path))
    {
        return false;
    }

    for (len = 1; len < path.len && path.data[len] != '.'; len++) {
        /* void */
    }

    n = path.len > 1 ? ngx_atoi((u_char *) path.data + 1, len - 1)
                     : NGX_ERROR;

    if (n == NGX_ERROR || (size_t) n >= rq->nitems) {
        prompt_buf_literal(param, "input");
        *rest = prompt_str("");
        return true;
    }

    if (rq->items[n] == NGX_HTTP_PROMPT_OPENAI_NO_ITEM) {
        prompt_buf_literal(param, "instructions");
        *rest = prompt_str("");
        return true;
    }

    prompt_buf_printf(param, "input[%u]", (unsigned) rq->items[n]);

    path = prompt_str_of(path.data + len, path.len - len);
    *rest = ngx_http_prompt_openai_below(path, ".content", rest)
            ? path : prompt_str("");

    return true;
}


/* messages.3.content: messages[3].content */

static void
ngx_http_prompt_openai_error_path(prompt_str_t rest, prompt_buf_t *param)
{
    size_t   i, end;
    bool     digits;

    i = 0;

    while (i < rest.len) {
        digits = rest.data[i] == '.' && i + 1 < rest.len;

        for (end = i + 1; end < rest.len && rest.data[end] != '.'; end++) {
            digits &= rest.data[end] >= '0' && rest.data[end] <= '9';
        }

        if (digits && end > i + 1) {
            prompt_buf_char(param, '[');
            prompt_buf_append(param, rest.data + i + 1, end - i - 1);
            prompt_buf_char(param, ']');

        } else {
            prompt_buf_append(param, rest.data + i, end - i);
        }

        i = end;
    }
}


void
ngx_http_prompt_openai_error_refused(const ngx_http_prompt_refusal_t *refusal,
    ngx_http_prompt_openai_error_t *error)
{
    ngx_memzero(error, sizeof(ngx_http_prompt_openai_error_t));

    error->status = refusal->status >= NGX_HTTP_BAD_REQUEST && !refusal->begun
                    ? refusal->status : NGX_HTTP_INTERNAL_SERVER_ERROR;
    error->message = refusal->message;
    error->retry_after = -1;
    error->final = refusal->begun;

    if (refusal->retry_after != NULL) {
        error->retry_after = ngx_atoi((u_char *) refusal->retry_after,
                                      ngx_strlen(refusal->retry_after));
    }
}


/* 503 has its own Retry-After */

static ngx_int_t
ngx_http_prompt_openai_error_headers(ngx_http_prompt_ctx_t *ctx,
    const ngx_http_prompt_openai_error_t *error)
{
    u_char                            *value, *last;
    ngx_http_request_t                *r;
    ngx_http_prompt_openai_request_t  *rq;

    r = ctx->op.job.request;
    rq = ctx->data;

    if (ngx_http_prompt_openai_identify(ctx, error->execution) != NGX_OK
        || (error->final
            && ngx_http_prompt_add_header(r, "x-should-retry", "false")
               != NGX_OK))
    {
        return NGX_ERROR;
    }

    if (error->retry_after >= 0
        && (error->status != NGX_HTTP_SERVICE_UNAVAILABLE || error->final))
    {
        value = ngx_pnalloc(r->pool, NGX_INT64_LEN + 1);
        if (value == NULL) {
            return NGX_ERROR;
        }

        last = ngx_sprintf(value, "%L", error->retry_after);
        *last = '\0';

        if (ngx_http_prompt_add_header(r, "Retry-After", (char *) value)
            != NGX_OK)
        {
            return NGX_ERROR;
        }
    }

    return error->status == NGX_HTTP_SERVICE_UNAVAILABLE && error->final
           ? ngx_http_prompt_add_header(r, "Cache-Control", "no-store")
           : ngx_http_prompt_status_headers(r, error->status,
                                            rq != NULL && rq->route != NULL
                                            ? rq->route->allow : "POST");
}


ngx_int_t
ngx_http_prompt_openai_error_send(ngx_http_prompt_ctx_t *ctx,
    const ngx_http_prompt_openai_error_t *error)
{
    ngx_int_t            rc;
    prompt_buf_t         out;
    ngx_http_request_t  *r;

    r = ctx->op.job.request;
    prompt_buf_init(&out, NGX_HTTP_PROMPT_OPENAI_ERROR_SIZE);

    ngx_http_prompt_openai_error_write(error, &out);

    if (ngx_http_prompt_openai_error_headers(ctx, error) != NGX_OK) {
        prompt_buf_free(&out);
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    ctx->answered = 1;
    rc = ngx_http_prompt_send_text(r, error->status, "application/json", &out);
    prompt_buf_free(&out);

    return rc;
}


/* what all protocols refuse */

ngx_int_t
ngx_http_prompt_openai_error(ngx_http_prompt_ctx_t *ctx, ngx_uint_t status,
    prompt_str_t code, prompt_str_t message)
{
    ngx_http_prompt_openai_error_t  error;

    (void) code;

    ngx_memzero(&error, sizeof(ngx_http_prompt_openai_error_t));
    error.status = status;
    error.message = message;
    error.retry_after = -1;

    return ngx_http_prompt_openai_error_send(ctx, &error);
}


ngx_buf_t *
ngx_http_prompt_openai_status_body(ngx_http_request_t *r, ngx_uint_t status)
{
    ngx_buf_t                       *body;
    prompt_buf_t                     out;
    ngx_http_prompt_openai_error_t   error;

    ngx_memzero(&error, sizeof(ngx_http_prompt_openai_error_t));
    error.status = status;
    error.message = ngx_http_prompt_status_words(status);

    prompt_buf_init(&out, NGX_HTTP_PROMPT_OPENAI_ERROR_SIZE);
    ngx_http_prompt_openai_error_write(&error, &out);

    body = out.status == PROMPT_BUF_OK
           && ngx_http_prompt_openai_identify(
                  ngx_http_get_module_ctx(r, ngx_http_prompt_module),
                  prompt_str_absent)
              == NGX_OK
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
ngx_http_prompt_openai_identify(ngx_http_prompt_ctx_t *ctx, prompt_str_t id)
{
    char                              *copy;
    ngx_http_request_t                *r;
    ngx_http_variable_value_t         *value;
    ngx_http_prompt_openai_request_t  *rq;

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

    copy = ngx_pnalloc(r->pool, id.len + 1);
    if (copy == NULL) {
        return NGX_ERROR;
    }

    ngx_memcpy(copy, id.data, id.len);
    copy[id.len] = '\0';

    if (rq != NULL) {
        rq->identified = 1;
    }

    return ngx_http_prompt_add_header(r, "x-request-id", copy);
}
