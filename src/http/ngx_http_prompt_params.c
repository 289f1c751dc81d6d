/*
 * Gives the engine the text of a request: the body as one piece, or the URL's
 * query part, as they are; what they mean is read in src/graphql_http/params.c.
 */

#include "http/ngx_http_prompt_params.h"

#include "io/ngx_http_prompt_ratelog.h"


static ngx_int_t ngx_http_prompt_params_status(gql_http_params_e status);
static ngx_int_t ngx_http_prompt_params_append(ngx_http_request_t *r,
    ngx_buf_t *buf, u_char **last, size_t *room);


ngx_int_t
ngx_http_prompt_params_read(ngx_http_request_t *r, prompt_arena_t *arena,
    gql_http_params_t *params, prompt_str_t *message)
{
    ngx_int_t          rc;
    ngx_str_t          body;
    gql_http_params_e  status;

    if (r->method == NGX_HTTP_GET) {
        status = gql_http_params_url(arena,
                             prompt_str_of((char *) r->args.data, r->args.len),
                             params, message);

    } else {
        rc = ngx_http_prompt_params_body(r, &body);
        if (rc != NGX_OK) {
            return rc;
        }

        status = gql_http_params_body(arena,
                               prompt_str_of((char *) body.data, body.len),
                               params, message);
    }

    return ngx_http_prompt_params_status(status);
}


ngx_int_t
ngx_http_prompt_params_json(ngx_http_request_t *r, prompt_arena_t *arena,
    const prompt_json_t **value, prompt_str_t *message)
{
    ngx_int_t       rc;
    ngx_str_t       body;
    prompt_json_t  *read;

    rc = ngx_http_prompt_params_body(r, &body);
    if (rc != NGX_OK) {
        return rc;
    }

    rc = ngx_http_prompt_params_status(
             gql_http_json(arena, "The request body",
                           prompt_str_of((char *) body.data, body.len), &read,
                           message));
    *value = read;

    return rc;
}


static ngx_int_t
ngx_http_prompt_params_status(gql_http_params_e status)
{
    switch (status) {

    case GQL_HTTP_PARAMS_OK:
        return NGX_OK;

    case GQL_HTTP_PARAMS_REFUSED:
        return NGX_DECLINED;

    default:
        return NGX_ERROR;
    }
}


ngx_int_t
ngx_http_prompt_params_body(ngx_http_request_t *r, ngx_str_t *body)
{
    off_t         size;
    size_t        room;
    u_char       *last;
    ngx_chain_t  *cl;

    ngx_str_null(body);

    if (r->request_body == NULL || r->request_body->bufs == NULL) {
        return NGX_OK;
    }

    cl = r->request_body->bufs;

    if (cl->next == NULL && ngx_buf_in_memory(cl->buf)) {
        body->data = cl->buf->pos;
        body->len = cl->buf->last - cl->buf->pos;
        return NGX_OK;
    }

    size = 0;

    for ( /* void */ ; cl != NULL; cl = cl->next) {
        size += ngx_buf_size(cl->buf);
    }

    if (size > NGX_HTTP_PROMPT_PARAMS_BODY) {
        return NGX_HTTP_REQUEST_ENTITY_TOO_LARGE;
    }

    room = (size_t) size;

    body->data = ngx_pnalloc(r->pool, room);
    if (body->data == NULL) {
        return NGX_ERROR;
    }

    last = body->data;

    for (cl = r->request_body->bufs; cl != NULL; cl = cl->next) {
        if (ngx_http_prompt_params_append(r, cl->buf, &last, &room)
            != NGX_OK)
        {
            return NGX_ERROR;
        }
    }

    body->len = last - body->data;

    return NGX_OK;
}


static ngx_int_t
ngx_http_prompt_params_append(ngx_http_request_t *r, ngx_buf_t *buf,
    u_char **last, size_t *room)
{
    size_t   size;
    ssize_t  n;

    size = (size_t) ngx_buf_size(buf);

    if (size > *room) {
        return NGX_ERROR;
    }

    if (ngx_buf_in_memory(buf)) {
        *last = ngx_cpymem(*last, buf->pos, size);

    } else if (size != 0) {
        n = ngx_read_file(buf->file, *last, size, buf->file_pos);

        if (n != (ssize_t) size) {
            ngx_http_prompt_ratelog(NGX_HTTP_PROMPT_RATELOG_BODY,
                                    prompt_str_absent, r->connection->log,
                                    "prompt: request body file \"%V\" could "
                                    "not be read completely",
                                    &buf->file->name);
            return NGX_ERROR;
        }

        *last += size;
    }

    *room -= size;

    return NGX_OK;
}


void
ngx_http_prompt_params_wipe(ngx_http_request_t *r)
{
    ngx_chain_t  *cl;

    if (r->request_body == NULL) {
        return;
    }

    for (cl = r->request_body->bufs; cl != NULL; cl = cl->next) {
        if (ngx_buf_in_memory(cl->buf) && !cl->buf->memory
            && !cl->buf->mmap)
        {
            explicit_bzero(cl->buf->pos, cl->buf->last - cl->buf->pos);
        }
    }
}
