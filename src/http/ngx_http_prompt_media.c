/*
 * Media types: reads Accept and Content-Type.
 *
 * Both are lists of "type/subtype; name=value; …".  One reader takes a range
 * at a time off the text; what it cannot read is a range that matches
 * nothing, so a header that is partly nonsense still means what the rest of
 * it says.
 */

#include "http/ngx_http_prompt_media.h"


typedef struct {
    ngx_str_t   type;                /* "application/json", as sent */
    ngx_uint_t  quality;             /* 0 to 1000 */
    unsigned    foreign_charset:1;   /* a charset that is not UTF-8 */
    unsigned    malformed:1;
} ngx_http_prompt_range_t;


/* a type that we can write, and the range that fits it most closely */

typedef struct {
    ngx_str_t   type;
    ngx_uint_t  specificity;         /* 3: the type, 2: application, 1: any */
    ngx_uint_t  quality;
    ngx_uint_t  order;
} ngx_http_prompt_candidate_t;


static void ngx_http_prompt_candidate_offer(
    ngx_http_prompt_candidate_t *candidate, ngx_http_prompt_range_t *range,
    ngx_uint_t order);
static void ngx_http_prompt_range_next(ngx_str_t *text,
    ngx_http_prompt_range_t *range);
static void ngx_http_prompt_range_parameter(ngx_http_prompt_range_t *range,
    ngx_str_t *name, ngx_str_t *value);
static ngx_uint_t ngx_http_prompt_quality(ngx_str_t *value);
static ngx_uint_t ngx_http_prompt_range_specificity(
    ngx_http_prompt_range_t *range, const ngx_str_t *type);
static void ngx_http_prompt_skip_space(ngx_str_t *text);
static ngx_str_t ngx_http_prompt_token(ngx_str_t *text);
static ngx_str_t ngx_http_prompt_quoted(ngx_str_t *text);

static ngx_str_t  ngx_http_prompt_media_names[] = {
    ngx_null_string,
    ngx_string("application/json"),
    ngx_string("application/graphql-response+json")
};


ngx_str_t
ngx_http_prompt_media_name(ngx_http_prompt_media_t media)
{
    return ngx_http_prompt_media_names[media];
}


ngx_http_prompt_media_t
ngx_http_prompt_media_accepted(ngx_http_request_t *r)
{
    ngx_str_t                    text;
    ngx_uint_t                   i, order;
    ngx_list_part_t             *part;
    ngx_table_elt_t             *header;
    ngx_http_prompt_range_t      range;
    ngx_http_prompt_candidate_t  json, graphql;

    ngx_memzero(&json, sizeof(ngx_http_prompt_candidate_t));
    ngx_memzero(&graphql, sizeof(ngx_http_prompt_candidate_t));

    ngx_str_set(&json.type, "application/json");
    ngx_str_set(&graphql.type, "application/graphql-response+json");

    order = 0;
    part = &r->headers_in.headers.part;
    header = part->elts;

    for (i = 0; /* void */ ; i++) {

        if (i >= part->nelts) {
            if (part->next == NULL) {
                break;
            }

            part = part->next;
            header = part->elts;
            i = 0;
        }

        if (header[i].key.len != sizeof("Accept") - 1
            || ngx_strncasecmp(header[i].key.data, (u_char *) "Accept",
                               sizeof("Accept") - 1)
               != 0)
        {
            continue;
        }

        text = header[i].value;

        while (text.len != 0) {
            ngx_http_prompt_range_next(&text, &range);

            if (range.type.len == 0 && !range.malformed) {
                continue;                             /* an empty element */
            }

            order++;

            if (!range.malformed && !range.foreign_charset) {
                ngx_http_prompt_candidate_offer(&json, &range, order);
                ngx_http_prompt_candidate_offer(&graphql, &range, order);
            }
        }
    }

    if (order == 0) {
        return NGX_HTTP_PROMPT_MEDIA_JSON;
    }

    if (json.quality == 0 && graphql.quality == 0) {
        return NGX_HTTP_PROMPT_MEDIA_NONE;
    }

    if (graphql.quality != json.quality) {
        return graphql.quality > json.quality ? NGX_HTTP_PROMPT_MEDIA_GRAPHQL
                                              : NGX_HTTP_PROMPT_MEDIA_JSON;
    }

    if (graphql.specificity != json.specificity) {
        return graphql.specificity > json.specificity
               ? NGX_HTTP_PROMPT_MEDIA_GRAPHQL : NGX_HTTP_PROMPT_MEDIA_JSON;
    }

    return graphql.order < json.order ? NGX_HTTP_PROMPT_MEDIA_GRAPHQL
                                      : NGX_HTTP_PROMPT_MEDIA_JSON;
}


ngx_int_t
ngx_http_prompt_media_is_json(const ngx_str_t *content_type)
{
    ngx_str_t                text;
    ngx_http_prompt_range_t  range;

    static ngx_str_t  json = ngx_string("application/json");

    text = *content_type;

    ngx_http_prompt_range_next(&text, &range);

    return text.len == 0
           && !range.malformed
           && !range.foreign_charset
           && ngx_http_prompt_range_specificity(&range, &json) == 3;
}


ngx_uint_t
ngx_http_prompt_media_is_encoded(ngx_http_request_t *r)
{
    ngx_uint_t        i;
    ngx_list_part_t  *part;
    ngx_table_elt_t  *header;

    static ngx_str_t  name = ngx_string("Content-Encoding");
    static ngx_str_t  identity = ngx_string("identity");

    for (part = &r->headers_in.headers.part; part != NULL; part = part->next) {
        header = part->elts;

        for (i = 0; i < part->nelts; i++) {

            if (header[i].key.len == name.len
                && ngx_strncasecmp(header[i].key.data, name.data, name.len)
                   == 0
                && (header[i].value.len != identity.len
                    || ngx_strncasecmp(header[i].value.data, identity.data,
                                       identity.len)
                       != 0))
            {
                return 1;
            }
        }
    }

    return 0;
}


