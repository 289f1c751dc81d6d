/*
 * Trusted documents: reading and checking them, and finding one.
 *
 * The configuration is read by one process without haste: files are read at
 * once and in the order of their names, so that the same fault always gives
 * the same message.  A request only searches a sorted table.
 */

#include "http/ngx_http_prompt_documents.h"

#include "base/json.h"
#include "base/utf8.h"
#include "http/ngx_http_prompt_conf.h"


/* nesting of a manifest: its form has 3 */
#define NGX_HTTP_PROMPT_DOCUMENTS_DEPTH   16

/* memory for the errors of one document */
#define NGX_HTTP_PROMPT_DOCUMENTS_ERRORS  (64 * 1024 * 1024)


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


static ngx_http_prompt_documents_t *ngx_http_prompt_documents_create(
    ngx_conf_t *cf);
static void ngx_http_prompt_documents_destroy(void *data);
static ngx_int_t ngx_http_prompt_documents_folder(ngx_conf_t *cf,
    ngx_http_prompt_documents_t *documents, ngx_str_t *path);
static ngx_int_t ngx_http_prompt_documents_file(ngx_conf_t *cf,
    ngx_http_prompt_documents_t *documents, ngx_str_t *file);
static ngx_int_t ngx_http_prompt_documents_text(ngx_conf_t *cf,
    ngx_http_prompt_documents_t *documents, ngx_str_t *file,
    prompt_str_t *text);
static ngx_int_t ngx_http_prompt_documents_manifest(ngx_conf_t *cf,
    ngx_http_prompt_documents_t *documents, ngx_str_t *file,
    prompt_str_t text);
static ngx_int_t ngx_http_prompt_documents_member(ngx_conf_t *cf,
    ngx_http_prompt_documents_t *documents, ngx_str_t *file,
    const prompt_json_t *id, const prompt_json_t *body);
static ngx_int_t ngx_http_prompt_documents_add(ngx_conf_t *cf,
    ngx_http_prompt_documents_t *documents, ngx_str_t *file, prompt_str_t id,
    prompt_str_t text, ngx_uint_t manifest);
static ngx_int_t ngx_http_prompt_documents_hash(
    ngx_http_prompt_documents_t *documents, ngx_str_t *file,
    prompt_str_t text);
static ngx_int_t ngx_http_prompt_documents_name(
    ngx_http_prompt_documents_t *documents, ngx_str_t *file, prompt_str_t key,
    prompt_str_t text);
static ngx_int_t ngx_http_prompt_documents_index(ngx_conf_t *cf,
    ngx_http_prompt_documents_t *documents);
static void ngx_http_prompt_documents_complain(ngx_conf_t *cf,
    const ngx_http_prompt_documents_t *documents,
    const ngx_http_prompt_document_t *document, const gql_errors_t *errors);
static ngx_uint_t ngx_http_prompt_documents_same(prompt_str_t a,
    prompt_str_t b);
static prompt_str_t ngx_http_prompt_documents_trim(prompt_str_t text);
static ngx_uint_t ngx_http_prompt_documents_ending(ngx_str_t *file,
    const char *ending);
static const ngx_http_prompt_document_name_t *ngx_http_prompt_documents_search(
    const ngx_http_prompt_documents_t *documents, prompt_str_t key);
static int ngx_libc_cdecl ngx_http_prompt_documents_cmp_files(const void *one,
    const void *two);
static int ngx_libc_cdecl ngx_http_prompt_documents_cmp_names(const void *one,
    const void *two);


char *
ngx_http_prompt_documents_read(ngx_conf_t *cf, ngx_command_t *cmd, void *conf)
{
    ngx_http_prompt_loc_conf_t  *plcf = conf;

    ngx_int_t                     rc;
    ngx_str_t                    *value, path;
    ngx_file_info_t               fi;
    ngx_http_prompt_documents_t  *documents;

    (void) cmd;

    if (plcf->documents != NGX_CONF_UNSET_PTR) {
        return "is duplicate";
    }

    value = cf->args->elts;

    if (cf->args->nelts == 2 && ngx_strcmp(value[1].data, "off") == 0) {
        plcf->documents = NULL;
        return NGX_CONF_OK;
    }

    documents = ngx_http_prompt_documents_create(cf);
    if (documents == NULL) {
        return NGX_CONF_ERROR;
    }

    if (cf->args->nelts == 3) {

        if (ngx_strcmp(value[2].data, "only") != 0) {
            ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                               "invalid parameter \"%V\": prompt_documents "
                               "takes a folder or file, and \"only\"",
                               &value[2]);
            return NGX_CONF_ERROR;
        }

        documents->only = 1;
    }

    path = value[1];

    if (ngx_conf_full_name(cf->cycle, &path, 1) != NGX_OK) {
        return NGX_CONF_ERROR;
    }

    if (ngx_file_info(path.data, &fi) == NGX_FILE_ERROR) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, ngx_errno,
                           ngx_file_info_n " \"%V\" failed", &path);
        return NGX_CONF_ERROR;
    }

    if (ngx_is_dir(&fi)) {
        rc = ngx_http_prompt_documents_folder(cf, documents, &path);

    } else {
        rc = ngx_http_prompt_documents_file(cf, documents, &path);
    }

    if (rc != NGX_OK
        || ngx_http_prompt_documents_index(cf, documents) != NGX_OK)
    {
        return NGX_CONF_ERROR;
    }

    if (documents->documents.nelts == 0) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "\"%V\" has no document: put *.graphql, *.gql or "
                           "*.json there", &path);
        return NGX_CONF_ERROR;
    }

    plcf->documents = documents;

    return NGX_CONF_OK;
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


