/*
 * Errors in OpenAI's form, with what its clients go by: the status, whether
 * they should ask again, and which member of the body is at fault.
 */

#include "openai/ngx_http_prompt_openai_impl.h"

#include "base/scan.h"
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

#define OPENAI_TYPES  (sizeof(openai_types) / sizeof(openai_types[0]))

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

    i = 0;

    while (i < OPENAI_TYPES - 1 && openai_types[i].status < status) {
        i++;
    }

    return i;
}


const char *
openai_error_type(const openai_error_t *error)
{
    return error->type != NULL ? error->type
                               : openai_types[openai_type(error->status)].type;
}


void
openai_error_write(const openai_error_t *error, prompt_buf_t *out)
{
    size_t        i;
    prompt_str_t  values[4];

    static const char *const  names[] = { "message", "type", "param", "code" };

    values[0] = error->message;
    values[1] = prompt_str_from(openai_error_type(error));
    values[2] = error->param;
    values[3] = prompt_str_from(error->code != NULL ? error->code
                    : openai_types[openai_type(error->status)].code);

    prompt_buf_literal(out, "{\"error\":{");

    for (i = 0; i < 4; i++) {
        prompt_buf_printf(out, "%s\"%s\":", i != 0 ? "," : "", names[i]);

        if (values[i].data != NULL) {
            prompt_json_write_string(out, values[i]);

        } else {
            prompt_buf_literal(out, "null");
        }
    }

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

    if (value != NULL && value->text.data[0] != '0') {
        error->retry_after = value->text;
    }
}


/* .3.content, or content: [3].content */
static void
openai_error_path(prompt_str_t path, prompt_buf_t *param)
{
    bool          more;
    prompt_str_t  step;

    more = path.len != 0;
    (void) prompt_scan_char(&path, '.');

    while (more) {
        more = prompt_scan_split(&path, '.', &step);

        prompt_buf_printf(param, ngx_atoi((u_char *) step.data, step.len)
                                 != NGX_ERROR ? "[%.*s]" : ".%.*s",
                          prompt_str_arg(step));
    }
}


/* Takes name off the front of a path. */
static bool
openai_error_below(prompt_str_t *path, const char *name)
{
    prompt_str_t  rest;

    rest = *path;

    if (!prompt_scan_word(&rest, prompt_str_from(name))
        || (rest.len != 0 && rest.data[0] != '.'))
    {
        return false;
    }

    *path = rest;

    return true;
}


/* An appended message is the item that it was made of, where there are such. */
static void
openai_error_item(const openai_request_t *rq, prompt_str_t name,
    prompt_buf_t *param)
{
    ngx_int_t  n;

    n = ngx_atoi((u_char *) name.data, name.len);

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
    prompt_str_t  name;

    if (rq->items == NULL && openai_error_below(&path, "messages")) {
        prompt_buf_literal(param, "messages");

    } else if (rq->items != NULL && openai_error_below(&path, "items")) {
        (void) prompt_scan_char(&path, '.');
        (void) prompt_scan_split(&path, '.', &name);
        openai_error_item(rq, name, param);
        return;

    } else if (openai_error_below(&path, "params")) {

        if (path.len == 0) {
            prompt_buf_literal(param, "body");
            return;
        }

        (void) prompt_scan_char(&path, '.');
        (void) prompt_scan_split(&path, '.', &name);
        prompt_buf_str(param, rq->items != NULL ? openai_param(name) : name);

    } else if (rq->subject_at != NULL && openai_error_below(&path, "subject"))
    {
        prompt_buf_str(param, prompt_str_from(rq->subject_at));

    } else if (openai_error_below(&path, "metadata")) {
        prompt_buf_literal(param, "metadata");

    } else if (openai_error_below(&path, "promptId")) {
        prompt_buf_str(param, prompt_str_from(rq->prompt_at));

    } else {
        (void) openai_error_below(&path, "input");
        prompt_buf_str(param, prompt_str_from(rq->input_at));
    }

    openai_error_path(path, param);
}


