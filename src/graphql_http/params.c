/*
 * Reads the parameters of a GraphQL request.
 */

#include "graphql_http/params.h"

#include <stdio.h>

#include "base/scan.h"
#include "base/utf8.h"


/* what may stand in a request, by name; the last two are objects */
typedef enum {
    GQL_HTTP_QUERY = 0,
    GQL_HTTP_DOCUMENT_ID,
    GQL_HTTP_ID,
    GQL_HTTP_OPERATION_NAME,
    GQL_HTTP_VARIABLES,
    GQL_HTTP_EXTENSIONS,
    GQL_HTTP_NAMES
} gql_http_name_e;


static const prompt_str_t  gql_http_names[GQL_HTTP_NAMES] = {
    prompt_str_init("query"),
    prompt_str_init("documentId"),
    prompt_str_init("id"),
    prompt_str_init("operationName"),
    prompt_str_init("variables"),
    prompt_str_init("extensions")
};


/* refused, for a reason that is written, or was to be written, into arena */
static gql_http_params_e
gql_http_refused(prompt_str_t *message)
{
    return message->data != NULL ? GQL_HTTP_PARAMS_REFUSED
                                 : GQL_HTTP_PARAMS_NOMEM;
}


gql_http_params_e
gql_http_json(prompt_arena_t *arena, const char *what, prompt_str_t text,
    prompt_json_t **value, prompt_str_t *message)
{
    unsigned             line, column;
    prompt_json_error_t  error;

    *value = prompt_json_read_bounded(arena, text, GQL_HTTP_PARAMS_DEPTH,
                                      GQL_HTTP_PARAMS_VALUES, &error);

    if (*value != NULL) {
        return GQL_HTTP_PARAMS_OK;
    }

    if (error.status == PROMPT_JSON_NOMEM) {
        return GQL_HTTP_PARAMS_NOMEM;
    }

    if (error.status == PROMPT_JSON_VALUES) {
        *message = prompt_arena_printf(arena,
                                       "%s has more than %d JSON values.", what,
                                       GQL_HTTP_PARAMS_VALUES);
        return gql_http_refused(message);
    }

    prompt_json_position(text, error.offset, &line, &column);

    *message = prompt_arena_printf(arena,
                   "%s is not valid JSON: %s at line %u, column %u.",
                   what, error.message, line, column);

    return gql_http_refused(message);
}


/* value: what was given, NULL for nothing; null means the same */
static gql_http_params_e
gql_http_take(prompt_arena_t *arena, gql_http_name_e name,
    const prompt_json_t *value, gql_http_params_t *params,
    prompt_str_t *message)
{
    bool  object;

    if (value == NULL || value->type == PROMPT_JSON_NULL) {
        return GQL_HTTP_PARAMS_OK;
    }

    object = name >= GQL_HTTP_VARIABLES;

    if (value->type != (object ? PROMPT_JSON_OBJECT : PROMPT_JSON_STRING)) {
        *message = prompt_arena_printf(arena, "\"%.*s\" must be a %s.",
                                       prompt_str_arg(gql_http_names[name]),
                                       object ? "JSON object" : "string");
        return gql_http_refused(message);
    }

    switch (name) {

    case GQL_HTTP_QUERY:
        params->query = value->text;
        break;

    case GQL_HTTP_OPERATION_NAME:
        params->operation_name = value->text;
        break;

    case GQL_HTTP_VARIABLES:
        params->variables = value;
        break;

    case GQL_HTTP_EXTENSIONS:
        params->extensions = value;
        break;

    default:
        break;
    }

    return GQL_HTTP_PARAMS_OK;
}


/* A JSON body */

/* What is no string is another member of that name, and ignored. */
static prompt_str_t
gql_http_body_id(const prompt_json_t *body)
{
    const prompt_json_t  *id;

    id = prompt_json_get(body, gql_http_names[GQL_HTTP_DOCUMENT_ID]);

    if (id == NULL || id->type != PROMPT_JSON_STRING) {
        id = prompt_json_get(body, gql_http_names[GQL_HTTP_ID]);
    }

    return id != NULL && id->type == PROMPT_JSON_STRING ? id->text
                                                        : prompt_str_absent;
}


gql_http_params_e
gql_http_params_body(prompt_arena_t *arena, prompt_str_t text,
    gql_http_params_t *params, prompt_str_t *message)
{
    prompt_json_t      *body;
    gql_http_name_e     name;
    gql_http_params_e   rc;

    memset(params, 0, sizeof(gql_http_params_t));
    *message = prompt_str_absent;

    rc = gql_http_json(arena, "The request body", text, &body, message);
    if (rc != GQL_HTTP_PARAMS_OK) {
        return rc;
    }

    if (body->type != PROMPT_JSON_OBJECT) {
        *message = body->type == PROMPT_JSON_ARRAY
                   ? prompt_str("Batched requests are not supported: the "
                                "request body must be one JSON object.")
                   : prompt_str("The request body must be a JSON object.");
        return GQL_HTTP_PARAMS_REFUSED;
    }

    params->document_id = gql_http_body_id(body);

    for (name = 0; name < GQL_HTTP_NAMES && rc == GQL_HTTP_PARAMS_OK; name++) {

        if (name != GQL_HTTP_DOCUMENT_ID && name != GQL_HTTP_ID) {
            rc = gql_http_take(arena, name,
                               prompt_json_get(body, gql_http_names[name]),
                               params, message);
        }
    }

    return rc;
}


