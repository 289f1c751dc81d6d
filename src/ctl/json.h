/*
 * JSON for promptctl: trees of jansson, in which numbers are what was sent.
 *
 * jansson would make a double of 0.10 or 1e2, and refuse what is longer than 64
 * bits.  Parameters of a prompt, inputs and costs come back as they were.  So
 * a number that was read is a string here: U+0000 and its text; a string that
 * begins with U+0000 has one more.  ctl_text() and the others below know, and
 * so does what writes.  A number of promptctl's own may be a JSON integer.
 *
 * Who makes or asks for a tree gives it back (json_decref()), but for trees
 * that the run ends with.  Where memory is short the run ends.
 */

#ifndef CTL_JSON_H
#define CTL_JSON_H

#include <jansson.h>

#include "base/buf.h"
#include "ctl/ctl.h"


#define CTL_JSON_MAX  ((size_t) 1024 * 1024 * 1024)


/* Reads a text; NULL where it is not JSON, or has a member twice: see error. */
json_t *ctl_json_read(prompt_str_t text, json_error_t *error);

/*
 * Writes a value to the end of buf, compact, or with one member a line and
 * indented where that is wanted.
 */
void ctl_json_write(prompt_buf_t *buf, const json_t *value, bool indented);

/* what a function of jansson gave, which is NULL where memory is short */
json_t *ctl_json(json_t *value);

/* a string, or null where text is absent; the run ends where it is no UTF-8 */
json_t *ctl_json_text(prompt_str_t text);

/* a member or element more, which takes the value; NULL: memory was short */
void ctl_json_set(json_t *object, const char *name, json_t *value);
void ctl_json_append(json_t *array, json_t *value);

/*
 * A member of that name: its text where it is a string, else absent; its
 * value where it is an integer, else 0.  A list: NULL where it is none.  They
 * do with any value, NULL too.
 */
prompt_str_t ctl_text(const json_t *object, const char *name);
int64_t ctl_integer(const json_t *object, const char *name);
json_t *ctl_list(const json_t *object, const char *name);

/* the same of a value itself: the text of a number, too */
prompt_str_t ctl_text_of(const json_t *value);
prompt_str_t ctl_number_of(const json_t *value);

#endif /* CTL_JSON_H */
