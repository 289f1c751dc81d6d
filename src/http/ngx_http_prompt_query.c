/*
 * From the parameters of a request to the text of its document.
 */

#include "http/ngx_http_prompt_query.h"

#include "conf/ngx_http_prompt_conf.h"
#include "http/ngx_http_prompt_documents.h"
#include "http/ngx_http_prompt_persisted.h"


#define NGX_HTTP_PROMPT_QUERY_VERSION  1


static ngx_int_t ngx_http_prompt_query_given(ngx_http_prompt_ctx_t *ctx,
    const prompt_json_t *persisted);
static ngx_int_t ngx_http_prompt_query_named(ngx_http_prompt_ctx_t *ctx,
    const prompt_json_t *persisted);
static ngx_int_t ngx_http_prompt_query_kept(ngx_http_prompt_ctx_t *ctx,
    prompt_str_t sha256);
static ngx_int_t ngx_http_prompt_query_sha256(ngx_http_prompt_ctx_t *ctx,
    const prompt_json_t *persisted, prompt_str_t *sha256);
static ngx_int_t ngx_http_prompt_query_unhex(prompt_str_t hex,
    uint8_t bytes[PROMPT_SHA256_LEN]);
static ngx_int_t ngx_http_prompt_query_refuse_untrusted(
    ngx_http_prompt_ctx_t *ctx);
static ngx_int_t ngx_http_prompt_query_not_found(ngx_http_prompt_ctx_t *ctx);


ngx_int_t
ngx_http_prompt_query_find(ngx_http_prompt_ctx_t *ctx)
{
    ngx_http_request_t           *r;
    const prompt_json_t          *persisted;
    ngx_http_prompt_loc_conf_t   *plcf;
    ngx_http_prompt_main_conf_t  *pmcf;

    r = ctx->op.job.request;
    plcf = ngx_http_get_module_loc_conf(r, ngx_http_prompt_module);
    pmcf = ngx_http_get_module_main_conf(r, ngx_http_prompt_module);

    ctx->documents = plcf->documents;
    ctx->persisted = pmcf->persisted;

    persisted = prompt_json_get(ctx->params.extensions,
                                prompt_str("persistedQuery"));

    if (persisted != NULL && persisted->type != PROMPT_JSON_OBJECT) {
        persisted = NULL;
    }

    return ctx->params.query.data != NULL
           ? ngx_http_prompt_query_given(ctx, persisted)
           : ngx_http_prompt_query_named(ctx, persisted);
}


/* persisted: NULL where the request has none */
static ngx_int_t
ngx_http_prompt_query_given(ngx_http_prompt_ctx_t *ctx,
    const prompt_json_t *persisted)
{
    uint8_t       given[PROMPT_SHA256_LEN];
    prompt_str_t  sha256;

    sha256 = prompt_str_absent;

    if (ngx_http_prompt_documents_only(ctx->documents)
        && !ngx_http_prompt_documents_have(ctx->documents,
                                           ctx->params.query))
    {
        return ngx_http_prompt_query_refuse_untrusted(ctx);
    }

    if (persisted == NULL || ctx->persisted == NULL) {
        return NGX_OK;
    }

    if (ngx_http_prompt_query_sha256(ctx, persisted, &sha256) != NGX_OK) {
        return NGX_DONE;
    }

    prompt_sha256(ctx->params.query, ctx->sha256);

    if (ngx_http_prompt_query_unhex(sha256, given) != NGX_OK
        || ngx_memcmp(given, ctx->sha256, PROMPT_SHA256_LEN) != 0)
    {
        return ngx_http_prompt_refuse(ctx, NGX_HTTP_BAD_REQUEST,
                           prompt_str("provided sha does not match query"));
    }

    ctx->keep = 1;

    return NGX_OK;
}


static ngx_int_t
ngx_http_prompt_query_named(ngx_http_prompt_ctx_t *ctx,
    const prompt_json_t *persisted)
{
    prompt_str_t  id, sha256;

    id = ctx->params.document_id;

    if (persisted == NULL && (id.data == NULL || ctx->documents == NULL)) {
        return ngx_http_prompt_refuse(ctx, NGX_HTTP_BAD_REQUEST,
                                   prompt_str("The request has no \"query\"."));
    }

    if (ctx->documents == NULL && ctx->persisted == NULL) {
        return ngx_http_prompt_query_not_found(ctx);
    }

    sha256 = prompt_str_absent;

    if (persisted != NULL) {
        if (ngx_http_prompt_query_sha256(ctx, persisted, &sha256) != NGX_OK) {
            return NGX_DONE;
        }

        ctx->params.query = ngx_http_prompt_documents_find(ctx->documents,
                                                           sha256);
    }

    if (id.data != NULL && ctx->params.query.data == NULL) {
        ctx->params.query = ngx_http_prompt_documents_find(ctx->documents,
                                                           id);
    }

    if (ctx->params.query.data != NULL) {
        return NGX_OK;
    }

    if (persisted == NULL || ngx_http_prompt_documents_only(ctx->documents)) {
        return ngx_http_prompt_query_refuse_untrusted(ctx);
    }

    return ngx_http_prompt_query_kept(ctx, sha256);
}


