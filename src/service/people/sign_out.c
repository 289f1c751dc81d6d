/*
 * Signing out.
 */

#include "service/people/sign_in.h"
#include "store/session.h"


static ngx_int_t ngx_http_prompt_sign_out_read(
    ngx_http_prompt_ending_t *ending, const prompt_rows_t *rows,
    prompt_str_t *hashes);
static void ngx_http_prompt_sign_out_done(ngx_http_prompt_ending_t *ending,
    ngx_http_prompt_ended_e how,
    const ngx_http_prompt_postgres_result_t *result);


ngx_http_prompt_sign_out_t *
ngx_http_prompt_sign_out(ngx_http_request_t *r, const uint8_t *hash,
    ngx_http_prompt_sign_pt done, void *data)
{
    bool                         bound;
    prompt_uuid_t                id;
    prompt_actor_t               actor;
    prompt_query_t              *query;
    ngx_http_prompt_sign_out_t  *sign_out;

    sign_out = (ngx_http_prompt_sign_out_t *)
        ngx_http_prompt_ending_create(ngx_http_prompt_get_worker(r),
                                      sizeof(ngx_http_prompt_sign_out_t),
                                      &query);
    if (sign_out == NULL) {
        return NULL;
    }

    sign_out->ending.owner = r;
    sign_out->ending.read = ngx_http_prompt_sign_out_read;
    sign_out->ending.done = ngx_http_prompt_sign_out_done;
    sign_out->done = done;
    sign_out->data = data;

    ngx_http_prompt_sign_actor(&actor, r, "signOut", &id, NULL);
    query->actor = &actor;

    bound = prompt_session_end(query, prompt_str_of((const char *) hash,
                                                    PROMPT_KEY_HASH_LEN));
    query->actor = NULL;

    return ngx_http_prompt_ending_send(&sign_out->ending, query, bound)
           == NGX_OK ? sign_out : NULL;
}


static ngx_int_t
ngx_http_prompt_sign_out_read(ngx_http_prompt_ending_t *ending,
    const prompt_rows_t *rows, prompt_str_t *hashes)
{
    char                        *p;
    unsigned                     row;
    prompt_str_t                 id, user_id, hash;
    ngx_http_prompt_sign_out_t  *sign_out;

    sign_out = (ngx_http_prompt_sign_out_t *) ending;

    if (!prompt_session_end_row(rows, &id, &user_id)
        || user_id.len != PROMPT_UUID_LEN)
    {
        return NGX_DECLINED;
    }

    sign_out->found = 1;
    ngx_memcpy(sign_out->user_id, user_id.data, PROMPT_UUID_LEN);

    p = prompt_arena_alloc(ending->arena,
                           (size_t) rows->count * PROMPT_KEY_HASH_LEN);
    if (p == NULL) {
        return NGX_ERROR;
    }

    *hashes = prompt_str_of(p, 0);

    for (row = 0; row < rows->count; row++) {
        hash = prompt_session_end_hash(rows, row);
        ngx_memcpy(p + hashes->len, hash.data, hash.len);
        hashes->len += hash.len;
    }

    return NGX_OK;
}


static void
ngx_http_prompt_sign_out_done(ngx_http_prompt_ending_t *ending,
    ngx_http_prompt_ended_e how,
    const ngx_http_prompt_postgres_result_t *result)
{
    ngx_connection_t            *c;
    ngx_http_request_t          *r;
    ngx_http_prompt_sign_out_t  *sign_out;

    r = ending->owner;
    c = r->connection;
    sign_out = (ngx_http_prompt_sign_out_t *) ending;

    sign_out->done(sign_out->data,
                   how == NGX_HTTP_PROMPT_ENDED ? NGX_HTTP_PROMPT_SIGNED
                   : how == NGX_HTTP_PROMPT_ENDED_NONE
                     && result->status == NGX_HTTP_PROMPT_POSTGRES_OK
                     ? NGX_HTTP_PROMPT_SIGN_UNKNOWN
                     : NGX_HTTP_PROMPT_SIGN_UNAVAILABLE);

    ngx_http_run_posted_requests(c);
}
