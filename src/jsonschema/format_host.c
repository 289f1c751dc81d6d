/*
 * Formats: hosts (RFC 1123, 2.1), addresses (RFC 2673, 3.2, and RFC 4291,
 * 2.2), and mailboxes (RFC 5321, 4.1.2, and RFC 6531, 3.3).
 */

#include "jsonschema/format.h"

#include "base/digits.h"


#define PROMPT_FORMAT_MAX_LABEL   63
#define PROMPT_FORMAT_MAX_HOST    253
#define PROMPT_FORMAT_MAX_LOCAL   64


bool
prompt_format_hostname(prompt_str_t text, bool international)
{
    char    c;
    size_t  i, start;

    if (text.len == 0 || text.len > PROMPT_FORMAT_MAX_HOST) {
        return false;
    }

    start = 0;

    for (i = 0; i <= text.len; i++) {

        if (i == text.len || text.data[i] == '.') {
            if (i == start || i - start > PROMPT_FORMAT_MAX_LABEL
                || text.data[start] == '-' || text.data[i - 1] == '-')
            {
                return false;
            }

            start = i + 1;
            continue;
        }

        c = text.data[i];

        if (!prompt_format_is_alnum(c) && c != '-'
            && !(international && prompt_format_is_beyond(c)))
        {
            return false;
        }
    }

    return true;
}


bool
prompt_format_ipv4(prompt_str_t text)
{
    size_t    i, digits, parts;
    unsigned  n;

    n = 0;
    digits = 0;
    parts = 0;

    for (i = 0; i <= text.len; i++) {

        if (i == text.len || text.data[i] == '.') {
            if (digits == 0 || n > 255) {
                return false;
            }

            parts++;
            digits = 0;
            n = 0;
            continue;
        }

        if (!prompt_format_is_digit(text.data[i]) || digits == 3
            || (digits == 1 && n == 0))
        {
            return false;
        }

        n = n * 10 + (unsigned) (text.data[i] - '0');
        digits++;
    }

    return parts == 4;
}


bool
prompt_format_ipv6(prompt_str_t text)
{
    bool    gap;
    size_t  i, start, groups;

    gap = false;
    groups = 0;
    i = 0;

    if (text.len >= 2 && text.data[0] == ':' && text.data[1] == ':') {
        gap = true;
        i = 2;
    }

    while (i < text.len) {
        start = i;

        while (i < text.len && prompt_hex_digit(text.data[i]) >= 0) {
            i++;
        }

        if (i < text.len && text.data[i] == '.') {
            return prompt_format_ipv4(prompt_str_of(text.data + start,
                                                    text.len - start))
                   && (gap ? groups < 6 : groups == 6);
        }

        if (i == start || i - start > 4 || ++groups > 8) {
            return false;
        }

        if (i == text.len) {
            break;
        }

        if (text.data[i++] != ':' || i == text.len) {
            return false;
        }

        if (text.data[i] == ':') {
            if (gap) {
                return false;
            }

            gap = true;
            i++;
        }
    }

    return gap ? groups < 8 : groups == 8;
}


static bool
prompt_format_is_atext(char c, bool international)
{
    return prompt_format_is_alnum(c)
           || (c != '\0' && strchr("!#$%&'*+-/=?^_`{|}~", c) != NULL)
           || (international && prompt_format_is_beyond(c));
}


/* "...", at the beginning; how long it is, or 0 */
static size_t
prompt_format_quoted(prompt_str_t text, bool international)
{
    char    c;
    size_t  i;

    for (i = 1; i < text.len; i++) {
        c = text.data[i];

        if (c == '"') {
            return i + 1;
        }

        if (c == '\\') {
            if (++i == text.len) {
                break;
            }

            c = text.data[i];

        }

        if ((c < ' ' || c > '~')
            && !(international && prompt_format_is_beyond(c)))
        {
            break;
        }
    }

    return 0;
}


/* the part before the @; how long it is, or 0 */
static size_t
prompt_format_local(prompt_str_t text, bool international)
{
    size_t  i;

    if (text.len != 0 && text.data[0] == '"') {
        return prompt_format_quoted(text, international);
    }

    for (i = 0; i < text.len && text.data[i] != '@'; i++) {
        if (text.data[i] == '.'
            ? i == 0 || text.data[i - 1] == '.'
            : !prompt_format_is_atext(text.data[i], international))
        {
            return 0;
        }
    }

    return i != 0 && text.data[i - 1] != '.' ? i : 0;
}


/* an address within brackets */
static bool
prompt_format_literal(prompt_str_t text)
{
    size_t  i, colon;

    if (prompt_format_ipv4(text)) {
        return true;
    }

    for (colon = 0; colon < text.len && text.data[colon] != ':'; colon++) {
        if (!prompt_format_is_alnum(text.data[colon])
            && text.data[colon] != '-')
        {
            return false;
        }
    }

    if (colon == 0 || colon == text.len || text.data[colon - 1] == '-') {
        return false;
    }

    if (colon == 4 && (text.data[0] | 0x20) == 'i'
        && (text.data[1] | 0x20) == 'p' && (text.data[2] | 0x20) == 'v'
        && text.data[3] == '6')
    {
        return prompt_format_ipv6(prompt_str_of(text.data + 5, text.len - 5));
    }

    for (i = colon + 1; i < text.len; i++) {
        if (text.data[i] < '!' || text.data[i] > '~' || text.data[i] == '['
            || text.data[i] == '\\' || text.data[i] == ']')
        {
            return false;
        }
    }

    return i != colon + 1;
}


bool
prompt_format_email(prompt_str_t text, bool international)
{
    size_t        local;
    prompt_str_t  host;

    local = prompt_format_local(text, international);

    if (local == 0 || local > PROMPT_FORMAT_MAX_LOCAL || local + 1 >= text.len
        || text.data[local] != '@')
    {
        return false;
    }

    host = prompt_str_of(text.data + local + 1, text.len - local - 1);

    if (host.data[0] == '[' && host.data[host.len - 1] == ']'
        && host.len > 2)
    {
        return prompt_format_literal(prompt_str_of(host.data + 1,
                                                   host.len - 2));
    }

    return prompt_format_hostname(host, international);
}
