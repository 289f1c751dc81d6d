/*
 * Idempotency-Key: the header, the fingerprint, the answers.
 */

#include "http/ngx_http_prompt_idempotency.h"

#include <stdlib.h>

#include "base/sha256.h"
#include "http/ngx_http_prompt_response.h"
#include "service/once.h"
#include "service/service.h"
#include "service/worker.h"


static ngx_int_t ngx_http_prompt_idempotency_header(ngx_http_request_t *r,
    prompt_str_t *key);
static ngx_uint_t ngx_http_prompt_idempotency_is_key(prompt_str_t key);
static ngx_int_t ngx_http_prompt_idempotency_take(ngx_http_prompt_ctx_t *ctx,
    prompt_str_t key);
static ngx_int_t ngx_http_prompt_idempotency_fingerprint(
    ngx_http_prompt_ctx_t *ctx, prompt_str_t key,
    uint8_t out[PROMPT_SHA256_LEN]);
static void ngx_http_prompt_idempotency_text(prompt_sha256_t *sha, char kind,
    prompt_str_t text);
static ngx_int_t ngx_http_prompt_idempotency_value(prompt_arena_t *arena,
    prompt_sha256_t *sha, const prompt_json_t *value);
static ngx_int_t ngx_http_prompt_idempotency_members(prompt_arena_t *arena,
    prompt_sha256_t *sha, const prompt_json_t *object);
static int ngx_libc_cdecl ngx_http_prompt_idempotency_by_name(const void *one,
    const void *two);
static void ngx_http_prompt_idempotency_count(
    const ngx_http_prompt_once_t *once, ngx_http_prompt_once_e how);
static void ngx_http_prompt_idempotency_taken(void *data,
    ngx_http_prompt_once_e how);
static void ngx_http_prompt_idempotency_replay(ngx_http_prompt_ctx_t *ctx);
static void ngx_http_prompt_idempotency_refuse(ngx_http_prompt_ctx_t *ctx,
    ngx_http_prompt_once_e how);
static void ngx_http_prompt_idempotency_kept(void *data, ngx_uint_t held);


ngx_int_t
ngx_http_prompt_idempotency_begin(ngx_http_prompt_ctx_t *ctx)
{
    ngx_int_t     rc;
    prompt_str_t  key;

    if (ctx->job.plan->operation->operation != GQL_MUTATION) {
        return NGX_DECLINED;
    }

    rc = ngx_http_prompt_idempotency_header(ctx->job.request, &key);

    if (rc == NGX_DECLINED) {
        return NGX_DECLINED;
    }

    if (rc == NGX_ERROR) {
        ngx_http_prompt_refuse(ctx, NGX_HTTP_BAD_REQUEST,
                   ngx_http_prompt_bad_user_input,
                   prompt_str("There must be one header \"Idempotency-Key\", "
                              "with 1 to 255 visible ASCII characters."));
        return NGX_OK;
    }

    if (ngx_http_prompt_idempotency_take(ctx, key) != NGX_OK) {
        ngx_http_finalize_request(ctx->job.request,
                                  NGX_HTTP_INTERNAL_SERVER_ERROR);
    }

    return NGX_OK;
}


/* NGX_DECLINED: there is none; NGX_ERROR: several, or another form */

static ngx_int_t
ngx_http_prompt_idempotency_header(ngx_http_request_t *r, prompt_str_t *key)
{
    ngx_uint_t        i;
    ngx_list_part_t  *part;
    ngx_table_elt_t  *header;

    *key = prompt_str_absent;

    for (part = &r->headers_in.headers.part; part != NULL; part = part->next) {
        header = part->elts;

        for (i = 0; i < part->nelts; i++) {

            if (header[i].key.len != sizeof("Idempotency-Key") - 1
                || ngx_strncasecmp(header[i].key.data,
                                   (u_char *) "Idempotency-Key",
                                   sizeof("Idempotency-Key") - 1)
                   != 0)
            {
                continue;
            }

            if (key->data != NULL) {
                return NGX_ERROR;
            }

            *key = prompt_str_of((char *) header[i].value.data,
                                 header[i].value.len);
        }
    }

    if (key->data == NULL) {
        return NGX_DECLINED;
    }

    return ngx_http_prompt_idempotency_is_key(*key) ? NGX_OK : NGX_ERROR;
}


