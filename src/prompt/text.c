/*
 * Text and JSON values as users send them.
 */

#include "prompt/text.h"

#include "base/utf8.h"
#include "base/path.h"


typedef struct {
    uint32_t  first;
    uint32_t  last;
} prompt_text_range_t;


/* Cc, Zl, Zp; embeddings, overrides and isolates of direction */
static const prompt_text_range_t  prompt_text_controls[] = {
    { 0x00, 0x1f }, { 0x7f, 0x9f }, { 0x2028, 0x202e }, { 0x2066, 0x2069 }
};

/* Zs, and what has no width */
static const prompt_text_range_t  prompt_text_blanks[] = {
    { 0x20, 0x20 }, { 0xa0, 0xa0 }, { 0xad, 0xad }, { 0x34f, 0x34f },
    { 0x61c, 0x61c }, { 0x115f, 0x1160 }, { 0x1680, 0x1680 },
    { 0x17b4, 0x17b5 }, { 0x180b, 0x180f }, { 0x2000, 0x200f },
    { 0x202f, 0x202f }, { 0x205f, 0x206f }, { 0x2800, 0x2800 },
    { 0x3000, 0x3000 }, { 0x3164, 0x3164 }, { 0xfe00, 0xfe0f },
    { 0xfeff, 0xfeff }, { 0xffa0, 0xffa0 }, { 0xe0000, 0xe0fff }
};


prompt_check_t
prompt_text_fault(prompt_arena_t *arena, prompt_str_t field,
    const char *words, prompt_fault_t *fault)
{
    prompt_str_t  shown;

    shown = prompt_fault_excerpt(arena, field);

    if (field.data == NULL || shown.data == NULL) {
        return PROMPT_CHECK_NOMEM;
    }

    return prompt_fault_set(arena, fault, field, "%.*s %s",
                            prompt_str_arg(shown), words);
}


/* what both kinds of text have in common */
static prompt_check_t
prompt_text_encoding(prompt_arena_t *arena, prompt_str_t text,
    prompt_str_t field, prompt_fault_t *fault)
{
    if (text.len != 0 && memchr(text.data, '\0', text.len) != NULL) {
        return prompt_text_fault(arena, field, "must not contain U+0000",
                                 fault);
    }

    if (!prompt_utf8_valid(text)) {
        return prompt_text_fault(arena, field, "must be valid UTF-8", fault);
    }

    return PROMPT_CHECK_OK;
}


prompt_check_t
prompt_text_bytes(prompt_arena_t *arena, prompt_str_t text,
    prompt_str_t field, size_t max, prompt_fault_t *fault)
{
    if (text.len > max) {
        return prompt_fault_set(arena, fault, field,
                                "%.*s must not be longer than %zu bytes",
                                prompt_str_arg(field), max);
    }

    return prompt_text_encoding(arena, text, field, fault);
}


prompt_check_t
prompt_text_characters(prompt_arena_t *arena, prompt_str_t text,
    prompt_str_t field, size_t max, prompt_fault_t *fault)
{
    if (prompt_utf8_length(text) > max) {
        return prompt_fault_set(arena, fault, field,
                                "%.*s must not be longer than %zu characters",
                                prompt_str_arg(field), max);
    }

    return prompt_text_encoding(arena, text, field, fault);
}


static bool
prompt_text_in(uint32_t cp, const prompt_text_range_t *ranges, size_t count)
{
    size_t  i;

    for (i = 0; i < count; i++) {
        if (cp >= ranges[i].first && cp <= ranges[i].last) {
            return true;
        }
    }

    return false;
}


prompt_check_t
prompt_text_label(prompt_arena_t *arena, prompt_str_t text,
    prompt_str_t field, size_t max, prompt_fault_t *fault)
{
    bool             seen;
    uint32_t         cp;
    const char      *p, *end;
    prompt_check_t   rc;

    rc = prompt_text_characters(arena, text, field, max, fault);
    if (rc != PROMPT_CHECK_OK) {
        return rc;
    }

    seen = false;
    p = text.data;
    end = p + text.len;

    while (p < end) {
        cp = prompt_utf8_next(&p, end);

        if (prompt_text_is_control(cp)) {
            return prompt_fault_set(arena, fault, field,
                                    "%.*s must not contain the control "
                                    "character U+%04X",
                                    prompt_str_arg(field), (unsigned) cp);
        }

        seen = seen
               || !prompt_text_in(cp, prompt_text_blanks,
                                  sizeof(prompt_text_blanks)
                                  / sizeof(prompt_text_range_t));
    }

    return seen ? PROMPT_CHECK_OK
                : prompt_text_fault(arena, field, "must not be empty or blank",
                                    fault);
}


prompt_check_t
prompt_text_email(prompt_arena_t *arena, prompt_str_t text,
    prompt_str_t field, prompt_fault_t *fault)
{
    const char      *at, *end;
    prompt_check_t   rc;

    rc = prompt_text_label(arena, text, field, PROMPT_LIMIT_EMAIL, fault);
    if (rc != PROMPT_CHECK_OK) {
        return rc;
    }

    end = text.data + text.len;
    at = memchr(text.data, '@', text.len);

    if (at == NULL || at == text.data || at + 1 == end
        || memchr(at + 1, '@', (size_t) (end - at - 1)) != NULL
        || memchr(text.data, ' ', text.len) != NULL)
    {
        return prompt_text_fault(arena, field, "is not an e-mail address",
                                 fault);
    }

    return PROMPT_CHECK_OK;
}


