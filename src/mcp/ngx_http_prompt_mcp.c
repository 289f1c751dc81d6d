/*
 * Model Context Protocol over stored prompts: see README.md.
 */

#include "mcp/ngx_http_prompt_mcp.h"

#include "conf/ngx_http_prompt_conf.h"
#include "http/ngx_http_prompt_response.h"


static ngx_int_t ngx_http_prompt_mcp_handler(ngx_http_request_t *r);
static void ngx_http_prompt_mcp_known(ngx_http_prompt_ctx_t *ctx);
static ngx_int_t ngx_http_prompt_mcp_error(ngx_http_prompt_ctx_t *ctx,
    ngx_uint_t status, prompt_str_t code, prompt_str_t message);


const ngx_http_prompt_protocol_t  ngx_http_prompt_mcp_protocol = {
    .number = NGX_HTTP_PROMPT_MCP,
    .handler = ngx_http_prompt_mcp_handler,
    .known = ngx_http_prompt_mcp_known,
    .error = ngx_http_prompt_mcp_error,
    .status_body = ngx_http_prompt_status_body
};


ngx_int_t
ngx_http_prompt_mcp_configure(ngx_conf_t *cf,
    ngx_http_prompt_main_conf_t *pmcf)
{
    (void) cf;
    (void) pmcf;

    return NGX_OK;
}


static ngx_int_t
ngx_http_prompt_mcp_handler(ngx_http_request_t *r)
{
    ngx_http_prompt_ctx_t  *ctx;

    ctx = ngx_http_prompt_get_ctx(r);

    return ctx == NULL ? NGX_HTTP_INTERNAL_SERVER_ERROR
                       : ngx_http_prompt_begin(ctx);
}


static void
ngx_http_prompt_mcp_known(ngx_http_prompt_ctx_t *ctx)
{
    ngx_http_prompt_refuse(ctx, NGX_HTTP_NOT_FOUND, prompt_str("not found"));
}


static ngx_int_t
ngx_http_prompt_mcp_error(ngx_http_prompt_ctx_t *ctx, ngx_uint_t status,
    prompt_str_t code, prompt_str_t message)
{
    return ngx_http_prompt_send_error(ctx->op.job.request, status,
                                      GQL_HTTP_MEDIA_JSON, code, message,
                                      NULL);
}
