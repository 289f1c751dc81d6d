/*
 * Spans: the text of a value within a JSON text, for those who pass on what
 * stands there as it is.  They are views; absent where there is no such value.
 *
 * A text that is no JSON has no spans from where it is none.
 */

#ifndef PROMPT_BASE_JSON_SPAN_H
#define PROMPT_BASE_JSON_SPAN_H

#include "base/json.h"


/* The value of an object's member, whose name has no escapes. */
prompt_str_t prompt_json_span(prompt_str_t object, const char *name);

/*
 * A walk over the elements of an array, or the members of an object: begin(),
 * also with an absent text or another value, then next() until it is false.
 * name: as it is written, without its quotes; NULL: of elements.
 */
void prompt_json_span_begin(prompt_json_scan_t *scan, prompt_str_t container);
bool prompt_json_span_next(prompt_json_scan_t *scan, prompt_str_t *name,
    prompt_str_t *value);

/*
 * Reads on where template is what comes next: each $ and a letter in it is a
 * value, which goes into values by the letter, absent where it is null.  False:
 * something else comes, of which nothing is consumed, or it is no JSON.
 */
bool prompt_json_span_match(prompt_json_scan_t *scan, const char *template,
    prompt_str_t *values);

/* Whether it is this JSON; whether there is one, and it is not null. */
bool prompt_json_span_is(prompt_str_t span, const char *json);
bool prompt_json_span_set(prompt_str_t span);

/* What is between the quotes of a string; absent: it is none. */
prompt_str_t prompt_json_span_inner(prompt_str_t span);

/* A comma, unless it would be the first thing in a list or object. */
void prompt_json_span_comma(prompt_buf_t *buf);

#endif /* PROMPT_BASE_JSON_SPAN_H */
