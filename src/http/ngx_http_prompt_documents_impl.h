/*
 * Inside of trusted documents: what reading them fills and what finding them
 * looks at.
 */

#ifndef NGX_HTTP_PROMPT_DOCUMENTS_IMPL_H
#define NGX_HTTP_PROMPT_DOCUMENTS_IMPL_H

#include "http/ngx_http_prompt_documents.h"


typedef struct {
    prompt_str_t     text;
    ngx_str_t        file;
    prompt_str_t     id;             /* in a manifest; else absent */
} ngx_http_prompt_document_t;


/* something that a document is found by */
typedef struct {
    prompt_str_t     key;
    prompt_str_t     text;
    ngx_str_t        file;
} ngx_http_prompt_document_name_t;


struct ngx_http_prompt_documents_s {
    prompt_arena_t  *arena;
    ngx_array_t      documents;      /* of ngx_http_prompt_document_t */
    ngx_array_t      names;          /* of …_name_t, ascending by key */
    ngx_str_t        conf_file;      /* where the directive stands */
    ngx_uint_t       conf_line;
    unsigned         only:1;
};


/*
 * Reads the file path, or the files in the folder path, into documents; what
 * it appends to names is in no order.  NGX_ERROR: logged.
 */
ngx_int_t ngx_http_prompt_documents_load(ngx_conf_t *cf,
    ngx_http_prompt_documents_t *documents, ngx_str_t *path);

/* without the ends of lines at its end */
prompt_str_t ngx_http_prompt_documents_trim(prompt_str_t text);

#endif /* NGX_HTTP_PROMPT_DOCUMENTS_IMPL_H */
