/*
 * Signing out.
 */

#include "service/keys/keys.h"
#include "service/people/sign_in.h"
#include "store/session.h"


/* a parameter, and a row */
#define NGX_HTTP_PROMPT_SIGN_OUT_MEMORY  (64 * 1024)


struct ngx_http_prompt_sign_out_s {
    ngx_http_request_t               *request;   /* NULL: it has gone */
    ngx_http_prompt_sign_pt           done;
    void                             *data;
    ngx_http_prompt_keys_t           *keys;
    ngx_http_prompt_postgres_task_t  *query;
    uint8_t                           hash[PROMPT_KEY_HASH_LEN];
    u_char                            user_id[PROMPT_UUID_LEN];
    unsigned                          found:1;
};


static void ngx_http_prompt_sign_out_marked(void *data,
    ngx_http_prompt_postgres_task_t *query,
    const ngx_http_prompt_postgres_result_t *result);
static void ngx_http_prompt_sign_out_revoked(void *data);
static void ngx_http_prompt_sign_out_end(
    ngx_http_prompt_sign_out_t *sign_out, ngx_http_prompt_sign_e how);


ngx_http_prompt_sign_out_t *
ngx_http_prompt_sign_out(ngx_http_request_t *r, const uint8_t *hash,
    ngx_http_prompt_sign_pt done, void *data)
{
    bool                         bound;
    prompt_query_t              *query;
    ngx_http_prompt_worker_t    *worker;
    ngx_http_prompt_sign_out_t  *sign_out;

    worker = ngx_http_prompt_get_worker(r);

    query = prompt_query_create(NGX_HTTP_PROMPT_SIGN_OUT_MEMORY);
    if (query == NULL) {
        return NULL;
    }

    query->unconditional = true;

    sign_out = prompt_arena_zalloc(query->arena,
                                   sizeof(ngx_http_prompt_sign_out_t));
    bound = false;

    if (sign_out != NULL) {
        sign_out->request = r;
        sign_out->done = done;
        sign_out->data = data;
        sign_out->keys = worker->keys;
        ngx_memcpy(sign_out->hash, hash, PROMPT_KEY_HASH_LEN);

        bound = prompt_session_end(query, prompt_str_of((const char *) hash,
                                                        PROMPT_KEY_HASH_LEN));
    }

    if (!bound) {
        prompt_query_destroy(query);
        return NULL;
    }

    sign_out->query =
        ngx_http_prompt_postgres_query(worker->postgres, query, 0,
                                       ngx_http_prompt_sign_out_marked,
                                       sign_out);
    if (sign_out->query == NULL) {
        prompt_query_destroy(query);
        return NULL;
    }

    return sign_out;
}


const u_char *
ngx_http_prompt_sign_out_user(const ngx_http_prompt_sign_out_t *sign_out)
{
    return sign_out->found ? sign_out->user_id : NULL;
}


void
ngx_http_prompt_sign_out_cancel(ngx_http_prompt_sign_out_t *sign_out)
{
    sign_out->request = NULL;
}


static void
ngx_http_prompt_sign_out_marked(void *data,
    ngx_http_prompt_postgres_task_t *query,
    const ngx_http_prompt_postgres_result_t *result)
{
    ngx_http_prompt_sign_out_t  *sign_out = data;

    prompt_str_t            id, user_id;
    ngx_http_prompt_sign_e  how;

    how = NGX_HTTP_PROMPT_SIGN_UNAVAILABLE;

    if (result->status == NGX_HTTP_PROMPT_POSTGRES_OK) {
        how = NGX_HTTP_PROMPT_SIGN_UNKNOWN;

        if (prompt_session_end_row(&result->rows[0], &id, &user_id)
            && user_id.len == PROMPT_UUID_LEN)
        {
            sign_out->found = 1;
            ngx_memcpy(sign_out->user_id, user_id.data, PROMPT_UUID_LEN);

            if (ngx_http_prompt_keys_revoke(sign_out->keys, sign_out->hash,
                                            ngx_http_prompt_sign_out_revoked,
                                            sign_out)
                == NGX_OK)
            {
                return;
            }

            how = NGX_HTTP_PROMPT_SIGN_UNAVAILABLE;
        }
    }

    ngx_http_prompt_sign_out_end(sign_out, how);
}


static void
ngx_http_prompt_sign_out_revoked(void *data)
{
    ngx_http_prompt_sign_out_end(data, NGX_HTTP_PROMPT_SIGNED);
}


/* It lives in its query's arena. */

static void
ngx_http_prompt_sign_out_end(ngx_http_prompt_sign_out_t *sign_out,
    ngx_http_prompt_sign_e how)
{
    ngx_connection_t  *c;

    if (sign_out->request != NULL) {
        c = sign_out->request->connection;

        sign_out->done(sign_out->data, how);
        ngx_http_run_posted_requests(c);
    }

    ngx_http_prompt_postgres_free(sign_out->query);
}
