/*
 * Elements that are equal, found by a form of them in which equal values have
 * equal bytes: members in the order of their names, numbers without
 * superfluous digits.
 */

#include "base/decimal.h"
#include "base/json_members.h"

#include <stdlib.h>


/* an array, its elements in the form above */
typedef struct {
    prompt_buf_t           buf;
    size_t                *ends;     /* of each element in buf */
    prompt_json_t         *names;    /* each named with its bytes */
    prompt_json_member_t  *members;
} prompt_json_unique_work_t;


static void prompt_json_canonical(prompt_buf_t *buf,
    const prompt_json_t *value);


static void
prompt_json_canonical_number(prompt_buf_t *buf, prompt_str_t text)
{
    size_t            i;
    prompt_decimal_t  d;

    if (!prompt_decimal_parse(text, &d) || d.count == 0) {
        prompt_buf_char(buf, '0');
        return;
    }

    if (d.negative) {
        prompt_buf_char(buf, '-');
    }

    for (i = 0; i < d.span; i++) {
        if (d.digits[i] != '.') {
            prompt_buf_char(buf, d.digits[i]);
        }
    }

    prompt_buf_char(buf, 'e');
    prompt_buf_int(buf, d.exponent);
}


static void
prompt_json_canonical_object(prompt_buf_t *buf, const prompt_json_t *object)
{
    size_t                 i;
    prompt_json_member_t  *members;

    members = calloc(object->count + 1, sizeof(prompt_json_member_t));
    if (members == NULL) {
        buf->status = PROMPT_BUF_NOMEM;
        return;
    }

    prompt_json_members_of(object, members);

    prompt_buf_char(buf, '{');

    for (i = 0; i < object->count; i++) {
        prompt_json_write_string(buf, members[i].value->name);
        prompt_json_canonical(buf, members[i].value);
    }

    prompt_buf_char(buf, '}');

    free(members);
}


/* calls itself no deeper than the value is nested */
static void
prompt_json_canonical(prompt_buf_t *buf, const prompt_json_t *value)
{
    const prompt_json_t  *element;

    switch (value->type) {

    case PROMPT_JSON_NUMBER:
        prompt_json_canonical_number(buf, value->text);
        return;

    case PROMPT_JSON_OBJECT:
        prompt_json_canonical_object(buf, value);
        return;

    case PROMPT_JSON_ARRAY:
        prompt_buf_char(buf, '[');

        for (element = value->first; element != NULL; element = element->next) {
            prompt_json_canonical(buf, element);
            prompt_buf_char(buf, ',');
        }

        prompt_buf_char(buf, ']');
        return;

    default:
        prompt_json_write(buf, value);
    }
}


static prompt_json_unique_t
prompt_json_unique_look(prompt_json_unique_work_t *work,
    const prompt_json_t *array, size_t *twice)
{
    size_t                       i, start;
    const prompt_json_t         *element;
    const prompt_json_member_t  *found;

    work->ends = calloc(array->count, sizeof(size_t));
    work->names = calloc(array->count, sizeof(prompt_json_t));
    work->members = calloc(array->count, sizeof(prompt_json_member_t));

    if (work->ends == NULL || work->names == NULL || work->members == NULL) {
        return PROMPT_JSON_UNIQUE_NOMEM;
    }

    i = 0;

    for (element = array->first; element != NULL; element = element->next) {
        prompt_json_canonical(&work->buf, element);
        work->ends[i++] = work->buf.len;
    }

    if (work->buf.status != PROMPT_BUF_OK) {
        return PROMPT_JSON_UNIQUE_NOMEM;
    }

    start = 0;

    for (i = 0; i < array->count; i++) {
        work->names[i].name = prompt_str_of(work->buf.data + start,
                                            work->ends[i] - start);
        work->members[i].value = &work->names[i];
        work->members[i].offset = i;
        work->members[i].hash = prompt_str_hash_seeded(work->names[i].name,
                                                (uintptr_t) work->buf.data);
        start = work->ends[i];
    }

    found = prompt_json_members_twice(work->members, array->count);

    if (found == NULL) {
        return PROMPT_JSON_UNIQUE;
    }

    *twice = found->offset;

    return PROMPT_JSON_NOT_UNIQUE;
}


prompt_json_unique_t
prompt_json_unique(const prompt_json_t *array, size_t *twice, size_t *bytes)
{
    prompt_json_unique_t       rc;
    prompt_json_unique_work_t  work;

    *bytes = 0;

    if (array->count < 2) {
        return PROMPT_JSON_UNIQUE;
    }

    memset(&work, 0, sizeof(work));
    prompt_buf_init(&work.buf, SIZE_MAX);

    rc = prompt_json_unique_look(&work, array, twice);
    *bytes = work.buf.len;

    prompt_buf_free(&work.buf);
    free(work.ends);
    free(work.names);
    free(work.members);

    return rc;
}