/* What has another ending, or begins with a point, is not ours. */

static ngx_int_t
ngx_http_prompt_documents_folder(ngx_conf_t *cf,
    ngx_http_prompt_documents_t *documents, ngx_str_t *path)
{
    u_char       *p;
    size_t        len;
    ngx_dir_t     dir;
    ngx_err_t     err;
    ngx_int_t     rc;
    ngx_str_t    *file;
    ngx_uint_t    i;
    ngx_array_t   files;

    if (ngx_array_init(&files, cf->temp_pool, 16, sizeof(ngx_str_t))
        != NGX_OK)
    {
        return NGX_ERROR;
    }

    if (ngx_open_dir(path, &dir) == NGX_ERROR) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, ngx_errno,
                           ngx_open_dir_n " \"%V\" failed", path);
        return NGX_ERROR;
    }

    rc = NGX_OK;

    for ( ;; ) {
        ngx_set_errno(0);

        if (ngx_read_dir(&dir) == NGX_ERROR) {
            err = ngx_errno;

            if (err != NGX_ENOMOREFILES) {
                ngx_conf_log_error(NGX_LOG_EMERG, cf, err,
                                   ngx_read_dir_n " \"%V\" failed", path);
                rc = NGX_ERROR;
            }

            break;
        }

        if (ngx_de_name(&dir)[0] == '.') {
            continue;
        }

        len = ngx_de_namelen(&dir);
        file = ngx_array_push(&files);
        p = ngx_pnalloc(cf->pool, path->len + 1 + len + 1);

        if (file == NULL || p == NULL) {
            rc = NGX_ERROR;
            break;
        }

        file->data = p;
        p = ngx_cpymem(p, path->data, path->len);

        if (path->data[path->len - 1] != '/') {
            *p++ = '/';
        }

        p = ngx_cpymem(p, ngx_de_name(&dir), len);
        *p = '\0';

        file->len = p - file->data;

        if (!ngx_http_prompt_documents_ending(file, ".graphql")
            && !ngx_http_prompt_documents_ending(file, ".gql")
            && !ngx_http_prompt_documents_ending(file, ".json"))
        {
            files.nelts--;
        }
    }

    if (ngx_close_dir(&dir) == NGX_ERROR) {
        ngx_conf_log_error(NGX_LOG_WARN, cf, ngx_errno,
                           ngx_close_dir_n " \"%V\" failed", path);
    }

    file = files.elts;
    ngx_qsort(file, files.nelts, sizeof(ngx_str_t),
              ngx_http_prompt_documents_cmp_files);

    for (i = 0; rc == NGX_OK && i < files.nelts; i++) {
        rc = ngx_http_prompt_documents_file(cf, documents, &file[i]);
    }

    return rc;
}


static ngx_int_t
ngx_http_prompt_documents_file(ngx_conf_t *cf,
    ngx_http_prompt_documents_t *documents, ngx_str_t *file)
{
    size_t         i;
    ngx_str_t      name;
    prompt_str_t   text;

    if (ngx_http_prompt_documents_text(cf, documents, file, &text) != NGX_OK) {
        return NGX_ERROR;
    }

    if (ngx_http_prompt_documents_ending(file, ".json")) {
        return ngx_http_prompt_documents_manifest(cf, documents, file, text);
    }

    name = *file;

    if (ngx_http_prompt_documents_ending(file, ".graphql")) {
        name.len -= sizeof(".graphql") - 1;

    } else if (ngx_http_prompt_documents_ending(file, ".gql")) {
        name.len -= sizeof(".gql") - 1;
    }

    for (i = name.len; i > 0 && name.data[i - 1] != '/'; i--) { /* void */ }

    if (!prompt_utf8_valid(text)) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0, "\"%V\" is not UTF-8", file);
        return NGX_ERROR;
    }

    return ngx_http_prompt_documents_add(cf, documents, file,
                                prompt_str_of((char *) name.data + i,
                                              name.len - i),
                                text, 0);
}


