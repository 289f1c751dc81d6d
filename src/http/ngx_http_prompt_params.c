/*
 * Reads the parameters of a GraphQL request.
 *
 * The text of the query is not looked at here, only the form around it: what
 * is no GraphQL request at all is told apart from a request with a faulty
 * document, because HTTP answers the two differently.
 */

#include "http/ngx_http_prompt_params.h"
#include "base/utf8.h"


static ngx_int_t ngx_http_prompt_params_append(ngx_http_request_t *r,
    ngx_buf_t *buf, u_char **last, size_t *room);
static ngx_int_t ngx_http_prompt_params_json(prompt_arena_t *arena,
    prompt_str_t text, ngx_http_prompt_params_t *params,
    prompt_str_t *message);
static ngx_int_t ngx_http_prompt_params_url(ngx_http_request_t *r,
    prompt_arena_t *arena, ngx_http_prompt_params_t *params,
    prompt_str_t *message);
static ngx_int_t ngx_http_prompt_params_url_object(prompt_arena_t *arena,
    prompt_str_t name, prompt_str_t text, const prompt_json_t **object,
    prompt_str_t *message);
static ngx_int_t ngx_http_prompt_params_url_decode(prompt_arena_t *arena,
    prompt_str_t raw, prompt_str_t *value);
static prompt_str_t ngx_http_prompt_params_id(const prompt_json_t *body);
static ngx_int_t ngx_http_prompt_params_string(const prompt_json_t *body,
    prompt_str_t name, prompt_str_t *value, prompt_arena_t *arena,
    prompt_str_t *message);
static ngx_int_t ngx_http_prompt_params_object(const prompt_json_t *body,
    prompt_str_t name, const prompt_json_t **value, prompt_arena_t *arena,
    prompt_str_t *message);


ngx_int_t
ngx_http_prompt_params_read(ngx_http_request_t *r, prompt_arena_t *arena,
    ngx_http_prompt_params_t *params, prompt_str_t *message)
{
    ngx_int_t  rc;
    ngx_str_t  body;

    ngx_memzero(params, sizeof(ngx_http_prompt_params_t));
    *message = prompt_str_absent;

    if (r->method == NGX_HTTP_GET) {
        rc = ngx_http_prompt_params_url(r, arena, params, message);

    } else {
        rc = ngx_http_prompt_params_body(r, &body);
        if (rc != NGX_OK) {
            return rc;
        }

        rc = ngx_http_prompt_params_json(arena,
                               prompt_str_of((char *) body.data, body.len),
                               params, message);
    }

    if (rc == NGX_DECLINED && message->data == NULL) {
        return NGX_ERROR;                  /* no memory for the message */
    }

    return rc;
}


ngx_int_t
ngx_http_prompt_params_body(ngx_http_request_t *r, ngx_str_t *body)
{
    off_t         size;
    size_t        room;
    u_char       *last;
    ngx_chain_t  *cl;

    ngx_str_null(body);

    if (r->request_body == NULL || r->request_body->bufs == NULL) {
        return NGX_OK;
    }

    cl = r->request_body->bufs;

    if (cl->next == NULL && ngx_buf_in_memory(cl->buf)) {
        body->data = cl->buf->pos;
        body->len = cl->buf->last - cl->buf->pos;
        return NGX_OK;
    }

    size = 0;

    for ( /* void */ ; cl != NULL; cl = cl->next) {
        size += ngx_buf_size(cl->buf);
    }

    if (size > NGX_HTTP_PROMPT_PARAMS_BODY) {
        return NGX_HTTP_REQUEST_ENTITY_TOO_LARGE;
    }

    room = (size_t) size;

    body->data = ngx_pnalloc(r->pool, room);
    if (body->data == NULL) {
        return NGX_ERROR;
    }

    last = body->data;

    for (cl = r->request_body->bufs; cl != NULL; cl = cl->next) {
        if (ngx_http_prompt_params_append(r, cl->buf, &last, &room)
            != NGX_OK)
        {
            return NGX_ERROR;
        }
    }

    body->len = last - body->data;

    return NGX_OK;
}


static ngx_int_t
ngx_http_prompt_params_append(ngx_http_request_t *r, ngx_buf_t *buf,
    u_char **last, size_t *room)
{
    size_t   size;
    ssize_t  n;

    size = (size_t) ngx_buf_size(buf);

    if (size > *room) {
        return NGX_ERROR;
    }

    if (ngx_buf_in_memory(buf)) {
        *last = ngx_cpymem(*last, buf->pos, size);

    } else if (size != 0) {
        n = ngx_read_file(buf->file, *last, size, buf->file_pos);

        if (n != (ssize_t) size) {
            ngx_log_error(NGX_LOG_ERR, r->connection->log, 0,
                          "request body file \"%V\" could not be read whole",
                          &buf->file->name);
            return NGX_ERROR;
        }

        *last += size;
    }

    *room -= size;

    return NGX_OK;
}


