/*
 * Trusted documents: the directive, checking them for an endpoint, and
 * finding one.  A request only searches a sorted table.
 */

#include "http/ngx_http_prompt_documents_impl.h"

#include <stdlib.h>

#include "conf/ngx_http_prompt_conf.h"


/* memory for the errors of one document */
#define NGX_HTTP_PROMPT_DOCUMENTS_ERRORS  (64 * 1024 * 1024)


static ngx_int_t ngx_http_prompt_documents_arguments(ngx_conf_t *cf);
static ngx_http_prompt_documents_t *ngx_http_prompt_documents_create(
    ngx_conf_t *cf);
static void ngx_http_prompt_documents_destroy(void *data);
static ngx_int_t ngx_http_prompt_documents_index(ngx_conf_t *cf,
    ngx_http_prompt_documents_t *documents);
static void ngx_http_prompt_documents_complain(ngx_conf_t *cf,
    const ngx_http_prompt_documents_t *documents,
    const ngx_http_prompt_document_t *document, const gql_errors_t *errors);
static ngx_uint_t ngx_http_prompt_documents_same(prompt_str_t a,
    prompt_str_t b);
static const ngx_http_prompt_document_name_t *ngx_http_prompt_documents_search(
    const ngx_http_prompt_documents_t *documents, prompt_str_t key);
static int ngx_libc_cdecl ngx_http_prompt_documents_cmp_names(const void *one,
    const void *two);


char *
ngx_http_prompt_documents_read(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_prompt_loc_conf_t  *plcf = conf;

    ngx_str_t                    *value, path;
    ngx_http_prompt_documents_t  *documents;

    if (plcf->documents != NGX_CONF_UNSET_PTR) {
        return "is duplicate";
    }

    value = cf->args->elts;

    if (ngx_strcmp(value[1].data, "off") == 0 && cf->args->nelts == 2) {
        plcf->documents = NULL;
        return NGX_CONF_OK;
    }

    if (ngx_http_prompt_documents_arguments(cf) != NGX_OK) {
        return NGX_CONF_ERROR;
    }

    documents = ngx_http_prompt_documents_create(cf);
    if (documents == NULL) {
        return NGX_CONF_ERROR;
    }

    documents->only = (cf->args->nelts == 3);
    path = value[1];

    if (ngx_conf_full_name(cf->cycle, &path, 1) != NGX_OK
        || ngx_http_prompt_documents_load(cf, documents, &path) != NGX_OK
        || ngx_http_prompt_documents_index(cf, documents) != NGX_OK)
    {
        return NGX_CONF_ERROR;
    }

    if (documents->documents.nelts == 0) {
        return ngx_http_prompt_conf_wrong(cf,
                   "\"%V\" of \"prompt_documents\" contains no documents: put "
                   "*.graphql, *.gql or *.json there", &path);
    }

    plcf->documents = documents;

    return NGX_CONF_OK;
}


/* A folder or file, and perhaps "only"; NGX_ERROR: logged */
static ngx_int_t
ngx_http_prompt_documents_arguments(ngx_conf_t *cf)
{
    ngx_str_t  *value;

    value = cf->args->elts;

    if (ngx_strcmp(value[1].data, "off") == 0) {
        return ngx_http_prompt_conf_error(cf,
                   "\"prompt_documents off\" takes no parameter: write a "
                   "folder or file instead of \"off\", or \"off\" alone");
    }

    if (cf->args->nelts == 3 && ngx_strcmp(value[2].data, "only") != 0) {
        return ngx_http_prompt_conf_error(cf,
                   "invalid parameter \"%V\" of \"prompt_documents\": it takes "
                   "a folder or file, and \"only\"", &value[2]);
    }

    if (value[1].len == 0) {
        return ngx_http_prompt_conf_error(cf,
                   "\"prompt_documents\" names no folder or file: write for "
                   "example \"documents\", or \"off\"");
    }

    return NGX_OK;
}


