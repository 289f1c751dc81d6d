/*
 * JSON writer: compact, exact.
 */

#include "base/digits.h"
#include "base/json.h"
#include "base/json_run.h"


/* the letter of the escape, 'u' for \u00XX, 0 where none is needed */
static const char  prompt_json_escape[256] = {
    'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'b', 't', 'n', 'u', 'f', 'r', 'u',
    'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u', 'u',
    'u', 'u', ['"'] = '"', ['\\'] = '\\'
};


static void prompt_json_write_escaped(prompt_buf_t *buf, prompt_str_t s,
    size_t run);


void
prompt_json_write_string(prompt_buf_t *buf, prompt_str_t s)
{
    size_t  run;

    run = prompt_json_run(s.data, s.len, PROMPT_JSON_ANY);

    if (run < s.len) {
        prompt_json_write_escaped(buf, s, run);
        return;
    }

    /* nearly all strings: nothing to escape, so it is known what they take */

    if (prompt_buf_room(buf, s.len + 2)) {
        buf->data[buf->len++] = '"';

        if (s.len != 0) {
            memcpy(buf->data + buf->len, s.data, s.len);
            buf->len += s.len;
        }

        buf->data[buf->len++] = '"';
    }
}


/* run: of the bytes in front that need no escape; there is one that does */
static void
prompt_json_write_escaped(prompt_buf_t *buf, prompt_str_t s, size_t run)
{
    char         *p, escape;
    size_t        len;
    uint8_t       c;
    const char   *data;

    data = s.data;
    len = s.len;

    prompt_buf_char(buf, '"');

    for ( ;; ) {

        c = (uint8_t) data[run];
        escape = prompt_json_escape[c];

        /* the run, and the escape behind it */

        if (!prompt_buf_room(buf, run + (escape == 'u' ? 6 : 2))) {
            return;
        }

        p = buf->data + buf->len;
        memcpy(p, data, run);
        p += run;

        *p++ = '\\';
        *p++ = escape;

        if (escape == 'u') {
            *p++ = '0';
            *p++ = '0';
            p = prompt_hex_write(p, &c, 1);
        }

        buf->len = (size_t) (p - buf->data);

        data += run + 1;
        len -= run + 1;
        run = prompt_json_run(data, len, PROMPT_JSON_ANY);

        if (run == len) {
            break;
        }
    }

    prompt_buf_append(buf, data, len);
    prompt_buf_char(buf, '"');
}


/* calls itself no deeper than the value is nested */
void
prompt_json_write(prompt_buf_t *buf, const prompt_json_t *value)
{
    const prompt_json_t  *child;

    switch (value->type) {

    case PROMPT_JSON_NULL:
        prompt_buf_literal(buf, "null");
        return;

    case PROMPT_JSON_BOOLEAN:
        prompt_buf_str(buf, value->boolean ? prompt_str("true")
                                           : prompt_str("false"));
        return;

    case PROMPT_JSON_NUMBER:
        prompt_buf_str(buf, value->text);
        return;

    case PROMPT_JSON_STRING:
        prompt_json_write_string(buf, value->text);
        return;

    case PROMPT_JSON_ARRAY:
    case PROMPT_JSON_OBJECT:
        break;
    }

    prompt_buf_char(buf, value->type == PROMPT_JSON_ARRAY ? '[' : '{');

    for (child = value->first; child != NULL; child = child->next) {
        if (child != value->first) {
            prompt_buf_char(buf, ',');
        }

        if (value->type == PROMPT_JSON_OBJECT) {
            prompt_json_write_string(buf, child->name);
            prompt_buf_char(buf, ':');
        }

        prompt_json_write(buf, child);
    }

    prompt_buf_char(buf, value->type == PROMPT_JSON_ARRAY ? ']' : '}');
}