static ngx_int_t
ngx_http_prompt_params_json(prompt_arena_t *arena, prompt_str_t text,
    ngx_http_prompt_params_t *params, prompt_str_t *message)
{
    ngx_int_t             rc;
    unsigned              line, column;
    prompt_json_t        *body;
    prompt_json_error_t   error;

    body = prompt_json_read_bounded(arena, text, NGX_HTTP_PROMPT_PARAMS_DEPTH,
                                    NGX_HTTP_PROMPT_PARAMS_VALUES, &error);

    if (body == NULL) {

        if (error.status == PROMPT_JSON_NOMEM) {
            return NGX_ERROR;
        }

        if (error.status == PROMPT_JSON_VALUES) {
            *message = prompt_arena_printf(arena,
                           "The request body has more than %d JSON values.",
                           NGX_HTTP_PROMPT_PARAMS_VALUES);
            return NGX_DECLINED;
        }

        prompt_json_position(text, error.offset, &line, &column);

        *message = prompt_arena_printf(arena,
                       "The request body is not valid JSON: %s at line %u, "
                       "column %u.", error.message, line, column);
        return NGX_DECLINED;
    }

    if (body->type != PROMPT_JSON_OBJECT) {
        *message = body->type == PROMPT_JSON_ARRAY
                   ? prompt_str("Batched requests are not supported: the "
                                "request body must be one JSON object.")
                   : prompt_str("The request body must be a JSON object.");
        return NGX_DECLINED;
    }

    rc = ngx_http_prompt_params_string(body, prompt_str("query"),
                                       &params->query, arena, message);
    if (rc != NGX_OK) {
        return rc;
    }

    params->document_id = ngx_http_prompt_params_id(body);

    rc = ngx_http_prompt_params_string(body, prompt_str("operationName"),
                                       &params->operation_name, arena,
                                       message);
    if (rc != NGX_OK) {
        return rc;
    }

    rc = ngx_http_prompt_params_object(body, prompt_str("variables"),
                                       &params->variables, arena, message);
    if (rc != NGX_OK) {
        return rc;
    }

    return ngx_http_prompt_params_object(body, prompt_str("extensions"),
                                         &params->extensions, arena, message);
}


/* What is no string is another member of that name, and ignored. */

static prompt_str_t
ngx_http_prompt_params_id(const prompt_json_t *body)
{
    const prompt_json_t  *id;

    id = prompt_json_get(body, prompt_str("documentId"));

    if (id == NULL || id->type != PROMPT_JSON_STRING) {
        id = prompt_json_get(body, prompt_str("id"));
    }

    return id != NULL && id->type == PROMPT_JSON_STRING ? id->text
                                                        : prompt_str_absent;
}


static ngx_int_t
ngx_http_prompt_params_string(const prompt_json_t *body, prompt_str_t name,
    prompt_str_t *value, prompt_arena_t *arena, prompt_str_t *message)
{
    const prompt_json_t  *member;

    member = prompt_json_get(body, name);

    if (member == NULL || member->type == PROMPT_JSON_NULL) {
        return NGX_OK;
    }

    if (member->type != PROMPT_JSON_STRING) {
        *message = prompt_arena_printf(arena, "\"%.*s\" must be a string.",
                                       prompt_str_arg(name));
        return NGX_DECLINED;
    }

    *value = member->text;

    return NGX_OK;
}


static ngx_int_t
ngx_http_prompt_params_object(const prompt_json_t *body, prompt_str_t name,
    const prompt_json_t **value, prompt_arena_t *arena, prompt_str_t *message)
{
    const prompt_json_t  *member;

    member = prompt_json_get(body, name);

    if (member == NULL || member->type == PROMPT_JSON_NULL) {
        return NGX_OK;
    }

    if (member->type != PROMPT_JSON_OBJECT) {
        *message = prompt_arena_printf(arena,
                                       "\"%.*s\" must be a JSON object.",
                                       prompt_str_arg(name));
        return NGX_DECLINED;
    }

    *value = member;

    return NGX_OK;
}


/*
 * application/x-www-form-urlencoded, as URLSearchParams writes it; of a name
 * that comes twice the first counts, unknown ones are ignored.
 */