static ngx_http_prompt_documents_t *
ngx_http_prompt_documents_create(ngx_conf_t *cf)
{
    ngx_pool_cleanup_t           *cln;
    ngx_http_prompt_documents_t  *documents;

    documents = ngx_pcalloc(cf->pool, sizeof(ngx_http_prompt_documents_t));
    if (documents == NULL) {
        return NULL;
    }

    documents->conf_file = cf->conf_file->file.name;
    documents->conf_line = cf->conf_file->line;

    if (ngx_array_init(&documents->documents, cf->pool, 16,
                       sizeof(ngx_http_prompt_document_t))
        != NGX_OK
        || ngx_array_init(&documents->names, cf->pool, 64,
                          sizeof(ngx_http_prompt_document_name_t))
           != NGX_OK)
    {
        return NULL;
    }

    cln = ngx_pool_cleanup_add(cf->pool, 0);
    if (cln == NULL) {
        return NULL;
    }

    documents->arena = prompt_arena_create(NGX_HTTP_PROMPT_DOCUMENTS_MEMORY);
    if (documents->arena == NULL) {
        return NULL;
    }

    cln->handler = ngx_http_prompt_documents_destroy;
    cln->data = documents->arena;

    return documents;
}


static void
ngx_http_prompt_documents_destroy(void *data)
{
    prompt_arena_destroy(data);
}


/* Sorts the names.  One may come twice, as long as it means the same text. */
static ngx_int_t
ngx_http_prompt_documents_index(ngx_conf_t *cf,
    ngx_http_prompt_documents_t *documents)
{
    ngx_uint_t                        i;
    ngx_http_prompt_document_name_t  *name;

    name = documents->names.elts;

    ngx_qsort(name, documents->names.nelts,
              sizeof(ngx_http_prompt_document_name_t),
              ngx_http_prompt_documents_cmp_names);

    for (i = 1; i < documents->names.nelts; i++) {

        if (prompt_str_eq(name[i].key, name[i - 1].key)
            && !ngx_http_prompt_documents_same(name[i].text, name[i - 1].text))
        {
            return ngx_http_prompt_conf_error(cf,
                       "the id \"%*s\" names two documents, in \"%V\" and "
                       "\"%V\"", name[i].key.len, name[i].key.data,
                       &name[i - 1].file, &name[i].file);
        }
    }

    return NGX_OK;
}


ngx_int_t
ngx_http_prompt_documents_check(ngx_conf_t *cf,
    const ngx_http_prompt_documents_t *documents, const gql_schema_t *schema,
    const gql_limits_t *limits)
{
    ngx_int_t                          rc;
    ngx_uint_t                         i;
    gql_engine_t                      *engine;
    gql_errors_t                       errors;
    gql_prepared_t                    *prepared;
    prompt_arena_t                    *arena;
    const ngx_http_prompt_document_t  *document;

    engine = gql_engine_create(schema, 1, 0, NULL, NULL);
    if (engine == NULL) {
        return NGX_ERROR;
    }

    rc = NGX_OK;
    document = documents->documents.elts;

    for (i = 0; rc == NGX_OK && i < documents->documents.nelts; i++) {

        arena = prompt_arena_create(NGX_HTTP_PROMPT_DOCUMENTS_ERRORS);
        if (arena == NULL) {
            rc = NGX_ERROR;
            break;
        }

        gql_errors_init(&errors, arena, document[i].text, 0);

        prepared = gql_prepare(engine, limits, document[i].text, &errors);

        if (prepared == NULL) {
            ngx_http_prompt_documents_complain(cf, documents, &document[i],
                                               &errors);
            rc = NGX_ERROR;
        }

        gql_prepared_release(prepared);
        prompt_arena_destroy(arena);
    }

    gql_engine_destroy(engine);

    return rc;
}


