/*
 * The subrequest of a call to a provider: a header and a body of its own, and
 * nothing of the client's.
 */

#include "io/ngx_http_prompt_provider_impl.h"


static ngx_int_t ngx_http_prompt_provider_headers(ngx_http_request_t *sr,
    ngx_http_prompt_provider_request_t *request);
static ngx_table_elt_t *ngx_http_prompt_provider_header(
    ngx_http_request_t *sr, ngx_str_t *key, ngx_str_t *value);
static ngx_int_t ngx_http_prompt_provider_body(ngx_http_request_t *sr,
    prompt_str_t *body);
static ngx_int_t ngx_http_prompt_provider_copy(ngx_pool_t *pool,
    ngx_str_t *to, ngx_str_t *from);


static ngx_str_t  ngx_http_prompt_provider_post_method = ngx_string("POST");
static ngx_str_t  ngx_http_prompt_provider_content_type =
    ngx_string("Content-Type");
static ngx_str_t  ngx_http_prompt_provider_json =
    ngx_string("application/json");


/*
 * All of ours that can fail comes before the subrequest is made: one that
 * exists is run, whatever we return.
 */
ngx_int_t
ngx_http_prompt_provider_prepare(ngx_http_prompt_provider_call_t *call,
    ngx_http_prompt_provider_request_t *request)
{
    ngx_http_request_t  *r, *draft;

    r = call->request;

    draft = ngx_pcalloc(r->pool, sizeof(ngx_http_request_t));
    if (draft == NULL) {
        return NGX_ERROR;
    }

    /* a fresh header: the client's own carries its API key */

    draft->pool = r->pool;
    draft->headers_in.server = r->headers_in.server;
    draft->headers_in.content_length_n = -1;    /* see rewrite_handler */
    draft->headers_in.keep_alive_n = -1;

    call->draft = draft;
    call->named = request->named;

    if (ngx_http_prompt_provider_copy(r->pool, &call->uri, &request->uri)
        != NGX_OK
        || ngx_http_prompt_provider_copy(r->pool, &call->args, &request->args)
           != NGX_OK
        || ngx_http_prompt_provider_headers(draft, request) != NGX_OK)
    {
        return NGX_ERROR;
    }

    return ngx_http_prompt_provider_body(draft, &request->body);
}


ngx_int_t
ngx_http_prompt_provider_subrequest(ngx_http_prompt_provider_call_t *call)
{
    ngx_uint_t           count;
    ngx_http_request_t  *r, *sr, *draft;

    r = call->request;
    draft = call->draft;
    count = r->main->count;

    if (ngx_http_subrequest(r, &call->uri, &call->args, &sr, &call->post,
                            NGX_HTTP_SUBREQUEST_BACKGROUND)
        != NGX_OK)
    {
        /* one that could not be posted was counted, and would never end */

        r->main->count = count;

        return NGX_ERROR;
    }

    sr->method = NGX_HTTP_POST;
    sr->method_name = ngx_http_prompt_provider_post_method;
    sr->request_body = draft->request_body;
    sr->headers_in = draft->headers_in;

    /* the last link of a list that has one part points into the list itself */

    if (draft->headers_in.headers.last == &draft->headers_in.headers.part) {
        sr->headers_in.headers.last = &sr->headers_in.headers.part;
    }

    ngx_log_debug2(NGX_LOG_DEBUG_HTTP, r->connection->log, 0,
                   "prompt provider: asks \"%V\", %O bytes", &call->uri,
                   call->length);

    call->subrequest = sr;
    call->result.asked = 1;
    call->gone = 0;

    return NGX_OK;
}


static ngx_int_t
ngx_http_prompt_provider_headers(ngx_http_request_t *sr,
    ngx_http_prompt_provider_request_t *request)
{
    ngx_uint_t        i;
    ngx_table_elt_t  *h;

    if (ngx_list_init(&sr->headers_in.headers, sr->pool,
                      request->nheaders + 1, sizeof(ngx_table_elt_t))
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    h = ngx_http_prompt_provider_header(sr,
                                        &ngx_http_prompt_provider_content_type,
                                        &ngx_http_prompt_provider_json);
    if (h == NULL) {
        return NGX_ERROR;
    }

    sr->headers_in.content_type = h;

    for (i = 0; i < request->nheaders; i++) {
        if (ngx_http_prompt_provider_header(sr, &request->headers[i].key,
                                            &request->headers[i].value)
            == NULL)
        {
            return NGX_ERROR;
        }
    }

    return NGX_OK;
}


static ngx_table_elt_t *
ngx_http_prompt_provider_header(ngx_http_request_t *sr, ngx_str_t *key,
    ngx_str_t *value)
{
    ngx_table_elt_t  *h;

    h = ngx_list_push(&sr->headers_in.headers);
    if (h == NULL) {
        return NULL;
    }

    ngx_memzero(h, sizeof(ngx_table_elt_t));

    if (ngx_http_prompt_provider_copy(sr->pool, &h->key, key) != NGX_OK
        || ngx_http_prompt_provider_copy(sr->pool, &h->value, value) != NGX_OK)
    {
        return NULL;
    }

    h->lowcase_key = ngx_pnalloc(sr->pool, key->len);
    if (h->lowcase_key == NULL) {
        return NULL;
    }

    /* the hash by which proxy_set_header finds what it replaces */

    h->hash = ngx_hash_strlow(h->lowcase_key, h->key.data, h->key.len);

    return h;
}


static ngx_int_t
ngx_http_prompt_provider_body(ngx_http_request_t *sr, prompt_str_t *body)
{
    ngx_buf_t                *b;
    ngx_http_request_body_t  *rb;

    rb = ngx_pcalloc(sr->pool, sizeof(ngx_http_request_body_t));
    if (rb == NULL) {
        return NGX_ERROR;
    }

    sr->request_body = rb;

    if (body->len == 0) {
        return NGX_OK;
    }

    b = ngx_calloc_buf(sr->pool);
    if (b == NULL) {
        return NGX_ERROR;
    }

    b->memory = 1;
    b->last_buf = 1;
    b->start = (u_char *) body->data;
    b->pos = b->start;
    b->last = b->start + body->len;
    b->end = b->last;

    rb->bufs = ngx_alloc_chain_link(sr->pool);
    if (rb->bufs == NULL) {
        return NGX_ERROR;
    }

    rb->bufs->buf = b;
    rb->bufs->next = NULL;
    rb->buf = b;

    return NGX_OK;
}


static ngx_int_t
ngx_http_prompt_provider_copy(ngx_pool_t *pool, ngx_str_t *to,
    ngx_str_t *from)
{
    ngx_str_null(to);

    if (from->len == 0) {
        return NGX_OK;
    }

    to->data = ngx_pstrdup(pool, from);
    if (to->data == NULL) {
        return NGX_ERROR;
    }

    to->len = from->len;

    return NGX_OK;
}
