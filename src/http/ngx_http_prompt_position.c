/*
 * The header Prompt-Position.
 */

#include "http/ngx_http_prompt_position.h"

#include "http/ngx_http_prompt_response.h"
#include "service/standby/standby.h"
#include "service/worker/worker.h"


static char  ngx_http_prompt_position_name[] = "Prompt-Position";


ngx_int_t
ngx_http_prompt_position_find(ngx_http_prompt_ctx_t *ctx)
{
    ngx_uint_t           i;
    prompt_str_t         token;
    ngx_list_part_t     *part;
    ngx_table_elt_t     *header;
    ngx_http_request_t  *r;

    r = ctx->op.job.request;

    if (ngx_http_prompt_get_worker(r)->standby == NULL) {
        return NGX_OK;
    }

    for (part = &r->headers_in.headers.part; part != NULL; part = part->next) {
        header = part->elts;

        for (i = 0; i < part->nelts; i++) {

            if (header[i].key.len != sizeof(ngx_http_prompt_position_name) - 1
                || ngx_strncasecmp(header[i].key.data,
                                   (u_char *) ngx_http_prompt_position_name,
                                   header[i].key.len)
                   != 0)
            {
                continue;
            }

            token = prompt_str_of((char *) header[i].value.data,
                                  header[i].value.len);

            if (ctx->op.token.data != NULL
                || !prompt_position_is_token(token))
            {
                ngx_http_prompt_refuse(ctx, NGX_HTTP_BAD_REQUEST,
                           ngx_http_prompt_bad_user_input,
                           prompt_str("There may be one header "
                                      "\"Prompt-Position\", as an answer had "
                                      "it."));
                return NGX_DONE;
            }

            ctx->op.token = token;
        }
    }

    return NGX_OK;
}


ngx_int_t
ngx_http_prompt_position_add(ngx_http_prompt_ctx_t *ctx)
{
    prompt_str_t         token;
    ngx_http_request_t  *r;

    r = ctx->op.job.request;

    /* a stream has begun long before */

    if (r->header_sent) {
        return NGX_OK;
    }

    token = ngx_http_prompt_standby_token(&ctx->op);

    if (token.data == NULL) {
        return NGX_OK;
    }

    return ngx_http_prompt_add_header(r, ngx_http_prompt_position_name,
                                      token.data);
}
