/*
 * nginx's own error pages, replaced by JSON.
 *
 * nginx writes its pages with the same filters as everything else; here the
 * header is given another type and length, and the page's buffers are passed
 * over in favour of one of our own.  An error_page that the operator set
 * leads to another location, which this filter leaves alone.
 */

#include "http/ngx_http_prompt_error_filter.h"

#include "conf/ngx_http_prompt_conf.h"
#include "http/ngx_http_prompt_request.h"
#include "http/ngx_http_prompt_response.h"


static ngx_int_t ngx_http_prompt_error_header_filter(ngx_http_request_t *r);
static ngx_int_t ngx_http_prompt_error_body_filter(ngx_http_request_t *r,
    ngx_chain_t *in);

static ngx_http_output_header_filter_pt  ngx_http_next_header_filter;
static ngx_http_output_body_filter_pt    ngx_http_next_body_filter;


ngx_int_t
ngx_http_prompt_error_filter_init(ngx_conf_t *cf)
{
    ngx_http_next_header_filter = ngx_http_top_header_filter;
    ngx_http_top_header_filter = ngx_http_prompt_error_header_filter;

    ngx_http_next_body_filter = ngx_http_top_body_filter;
    ngx_http_top_body_filter = ngx_http_prompt_error_body_filter;

    return NGX_OK;
}


static ngx_int_t
ngx_http_prompt_error_header_filter(ngx_http_request_t *r)
{
    ngx_http_prompt_ctx_t       *ctx;
    ngx_http_prompt_loc_conf_t  *plcf;

    plcf = ngx_http_get_module_loc_conf(r, ngx_http_prompt_module);

    if (r != r->main
        || (plcf->protocol == NULL && plcf->session == NULL)
        || r->headers_out.status < NGX_HTTP_BAD_REQUEST)
    {
        return ngx_http_next_header_filter(r);
    }

    ctx = ngx_http_prompt_get_ctx(r);
    if (ctx == NULL) {
        return NGX_ERROR;
    }

    if (ctx->answered || ctx->replacement != NULL) {
        return ngx_http_next_header_filter(r);
    }

    ctx->replacement = ctx->protocol->status_body(r, r->headers_out.status);
    if (ctx->replacement == NULL) {
        return NGX_ERROR;
    }

    ctx->op.job.log.error_code =
        ngx_http_prompt_status_code(r->headers_out.status);

    ngx_http_prompt_media_set(r, GQL_HTTP_MEDIA_JSON);

    ngx_http_clear_content_length(r);
    r->headers_out.content_length_n = ngx_buf_size(ctx->replacement);

    return ngx_http_next_header_filter(r);
}


static ngx_int_t
ngx_http_prompt_error_body_filter(ngx_http_request_t *r, ngx_chain_t *in)
{
    ngx_buf_t              *buf;
    ngx_chain_t             out, *cl;
    ngx_http_prompt_ctx_t  *ctx;

    ctx = ngx_http_get_module_ctx(r, ngx_http_prompt_module);

    if (ctx == NULL || ctx->replacement == NULL || r != r->main || in == NULL)
    {
        return ngx_http_next_body_filter(r, in);
    }

    for (cl = in; cl != NULL; cl = cl->next) {
        cl->buf->pos = cl->buf->last;
        cl->buf->file_pos = cl->buf->file_last;
    }

    if (ctx->replaced) {
        return ngx_http_next_body_filter(r, NULL);
    }

    ctx->replaced = 1;

    buf = ctx->replacement;
    out.buf = buf;
    out.next = NULL;

    return ngx_http_next_body_filter(r, &out);
}
