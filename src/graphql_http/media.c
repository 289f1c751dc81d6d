/*
 * Reads Accept and Content-Type.
 *
 * Both are lists of "type/subtype; name=value; …".  One reader takes a range
 * at a time off the text; what it cannot read is a range that matches
 * nothing, so a header that is partly nonsense still means what the rest of
 * it says.
 */

#include "graphql_http/media.h"

#include "base/scan.h"


typedef struct {
    prompt_str_t  type;              /* "application/json", as sent */
    unsigned      quality;           /* 0 to 1000 */
    bool          foreign_charset;   /* a charset that is not UTF-8 */
    bool          malformed;
} gql_http_range_t;


static const struct {
    prompt_str_t  name;
    prompt_str_t  range;             /* that has any subtype */
} gql_http_medias[] = {
    { prompt_str_init(""), prompt_str_init("") },
    { prompt_str_init("application/json"), prompt_str_init("application/*") },
    { prompt_str_init("application/graphql-response+json"),
      prompt_str_init("application/*") },
    { prompt_str_init("text/event-stream"), prompt_str_init("text/*") }
};


prompt_str_t
gql_http_media_name(gql_http_media_e media)
{
    return gql_http_medias[media].name;
}


static void
gql_http_skip_space(prompt_str_t *text)
{
    while (text->len != 0 && (*text->data == ' ' || *text->data == '\t')) {
        prompt_scan_skip(text, 1);
    }
}


/* a token of RFC 9110, 5.6.2, or two with a slash between */
static prompt_str_t
gql_http_token(prompt_str_t *text)
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

        prompt_scan_skip(text, 1);
    }

    token.len = (size_t) (text->data - token.data);

    return token;
}


/* what stands between double quotes; escapes are left as they are */
static prompt_str_t
gql_http_quoted(prompt_str_t *text)
{
    prompt_str_t  value;

    prompt_scan_skip(text, 1);

    value.data = text->data;

    while (text->len != 0 && *text->data != '"') {
        prompt_scan_skip(text, *text->data == '\\' && text->len > 1 ? 2 : 1);
    }

    value.len = (size_t) (text->data - value.data);
    (void) prompt_scan_char(text, '"');

    return value;
}


/* "0" to "1" with at most three decimals, in thousandths; else 0 */
static unsigned
gql_http_quality(prompt_str_t value)
{
    size_t       n;
    unsigned     q, unit;
    const char  *p;

    q = prompt_scan_char(&value, '1') ? 1000 : 0;

    if (q == 0 && !prompt_scan_char(&value, '0')) {
        return 0;
    }

    if (prompt_scan_char(&value, '.')) {
        p = value.data;
        n = prompt_scan_digits(&value);

        for (unit = 100; n != 0 && unit != 0; n--, unit /= 10) {
            q += (unsigned) (*p++ - '0') * unit;
        }

        if (n != 0) {
            return 0;
        }
    }

    return value.len == 0 && q <= 1000 ? q : 0;
}


static void
gql_http_parameter(gql_http_range_t *range, prompt_str_t name,
    prompt_str_t value)
{
    if (prompt_scan_same(name, prompt_str("q"))) {
        range->quality = gql_http_quality(value);

    } else if (prompt_scan_same(name, prompt_str("charset"))) {
        range->foreign_charset
            = !prompt_scan_same(value, prompt_str("utf-8"))
              && !prompt_scan_same(value, prompt_str("utf8"));
    }
}


/* Takes one element of a comma-separated list off text. */
static void
gql_http_range_next(prompt_str_t *text, gql_http_range_t *range)
{
    prompt_str_t  name, value;

    memset(range, 0, sizeof(gql_http_range_t));
    range->quality = 1000;

    gql_http_skip_space(text);
    range->type = gql_http_token(text);

    for ( ;; ) {
        gql_http_skip_space(text);

        if (text->len == 0 || prompt_scan_char(text, ',')) {
            return;
        }

        if (!prompt_scan_char(text, ';')) {

            /* not ours to understand: the element matches nothing */

            range->malformed = true;
            prompt_scan_skip(text, 1);
            continue;
        }

        gql_http_skip_space(text);
        name = gql_http_token(text);

        if (!prompt_scan_char(text, '=')) {
            range->malformed |= (name.len != 0);
            continue;
        }

        value = (text->len != 0 && *text->data == '"')
                ? gql_http_quoted(text) : gql_http_token(text);

        gql_http_parameter(range, name, value);
    }
}


/* 3: names the type; 2: any subtype of its kind; 1: any type; 0: another */
static unsigned
gql_http_specificity(const gql_http_range_t *range, gql_http_media_e media)
{
    if (prompt_scan_same(range->type, gql_http_medias[media].name)) {
        return 3;
    }

    if (prompt_scan_same(range->type, gql_http_medias[media].range)) {
        return 2;
    }

    return prompt_scan_same(range->type, prompt_str("*/*"));
}


/* The most specific range that fits decides about a type (12.5.1). */
static void
gql_http_offer(gql_http_accept_t *accept, gql_http_media_e media,
    const gql_http_range_t *range)
{
    unsigned                specificity;
    gql_http_candidate_t   *candidate;

    candidate = &accept->candidates[media];
    specificity = gql_http_specificity(range, media);

    /* who accepts anything at all asks for no stream */

    if (specificity == 1 && media == GQL_HTTP_MEDIA_EVENTS) {
        return;
    }

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
    gql_http_range_t  range;

    while (text.len != 0) {
        gql_http_range_next(&text, &range);

        if (range.type.len == 0 && !range.malformed) {
            continue;                                 /* an empty element */
        }

        accept->count++;

        if (!range.malformed && !range.foreign_charset) {
            gql_http_offer(accept, GQL_HTTP_MEDIA_JSON, &range);
            gql_http_offer(accept, GQL_HTTP_MEDIA_GRAPHQL, &range);
            gql_http_offer(accept, GQL_HTTP_MEDIA_EVENTS, &range);
        }
    }
}


/* whether a is wanted rather than b, which is the answer where all is equal */
static bool
gql_http_rather(const gql_http_candidate_t *a, const gql_http_candidate_t *b)
{
    if (a->quality != b->quality) {
        return a->quality > b->quality;
    }

    if (a->specificity != b->specificity) {
        return a->specificity > b->specificity;
    }

    return a->order < b->order;
}


gql_http_media_e
gql_http_accept_choose(const gql_http_accept_t *accept)
{
    unsigned          i;
    gql_http_media_e  best;

    best = GQL_HTTP_MEDIA_JSON;

    for (i = GQL_HTTP_MEDIA_GRAPHQL; i < GQL_HTTP_MEDIA_COUNT; i++) {

        if (gql_http_rather(&accept->candidates[i],
                            &accept->candidates[best]))
        {
            best = (gql_http_media_e) i;
        }
    }

    return accept->count == 0 || accept->candidates[best].quality != 0
           ? best : GQL_HTTP_MEDIA_NONE;
}


bool
gql_http_accept_events(const gql_http_accept_t *accept)
{
    return accept->candidates[GQL_HTTP_MEDIA_EVENTS].quality != 0;
}


bool
gql_http_media_is_json(prompt_str_t content_type)
{
    gql_http_range_t  range;

    gql_http_range_next(&content_type, &range);

    return content_type.len == 0
           && !range.malformed
           && !range.foreign_charset
           && prompt_scan_same(range.type,
                               gql_http_medias[GQL_HTTP_MEDIA_JSON].name);
}
