/*
 * Trusted documents: reading them from files.
 *
 * The configuration is read by one process without haste: files are read at
 * once and in the order of their names, so that the same fault always gives
 * the same message.
 */

#include "http/ngx_http_prompt_documents_impl.h"

#include "base/json.h"
#include "base/utf8.h"
#include "conf/ngx_http_prompt_conf_file.h"
#include "conf/ngx_http_prompt_parameters.h"


/* nesting of a manifest: its form has 3 */
#define NGX_HTTP_PROMPT_DOCUMENTS_DEPTH  16


static ngx_int_t ngx_http_prompt_documents_folder(ngx_conf_t *cf,
    ngx_http_prompt_documents_t *documents, ngx_str_t *path);
static ngx_int_t ngx_http_prompt_documents_list(ngx_conf_t *cf,
    ngx_str_t *path, ngx_dir_t *dir, ngx_array_t *files);
static ngx_int_t ngx_http_prompt_documents_entry(ngx_conf_t *cf,
    ngx_str_t *path, ngx_dir_t *dir, ngx_array_t *files);
static ngx_int_t ngx_http_prompt_documents_file(ngx_conf_t *cf,
    ngx_http_prompt_documents_t *documents, ngx_str_t *file);
static ngx_int_t ngx_http_prompt_documents_manifest(ngx_conf_t *cf,
    ngx_http_prompt_documents_t *documents, ngx_str_t *file,
    prompt_str_t text);
static ngx_int_t ngx_http_prompt_documents_member(ngx_conf_t *cf,
    ngx_http_prompt_documents_t *documents, ngx_str_t *file, prompt_str_t id,
    const prompt_json_t *body);
static ngx_int_t ngx_http_prompt_documents_add(ngx_conf_t *cf,
    ngx_http_prompt_documents_t *documents, ngx_str_t *file, prompt_str_t id,
    prompt_str_t text, ngx_uint_t manifest);
static ngx_int_t ngx_http_prompt_documents_hash(
    ngx_http_prompt_documents_t *documents, ngx_str_t *file,
    prompt_str_t text);
static ngx_int_t ngx_http_prompt_documents_name(
    ngx_http_prompt_documents_t *documents, ngx_str_t *file, prompt_str_t key,
    prompt_str_t text);
static ngx_uint_t ngx_http_prompt_documents_ending(ngx_str_t *file,
    const char *ending);
static int ngx_libc_cdecl ngx_http_prompt_documents_cmp_files(const void *one,
    const void *two);


ngx_int_t
ngx_http_prompt_documents_load(ngx_conf_t *cf,
    ngx_http_prompt_documents_t *documents, ngx_str_t *path)
{
    ngx_file_info_t  fi;

    if (ngx_file_info(path->data, &fi) == NGX_FILE_ERROR) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, ngx_errno,
                           ngx_file_info_n " \"%V\" failed, for "
                           "\"prompt_documents\": write a folder or file, "
                           "absolute or relative to nginx.conf, or \"off\"",
                           path);
        return NGX_ERROR;
    }

    return ngx_is_dir(&fi)
           ? ngx_http_prompt_documents_folder(cf, documents, path)
           : ngx_http_prompt_documents_file(cf, documents, path);
}


