/*
 * Formats: URIs (RFC 3986), IRIs (RFC 3987) and templates of them (RFC 6570).
 */

#include "jsonschema/format.h"
#include "jsonschema/uri.h"

#include "base/scan.h"
#include "base/utf8.h"


/* RFC 3987, 2.2: ucschar; in a query iprivate, too */
static bool
prompt_format_is_ucschar(uint32_t cp, bool query)
{
    if (query && ((cp >= 0xe000 && cp <= 0xf8ff) || cp >= 0xf0000)) {
        return (cp & 0xffff) <= 0xfffd;
    }

    if (cp < 0xa0 || (cp >= 0xe000 && cp <= 0xf8ff) || cp > 0xefffd) {
        return false;
    }

    if (cp < 0x10000) {
        return !(cp >= 0xfdd0 && cp <= 0xfdef) && cp <= 0xffef;
    }

    return (cp & 0xffff) <= 0xfffd && !(cp >= 0xe0000 && cp < 0xe1000);
}


/*
 * Whether the text consists of unreserved characters, sub-delims, escapes and
 * those of more; with ucschar where it is an IRI's.
 */
static bool
prompt_format_uri_chars(prompt_str_t text, const char *more, bool query,
    bool international)
{
    char         c;
    const char  *p;

    while (text.len != 0) {
        c = text.data[0];
        p = text.data;

        if (prompt_scan_is_alnum(c)
            || (c != '\0' && (strchr("-._~!$&'()*+,;=", c) != NULL
                              || strchr(more, c) != NULL)))
        {
            p++;

        } else if (c == '%') {
            if (!prompt_scan_like(&text, "%xx")) {
                return false;
            }

            p = text.data;

        } else if (!international || !prompt_format_is_beyond(c)
                   || !prompt_format_is_ucschar(prompt_utf8_next(&p, text.data
                                                                 + text.len),
                                                query))
        {
            return false;
        }

        prompt_scan_skip(&text, (size_t) (p - text.data));
    }

    return true;
}


/* IPvFuture */
static bool
prompt_format_ip_future(prompt_str_t text)
{
    prompt_str_t  version;

    if ((!prompt_scan_char(&text, 'v') && !prompt_scan_char(&text, 'V'))
        || !prompt_scan_split(&text, '.', &version) || version.len == 0)
    {
        return false;
    }

    while (prompt_scan_like(&version, "x")) { /* void */ }

    return version.len == 0 && text.len != 0
           && memchr(text.data, '%', text.len) == NULL
           && prompt_format_uri_chars(text, ":", false, false);
}


/* nothing but digits, and there may be none */
static bool
prompt_format_port(prompt_str_t text)
{
    (void) prompt_scan_digits(&text);

    return text.len == 0;
}


static bool
prompt_format_authority(prompt_str_t text, bool international)
{
    prompt_str_t  rest, part;

    rest = text;

    if (prompt_scan_split(&rest, '@', &part)) {
        if (!prompt_format_uri_chars(part, ":", false, international)) {
            return false;
        }

        text = rest;
    }

    if (prompt_scan_char(&text, '[')) {
        return prompt_scan_split(&text, ']', &part)
               && (prompt_format_ipv6(part) || prompt_format_ip_future(part))
               && (text.len == 0 || (prompt_scan_char(&text, ':')
                                     && prompt_format_port(text)));
    }

    (void) prompt_scan_split(&text, ':', &part);

    return prompt_format_port(text)
           && prompt_format_uri_chars(part, "", false, international);
}


/* a path without scheme and authority: no colon before its first slash */
static bool
prompt_format_no_scheme(prompt_str_t path)
{
    prompt_str_t  segment, before;

    (void) prompt_scan_split(&path, '/', &segment);

    return !prompt_scan_split(&segment, ':', &before);
}


static bool
prompt_format_uri_or_iri(prompt_str_t text, bool reference, bool international)
{
    prompt_uri_t  uri;

    prompt_uri_split(text, &uri);

    if (uri.scheme.data == NULL
        && (!reference || (uri.authority.data == NULL
                           && !prompt_format_no_scheme(uri.path))))
    {
        return false;
    }

    /* what is absent has nothing that it may not have */

    return (uri.authority.data == NULL
            || prompt_format_authority(uri.authority, international))
           && prompt_format_uri_chars(uri.path, ":@/", false, international)
           && prompt_format_uri_chars(uri.query, ":@/?", true, international)
           && prompt_format_uri_chars(uri.fragment, ":@/?", false,
                                      international);
}


bool
prompt_format_uri(prompt_str_t text)
{
    return prompt_format_uri_or_iri(text, false, false);
}


bool
prompt_format_uri_reference(prompt_str_t text)
{
    return prompt_format_uri_or_iri(text, true, false);
}


bool
prompt_format_iri(prompt_str_t text)
{
    return prompt_format_uri_or_iri(text, false, true);
}


bool
prompt_format_iri_reference(prompt_str_t text)
{
    return prompt_format_uri_or_iri(text, true, true);
}


/* the name of a variable: parts with points between them, none of them empty */
static bool
prompt_format_variable(prompt_str_t *text)
{
    const char  *start;

    do {
        start = text->data;

        for ( ;; ) {
            if (text->len != 0 && (prompt_scan_is_alnum(text->data[0])
                                   || text->data[0] == '_'))
            {
                prompt_scan_skip(text, 1);

            } else if (!prompt_scan_like(text, "%xx")) {
                break;
            }
        }

        if (text->data == start) {
            return false;
        }

    } while (prompt_scan_char(text, '.'));

    return true;
}


/* what may stand behind a variable: *, or : and a number below 10,000 */
static bool
prompt_format_modifier(prompt_str_t *text)
{
    const char  *number;

    if (!prompt_scan_char(text, ':')) {
        (void) prompt_scan_char(text, '*');
        return true;
    }

    number = text->data;

    switch (prompt_scan_digits(text)) {

    case 1: case 2: case 3: case 4:
        return *number != '0';

    default:
        return false;
    }
}


/* {...}, behind the brace */
static bool
prompt_format_expression(prompt_str_t *text)
{
    if (text->len != 0 && text->data[0] != '\0'
        && strchr("+#./;?&=,!@|", text->data[0]) != NULL)
    {
        prompt_scan_skip(text, 1);
    }

    do {
        if (!prompt_format_variable(text) || !prompt_format_modifier(text)) {
            return false;
        }
    } while (prompt_scan_char(text, ','));

    return prompt_scan_char(text, '}');
}


bool
prompt_format_uri_template(prompt_str_t text)
{
    char         c;
    const char  *p;

    while (text.len != 0) {
        c = text.data[0];

        if (prompt_scan_char(&text, '{')) {
            if (!prompt_format_expression(&text)) {
                return false;
            }

        } else if (prompt_format_is_beyond(c)) {
            p = text.data;

            if (!prompt_format_is_ucschar(prompt_utf8_next(&p, p + text.len),
                                          true))
            {
                return false;
            }

            prompt_scan_skip(&text, (size_t) (p - text.data));

        } else if (c <= ' ' || c == 0x7f || strchr("\"<>\\^`|}%", c) != NULL) {

            if (!prompt_scan_like(&text, "%xx")) {
                return false;
            }

        } else {
            prompt_scan_skip(&text, 1);
        }
    }

    return true;
}
