/*
 * JSON reader: the tree of a value, on top of the pull reader.
 */

#include "base/json_impl.h"
#include "base/json_members.h"

#include <stdlib.h>


/*
 * The members of the objects that are open, innermost last: duplicates are
 * looked for when an object ends.  Not in the arena, as it is wanted for the
 * time of reading only; no larger than a small multiple of the text.
 */
typedef struct {
    prompt_json_scan_t    *scan;
    prompt_arena_t        *arena;
    prompt_json_member_t  *open;
    size_t                 count;
    size_t                 size;
} prompt_json_reader_t;


static prompt_json_t *prompt_json_read_value(prompt_json_reader_t *reader);


static bool
prompt_json_nomem(prompt_json_reader_t *reader)
{
    return prompt_json_fail(reader->scan, reader->scan->pos, PROMPT_JSON_NOMEM,
                            "out of memory");
}


static bool
prompt_json_open(prompt_json_reader_t *reader, const prompt_json_t *value,
    const char *name)
{
    size_t                 size;
    prompt_json_member_t  *open;

    if (reader->count == reader->size) {
        size = reader->size != 0 ? reader->size * 2 : 32;

        if (size > SIZE_MAX / sizeof(prompt_json_member_t)) {
            return prompt_json_nomem(reader);
        }

        open = realloc(reader->open, size * sizeof(prompt_json_member_t));
        if (open == NULL) {
            return prompt_json_nomem(reader);
        }

        reader->open = open;
        reader->size = size;
    }

    open = &reader->open[reader->count++];
    open->value = value;
    open->offset = (size_t) (name - reader->scan->start);
    open->hash = prompt_str_hash_seeded(value->name,
                                        (uintptr_t) reader->arena);

    return true;
}


static bool
prompt_json_read_object(prompt_json_reader_t *reader, prompt_json_t *object)
{
    size_t                       base;
    prompt_str_t                 raw, name;
    prompt_json_t               *value;
    const prompt_json_member_t  *twice;

    base = reader->count;

    while (prompt_json_scan_member(reader->scan, &raw)) {
        name = raw;

        if (raw.len != 0 && memchr(raw.data, '\\', raw.len) != NULL
            && !prompt_json_decode(reader->scan, reader->arena, raw, &name))
        {
            return false;
        }

        value = prompt_json_read_value(reader);
        if (value == NULL) {
            return false;
        }

        prompt_json_set(object, name, value);

        if (!prompt_json_open(reader, value, raw.data - 1)) {
            return false;
        }
    }

    if (reader->scan->error.status != PROMPT_JSON_OK) {
        return false;
    }

    /* of the empty object nothing is open, and perhaps nothing ever was */

    twice = reader->count != base
            ? prompt_json_members_twice(reader->open + base,
                                        reader->count - base)
            : NULL;

    if (twice != NULL) {
        return prompt_json_fail(reader->scan,
                                reader->scan->start + twice->offset,
                                PROMPT_JSON_DUPLICATE, "duplicate member");
    }

    reader->count = base;

    return true;
}


static bool
prompt_json_read_array(prompt_json_reader_t *reader, prompt_json_t *array)
{
    prompt_json_t  *value;

    while (prompt_json_scan_element(reader->scan)) {
        value = prompt_json_read_value(reader);
        if (value == NULL) {
            return false;
        }

        prompt_json_append(array, value);
    }

    return reader->scan->error.status == PROMPT_JSON_OK;
}


static bool
prompt_json_read_scalar(prompt_json_reader_t *reader, prompt_json_t *value)
{
    bool  escaped;

    if (!prompt_json_lex_scalar(reader->scan, value->type, &value->text,
                                &escaped))
    {
        return false;
    }

    if (escaped) {
        return prompt_json_decode(reader->scan, reader->arena, value->text,
                                  &value->text);
    }

    /* text is what strings and numbers have */

    if (value->type == PROMPT_JSON_BOOLEAN || value->type == PROMPT_JSON_NULL) {
        value->boolean = value->text.data[0] == 't';
        value->text = prompt_str_absent;
    }

    return true;
}


/* Recursion goes no deeper than max_depth of the scan. */
static prompt_json_t *
prompt_json_read_value(prompt_json_reader_t *reader)
{
    bool                 done;
    prompt_json_t       *value;
    prompt_json_scan_t  *scan;
    prompt_json_type_t   type;

    scan = reader->scan;
    type = prompt_json_scan_type(scan);

    if (scan->error.status != PROMPT_JSON_OK) {
        return NULL;
    }

    if (scan->values-- == 0) {
        (void) prompt_json_fail(scan, scan->pos, PROMPT_JSON_VALUES,
                                "too many values");
        return NULL;
    }

    value = prompt_json_new(reader->arena, type);
    if (value == NULL) {
        (void) prompt_json_nomem(reader);
        return NULL;
    }

    switch (type) {

    case PROMPT_JSON_OBJECT:
        done = prompt_json_scan_object(scan)
               && prompt_json_read_object(reader, value);
        break;

    case PROMPT_JSON_ARRAY:
        done = prompt_json_scan_array(scan)
               && prompt_json_read_array(reader, value);
        break;

    default:
        done = prompt_json_read_scalar(reader, value);
    }

    return done ? value : NULL;
}


prompt_json_t *
prompt_json_scan_value(prompt_json_scan_t *scan, prompt_arena_t *arena)
{
    prompt_json_t         *value;
    prompt_json_reader_t   reader;

    reader.scan = scan;
    reader.arena = arena;
    reader.open = NULL;
    reader.count = 0;
    reader.size = 0;

    value = prompt_json_read_value(&reader);

    free(reader.open);

    return value;
}


prompt_json_t *
prompt_json_read(prompt_arena_t *arena, prompt_str_t text, unsigned max_depth,
    prompt_json_error_t *error)
{
    return prompt_json_read_bounded(arena, text, max_depth, UINT32_MAX, error);
}


prompt_json_t *
prompt_json_read_bounded(prompt_arena_t *arena, prompt_str_t text,
    unsigned max_depth, uint32_t max_values, prompt_json_error_t *error)
{
    prompt_json_t       *value;
    prompt_json_scan_t   scan;

    prompt_json_scan_init(&scan, text, max_depth);
    scan.values = max_values;

    value = prompt_json_scan_value(&scan, arena);

    if (value != NULL && !prompt_json_scan_end(&scan)) {
        value = NULL;
    }

    *error = scan.error;

    return value;
}
