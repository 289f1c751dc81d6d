/*
 * Formats: their names, and those that are of no family.
 */

#include "jsonschema/format.h"

#include "base/scan.h"
#include "regex/regex.h"


/* RFC 4122, 3; of any version */
bool
prompt_format_uuid(prompt_str_t text)
{
    return prompt_scan_like(&text, "xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx")
           && text.len == 0;
}


/* RFC 6901, 3 */
bool
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
bool
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


#define PROMPT_FORMAT_ENTRY(id, format, named)                               \
    [PROMPT_FORMAT_ ## id] = {                                               \
        prompt_str_init(named), prompt_format_ ## format                     \
    },

/* NONE has no name, REGEX may find memory short */
static const struct {
    prompt_str_t   name;
    bool         (*matches)(prompt_str_t text);
} prompt_formats[] = {
    PROMPT_FORMATS(PROMPT_FORMAT_ENTRY)
    [PROMPT_FORMAT_REGEX] = { prompt_str_init("regex"), NULL }
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

        if (status == PROMPT_REGEX_NOMEM) {
            *nomem = true;
        }

        return status != PROMPT_REGEX_NOMEM && status != PROMPT_REGEX_SYNTAX;
    }

    return prompt_formats[format].matches == NULL
           || prompt_formats[format].matches(text);
}
