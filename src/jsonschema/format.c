/*
 * Formats: their names, and those that are of no family.
 */

#include "jsonschema/format.h"

#include "base/digits.h"
#include "regex/regex.h"


static const struct {
    prompt_str_t     name;
    prompt_format_t  format;
} prompt_formats[] = {
    { prompt_str_init("date-time"),       PROMPT_FORMAT_DATE_TIME },
    { prompt_str_init("date"),            PROMPT_FORMAT_DATE },
    { prompt_str_init("time"),            PROMPT_FORMAT_TIME },
    { prompt_str_init("duration"),        PROMPT_FORMAT_DURATION },
    { prompt_str_init("email"),           PROMPT_FORMAT_EMAIL },
    { prompt_str_init("idn-email"),       PROMPT_FORMAT_IDN_EMAIL },
    { prompt_str_init("hostname"),        PROMPT_FORMAT_HOSTNAME },
    { prompt_str_init("ipv4"),            PROMPT_FORMAT_IPV4 },
    { prompt_str_init("ipv6"),            PROMPT_FORMAT_IPV6 },
    { prompt_str_init("uri"),             PROMPT_FORMAT_URI },
    { prompt_str_init("uri-reference"),   PROMPT_FORMAT_URI_REFERENCE },
    { prompt_str_init("iri"),             PROMPT_FORMAT_IRI },
    { prompt_str_init("iri-reference"),   PROMPT_FORMAT_IRI_REFERENCE },
    { prompt_str_init("uri-template"),    PROMPT_FORMAT_URI_TEMPLATE },
    { prompt_str_init("uuid"),            PROMPT_FORMAT_UUID },
    { prompt_str_init("json-pointer"),    PROMPT_FORMAT_JSON_POINTER },
    { prompt_str_init("relative-json-pointer"),
      PROMPT_FORMAT_RELATIVE_JSON_POINTER },
    { prompt_str_init("regex"),           PROMPT_FORMAT_REGEX }
};


prompt_format_t
prompt_format(prompt_str_t name)
{
    size_t  i;

    for (i = 0; i < sizeof(prompt_formats) / sizeof(prompt_formats[0]); i++) {
        if (prompt_str_eq(prompt_formats[i].name, name)) {
            return prompt_formats[i].format;
        }
    }

    return PROMPT_FORMAT_NONE;
}


/* RFC 4122, 3; of any version */
static bool
prompt_format_uuid(prompt_str_t text)
{
    size_t  i;

    if (text.len != 36) {
        return false;
    }

    for (i = 0; i < text.len; i++) {
        if (i == 8 || i == 13 || i == 18 || i == 23
            ? text.data[i] != '-' : prompt_hex_digit(text.data[i]) < 0)
        {
            return false;
        }
    }

    return true;
}


/* RFC 6901, 3 */
static bool
prompt_format_json_pointer(prompt_str_t text)
{
    size_t  i;

    if (text.len != 0 && text.data[0] != '/') {
        return false;
    }

    for (i = 0; i < text.len; i++) {
        if (text.data[i] == '~'
            && (i + 1 == text.len
                || (text.data[i + 1] != '0' && text.data[i + 1] != '1')))
        {
            return false;
        }
    }

    return true;
}


/* digits that do not begin with 0, but for 0 itself; behind them */
static bool
prompt_format_number(prompt_str_t *text)
{
    size_t  n;

    n = 0;

    while (n < text->len && prompt_format_is_digit(text->data[n])) {
        n++;
    }

    if (n == 0 || (n > 1 && text->data[0] == '0')) {
        return false;
    }

    text->data += n;
    text->len -= n;

    return true;
}


/* draft-bhutton-relative-json-pointer-00, 3 */
static bool
prompt_format_relative_json_pointer(prompt_str_t text)
{
    if (!prompt_format_number(&text)) {
        return false;
    }

    if (text.len != 0 && (text.data[0] == '+' || text.data[0] == '-')) {
        text.data++;
        text.len--;

        if (text.len == 0 || text.data[0] == '0'
            || !prompt_format_number(&text))
        {
            return false;
        }
    }

    return (text.len == 1 && text.data[0] == '#')
           || prompt_format_json_pointer(text);
}


static bool
prompt_format_regex(prompt_str_t text, bool *nomem)
{
    switch (prompt_regex_check(text)) {

    case PROMPT_REGEX_NOMEM:
        *nomem = true;
        return false;

    case PROMPT_REGEX_SYNTAX:
        return false;

    default:
        return true;
    }
}


bool
prompt_format_matches(prompt_format_t format, prompt_str_t text, bool *nomem)
{
    if (text.data == NULL) {
        text = prompt_str("");
    }

    switch (format) {

    case PROMPT_FORMAT_NONE:
        return true;

    case PROMPT_FORMAT_DATE_TIME:
        return prompt_format_date_time(text);

    case PROMPT_FORMAT_DATE:
        return prompt_format_date(text);

    case PROMPT_FORMAT_TIME:
        return prompt_format_time(text);

    case PROMPT_FORMAT_DURATION:
        return prompt_format_duration(text);

    case PROMPT_FORMAT_EMAIL:
    case PROMPT_FORMAT_IDN_EMAIL:
        return prompt_format_email(text, format == PROMPT_FORMAT_IDN_EMAIL);

    case PROMPT_FORMAT_HOSTNAME:
        return prompt_format_hostname(text, false);

    case PROMPT_FORMAT_IPV4:
        return prompt_format_ipv4(text);

    case PROMPT_FORMAT_IPV6:
        return prompt_format_ipv6(text);

    case PROMPT_FORMAT_URI:
    case PROMPT_FORMAT_URI_REFERENCE:
        return prompt_format_uri(text, format == PROMPT_FORMAT_URI_REFERENCE,
                                 false);

    case PROMPT_FORMAT_IRI:
    case PROMPT_FORMAT_IRI_REFERENCE:
        return prompt_format_uri(text, format == PROMPT_FORMAT_IRI_REFERENCE,
                                 true);

    case PROMPT_FORMAT_URI_TEMPLATE:
        return prompt_format_uri_template(text);

    case PROMPT_FORMAT_UUID:
        return prompt_format_uuid(text);

    case PROMPT_FORMAT_JSON_POINTER:
        return prompt_format_json_pointer(text);

    case PROMPT_FORMAT_RELATIVE_JSON_POINTER:
        return prompt_format_relative_json_pointer(text);

    case PROMPT_FORMAT_REGEX:
        return prompt_format_regex(text, nomem);
    }

    return true;
}
