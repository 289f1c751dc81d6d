/*
 * OpenAI's API over stored prompts: see README.md.
 */

#include "openai/ngx_http_prompt_openai.h"

#include "conf/ngx_http_prompt_conf.h"
#include "http/ngx_http_prompt_response.h"


static ngx_int_t ngx_http_prompt_openai_handler(ngx_http_request_t *r);
static void ngx_http_prompt_openai_known(ngx_http_prompt_ctx_t *ctx);
static ngx_int_t ngx_http_prompt_openai_error(ngx_http_prompt_ctx_t *ctx,
    ngx_uint_t status, prompt_str_t code, prompt_str_t message);


const ngx_http_prompt_protocol_t  ngx_http_prompt_openai_protocol = {
    .number = NGX_HTTP_PROMPT_OPENAI,
    .handler = ngx_http_prompt_openai_handler,
    .known = ngx_http_prompt_openai_known,
    .error = ngx_http_prompt_openai_error,
    .status_body = ngx_http_prompt_status_body
};


ngx_int_t
ngx_http_prompt_openai_configure(ngx_conf_t *cf,
    ngx_http_prompt_main_conf_t *pmcf)
{
    (void) cf;
    (void) pmcf;

    return NGX_OK;
}


static ngx_int_t
ngx_http_prompt_openai_handler(ngx_http_request_t *r)
{
    ngx_http_prompt_ctx_t  *ctx;

    ctx = ngx_http_prompt_get_ctx(r);

    return ctx == NULL ? NGX_HTTP_INTERNAL_SERVER_ERROR
                       : ngx_http_prompt_begin(ctx);
}


static void
ngx_http_prompt_openai_known(ngx_http_prompt_ctx_t *ctx)
{
    ngx_http_prompt_refuse(ctx, NGX_HTTP_NOT_FOUND, prompt_str("not found"));
}


static ngx_int_t
ngx_http_prompt_openai_error(ngx_http_prompt_ctx_t *ctx, ngx_uint_t status,
    prompt_str_t code, prompt_str_t message)
{
    return ngx_http_prompt_send_error(ctx->op.job.request, status,
                                      GQL_HTTP_MEDIA_JSON, code, message,
                                      NULL);
}