static ngx_int_t
ngx_http_prompt_documents_folder(ngx_conf_t *cf,
    ngx_http_prompt_documents_t *documents, ngx_str_t *path)
{
    ngx_dir_t     dir;
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

    rc = ngx_http_prompt_documents_list(cf, path, &dir, &files);

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


/* Appends the files of a folder.  What begins with a point is not ours. */
static ngx_int_t
ngx_http_prompt_documents_list(ngx_conf_t *cf, ngx_str_t *path,
    ngx_dir_t *dir, ngx_array_t *files)
{
    ngx_err_t  err;

    for ( ;; ) {
        ngx_set_errno(0);

        if (ngx_read_dir(dir) == NGX_ERROR) {
            err = ngx_errno;

            if (err == NGX_ENOMOREFILES) {
                return NGX_OK;
            }

            ngx_conf_log_error(NGX_LOG_EMERG, cf, err,
                               ngx_read_dir_n " \"%V\" failed", path);
            return NGX_ERROR;
        }

        if (ngx_de_name(dir)[0] != '.'
            && ngx_http_prompt_documents_entry(cf, path, dir, files) != NGX_OK)
        {
            return NGX_ERROR;
        }
    }
}


/* What has another ending is not ours either. */
static ngx_int_t
ngx_http_prompt_documents_entry(ngx_conf_t *cf, ngx_str_t *path,
    ngx_dir_t *dir, ngx_array_t *files)
{
    u_char     *p;
    size_t      len;
    ngx_str_t  *file;

    len = ngx_de_namelen(dir);
    file = ngx_array_push(files);
    p = ngx_pnalloc(cf->pool, path->len + 1 + len + 1);

    if (file == NULL || p == NULL) {
        return NGX_ERROR;
    }

    file->data = p;
    p = ngx_cpymem(p, path->data, path->len);

    if (path->data[path->len - 1] != '/') {
        *p++ = '/';
    }

    p = ngx_cpymem(p, ngx_de_name(dir), len);
    *p = '\0';

    file->len = p - file->data;

    if (!ngx_http_prompt_documents_ending(file, ".graphql")
        && !ngx_http_prompt_documents_ending(file, ".gql")
        && !ngx_http_prompt_documents_ending(file, ".json"))
    {
        files->nelts--;
    }

    return NGX_OK;
}


static ngx_int_t
ngx_http_prompt_documents_file(ngx_conf_t *cf,
    ngx_http_prompt_documents_t *documents, ngx_str_t *file)
{
    size_t         i;
    ngx_int_t      rc;
    ngx_str_t      name, bytes;
    prompt_str_t   text;

    rc = ngx_http_prompt_conf_file(cf, file, 0, NGX_HTTP_PROMPT_DOCUMENTS_FILE,
                                   documents->arena, &bytes);

    if (rc == NGX_BUSY) {
        return ngx_http_prompt_conf_error(cf,
                   "\"%V\" does not fit: prompt_documents reads at most %d MiB",
                   file, NGX_HTTP_PROMPT_DOCUMENTS_MEMORY / 1024 / 1024);
    }

    if (rc != NGX_OK) {
        return rc == NGX_ERROR
               ? NGX_ERROR
               : ngx_http_prompt_conf_error(cf, "\"%V\" is not there any more",
                                            file);
    }

    text = prompt_str_of((char *) bytes.data, bytes.len);

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
        return ngx_http_prompt_conf_error(cf, "\"%V\" is not UTF-8", file);
    }

    return ngx_http_prompt_documents_add(cf, documents, file,
                                         prompt_str_of((char *) name.data + i,
                                                       name.len - i),
                                         text, 0);
}


static ngx_int_t
ngx_http_prompt_documents_manifest(ngx_conf_t *cf,
    ngx_http_prompt_documents_t *documents, ngx_str_t *file,
    prompt_str_t text)
{
    ngx_int_t             rc;
    unsigned              line, column;
    prompt_json_t        *manifest, *operations, *member, *id;
    prompt_json_error_t   error;

    manifest = prompt_json_read(documents->arena, text,
                                NGX_HTTP_PROMPT_DOCUMENTS_DEPTH, &error);

    if (manifest == NULL) {
        prompt_json_position(text, error.offset, &line, &column);

        return ngx_http_prompt_conf_error(cf, "%s in %V:%ud:%ud",
                                          error.message, file, line, column);
    }

    if (manifest->type != PROMPT_JSON_OBJECT) {
        return ngx_http_prompt_conf_error(cf,
                   "\"%V\" is not a manifest: it must be a JSON object", file);
    }

    rc = NGX_OK;
    operations = prompt_json_get(manifest, prompt_str("operations"));

    if (operations == NULL || operations->type != PROMPT_JSON_ARRAY) {

        for (member = manifest->first;
             rc == NGX_OK && member != NULL;
             member = member->next)
        {
            rc = ngx_http_prompt_documents_member(cf, documents, file,
                                                  member->name, member);
        }

        return rc;
    }

    for (member = operations->first;
         rc == NGX_OK && member != NULL;
         member = member->next)
    {
        id = prompt_json_get(member, prompt_str("id"));

        rc = ngx_http_prompt_documents_member(cf, documents, file,
                                 id != NULL && id->type == PROMPT_JSON_STRING
                                 ? id->text : prompt_str_absent,
                                 prompt_json_get(member, prompt_str("body")));
    }

    return rc;
}


static ngx_int_t
ngx_http_prompt_documents_member(ngx_conf_t *cf,
    ngx_http_prompt_documents_t *documents, ngx_str_t *file, prompt_str_t id,
    const prompt_json_t *body)
{
    if (id.len == 0 || body == NULL || body->type != PROMPT_JSON_STRING) {
        return ngx_http_prompt_conf_error(cf,
                   "\"%V\" is not a manifest of documents: it must be "
                   "{\"operations\": [{\"id\": ID, \"body\": DOCUMENT}, ...]} "
                   "or {ID: DOCUMENT, ...}, all of them strings", file);
    }

    return ngx_http_prompt_documents_add(cf, documents, file, id, body->text,
                                         1);
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

    return ngx_http_prompt_conf_error(cf,
               "there is not enough memory for the documents of \"%V\"", file);
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
