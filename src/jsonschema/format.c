/*
 * Formats: their names, and those that are of no family.
 */

#include "jsonschema/format.h"

#include "base/scan.h"
#include "regex/regex.h"


/* RFC 4122, 3; of any version */
static bool
prompt_format_uuid(prompt_str_t text)
{
    return prompt_scan_like(&text, "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx")
           && text.len == 0;
}


/* RFC 6901, 3 */
static bool
prompt_format_json_pointer(prompt_str_t text)
{
    prompt_str_t  part;

    if (text.len != 0 && text.data[0] != '/') {
        return false;
    }

    while (prompt_scan_split(&text, '~', &part)) {
        if (!prompt_scan_char(&text, '0') && !prompt_scan_char(&text, '1')) {
            return false;
        }
    }

    return true;
}


/* digits that do not begin with 0, but for 0 itself */
static bool
prompt_format_number(prompt_str_t *text)
{
    size_t  n;
    bool    zero;

    zero = text->len != 0 && text->data[0] == '0';
    n = prompt_scan_digits(text);

    return n == 1 || (n > 1 && !zero);
}


/* draft-bhutton-relative-json-pointer-00, 3 */
static bool
prompt_format_relative_json_pointer(prompt_str_t text)
{
    if (!prompt_format_number(&text)) {
        return false;
    }

    if ((prompt_scan_char(&text, '+') || prompt_scan_char(&text, '-'))
        && (text.len == 0 || text.data[0] == '0'
            || !prompt_format_number(&text)))
    {
        return false;
    }

    return prompt_str_eq(text, prompt_str("#"))
           || prompt_format_json_pointer(text);
}


#define format(FORMAT, name, matches)                                        \
    [PROMPT_FORMAT_ ## FORMAT] = { prompt_str_init(name), matches }


/* NONE has no name, REGEX may find memory short */
static const struct {
    prompt_str_t   name;
    bool         (*matches)(prompt_str_t text);
} prompt_formats[] = {
    format(DATE_TIME,     "date-time",     prompt_format_date_time),
    format(DATE,          "date",          prompt_format_date),
    format(TIME,          "time",          prompt_format_time),
    format(DURATION,      "duration",      prompt_format_duration),
    format(EMAIL,         "email",         prompt_format_email),
    format(IDN_EMAIL,     "idn-email",     prompt_format_idn_email),
    format(HOSTNAME,      "hostname",      prompt_format_hostname),
    format(IPV4,          "ipv4",          prompt_format_ipv4),
    format(IPV6,          "ipv6",          prompt_format_ipv6),
    format(URI,           "uri",           prompt_format_uri),
    format(URI_REFERENCE, "uri-reference", prompt_format_uri_reference),
    format(IRI,           "iri",           prompt_format_iri),
    format(IRI_REFERENCE, "iri-reference", prompt_format_iri_reference),
    format(URI_TEMPLATE,  "uri-template",  prompt_format_uri_template),
    format(UUID,          "uuid",          prompt_format_uuid),
    format(JSON_POINTER,  "json-pointer",  prompt_format_json_pointer),
    format(RELATIVE_JSON_POINTER, "relative-json-pointer",
           prompt_format_relative_json_pointer),
    format(REGEX,         "regex",         NULL)
};


prompt_format_t
prompt_format(prompt_str_t name)
{
    size_t  i;

    for (i = 0; i < sizeof(prompt_formats) / sizeof(prompt_formats[0]); i++) {
        if (prompt_str_eq(prompt_formats[i].name, name)) {
            return (prompt_format_t) i;
        }
    }

    return PROMPT_FORMAT_NONE;
}


bool
prompt_format_matches(prompt_format_t format, prompt_str_t text, bool *nomem)
{
    prompt_regex_status_t  status;

    if (text.data == NULL) {
        text = prompt_str("");
    }

    if (format == PROMPT_FORMAT_REGEX) {
        status = prompt_regex_check(text);
        *nomem = *nomem || status == PROMPT_REGEX_NOMEM;

        return status != PROMPT_REGEX_NOMEM && status != PROMPT_REGEX_SYNTAX;
    }

    return prompt_formats[format].matches == NULL
           || prompt_formats[format].matches(text);
}