static void
ngx_http_prompt_documents_complain(ngx_conf_t *cf,
    const ngx_http_prompt_documents_t *documents,
    const ngx_http_prompt_document_t *document, const gql_errors_t *errors)
{
    u_char              *p, *last;
    prompt_str_t         message;
    const gql_error_t   *error;
    u_char               place[NGX_MAX_CONF_ERRSTR];

    error = errors->first;
    message = error != NULL ? error->message
                            : prompt_str("it needs too much memory");

    last = place + sizeof(place);
    p = ngx_slprintf(place, last, "%V", &document->file);

    if (error != NULL && error->nlocations != 0) {
        p = document->id.data == NULL
            ? ngx_slprintf(p, last, ":%uD:%uD", error->locations[0].line,
                           error->locations[0].column)
            : ngx_slprintf(p, last, ", document \"%*s\", line %uD, column %uD",
                           document->id.len, document->id.data,
                           error->locations[0].line,
                           error->locations[0].column);

    } else if (document->id.data != NULL) {
        p = ngx_slprintf(p, last, ", document \"%*s\"", document->id.len,
                         document->id.data);
    }

    ngx_log_error(NGX_LOG_EMERG, cf->log, 0,
                  "%*s in %*s, for \"prompt_documents\" in %V:%ui",
                  ngx_min(message.len, 512), message.data,
                  (size_t) (p - place), place,
                  &documents->conf_file, documents->conf_line);
}


ngx_uint_t
ngx_http_prompt_documents_only(const ngx_http_prompt_documents_t *documents)
{
    return documents != NULL && documents->only;
}


prompt_str_t
ngx_http_prompt_documents_find(const ngx_http_prompt_documents_t *documents,
    prompt_str_t id)
{
    const ngx_http_prompt_document_name_t  *name;

    static const prompt_str_t  sha256 = prompt_str_init("sha256:");

    if (documents == NULL) {
        return prompt_str_absent;
    }

    name = ngx_http_prompt_documents_search(documents, id);

    if (name == NULL
        && id.len == sha256.len + PROMPT_SHA256_HEX_LEN
        && ngx_memcmp(id.data, sha256.data, sha256.len) == 0)
    {
        id.data += sha256.len;
        id.len -= sha256.len;

        name = ngx_http_prompt_documents_search(documents, id);
    }

    return name != NULL ? name->text : prompt_str_absent;
}


ngx_uint_t
ngx_http_prompt_documents_have(const ngx_http_prompt_documents_t *documents,
    prompt_str_t text)
{
    char                                    hex[PROMPT_SHA256_HEX_LEN];
    const ngx_http_prompt_document_name_t  *name;

    prompt_sha256_hex(text, hex);

    name = ngx_http_prompt_documents_search(documents,
                                prompt_str_of(hex, PROMPT_SHA256_HEX_LEN));

    /* an id may look like a hash and be none */

    return name != NULL && ngx_http_prompt_documents_same(name->text, text);
}


static const ngx_http_prompt_document_name_t *
ngx_http_prompt_documents_search(const ngx_http_prompt_documents_t *documents,
    prompt_str_t key)
{
    ngx_http_prompt_document_name_t  name;

    ngx_memzero(&name, sizeof(ngx_http_prompt_document_name_t));
    name.key = key;

    return bsearch(&name, documents->names.elts, documents->names.nelts,
                   sizeof(ngx_http_prompt_document_name_t),
                   ngx_http_prompt_documents_cmp_names);
}


/* but for the end of the last line */
static ngx_uint_t
ngx_http_prompt_documents_same(prompt_str_t a, prompt_str_t b)
{
    return prompt_str_eq(ngx_http_prompt_documents_trim(a),
                         ngx_http_prompt_documents_trim(b));
}


prompt_str_t
ngx_http_prompt_documents_trim(prompt_str_t text)
{
    while (text.len != 0 && (text.data[text.len - 1] == '\n'
                             || text.data[text.len - 1] == '\r'))
    {
        text.len--;
    }

    return text;
}


static int ngx_libc_cdecl
ngx_http_prompt_documents_cmp_names(const void *one, const void *two)
{
    const ngx_http_prompt_document_name_t  *a = one;
    const ngx_http_prompt_document_name_t  *b = two;

    return prompt_str_cmp(a->key, b->key);
}
