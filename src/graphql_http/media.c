/*
 * Reads Accept and Content-Type.
 *
 * Both are lists of "type/subtype; name=value; …".  One reader takes a range
 * at a time off the text; what it cannot read is a range that matches
 * nothing, so a header that is partly nonsense still means what the rest of
 * it says.
 */

#include "graphql_http/media.h"

#include <strings.h>


typedef struct {
    prompt_str_t  type;              /* "application/json", as sent */
    unsigned      quality;           /* 0 to 1000 */
    bool          foreign_charset;   /* a charset that is not UTF-8 */
    bool          malformed;
} media_range_t;


static const prompt_str_t  media_names[] = {
    prompt_str_init(""),
    prompt_str_init("application/json"),
    prompt_str_init("application/graphql-response+json")
};


prompt_str_t
gql_http_media_name(gql_http_media_e media)
{
    return media_names[media];
}


static bool
media_is(prompt_str_t text, prompt_str_t name)
{
    return text.len == name.len
           && strncasecmp(text.data, name.data, name.len) == 0;
}


static void
media_advance(prompt_str_t *text)
{
    text->data++;
    text->len--;
}


static void
media_skip_space(prompt_str_t *text)
{
    while (text->len != 0 && (*text->data == ' ' || *text->data == '\t')) {
        media_advance(text);
    }
}


/* a token of RFC 9110, 5.6.2, or two with a slash between */
static prompt_str_t
media_token(prompt_str_t *text)
{
    char          ch;
    prompt_str_t  token;

    token.data = text->data;

    while (text->len != 0) {
        ch = *text->data;

        if (ch <= ' ' || ch >= 0x7f
            || memchr("()<>@,;:\\\"[]?={}", ch, 16) != NULL)
        {
            break;
        }

        media_advance(text);
    }

    token.len = (size_t) (text->data - token.data);

    return token;
}


/* what stands between double quotes; escapes are left as they are */
static prompt_str_t
media_quoted(prompt_str_t *text)
{
    prompt_str_t  value;

    media_advance(text);

    value.data = text->data;

    while (text->len != 0 && *text->data != '"') {

        if (*text->data == '\\' && text->len > 1) {
            media_advance(text);
        }

        media_advance(text);
    }

    value.len = (size_t) (text->data - value.data);

    if (text->len != 0) {
        media_advance(text);
    }

    return value;
}


/* "0" to "1" with at most three decimals, in thousandths; else 0 */
static unsigned
media_quality(prompt_str_t value)
{
    size_t    i;
    unsigned  q, unit;

    if (value.len == 0 || (value.data[0] != '0' && value.data[0] != '1')) {
        return 0;
    }

    q = (unsigned) (value.data[0] - '0') * 1000;

    if (value.len == 1) {
        return q;
    }

    if (value.data[1] != '.' || value.len > 5) {
        return 0;
    }

    unit = 100;

    for (i = 2; i < value.len; i++) {

        if (value.data[i] < '0' || value.data[i] > '9') {
            return 0;
        }

        q += (unsigned) (value.data[i] - '0') * unit;
        unit /= 10;
    }

    return q > 1000 ? 0 : q;
}


static void
media_parameter(media_range_t *range, prompt_str_t name, prompt_str_t value)
{
    if (media_is(name, prompt_str("q"))) {
        range->quality = media_quality(value);

    } else if (media_is(name, prompt_str("charset"))) {
        range->foreign_charset = !media_is(value, prompt_str("utf-8"))
                                 && !media_is(value, prompt_str("utf8"));
    }
}


/* Takes one element of a comma-separated list off text. */
static void
media_range_next(prompt_str_t *text, media_range_t *range)
{
    prompt_str_t  name, value;

    memset(range, 0, sizeof(media_range_t));
    range->quality = 1000;

    media_skip_space(text);
    range->type = media_token(text);

    for ( ;; ) {
        media_skip_space(text);

        if (text->len == 0) {
            return;
        }

        if (*text->data == ',') {
            media_advance(text);
            return;
        }

        if (*text->data != ';') {

            /* not ours to understand: the element matches nothing */

            range->malformed = true;
            media_advance(text);
            continue;
        }

        media_advance(text);

        media_skip_space(text);
        name = media_token(text);

        if (text->len == 0 || *text->data != '=') {
            range->malformed |= (name.len != 0);
            continue;
        }

        media_advance(text);

        value = (text->len != 0 && *text->data == '"') ? media_quoted(text)
                                                       : media_token(text);

        media_parameter(range, name, value);
    }
}


/* 3: names the type; 2: application, any subtype; 1: any type; 0: another */
static unsigned
media_specificity(const media_range_t *range, prompt_str_t type)
{
    if (media_is(range->type, type)) {
        return 3;
    }

    if (media_is(range->type, prompt_str("application/*"))) {
        return 2;
    }

    return media_is(range->type, prompt_str("*/*"));
}


/* The most specific range that fits decides about a type (12.5.1). */
static void
media_offer(gql_http_accept_t *accept, gql_http_media_e media,
    const media_range_t *range)
{
    unsigned                specificity;
    gql_http_candidate_t   *candidate;

    candidate = &accept->candidates[media];
    specificity = media_specificity(range, media_names[media]);

    if (specificity > candidate->specificity) {
        candidate->specificity = specificity;
        candidate->quality = range->quality;
        candidate->order = accept->count;
    }
}


void
gql_http_accept_init(gql_http_accept_t *accept)
{
    memset(accept, 0, sizeof(gql_http_accept_t));
}


void
gql_http_accept_add(gql_http_accept_t *accept, prompt_str_t text)
{
    media_range_t  range;

    while (text.len != 0) {
        media_range_next(&text, &range);

        if (range.type.len == 0 && !range.malformed) {
            continue;                                 /* an empty element */
        }

        accept->count++;

        if (!range.malformed && !range.foreign_charset) {
            media_offer(accept, GQL_HTTP_MEDIA_JSON, &range);
            media_offer(accept, GQL_HTTP_MEDIA_GRAPHQL, &range);
        }
    }
}


gql_http_media_e
gql_http_accept_choose(const gql_http_accept_t *accept)
{
    const gql_http_candidate_t  *json, *graphql;

    json = &accept->candidates[GQL_HTTP_MEDIA_JSON];
    graphql = &accept->candidates[GQL_HTTP_MEDIA_GRAPHQL];

    if (accept->count == 0) {
        return GQL_HTTP_MEDIA_JSON;
    }

    if (json->quality == 0 && graphql->quality == 0) {
        return GQL_HTTP_MEDIA_NONE;
    }

    if (graphql->quality != json->quality) {
        return graphql->quality > json->quality ? GQL_HTTP_MEDIA_GRAPHQL
                                                : GQL_HTTP_MEDIA_JSON;
    }

    if (graphql->specificity != json->specificity) {
        return graphql->specificity > json->specificity
               ? GQL_HTTP_MEDIA_GRAPHQL : GQL_HTTP_MEDIA_JSON;
    }

    return graphql->order < json->order ? GQL_HTTP_MEDIA_GRAPHQL
                                        : GQL_HTTP_MEDIA_JSON;
}


bool
gql_http_media_is_json(prompt_str_t content_type)
{
    media_range_t  range;

    media_range_next(&content_type, &range);

    return content_type.len == 0
           && !range.malformed
           && !range.foreign_charset
           && media_is(range.type, media_names[GQL_HTTP_MEDIA_JSON]);
}