bool
prompt_text_is_control(uint32_t cp)
{
    return cp > 0x10ffff
           || prompt_text_in(cp, prompt_text_controls,
                             sizeof(prompt_text_controls)
                             / sizeof(prompt_text_range_t));
}


/* Calls itself at most PROMPT_LIMIT_DEPTH deep. */
static prompt_check_t
prompt_text_walk(prompt_arena_t *arena, const prompt_json_t *value,
    const prompt_path_t *path, unsigned depth, prompt_fault_t *fault)
{
    prompt_path_t         frame;
    prompt_check_t        rc;
    const prompt_json_t  *child;

    switch (value->type) {

    case PROMPT_JSON_STRING:
        if (value->text.len != 0
            && memchr(value->text.data, '\0', value->text.len) != NULL)
        {
            return prompt_text_fault(arena, prompt_path_text(arena, path),
                                     "must not contain U+0000", fault);
        }

        return PROMPT_CHECK_OK;

    case PROMPT_JSON_NUMBER:
        if (!prompt_json_number_exact(value)) {
            return prompt_text_fault(arena, prompt_path_text(arena, path),
                                     "is a number that cannot be stored "
                                     "exactly", fault);
        }

        return PROMPT_CHECK_OK;

    case PROMPT_JSON_ARRAY:
    case PROMPT_JSON_OBJECT:
        break;

    default:
        return PROMPT_CHECK_OK;
    }

    if (depth == PROMPT_LIMIT_DEPTH) {
        return prompt_text_fault(arena, prompt_path_text(arena, path),
                                 "is nested too deeply", fault);
    }

    frame.parent = path;
    frame.index = 0;

    for (child = value->first; child != NULL; child = child->next) {
        frame.name = value->type == PROMPT_JSON_OBJECT ? child->name
                                                       : prompt_str_absent;

        if (frame.name.len != 0
            && memchr(frame.name.data, '\0', frame.name.len) != NULL)
        {
            return prompt_text_fault(arena, prompt_path_text(arena, path),
                                     "has a member whose name contains U+0000",
                                     fault);
        }

        rc = prompt_text_walk(arena, child, &frame, depth + 1, fault);
        if (rc != PROMPT_CHECK_OK) {
            return rc;
        }

        frame.index++;
    }

    return PROMPT_CHECK_OK;
}


prompt_check_t
prompt_text_json(prompt_arena_t *arena, const prompt_json_t *value,
    prompt_str_t field, size_t max, prompt_str_t *text, prompt_fault_t *fault)
{
    prompt_buf_t    buf;
    prompt_path_t   path;
    prompt_check_t  rc;

    path = (prompt_path_t) { NULL, field, 0 };

    rc = prompt_text_walk(arena, value, &path, 0, fault);
    if (rc != PROMPT_CHECK_OK) {
        return rc;
    }

    prompt_buf_init(&buf, max);
    prompt_json_write(&buf, value);

    if (buf.status == PROMPT_BUF_LIMIT) {
        rc = prompt_fault_set(arena, fault, field,
                              "%.*s must not be longer than %zu bytes",
                              prompt_str_arg(field), max);

    } else if (buf.status != PROMPT_BUF_OK) {
        rc = PROMPT_CHECK_NOMEM;

    } else if (text != NULL) {
        *text = prompt_arena_copy(arena, prompt_buf_view(&buf));
        rc = text->data != NULL ? PROMPT_CHECK_OK : PROMPT_CHECK_NOMEM;
    }

    prompt_buf_free(&buf);

    return rc;
}


prompt_check_t
prompt_text_metadata(prompt_arena_t *arena, const prompt_json_t *value,
    prompt_str_t field, prompt_str_t *text, prompt_fault_t *fault)
{
    prompt_str_t          name;
    prompt_check_t        rc;
    const prompt_json_t  *member;

    if (value->type != PROMPT_JSON_OBJECT
        || value->count > PROMPT_LIMIT_METADATA)
    {
        return prompt_fault_set(arena, fault, field, "%.*s must be a JSON "
                                "object of at most %d members",
                                prompt_str_arg(field), PROMPT_LIMIT_METADATA);
    }

    for (member = value->first; member != NULL; member = member->next) {

        rc = prompt_text_characters(arena, member->name, field,
                                    PROMPT_LIMIT_METADATA_TEXT, fault);
        if (rc != PROMPT_CHECK_OK) {
            return rc;
        }

        name = prompt_arena_printf(arena, "%.*s.%.*s", prompt_str_arg(field),
                                   prompt_str_arg(member->name));

        if (name.data == NULL || member->type != PROMPT_JSON_STRING) {
            return prompt_text_fault(arena, name, "must be a string", fault);
        }

        rc = prompt_text_characters(arena, member->text, name,
                                    PROMPT_LIMIT_METADATA_TEXT, fault);
        if (rc != PROMPT_CHECK_OK) {
            return rc;
        }
    }

    return prompt_text_json(arena, value, field, PROMPT_LIMIT_METADATA_JSON,
                            text, fault);
}
