/*
 * Which document a request means: the one it brings, or one that it names.
 *
 *   query                         that text
 *   query and persistedQuery      that text, and it is to be kept for others
 *   persistedQuery                a trusted document, else one that is kept
 *   documentId, id                a trusted document
 *
 * persistedQuery is a member of "extensions" in Apollo's protocol for
 * automatic persisted queries, version 1.
 */

#ifndef NGX_HTTP_PROMPT_QUERY_H
#define NGX_HTTP_PROMPT_QUERY_H

#include "http/ngx_http_prompt_request.h"


/*
 * NGX_OK: params.query is the document's text, which this location may
 * execute as far as trust goes.  NGX_DONE: there is none; the request has got
 * its answer and is finalized.
 */
ngx_int_t ngx_http_prompt_query_find(ngx_http_prompt_ctx_t *ctx);

/*
 * The document is sound and the caller may execute it: it is kept where the
 * client asked for that.  What never gets so far does not fill the store.
 */
void ngx_http_prompt_query_keep(ngx_http_prompt_ctx_t *ctx);

#endif /* NGX_HTTP_PROMPT_QUERY_H */
