/*
 * Formats: hosts (RFC 1123, 2.1), addresses (RFC 2673, 3.2, and RFC 4291,
 * 2.2), and mailboxes (RFC 5321, 4.1.2, and RFC 6531, 3.3).
 */

#include "jsonschema/format.h"

#include "base/scan.h"


#define PROMPT_FORMAT_MAX_LABEL   63
#define PROMPT_FORMAT_MAX_HOST    253
#define PROMPT_FORMAT_MAX_LOCAL   64


static bool
prompt_format_label(prompt_str_t label, bool international)
{
    char    c;
    size_t  i;

    for (i = 0; i < label.len; i++) {
        c = label.data[i];

        if (!prompt_scan_is_alnum(c) && c != '-'
            && !(international && prompt_format_is_beyond(c)))
        {
            return false;
        }
    }

    return label.len != 0 && label.len <= PROMPT_FORMAT_MAX_LABEL
           && label.data[0] != '-' && label.data[label.len - 1] != '-';
}


/* international: with characters outside ASCII */
static bool
prompt_format_host(prompt_str_t text, bool international)
{
    bool          more;
    prompt_str_t  label;

    if (text.len > PROMPT_FORMAT_MAX_HOST) {
        return false;
    }

    do {
        more = prompt_scan_split(&text, '.', &label);

        if (!prompt_format_label(label, international)) {
            return false;
        }

    } while (more);

    return true;
}


bool
prompt_format_hostname(prompt_str_t text)
{
    return prompt_format_host(text, false);
}


bool
prompt_format_ipv4(prompt_str_t text)
{
    bool          more;
    size_t        parts, digits;
    prompt_str_t  part, rest;

    parts = 0;

    do {
        more = prompt_scan_split(&text, '.', &part);
        rest = part;
        digits = prompt_scan_digits(&rest);

        if (digits == 0 || digits > 3 || rest.len != 0
            || (digits > 1 && part.data[0] == '0')
            || (digits == 3 && memcmp(part.data, "255", 3) > 0))
        {
            return false;
        }

        parts++;

    } while (more);

    return parts == 4;
}


bool
prompt_format_ipv6(prompt_str_t text)
{
    bool          gap;
    size_t        digits, groups;
    prompt_str_t  rest;

    gap = prompt_scan_word(&text, prompt_str("::"));
    groups = 0;

    while (text.len != 0) {
        rest = text;

        while (rest.len != 0 && prompt_hex_digit(rest.data[0]) >= 0) {
            prompt_scan_skip(&rest, 1);
        }

        if (rest.len != 0 && rest.data[0] == '.') {
            return prompt_format_ipv4(text) && (gap ? groups < 6 : groups == 6);
        }

        digits = text.len - rest.len;
        text = rest;

        if (digits == 0 || digits > 4 || ++groups > 8) {
            return false;
        }

        if (text.len == 0) {
            break;
        }

        if (!prompt_scan_char(&text, ':') || text.len == 0) {
            return false;
        }

        if (prompt_scan_char(&text, ':')) {
            if (gap) {
                return false;
            }

            gap = true;
        }
    }

    return gap ? groups < 8 : groups == 8;
}


static bool
prompt_format_is_atext(char c, bool international)
{
    return prompt_scan_is_alnum(c)
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


/* an address within brackets: of IPv4, or behind a tag */
static bool
prompt_format_literal(prompt_str_t text)
{
    size_t        i;
    prompt_str_t  tag;

    if (prompt_format_ipv4(text)) {
        return true;
    }

    if (!prompt_scan_split(&text, ':', &tag) || tag.len == 0
        || tag.data[tag.len - 1] == '-' || !prompt_scan_all(tag, "-"))
    {
        return false;
    }

    if (prompt_scan_same(tag, prompt_str("IPv6"))) {
        return prompt_format_ipv6(text);
    }

    for (i = 0; i < text.len; i++) {
        if (text.data[i] < '!' || text.data[i] > '~'
            || strchr("[\\]", text.data[i]) != NULL)
        {
            return false;
        }
    }

    return text.len != 0;
}


static bool
prompt_format_mailbox(prompt_str_t text, bool international)
{
    size_t  local;

    local = prompt_format_local(text, international);

    if (local == 0 || local > PROMPT_FORMAT_MAX_LOCAL) {
        return false;
    }

    prompt_scan_skip(&text, local);

    if (!prompt_scan_char(&text, '@')) {
        return false;
    }

    return text.len > 2 && text.data[0] == '['
           && text.data[text.len - 1] == ']'
           ? prompt_format_literal(prompt_str_of(text.data + 1, text.len - 2))
           : prompt_format_host(text, international);
}


bool
prompt_format_email(prompt_str_t text)
{
    return prompt_format_mailbox(text, false);
}


bool
prompt_format_idn_email(prompt_str_t text)
{
    return prompt_format_mailbox(text, true);
}
