/*
 * Values in messages, as graphql-js's inspect() shows them: strings quoted as
 * JSON, at most ten elements of an array, three levels of nesting.
 */

#include "graphql/values/inspect.h"
#include "graphql/values/number.h"

#include "base/utf8.h"


#define GQL_INSPECT_MAX_ITEMS  10
#define GQL_INSPECT_MAX_DEPTH  3


static void gql_inspect_value(prompt_buf_t *buf, const prompt_json_t *value,
    unsigned depth);
static void gql_inspect_string(prompt_buf_t *buf, prompt_str_t s);
static void gql_inspect_array(prompt_buf_t *buf, const prompt_json_t *array,
    unsigned depth);
static void gql_inspect_object(prompt_buf_t *buf, const prompt_json_t *object,
    unsigned depth);


prompt_str_t
gql_inspect(prompt_arena_t *arena, const prompt_json_t *value)
{
    prompt_buf_t  buf;
    prompt_str_t  text;

    prompt_buf_init(&buf, gql_error_bounds.value);

    gql_inspect_value(&buf, value, 0);

    if (buf.status == PROMPT_BUF_LIMIT) {
        text = prompt_buf_view(&buf);
        text.len = prompt_utf8_whole(text.data, text.len);
        text = prompt_arena_printf(arena, "%.*s…", prompt_str_arg(text));
        prompt_buf_free(&buf);

        return text;
    }

    return prompt_arena_take(arena, &buf);
}


static void
gql_inspect_value(prompt_buf_t *buf, const prompt_json_t *value,
    unsigned depth)
{
    char    number[GQL_NUMBER_SIZE];
    size_t  n;

    switch (value->type) {

    case PROMPT_JSON_NULL:
        prompt_buf_literal(buf, "null");
        break;

    case PROMPT_JSON_BOOLEAN:
        prompt_buf_str(buf, value->boolean ? prompt_str("true")
                                           : prompt_str("false"));
        break;

    case PROMPT_JSON_NUMBER:
        n = gql_number_format(gql_number_value(value), number);
        prompt_buf_append(buf, number, n);
        break;

    case PROMPT_JSON_STRING:
        gql_inspect_string(buf, value->text);
        break;

    case PROMPT_JSON_ARRAY:
        gql_inspect_array(buf, value, depth);
        break;

    case PROMPT_JSON_OBJECT:
        gql_inspect_object(buf, value, depth);
        break;
    }
}


/*
 * Byte by byte, so that of a text that is too long its beginning is shown:
 * an append that does not fit as a whole writes nothing.
 */
static void
gql_inspect_string(prompt_buf_t *buf, prompt_str_t s)
{
    char         c;
    size_t       i;
    const char  *p;

    static const char  plain[] = "\"\\\b\f\n\r\t";
    static const char  escaped[] = "\"\\bfnrt";

    prompt_buf_char(buf, '"');

    for (i = 0; i < s.len && buf->status == PROMPT_BUF_OK; i++) {
        c = s.data[i];
        p = c != '\0' ? strchr(plain, c) : NULL;

        if (p != NULL) {
            prompt_buf_char(buf, '\\');
            prompt_buf_char(buf, escaped[p - plain]);

        } else if ((unsigned char) c < 0x20) {
            prompt_buf_printf(buf, "\\u%04x", (unsigned) c);

        } else {
            prompt_buf_char(buf, c);
        }
    }

    prompt_buf_char(buf, '"');
}


static void
gql_inspect_array(prompt_buf_t *buf, const prompt_json_t *array,
    unsigned depth)
{
    unsigned              n;
    const prompt_json_t  *item;

    if (array->first == NULL) {
        prompt_buf_literal(buf, "[]");
        return;
    }

    if (depth >= GQL_INSPECT_MAX_DEPTH - 1) {
        prompt_buf_literal(buf, "[Array]");
        return;
    }

    prompt_buf_char(buf, '[');

    n = 0;

    for (item = array->first; item != NULL; item = item->next) {
        if (n == GQL_INSPECT_MAX_ITEMS) {
            break;
        }

        if (n++ > 0) {
            prompt_buf_literal(buf, ", ");
        }

        gql_inspect_value(buf, item, depth + 1);
    }

    n = array->count - n;

    if (n > 0) {
        prompt_buf_printf(buf, ", ... %u more item%s", n, n == 1 ? "" : "s");
    }

    prompt_buf_char(buf, ']');
}


static void
gql_inspect_object(prompt_buf_t *buf, const prompt_json_t *object,
    unsigned depth)
{
    size_t                i;
    const prompt_json_t  *member;

    if (object->first == NULL) {
        prompt_buf_literal(buf, "{}");
        return;
    }

    if (depth >= GQL_INSPECT_MAX_DEPTH - 1) {
        prompt_buf_literal(buf, "[Object]");
        return;
    }

    prompt_buf_literal(buf, "{ ");

    for (member = object->first; member != NULL; member = member->next) {
        if (member != object->first) {
            prompt_buf_literal(buf, ", ");
        }

        for (i = 0; i < member->name.len; i++) {
            prompt_buf_char(buf, member->name.data[i]);

            if (buf->status != PROMPT_BUF_OK) {
                return;
            }
        }

        prompt_buf_literal(buf, ": ");
        gql_inspect_value(buf, member, depth + 1);
    }

    prompt_buf_literal(buf, " }");
}


void
gql_inspect_text(prompt_buf_t *buf, prompt_str_t text)
{
    if (text.len <= gql_error_bounds.value) {
        prompt_buf_str(buf, text);
        return;
    }

    prompt_buf_append(buf, text.data,
                      prompt_utf8_whole(text.data, gql_error_bounds.value));
    prompt_buf_literal(buf, "…");
}