static ngx_uint_t
ngx_http_prompt_idempotency_is_key(prompt_str_t key)
{
    size_t  i;

    for (i = 0; i < key.len; i++) {
        if (key.data[i] <= ' ' || key.data[i] > '~') {
            return 0;
        }
    }

    return key.len >= 1 && key.len <= NGX_HTTP_PROMPT_IDEMPOTENCY_MAX;
}


static ngx_int_t
ngx_http_prompt_idempotency_take(ngx_http_prompt_ctx_t *ctx, prompt_str_t key)
{
    ngx_int_t                rc;
    prompt_sha256_t          sha;
    ngx_http_request_t      *r;
    ngx_http_prompt_once_t  *once;
    ngx_http_prompt_once_e   how;

    r = ctx->job.request;

    once = ngx_pcalloc(r->pool, sizeof(ngx_http_prompt_once_t));
    if (once == NULL) {
        return NGX_ERROR;
    }

    prompt_sha256_init(&sha);
    prompt_sha256_update(&sha,
                         prompt_str_of((char *) ctx->job.identity.user_id,
                                       sizeof(ctx->job.identity.user_id)));
    prompt_sha256_update(&sha, key);
    prompt_sha256_final(&sha, once->key);

    if (ngx_http_prompt_idempotency_fingerprint(ctx, key, once->fingerprint)
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    rc = ngx_http_prompt_once_take(once, &ctx->job, &how,
                                   ngx_http_prompt_idempotency_taken, ctx);

    if (rc == NGX_DONE) {
        ngx_http_prompt_idempotency_count(once, how);
        ngx_http_prompt_idempotency_refuse(ctx, how);
        return NGX_OK;
    }

    if (rc != NGX_OK) {
        return NGX_ERROR;
    }

    ctx->job.once = once;

    /* the client is not missed: its answer is for the next one, too */

    r->read_event_handler = ngx_http_block_reading;

    return NGX_OK;
}


/*
 * The document's bytes, the name of the operation, the variables.  Passwords
 * may be among them where the operation needs a session, and a fast hash of
 * these must not be stored: there the key goes in as well, which nobody knows
 * who reads the row.
 */

static ngx_int_t
ngx_http_prompt_idempotency_fingerprint(ngx_http_prompt_ctx_t *ctx,
    prompt_str_t key, uint8_t out[PROMPT_SHA256_LEN])
{
    prompt_sha256_t  sha;

    prompt_sha256_init(&sha);

    if (ngx_http_prompt_service_scopes(ctx->job.plan)
        & PROMPT_KEY_SCOPE_SESSION)
    {
        ngx_http_prompt_idempotency_text(&sha, 'k', key);
    }

    ngx_http_prompt_idempotency_text(&sha, 'd', ctx->params.query);
    ngx_http_prompt_idempotency_text(&sha, 'o', ctx->params.operation_name);

    if (ctx->params.variables != NULL && ctx->params.variables->count != 0
        && ngx_http_prompt_idempotency_value(ctx->job.arena, &sha,
                                             ctx->params.variables)
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    prompt_sha256_final(&sha, out);

    return NGX_OK;
}


/* its length goes in front, so that no two lists of texts are one */

static void
ngx_http_prompt_idempotency_text(prompt_sha256_t *sha, char kind,
    prompt_str_t text)
{
    u_char  *p;
    u_char   head[NGX_SIZE_T_LEN + 2];

    head[0] = (u_char) kind;
    p = ngx_sprintf(head + 1, "%uz:", text.len);

    prompt_sha256_update(sha, prompt_str_of((char *) head, p - head));
    prompt_sha256_update(sha, text);
}


/* Members in the order of their names: JSON knows no other. */

static ngx_int_t
ngx_http_prompt_idempotency_value(prompt_arena_t *arena, prompt_sha256_t *sha,
    const prompt_json_t *value)
{
    prompt_str_t          none;
    const prompt_json_t  *element;

    none = prompt_str("");

    switch (value->type) {

    case PROMPT_JSON_OBJECT:
        return ngx_http_prompt_idempotency_members(arena, sha, value);

    case PROMPT_JSON_ARRAY:
        ngx_http_prompt_idempotency_text(sha, '[', none);

        for (element = value->first; element != NULL; element = element->next)
        {
            if (ngx_http_prompt_idempotency_value(arena, sha, element)
                != NGX_OK)
            {
                return NGX_ERROR;
            }
        }

        ngx_http_prompt_idempotency_text(sha, ']', none);
        return NGX_OK;

    case PROMPT_JSON_STRING:
        ngx_http_prompt_idempotency_text(sha, '"', value->text);
        return NGX_OK;

    case PROMPT_JSON_NUMBER:
        ngx_http_prompt_idempotency_text(sha, '0', value->text);
        return NGX_OK;

    case PROMPT_JSON_BOOLEAN:
        ngx_http_prompt_idempotency_text(sha, value->boolean ? 't' : 'f', none);
        return NGX_OK;

    default:
        ngx_http_prompt_idempotency_text(sha, 'n', none);
        return NGX_OK;
    }
}


static ngx_int_t
ngx_http_prompt_idempotency_members(prompt_arena_t *arena,
    prompt_sha256_t *sha, const prompt_json_t *object)
{
    uint32_t               i;
    const prompt_json_t   *member;
    const prompt_json_t  **members;

    members = prompt_arena_array(arena, object->count,
                                 sizeof(prompt_json_t *));
    if (members == NULL) {
        return NGX_ERROR;
    }

    i = 0;

    for (member = object->first; member != NULL; member = member->next) {
        members[i++] = member;
    }

    ngx_qsort(members, i, sizeof(prompt_json_t *),
              ngx_http_prompt_idempotency_by_name);

    ngx_http_prompt_idempotency_text(sha, '{', prompt_str(""));

    for (i = 0; i < object->count; i++) {
        ngx_http_prompt_idempotency_text(sha, 'm', members[i]->name);

        if (ngx_http_prompt_idempotency_value(arena, sha, members[i])
            != NGX_OK)
        {
            return NGX_ERROR;
        }
    }

    ngx_http_prompt_idempotency_text(sha, '}', prompt_str(""));

    return NGX_OK;
}


static int ngx_libc_cdecl
ngx_http_prompt_idempotency_by_name(const void *one, const void *two)
{
    int                   rc;
    size_t                n;
    const prompt_json_t  *a, *b;

    a = *(const prompt_json_t *const *) one;
    b = *(const prompt_json_t *const *) two;

    n = ngx_min(a->name.len, b->name.len);
    rc = n != 0 ? ngx_memcmp(a->name.data, b->name.data, n) : 0;

    if (rc != 0) {
        return rc;
    }

    return (a->name.len > b->name.len) - (a->name.len < b->name.len);
}


static void
ngx_http_prompt_idempotency_taken(void *data, ngx_http_prompt_once_e how)
{
    ngx_http_prompt_ctx_t  *ctx = data;

    ngx_connection_t  *c;

    c = ctx->job.request->connection;

    ngx_http_prompt_idempotency_count(ctx->job.once, how);

    switch (how) {

    case NGX_HTTP_PROMPT_ONCE_RUN:
        ngx_http_prompt_run(ctx);
        break;

    case NGX_HTTP_PROMPT_ONCE_ANSWERED:
        ngx_http_prompt_idempotency_replay(ctx);
        break;

    default:
        ngx_http_prompt_idempotency_refuse(ctx, how);
        break;
    }

    ngx_http_run_posted_requests(c);
}


static void
ngx_http_prompt_idempotency_count(const ngx_http_prompt_once_t *once,
    ngx_http_prompt_once_e how)
{
    ngx_http_prompt_count_e  count;

    static const ngx_http_prompt_count_e  counts[] = {
        [NGX_HTTP_PROMPT_ONCE_RUN] = NGX_HTTP_PROMPT_COUNT_ONCE_BEGUN,
        [NGX_HTTP_PROMPT_ONCE_ANSWERED] = NGX_HTTP_PROMPT_COUNT_ONCE_REPLAYED,
        [NGX_HTTP_PROMPT_ONCE_BUSY] = NGX_HTTP_PROMPT_COUNT_ONCE_BUSY,
        [NGX_HTTP_PROMPT_ONCE_OTHER] = NGX_HTTP_PROMPT_COUNT_ONCE_OTHER,
        [NGX_HTTP_PROMPT_ONCE_FAILED] = NGX_HTTP_PROMPT_COUNT_ONCE_FAILED
    };

    ngx_log_debug1(NGX_LOG_DEBUG_HTTP, once->job->request->connection->log, 0,
                   "prompt idempotency: %s",
                   how == NGX_HTTP_PROMPT_ONCE_RUN ? "runs"
                   : how == NGX_HTTP_PROMPT_ONCE_ANSWERED ? "answered before"
                   : how == NGX_HTTP_PROMPT_ONCE_BUSY ? "another one runs"
                   : how == NGX_HTTP_PROMPT_ONCE_OTHER ? "of another request"
                   : "not known");

    count = how == NGX_HTTP_PROMPT_ONCE_RUN && once->told
            ? NGX_HTTP_PROMPT_COUNT_ONCE_TAKEN_OVER : counts[how];

    ngx_http_prompt_metrics_add(once->worker->metrics, count, 1);
}


/*
 * The bytes are the first answer's; so is the status, since execution had
 * begun.  The content type is the one of both that this request accepts.
 */

static void
ngx_http_prompt_idempotency_replay(ngx_http_prompt_ctx_t *ctx)
{
    char                *copy;
    prompt_str_t         answer;
    ngx_http_request_t  *r;

    r = ctx->job.request;
    answer = ctx->job.once->answer;

    ctx->pieces = ngx_palloc(r->pool, sizeof(prompt_str_t));
    copy = malloc(answer.len);

    if (ctx->pieces == NULL || copy == NULL
        || ngx_http_prompt_add_header(r, "Idempotency-Replayed", "true")
           != NGX_OK)
    {
        free(copy);
        ngx_http_finalize_request(r, NGX_HTTP_INTERNAL_SERVER_ERROR);
        return;
    }

    ngx_memcpy(copy, answer.data, answer.len);

    ctx->pieces[0] = prompt_str_of(copy, answer.len);
    ctx->npieces = 1;

    ngx_http_prompt_answer(ctx);
}


static void
ngx_http_prompt_idempotency_refuse(ngx_http_prompt_ctx_t *ctx,
    ngx_http_prompt_once_e how)
{
    switch (how) {

    case NGX_HTTP_PROMPT_ONCE_OTHER:
        ngx_http_prompt_refuse(ctx, 422, ngx_http_prompt_bad_user_input,
                   prompt_str("This Idempotency-Key was used with another "
                              "document, other variables or another operation "
                              "name."));
        return;

    case NGX_HTTP_PROMPT_ONCE_BUSY:
        if (ngx_http_prompt_add_header(ctx->job.request, "Retry-After", "1")
            != NGX_OK)
        {
            break;
        }

        ngx_http_prompt_refuse(ctx, NGX_HTTP_CONFLICT,
                   ngx_http_prompt_bad_user_input,
                   prompt_str("The first request with this Idempotency-Key is "
                              "still being done: ask again."));
        return;

    default:
        ngx_http_prompt_refuse(ctx, NGX_HTTP_SERVICE_UNAVAILABLE,
                   ngx_http_prompt_internal_server_error,
                   prompt_str("The database did not say what is known of this "
                              "Idempotency-Key. Nothing was done: ask again "
                              "with the same key."));
        return;
    }

    ngx_http_finalize_request(ctx->job.request,
                              NGX_HTTP_INTERNAL_SERVER_ERROR);
}


ngx_int_t
ngx_http_prompt_idempotency_end(ngx_http_prompt_ctx_t *ctx)
{
    ngx_http_prompt_once_t  *once;

    once = ctx->job.once;

    if (once == NULL) {
        return NGX_DECLINED;
    }

    if (once->told
        && ngx_http_prompt_add_header(ctx->job.request, "Idempotency-Replayed",
                                      "true")
           != NGX_OK)
    {
        ngx_http_finalize_request(ctx->job.request,
                                  NGX_HTTP_INTERNAL_SERVER_ERROR);
        return NGX_OK;
    }

    return ngx_http_prompt_once_keep(once, NGX_HTTP_OK, ctx->pieces,
                                     ctx->npieces,
                                     ngx_http_prompt_idempotency_kept);
}


/*
 * An answer that PostgreSQL did not take is sent all the same: it is true.
 * Not so where another request has found out meanwhile what was done, since
 * there must be one answer.
 */

static void
ngx_http_prompt_idempotency_kept(void *data, ngx_uint_t held)
{
    ngx_http_prompt_ctx_t  *ctx = data;

    ngx_connection_t  *c;

    c = ctx->job.request->connection;

    if (held) {
        ngx_http_prompt_answer(ctx);

    } else {
        ngx_http_prompt_idempotency_refuse(ctx, NGX_HTTP_PROMPT_ONCE_BUSY);
    }

    ngx_http_run_posted_requests(c);
}
