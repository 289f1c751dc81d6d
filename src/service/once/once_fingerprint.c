/*
 * Once: what makes two requests with the same Idempotency-Key the same.
 */

#include "service/once/once_impl.h"


static void ngx_http_prompt_once_text(prompt_sha256_t *sha, char kind,
    prompt_str_t text);
static ngx_int_t ngx_http_prompt_once_value(prompt_arena_t *arena,
    prompt_sha256_t *sha, const prompt_json_t *value);
static ngx_int_t ngx_http_prompt_once_members(prompt_arena_t *arena,
    prompt_sha256_t *sha, const prompt_json_t *object);
static int ngx_libc_cdecl ngx_http_prompt_once_by_name(const void *one,
    const void *two);


/*
 * The document's bytes, the name of the operation, the variables, and what
 * came beside them.  Passwords may be among them where the operation needs a
 * session, and a fast hash of these must not be stored: there the key goes in
 * as well, which nobody knows who reads the row.
 */
ngx_int_t
ngx_http_prompt_once_fingerprint(const ngx_http_prompt_operation_t *op,
    uint8_t out[PROMPT_SHA256_LEN])
{
    prompt_sha256_t  sha;

    prompt_sha256_init(&sha);

    if (ngx_http_prompt_service_scopes(op->job.plan, 0)
        & PROMPT_KEY_SCOPE_SESSION)
    {
        ngx_http_prompt_once_text(&sha, 'k', op->once_key);
    }

    ngx_http_prompt_once_text(&sha, 'd', op->document);
    ngx_http_prompt_once_text(&sha, 'o', op->name);

    if (op->given != NULL && op->given->count != 0
        && ngx_http_prompt_once_value(op->job.arena, &sha, op->given)
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    ngx_http_prompt_once_text(&sha, 'l', op->job.beside.label);

    if (op->job.beside.appended.list != NULL
        && ngx_http_prompt_once_value(op->job.arena, &sha,
                                      op->job.beside.appended.list)
           != NGX_OK)
    {
        return NGX_ERROR;
    }

    prompt_sha256_final(&sha, out);

    return NGX_OK;
}


/* its length goes in front, so that no two lists of texts are one */
static void
ngx_http_prompt_once_text(prompt_sha256_t *sha, char kind,
    prompt_str_t text)
{
    u_char  *p;
    u_char   head[NGX_SIZE_T_LEN + 2];

    head[0] = (u_char) kind;
    p = ngx_sprintf(head + 1, "%uz:", text.len);

    prompt_sha256_update(sha, prompt_str_of((char *) head, p - head));
    prompt_sha256_update(sha, text);
}


/* Members in the order of their names: JSON knows no other. */
static ngx_int_t
ngx_http_prompt_once_value(prompt_arena_t *arena, prompt_sha256_t *sha,
    const prompt_json_t *value)
{
    prompt_str_t          none;
    const prompt_json_t  *element;

    none = prompt_str("");

    switch (value->type) {

    case PROMPT_JSON_OBJECT:
        return ngx_http_prompt_once_members(arena, sha, value);

    case PROMPT_JSON_ARRAY:
        ngx_http_prompt_once_text(sha, '[', none);

        for (element = value->first; element != NULL; element = element->next)
        {
            if (ngx_http_prompt_once_value(arena, sha, element)
                != NGX_OK)
            {
                return NGX_ERROR;
            }
        }

        ngx_http_prompt_once_text(sha, ']', none);
        return NGX_OK;

    case PROMPT_JSON_STRING:
        ngx_http_prompt_once_text(sha, '"', value->text);
        return NGX_OK;

    case PROMPT_JSON_NUMBER:
        ngx_http_prompt_once_text(sha, '0', value->text);
        return NGX_OK;

    case PROMPT_JSON_BOOLEAN:
        ngx_http_prompt_once_text(sha, value->boolean ? 't' : 'f', none);
        return NGX_OK;

    default:
        ngx_http_prompt_once_text(sha, 'n', none);
        return NGX_OK;
    }
}


static ngx_int_t
ngx_http_prompt_once_members(prompt_arena_t *arena,
    prompt_sha256_t *sha, const prompt_json_t *object)
{
    uint32_t               i;
    const prompt_json_t   *member;
    const prompt_json_t  **members;

    members = prompt_arena_array(arena, object->count,
                                 sizeof(prompt_json_t *));
    if (members == NULL) {
        return NGX_ERROR;
    }

    i = 0;

    for (member = object->first; member != NULL; member = member->next) {
        members[i++] = member;
    }

    ngx_qsort(members, i, sizeof(prompt_json_t *),
              ngx_http_prompt_once_by_name);

    ngx_http_prompt_once_text(sha, '{', prompt_str(""));

    for (i = 0; i < object->count; i++) {
        ngx_http_prompt_once_text(sha, 'm', members[i]->name);

        if (ngx_http_prompt_once_value(arena, sha, members[i])
            != NGX_OK)
        {
            return NGX_ERROR;
        }
    }

    ngx_http_prompt_once_text(sha, '}', prompt_str(""));

    return NGX_OK;
}


static int ngx_libc_cdecl
ngx_http_prompt_once_by_name(const void *one, const void *two)
{
    int                   rc;
    size_t                n;
    const prompt_json_t  *a, *b;

    a = *(const prompt_json_t *const *) one;
    b = *(const prompt_json_t *const *) two;

    n = ngx_min(a->name.len, b->name.len);
    rc = n != 0 ? ngx_memcmp(a->name.data, b->name.data, n) : 0;

    if (rc != 0) {
        return rc;
    }

    return (a->name.len > b->name.len) - (a->name.len < b->name.len);
}