static ngx_int_t
ngx_http_prompt_documents_text(ngx_conf_t *cf,
    ngx_http_prompt_documents_t *documents, ngx_str_t *file,
    prompt_str_t *text)
{
    char             *data;
    off_t             size;
    ssize_t           n;
    ngx_fd_t          fd;
    ngx_int_t         rc;
    ngx_file_info_t   fi;

    fd = ngx_open_file(file->data, NGX_FILE_RDONLY|NGX_FILE_NONBLOCK,
                       NGX_FILE_OPEN, 0);

    if (fd == NGX_INVALID_FILE) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, ngx_errno,
                           ngx_open_file_n " \"%V\" failed", file);
        return NGX_ERROR;
    }

    rc = NGX_ERROR;

    if (ngx_fd_info(fd, &fi) == NGX_FILE_ERROR) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, ngx_errno,
                           ngx_fd_info_n " \"%V\" failed", file);
        goto done;
    }

    size = ngx_file_size(&fi);

    if (!ngx_is_file(&fi) || size > NGX_HTTP_PROMPT_DOCUMENTS_FILE) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "\"%V\" is no file of at most %d MiB", file,
                           NGX_HTTP_PROMPT_DOCUMENTS_FILE / 1024 / 1024);
        goto done;
    }

    data = prompt_arena_alloc(documents->arena, (size_t) size);
    if (data == NULL) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "\"%V\" does not fit: prompt_documents reads at "
                           "most %d MiB", file,
                           NGX_HTTP_PROMPT_DOCUMENTS_MEMORY / 1024 / 1024);
        goto done;
    }

    n = ngx_read_fd(fd, data, (size_t) size);

    if (n != (ssize_t) size) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, n == -1 ? ngx_errno : 0,
                           ngx_read_fd_n " \"%V\" did not give all of it",
                           file);
        goto done;
    }

    *text = prompt_str_of(data, (size_t) size);
    rc = NGX_OK;

done:

    if (ngx_close_file(fd) == NGX_FILE_ERROR) {
        ngx_conf_log_error(NGX_LOG_WARN, cf, ngx_errno,
                           ngx_close_file_n " \"%V\" failed", file);
    }

    return rc;
}


static ngx_int_t
ngx_http_prompt_documents_manifest(ngx_conf_t *cf,
    ngx_http_prompt_documents_t *documents, ngx_str_t *file,
    prompt_str_t text)
{
    ngx_int_t             rc;
    unsigned              line, column;
    prompt_json_t        *manifest, *operations, *member;
    prompt_json_error_t   error;

    manifest = prompt_json_read(documents->arena, text,
                                NGX_HTTP_PROMPT_DOCUMENTS_DEPTH, &error);

    if (manifest == NULL) {
        prompt_json_position(text, error.offset, &line, &column);

        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "%s in %V:%ud:%ud", error.message, file, line,
                           column);
        return NGX_ERROR;
    }

    if (manifest->type != PROMPT_JSON_OBJECT) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "\"%V\" is no manifest: it must be a JSON object",
                           file);
        return NGX_ERROR;
    }

    rc = NGX_OK;
    operations = prompt_json_get(manifest, prompt_str("operations"));

    if (operations == NULL || operations->type != PROMPT_JSON_ARRAY) {

        for (member = manifest->first;
             rc == NGX_OK && member != NULL;
             member = member->next)
        {
            rc = ngx_http_prompt_documents_member(cf, documents, file, NULL,
                                                  member);
        }

        return rc;
    }

    for (member = operations->first;
         rc == NGX_OK && member != NULL;
         member = member->next)
    {
        rc = ngx_http_prompt_documents_member(cf, documents, file,
                                 prompt_json_get(member, prompt_str("id")),
                                 prompt_json_get(member, prompt_str("body")));
    }

    return rc;
}


/* id: NULL where body is the member of that name */

static ngx_int_t
ngx_http_prompt_documents_member(ngx_conf_t *cf,
    ngx_http_prompt_documents_t *documents, ngx_str_t *file,
    const prompt_json_t *id, const prompt_json_t *body)
{
    prompt_str_t  name;

    name = prompt_str_absent;

    if (id != NULL && id->type == PROMPT_JSON_STRING) {
        name = id->text;

    } else if (id == NULL && body != NULL) {
        name = body->name;
    }

    if (name.len == 0 || body == NULL || body->type != PROMPT_JSON_STRING) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                           "\"%V\" is no manifest of documents: it must be "
                           "{\"operations\": [{\"id\": ID, \"body\": "
                           "DOCUMENT}, ...]} or {ID: DOCUMENT, ...}, all of "
                           "them strings", file);
        return NGX_ERROR;
    }

    return ngx_http_prompt_documents_add(cf, documents, file, name,
                                         body->text, 1);
}