/* The most specific range that fits decides about a type (12.5.1). */

static void
ngx_http_prompt_candidate_offer(ngx_http_prompt_candidate_t *candidate,
    ngx_http_prompt_range_t *range, ngx_uint_t order)
{
    ngx_uint_t  specificity;

    specificity = ngx_http_prompt_range_specificity(range, &candidate->type);

    if (specificity > candidate->specificity) {
        candidate->specificity = specificity;
        candidate->quality = range->quality;
        candidate->order = order;
    }
}


/* Takes one element of a comma-separated list off text. */

static void
ngx_http_prompt_range_next(ngx_str_t *text, ngx_http_prompt_range_t *range)
{
    ngx_str_t  name, value;

    ngx_memzero(range, sizeof(ngx_http_prompt_range_t));
    range->quality = 1000;

    ngx_http_prompt_skip_space(text);
    range->type = ngx_http_prompt_token(text);

    for ( ;; ) {
        ngx_http_prompt_skip_space(text);

        if (text->len == 0) {
            return;
        }

        if (*text->data == ',') {
            text->data++;
            text->len--;
            return;
        }

        if (*text->data != ';') {

            /* not ours to understand: the element matches nothing */

            range->malformed = 1;
            text->data++;
            text->len--;
            continue;
        }

        text->data++;
        text->len--;

        ngx_http_prompt_skip_space(text);
        name = ngx_http_prompt_token(text);

        if (text->len == 0 || *text->data != '=') {
            range->malformed |= (name.len != 0);
            continue;
        }

        text->data++;
        text->len--;

        value = (text->len != 0 && *text->data == '"')
                ? ngx_http_prompt_quoted(text)
                : ngx_http_prompt_token(text);

        ngx_http_prompt_range_parameter(range, &name, &value);
    }
}


static void
ngx_http_prompt_range_parameter(ngx_http_prompt_range_t *range,
    ngx_str_t *name, ngx_str_t *value)
{
    if (name->len == 1 && (*name->data | 0x20) == 'q') {
        range->quality = ngx_http_prompt_quality(value);
        return;
    }

    if (name->len == sizeof("charset") - 1
        && ngx_strncasecmp(name->data, (u_char *) "charset", name->len) == 0)
    {
        range->foreign_charset =
            !((value->len == 5
               && ngx_strncasecmp(value->data, (u_char *) "utf-8", 5) == 0)
              || (value->len == 4
                  && ngx_strncasecmp(value->data, (u_char *) "utf8", 4) == 0));
    }
}


/* "0" to "1" with at most three decimals, in thousandths; else 0 */

static ngx_uint_t
ngx_http_prompt_quality(ngx_str_t *value)
{
    size_t      i;
    ngx_uint_t  q, unit;

    if (value->len == 0 || (value->data[0] != '0' && value->data[0] != '1')) {
        return 0;
    }

    q = (value->data[0] - '0') * 1000;

    if (value->len == 1) {
        return q;
    }

    if (value->data[1] != '.' || value->len > 5) {
        return 0;
    }

    unit = 100;

    for (i = 2; i < value->len; i++) {

        if (value->data[i] < '0' || value->data[i] > '9') {
            return 0;
        }

        q += (value->data[i] - '0') * unit;
        unit /= 10;
    }

    return q > 1000 ? 0 : q;
}


/* 3: names the type; 2: application, any subtype; 1: any type; 0: another */

static ngx_uint_t
ngx_http_prompt_range_specificity(ngx_http_prompt_range_t *range,
    const ngx_str_t *type)
{
    static ngx_str_t  any = ngx_string("*/*");
    static ngx_str_t  application = ngx_string("application/*");

    if (range->type.len == type->len
        && ngx_strncasecmp(range->type.data, type->data, type->len) == 0)
    {
        return 3;
    }

    if (range->type.len == application.len
        && ngx_strncasecmp(range->type.data, application.data,
                           application.len)
           == 0)
    {
        return 2;
    }

    if (range->type.len == any.len
        && ngx_strncmp(range->type.data, any.data, any.len) == 0)
    {
        return 1;
    }

    return 0;
}


static void
ngx_http_prompt_skip_space(ngx_str_t *text)
{
    while (text->len != 0 && (*text->data == ' ' || *text->data == '\t')) {
        text->data++;
        text->len--;
    }
}


/* a token of RFC 9110, 5.6.2, or two with a slash between */

static ngx_str_t
ngx_http_prompt_token(ngx_str_t *text)
{
    u_char     ch;
    ngx_str_t  token;

    token.data = text->data;

    while (text->len != 0) {
        ch = *text->data;

        if (ch <= ' ' || ch >= 0x7f
            || ngx_strchr("()<>@,;:\\\"[]?={}", ch) != NULL)
        {
            break;
        }

        text->data++;
        text->len--;
    }

    token.len = text->data - token.data;

    return token;
}


/* what stands between double quotes; escapes are left as they are */

static ngx_str_t
ngx_http_prompt_quoted(ngx_str_t *text)
{
    ngx_str_t  value;

    text->data++;
    text->len--;

    value.data = text->data;

    while (text->len != 0 && *text->data != '"') {

        if (*text->data == '\\' && text->len > 1) {
            text->data++;
            text->len--;
        }

        text->data++;
        text->len--;
    }

    value.len = text->data - value.data;

    if (text->len != 0) {
        text->data++;
        text->len--;
    }

    return value;
}