static ngx_int_t
ngx_http_prompt_params_url(ngx_http_request_t *r, prompt_arena_t *arena,
    ngx_http_prompt_params_t *params, prompt_str_t *message)
{
    char          *p, *end, *amp, *eq;
    ngx_int_t      rc;
    ngx_uint_t     i;
    prompt_str_t   raw_name, raw_value, name, value;
    prompt_str_t   id, variables, extensions;

    struct {
        prompt_str_t   name;
        prompt_str_t  *value;
    }  known[] = {
        { prompt_str_init("query"), &params->query },
        { prompt_str_init("documentId"), &params->document_id },
        { prompt_str_init("id"), &id },
        { prompt_str_init("operationName"), &params->operation_name },
        { prompt_str_init("variables"), &variables },
        { prompt_str_init("extensions"), &extensions }
    };

    id = prompt_str_absent;
    variables = prompt_str_absent;
    extensions = prompt_str_absent;

    p = (char *) r->args.data;
    end = p + r->args.len;

    while (p < end) {
        amp = memchr(p, '&', end - p);
        if (amp == NULL) {
            amp = end;
        }

        eq = memchr(p, '=', amp - p);
        if (eq == NULL) {
            eq = amp;
        }

        raw_name = prompt_str_of(p, eq - p);
        raw_value = eq < amp ? prompt_str_of(eq + 1, amp - eq - 1)
                             : prompt_str("");
        p = amp + 1;

        rc = ngx_http_prompt_params_url_decode(arena, raw_name, &name);
        if (rc == NGX_ERROR) {
            return NGX_ERROR;
        }

        for (i = 0; rc == NGX_OK && i < sizeof(known) / sizeof(known[0]); i++)
        {
            if (known[i].value->data != NULL
                || !prompt_str_eq(name, known[i].name))
            {
                continue;
            }

            rc = ngx_http_prompt_params_url_decode(arena, raw_value, &value);

            if (rc == NGX_DECLINED) {
                *message = prompt_arena_printf(arena, "The URL parameter "
                               "\"%.*s\" is not percent-encoded UTF-8.",
                               prompt_str_arg(name));
            }

            if (rc != NGX_OK) {
                return rc;
            }

            *known[i].value = value;
            break;
        }
    }

    if (params->document_id.data == NULL) {
        params->document_id = id;
    }

    if (params->operation_name.data != NULL && params->operation_name.len == 0)
    {
        params->operation_name = prompt_str_absent;
    }

    rc = ngx_http_prompt_params_url_object(arena, prompt_str("variables"),
                                           variables, &params->variables,
                                           message);
    if (rc != NGX_OK) {
        return rc;
    }

    return ngx_http_prompt_params_url_object(arena, prompt_str("extensions"),
                                             extensions, &params->extensions,
                                             message);
}


static ngx_int_t
ngx_http_prompt_params_url_object(prompt_arena_t *arena, prompt_str_t name,
    prompt_str_t text, const prompt_json_t **object, prompt_str_t *message)
{
    unsigned              line, column;
    prompt_json_t        *value;
    prompt_json_error_t   error;

    if (text.len == 0) {
        return NGX_OK;
    }

    value = prompt_json_read(arena, text, NGX_HTTP_PROMPT_PARAMS_DEPTH,
                             &error);

    if (value == NULL) {

        if (error.status == PROMPT_JSON_NOMEM) {
            return NGX_ERROR;
        }

        prompt_json_position(text, error.offset, &line, &column);

        *message = prompt_arena_printf(arena,
                       "The URL parameter \"%.*s\" is not valid JSON: %s at "
                       "line %u, column %u.", prompt_str_arg(name),
                       error.message, line, column);
        return NGX_DECLINED;
    }

    if (value->type == PROMPT_JSON_NULL) {
        return NGX_OK;
    }

    if (value->type != PROMPT_JSON_OBJECT) {
        *message = prompt_arena_printf(arena,
                                       "\"%.*s\" must be a JSON object.",
                                       prompt_str_arg(name));
        return NGX_DECLINED;
    }

    *object = value;

    return NGX_OK;
}


/* NGX_DECLINED: a broken escape, or no UTF-8 */

static ngx_int_t
ngx_http_prompt_params_url_decode(prompt_arena_t *arena, prompt_str_t raw,
    prompt_str_t *value)
{
    char       *dst;
    size_t      i, n;
    ngx_int_t   byte;

    dst = prompt_arena_alloc(arena, raw.len + 1);
    if (dst == NULL) {
        return NGX_ERROR;
    }

    n = 0;

    for (i = 0; i < raw.len; i++) {

        if (raw.data[i] == '+') {
            dst[n++] = ' ';
            continue;
        }

        if (raw.data[i] != '%') {
            dst[n++] = raw.data[i];
            continue;
        }

        if (raw.len - i < 3) {
            return NGX_DECLINED;
        }

        byte = ngx_hextoi((u_char *) raw.data + i + 1, 2);
        if (byte == NGX_ERROR) {
            return NGX_DECLINED;
        }

        dst[n++] = (char) byte;
        i += 2;
    }

    *value = prompt_str_of(dst, n);

    return prompt_utf8_valid(*value) ? NGX_OK : NGX_DECLINED;
}
