/*
 * Formats of strings, as `format` names them (JSON Schema 2020-12 validation,
 * 7.3; those of draft-07 are among them).
 */

#ifndef PROMPT_JSONSCHEMA_FORMAT_H
#define PROMPT_JSONSCHEMA_FORMAT_H

#include "base/str.h"


/* NONE: one that is not known, which any string has */
typedef enum {
    PROMPT_FORMAT_NONE = 0,
    PROMPT_FORMAT_DATE_TIME,
    PROMPT_FORMAT_DATE,
    PROMPT_FORMAT_TIME,
    PROMPT_FORMAT_DURATION,
    PROMPT_FORMAT_EMAIL,
    PROMPT_FORMAT_IDN_EMAIL,
    PROMPT_FORMAT_HOSTNAME,
    PROMPT_FORMAT_IPV4,
    PROMPT_FORMAT_IPV6,
    PROMPT_FORMAT_URI,
    PROMPT_FORMAT_URI_REFERENCE,
    PROMPT_FORMAT_IRI,
    PROMPT_FORMAT_IRI_REFERENCE,
    PROMPT_FORMAT_URI_TEMPLATE,
    PROMPT_FORMAT_UUID,
    PROMPT_FORMAT_JSON_POINTER,
    PROMPT_FORMAT_RELATIVE_JSON_POINTER,
    PROMPT_FORMAT_REGEX
} prompt_format_t;


/* The format of that name. */
prompt_format_t prompt_format(prompt_str_t name);

/*
 * Whether the text, which is UTF-8, has the format; in time linear in its
 * length.  *nomem is set where memory is short (regex); the result then means
 * nothing.
 */
bool prompt_format_matches(prompt_format_t format, prompt_str_t text,
    bool *nomem);


/* The single ones, by the room's other files. */
bool prompt_format_date_time(prompt_str_t text);
bool prompt_format_date(prompt_str_t text);
bool prompt_format_time(prompt_str_t text);
bool prompt_format_duration(prompt_str_t text);
bool prompt_format_email(prompt_str_t text);
bool prompt_format_idn_email(prompt_str_t text);
bool prompt_format_hostname(prompt_str_t text);
bool prompt_format_ipv4(prompt_str_t text);
bool prompt_format_ipv6(prompt_str_t text);
bool prompt_format_uri(prompt_str_t text);
bool prompt_format_uri_reference(prompt_str_t text);
bool prompt_format_iri(prompt_str_t text);
bool prompt_format_iri_reference(prompt_str_t text);
bool prompt_format_uri_template(prompt_str_t text);


/* part of a character outside ASCII */
static inline bool
prompt_format_is_beyond(char c)
{
    return (unsigned char) c >= 0x80;
}

#endif /* PROMPT_JSONSCHEMA_FORMAT_H */
