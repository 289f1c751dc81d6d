/*
 * The header Idempotency-Key.
 */

#include "http/ngx_http_prompt_idempotency.h"

#include "service/once/once.h"


static ngx_int_t ngx_http_prompt_idempotency_header(ngx_http_request_t *r,
    prompt_str_t *key);


ngx_int_t
ngx_http_prompt_idempotency_find(ngx_http_prompt_ctx_t *ctx)
{
    if (ctx->op.definition->operation != GQL_MUTATION
        || ngx_http_prompt_idempotency_header(ctx->op.job.request,
                                              &ctx->op.once_key)
           != NGX_ERROR)
    {
        return NGX_OK;
    }

    ngx_http_prompt_refuse(ctx, NGX_HTTP_BAD_REQUEST,
                   ngx_http_prompt_bad_user_input,
                   prompt_str("There must be one header \"Idempotency-Key\", "
                              "with 1 to 255 visible ASCII characters."));
    return NGX_DONE;
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

    return ngx_http_prompt_once_is_key(*key) ? NGX_OK : NGX_ERROR;
}