/* A URL: application/x-www-form-urlencoded, as URLSearchParams writes it */

/* REFUSED, without a message: a broken escape, or no UTF-8 */
static gql_http_params_e
gql_http_url_decode(prompt_arena_t *arena, prompt_str_t raw,
    prompt_str_t *value)
{
    char         c, *dst;
    size_t       n;
    const char  *p;

    dst = prompt_arena_alloc(arena, raw.len + 1);
    if (dst == NULL) {
        return GQL_HTTP_PARAMS_NOMEM;
    }

    for (n = 0; raw.len != 0; n++) {
        p = raw.data;
        c = *p;

        if (c != '%') {
            prompt_scan_skip(&raw, 1);
            dst[n] = c == '+' ? ' ' : c;

        } else if (prompt_scan_like(&raw, "%xx")) {
            dst[n] = (char) (prompt_hex_digit(p[1]) * 16
                             + prompt_hex_digit(p[2]));

        } else {
            return GQL_HTTP_PARAMS_REFUSED;
        }
    }

    *value = prompt_str_of(dst, n);

    return prompt_utf8_valid(*value) ? GQL_HTTP_PARAMS_OK
                                     : GQL_HTTP_PARAMS_REFUSED;
}


/* One "name=value"; what has no name of ours, or comes again, is ignored. */
static gql_http_params_e
gql_http_url_pair(prompt_arena_t *arena, prompt_str_t pair,
    prompt_str_t values[GQL_HTTP_NAMES], prompt_str_t *message)
{
    prompt_str_t        text, value;
    gql_http_name_e     name;
    gql_http_params_e   rc;

    value = pair.len != 0 ? pair : prompt_str("");
    (void) prompt_scan_split(&value, '=', &text);

    rc = gql_http_url_decode(arena, text, &text);
    if (rc != GQL_HTTP_PARAMS_OK) {
        return rc == GQL_HTTP_PARAMS_REFUSED ? GQL_HTTP_PARAMS_OK : rc;
    }

    for (name = 0; name < GQL_HTTP_NAMES; name++) {
        if (values[name].data == NULL
            && prompt_str_eq(text, gql_http_names[name]))
        {
            break;
        }
    }

    if (name == GQL_HTTP_NAMES) {
        return GQL_HTTP_PARAMS_OK;
    }

    rc = gql_http_url_decode(arena, value, &values[name]);

    if (rc == GQL_HTTP_PARAMS_REFUSED) {
        *message = prompt_arena_printf(arena, "The URL parameter \"%.*s\" is "
                                       "not percent-encoded UTF-8.",
                                       prompt_str_arg(text));
        return gql_http_refused(message);
    }

    return rc;
}


/* text: absent or empty where the URL has no such parameter */
static gql_http_params_e
gql_http_url_object(prompt_arena_t *arena, gql_http_name_e name,
    prompt_str_t text, gql_http_params_t *params, prompt_str_t *message)
{
    char                what[64];
    prompt_json_t      *value;
    gql_http_params_e   rc;

    if (text.len == 0) {
        return GQL_HTTP_PARAMS_OK;
    }

    snprintf(what, sizeof(what), "The URL parameter \"%.*s\"",
             prompt_str_arg(gql_http_names[name]));

    rc = gql_http_json(arena, what, text, &value, message);

    return rc == GQL_HTTP_PARAMS_OK
           ? gql_http_take(arena, name, value, params, message) : rc;
}


gql_http_params_e
gql_http_params_url(prompt_arena_t *arena, prompt_str_t text,
    gql_http_params_t *params, prompt_str_t *message)
{
    prompt_str_t        pair, values[GQL_HTTP_NAMES];
    gql_http_name_e     name;
    gql_http_params_e   rc;

    memset(params, 0, sizeof(gql_http_params_t));
    memset(values, 0, sizeof(values));
    *message = prompt_str_absent;
    rc = GQL_HTTP_PARAMS_OK;

    while (text.len != 0 && rc == GQL_HTTP_PARAMS_OK) {
        (void) prompt_scan_split(&text, '&', &pair);
        rc = gql_http_url_pair(arena, pair, values, message);
    }

    if (rc != GQL_HTTP_PARAMS_OK) {
        return rc;
    }

    params->query = values[GQL_HTTP_QUERY];

    params->document_id = values[GQL_HTTP_DOCUMENT_ID].data != NULL
                          ? values[GQL_HTTP_DOCUMENT_ID] : values[GQL_HTTP_ID];

    if (values[GQL_HTTP_OPERATION_NAME].len != 0) {
        params->operation_name = values[GQL_HTTP_OPERATION_NAME];
    }

    for (name = GQL_HTTP_VARIABLES;
         name < GQL_HTTP_NAMES && rc == GQL_HTTP_PARAMS_OK; name++)
    {
        rc = gql_http_url_object(arena, name, values[name], params, message);
    }

    return rc;
}
