/*
 * Formats: URIs (RFC 3986), IRIs (RFC 3987) and templates of them (RFC 6570).
 */

#include "jsonschema/format.h"
#include "jsonschema/uri.h"

#include "base/digits.h"
#include "base/utf8.h"


/* %HH at the position */
static bool
prompt_format_escape(prompt_str_t text, size_t i)
{
    return text.len - i > 2 && prompt_hex_digit(text.data[i + 1]) >= 0
           && prompt_hex_digit(text.data[i + 2]) >= 0;
}


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
    size_t       i;
    const char  *p, *end;

    end = text.data + text.len;

    for (i = 0; i < text.len; i++) {
        c = text.data[i];

        if (prompt_format_is_alnum(c)
            || (c != '\0' && strchr("-._~!$&'()*+,;=", c) != NULL)
            || (c != '\0' && strchr(more, c) != NULL))
        {
            continue;
        }

        if (c == '%' && prompt_format_escape(text, i)) {
            i += 2;
            continue;
        }

        p = text.data + i;

        if (!international || !prompt_format_is_beyond(c)
            || !prompt_format_is_ucschar(prompt_utf8_next(&p, end), query))
        {
            return false;
        }

        i = (size_t) (p - text.data) - 1;
    }

    return true;
}


/* IPvFuture */
static bool
prompt_format_ip_future(prompt_str_t text)
{
    size_t  i;

    if (text.len == 0 || (text.data[0] | 0x20) != 'v') {
        return false;
    }

    for (i = 1; i < text.len && prompt_hex_digit(text.data[i]) >= 0; i++) {
        /* void */
    }

    if (i == 1 || i + 1 >= text.len || text.data[i] != '.') {
        return false;
    }

    text = prompt_str_of(text.data + i + 1, text.len - i - 1);

    return memchr(text.data, '%', text.len) == NULL
           && prompt_format_uri_chars(text, ":", false, false);
}


static bool
prompt_format_port(prompt_str_t text)
{
    size_t  i;

    for (i = 0; i < text.len; i++) {
        if (!prompt_format_is_digit(text.data[i])) {
            return false;
        }
    }

    return true;
}


static bool
prompt_format_authority(prompt_str_t text, bool international)
{
    size_t        at;
    const char   *p;
    prompt_str_t  host;

    p = text.len != 0 ? memchr(text.data, '@', text.len) : NULL;

    if (p != NULL) {
        at = (size_t) (p - text.data);

        if (!prompt_format_uri_chars(prompt_str_of(text.data, at), ":", false,
                                     international))
        {
            return false;
        }

        text = prompt_str_of(p + 1, text.len - at - 1);
    }

    if (text.len != 0 && text.data[0] == '[') {
        p = memchr(text.data, ']', text.len);

        if (p == NULL) {
            return false;
        }

        host = prompt_str_of(text.data + 1, (size_t) (p - text.data - 1));
        text = prompt_str_of(p + 1, text.len - host.len - 2);

        return (prompt_format_ipv6(host) || prompt_format_ip_future(host))
               && (text.len == 0
                   || (text.data[0] == ':'
                       && prompt_format_port(prompt_str_of(text.data + 1,
                                                           text.len - 1))));
    }

    p = text.len != 0 ? memchr(text.data, ':', text.len) : NULL;

    if (p != NULL) {
        at = (size_t) (p - text.data);

        if (!prompt_format_port(prompt_str_of(p + 1, text.len - at - 1))) {
            return false;
        }

        text.len = at;
    }

    return prompt_format_uri_chars(text, "", false, international);
}


/* a path without scheme and authority: no colon before its first slash */
static bool
prompt_format_no_scheme(prompt_str_t path)
{
    const char  *colon, *slash;

    if (path.len == 0) {
        return true;
    }

    colon = memchr(path.data, ':', path.len);
    slash = memchr(path.data, '/', path.len);

    return colon == NULL || (slash != NULL && slash < colon);
}


bool
prompt_format_uri(prompt_str_t text, bool reference, bool international)
{
    prompt_uri_t  uri;

    prompt_uri_split(text, &uri);

    if (uri.scheme.data == NULL
        && (!reference || (uri.authority.data == NULL
                           && !prompt_format_no_scheme(uri.path))))
    {
        return false;
    }

    if (uri.authority.data != NULL
        && !prompt_format_authority(uri.authority, international))
    {
        return false;
    }

    return prompt_format_uri_chars(uri.path, ":@/", false, international)
           && (uri.query.data == NULL
               || prompt_format_uri_chars(uri.query, ":@/?", true,
                                          international))
           && (uri.fragment.data == NULL
               || prompt_format_uri_chars(uri.fragment, ":@/?", false,
                                          international));
}


/* the name of a variable, at *at, which moves behind it */
static bool
prompt_format_variable(prompt_str_t text, size_t *at)
{
    size_t  start;

    start = *at;

    while (*at < text.len) {
        if (prompt_format_is_alnum(text.data[*at]) || text.data[*at] == '_') {
            (*at)++;

        } else if (text.data[*at] == '%' && prompt_format_escape(text, *at)) {
            *at += 3;

        } else if (text.data[*at] == '.' && *at != start
                   && text.data[*at - 1] != '.')
        {
            (*at)++;

        } else {
            break;
        }
    }

    return *at != start && text.data[*at - 1] != '.';
}


/* what may stand behind a variable: *, or : and a number below 10,000 */
static bool
prompt_format_modifier(prompt_str_t text, size_t *at)
{
    size_t  digits;

    if (*at < text.len && text.data[*at] == '*') {
        (*at)++;
        return true;
    }

    if (*at == text.len || text.data[*at] != ':') {
        return true;
    }

    (*at)++;
    digits = 0;

    while (*at < text.len && prompt_format_is_digit(text.data[*at])) {
        if (digits == 0 && text.data[*at] == '0') {
            return false;
        }

        (*at)++;
        digits++;
    }

    return digits >= 1 && digits <= 4;
}


/* {...}, at *at, which stands behind the brace and moves behind the other */
static bool
prompt_format_expression(prompt_str_t text, size_t *at)
{
    if (*at < text.len && text.data[*at] != '\0'
        && strchr("+#./;?&=,!@|", text.data[*at]) != NULL)
    {
        (*at)++;
    }

    for ( ;; ) {
        if (!prompt_format_variable(text, at)
            || !prompt_format_modifier(text, at) || *at == text.len)
        {
            return false;
        }

        if (text.data[*at] != ',') {
            break;
        }

        (*at)++;
    }

    return text.data[(*at)++] == '}';
}


bool
prompt_format_uri_template(prompt_str_t text)
{
    char         c;
    size_t       i;
    const char  *p, *end;

    i = 0;
    end = text.data + text.len;

    while (i < text.len) {
        c = text.data[i++];

        if (c == '{') {
            if (!prompt_format_expression(text, &i)) {
                return false;
            }

        } else if (c == '%') {
            if (!prompt_format_escape(text, i - 1)) {
                return false;
            }

            i += 2;

        } else if (prompt_format_is_beyond(c)) {
            p = text.data + i - 1;

            if (!prompt_format_is_ucschar(prompt_utf8_next(&p, end), true)) {
                return false;
            }

            i = (size_t) (p - text.data);

        } else if (c <= ' ' || c == 0x7f || strchr("\"<>\\^`|}", c) != NULL) {
            return false;
        }
    }

    return true;
}