/* One that a client has left here. */
static ngx_int_t
ngx_http_prompt_query_kept(ngx_http_prompt_ctx_t *ctx, prompt_str_t sha256)
{
    uint8_t    hash[PROMPT_SHA256_LEN];
    ngx_int_t  rc;

    if (ctx->persisted == NULL
        || ngx_http_prompt_query_unhex(sha256, hash) != NGX_OK)
    {
        return ngx_http_prompt_query_not_found(ctx);
    }

    rc = ngx_http_prompt_persisted_find(ctx->persisted, hash,
                                        ctx->op.job.arena,
                                        &ctx->params.query);

    if (rc == NGX_ERROR) {
        ngx_http_finalize_request(ctx->op.job.request,
                                  NGX_HTTP_INTERNAL_SERVER_ERROR);
        return NGX_DONE;
    }

    return rc == NGX_OK ? NGX_OK : ngx_http_prompt_query_not_found(ctx);
}


/* The hash that persistedQuery names; NGX_DONE: it is none, see find. */
static ngx_int_t
ngx_http_prompt_query_sha256(ngx_http_prompt_ctx_t *ctx,
    const prompt_json_t *persisted, prompt_str_t *sha256)
{
    int64_t               number;
    const prompt_json_t  *version, *hash;

    version = prompt_json_get(persisted, prompt_str("version"));

    if (version == NULL
        || version->type != PROMPT_JSON_NUMBER
        || !prompt_json_integer(version, &number)
        || number != NGX_HTTP_PROMPT_QUERY_VERSION)
    {
        return ngx_http_prompt_refuse(ctx, NGX_HTTP_BAD_REQUEST,
                           prompt_str("Unsupported persisted query version"));
    }

    hash = prompt_json_get(persisted, prompt_str("sha256Hash"));

    if (hash == NULL || hash->type != PROMPT_JSON_STRING) {
        return ngx_http_prompt_refuse(ctx, NGX_HTTP_BAD_REQUEST,
                   prompt_str("\"extensions.persistedQuery.sha256Hash\" must "
                              "be a string."));
    }

    *sha256 = hash->text;

    return NGX_OK;
}


static ngx_int_t
ngx_http_prompt_query_unhex(prompt_str_t hex,
    uint8_t bytes[PROMPT_SHA256_LEN])
{
    ngx_int_t   byte;
    ngx_uint_t  i;

    if (hex.len != PROMPT_SHA256_HEX_LEN) {
        return NGX_DECLINED;
    }

    for (i = 0; i < PROMPT_SHA256_LEN; i++) {
        byte = ngx_hextoi((u_char *) hex.data + 2 * i, 2);

        if (byte == NGX_ERROR) {
            return NGX_DECLINED;
        }

        bytes[i] = (uint8_t) byte;
    }

    return NGX_OK;
}


static ngx_int_t
ngx_http_prompt_query_refuse_untrusted(ngx_http_prompt_ctx_t *ctx)
{
    ngx_uint_t  status;

    status = ctx->media == GQL_HTTP_MEDIA_GRAPHQL
             ? NGX_HTTP_BAD_REQUEST : NGX_HTTP_OK;

    return ngx_http_prompt_refuse(ctx, status,
               ngx_http_prompt_documents_only(ctx->documents)
               ? prompt_str("Only trusted documents can be executed here, and "
                            "this is not one of them.")
               : prompt_str("There is no trusted document with this id."));
}


static ngx_int_t
ngx_http_prompt_query_not_found(ngx_http_prompt_ctx_t *ctx)
{
    return ctx->persisted != NULL
           ? ngx_http_prompt_refuse_as(ctx, NGX_HTTP_OK,
                 prompt_str("PERSISTED_QUERY_NOT_FOUND"),
                 prompt_str("PersistedQueryNotFound"))
           : ngx_http_prompt_refuse_as(ctx, NGX_HTTP_OK,
                 prompt_str("PERSISTED_QUERY_NOT_SUPPORTED"),
                 prompt_str("PersistedQueryNotSupported"));
}


void
ngx_http_prompt_query_keep(ngx_http_prompt_ctx_t *ctx)
{
    if (ctx->keep) {
        ngx_http_prompt_persisted_add(ctx->persisted, ctx->sha256,
                                      ctx->params.query);
    }
}
