/*
 * JSON values: building them and finding one's way in them.
 *
 * The functions that walk a value call themselves, no deeper than the value
 * is nested, which whoever read or built it has limited.
 */

#include "base/json.h"

#include "base/link.h"
#include "base/utf8.h"


prompt_json_t *
prompt_json_new(prompt_arena_t *arena, prompt_json_type_t type)
{
    prompt_json_t  *value;

    value = prompt_arena_zalloc(arena, sizeof(prompt_json_t));
    if (value == NULL) {
        return NULL;
    }

    value->type = type;

    return value;
}


prompt_json_t *
prompt_json_new_string(prompt_arena_t *arena, prompt_str_t s)
{
    prompt_json_t  *value;

    value = prompt_json_new(arena, PROMPT_JSON_STRING);

    if (value != NULL) {
        value->text = s;
    }

    return value;
}


prompt_json_t *
prompt_json_new_integer(prompt_arena_t *arena, int64_t n)
{
    prompt_json_t  *value;

    value = prompt_json_new(arena, PROMPT_JSON_NUMBER);
    if (value == NULL) {
        return NULL;
    }

    value->text = prompt_arena_printf(arena, "%lld", (long long) n);

    return value->text.data != NULL ? value : NULL;
}


void
prompt_json_append(prompt_json_t *array, prompt_json_t *value)
{
    value->next = NULL;
    prompt_link(array, value, next);
    array->count++;
}


void
prompt_json_set(prompt_json_t *object, prompt_str_t name, prompt_json_t *value)
{
    value->name = name;
    prompt_json_append(object, value);
}


static bool
prompt_json_set_new(prompt_json_t *object, const char *name,
    prompt_json_t *value)
{
    if (value != NULL) {
        prompt_json_set(object, prompt_str_from(name), value);
    }

    return value != NULL;
}


bool
prompt_json_set_string(prompt_json_t *object, prompt_arena_t *arena,
    const char *name, prompt_str_t s)
{
    return prompt_json_set_new(object, name, prompt_json_new_string(arena, s));
}


bool
prompt_json_set_integer(prompt_json_t *object, prompt_arena_t *arena,
    const char *name, int64_t n)
{
    return prompt_json_set_new(object, name, prompt_json_new_integer(arena, n));
}


/* text copied, absence kept */
static bool
prompt_json_copy_text(prompt_arena_t *arena, prompt_str_t from,
    prompt_str_t *to)
{
    if (from.data == NULL) {
        *to = from;
        return true;
    }

    *to = prompt_arena_copy(arena, from);

    return to->data != NULL;
}


prompt_json_t *
prompt_json_copy(prompt_arena_t *arena, const prompt_json_t *value)
{
    prompt_json_t        *copy, *child;
    const prompt_json_t  *from;

    copy = prompt_json_new(arena, value->type);
    if (copy == NULL
        || !prompt_json_copy_text(arena, value->text, &copy->text))
    {
        return NULL;
    }

    copy->boolean = value->boolean;

    for (from = value->first; from != NULL; from = from->next) {
        child = prompt_json_copy(arena, from);
        if (child == NULL
            || !prompt_json_copy_text(arena, from->name, &child->name))
        {
            return NULL;
        }

        prompt_json_append(copy, child);
    }

    return copy;
}


prompt_json_t *
prompt_json_get(const prompt_json_t *object, prompt_str_t name)
{
    prompt_json_t  *member;

    if (object == NULL || object->type != PROMPT_JSON_OBJECT) {
        return NULL;
    }

    for (member = object->first; member != NULL; member = member->next) {
        if (prompt_str_eq(member->name, name)) {
            return member;
        }
    }

    return NULL;
}


prompt_json_t *
prompt_json_at(const prompt_json_t *array, size_t index)
{
    prompt_json_t  *element;

    if (array == NULL || array->type != PROMPT_JSON_ARRAY
        || index >= array->count)
    {
        return NULL;
    }

    for (element = array->first; index != 0; index--) {
        element = element->next;
    }

    return element;
}


static bool
prompt_json_has_nul(prompt_str_t s)
{
    return s.len != 0 && memchr(s.data, '\0', s.len) != NULL;
}


const prompt_json_t *
prompt_json_find_nul(const prompt_json_t *value)
{
    const prompt_json_t  *child, *found;

    if (prompt_json_has_nul(value->name)
        || (value->type == PROMPT_JSON_STRING
            && prompt_json_has_nul(value->text)))
    {
        return value;
    }

    for (child = value->first; child != NULL; child = child->next) {
        found = prompt_json_find_nul(child);
        if (found != NULL) {
            return found;
        }
    }

    return NULL;
}


void
prompt_json_position(prompt_str_t text, size_t offset, unsigned *line,
    unsigned *column)
{
    const char  *p, *at, *end;

    *line = 1;
    *column = 1;

    if (text.len == 0) {
        return;
    }

    p = text.data;
    end = p + text.len;
    at = p + (offset < text.len ? offset : text.len);

    while (p < at) {

        if (*p == '\n' || *p == '\r') {
            p += *p == '\r' && p + 1 < at && p[1] == '\n' ? 2 : 1;
            (*line)++;
            *column = 1;
            continue;
        }

        (void) prompt_utf8_next(&p, end);
        (*column)++;
    }
}
