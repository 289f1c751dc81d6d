/*
 * JSON for promptctl, by jansson.
 */

#include <ctype.h>
#include <stdlib.h>

#include "base/utf8.h"
#include "ctl/json.h"


#define CTL_JSON_FLAGS  (JSON_REJECT_DUPLICATES | JSON_DECODE_ANY             \
                         | JSON_ALLOW_NUL)

/* in front of a number's text, and once more of a string's that begins so */
#define CTL_JSON_MARK      "\\u0000"
#define CTL_JSON_MARK_LEN  (sizeof(CTL_JSON_MARK) - 1)


static void ctl_json_mark(prompt_buf_t *out, prompt_str_t text);
static void ctl_json_unmark(prompt_buf_t *out, prompt_str_t text);
static size_t ctl_json_number_length(const char *p, const char *end);
static bool ctl_json_marked(const char *p, const char *end);


json_t *
ctl_json_read(prompt_str_t text, json_error_t *error)
{
    json_t        *value;
    prompt_buf_t   marked;

    prompt_buf_init(&marked, CTL_JSON_MAX);
    ctl_json_mark(&marked, text);

    if (marked.status != PROMPT_BUF_OK) {
        ctl_no_memory();
    }

    value = json_loadb(prompt_buf_view(&marked).data, marked.len,
                       CTL_JSON_FLAGS, error);

    prompt_buf_free(&marked);

    if (value == NULL) {

        /* where it is wrong, in the text as it is */

        json_decref(json_loadb(text.data, text.len, CTL_JSON_FLAGS, error));
    }

    return value;
}


/* What is no number stays, and is an error of what is read then. */
static void
ctl_json_mark(prompt_buf_t *out, prompt_str_t text)
{
    bool         quoted;
    size_t       len;
    const char  *p, *end;

    end = text.data + text.len;
    quoted = false;

    for (p = text.data; p < end; p += len) {
        len = !quoted ? ctl_json_number_length(p, end) : 0;

        if (len != 0) {
            prompt_buf_literal(out, "\"" CTL_JSON_MARK);
            prompt_buf_append(out, p, len);
            prompt_buf_char(out, '"');
            continue;
        }

        len = *p == '\\' && p + 1 < end ? 2 : 1;
        prompt_buf_append(out, p, len);

        if (*p == '"') {
            quoted = !quoted;

            if (quoted && ctl_json_marked(p + 1, end)) {
                prompt_buf_literal(out, CTL_JSON_MARK);
            }
        }
    }
}


static void
ctl_json_unmark(prompt_buf_t *out, prompt_str_t text)
{
    bool         quoted, number;
    size_t       len;
    const char  *p, *end;

    end = text.data + text.len;
    quoted = false;

    for (p = text.data; p < end; p += len) {
        len = *p != '\\' ? 1 : p[1] != 'u' ? 2 : 6;

        if (*p == '"') {
            quoted = !quoted;

            if (quoted && ctl_json_marked(p + 1, end)) {
                p += 1 + CTL_JSON_MARK_LEN;
                number = *p != '\\';
                len = number ? strcspn(p, "\"") : 0;

                prompt_buf_append(out, number ? p : "\"", number ? len : 1);
                quoted = !number;
                len += number;
                continue;
            }
        }

        prompt_buf_append(out, p, len);

        /* jansson has capitals in \u001F, which are small elsewhere */

        if (len == 6 && out->status == PROMPT_BUF_OK) {
            out->data[out->len - 1] = (char) tolower(p[5]);
        }
    }
}


/* 0 where none begins here */
static size_t
ctl_json_number_length(const char *p, const char *end)
{
    size_t   n;
    json_t  *number;

    if (*p != '-' && !isdigit((unsigned char) *p)) {
        return 0;
    }

    for (n = 1; p + n < end && p[n] != '\0' && strchr("+-.0123456789eE", p[n]);
         n++)
    {
        /* void */
    }

    number = json_loadb(p, n, JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL, NULL);
    json_decref(number);

    return number != NULL ? n : 0;
}


static bool
ctl_json_marked(const char *p, const char *end)
{
    return (size_t) (end - p) > CTL_JSON_MARK_LEN
           && memcmp(p, CTL_JSON_MARK, CTL_JSON_MARK_LEN) == 0;
}


void
ctl_json_write(prompt_buf_t *buf, const json_t *value, bool indented)
{
    char  *text;

    text = json_dumps(value, JSON_ENCODE_ANY
                             | (indented ? JSON_INDENT(2) : JSON_COMPACT));
    if (text == NULL) {
        ctl_no_memory();
    }

    ctl_json_unmark(buf, prompt_str_from(text));
    free(text);

    if (buf->status != PROMPT_BUF_OK) {
        ctl_no_memory();
    }
}


json_t *
ctl_json(json_t *value)
{
    if (value == NULL) {
        ctl_no_memory();
    }

    return value;
}


json_t *
ctl_json_text(prompt_str_t text)
{
    json_t        *value;
    prompt_buf_t   marked;

    if (text.data == NULL) {
        return json_null();
    }

    if (!prompt_utf8_valid(text)) {
        ctl_fail("\"%.*s\" is not UTF-8", prompt_str_arg(text));
    }

    if (text.len == 0 || text.data[0] != '\0') {
        return ctl_json(json_stringn_nocheck(text.data, text.len));
    }

    prompt_buf_init(&marked, CTL_JSON_MAX);
    prompt_buf_char(&marked, '\0');
    prompt_buf_str(&marked, text);

    value = ctl_json(json_stringn_nocheck(marked.data, marked.len));
    prompt_buf_free(&marked);

    return value;
}


void
ctl_json_set(json_t *object, const char *name, json_t *value)
{
    if (json_object_set_new(object, name, value) != 0) {
        ctl_no_memory();
    }
}


void
ctl_json_append(json_t *array, json_t *value)
{
    if (json_array_append_new(array, value) != 0) {
        ctl_no_memory();
    }
}


prompt_str_t
ctl_text(const json_t *object, const char *name)
{
    return ctl_text_of(json_object_get(object, name));
}


int64_t
ctl_integer(const json_t *object, const char *name)
{
    char          *end;
    int64_t        n;
    const json_t  *value;
    prompt_str_t   text;

    value = json_object_get(object, name);
    text = ctl_number_of(value);

    if (text.data == NULL) {
        return json_integer_value(value);
    }

    n = strtoll(text.data, &end, 10);

    return *end == '\0' ? n : 0;
}


json_t *
ctl_list(const json_t *object, const char *name)
{
    json_t  *value;

    value = json_object_get(object, name);

    return json_is_array(value) ? value : NULL;
}


prompt_str_t
ctl_text_of(const json_t *value)
{
    const char  *text;

    text = json_string_value(value);

    if (text == NULL || (text[0] == '\0' && json_string_length(value) != 0)) {
        return prompt_str_absent;
    }

    return prompt_str_of(text, json_string_length(value));
}


prompt_str_t
ctl_number_of(const json_t *value)
{
    const char  *text;

    text = json_string_value(value);

    if (text == NULL || text[0] != '\0' || json_string_length(value) < 2
        || text[1] == '\0')
    {
        return prompt_str_absent;
    }

    return prompt_str_of(text + 1, json_string_length(value) - 1);
}