static ngx_int_t
ngx_http_prompt_documents_add(ngx_conf_t *cf,
    ngx_http_prompt_documents_t *documents, ngx_str_t *file, prompt_str_t id,
    prompt_str_t text, ngx_uint_t manifest)
{
    prompt_str_t                 trimmed;
    ngx_http_prompt_document_t  *document;

    document = ngx_array_push(&documents->documents);

    if (document == NULL
        || ngx_http_prompt_documents_name(documents, file, id, text) != NGX_OK
        || ngx_http_prompt_documents_hash(documents, file, text) != NGX_OK)
    {
        goto failed;
    }

    document->text = text;
    document->file = *file;
    document->id = manifest ? id : prompt_str_absent;

    /* an editor ends a file's last line, what clients hash has no such end */

    trimmed = ngx_http_prompt_documents_trim(text);

    if (trimmed.len == text.len
        || ngx_http_prompt_documents_hash(documents, file, trimmed) == NGX_OK)
    {
        return NGX_OK;
    }

failed:

    ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                       "there is no memory for the documents of \"%V\"", file);

    return NGX_ERROR;
}


static ngx_int_t
ngx_http_prompt_documents_hash(ngx_http_prompt_documents_t *documents,
    ngx_str_t *file, prompt_str_t text)
{
    char  *hex;

    hex = prompt_arena_alloc(documents->arena, PROMPT_SHA256_HEX_LEN);
    if (hex == NULL) {
        return NGX_ERROR;
    }

    prompt_sha256_hex(text, hex);

    return ngx_http_prompt_documents_name(documents, file,
                                prompt_str_of(hex, PROMPT_SHA256_HEX_LEN),
                                text);
}


static ngx_int_t
ngx_http_prompt_documents_name(ngx_http_prompt_documents_t *documents,
    ngx_str_t *file, prompt_str_t key, prompt_str_t text)
{
    ngx_http_prompt_document_name_t  *name;

    name = ngx_array_push(&documents->names);
    if (name == NULL) {
        return NGX_ERROR;
    }

    name->key = key;
    name->text = text;
    name->file = *file;

    return NGX_OK;
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
            ngx_conf_log_error(NGX_LOG_EMERG, cf, 0,
                               "the id \"%*s\" stands for two documents, in "
                               "\"%V\" and \"%V\"", name[i].key.len,
                               name[i].key.data, &name[i - 1].file,
                               &name[i].file);
            return NGX_ERROR;
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
    int                                     rc;
    ngx_uint_t                              first, end, i;
    const ngx_http_prompt_document_name_t  *name;

    name = documents->names.elts;
    first = 0;
    end = documents->names.nelts;

    while (first < end) {
        i = first + (end - first) / 2;
        rc = prompt_str_cmp(key, name[i].key);

        if (rc == 0) {
            return &name[i];
        }

        if (rc < 0) {
            end = i;

        } else {
            first = i + 1;
        }
    }

    return NULL;
}


/* but for the end of the last line */

static ngx_uint_t
ngx_http_prompt_documents_same(prompt_str_t a, prompt_str_t b)
{
    return prompt_str_eq(ngx_http_prompt_documents_trim(a),
                         ngx_http_prompt_documents_trim(b));
}


static prompt_str_t
ngx_http_prompt_documents_trim(prompt_str_t text)
{
    while (text.len != 0 && (text.data[text.len - 1] == '\n'
                             || text.data[text.len - 1] == '\r'))
    {
        text.len--;
    }

    return text;
}


static ngx_uint_t
ngx_http_prompt_documents_ending(ngx_str_t *file, const char *ending)
{
    size_t  len;

    len = ngx_strlen(ending);

    return file->len > len
           && ngx_strncmp(file->data + file->len - len, ending, len) == 0;
}


static int ngx_libc_cdecl
ngx_http_prompt_documents_cmp_files(const void *one, const void *two)
{
    const ngx_str_t  *a = one;
    const ngx_str_t  *b = two;

    return prompt_str_cmp(prompt_str_of((char *) a->data, a->len),
                          prompt_str_of((char *) b->data, b->len));
}


static int ngx_libc_cdecl
ngx_http_prompt_documents_cmp_names(const void *one, const void *two)
{
    const ngx_http_prompt_document_name_t  *a = one;
    const ngx_http_prompt_document_name_t  *b = two;

    return prompt_str_cmp(a->key, b->key);
}
