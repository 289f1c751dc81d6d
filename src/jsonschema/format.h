/*
 * Formats of strings, as `format` names them (JSON Schema 2020-12 validation,
 * 7.3; those of draft-07 are among them).
 */

#ifndef PROMPT_JSONSCHEMA_FORMAT_H
#define PROMPT_JSONSCHEMA_FORMAT_H

#include "base/str.h"


#define PROMPT_FORMATS(format)                                               \
    format(DATE_TIME, date_time, "date-time")                                \
    format(DATE, date, "date")                                               \
    format(TIME, time, "time")                                               \
    format(DURATION, duration, "duration")                                   \
    format(EMAIL, email, "email")                                            \
    format(IDN_EMAIL, idn_email, "idn-email")                                \
    format(HOSTNAME, hostname, "hostname")                                   \
    format(IPV4, ipv4, "ipv4")                                               \
    format(IPV6, ipv6, "ipv6")                                               \
    format(URI, uri, "uri")                                                  \
    format(URI_REFERENCE, uri_reference, "uri-reference")                    \
    format(IRI, iri, "iri")                                                  \
    format(IRI_REFERENCE, iri_reference, "iri-reference")                    \
    format(URI_TEMPLATE, uri_template, "uri-template")                       \
    format(UUID, uuid, "uuid")                                               \
    format(JSON_POINTER, json_pointer, "json-pointer")                       \
    format(RELATIVE_JSON_POINTER, relative_json_pointer,                     \
           "relative-json-pointer")

#define PROMPT_FORMAT_ID(id, format, name)  PROMPT_FORMAT_ ## id,

/* NONE: one that is not known, which any string has */
typedef enum {
    PROMPT_FORMAT_NONE = 0,
    PROMPT_FORMATS(PROMPT_FORMAT_ID)
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


/* The single ones, by the room's files. */
#define PROMPT_FORMAT_DECLARE(id, format, name)                              \
    bool prompt_format_ ## format(prompt_str_t text);

PROMPT_FORMATS(PROMPT_FORMAT_DECLARE)


/* part of a character outside ASCII */
static inline bool
prompt_format_is_beyond(char c)
{
    return (unsigned char) c >= 0x80;
}

#endif /* PROMPT_JSONSCHEMA_FORMAT_H */
