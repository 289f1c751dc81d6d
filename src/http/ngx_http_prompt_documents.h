/*
 * Trusted documents: the documents that an operator lets clients execute, by
 * name, or no others at all.
 *
 * They are read with the configuration, from files with one document each
 * (*.graphql, *.gql), which clients name by the file's name without its
 * ending, and from manifests (*.json) of Apollo's form
 *
 *     { "format": "apollo-persisted-query-manifest", "version": 1,
 *       "operations": [ { "id": ID, "body": DOCUMENT, … }, … ] }
 *
 * or of Relay's and others',
 *
 *     { ID: DOCUMENT, … }
 *
 * Whatever its ID, a document can be named by the SHA-256 of its text, too.
 */

#ifndef NGX_HTTP_PROMPT_DOCUMENTS_H
#define NGX_HTTP_PROMPT_DOCUMENTS_H

#include <ngx_config.h>
#include <ngx_core.h>
#include <ngx_http.h>

#include "base/arena.h"
#include "base/sha256.h"
#include "graphql/engine.h"


/* bytes of one file, and of all that one directive reads */
#define NGX_HTTP_PROMPT_DOCUMENTS_FILE    (16 * 1024 * 1024)
#define NGX_HTTP_PROMPT_DOCUMENTS_MEMORY  (256 * 1024 * 1024)


/* what one prompt_documents has read; lives as long as the configuration */
typedef struct ngx_http_prompt_documents_s  ngx_http_prompt_documents_t;


/* prompt_documents PATH [only] | off; */
char *ngx_http_prompt_documents_read(ngx_conf_t *cf, ngx_command_t *cmd,
    void *conf);

/*
 * For the configuration of an endpoint: parses and validates all documents
 * under its limits.  NGX_ERROR: one of them cannot be executed (logged, with
 * file, line and column), or memory is short.
 */
ngx_int_t ngx_http_prompt_documents_check(ngx_conf_t *cf,
    const ngx_http_prompt_documents_t *documents, const gql_schema_t *schema,
    const gql_limits_t *limits);

/* no document but these may be executed */
ngx_uint_t ngx_http_prompt_documents_only(
    const ngx_http_prompt_documents_t *documents);

/*
 * The document of that id, or of that SHA-256 in hexadecimal digits, which
 * may follow "sha256:"; absent where there is none.
 */
prompt_str_t ngx_http_prompt_documents_find(
    const ngx_http_prompt_documents_t *documents, prompt_str_t id);

/* whether a document has this text */
ngx_uint_t ngx_http_prompt_documents_have(
    const ngx_http_prompt_documents_t *documents, prompt_str_t text);

#endif /* NGX_HTTP_PROMPT_DOCUMENTS_H */