static void
openai_error_field(openai_request_t *rq, prompt_arena_t *arena,
    prompt_str_t field, openai_error_t *error)
{
    prompt_buf_t  param;
    prompt_str_t  rest;

    field = openai_short(field);

    prompt_buf_init(&param, OPENAI_ERROR_SIZE);
    openai_error_param(rq, field, &param);
    error->param = prompt_arena_take(arena, &param);

    rest = error->message;

    if (prompt_scan_word(&rest, field)
        && prompt_scan_begins(rest, prompt_str(" ")))
    {
        error->message = prompt_arena_printf(arena, "%.*s%.*s",
                                             prompt_str_arg(error->param),
                                             prompt_str_arg(rest));
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


/* A header with a value that is copied. */
static ngx_int_t
openai_header(ngx_http_request_t *r, const char *name, prompt_str_t value)
{
    u_char  *copy;

    copy = ngx_pcalloc(r->pool, value.len + 1);
    if (copy == NULL) {
        return NGX_ERROR;
    }

    ngx_memcpy(copy, value.data, value.len);

    return ngx_http_prompt_add_header(r, name, (char *) copy);
}


static ngx_int_t
openai_error_headers(ngx_http_prompt_ctx_t *ctx, const openai_error_t *error)
{
    ngx_http_request_t  *r;
    openai_request_t    *rq;

    r = ctx->op.job.request;
    rq = ctx->data;

    if (openai_identify(ctx, error->execution) != NGX_OK
        || ngx_http_prompt_add_replayed(ctx) != NGX_OK
        || (error->final
            && ngx_http_prompt_add_header(r, "x-should-retry", "false")
               != NGX_OK))
    {
        return NGX_ERROR;
    }

    if (error->status == NGX_HTTP_SERVICE_UNAVAILABLE && error->final) {
        return ngx_http_prompt_add_header(r, "Cache-Control", "no-store");
    }

    if (error->retry_after.data != NULL
        && openai_header(r, "Retry-After", error->retry_after) != NGX_OK)
    {
        return NGX_ERROR;
    }

    return ngx_http_prompt_status_headers(r, error->status,
                                          rq != NULL && rq->route != NULL
                                          ? rq->route->allow : "POST");
}


/* in the place of an answer; where a stream has begun, its last event */

ngx_int_t
openai_error_send(ngx_http_prompt_ctx_t *ctx, const openai_error_t *error)
{
    ngx_int_t            rc;
    prompt_buf_t         out;
    ngx_http_request_t  *r;
    openai_request_t    *rq;

    r = ctx->op.job.request;
    rq = ctx->data;
    ctx->answered = 1;

    if (ctx->events != NULL && r->header_sent) {
        prompt_buf_init(&out, OPENAI_ANSWER);
        rq->route->form->fail(rq, error, &out);

        return ngx_http_prompt_send_json(ctx, error->status, NULL, &out);
    }

    if (ctx->events != NULL) {
        ngx_http_prompt_event_stream_cancel(ctx->events);
    }

    if (openai_error_headers(ctx, error) != NGX_OK) {
        return NGX_HTTP_INTERNAL_SERVER_ERROR;
    }

    prompt_buf_init(&out, OPENAI_ERROR_SIZE);
    openai_error_write(error, &out);

    rc = ngx_http_prompt_send_text(r, error->status, "application/json", &out);
    prompt_buf_free(&out);

    return rc;
}


/*
 * Of what was begun (200) the answer is not told: asking again would do it
 * twice.
 */

ngx_int_t
openai_error(ngx_http_prompt_ctx_t *ctx, ngx_uint_t status, prompt_str_t code,
    prompt_str_t message)
{
    openai_error_t  error;

    (void) code;

    ngx_memzero(&error, sizeof(openai_error_t));
    error.final = status < NGX_HTTP_BAD_REQUEST;
    error.status = error.final ? NGX_HTTP_INTERNAL_SERVER_ERROR : status;
    error.message = message;

    return openai_error_send(ctx, &error);
}


ngx_buf_t *
openai_status_body(ngx_http_request_t *r, ngx_uint_t status)
{
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

    if (openai_identify(ctx, prompt_str_absent) != NGX_OK
        || (ctx->op.job.did && rq->route->form != NULL
            && ngx_http_prompt_add_header(r, "x-should-retry", "false")
               != NGX_OK))
    {
        prompt_buf_free(&out);
        return NULL;
    }

    return ngx_http_prompt_body(r, &out);
}


ngx_int_t
openai_identify(ngx_http_prompt_ctx_t *ctx, prompt_str_t id)
{
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

    if (rq != NULL) {
        rq->identified = 1;
    }

    return openai_header(r, "x-request-id", id);
}
